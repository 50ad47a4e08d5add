// Each chip tapped is added to the amount in the entry field; the field stays the only truth.

function write(field, text) {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

// In whole minor units, for 0.1 and 0.2 must not meet in a wager.
function minorOf(text, places) {
  const [whole, part = ""] = (text || "0").split(".");
  return Number(whole + part.padEnd(places, "0").slice(0, places));
}

function textOf(minor, places) {
  const digits = String(minor).padStart(places + 1, "0");
  const cut = digits.length - places;
  const part = digits.slice(cut);
  return /^0*$/.test(part) ? digits.slice(0, cut) : `${digits.slice(0, cut)}.${part}`;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-behaviour='chips'] button");
  if (!button) return;
  const { for: id, digits } = button.closest("[data-behaviour='chips']").dataset;
  const field = document.getElementById(id);
  const places = Number(digits);
  const minor = minorOf(field.value, places) + Number(button.dataset.add);
  write(field, "clear" in button.dataset ? "" : textOf(minor, places));
});
