// Keeps an open page up to date with the archive: changes by any program appear automatically. It uses app.js
// and is loaded after it.
"use strict";

// MARK: Updating a part of the page

// Elements with data-keep belong to the reader: fields being edited, notices, elements added by scripts.
const isKept = (node) => node.nodeType === Node.ELEMENT_NODE && node.hasAttribute("data-keep");

// A date field of the page is in a frame that shows its date (dates.js).
const isFrameOf = (old, fresh) => fresh.nodeName === "INPUT" && old.nodeName === "SPAN"
  && old.classList.contains("date-shown") && old.firstElementChild.id === fresh.id;

function canBecome(old, fresh) {
  if (isFrameOf(old, fresh)) return true;
  return old.nodeName === fresh.nodeName && isKept(old) === isKept(fresh)
    && (old.id ?? "") === (fresh.id ?? "") && (!isKept(old) || old.className === fresh.className);
}

function takeAttributes(old, fresh) {
  let changed = false;
  for (const { name } of [...old.attributes]) {
    // The reader decides if a fold is open; the highlighting of new elements fades by itself.
    if (name === "open" || fresh.hasAttribute(name)) continue;
    old.removeAttribute(name);
    changed = true;
  }
  for (const { name, value } of fresh.attributes) {
    if (name === "open" || old.getAttribute(name) === value) continue;
    old.setAttribute(name, value);
    changed = changed || !name.startsWith("data-");
  }
  return changed;
}

// Makes `old` equal to `fresh` with as few changes as possible, which preserves focus, selection, scrolling
// and folds. Returns true if anything visible changed.
function become(old, fresh) {
  if (isFrameOf(old, fresh)) {
    const field = old.firstElementChild;
    const changed = become(field, fresh);
    if (changed) field.dispatchEvent(new Event("change"));
    return changed;
  }
  if (isKept(old) || old.isEqualNode(fresh)) return false;
  if (old.nodeType !== Node.ELEMENT_NODE) {
    const isSeen = old.data.trim() !== fresh.data.trim();
    old.data = fresh.data;
    return isSeen;
  }
  const changed = takeAttributes(old, fresh);
  return becomeWithin(old, fresh) || changed;
}

function becomeWithin(old, fresh) {
  const wanted = new Set(Array.from(fresh.children, (child) => child.id).filter(Boolean));
  const stays = (node) => isKept(node) || (node.id && wanted.has(node.id));
  const freshKept = new Set(Array.from(fresh.children).filter(isKept).map((node) => node.id));
  let changed = false;
  let place = old.firstChild;

  function drop() {
    const gone = place;
    place = place.nextSibling;
    if (gone.nodeType === Node.ELEMENT_NODE) changed = true;
    gone.remove();
  }

  for (const next of [...fresh.childNodes]) {
    while (place && isKept(place) && !freshKept.has(place.id)) place = place.nextSibling;
    while (place?.id && !stays(place)) drop();
    let twin = place && canBecome(place, next) ? place : null;
    if (!twin && next.nodeType === Node.ELEMENT_NODE && (next.id || isKept(next))) {
      twin = [...old.children].find((child) => canBecome(child, next)) ?? null;
    }
    if (!twin) {
      old.insertBefore(markedNew(document.importNode(next, true)), place);
      changed = changed || next.nodeType === Node.ELEMENT_NODE;
      continue;
    }
    // Unwanted elements in between are removed, so the ones that stay don't have to be moved.
    while (place && place !== twin && !stays(place)) drop();
    if (place === twin) place = place.nextSibling;
    else old.insertBefore(twin, place);
    changed = become(twin, next) || changed;
  }
  while (place) {
    if (isKept(place)) place = place.nextSibling;
    else drop();
  }
  return changed;
}

function markedNew(node) {
  if (node.nodeType === Node.ELEMENT_NODE && node.matches(".entry, .hit")) {
    node.classList.add("is-new");
  }
  return node;
}

// MARK: The page

const livePage = {
  kind: page?.dataset.page,
  get day() { return page?.dataset.day; },
  // Searching takes longer than reading a day.
  pause: ["search", "ask", "insights"].includes(page?.dataset.page) ? 1500 : 150,
};

function concerns(change) {
  if (!livePage.day) return true;
  return change.reachesFurther || change.days.includes(livePage.day);
}

let lastSpoken = 0;
function sayUpdated() {
  const status = byId("live-status");
  if (!status || Date.now() - lastSpoken < 5000) return;
  lastSpoken = Date.now();
  status.textContent = "";
  setTimeout(() => { status.textContent = word("Updated"); }, 100);
}

function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(space, "svg");
  drawing.setAttribute("class", "icon");
  drawing.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", `/assets/sprite.svg#${name}`);
  drawing.append(use);
  return drawing;
}

