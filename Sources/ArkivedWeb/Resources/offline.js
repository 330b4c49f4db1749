// Shows what the service worker stores while the server is away. Loaded after app.js.
"use strict";

const away = {
  // The time the shown page was stored; undefined if it came from the server.
  since: document.documentElement.dataset.away,
  timer: 0,
  tries: 0,
  isFar: location.protocol === "https:",
};
const awayName = away.isFar ? word("Can’t reach your computer") : word("Arkived isn’t running");

function strip(id, tone, sentence) {
  const made = element("div", `notice notice-${tone}`);
  made.id = id;
  made.setAttribute("role", "status");
  made.setAttribute("data-keep", "");
  const body = element("div", "notice-body");
  body.append(element("p", "", sentence));
  made.append(body);
  const head = page.querySelector(":scope > h1, :scope > header");
  if (head) head.after(made);
  else page.prepend(made);
  return body;
}

function ask(message) {
  navigator.serviceWorker.controller?.postMessage(message);
}

// Looks for the server, less and less often but always within two seconds of its return, while something
// waits and the page is visible.
async function seek() {
  clearTimeout(away.timer);
  if (!away.tries || document.hidden) return;
  const from = Date.now();
  try {
    await fetch("/service-worker.js", {
      method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(1200),
    });
    ask({ kind: "send" });
  } catch { /* still away */ }
  // A server that responds but accepts nothing, such as phone access that no longer admits this browser, is
  // asked less often.
  const pause = Math.min(250 * 1.5 ** away.tries, away.isShutOut ? 30000 : 1500);
  away.tries += 1;
  clearTimeout(away.timer);
  away.timer = setTimeout(seek, Math.max(100, pause - (Date.now() - from)));
}

function seekNow() {
  if (away.tries) away.tries = 1;
  seek();
}

function waitingText(count) {
  if (away.isShutOut) {
    return count === 1
      ? word("1 line hasn’t been sent yet, because this browser is signed out. Sign in or pair it again.")
      : word("{1} lines haven’t been sent yet, because this browser is signed out. Sign in or pair it again.", count);
  }
  if (away.isFar) {
    return count === 1
      ? word("1 line will be sent once your computer can be reached again.")
      : word("{1} lines will be sent once your computer can be reached again.", count);
  }
  return count === 1
    ? word("1 line will be sent once Arkived is running again.")
    : word("{1} lines will be sent once Arkived is running again.", count);
}

// The time at which the stored days were last brought up to date.
function keptText(kept) {
  const at = Date.parse(kept);
  return Number.isNaN(at) ? "" : word("The last 90 days are kept on this device, as of {1}.", new Date(at).toLocaleString(readersLocale));
}

function showCaughtUp(caughtUp) {
  for (const place of document.querySelectorAll("[data-kept-days]")) {
    place.textContent = keptText(caughtUp?.at);
    place.hidden = place.textContent === "";
  }
}

function showWaiting({ additions, sent, isShutOut, caughtUp }) {
  showCaughtUp(caughtUp);
  byId("unsent")?.remove();
  away.isShutOut = isShutOut;
  if (sent > 0) {
    byId("waiting-sent")?.remove();
    strip("waiting-sent", "success", sent === 1 ? word("The unsent line has been saved.") : word("{1} unsent lines have been saved.", sent));
    // The stored page doesn't show them.
    if (away.since !== undefined) location.replace(location.pathname);
  }
  const isOpen = additions.some(({ problem }) => !problem);
  if (!isOpen) {
    away.tries = 0;
    clearTimeout(away.timer);
  }
  if (additions.length === 0) return;
  // A queued line is no longer a draft; text typed since then is.
  for (const { day, line } of additions) {
    for (const { key, values } of drafts.all("line", day)) {
      if (values.line !== line) continue;
      storage.remove(key);
      document.querySelector(`.draft-offer[data-key="${key}"]`)?.remove();
    }
  }
  const count = additions.length;
  const body = strip("unsent", "info", waitingText(count));
  const list = element("ul", "waiting-list");
  for (const { line, problem, key } of additions) {
    const item = element("li", "");
    const words = element("span", "", line);
    words.dir = "auto";
    item.append(words);
    if (problem) {
      const drop = element("button", "button button-small button-plain", word("Discard"));
      drop.type = "button";
      drop.addEventListener("click", () => ask({ kind: "drop", key }));
      item.append(" ", element("span", "field-error", problem), " ", drop);
    }
    list.append(item);
  }
  body.append(list);
  if (isOpen && !away.tries) {
    // Storage must not be evicted when the browser runs out of space.
    if (away.isFar) navigator.storage?.persist?.();
    away.tries = 1;
    away.timer = setTimeout(seek, 250);
  }
}

