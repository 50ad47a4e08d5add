// A page that is drawn as paper goes to the printer by its button.

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-behaviour='print']")) window.print();
});
