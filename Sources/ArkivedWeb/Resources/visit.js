// Moves from one day to another, and between parts of the calendar, without loading the whole page, which
// takes a browser longer than the response. It uses the other scripts and is loaded last. If something is
// being edited or doesn't fit, the browser navigates normally.
"use strict";

const visiting = { shown: location.pathname + location.search, number: 0 };

// The days next to the open one, loaded in advance: address → promise of the page.
const ahead = new Map();

const isKin = (url) => url.origin === location.origin && url.hash === ""
  && (isDay ? /^\/(day\/[^/]+)?$/.test(url.pathname) : url.pathname === "/calendar");

// Returns true if nothing that was typed, recorded, is being sent or dragged would be left behind.
function isFree() {
  return away.since === undefined && !reading.isHeld && !page.querySelector(".upload") && !NoteEditor.current
    && !recorder.machine && !recorder.isStarting && (byId("line")?.value ?? "") === ""
    && !page.querySelector(".draft-offer");
}

async function visit(address, isNew) {
  const url = new URL(address, location.href);
  const go = () => (isNew ? location.assign(url.href) : location.reload());
  if (!isFree()) return go();
  const number = ++visiting.number;
  let found = await takeAhead(url.href);
  if (!found?.fresh) found = await readPage(url.href);
  const { known, minute, title, fresh } = found;
  // The last of several keys wins.
  if (number !== visiting.number) return;
  if (!fresh || !isFree()) return go();
  if (isNew) history.pushState(null, "", url.href);
  show(title, fresh, isNew);
  // The page may lack changes made since it was loaded; days end at full minutes.
  if (line.last !== known || minute !== minuteNow()) readSoon(0);
}

const minuteNow = () => Math.floor(Date.now() / 60000);

// Returns the page at an address and the time it was read; without `fresh`, the browser has to navigate there
// itself. The page's content belongs to this document from here on, which takes a while for a long day.
async function readPage(address) {
  const found = { known: line.last, minute: minuteNow() };
  try {
    const answer = await fetch(address, {
      credentials: "same-origin", headers: { Accept: "text/html" }, cache: "no-store",
      signal: patience(),
    });
    if (!answer.ok || answer.redirected) return found;
    const other = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = other.getElementById("main");
    const script = (from) => from.querySelector("script[src]")?.getAttribute("src");
    if (fresh?.dataset.page !== livePage.kind || script(other) !== script(document)) return found;
    return { ...found, title: other.title, fresh: document.adoptNode(fresh) };
  } catch {
    return found;
  }
}

// Each is used once, and only while the events report changes.
function takeAhead(address) {
  const found = ahead.get(address);
  ahead.clear();
  return line.source?.readyState === EventSource.OPEN ? found : undefined;
}

function readAhead() {
  ahead.clear();
  if (!isDay || document.hidden || navigator.connection?.saveData) return;
  for (const id of ["previous-day", "next-day"]) {
    const address = byId(id)?.href;
    if (address) ahead.set(address, readPage(address));
  }
}

function show(title, fresh, isNew) {
  const focused = document.activeElement?.id;
  visiting.shown = location.pathname + location.search;
  clearTimeout(reading.timer);
  Object.assign(reading, { timer: 0, isWanted: false });
  toast.hide();
  document.title = title;
  takeAttributes(page, fresh);
  page.replaceChildren(...fresh.childNodes);
  for (const start of starts) start(page);
  if (isNew) scrollTo({ top: 0, behavior: "instant" });
  const place = focused && focused !== "main" ? byId(focused) : null;
  (place ?? page).focus({ preventScroll: true });
  say(title.replace(/ · Arkived$/, ""));
  setTimeout(readAhead, 100);
  setTimeout(keepShown, 1500, visiting.number);
}

// A day that is read for a while stays readable without the server.
function keepShown(number) {
  if (isDay && number === visiting.number) ask({ kind: "day", addresses: [location.pathname] });
}

// Scripts that only some pages need are loaded on demand: `data-needs="map"` loads map.js and map.css.
const brought = new Set();
whenShown((root) => {
  for (const place of root.querySelectorAll("[data-needs]")) {
    const name = place.dataset.needs;
    if (brought.has(name)) continue;
    brought.add(name);
    const version = document.querySelector("script[src]").getAttribute("src").split("?")[1];
    const style = `/assets/${name}.css?${version}`;
    if (!document.querySelector(`link[href="${style}"]`)) {
      const sheet = document.createElement("link");
      Object.assign(sheet, { rel: "stylesheet", href: style });
      document.head.append(sheet);
    }
    const script = document.createElement("script");
    script.src = `/assets/${name}.js?${version}`;
    document.head.append(script);
  }
});

if (isDay || livePage.kind === "calendar") {
  addEventListener("load", () => setTimeout(readAhead, 500));
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("#main a[href]");
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (link.target || link.hasAttribute("download")) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const url = new URL(link.href);
    if (!isKin(url)) return;
    event.preventDefault();
    visit(url.href, true);
  });
  window.addEventListener("popstate", () => {
    if (location.pathname + location.search !== visiting.shown) visit(location.href, false);
  });
}
