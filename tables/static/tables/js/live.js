// Follows a table's live events: partials that an event makes old ask the server for new ones.
//
// Markup: one [data-behaviour="live"] with data-stream; each partial that follows says so with
// data-live="round.settled round.voided" (or "*") and hx-trigger="live". A partial that carries
// data-version is left alone by events of that version or an older one: it shows them already.
// Losing the stream loses nothing but speed, so the page says it and goes on.

const QUIET_SECONDS = 15; // three heartbeats of the server
const RETRY_SECONDS = 3;

function isNews(partial, version) {
  return version === undefined || !(Number(partial.dataset.version) >= Number(version));
}

function refresh(name, version) {
  for (const partial of document.querySelectorAll("[data-live]")) {
    const names = partial.dataset.live.split(" ");
    const concerned = name === null || names.includes("*") || names.includes(name);
    if (concerned && isNews(partial, version)) window.htmx.trigger(partial, "live");
  }
}

function dataOf(event) {
  try {
    return JSON.parse(event.data);
  } catch {
    return {}; // an event without a body still says that something happened
  }
}

class Stream {
  constructor({ stream, events = "" }) {
    this.address = stream;
    this.names = events.split(" ").filter(Boolean);
    this.lastId = "";
    this.wasLost = false;
    this.open();
  }

  // On the root, so that it outlives a swap of the element that says it.
  show(state) {
    document.documentElement.dataset.connection = state;
  }

  open() {
    const address = new URL(this.address, location.href);
    // The browser sends Last-Event-ID when it reconnects by itself; a new EventSource cannot.
    if (this.lastId) address.searchParams.set("after", this.lastId);
    this.source = new EventSource(address);
    this.source.onopen = () => this.connected();
    this.source.onerror = () => this.lost();
    this.source.onmessage = (event) => this.heard(event);
    for (const name of this.names) {
      this.source.addEventListener(name, (event) => this.heard(event));
    }
    this.source.addEventListener("heartbeat", () => this.beat());
    // The server no longer knows our last event: what is shown may be anything, so ask for all.
    this.source.addEventListener("reset", (event) => {
      this.lastId = event.lastEventId;
      refresh(null, undefined);
    });
  }

  connected() {
    this.show("connected");
    // Without a place to go on from, what happened in between may be missing.
    if (this.wasLost && !this.hasPlace()) refresh(null, undefined);
    this.wasLost = false;
  }

  hasPlace() {
    return this.lastId !== "" || new URL(this.source.url).searchParams.get("after");
  }

  heard(event) {
    this.beat();
    this.lastId = event.lastEventId || this.lastId;
    const name = event.type === "message" ? dataOf(event).event : event.type;
    refresh(name ?? null, dataOf(event).version);
  }

  // A connection can die without a word; only a heartbeat that stays away tells.
  beat() {
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => this.lost(), QUIET_SECONDS * 1000);
  }

  lost() {
    this.show("lost");
    this.wasLost = true;
    clearTimeout(this.quiet);
    clearTimeout(this.retry);
    this.source.close();
    this.retry = setTimeout(() => this.open(), RETRY_SECONDS * 1000);
  }
}

const asked = document.querySelector("[data-behaviour='live']");
if (asked) {
  const stream = new Stream(asked.dataset);
  window.addEventListener("offline", () => stream.lost());
}