// A strip above the page's content; text being edited isn't changed.
function tell(sentence, ...more) {
  byId("live-notice")?.remove();
  const notice = element("div", "notice notice-info");
  notice.id = "live-notice";
  notice.setAttribute("role", "status");
  notice.setAttribute("data-keep", "");
  const body = element("div", "notice-body");
  body.append(element("p", "", sentence));
  notice.append(icon("info"), body, ...more);
  const head = page.querySelector(":scope > h1, :scope > header");
  if (head) head.after(notice);
  else page.prepend(notice);
  return body;
}

function leadTo(address, words) {
  const link = element("a", "button button-plain", words);
  link.href = address;
  return link;
}

// This page without the part that it shows: a link to a part doesn't load the page again.
const thisPage = () => location.pathname + location.search;

// MARK: Editors

const editedNow = {
  "note-edit": word("This day’s note"), "activity-edit": word("This entry"), "goal-edit": word("This goal"),
  "value-edit": word("This value"), "term-edit": word("This term"), "meeting-edit": word("This meeting"),
  "person-edit": word("This person"), "free-note-edit": word("This note"),
}[livePage.kind];

function compareEditor(fresh) {
  const own = page.querySelector("form input[name=version]")?.value;
  const other = fresh.querySelector("form input[name=version]")?.value;
  if (own === undefined || other === undefined) return;
  if (own === other) {
    byId("live-notice")?.remove();
    return;
  }
  if (byId("live-notice")?.dataset.version === other) return;
  if (!["note-edit", "activity-edit", "free-note-edit"].includes(livePage.kind)) {
    tell(word("{1} was changed elsewhere", editedNow), leadTo(thisPage(), word("Reload")));
    byId("live-notice").dataset.version = other;
    return;
  }
  const field = fresh.querySelector("form textarea");
  const show = element("button", "button button-plain", word("Show"));
  show.type = "button";
  show.setAttribute("aria-expanded", "false");
  const body = tell(word("{1} was changed elsewhere", editedNow), show);
  byId("live-notice").dataset.version = other;
  const text = element("pre", "old-text", field.value.slice(0, 20000));
  text.dir = "auto";
  text.hidden = true;
  body.append(text);
  show.addEventListener("click", () => {
    text.hidden = !text.hidden;
    show.textContent = text.hidden ? word("Show") : word("Hide");
    show.setAttribute("aria-expanded", String(!text.hidden));
  });
}

// MARK: Reading the page again

function firstInSight() {
  if (window.scrollY === 0) return null;
  const candidates = page.querySelectorAll(":scope > *, .entry, .hit, .prose > *");
  for (const candidate of candidates) {
    const { top, height } = candidate.getBoundingClientRect();
    if (top >= 0 && height > 0) return { candidate, top };
  }
  return null;
}

function swap(fresh) {
  const focused = document.activeElement;
  const anchor = firstInSight();
  const hadNudges = Boolean(byId("nudges"));
  if (!become(page, fresh)) return;
  // A reminder that arrives later covers the page's edge instead of moving what is being pressed.
  if (!hadNudges && byId("nudges")) document.body.classList.add("has-late-nudges");
  if (focused && focused !== document.body && !focused.isConnected) {
    (byId(focused.id) ?? page).focus({ preventScroll: true });
  }
  if (anchor?.candidate.isConnected) {
    const moved = anchor.candidate.getBoundingClientRect().top - anchor.top;
    if (Math.abs(moved) >= 1) window.scrollBy({ top: moved, behavior: "instant" });
  }
  sayUpdated();
}

// While isHeld, the reader is dragging a part of the page.
const reading = { isWanted: false, isBusy: false, timer: 0, isLeaving: false, isHeld: false };

function readSoon(pause = livePage.pause) {
  reading.isWanted = true;
  if (reading.timer || reading.isBusy) return;
  reading.timer = setTimeout(readNow, pause);
}

async function readNow() {
  reading.timer = 0;
  if (reading.isLeaving) return;
  if (reading.isHeld) return readSoon(400);
  reading.isWanted = false;
  reading.isBusy = true;
  let pause = livePage.pause * 2;
  try {
    const address = page.dataset.refresh ?? location.pathname + location.search;
    const answer = await fetch(address, {
      credentials: "same-origin", headers: { Accept: "text/html" }, cache: "no-store",
    });
    const text = await answer.text();
    // A search typed in the meantime has newer results.
    const isOld = address !== (page.dataset.refresh ?? location.pathname + location.search);
    if (isOld) {
      reading.isWanted = true;
    } else if (reading.isHeld) {
      reading.isWanted = true;
    } else if (answer.ok && !reading.isLeaving) {
      take(new DOMParser().parseFromString(text, "text/html"));
    } else if (answer.status === 401) {
      tellSignedOut();
    } else if (answer.status === 404 && editedNow) {
      tell(word("{1} was deleted elsewhere", editedNow));
    }
  } catch {
    // The server is away; when it is back, the events report what was missed.
    pause = 5000;
  }
  reading.isBusy = false;
  if (reading.isWanted) readSoon(pause);
}

