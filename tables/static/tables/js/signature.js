// Opens and closes the dialogs in which a floor supervisor or pit boss signs on the tablet.
//
// A PIN never outlives its dialog: closing empties the field.

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) {
    const dialog = document.getElementById(opener.dataset.opens);
    dialog?.showModal();
    dialog?.querySelector("input[name='reason'], input[name='number']")?.focus();
    return;
  }
  event.target.closest("[data-closes]")?.closest("dialog")?.close();
});

document.addEventListener(
  "close",
  (event) => {
    for (const pin of event.target.querySelectorAll?.("input[type='password']") ?? []) pin.value = "";
  },
  true,
);

function reopenRefused() {
  const refused = document.querySelector("dialog[data-refused]:not([open])");
  if (!refused) return;
  delete refused.dataset.refused;
  refused.showModal();
}

document.addEventListener("htmx:load", reopenRefused);
reopenRefused();
