// Follows a stream of live events: partials that an event makes old ask the server for new ones.
//
// Markup: one [data-behaviour="live"] with data-stream; each partial that follows says so with
// hx-trigger="live" and data-live="round.settled round.voided" (or "*"). data-seen, on the partial
// or in it, is the id of the last event that it shows already. Losing the stream loses nothing but speed, so
// the page says it and goes on.
//
// The stream is read by fetch: an EventSource hears only names that it was told beforehand.

const QUIET_SECONDS = 15; // three heartbeats of the server
const RETRY_SECONDS = 2;

// --- which event is news to which partial

const seenBy = (partial) =>
  partial.dataset.seen ?? partial.querySelector("[data-seen]")?.dataset.seen;

function isLater(id, seen) {
  if (!seen) return true;
  const [time, count] = id.split("-").map(Number);
  const [seenTime, seenCount] = seen.split("-").map(Number);
  return time > seenTime || (time === seenTime && count > seenCount);
}

// A partial of one table (data-table) is left alone by what happens at another.
const isOf = (partial, table) =>
  table === undefined || !partial.dataset.table || partial.dataset.table === String(table);

// What a dealer is entering is never wiped: if the event made it impossible, the server says so.
function isBeingFilled(partial) {
  return [...partial.querySelectorAll("input, textarea")].some((field) =>
    field.type === "hidden" ? false : field.value !== field.defaultValue,
  );
}

const waiting = []; // what was heard while the page itself was asking the server

function refresh(event) {
  // The answer that is under way may show it already.
  if (document.querySelector(".htmx-request")) {
    waiting.push(event);
    return;
  }
  const { name, id, table } = event;
  for (const partial of document.querySelectorAll("[data-live]")) {
    const names = partial.dataset.live.split(" ");
    const isMeant = name === "reset" || names.includes("*") || names.includes(name);
    if (isMeant && isOf(partial, table) && isLater(id, seenBy(partial)) && !isBeingFilled(partial)) {
      window.htmx.trigger(partial, "live");
    }
  }
}

document.addEventListener("htmx:afterRequest", () =>
  setTimeout(() => waiting.splice(0).forEach(refresh)),
);

// --- the stream

function eventOf(block) {
  const event = { name: "message", id: "" };
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) event.name = line.slice(7);
    if (line.startsWith("id: ")) event.id = line.slice(4);
    if (line.startsWith("data: ")) event.table = JSON.parse(line.slice(6)).table;
  }
  return event;
}

// On the root, so that it outlives a swap of the element that says it.
function show(state) {
  document.documentElement.dataset.connection = state;
}

async function read(address, lastId, heard) {
  const control = new AbortController();
  const giveUp = () => control.abort();
  window.addEventListener("offline", giveUp);
  let quiet = setTimeout(giveUp, QUIET_SECONDS * 1000);
  try {
    const headers = { Accept: "text/event-stream", ...(lastId && { "Last-Event-ID": lastId }) };
    const response = await fetch(address, { headers, signal: control.signal, cache: "no-store" });
    if (!response.ok || !response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
      return;
    }
    show("connected");
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      clearTimeout(quiet);
      quiet = setTimeout(giveUp, QUIET_SECONDS * 1000);
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) heard(eventOf(block));
    }
  } finally {
    clearTimeout(quiet);
    window.removeEventListener("offline", giveUp);
  }
}

async function follow(address) {
  let lastId = document.querySelector("[data-seen]")?.dataset.seen ?? "";
  for (;;) {
    try {
      await read(address, lastId, (event) => {
        if (!event.id) return; // a heartbeat: alive, and nothing happened
        lastId = event.id;
        refresh(event);
      });
    } catch {
      // Gone, or silent for too long: both are told below.
    }
    show("lost");
    await new Promise((resolve) => setTimeout(resolve, RETRY_SECONDS * 1000));
  }
}

const asked = document.querySelector("[data-behaviour='live']");
if (asked) follow(asked.dataset.stream);
