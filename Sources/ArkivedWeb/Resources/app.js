// Enhancements of the pages beyond links and forms. Every page can be read and saved without this file.
"use strict";

document.documentElement.classList.add("js");

const byId = (id) => document.getElementById(id);
const page = byId("main");
const isTyping = (target) => target.closest("input, textarea, select, [contenteditable]") !== null;

// Browsers may forbid storage; then there are no drafts and no settings, but nothing else breaks.
const storage = {
  read(key) {
    try { return JSON.parse(localStorage.getItem(`arkived.${key}`)); } catch { return null; }
  },
  write(key, value) {
    try {
      localStorage.setItem(`arkived.${key}`, JSON.stringify(value));
      return true;
    } catch {
      // Storage is full or off.
      return false;
    }
  },
  remove(key) {
    try { localStorage.removeItem(`arkived.${key}`); } catch { /* off */ }
  },
};

// The page's texts for scripts, if its language isn't English.
const pageWords = JSON.parse(byId("page-words")?.textContent ?? "{}");

// Returns a text in the page's language; inserted values replace {1}, {2}.
function word(text, ...parts) {
  return (pageWords[text] ?? text).replace(/{(\d)}/g, (_, place) => parts[place - 1]);
}

// Dates are written as on the rest of the page: English alone doesn't say if the day or the month comes first.
const readersLocale = (() => {
  const { lang, dataset } = document.documentElement;
  return lang !== "en" ? lang : dataset.dates === "monthDay" ? "en-US" : "en-GB";
})();

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

function freshKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// What was kept is sent without being asked, when another program may listen at this address. It goes only to
// Arkived, which repeats this header in its answers; "page" lets a redirect lead to its page.
const ownMark = "Arkived-Waiting";
const isOwnAnswer = (answer) => answer.headers.get(ownMark) === "1";

// Over the home network, a sleeping computer is silent, while a stopped program refuses immediately.
const patience = (far = 3000) => AbortSignal.timeout(location.protocol === "https:" ? far : 60000);

async function isOwnServer() {
  try {
    return isOwnAnswer(await fetch("/service-worker.js", {
      method: "HEAD", cache: "no-store", headers: { [ownMark]: "1" }, signal: patience(),
    }));
  } catch {
    return false;
  }
}

// MARK: What a line is understood as

const roleWords = {
  time: word("time"), duration: word("duration"), kind: word("kind"), tag: word("tag"),
  person: word("person"), measure: word("measurement"), place: word("place"),
};

function quickAdd(form) {
  const field = byId("line");
  const chips = byId("understood");
  const spoken = byId("understood-status");
  const problem = byId("line-error");
  const help = byId("line-help");
  const day = form.dataset.day;
  let request = null;
  let typing = 0;
  let speaking = 0;

  function clear() {
    chips.replaceChildren();
    chips.hidden = true;
    help.hidden = false;
    problem.hidden = true;
    field.removeAttribute("aria-invalid");
  }

  function show(reading) {
    clear();
    if (reading.error) {
      problem.textContent = reading.error;
      problem.hidden = false;
    }
    const labels = [];
    const parts = reading.parts ?? [];
    if (reading.dayKey && reading.dayKey !== day && reading.dayLabel) {
      const note = element("span", "chip", word("goes to {1}", reading.dayLabel));
      note.dataset.role = "day";
      chips.append(note);
      labels.push(note.textContent);
    }
    for (const part of parts) {
      if (part.role === "day") continue;
      const chip = element("span", "chip", part.label);
      chip.dataset.role = part.role;
      chip.title = part.words;
      chip.dir = "auto";
      chips.append(chip);
      labels.push(`${roleWords[part.role]} ${part.label}`);
    }
    if (labels.length > 0) {
      chips.prepend(element("span", "chips-lead", word("Understood")));
      chips.hidden = false;
    }
    help.hidden = !chips.hidden || !problem.hidden;
    clearTimeout(speaking);
    speaking = setTimeout(() => {
      spoken.textContent = reading.error ?? (labels.length > 0 ? word("Understood: {1}", labels.join(", ")) : "");
    }, 900);
  }

  async function ask() {
    request?.abort();
    const line = field.value;
    if (line.trim() === "") {
      clear();
      spoken.textContent = "";
      return;
    }
    request = new AbortController();
    const { signal } = request;
    const query = new URLSearchParams({ line, day, language: document.documentElement.lang });
    try {
      const answer = await fetch(`/api/v1/quick-add?${query}`, {
        signal, credentials: "same-origin", headers: { Accept: "application/json" },
      });
      if (!answer.ok) return clear();
      const reading = await answer.json();
      if (!signal.aborted) show(reading);
    } catch (error) {
      if (error.name !== "AbortError") clear();
    }
  }

  field.addEventListener("input", () => {
    request?.abort();
    clearTimeout(typing);
    clearTimeout(speaking);
    typing = setTimeout(ask, 120);
  });
  let sent;
  form.addEventListener("submit", () => {
    clearTimeout(typing);
    request?.abort();
    // If the line differs from the one being sent, it is a separate entry.
    if ((sent ?? field.value) !== field.value) form.elements.idempotencyKey.value = freshKey();
    sent = field.value;
  });
  if (field.value !== "" && problem.hidden) ask();

  const button = document.querySelector(".fab");
  if (button && "IntersectionObserver" in window) {
    fieldWatch?.disconnect();
    fieldWatch = new IntersectionObserver(([entry]) => {
      button.classList.toggle("is-away", entry.isIntersecting);
    });
    fieldWatch.observe(form);
  }
}

