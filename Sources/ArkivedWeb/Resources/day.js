// Interaction with the day page: changes are saved in place and can be undone. It uses app.js and live.js and
// is loaded after them. Every form here works without it.
"use strict";

const isDay = livePage.kind === "day";

function say(words) {
  const status = byId("live-status");
  if (!status) return;
  lastSpoken = Date.now();
  status.textContent = "";
  setTimeout(() => { status.textContent = words; }, 60);
}

// MARK: Toasts

// The last action, with an undo button. It disappears after a while, but never while the pointer or the focus
// is on it.
const toast = {
  place: null, timer: 0, left: 0, since: 0, isPaused: false,

  show(parts, tone = "success") {
    if (!this.place) {
      this.place = element("div", "toast-place");
      this.place.setAttribute("role", "region");
      this.place.setAttribute("aria-label", word("Notifications"));
      document.body.append(this.place);
    }
    const made = element("div", `toast notice notice-${tone}`);
    made.id = "toast";
    const close = element("button", "icon-button toast-close");
    close.type = "button";
    close.setAttribute("aria-label", word("Dismiss"));
    close.append(icon("close"));
    close.addEventListener("click", () => this.hide());
    made.append(icon(tone), ...parts, close);
    for (const [name, pauses] of [
      ["pointerenter", true], ["focusin", true], ["pointerleave", false], ["focusout", false],
    ]) made.addEventListener(name, () => this.pause(pauses));
    made.addEventListener("keydown", (event) => { if (event.key === "Escape") this.hide(); });
    this.place.replaceChildren(made);
    clearTimeout(this.timer);
    this.left = 20000;
    this.isPaused = true;
    this.pause(false);
    say(made.querySelector("p")?.textContent ?? "");
  },

  pause(pauses) {
    if (pauses === this.isPaused) return;
    const now = Date.now();
    clearTimeout(this.timer);
    if (pauses) this.left = Math.max(4000, this.left - (now - this.since));
    else this.timer = setTimeout(() => this.hide(), this.left);
    this.since = now;
    this.isPaused = pauses;
  },

  hide() {
    clearTimeout(this.timer);
    const hadFocus = this.place?.contains(document.activeElement);
    this.place?.replaceChildren();
    if (hadFocus) page.focus({ preventScroll: true });
  },

  tell(words, tone = "error", ...more) {
    const body = element("div", "notice-body");
    body.append(element("p", "", words));
    this.show([body, ...more], tone);
  },

  // Takes the notice of a page, which reports what its address did.
  take(notice) {
    const tone = /notice-(\w+)/.exec(notice.className)[1];
    const parts = [...notice.children].filter((part) => part.nodeName !== "svg");
    this.show(parts.map((part) => document.importNode(part, true)), tone);
  },
};

// MARK: Forms that save in place

const signedOut = word("You’re signed out, so nothing was changed. To sign in again, open Arkived from your applications, or run arkived open.");
const serverAway = word("Couldn’t reach Arkived, so nothing was changed. Try again when it can be reached.");

function failureOf(other) {
  return other.querySelector("main p:not(.status-code)")?.textContent ?? word("Couldn’t save this.");
}

// Sends a form's data, shows the result reported by the next page, and stays on this page.
async function send(address, body) {
  try {
    const answer = await fetch(address, {
      method: "POST", body, credentials: "same-origin", headers: { Accept: "text/html" },
    });
    if (answer.status !== 401) return takeAnswer(answer.ok, await answer.text());
    toast.tell(signedOut);
    return false;
  } catch {
    toast.tell(serverAway);
    return false;
  }
}

function takeAnswer(isOK, text) {
  const other = new DOMParser().parseFromString(text, "text/html");
  if (!isOK) {
    toast.tell(failureOf(other));
    return false;
  }
  const fresh = other.getElementById("main");
  const notices = fresh ? [...fresh.querySelectorAll(":scope > .notice")] : [];
  for (const notice of notices) notice.remove();
  // The toast announces the change.
  lastSpoken = Date.now();
  if (fresh?.dataset.refresh === page.dataset.refresh && !reading.isHeld) swap(fresh);
  else readSoon(0);
  if (notices.length > 0) toast.take(notices[0]);
  return true;
}

// The requests that are being sent, by their address and button, and the last one to each address.
const sending = new Set();
const lastSent = new Map();

