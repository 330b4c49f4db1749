// Keeps the app readable while its server is away: its shell, the days that were read last, and additions,
// which are sent once when the server is back. A phone stores the last 90 days, whether read or not, and the
// pages it opened last. Nothing leaves this browser.
"use strict";

const version = new URL(self.location.href).searchParams.get("v") ?? "0";
const shellName = `arkived-shell-${version}`;
const daysName = "arkived-days";
const pagesName = "arkived-pages";
// The server's list of the days that a phone stores, with the time of the last update.
const keptList = "/day/kept";
// The same list while its days are being read.
const wantedList = "/day/wanted";
const offlinePage = "/assets/offline.html";
// Over the home network, a sleeping computer is silent, while a stopped program refuses immediately.
const isFar = self.location.protocol === "https:";
const patience = 4000;
// In addition to the last 90 days on a phone.
const keptDays = isFar ? 30 : 14;
const keptPages = 60;
// Long pages take about 400 kB per day; a usual year of days takes a tenth of that.
const roomForDays = 36_000_000;

// Returns the response, or a failure if there is none for a while.
function soon(asked) {
  if (!isFar) return asked;
  return Promise.race([
    asked, new Promise((_, reject) => { setTimeout(() => reject(new Error("silence")), patience); }),
  ]);
}

// MARK: Waiting lines

function waitingStore(mode) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("arkived-waiting", 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore("additions", { keyPath: "key" });
    };
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const transaction = opening.result.transaction("additions", mode);
      resolve({ store: transaction.objectStore("additions"), transaction });
      transaction.addEventListener("complete", () => opening.result.close());
    };
  });
}

async function waiting() {
  const { store } = await waitingStore("readonly");
  return new Promise((resolve, reject) => {
    const asking = store.getAll();
    asking.onsuccess = () => resolve(asking.result.sort((one, other) => one.at - other.at));
    asking.onerror = () => reject(asking.error);
  });
}

async function change(work) {
  const { store, transaction } = await waitingStore("readwrite");
  work(store);
  return new Promise((resolve, reject) => {
    transaction.addEventListener("complete", resolve);
    transaction.addEventListener("abort", () => reject(transaction.error));
  });
}

async function tellPages(message) {
  for (const client of await self.clients.matchAll({ type: "window" })) client.postMessage(message);
}

async function state() {
  return {
    kind: "waiting", additions: await waiting().catch(() => []), isShutOut,
    caughtUp: isFar ? await lastCatchUp().catch(() => undefined) : undefined,
  };
}

// Statuses about the line itself. All other refusals may be temporary: nobody is signed in, phone access is
// just being switched on or off, another program is at this address.
const lastingStatuses = new Set([400, 413, 422]);
// True if the server last reported that nobody is signed in here; waiting lines are then kept.
let isShutOut = false;

// Arkived repeats this header in its answers, also instead of a redirect, whose headers are hidden here.
const ownMark = "Arkived-Waiting";
const isOwn = (answer) => answer.headers.get(ownMark) === "1";

// Another program may listen at this address by now. It must not get any lines.
async function isOwnServer() {
  const answer = await fetch("/service-worker.js", {
    method: "HEAD", cache: "no-store", headers: { [ownMark]: "1" }, signal: AbortSignal.timeout(2 * patience),
  });
  return isOwn(answer);
}

// Lines are sent one after the other, in the order they were written, each with the key from its first
// attempt: the server creates one entry, however often it is sent.
async function sendWaiting() {
  let sent = 0;
  const open = (await waiting()).filter(({ problem }) => !problem);
  const isAnswered = open.length > 0 && await isOwnServer().catch(() => false);
  for (const addition of isAnswered ? open : []) {
    let answer;
    try {
      answer = await fetch(addition.url, {
        method: "POST", body: addition.body, redirect: "manual", credentials: "same-origin",
        headers: { "Content-Type": "application/x-www-form-urlencoded", [ownMark]: "1" },
        signal: AbortSignal.timeout(2 * patience),
      });
    } catch {
      break;
    }
    if (!isOwn(answer)) break;
    isShutOut = answer.status === 401;
    if (answer.ok) {
      await change((store) => store.delete(addition.key));
      sent += 1;
    } else if (lastingStatuses.has(answer.status)) {
      // Without space for the mark, it is refused again the next time, but keeps no other line from being sent.
      await change((store) => store.put({ ...addition, problem: "Arkived couldn’t read this line." })).catch(() => {});
    } else if (answer.status !== 500) {
      // A line on which the server fails doesn't prevent the others from being sent.
      break;
    }
  }
  await tellPages({ ...await state(), sent });
}

