// The running total of a count, for the eye: the server adds the pieces up again.

function format(minor, digits) {
  return (minor / 10 ** digits).toLocaleString(document.documentElement.lang || undefined, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

function draw(root) {
  const digits = Number(root.dataset.digits);
  let total = 0;
  for (const field of root.querySelectorAll("[data-value]")) {
    const pieces = /^[0-9]+$/.test(field.value) ? Number(field.value) : 0;
    const sum = pieces * Number(field.dataset.value);
    total += sum;
    const shown = field.closest(".count__row").querySelector("[data-sum]");
    shown.textContent = pieces ? format(sum, digits) : "";
  }
  root.querySelector("[data-total]").textContent = format(total, digits);
}

document.addEventListener("input", (event) => {
  const root = event.target.closest("[data-behaviour='count']");
  if (root) draw(root);
});

function drawAll() {
  document.querySelectorAll("[data-behaviour='count']").forEach(draw);
}

document.addEventListener("htmx:load", drawAll);
drawAll();
