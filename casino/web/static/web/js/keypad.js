// Keys type into the entry field touched last, of those the keypad names; the field is the truth.
//
// Listens on the document, so a partial that htmx swaps in works without being wired up.

const lastTouched = new WeakMap(); // keypad element → the field that had the focus last

function fieldsOf(pad) {
  return pad.dataset.for.split(" ").map((id) => document.getElementById(id)).filter(Boolean);
}

function fieldOf(pad) {
  const fields = fieldsOf(pad);
  const last = lastTouched.get(pad);
  return fields.includes(last) ? last : (fields.find((field) => field.value === "") ?? fields[0]);
}

function write(field, text) {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function isWithin(field, text) {
  if (field.maxLength > 0 && text.length > field.maxLength) return false;
  if (field.dataset.digits === undefined) return true; // a staff number, a PIN, pieces: no amount
  const places = Number(field.dataset.digits);
  const point = places > 0 ? `(\\.[0-9]{0,${places}})?` : "";
  return new RegExp(`^[0-9]{0,9}${point}$`).test(text);
}

function press(field, key) {
  if (key === "clear") return write(field, "");
  if (key === "back") return write(field, field.value.slice(0, -1));
  const text = field.value + key;
  if (isWithin(field, text)) write(field, text);
}

document.addEventListener("click", (event) => {
  const key = event.target.closest("[data-behaviour='keypad'] [data-key]");
  if (!key) return;
  const pad = key.closest("[data-behaviour='keypad']");
  const field = fieldOf(pad);
  if (!field) return;
  lastTouched.set(pad, field); // or the second key would go to the next empty field
  press(field, key.dataset.key);
});

document.addEventListener("focusin", (event) => {
  for (const pad of document.querySelectorAll("[data-behaviour='keypad']")) {
    if (!fieldsOf(pad).includes(event.target)) continue;
    lastTouched.set(pad, event.target);
  }
});

// With our own keys on the page, the tablet's keyboard would only cover them. A field that may
// hold letters (a staff number) keeps it.
function quietKeyboards() {
  for (const pad of document.querySelectorAll("[data-behaviour='keypad']")) {
    for (const field of fieldsOf(pad)) {
      if (field.inputMode === "decimal" || field.inputMode === "numeric") field.inputMode = "none";
    }
  }
}

document.addEventListener("htmx:load", quietKeyboards);
quietKeyboards();
