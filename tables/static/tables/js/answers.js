// Says when an act got no answer. Its form still stands with its key: the same tap again counts once.

function show(isUnanswered) {
  const notice = document.getElementById("unanswered");
  if (notice) notice.hidden = !isUnanswered;
}

for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(name, (event) => {
    // A redraw that a live event asked for is nobody's tap; the connection says how it stands.
    if (event.detail.requestConfig?.verb !== "get") show(true);
  });
}
document.addEventListener("htmx:afterSwap", () => show(false));
