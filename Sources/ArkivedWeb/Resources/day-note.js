// The day's note, edited in place. Every pause saves it in the browser; longer pauses and leaving save it in
// the archive. Without this script, the note has a separate page. Loaded after day.js.
"use strict";

// The editor is loaded when a field needs it. Without it, the plain field is used.
const surface = {
  address: `/assets/editor.js${new URL(document.currentScript.src).search}`,
  made: null,

  load() {
    this.made ??= import(this.address);
    this.made.catch(() => { this.made = null; });
    return this.made;
  },

  // `text` is the content of the field, with its line endings.
  async on(area, text = area.defaultValue) {
    let composed = null;
    area.addEventListener("compositionstart", () => {
      composed = new Promise((resolve) => { area.addEventListener("compositionend", resolve, { once: true }); });
    });
    try {
      const { MarkdownField } = await this.load();
      // A word that is being composed on a keyboard stays whole.
      await composed;
      if (area.isConnected && !area.field) new MarkdownField(area, text);
    } catch { /* the server is away */ }
    // From here on, the editor determines if the plain field is visible.
    area.classList.add("is-shown");
  },
};

// A plain field normalises all line endings. Where nothing was typed, the text's original ones are kept.
function withReturns(text, before) {
  const plain = before.replace(/\r\n?/g, "\n");
  if (plain === before || text.includes("\r")) return text;
  const most = Math.min(text.length, plain.length);
  let start = 0;
  while (start < most && text[start] === plain[start]) start += 1;
  let end = 0;
  while (end < most - start && text.at(-1 - end) === plain.at(-1 - end)) end += 1;
  const placeOf = (wanted) => {
    let place = 0;
    for (let count = 0; count < wanted; count += 1) place += before.startsWith("\r\n", place) ? 2 : 1;
    return place;
  };
  return before.slice(0, placeOf(start)) + text.slice(start, text.length - end) + before.slice(placeOf(plain.length - end));
}

const noteWords = {
  away: word("Not saved yet: your text will be sent once Arkived can be reached again"),
  door: word("Not saved yet: please sign in again"),
  kept: word("Your text is kept in this browser"),
  full: word("This browser has no space left for a draft: keep this page open until your text is saved"),
  conflict: word("Not saved yet: choose which version to keep"),
};

// Long texts have no drafts, and no text has one in a browser without space. The browser then asks before the
// page is left, and the text is sent only to a server that accepts it: otherwise, the page of an unreachable
// server or an ended session would replace it. Returns the function that sends it; `words` are shown first.
function sendsWithCare(form, words = "") {
  const status = element("p", "hint note-status");
  status.setAttribute("role", "status");
  (form.querySelector(".actions") ?? form).append(status);
  if (words) setTimeout(() => { status.textContent ||= words; });
  let isChanged = words !== "" || isRefused(form);
  let isAsking = false;
  let mayGo = false;
  let submitter = null;
  let typedAt = 0;
  let timer = 0;
  let wait = 2000;

  async function send(isPressed = false) {
    clearTimeout(timer);
    timer = 0;
    if (isAsking) return;
    isAsking = true;
    const words = await reasonToWait();
    isAsking = false;
    if (!form.isConnected) return;
    if (status.textContent !== words) status.textContent = words;
    // The next page isn't loaded while somebody continues to write.
    const isWriting = !isPressed && Date.now() - typedAt < NoteEditor.pause;
    if (words !== "" || isWriting) {
      timer = setTimeout(send, wait);
      wait = Math.min(wait * 2, 30000);
      return;
    }
    mayGo = true;
    form.requestSubmit(submitter);
    mayGo = false;
  }

  function submit(event) {
    if (mayGo) {
      isChanged = false;
      return;
    }
    event.preventDefault();
    ({ submitter } = event);
    wait = 2000;
    send(true);
  }
  form.addEventListener("submit", submit);
  form.addEventListener("input", () => {
    isChanged = true;
    typedAt = Date.now();
  });
  window.addEventListener("online", () => { if (timer) send(); });
  window.addEventListener("beforeunload", (event) => { if (isChanged && form.isConnected) event.preventDefault(); });
  return submit;
}

