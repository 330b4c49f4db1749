// Goes from a day to another day and from a part of the calendar to another without loading all of a
// page again, which takes a browser longer than the answer does. It comes last and uses what the
// others define. Where something is in hand, or does not fit, the browser goes as it always does.
"use strict";

const visiting = { shown: location.pathname + location.search, number: 0 };

const isKin = (url) => url.origin === location.origin && url.hash === ""
  && (isDay ? /^\/(day\/[^/]+)?$/.test(url.pathname) : url.pathname === "/calendar");

// Nothing that was typed, is being said or sent, or is in the hand is left behind.
function isFree() {
  return away.since === undefined && !reading.isHeld && !byId("upload") && !NoteEditor.current
    && !recorder.machine && (byId("line")?.value ?? "") === "" && !page.querySelector(".draft-offer");
}

async function visit(address, isNew) {
  const url = new URL(address, location.href);
  const go = () => (isNew ? location.assign(url.href) : location.reload());
  if (!isFree()) return go();
  const number = ++visiting.number;
  const known = line.last;
  let other;
  try {
    const answer = await fetch(url.href, {
      credentials: "same-origin", headers: { Accept: "text/html" }, cache: "no-store",
      signal: AbortSignal.timeout(away.isFar ? 3000 : 60000),
    });
    if (!answer.ok || answer.redirected) return go();
    other = new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    return go();
  }
  // The last of several keys decides.
  if (number !== visiting.number) return;
  const fresh = other.getElementById("main");
  const script = (from) => from.querySelector("script[src]")?.getAttribute("src");
  const fits = fresh?.dataset.page === livePage.kind && script(other) === script(document);
  if (!fits || !isFree()) return go();
  if (isNew) history.pushState(null, "", url.href);
  show(other.title, fresh, isNew);
  // What was changed while the page was on its way may be missing in it.
  if (line.last !== known) readSoon(0);
}

function show(title, fresh, isNew) {
  const focused = document.activeElement?.id;
  visiting.shown = location.pathname + location.search;
  clearTimeout(reading.timer);
  Object.assign(reading, { timer: 0, isWanted: false });
  toast.hide();
  document.title = title;
  takeAttributes(page, fresh);
  page.replaceChildren(...Array.from(fresh.childNodes, (node) => document.importNode(node, true)));
  for (const start of starts) start(page);
  if (isNew) scrollTo({ top: 0, behavior: "instant" });
  const place = focused && focused !== "main" ? byId(focused) : null;
  (place ?? page).focus({ preventScroll: true });
  say(title.replace(/ · Arkived$/, ""));
  setTimeout(keepShown, 1500, visiting.number);
}

// A day that is read for a while stays readable without the server.
function keepShown(number) {
  if (isDay && number === visiting.number) ask({ kind: "day", addresses: [location.pathname] });
}

if (isDay || livePage.kind === "calendar") {
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