let fieldWatch = null;

// A page restored from the browser's memory would repeat the key of the entry it already added.
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const form of document.querySelectorAll("[data-quick-add]")) form.elements.idempotencyKey.value = freshKey();
});

// MARK: Drafts

// Text that was typed and isn't saved yet. Every form keeps its own draft, so two tabs never overwrite each
// other's: `draft.KIND.PLACE~ID`. Drafts of earlier versions have no ID.
const drafts = {
  newKey: (kind, place) => `draft.${kind}.${place}~${freshKey()}`,

  keys() {
    const first = "arkived.";
    try {
      return Object.keys(localStorage).filter((name) => name.startsWith(`${first}draft.`))
        .map((name) => name.slice(first.length));
    } catch {
      // Storage is off.
      return [];
    }
  },

  // Returns the drafts of a place, the latest first.
  all(kind, place) {
    const start = `draft.${kind}.${place}`;
    return this.keys().filter((key) => key === start || key.startsWith(`${start}~`))
      .map((key) => ({ ...storage.read(key), key })).filter(({ values }) => values)
      .sort((one, other) => (other.at ?? 0) - (one.at ?? 0));
  },

  write: (key, draft) => storage.write(key, { ...draft, at: Date.now() }),

  // Returns the differences from the saved values on one line, or the whole draft if it only removes
  // something.
  text(values, saved) {
    const all = Object.entries(values).filter(([, value]) => value.trim() !== "");
    const changed = all.filter(([name, value]) => plainText(value) !== plainText(saved[name]));
    return (changed.length > 0 ? changed : all).map(([, value]) => value).join(" – ");
  },

  // Shows a line with the unsaved text, and buttons to restore or discard it.
  offer({ key }, text, restore, discard) {
    const made = element("div", "draft-offer");
    made.setAttribute("role", "status");
    made.dataset.key = key;
    const words = element("span", "draft-text", text.slice(0, 200));
    words.dir = "auto";
    const back = element("button", "button button-small", word("Restore"));
    const drop = element("button", "button button-small button-plain", word("Discard"));
    back.type = drop.type = "button";
    back.addEventListener("click", restore);
    drop.addEventListener("click", () => {
      storage.remove(key);
      made.remove();
      discard();
    });
    made.append(element("span", "", word("Not saved yet:")), words, back, drop);
    return made;
  },
};

// A field normalises all line endings.
const plainText = (text) => (text ?? "").replace(/\r\n?/g, "\n");

// Returns true if the page shows a text that the server refused; such a text isn't in any archive yet.
function isRefused(form) {
  if (form.querySelector("[aria-invalid=true], .field-error:not([hidden])")) return true;
  return form.dataset.draft !== "line" && page.querySelector(":scope > [role=alert]") !== null;
}

