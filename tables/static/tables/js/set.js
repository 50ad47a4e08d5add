// Two boxes go low, and only a pair that the server would accept can be ticked.

const rootOf = (element) => element.closest("[data-behaviour='set']");
const boxesOf = (root) => [...root.querySelectorAll("input[type='checkbox']")];
const pairsOf = (root) => root.dataset.legal.split(" ").filter(Boolean).map((pair) => pair.split(","));

function draw(root) {
  const boxes = boxesOf(root);
  const ticked = boxes.filter((box) => box.checked).map((box) => box.value);
  const open = pairsOf(root).filter((pair) => ticked.every((place) => pair.includes(place)));
  for (const box of boxes) {
    box.disabled = !box.checked && !(ticked.length < 2 && open.some((pair) => pair.includes(box.value)));
  }
  root.dataset.complete = String(ticked.length === 2);
  const form = root.closest("form");
  const sets = form ? [...form.querySelectorAll("[data-behaviour='set']")] : [];
  for (const button of form?.querySelectorAll("[data-needs-sets]") ?? []) {
    button.disabled = !sets.every((set) => set.dataset.complete === "true");
  }
}

document.addEventListener("change", (event) => {
  const root = rootOf(event.target);
  if (root) draw(root);
});

function drawAll() {
  document.querySelectorAll("[data-behaviour='set']").forEach(draw);
}

document.addEventListener("htmx:load", drawAll);
drawAll();
