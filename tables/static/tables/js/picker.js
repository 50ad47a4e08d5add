// Taps fill the chosen hand; a face that is used up, or has no place left, cannot be tapped.
//
// Markup: [data-behaviour="picker"] holds hands ([data-hand]) and a picker ([data-picker]). The
// field [data-tokens] of each hand is what the form sends; everything shown is drawn from it. A tap
// that makes a hand whole is told by the event "whole", so that the page can send it at once.

const handsOf = (root) => [...root.querySelectorAll("[data-hand]")];
const facesOf = (root) => [...root.querySelectorAll("[data-picker] [data-face]")];
const sizeOf = (hand) => Number(hand.dataset.size);
const lowSizeOf = (hand) => Number(hand.dataset.low);
const fieldOf = (hand) => hand.querySelector("[data-tokens]");
const tokensOf = (hand) => fieldOf(hand).value.split(/\s+/).filter(Boolean);
const faceOf = (token) => token.replace(/(?<=\d\d)[ab]$/, ""); // two copies look alike
const kept = new WeakMap(); // hand → its places, "" where one was taken back

// The form knows tokens in order; only the page knows which place was emptied, so that a tile
// taken back from the low hand is replaced in the low hand.
function placesOf(hand) {
  const tokens = tokensOf(hand);
  const places = kept.get(hand);
  if (places?.filter(Boolean).join(" ") === tokens.join(" ")) return places;
  return [...tokens, ...Array(Math.max(0, sizeOf(hand) - tokens.length)).fill("")];
}

function place(hand, index, token) {
  const places = placesOf(hand).with(index, token);
  kept.set(hand, places);
  fieldOf(hand).value = places.filter(Boolean).join(" ");
}

const isFull = (hand) => tokensOf(hand).length >= sizeOf(hand);
const isChosen = (hand) => hand.querySelector("[data-choose]").ariaPressed === "true";

function choose(root, chosen) {
  for (const hand of handsOf(root)) {
    hand.querySelector("[data-choose]").ariaPressed = String(hand === chosen);
  }
}

// After a hand is full the next one with room is chosen, round the table.
function chooseNext(root, hand) {
  const hands = handsOf(root);
  const from = hands.indexOf(hand);
  const next = [...hands.slice(from + 1), ...hands.slice(0, from)].find((one) => !isFull(one));
  if (next) choose(root, next);
}

function filledSlot(root, hand, token, index) {
  const face = facesOf(root).find((one) => one.dataset.face === faceOf(token));
  const slot = document.createElement("button");
  slot.type = "button";
  slot.className = "slot slot--filled";
  slot.dataset.place = index;
  if (!face) {
    slot.textContent = token;
    return slot;
  }
  const name = face.querySelector("[data-name]").cloneNode();
  name.textContent = `${hand.dataset.remove} ${face.querySelector("[data-name]").textContent}`;
  slot.append(face.querySelector("svg").cloneNode(true), name);
  return slot;
}

function emptySlot() {
  const slot = document.createElement("span");
  slot.className = "slot slot--empty";
  return slot;
}

function drawHand(root, hand) {
  const slots = placesOf(hand).map((token, index) => {
    const slot = token ? filledSlot(root, hand, token, index) : emptySlot();
    slot.classList.toggle("slot--low", index < lowSizeOf(hand));
    return slot;
  });
  hand.querySelector("[data-places]").replaceChildren(...slots);
  hand.querySelector("[data-tally]").textContent = `${tokensOf(hand).length}/${sizeOf(hand)}`;
}

function drawFaces(root) {
  const used = handsOf(root).flatMap(tokensOf).map(faceOf);
  const hasRoom = handsOf(root).some((hand) => isChosen(hand) && !isFull(hand));
  for (const face of facesOf(root)) {
    const count = used.filter((token) => token === face.dataset.face).length;
    const left = Number(face.dataset.copies) - count;
    face.disabled = left <= 0 || !hasRoom;
    face.classList.toggle("picker__face--used", left <= 0);
    const mark = face.querySelector("[data-left]");
    if (mark) mark.textContent = left;
  }
}

function drawComplete(root) {
  const complete = handsOf(root).every((hand) => tokensOf(hand).length === sizeOf(hand));
  for (const button of root.querySelectorAll("[data-needs-all]")) button.disabled = !complete;
  for (const button of root.querySelectorAll("[data-needs-hand]")) {
    button.disabled = !isFull(button.parentElement.querySelector("[data-hand]"));
  }
}

function draw(root) {
  handsOf(root).forEach((hand) => drawHand(root, hand));
  drawFaces(root);
  drawComplete(root);
}

document.addEventListener("click", (event) => {
  const root = event.target.closest("[data-behaviour='picker']");
  if (!root) return;
  const face = event.target.closest("[data-face]");
  const slot = event.target.closest("[data-place]");
  const title = event.target.closest("[data-choose]");
  if (face) {
    const hand = handsOf(root).find(isChosen);
    if (!hand || isFull(hand)) return;
    place(hand, placesOf(hand).indexOf(""), face.dataset.face);
    if (isFull(hand)) {
      chooseNext(root, hand);
      root.dispatchEvent(new Event("whole"));
    }
  } else if (slot) {
    const hand = slot.closest("[data-hand]");
    place(hand, Number(slot.dataset.place), "");
    choose(root, hand);
  } else if (title) {
    choose(root, title.closest("[data-hand]"));
  } else {
    return;
  }
  draw(root);
  // The slot that was tapped is gone; a keyboard must not fall back to the top of the page.
  if (slot) handsOf(root).find(isChosen).querySelector("[data-choose]").focus();
});

function drawAll() {
  document.querySelectorAll("[data-behaviour='picker']").forEach(draw);
}

document.addEventListener("htmx:load", drawAll);
drawAll();
