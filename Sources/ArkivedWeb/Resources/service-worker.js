// Keeps the app readable while its server is away: its shell, the days that were read last, and what
// is added meanwhile, which is sent once when the server is back. Nothing leaves this browser.
"use strict";

const version = new URL(self.location.href).searchParams.get("v") ?? "0";
const shellName = `arkived-shell-${version}`;
const daysName = "arkived-days";
const keptDays = 14;
const offlinePage = "/assets/offline.html";
// Over the home network a computer that sleeps says nothing, where a stopped program refuses at once.
const isFar = self.location.protocol === "https:";
const patience = 4000;

// What is asked, or a failure where nobody answers for a while.
function soon(asked) {
  if (!isFar) return asked;
  return Promise.race([
    asked, new Promise((_, reject) => { setTimeout(() => reject(new Error("silence")), patience); }),
  ]);
}

// MARK: What waits to be sent

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
  return { kind: "waiting", additions: await waiting().catch(() => []), isShutOut };
}

// What is wrong with a line itself. All other refusals may end: nobody is signed in, a door that is
// just being opened or shut, another program at this address.
const lastingStatuses = new Set([400, 413, 422]);
// Whether the server said last that nobody is signed in here: then what waits is kept.
let isShutOut = false;

// One after the other, in the order in which they were written, each under the key it had from the
// first try: the server makes one entry of it however often it comes.
async function sendWaiting() {
  let sent = 0;
  for (const addition of await waiting()) {
    if (addition.problem) continue;
    let answer;
    try {
      answer = await fetch(addition.url, {
        method: "POST", body: addition.body, redirect: "manual", credentials: "same-origin",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        signal: AbortSignal.timeout(2 * patience),
      });
    } catch {
      break;
    }
    isShutOut = answer.status === 401;
    if (answer.type === "opaqueredirect" || answer.ok) {
      await change((store) => store.delete(addition.key));
      sent += 1;
    } else if (lastingStatuses.has(answer.status)) {
      await change((store) => store.put({ ...addition, problem: "Arkived couldn’t read this line." }));
    } else if (answer.status !== 500) {
      // One line that the server fails at keeps no other from being sent.
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

// A page shown again would repeat the key of an entry that it may have made already.
async function shownAgain(kept) {
  const html = (await kept.text())
    .replace(/(name="idempotencyKey" value=")[^"]*"/g, (_, start) => `${start}${freshKey()}"`)
    .replace("<html ", `<html data-away="${kept.headers.get("X-Kept-At") ?? ""}" `);
  return new Response(html, { status: 200, headers: kept.headers });
}

async function keep(request, answer) {
  const url = new URL(request.url);
  if (answer.status === 401) return caches.delete(daysName);
  const isDay = url.pathname === "/" || /^\/day\/\d{4}-\d{2}-\d{2}$/.test(url.pathname);
  // Nobody is to hold a film that nobody keeps.
  if (!isDay || !answer.ok || answer.redirected) return void answer.body?.cancel();
  const cache = await caches.open(daysName);
  const headers = new Headers(answer.headers);
  headers.set("X-Kept-At", new Date().toISOString());
  const html = await answer.text();
  const day = html.match(/data-day="(\d{4}-\d{2}-\d{2})"/)?.[1];
  // Today is asked for by its own address and by its day. Newest last: what is put again moves there.
  for (const path of new Set([day ? `/day/${day}` : url.pathname, url.pathname])) {
    await cache.delete(path);
    await cache.put(path, new Response(html, { status: 200, headers }));
  }
  const keys = await cache.keys();
  for (const old of keys.slice(0, Math.max(0, keys.length - keptDays))) await cache.delete(old);
  return undefined;
}

// What can wait until the page is on the screen.
const afterPaint = () => new Promise((resolve) => { setTimeout(resolve, 400); });

async function page(event) {
  const asked = (async () => (await event.preloadResponse) ?? fetch(event.request))();
  try {
    const answer = await soon(asked);
    const copy = answer.clone();
    event.waitUntil(afterPaint().then(() => keep(event.request, copy)).catch(() => {}));
    event.waitUntil(afterPaint().then(sendSoon));
    return answer;
  } catch {
    const kept = await caches.match(new URL(event.request.url).pathname, { cacheName: daysName });
    if (kept) return shownAgain(kept);
    const page = await caches.match(offlinePage, { ignoreSearch: true });
    return soon(asked).catch(() => page ?? Response.error());
  }
}

function notKept() {
  return new Response(
    "<!DOCTYPE html><html lang=\"en\"><title>Not kept</title><h1>Not kept</h1><p>Arkived isn’t running, and this browser has no room to keep your line. Go back: it’s still in its field.</p></html>",
    { status: 507, headers: { "Content-Type": "text/html; charset=utf-8" } });
}

// What the quick-add row sends: an entry, or a line of the day's note.
const additions = /^\/day\/[^/]+\/(activities|note\/line)$/;

async function addition(event) {
  const kept = event.request.clone();
  try {
    // What arrives after all is the same entry: its key stays the same.
    return await soon(fetch(event.request));
  } catch {
    const fields = new URLSearchParams(await kept.text());
    // "yesterday" is meant from here, whenever it is sent.
    fields.set("writtenAt", new Date().toISOString());
    const { pathname } = new URL(kept.url);
    try {
      // Two lines are two entries, though a page gave both one key; so are an entry and a line of the note.
      const twin = (await waiting()).find(({ key }) => key === fields.get("idempotencyKey"));
      if (twin && (twin.line !== fields.get("line") || twin.url !== pathname)) {
        fields.set("idempotencyKey", freshKey());
      }
      await change((store) => store.put({
        key: fields.get("idempotencyKey") ?? freshKey(), url: pathname, body: fields.toString(),
        line: fields.get("line") ?? "", day: pathname.split("/")[2], at: Date.now(),
      }));
    } catch {
      return notKept();
    }
    return Response.redirect(`/day/${pathname.split("/")[2]}#unsent`, 303);
  }
}

async function asset(request) {
  const kept = await caches.match(request);
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
    const cache = await caches.open(shellName);
    await cache.put(request, answer.clone());
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
    else if (url.pathname === "/logout") event.waitUntil(caches.delete(daysName));
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

// MARK: Life

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
    // The page is asked for while this script is being started, not after it.
    await self.registration.navigationPreload?.enable();
    await self.clients.claim();
  })());
});

self.addEventListener("message", (event) => {
  const { kind, addresses, key } = event.data ?? {};
  if (kind === "shell") {
    event.waitUntil(keepShell(addresses).catch(() => {}));
  } else if (kind === "day") {
    // The page that was open before there was anybody to keep it.
    event.waitUntil(fetch(addresses[0], { headers: { Accept: "text/html" } })
      .then((answer) => keep({ url: new URL(addresses[0], self.location.href).href }, answer))
      .catch(() => {}));
  } else if (kind === "send") {
    event.waitUntil(sendSoon());
  } else if (kind === "drop") {
    event.waitUntil(change((store) => store.delete(key)).then(async () => tellPages(await state())));
  } else if (kind === "state") {
    event.waitUntil(state().then((now) => event.source?.postMessage(now)));
  }
});
