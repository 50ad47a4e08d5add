// Keys and chips type into the entry field that they name; the field stays the only truth.
//
// Listens on the document, so a partial that htmx swaps in works without being wired up.

const lastTouched = new Map(); // keypad element → the field that had the focus last

function fieldsOf(pad) {
  return pad.dataset.for.split(" ").map((id) => document.getElementById(id)).filter(Boolean);
}

function fieldOf(pad) {
  const fields = fieldsOf(pad);
  const last = lastTouched.get(pad);
  return fields.includes(last) ? last : fields[0];
}

function write(field, text) {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function isWithin(field, text) {
  const places = Number(field.dataset.digits ?? 0);
  if (field.maxLength > 0 && text.length > field.maxLength) return false;
  if (field.dataset.digits === undefined) return true; // a number or a PIN: any length it allows
  const point = places > 0 ? `(\\.[0-9]{0,${places}})?` : "";
  return new RegExp(`^[0-9]{0,9}${point}$`).test(text);
}

function press(field, key) {
  if (key === "clear") return write(field, "");
  if (key === "back") return write(field, field.value.slice(0, -1));
  const text = field.value + key;
  if (isWithin(field, text)) write(field, text);
}

// Amounts are added in whole minor units: 0.1 + 0.2 must not meet a wager.
function addChip(field, minor) {
  const places = Number(field.dataset.digits);
  const [whole, part = ""] = (field.value || "0").split(".");
  const held = Number(whole + part.padEnd(places, "0").slice(0, places));
  const digits = String(held + minor).padStart(places + 1, "0");
  const cut = digits.length - places;
  const cents = digits.slice(cut);
  write(field, /^0*$/.test(cents) ? digits.slice(0, cut) : `${digits.slice(0, cut)}.${cents}`);
}

document.addEventListener("click", (event) => {
  const key = event.target.closest("[data-behaviour='keypad'] [data-key]");
  if (key) {
    const field = fieldOf(key.closest("[data-behaviour='keypad']"));
    if (field) press(field, key.dataset.key);
    return;
  }
  const chip = event.target.closest("[data-behaviour='chips'] button");
  if (!chip) return;
  const field = fieldOf(chip.closest("[data-behaviour='chips']"));
  if (!field) return;
  if ("clear" in chip.dataset) write(field, "");
  else addChip(field, Number(chip.dataset.add));
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