// A draft is kept until the page after saving reports that it was saved.
function draft(form) {
  const { draft: kind, day: place } = form.dataset;
  const typed = "textarea, select, input:not([type=hidden], [type=checkbox], [type=radio], [type=file])";
  const boxes = "input[type=checkbox], input[type=radio]";
  const inputs = (name) => [...form.elements].filter((one) => one.name === name);
  const names = (wanted) => [...new Set([...form.elements].filter((one) => one.name && one.matches(wanted)).map(({ name }) => name))];
  // The texts are always kept, the other fields only if they were changed.
  const texts = kind === "line" ? ["line"] : kind !== "form" ? ["title", "note"] : names(typed);
  const fields = kind === "line" ? texts : [...new Set([...texts, ...names(`${typed}, ${boxes}`)])];
  function valueOf(name) {
    const [first, ...others] = inputs(name);
    if (!first?.matches(boxes)) return first?.value ?? "";
    return [first, ...others].filter(({ checked }) => checked).map(({ value }) => value).join("\n");
  }
  function put(name, value) {
    const all = inputs(name);
    for (const box of all.filter((one) => one.matches(boxes))) box.checked = value.split("\n").includes(box.value);
    if (!all[0]?.matches(typed)) return;
    all[0].value = value;
    // A date is shown by its frame (dates.js).
    all[0].dispatchEvent(new Event("change"));
  }
  const values = () => Object.fromEntries(fields.map((name) => [name, valueOf(name)]));
  // A draft that lacks a field leaves it as it is.
  const same = (one, other) => fields.every((name) =>
    !(name in one && name in other) || plainText(one[name]) === plainText(other[name]));
  const asServed = values();
  const wasRefused = isRefused(form);
  // A day's note as it was when writing began, which shows if it was changed elsewhere before the draft is
  // saved. A page that shows a refused text doesn't know the saved one.
  let stand = {};
  const standOn = ({ version, base }) => {
    // This page saves only on request, so the day's page doesn't save such a draft automatically.
    if (version && base) stand = { version, base, isForm: true };
  };
  if (kind === "note" && !wasRefused) {
    const { title, note, version } = form.elements;
    standOn({ version: version.value, base: { title: title.defaultValue, note: note.defaultValue } });
  }
  // Other forms are based on the version that they send, which stays with what was typed.
  const based = () => {
    const version = kind === "note" ? "" : form.elements.version?.value;
    return version ? { version } : stand;
  };
  // The page of a refused text is only an answer.
  let origin = wasRefused ? {} : { href: location.pathname + location.search, name: document.title.replace(/ · Arkived$/, "") };
  let timer = 0;
  let care = null;
  form.draftKey = drafts.newKey(kind, place);

  const changedOf = (now) => Object.fromEntries(Object.entries(now).filter(([name, value]) =>
    wasRefused || texts.includes(name) || value !== asServed[name]));

  // The boxes are shown by their labels.
  const shown = (kept) => Object.fromEntries(Object.entries(kept).map(([name, value]) => {
    const chosen = inputs(name).filter((one) => one.matches(boxes) && value.split("\n").includes(one.value));
    const labels = chosen.map((one) => one.labels[0]?.title || one.labels[0]?.textContent.trim());
    return [name, chosen.length > 0 ? labels.join(", ") : value];
  }));

  // Returns true if nothing would be lost by closing the tab.
  function keep(isSent) {
    clearTimeout(timer);
    const now = values();
    const isBlank = fields.every((name) => now[name].trim() === "");
    if (isBlank || (same(now, asServed) && !wasRefused)) {
      storage.remove(form.draftKey);
      return true;
    }
    // A draft that the next page will send stays marked until it is changed.
    const kept = storage.read(form.draftKey);
    if (kept?.isNext && !isSent && same(kept.values, now)) return true;
    return drafts.write(form.draftKey, { values: changedOf(now), isSent, ...origin, ...based() });
  }

  // If the browser keeps nothing, the form stays until the server accepts it. A line is sent in place.
  function keepOrCare(isSent) {
    if (keep(isSent) || kind === "line" || care) return false;
    care = sendsWithCare(form, noteWords.full);
    return true;
  }
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(keepOrCare, 250, false);
  });
  form.addEventListener("submit", (event) => {
    if (keepOrCare(true)) care(event);
    try { sessionStorage.sentDraft = form.draftKey; } catch { /* off */ }
  });
  form.keepUnsent = () => {
    const isUnsaved = wasRefused || !same(values(), asServed);
    if (isUnsaved && !storage.read(form.draftKey)?.isSent) keep(false);
  };

  function offer(kept) {
    const text = drafts.text(shown(kept.values), shown(asServed));
    if (text === "") return null;
    const made = drafts.offer(kept, text, () => restore(kept, made), () => inputs(fields[0])[0].focus());
    form.prepend(made);
    return made;
  }

  function restore(kept, made) {
    const replaced = { values: changedOf(values()), isSent: false, ...origin, ...based() };
    for (const name of fields) if (name in kept.values) put(name, kept.values[name]);
    standOn(kept);
    if (kept.version && (kept.base || kind !== "note") && form.elements.version) {
      // What was saved since must not be overwritten, nor does a file added here make it known.
      form.isBehind = form.elements.version.value !== kept.version;
      form.elements.version.value = kept.version;
    }
    // The previous text of the form becomes an ordinary draft.
    if (wasRefused || !same(replaced.values, asServed)) {
      const key = drafts.newKey(kind, place);
      drafts.write(key, replaced);
      offer({ ...replaced, key });
    }
    if (keep(false)) storage.remove(kept.key);
    made.remove();
    const last = inputs(texts.at(-1))[0];
    last.focus();
    last.dispatchEvent(new Event("input", { bubbles: true }));
  }

  for (const kept of drafts.all(kind, place).reverse()) {
    if (!same(kept.values, asServed)) {
      const made = offer(kept);
      if (made && kept.isNext && !asServed.line) {
        window.addEventListener("load", () => {
          made.querySelector("button").click();
          form.requestSubmit();
        }, { once: true });
      }
    } else if (!wasRefused) {
      // It was saved in the meantime.
      storage.remove(kept.key);
    } else if (kept.isSent) {
      // The refused text, which is saved with the form. Its draft knows the version it is based on.
      form.draftKey = kept.key;
      origin = { href: kept.href, name: kept.name };
      standOn(kept);
    }
  }
}