let sending = null;
function sendSoon() {
  sending ??= navigator.locks.request("arkived-sending", sendWaiting)
    .catch(() => {}).finally(() => { sending = null; });
  return sending;
}

// MARK: Pages

function freshKey() { return crypto.randomUUID(); }

// A page shown again would repeat the key of an entry that it may already have added.
async function shownAgain(kept) {
  const html = (await kept.text())
    .replace(/(name="idempotencyKey" value=")[^"]*"/g, (_, start) => `${start}${freshKey()}"`)
    .replace("<html ", `<html data-away="${kept.headers.get("X-Kept-At") ?? ""}" `);
  return new Response(html, { status: 200, headers: kept.headers });
}

async function forget() {
  await caches.delete(daysName);
  await caches.delete(pagesName);
}

const dayOf = (path) => path.match(/^\/day\/(\d{4}-\d{2}-\d{2})$/)?.[1];
const apart = /^\/(settings|login|logout|pair|design|assets|api|import|export|pending|capture)(\/|$)/;

function stamped(answer, mark) {
  const headers = new Headers(answer.headers);
  headers.set("X-Kept-At", new Date().toISOString());
  if (mark !== undefined) headers.set("X-Kept-Mark", mark);
  return headers;
}

// Newest last: a page that is stored again moves to the end.
async function putLast(cache, path, html, headers) {
  await cache.delete(path);
  await cache.put(path, new Response(html, { status: 200, headers }));
}

async function keepPage({ pathname, search }, answer) {
  const isPage = isFar && answer.ok && !answer.redirected && !apart.test(pathname)
    && (answer.headers.get("Content-Type") ?? "").startsWith("text/html");
  // Content that isn't stored isn't kept in memory.
  if (!isPage) return void answer.body?.cancel();
  const cache = await caches.open(pagesName);
  await putLast(cache, pathname + search, await answer.text(), stamped(answer));
  const keys = await cache.keys();
  for (const old of keys.slice(0, Math.max(0, keys.length - keptPages))) await cache.delete(old);
  return undefined;
}

// Days that were read are stored up to a limit; on a phone, those of the last 90 days don't count.
async function trimDays(cache) {
  const listed = new Set();
  for (const path of isFar ? [keptList, wantedList] : []) {
    const list = await cache.match(path);
    for (const { day } of list ? (await list.json()).days : []) listed.add(`/day/${day}`);
  }
  const keys = (await cache.keys()).filter(({ url }) => {
    const { pathname } = new URL(url);
    return !isFar || (dayOf(pathname) !== undefined && !listed.has(pathname));
  });
  for (const old of keys.slice(0, Math.max(0, keys.length - keptDays))) await cache.delete(old);
}

async function keep(request, answer) {
  const url = new URL(request.url);
  if (answer.status === 401) return forget();
  const isDay = url.pathname === "/" || dayOf(url.pathname) !== undefined;
  if (!isDay) return keepPage(url, answer);
  if (!answer.ok || answer.redirected) return void answer.body?.cancel();
  const cache = await caches.open(daysName);
  const headers = stamped(answer);
  const html = await answer.text();
  const day = html.match(/data-day="(\d{4}-\d{2}-\d{2})"/)?.[1];
  // Today is requested by its own address and by its day.
  for (const path of new Set([day ? `/day/${day}` : url.pathname, url.pathname])) {
    await putLast(cache, path, html, headers);
  }
  return trimDays(cache);
}

// MARK: The last 90 days

async function lastCatchUp() {
  const list = await caches.match(keptList, { cacheName: daysName });
  if (!list) return undefined;
  return { at: list.headers.get("X-Kept-At"), days: (await list.json()).days.length };
}

// After something was deleted permanently, no stored page that isn't read again may show it. True if that
// happened since the last list, whose days may not all have been read.
async function forgetPurged(cache, { days, purge }) {
  const before = await cache.match(keptList) ?? await cache.match(wantedList);
  if (!before || ((await before.json()).purge ?? null) === (purge ?? null)) return false;
  await caches.delete(pagesName);
  const listed = new Set(days.map(({ day }) => `/day/${day}`));
  for (const key of await cache.keys()) {
    const { pathname } = new URL(key.url);
    if (![keptList, wantedList].includes(pathname) && !listed.has(pathname)) await cache.delete(key);
  }
  return true;
}

// Nobody waits for pages that are loaded in advance, so they may take longer.
const unhurried = () => AbortSignal.timeout(5 * patience);

// Reads the days that have changed since they were stored, the latest first; if interrupted, it continues
// there the next time. True once all of them are stored, undefined if nobody is signed in here.
async function catchUp() {
  const answer = await fetch(keptList, { headers: { Accept: "application/json" }, signal: unhurried() });
  if (answer.status === 401) return forget();
  if (!answer.ok) return false;
  const text = await answer.text();
  const cache = await caches.open(daysName);
  const list = JSON.parse(text);
  const isPurged = await forgetPurged(cache, list);
  // A page that is opened in the meantime must not remove them.
  await putLast(cache, wantedList, text, stamped(answer));
  let room = roomForDays;
  for (const { day, mark } of list.days) {
    const path = `/day/${day}`;
    const known = `${version} ${mark}`;
    const kept = await cache.match(path);
    const isCurrent = kept?.headers.get("X-Kept-Mark") === known;
    if (room < 0) {
      if (isPurged && !isCurrent) await cache.delete(path);
      continue;
    }
    let html = isCurrent ? await kept.text() : undefined;
    if (html === undefined) {
      const page = await fetch(path, { headers: { Accept: "text/html" }, signal: unhurried() });
      if (page.status === 401) return forget();
      if (!page.ok) return false;
      html = await page.text();
      await putLast(cache, path, html, stamped(page, known));
    }
    room -= html.length;
  }
  await putLast(cache, keptList, text, stamped(answer));
  await cache.delete(wantedList);
  await trimDays(cache);
  await tellPages(await state());
  return true;
}

// A computer that is just waking up responds a little later.
async function catchUpPatiently() {
  for (const seconds of [0, 5, 15]) {
    await new Promise((resolve) => { setTimeout(resolve, 1000 * seconds); });
    const isDone = await catchUp().catch(() => false);
    if (isDone !== false) return isDone;
  }
  return false;
}

// The time when all days were last stored, and when they were last requested.
let caughtAt = 0;
let triedAt = 0;
let catching = null;
function catchUpSoon() {
  const now = Date.now();
  if (!isFar || self.navigator.connection?.saveData || now - caughtAt < 60_000 || now - triedAt < 5_000) return catching;
  triedAt = now;
  catching ??= navigator.locks.request("arkived-catching-up", catchUpPatiently)
    .then((isDone) => { if (isDone) caughtAt = Date.now(); })
    .catch(() => {}).finally(() => { catching = null; });
  return catching;
}

// The page of today has two addresses, and only the one of its day is kept up to date in the background.
async function keptDay(pathname) {
  const from = { cacheName: daysName };
  const kept = await caches.match(pathname, from);
  if (pathname !== "/") return kept;
  const now = new Date();
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0"));
  const own = await caches.match(`/day/${now.getFullYear()}-${month}-${day}`, from);
  const at = (page) => page?.headers.get("X-Kept-At") ?? "";
  return at(own) > at(kept) ? own : kept;
}

// Work that can wait until the page is on the screen.
const afterPaint = () => new Promise((resolve) => { setTimeout(resolve, 400); });

async function page(event) {
  const asked = (async () => (await event.preloadResponse) ?? fetch(event.request))();
  try {
    const answer = await soon(asked);
    const copy = answer.clone();
    event.waitUntil(afterPaint().then(() => keep(event.request, copy)).catch(() => {}));
    event.waitUntil(afterPaint().then(sendSoon).then(catchUpSoon));
    return answer;
  } catch {
    const { pathname, search } = new URL(event.request.url);
    const kept = await keptDay(pathname)
      ?? await caches.match(pathname + search, { cacheName: pagesName });
    // A slow server may still say that nobody is signed in here.
    event.waitUntil(asked.then((late) => (late.status === 401 ? forget() : undefined)).catch(() => {}));
    if (kept) return shownAgain(kept);
    const page = await caches.match(offlinePage, { ignoreSearch: true });
    return soon(asked).catch(() => page ?? Response.error());
  }
}

function notKept() {
  return new Response(
    "<!DOCTYPE html><html lang=\"en\"><title>Not saved</title><h1>Not saved</h1><p>Arkived isn’t running, and this browser has no space left to store your line. Go back: it’s still in the field.</p></html>",
    { status: 507, headers: { "Content-Type": "text/html; charset=utf-8" } });
}

// The quick-add row sends either an entry or a line of the day's note.
const additions = /^\/day\/[^/]+\/(activities|note\/line)$/;

async function addition(event) {
  const kept = event.request.clone();
  try {
    // If the request arrives after all, it is the same entry, because its key stays the same.
    return await soon(fetch(event.request));
  } catch {
    const fields = new URLSearchParams(await kept.text());
    // "yesterday" is relative to now, whenever it is sent.
    fields.set("writtenAt", new Date().toISOString());
    const { pathname } = new URL(kept.url);
    try {
      // Two lines are two entries, even if a page gave both the same key; so are an entry and a line of the
      // note.
      const twin = (await waiting()).find(({ key }) => key === fields.get("idempotencyKey"));
      if (twin && (twin.line !== fields.get("line") || twin.url !== pathname)) {
        fields.set("idempotencyKey", freshKey());
      }
      await change((store) => store.put({
        key: fields.get("idempotencyKey") ?? freshKey(), url: pathname, body: fields.toString(),
        line: fields.get("line") ?? "", day: pathname.split("/")[2], at: Date.now(),
      }));
      // Some browsers can send it in the background, even after the page was closed.
      self.registration.sync?.register("arkived-send").catch(() => {});
    } catch {
      return notKept();
    }
    return Response.redirect(`/day/${pathname.split("/")[2]}#unsent`, 303);
  }
}