function take(other) {
  const fresh = other.getElementById("main");
  if (!fresh || fresh.dataset.page !== livePage.kind) return;
  const script = (from) => from.querySelector("script[src]")?.getAttribute("src");
  if (script(other) !== script(document)) {
    tell(word("Arkived was updated"), leadTo(thisPage(), word("Reload")));
  } else if (editedNow) {
    compareEditor(fresh);
  } else {
    swap(fresh);
  }
}

// MARK: Events

const line = { source: null, last: page?.dataset.change, timer: 0, wait: 2000, isShutOut: false };

// The page stays readable, but must not look as if it were up to date.
function tellSignedOut() {
  if (line.isShutOut) return;
  line.isShutOut = true;
  tell(
    word("This browser is signed out, so this page may be out of date. Sign in or pair it again."),
    leadTo(thisPage(), word("Reload")));
}

function signedInAgain() {
  if (!line.isShutOut) return;
  line.isShutOut = false;
  byId("live-notice")?.remove();
  readSoon();
}

function hangUp() {
  clearTimeout(line.timer);
  line.source?.close();
  line.source = null;
}

// Browsers allow few connections to one server, so only visible pages listen; the others catch up when they
// become visible.
function listen() {
  if (line.source || document.hidden) return;
  clearTimeout(line.timer);
  const known = line.last === "none" ? "" : line.last;
  const source = new EventSource(`/events?after=${encodeURIComponent(known)}`);
  line.source = source;
  source.addEventListener("open", () => {
    line.wait = 2000;
    signedInAgain();
    reachedAgain();
  });
  source.addEventListener("change", (event) => {
    line.last = event.lastEventId;
    if (concerns(JSON.parse(event.data))) readSoon();
  });
  source.addEventListener("missed", (event) => {
    line.last = event.lastEventId || "none";
    readSoon();
  });
  source.addEventListener("today", (event) => turnToday(JSON.parse(event.data).dayKey));
  source.addEventListener("nudge", () => { if (livePage.kind === "day") readSoon(); });
  source.addEventListener("error", () => {
    // The browser reconnects automatically, unless the server refused.
    if (source.readyState !== EventSource.CLOSED) return;
    hangUp();
    // Events don't say why they were refused; the page does.
    if (line.wait === 2000) readSoon();
    line.timer = setTimeout(listen, line.wait);
    line.wait = Math.min(line.wait * 2, 60000);
  });
}

function turnToday(today) {
  if (livePage.kind !== "day" || page.dataset.today === today) return;
  if (location.pathname !== "/") return readSoon();
  // Text written here still goes to the day that the page shows.
  page.querySelector(".day-title .badge")?.remove();
  const name = page.querySelector(".day-name")?.textContent;
  tell(word("A new day has started. What you add here still goes to {1}", name), leadTo("/", word("Go to today")));
}

if (page?.dataset.change !== undefined && "EventSource" in window) {
  document.addEventListener("visibilitychange", () => (document.hidden ? hangUp() : listen()));
  window.addEventListener("pagehide", hangUp);
  // Firefox reports an open connection when the next page begins to load. A beforeunload listener would keep
  // the page out of the back/forward cache.
  const leave = (event) => {
    if (event.defaultPrevented) return;
    hangUp();
    line.timer = setTimeout(listen, 3000);
  };
  window.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || link.target || link.hasAttribute("download")) return;
    if (new URL(link.href).pathname !== location.pathname) leave(event);
  });
  window.addEventListener("submit", (event) => { if (event.target.method !== "dialog") leave(event); });
  window.addEventListener("pageshow", () => {
    reading.isLeaving = false;
    listen();
  });
  // The page after a form shows the result.
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented || event.target.method === "dialog") return;
    reading.isLeaving = true;
    setTimeout(() => { reading.isLeaving = false; }, 15000);
  });
  listen();
}

// An address may name an entry in another part of a long day.
if (livePage.kind === "day" && /^#activity-[0-9A-F-]{36}$/i.test(location.hash)) {
  const id = location.hash.slice("#activity-".length);
  const isElsewhere = !byId(location.hash.slice(1)) && byId("part-line");
  const asked = new URLSearchParams(location.search).get("at");
  if (isElsewhere && asked !== id) {
    location.replace(`/day/${livePage.day}?at=${id}${location.hash}`);
  }
}