// Returns the reason a form isn't sent now; "" if the server responds and the session is valid.
async function reasonToWait() {
  try {
    const answer = await fetch("/api/v1/preferences", {
      credentials: "same-origin", headers: { Accept: "application/json", [ownMark]: "1" }, cache: "no-store",
      signal: patience(),
    });
    if (!isOwnAnswer(answer)) return noteWords.away;
    const { ok, status } = answer;
    return ok ? "" : [401, 403].includes(status) ? noteWords.door : noteWords.away;
  } catch {
    return noteWords.away;
  }
}

whenShown((root) => {
  for (const form of root.querySelectorAll("form:has(textarea.is-long)")) sendsWithCare(form);
  for (const area of root.querySelectorAll("textarea[data-markdown]")) {
    const fold = area.closest("details:not([open])");
    if (fold) fold.addEventListener("toggle", () => surface.on(area), { once: true });
    else surface.on(area);
  }
});

// Longer notes have a separate page, which keeps no drafts.
const longestNote = 200_000;

const isSameNote = (one, other) => ["title", "note"].every((name) => plainText(one[name]) === plainText(other[name]));

// Returns true if a draft contains what it is based on, the text and version when writing began, and differs
// from it.
const isBased = ({ values, base, version }) => Boolean(base && version) && !isSameNote(values, base);

const askFirst = (event) => event.preventDefault();

// Removes a draft of the note. Levels and weather stay for the note's own page, which has fields for them.
function forgetNote({ key, href, name, values: { title, note, ...others } }) {
  if (Object.keys(others).length > 0) drafts.write(key, { values: others, href, name });
  else storage.remove(key);
}

class NoteEditor {
  // A pause of this length creates a version in the history.
  static pause = 5000;
  // Only one of the texts whose answers were lost is in the archive; an older one leads to a question.
  static unansweredLimit = 20;

  constructor(saved, draft) {
    // Other tabs have their own drafts.
    this.key = drafts.newKey("note", livePage.day);
    // A draft is based on the saved text from when it was begun.
    this.saved = draft ? draft.base : { title: saved.title, note: saved.note };
    this.version = draft?.version ?? saved.version;
    // The texts that were sent and may have been saved, because their answers were lost.
    this.unanswered = [];
    this.build(draft?.values ?? this.saved);
    this.wait = 2000;
    if (draft) {
      const { values, version, base } = draft;
      if (drafts.write(this.key, { values, version, base, isSent: false })) storage.remove(draft.key);
      this.tell(word("Restored your unsaved text"));
      this.soon(0);
    }
  }

  get note() { return withReturns(this.text.field?.text ?? this.text.value, this.saved.note); }
  get values() { return { title: this.title.value, note: this.note }; }
  get isChanged() {
    return this.title.value !== this.saved.title || this.note !== this.saved.note;
  }