// One listener for all forms, which doesn't keep those of days that were left. A phone may end a page that is out of
// sight without another event.
const keepForms = () => {
  for (const form of document.querySelectorAll("[data-draft]")) form.keepUnsent?.();
};
window.addEventListener("pagehide", keepForms);
document.addEventListener("visibilitychange", () => { if (document.hidden) keepForms(); });

// Removes the draft that this tab sent, once the next page reports that it was saved. Other tabs may still be
// sending theirs. A stored page, or one that the browser goes back to, reports an earlier form.
function forgetSavedDraft() {
  let sent;
  try {
    sent = sessionStorage.sentDraft;
    delete sessionStorage.sentDraft;
  } catch { /* off */ }
  const isStored = document.documentElement.dataset.away !== undefined;
  const isOld = isStored || performance.getEntriesByType("navigation")[0]?.type === "back_forward";
  if (isOld || !sent || !storage.read(sent)?.isSent) return;
  const saved = [...document.querySelectorAll("[data-clears-draft]")].map(({ dataset }) => dataset.clearsDraft);
  if (saved.some((kind) => sent.startsWith(`draft.${kind}.`))) storage.remove(sent);
}

// MARK: Pressed twice

// A second press while the answer is on its way would meet what the first one did, which looks like a change made
// elsewhere.
let submitted = new WeakMap();
document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  // Chosen files can't be compared.
  if (event.defaultPrevented || form.method !== "post" || form.enctype === "multipart/form-data") return;
  const fields = new URLSearchParams(new FormData(form, submitter));
  const sent = `${submitter?.formAction ?? ""} ${fields}`;
  const last = submitted.get(form);
  if (last?.sent === sent && performance.now() - last.at < 10_000) event.preventDefault();
  else submitted.set(form, { sent, at: performance.now() });
});
window.addEventListener("pageshow", ({ persisted }) => { if (persisted) submitted = new WeakMap(); });