async function sendForm(form, button) {
  const address = button?.getAttribute("formaction") ?? form.getAttribute("action");
  // A second tap during the first request would revert it; another button’s request is sent after it.
  const request = [address, button?.name, button?.id || button?.value].join(" ");
  if (sending.has(request)) return;
  sending.add(request);
  const body = new URLSearchParams(new FormData(form));
  if (button?.name) body.append(button.name, button.value);
  const menu = form.closest(".entry-menu");
  const hadFocus = menu?.contains(document.activeElement);
  if (menu) menu.open = false;
  if (hadFocus) menu.querySelector("summary").focus({ preventScroll: true });
  const sent = (lastSent.get(address) ?? Promise.resolve()).then(() => send(address, body));
  lastSent.set(address, sent);
  await sent;
  sending.delete(request);
  if (lastSent.get(address) === sent) lastSent.delete(address);
}

// MARK: Adding a line in place

// If this can't be done in place, the form is submitted normally: if the server is away and the line has to
// wait, or if the line wasn't understood and the next page explains why. It has one key, so it creates one
// entry however often it is sent.
async function addInPlace(form) {
  if (form.ariaBusy === "true") {
    form.dataset.again = "";
    return;
  }
  form.ariaBusy = "true";
  delete form.dataset.again;
  const { line, idempotencyKey } = form.elements;
  const sent = line.value;
  const key = idempotencyKey.value;
  let isAdded = false;
  try {
    const answer = await fetch(form.action, {
      method: "POST", body: new URLSearchParams(new FormData(form)), credentials: "same-origin",
      headers: { Accept: "text/html" },
      // After that, the line has to wait.
      signal: patience(),
    });
    const added = new URL(answer.url).searchParams.get("added");
    if (!answer.ok || !added) return sendAlone(form, sent, key);
    const text = await answer.text();
    const other = new DOMParser().parseFromString(text, "text/html").getElementById("main");
    clearLine(form, sent);
    // Another day, or a long one shown in parts, has a separate page.
    const isHere = other?.dataset.day === page.dataset.day
      && !other.querySelector("#part-line") && !byId("part-line") && !reading.isHeld;
    if (!isHere) return location.assign(`${answer.url}#activity-${added}`);
    isAdded = true;
    takeAnswer(true, text);
    byId(`activity-${added}`)?.scrollIntoView({ block: "nearest" });
  } catch {
    sendAlone(form, sent, key);
  } finally {
    form.ariaBusy = null;
  }
  // If Enter was pressed in the meantime, the text typed since then is sent.
  if (isAdded && "again" in form.dataset && line.value.trim() !== "") form.requestSubmit();
}

// Text typed while a line is being sent is the next line.
const typedSince = (now, sent) => (now.startsWith(sent) ? now.slice(sent.length).trimStart() : now);

// The line that was sent first keeps its key. Text typed since then is another draft, which the next page
// sends if Enter was pressed for it.
function sendAlone(form, sent, key) {
  const { line, idempotencyKey } = form.elements;
  const next = typedSince(line.value, sent);
  line.value = sent;
  idempotencyKey.value = key;
  form.submit();
  line.value = next;
  drafts.write(form.draftKey, { values: { line: sent }, isSent: true });
  form.draftKey = drafts.newKey("line", form.dataset.day);
  if (next.trim() === "") return;
  drafts.write(form.draftKey, { values: { line: next }, isNext: "again" in form.dataset });
}

function clearLine(form, sent) {
  const { line, idempotencyKey } = form.elements;
  storage.remove(form.draftKey);
  idempotencyKey.value = freshKey();
  line.dispatchEvent(new Event("added"));
  line.value = typedSince(line.value, sent);
  line.dispatchEvent(new Event("input", { bubbles: true }));
}

if (isDay) {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    // The note has a separate address and is submitted by the browser.
    if (event.submitter?.id === "add-note") return;
    if (form.hasAttribute("data-quick-add") && away.since === undefined) {
      event.preventDefault();
      return void addInPlace(form);
    }
    const isUndo = form.closest(".toast") !== null;
    if (!isUndo && !form.hasAttribute("data-quiet")) return;
    event.preventDefault();
    if (isUndo) toast.hide();
    sendForm(form, event.submitter);
  }, true);
  whenShown(() => {
    // Those of scripts have an ID; a stored page reports what was done when it was stored.
    const notices = [...page.querySelectorAll(":scope > .notice[role=status]:not([id])")];
    // The first one is about what was just done, and can be undone; the others come again.
    if (notices.length > 0 && away.since === undefined) toast.take(notices[0]);
    for (const notice of notices) notice.remove();
  });
  actions.u = () => document.querySelector("#toast form[action$='/undo'] button")?.click();
}

// MARK: Menus

const openMenu = () => document.querySelector(".entry-menu[open]");
document.addEventListener("click", (event) => {
  const menu = openMenu();
  if (menu && !menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  const menu = openMenu();
  if (event.key !== "Escape" || !menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