  build(values) {
    this.form = element("form", "card note-editor");
    Object.assign(this.form, { id: "note-editor", method: "post", action: `/day/${livePage.day}/note` });
    this.form.setAttribute("data-keep", "");
    this.form.setAttribute("aria-label", word("Day note"));
    this.title = element("input", "note-editor-title");
    Object.assign(this.title, { value: values.title, placeholder: word("Title"), dir: "auto", autocomplete: "off" });
    this.title.setAttribute("aria-label", word("Title (optional)"));
    this.text = element("textarea", "note-editor-text");
    Object.assign(this.text, { value: values.note, placeholder: word("How was the day?"), dir: "auto", rows: 6 });
    this.text.setAttribute("aria-label", word("Note, in Markdown"));
    if (values.note.length > longestNote) {
      this.text.classList.add("is-long");
      this.text.setAttribute("data-markdown", "");
      this.text.removeAttribute("dir");
      this.text.spellcheck = false;
    }
    this.choice = element("div", "note-choice");
    this.choice.hidden = true;
    this.status = element("p", "hint note-status");
    this.status.setAttribute("role", "status");
    const done = element("button", "button button-primary", word("Done"));
    const more = leadTo(byId("edit-note").href, word("History"));
    more.className = "button button-plain";
    const foot = element("div", "actions");
    foot.append(done, this.status, more);
    this.form.append(this.title, this.text, this.choice, foot);
    this.form.addEventListener("input", () => this.typed());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.done();
    });
    this.form.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return;
      event.stopPropagation();
      this.done();
    });
    this.form.addEventListener("focusout", (event) => {
      if (!this.form.contains(event.relatedTarget)) this.save();
    });
    this.leaving = () => { if (this.isChanged) this.keep(); };
    this.hidden = () => {
      this.leaving();
      if (document.hidden) this.save();
    };
    window.addEventListener("pagehide", this.leaving);
    document.addEventListener("visibilitychange", this.hidden);
    byId("note").after(this.form);
    document.body.classList.add("is-writing");
    surface.on(this.text, values.note);
  }

  tell(words) { if (this.status.textContent !== words) this.status.textContent = words; }

  // Returns true if nothing would be lost by closing the tab.
  keep() {
    clearTimeout(this.draftTimer);
    const isKept = !this.isChanged || drafts.write(this.key, this.draft);
    if (!this.isChanged) storage.remove(this.key);
    this.holdPage(!isKept);
    return isKept;
  }

  // Text that is nowhere else: the browser asks before the page is left.
  holdPage(isHeld) {
    window[isHeld ? "addEventListener" : "removeEventListener"]("beforeunload", askFirst);
  }

  // Until a version is chosen, a draft is based on the common origin of both versions, so the choice is
  // offered again.
  get draft() {
    const { version, saved: base } = this.before ?? this;
    return { values: this.values, version, base, isSent: false };
  }

  // Offers other unsaved text.
  offer(draft) {
    const { title = "", note = "" } = draft.values;
    const text = drafts.text({ title, note }, this.saved);
    const made = drafts.offer(draft, text, () => this.restore(draft, made), () => this.text.focus());
    this.form.prepend(made);
  }

  // Puts an offered draft into the note. The previous text is offered in its turn.
  async restore(draft, made) {
    while (this.saving) await this.saving;
    if (this.other || !made.isConnected) return;
    // When the focus leaves the note, it is saved.
    this.text.focus();
    made.remove();
    if (this.isChanged) {
      const present = { ...this.draft, key: drafts.newKey("note", livePage.day) };
      drafts.write(present.key, this.draft);
      this.offer(present);
    }
    if (isBased(draft)) Object.assign(this, { saved: draft.base, version: draft.version });
    this.title.value = draft.values.title ?? "";
    this.text.value = draft.values.note ?? "";
    this.tell(word("Restored your unsaved text"));
    if (this.keep()) forgetNote(draft);
    else this.tell(noteWords.full);
    this.soon(0);
  }

  typed() {
    clearTimeout(this.draftTimer);
    this.draftTimer = setTimeout(() => { if (!this.keep()) this.tell(noteWords.full); }, 250);
    if (!this.isWaiting && !this.other) this.tell("");
    if (!this.isWaiting) this.soon(NoteEditor.pause);
  }

  soon(pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), pause);
  }

  // Saves the differences; resolves to true if everything is in the archive.
  async save() {
    clearTimeout(this.timer);
    if (this.other) return false;
    if (this.saving) return this.saving;
    // A text whose answer was lost may be in the archive instead of the one that was taken back.
    if (!this.isChanged && this.unanswered.length === 0) {
      if (this.isWaiting) this.tell("");
      this.settle();
      return true;
    }
    this.saving = this.put().finally(() => { this.saving = null; });
    return this.saving;
  }

  async put(tries = 0) {
    if (this.isWaiting && !await isOwnServer()) return this.later(noteWords.away);
    const sent = this.values;
    let answer;
    try {
      answer = await fetch(`/api/v1/days/${livePage.day}`, {
        method: "PUT", credentials: "same-origin",
        headers: { "Content-Type": "application/json", "If-Match": this.version, [ownMark]: "1" },
        // If it arrives after all, it is among the unanswered texts.
        signal: patience(10000),
        body: JSON.stringify({ title: sent.title === "" ? null : sent.title, note: sent.note }),
      });
    } catch {
      // While the server is away for long, the same text is sent again and again.
      if (!this.unanswered.some((one) => isSameNote(one, sent))) this.unanswered.push(sent);
      if (this.unanswered.length > NoteEditor.unansweredLimit) this.unanswered.shift();
      return this.later(noteWords.away);
    }
    if (!isOwnAnswer(answer)) return this.later(noteWords.away);
    if (answer.status === 401) return this.later(noteWords.door);
    if (answer.status === 412) return this.meet(tries);
    if (answer.status >= 500) return this.later((await this.detail(answer)) ?? noteWords.away);
    if (!answer.ok) {
      this.tell(word("Not saved: {1}", (await this.detail(answer)) ?? word("try again")));
      return false;
    }
    this.version = answer.headers.get("ETag");
    this.saved = sent;
    this.settle();
    this.tell(word("Saved"));
    if (this.isChanged) this.soon(NoteEditor.pause);
    return !this.isChanged;
  }

  // The archive is known to have the saved text, so nothing waits to be sent again.
  settle() {
    this.unanswered = [];
    this.isWaiting = false;
    this.wait = 2000;
    this.keep();
  }

  async detail(answer) {
    try { return (await answer.json()).detail; } catch { return null; }
  }

  later(words) {
    const isKept = this.keep();
    const more = isKept ? (words === noteWords.door ? noteWords.kept : null) : noteWords.full;
    this.tell([words, more].filter(Boolean).join(". "));
    this.isWaiting = true;
    this.soon(this.wait);
    this.wait = Math.min(this.wait * 2, 30000);
    return false;
  }

  // Handles a change made elsewhere. If the note wasn't changed there, saving continues.
  async meet(tries) {
    const other = await NoteEditor.read().catch(() => null);
    if (!other || tries > 3) return this.later(noteWords.away);
    const before = { version: this.version, saved: this.saved };
    this.version = other.version;
    if (other.title === this.saved.title && other.note === this.saved.note) return this.put(tries + 1);
    const isOwn = this.unanswered.some((one) => isSameNote(one, other));
    // What was written here was taken back, so there is nothing to choose from.
    if (!this.isChanged && !isOwn) {
      Object.assign(this.title, { value: other.title });
      Object.assign(this.text, { value: other.note });
    }
    this.saved = { title: other.title, note: other.note };
    if (!this.isChanged) {
      this.settle();
      this.tell(word("Saved"));
      return true;
    }
    // What was written since then changes one's own text.
    if (isOwn) return this.put(tries + 1);
    this.before = before;
    this.keep();
    this.ask(other);
    return false;
  }

  // A choice between two versions takes precedence over other offers.
  hideOffers(isHidden) {
    for (const made of this.form.querySelectorAll(".draft-offer")) made.hidden = isHidden;
  }

  ask(other) {
    this.other = other;
    this.hideOffers(true);
    this.tell(noteWords.conflict);
    const text = element("pre", "old-text", [other.title, other.note].filter(Boolean).join("\n\n") || word("(empty)"));
    text.dir = "auto";
    const choose = (words, what) => {
      const button = element("button", "button button-small", words);
      button.type = "button";
      button.addEventListener("click", () => {
        this.other = null;
        this.before = null;
        this.choice.hidden = true;
        this.hideOffers(false);
        what();
        this.typed();
        this.text.focus();
        this.save();
      });
      return button;
    };
    const row = element("div", "actions");
    row.append(
      choose(word("Keep my version"), () => {}),
      choose(word("Use the other version"), () => {
        const mine = this.values;
        Object.assign(this.title, { value: other.title });
        Object.assign(this.text, { value: other.note });
        const back = element("button", "button button-plain", word("Restore my version"));
        back.type = "button";
        back.addEventListener("click", () => {
          toast.hide();
          if (!this.form.isConnected) return;
          this.title.value = mine.title;
          this.text.value = mine.note;
          this.typed();
        });
        toast.tell(word("Your text was replaced."), "info", back);
      }),
      choose(word("Combine both"), () => {
        this.title.value ||= other.title;
        this.text.value = `${this.text.value.trimEnd()}\n\n${other.note}`;
      }));
    const head = element("p", "", word("This note was changed elsewhere. Nothing is lost: your version is above, the other one is here."));
    this.choice.replaceChildren(head, text, row);
    this.choice.hidden = false;
    this.choice.setAttribute("role", "alert");
  }

  async done() {
    await this.saving;
    if (!(await this.save())) {
      if (this.isWaiting || this.other) return this.status.scrollIntoView?.({ block: "nearest" });
      return;
    }
    clearTimeout(this.timer);
    this.holdPage(false);
    window.removeEventListener("pagehide", this.leaving);
    document.removeEventListener("visibilitychange", this.hidden);
    document.body.classList.remove("is-writing");
    this.text.field?.destroy();
    this.form.remove();
    NoteEditor.current = null;
    readSoon(0);
    byId("edit-note")?.focus({ preventScroll: true });
    say(word("Note saved"));
  }

  // Reads the current note from its own page.
  static async read() {
    const answer = await fetch(`/day/${livePage.day}/note/edit`, {
      credentials: "same-origin", headers: { Accept: "text/html" }, cache: "no-store", signal: patience(10000),
    });
    if (!answer.ok) throw new Error(String(answer.status));
    const form = new DOMParser().parseFromString(await answer.text(), "text/html")
      .querySelector("form[data-saves-by-key]");
    const { title, note, version } = form.elements;
    return {
      title: title.value, note: note.defaultValue, version: version.value,
      isLong: note.classList.contains("is-long"),
    };
  }

  // Opens the note. When a page has just been loaded, the text typed last is restored automatically. If the
  // owner opened the note, another tab may be writing that text at the moment, so it is only offered.
  static async start(isAsked = false) {
    const { day } = livePage;
    const saved = NoteEditor.current ? null : await NoteEditor.read().catch(() => null);
    if (NoteEditor.current) return isAsked ? NoteEditor.current.text.focus() : undefined;
    if (livePage.day !== day) return undefined;
    if (!saved && isAsked) {
      return toast.tell(word("Couldn’t reach Arkived. You can write the note once it can be reached again."));
    }
    const kept = drafts.all("note", day).filter(({ values }) => "note" in values);
    const isSaved = ({ values }) => saved !== null && isSameNote(values, saved);
    for (const one of kept.filter(isSaved)) forgetNote(one);
    const unsaved = kept.filter((one) => !isSaved(one));
    const draft = isAsked ? undefined : unsaved.find((one) => !one.isSent && !one.isForm && isBased(one));
    if (!saved && !draft) return undefined;
    const others = unsaved.filter((one) => one !== draft && /\S/.test([one.values.title, one.values.note].join(""))
      && !(draft && isSameNote(one.values, draft.values)));
    const hasDrafts = draft !== undefined || others.length > 0;
    if (!isAsked && !hasDrafts) return undefined;
    if (saved?.isLong && !hasDrafts) return location.assign(byId("edit-note").href);
    const editor = new NoteEditor(saved, draft);
    NoteEditor.current = editor;
    for (const one of others.reverse()) editor.offer(one);
    if (isAsked) editor.text.focus();
    return undefined;
  }
}

if (isDay) {
  for (const kind of ["pointerover", "focusin"]) {
    document.addEventListener(kind, (event) => { if (event.target.closest?.("#edit-note")) surface.load().catch(() => {}); });
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("#edit-note");
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    NoteEditor.start(true);
  });
  window.addEventListener("online", () => NoteEditor.current?.save());
  whenShown(() => { if (drafts.all("note", livePage.day).length > 0) NoteEditor.start(); });
}