// Shows that the page comes from storage, and how old it is.
async function showAway() {
  const list = away.isFar
    ? await caches.match("/day/kept", { cacheName: "arkived-days" }).catch(() => undefined) : undefined;
  const read = Date.parse(away.since);
  // The stored page of today may be of yesterday by now.
  const now = new Date();
  const today = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, "0")).join("-");
  const isPast = location.pathname === "/" && page.dataset.day !== today;
  away.isPast = isPast;
  if (isPast) page.querySelector(".day-title .badge")?.remove();
  if (away.isReached) return;
  const name = page.querySelector(".day-name")?.textContent;
  const parts = [`${awayName}.`];
  if (!Number.isNaN(read)) parts.push(word("This is how the page looked on {1}. ", new Date(read).toLocaleString(readersLocale)).trim());
  if (page.dataset.page === "day") {
    parts.push(isPast ? word("What you add here goes to {1}. It’s kept here and sent once Arkived can be reached again.", name)
      : word("What you add is kept here and sent once Arkived can be reached again."));
  }
  parts.push(keptText(list?.headers.get("X-Kept-At")));
  strip("away", "warning", parts.filter(Boolean).join(" "));
}

// The events of a stored page report what has changed since, so it is up to date from then on.
function reachedAgain() {
  if (away.since === undefined || away.isReached) return;
  away.isReached = true;
  byId("away")?.remove();
  if (away.isPast) {
    const name = page.querySelector(".day-name")?.textContent;
    tell(word("A new day has started. What you add here still goes to {1}", name), leadTo("/", word("Go to today")));
  }
  readSoon(0);
}

// A page that was loaded before the service worker existed is loaded once more.
function beginKeeping(isFirst = false) {
  const own = [...document.querySelectorAll("link[rel=stylesheet], script[src]")]
    .map((part) => part.getAttribute("href") ?? part.getAttribute("src"));
  ask({ kind: "shell", addresses: own });
  if (isFirst && page?.dataset.page === "day" && away.since === undefined) {
    ask({ kind: "day", addresses: [location.pathname] });
  }
  ask({ kind: "send" });
  ask({ kind: "state" });
  if (!away.isFar) return;
  // Storage must not be evicted when the browser runs out of space.
  navigator.storage?.persist?.();
  navigator.serviceWorker.ready
    .then(({ periodicSync }) => periodicSync?.register("arkived-catch-up", { minInterval: 43_200_000 }))
    .catch(() => {});
}

if ("serviceWorker" in navigator && page) {
  const version = new URLSearchParams(
    (document.querySelector("script[src*='?v=']")?.getAttribute("src") ?? "").split("?")[1]).get("v");
  navigator.serviceWorker.addEventListener("message", (event) => {
    if (event.data?.kind === "waiting") showWaiting(event.data);
  });
  if (away.since === undefined) {
    // Browsers that forbid it store no pages; everything else works. Its texts depend on the language.
    navigator.serviceWorker.register(`/service-worker.js?v=${version}${document.documentElement.lang}`)
      .catch(() => {});
  } else {
    showAway();
  }
  if (navigator.serviceWorker.controller) {
    // The page has priority.
    (window.requestIdleCallback ?? setTimeout)(() => beginKeeping());
  } else {
    navigator.serviceWorker.addEventListener(
      "controllerchange", () => beginKeeping(true), { once: true });
  }
  window.addEventListener("online", () => { ask({ kind: "send" }); seekNow(); });
  window.addEventListener("pageshow", seekNow);
  document.addEventListener("visibilitychange", seekNow);
}