async function asset(request) {
  const kept = await caches.match(request).catch(() => undefined);
  if (kept) return kept;
  let answer;
  try {
    answer = await fetch(request);
  } catch (problem) {
    const older = await caches.match(request, { ignoreSearch: true });
    if (older) return older;
    throw problem;
  }
  if (answer.ok && new URL(request.url).search.startsWith("?v=")) {
    const copy = answer.clone();
    // A browser without space for it requests it every time.
    await caches.open(shellName).then((cache) => cache.put(request, copy)).catch(() => {});
  }
  return answer;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    if (request.method === "GET") event.respondWith(page(event));
    else if (additions.test(url.pathname)) event.respondWith(addition(event));
    else if (url.pathname === "/logout") event.waitUntil(forget());
  } else if (request.method === "GET" && url.pathname.startsWith("/assets/")) {
    event.respondWith(asset(request));
  }
});

async function keepShell(addresses) {
  const cache = await caches.open(shellName);
  const known = new Set((await cache.keys()).map(({ url }) => url));
  const missing = addresses.filter((one) => !known.has(new URL(one, self.location.href).href));
  if (missing.length > 0) await cache.addAll(missing);
}

// MARK: Life cycle

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(shellName);
    await cache.addAll([offlinePage, "/assets/sprite.svg", "/assets/icon.svg"]);
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("arkived-shell-") && name !== shellName) await caches.delete(name);
    }
    // The page is requested while this script is starting, not afterwards.
    await self.registration.navigationPreload?.enable();
    await self.clients.claim();
  })());
});

self.addEventListener("message", (event) => {
  const { kind, addresses, key } = event.data ?? {};
  if (kind === "shell") {
    event.waitUntil(keepShell(addresses).catch(() => {}));
  } else if (kind === "day") {
    // The page that was open before the service worker existed.
    event.waitUntil(fetch(addresses[0], { headers: { Accept: "text/html" } })
      .then((answer) => keep({ url: new URL(addresses[0], self.location.href).href }, answer))
      .catch(() => {}));
  } else if (kind === "send") {
    event.waitUntil(sendSoon().then(catchUpSoon));
  } else if (kind === "drop") {
    event.waitUntil(change((store) => store.delete(key)).then(async () => tellPages(await state())));
  } else if (kind === "state") {
    event.waitUntil(state().then((now) => event.source?.postMessage(now)));
  }
});

// Browsers offer installed apps to run when the network is back, and twice a day.
self.addEventListener("sync", (event) => event.waitUntil(sendSoon().then(catchUpSoon)));
self.addEventListener("periodicsync", (event) => event.waitUntil(sendSoon().then(catchUpSoon)));
