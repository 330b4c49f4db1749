// Enhancements of the goal pages: deciding matches with keys, and a preview of what an action would count
// toward. It uses live.js and app.js and is loaded after them.
"use strict";

// MARK: What an action would count toward

function previewCounts(form) {
  const box = byId("live-counts");
  let request = null;
  let timer = 0;

  async function ask() {
    request?.abort();
    request = new AbortController();
    const { signal } = request;
    const query = new URLSearchParams(new FormData(form));
    query.delete("notes");
    query.delete("idempotencyKey");
    query.set("text", query.get("text").slice(0, 1500));
    try {
      const answer = await fetch(`${form.dataset.previews}?${query}`, {
        signal, credentials: "same-origin", headers: { Accept: "text/html" },
      });
      if (!answer.ok) return;
      const html = await answer.text();
      if (signal.aborted) return;
      const fresh = new DOMParser().parseFromString(html, "text/html").body;
      if (fresh.textContent === box.textContent) return;
      box.replaceChildren(...Array.from(fresh.childNodes, (node) => document.importNode(node, true)));
    } catch { /* away or overtaken; saving tells it as well */ }
  }

  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 200);
  });
  form.addEventListener("submit", () => {
    clearTimeout(timer);
    request?.abort();
  });
  ask();
}

for (const form of document.querySelectorAll("[data-previews]")) previewCounts(form);

// MARK: Deciding matches with keys

const review = {
  isOn: page?.dataset.page === "matches",
  isBusy: false,
  turn: Promise.resolve(),
  done: [],
  matches: () => [...page.querySelectorAll(".match")],
  current() {
    return document.activeElement?.closest?.(".match") ?? null;
  },
  go(step) {
    const all = this.matches();
    const place = all.indexOf(this.current());
    const next = place < 0 ? all[0] : all[Math.min(Math.max(place + step, 0), all.length - 1)];
    next?.focus();
  },
};

// Sends a form without leaving the page; the response replaces the page's content.
async function sendInPlace(address, fields, wanted) {
  if (review.isBusy) return;
  review.isBusy = true;
  try {
    const answer = await fetch(address, {
      method: "POST", credentials: "same-origin", headers: { Accept: "text/html" },
      body: new URLSearchParams(fields),
    });
    const other = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = other.getElementById("main");
    if (fresh?.dataset.page !== "matches") {
      // The address of a refused form leads to no page.
      if (answer.ok) location.assign(answer.url);
      else tell(answer.status === 401 ? signedOut : failureOf(other));
      return;
    }
    const change = new URL(answer.url).searchParams.get("change");
    page.replaceChildren(...Array.from(fresh.childNodes, (node) => document.importNode(node, true)));
    const status = byId("live-status");
    if (status) status.textContent = page.querySelector(".notice p")?.textContent ?? "";
    const all = review.matches();
    (byId(wanted) ?? all[Math.min(review.place, all.length - 1)] ?? page).focus();
    return change;
  } catch {
    tell(word("Couldn’t reach Arkived, so nothing was changed"));
  } finally {
    review.isBusy = false;
  }
}

async function decide(decision) {
  // A match that isn't visible can't be decided.
  if (!review.current()) return review.go(1);
  const match = review.current();
  const form = match.querySelector("form");
  if (!form || review.isBusy) return;
  review.place = review.matches().indexOf(match);
  const fields = new FormData(form);
  fields.set("decision", decision);
  const change = await sendInPlace(form.getAttribute("action"), fields);
  if (change) review.done.push({ change, match: match.id });
}

async function takeBack() {
  const last = review.done.at(-1);
  if (!last || review.isBusy) return;
  review.place = 0;
  const back = location.pathname + (new URLSearchParams(location.search).get("goal")
    ? `?goal=${new URLSearchParams(location.search).get("goal")}` : "");
  const change = await sendInPlace(`/changes/${last.change}/undo`, { back }, last.match);
  if (change) review.done.pop();
}

const reviewKeys = {
  j: () => review.go(1), k: () => review.go(-1), ArrowDown: () => review.go(1),
  ArrowUp: () => review.go(-1), y: () => decide("confirm"), n: () => decide("reject"), u: takeBack,
};

// Listens before the pages' other keys, which include n.
if (review.isOn) {
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
    if (storage.read("singleKeys") === false) return;
    const action = reviewKeys[event.key];
    // On a page without a match, keys scroll.
    if (!action || (event.key.startsWith("Arrow") && !review.current())) return;
    event.preventDefault();
    // Holding a key decides only once.
    if (event.repeat && "ynu".includes(event.key)) return;
    // Keys pressed faster than the server responds are queued.
    review.turn = review.turn.then(action, action);
  }, true);
}