// MARK: Keys

function openSheet() {
  const sheet = byId("keys");
  if (sheet && !sheet.open) sheet.showModal();
}

function follow(id) {
  byId(id)?.click();
}

function focusOr(id, address) {
  const field = byId(id);
  if (field) {
    field.focus();
    field.select();
  } else {
    location.assign(address);
  }
}

const actions = {
  n: () => focusOr("line", "/#line"),
  a: () => focusOr("line", "/#line"),
  "/": () => focusOr("query", "/search"),
  t: () => location.assign("/"),
  c: () => location.assign("/calendar"),
  g: () => location.assign("/goals"),
  m: () => location.assign("/meetings"),
  p: () => location.assign("/people"),
  e: () => follow("edit-note"),
  "[": () => follow("previous-day"),
  "]": () => follow("next-day"),
  ArrowLeft: () => follow("previous-day"),
  ArrowRight: () => follow("next-day"),
  "?": openSheet,
};

function onKey(event) {
  if (event.defaultPrevented || event.isComposing) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    const form = event.target.closest("form") ?? document.querySelector("[data-saves-by-key]");
    if (form && form.method !== "dialog") {
      event.preventDefault();
      form.requestSubmit();
    }
    return;
  }
  if (event.key === "Escape" && event.target.id === "line") return event.target.blur();
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
  if (storage.read("singleKeys") === false) return;
  const action = actions[event.key];
  if (!action || (event.key.startsWith("Arrow") && arrowsMove(event))) return;
  event.preventDefault();
  action();
}

// Returns true if an arrow key has its own effect: it selects text, moves within a recording, or scrolls what is
// wider than its place.
function arrowsMove({ target, shiftKey }) {
  if (shiftKey || target.matches("audio, video")) return true;
  for (let part = target; part; part = part.parentElement) {
    const isRoot = part === document.scrollingElement;
    const scrolls = isRoot || ["auto", "scroll"].includes(getComputedStyle(part).overflowX);
    if (scrolls && part.scrollWidth > part.clientWidth + 1) return true;
  }
  return false;
}

// MARK: Start

// Functions that run once a page is loaded, and again when its content is replaced (visit.js). `root` is the
// new part.
const starts = [];
function whenShown(start) {
  starts.push(start);
  start(document);
}

function submitsOnChange(form) {
  const field = form.querySelector("input");
  let byHand = false;
  // While a date is typed, the field passes through other days; only picking one opens it immediately.
  field.addEventListener("keydown", () => { byHand = true; });
  field.addEventListener("pointerdown", () => { byHand = false; });
  field.addEventListener("change", () => {
    const isOther = field.value !== "" && field.value !== field.defaultValue;
    if (isOther && !byHand) form.requestSubmit();
    else form.classList.toggle("is-changed", isOther);
  });
}

// Links to a field, also those that arrive while the page is open.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-focuses], [data-fills]");
  const field = link ? byId(link.dataset.focuses ?? link.dataset.fills) : null;
  if (!field || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  field.focus();
  if (link.dataset.text) {
    field.value = link.dataset.text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
});

whenShown((root) => {
  forgetSavedDraft();
  for (const form of root.querySelectorAll("[data-draft]")) draft(form);
  for (const form of root.querySelectorAll("[data-quick-add]")) quickAdd(form);
  for (const form of root.querySelectorAll("[data-submits-on-change]")) submitsOnChange(form);
  for (const button of root.querySelectorAll("[data-opens=keys]")) {
    button.hidden = false;
    button.addEventListener("click", openSheet);
  }
});
const singleKeys = byId("single-keys");
if (singleKeys) {
  singleKeys.checked = storage.read("singleKeys") !== false;
  singleKeys.addEventListener("change", () => storage.write("singleKeys", singleKeys.checked));
}
if (location.hash === "#line") byId("line")?.focus();
document.addEventListener("keydown", onKey);
