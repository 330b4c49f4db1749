// The editor: a text area whose Markdown shows its formatting while it is edited. The text area remains the
// form's field and contains the text, so drafts and saving don't depend on the editor. One tap shows the text
// area again, and it is used alone if scripts are off or this file can't be loaded.

const { search } = new URL(import.meta.url);
const [cm, { marks, toggleTask }, { completion }] = await Promise.all([
  import(`./codemirror.js${search}`), import(`./editor-marks.js${search}`), import(`./editor-complete.js${search}`),
  new Promise((resolve, reject) => {
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = `/assets/editor.css${search}`;
    sheet.addEventListener("load", resolve);
    sheet.addEventListener("error", reject);
    document.head.append(sheet);
  }),
]);
const {
  Decoration, EditorSelection, EditorState, EditorView, StateEffect, StateField, WidgetType, keymap, syntaxTree,
} = cm;

// MARK: Inserting marks

// Adds a mark on both sides of the selection, or of the word at the cursor, or removes it.
const wrap = (mark) => (view) => {
  const { state } = view;
  view.dispatch(state.changeByRange((range) => {
    const word = range.empty ? state.wordAt(range.head) : null;
    const { from, to } = word ?? range;
    const size = mark.length;
    const isOutside = state.sliceDoc(from - size, from) === mark && state.sliceDoc(to, to + size) === mark
      && !(mark === "*" && state.sliceDoc(from - 2, from) === "**" && state.sliceDoc(from - 3, from) !== "***");
    if (isOutside) {
      return {
        changes: [{ from: from - size, to: from }, { from: to, to: to + size }],
        range: EditorSelection.range(range.anchor - size, range.head - size),
      };
    }
    return {
      changes: [{ from, insert: mark }, { from: to, insert: mark }],
      range: EditorSelection.range(range.anchor + size, range.head + size),
    };
  }), { userEvent: "input", scrollIntoView: true });
  view.focus();
  return true;
};

const lineMark = /^(\s*)(#{1,6} |> |[-*+] \[[ xX]\] |[-*+] |\d{1,9}[.)] )?/;
const kindOf = (mark) => mark.trim().replace(/^\d+/, "1").replace(/^[*+]/, "-").replace(/\[[xX]\]/, "[ ]");

// Makes the selected lines begin with a mark, or removes it if all of them do.
const begin = (mark) => (view) => {
  const { state } = view;
  const { from, to } = state.selection.main;
  const lines = [];
  for (let at = from; at <= to;) {
    const line = state.doc.lineAt(at);
    lines.push(line);
    at = line.to + 1;
  }
  const filled = lines.length > 1 ? lines.filter(({ text }) => text.trim() !== "") : lines;
  const own = (line) => lineMark.exec(line.text);
  const isAll = filled.every((line) => kindOf(own(line)[2] ?? "") === kindOf(mark));
  let number = 0;
  const changes = filled.map((line) => {
    const [, space, old = ""] = own(line);
    number += 1;
    const fresh = isAll ? "" : mark.replace(/^1/, String(number));
    return { from: line.from + space.length, to: line.from + space.length + old.length, insert: fresh };
  });
  view.dispatch({
    changes, selection: state.selection.map(state.changes(changes), 1), userEvent: "input", scrollIntoView: true,
  });
  view.focus();
  return true;
};

function taskAt(state, at) {
  const line = state.doc.lineAt(at);
  const found = /^(\s*(?:>\s?)*(?:[-*+]|\d{1,9}[.)]) )\[[ xX]\](?=\s|$)/.exec(line.text);
  return found ? line.from + found[1].length : null;
}

function tick(view) {
  const from = taskAt(view.state, view.state.selection.main.head);
  if (from === null) return false;
  toggleTask(view, from, from + 3);
  return true;
}

// Switches between a heading, a smaller one, and none.
function heading(view) {
  const { text } = view.state.doc.lineAt(view.state.selection.main.head);
  const [, , mark = ""] = lineMark.exec(text);
  return begin({ "# ": "## ", "## ": "### ", "### ": "### " }[mark] ?? "# ")(view);
}

// Inserts a block on separate lines; `at` is the position of the cursor in it.
const block = (text, at = text.length) => (view) => {
  const { state } = view;
  const { head } = state.selection.main;
  const line = state.doc.lineAt(head);
  const lead = line.text.trim() === "" ? "" : "\n\n";
  const place = lead === "" ? line.from : line.to;
  view.dispatch({
    changes: { from: place, to: line.to, insert: lead + text },
    selection: { anchor: place + lead.length + at }, userEvent: "input", scrollIntoView: true,
  });
  view.focus();
  return true;
};

function link(view) {
  const { state } = view;
  const { from, to } = state.selection.main;
  const text = state.sliceDoc(from, to);
  const isAddress = /^https?:\/\/\S+$/.test(text);
  const insert = isAddress ? `[](${text})` : `[${text}]()`;
  const anchor = from + (isAddress || text === "" ? 1 : insert.length - 1);
  view.dispatch({ changes: { from, to, insert }, selection: { anchor }, userEvent: "input", scrollIntoView: true });
  view.focus();
  return true;
}

const insertText = (text) => (view) => {
  view.dispatch(view.state.replaceSelection(text), { userEvent: "input", scrollIntoView: true });
  view.focus();
  return true;
};

const now = (options) => new Intl.DateTimeFormat(readersLocale, options).format(new Date());

const blocks = (field) => [
  { label: word("Heading"), detail: "#", run: begin("# ") },
  { label: word("Smaller heading"), detail: "##", run: begin("## ") },
  { label: word("List"), detail: "-", run: begin("- ") },
  { label: word("Numbered list"), detail: "1.", run: begin("1. ") },
  { label: word("Checkbox"), detail: "- [ ]", run: begin("- [ ] ") },
  { label: word("Quote"), detail: ">", run: begin("> ") },
  { label: word("Code"), detail: "```", run: block("```\n\n```", 4) },
  { label: word("Divider"), detail: "---", run: block("---\n") },
  { label: word("Insert link"), detail: "[ ]( )", run: link },
  ...(field.filesAddress ? [{ label: word("Picture or file"), run: () => field.choose() }] : []),
  { label: word("Today’s date"), run: (view) => insertText(now({ dateStyle: "long" }))(view) },
  { label: word("Current time"), run: (view) => insertText(now({ timeStyle: "short" }))(view) },
];

// At the beginning of a list item, Tab makes it part of the one above; elsewhere, Tab goes to the next
// control, as in every form.
function isItemStart(state) {
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  const found = /^\s*(?:[-*+]|\d{1,9}[.)]) (?:\[[ xX]\] )?/.exec(line.text);
  return main.empty && found !== null && main.head === line.from + found[0].length;
}
const inItems = (command) => (view) => isItemStart(view.state) && command(view);
const outItems = (view) => /^\s/.test(view.state.doc.lineAt(view.state.selection.main.head).text) && cm.indentLess(view);

const keys = [
  ...cm.completionKeymap,
  { key: "Tab", run: cm.acceptCompletion },
  { key: "Tab", run: inItems(cm.indentMore), shift: inItems(outItems) },
  { key: "Enter", run: cm.insertNewlineContinueMarkup },
  { key: "Backspace", run: cm.deleteMarkupBackward },
  { key: "Mod-b", run: wrap("**"), preventDefault: true },
  { key: "Mod-i", run: wrap("*"), preventDefault: true },
  { key: "Alt-Enter", run: tick },
  { key: "Alt-ArrowUp", run: cm.moveLineUp }, { key: "Alt-ArrowDown", run: cm.moveLineDown },
  ...cm.historyKeymap.filter(({ key }) => key !== "Mod-u"),
  ...cm.standardKeymap,
];

// Opens the link at a click with Ctrl or the command key; a plain click places the cursor in it.
function followLink(event, view) {
  if (!event.ctrlKey && !event.metaKey) return false;
  const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
  let node = at === null ? null : syntaxTree(view.state).resolveInner(at, 1);
  while (node && !["Link", "Autolink", "URL"].includes(node.name)) node = node.parent;
  const address = node?.name === "URL" ? node : node?.getChild("URL");
  const text = address ? view.state.sliceDoc(address.from, address.to) : "";
  if (!/^(https?:\/\/|\/(?!\/))/i.test(text)) return false;
  window.open(text, "_blank", "noopener,noreferrer");
  return true;
}

// MARK: Uploads

class Uploading extends WidgetType {
  constructor(words) {
    super();
    this.words = words;
  }
  eq(other) { return other.words === this.words; }
  toDOM() { return element("span", "md-upload", this.words); }
}

const uploadBegins = StateEffect.define({ map: (value, change) => ({ ...value, at: change.mapPos(value.at) }) });
const uploadEnds = StateEffect.define();
const uploads = StateField.define({
  create: () => Decoration.none,
  update(all, transaction) {
    let now = all.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(uploadBegins)) {
        const widget = Decoration.widget({ widget: new Uploading(effect.value.words), side: 1, key: effect.value.key });
        now = now.update({ add: [widget.range(effect.value.at)] });
      } else if (effect.is(uploadEnds)) {
        now = now.update({ filter: (from, to, { spec }) => spec.key !== effect.value });
      }
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

// Returns the Markdown for a file that is in the archive.
function markdownOf({ id, mediaType, originalName }) {
  const isPicture = mediaType?.startsWith("image/") ?? false;
  const bare = (originalName ?? "").replace(/\.\w{1,5}$/, "");
  const isNamed = bare !== "" && !/^(image|img|file)[-_ ]?\d*$/i.test(bare);
  const name = (isNamed ? bare : isPicture ? word("Picture") : originalName || word("File")).replace(/[[\]\\`*_<>]/g, " ");
  return `${isPicture ? "!" : ""}[${name.trim()}](/attachments/${id})`;
}

// MARK: The field

const own = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value");
const isPlainKey = "editor.plain";
const isWideKey = "editor.wide";

const drawings = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3", redo: "m15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  heading: "M6 4v16M18 4v16M6 12h12", bold: "M7 4h6a4 4 0 0 1 0 8H7zM7 12h7a4 4 0 0 1 0 8H7z",
  italic: "M10 4h8M6 20h8M14 4l-4 16", list: "M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01",
  task: "M4 5h7v7H4zM5.5 8.5l1.5 1.5 3-3.5M15 8h6M4 17h17",
  quote: "M5 5v14M10 8h10M10 12h10M10 16h6", link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M9 9h.01", plain: "m8 7-5 5 5 5M16 7l5 5-5 5",
  focus: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5", wide: "M3 12h18M7 8l-4 4 4 4M17 8l4 4-4 4",
};

function drawing(name) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("class", "icon");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", drawings[name]);
  picture.append(path);
  return picture;
}

const hasFiles = (data) => data?.types.includes("Files") ?? false;
let uploadNumber = 0;

// Parses what is seen first. The editor gives up after 20 ms, and on a busy computer, lines would move when their marks
// are drawn later.
function parsed(state) {
  state.field(cm.Language.state, false)?.context.work(300, Math.min(state.doc.length, 3_000));
  return state.update({}).state;
}

export class MarkdownField {
  constructor(area, text) {
    this.area = area;
    this.before = text;
    area.field = this;
    const hadFocus = document.activeElement === area;
    const caret = [area.selectionStart, area.selectionEnd];
    this.build();
    // A plain field with a long text blocks the browser for a minute, so it is shown only on request.
    if (storage.read(isPlainKey) && !area.classList.contains("is-long")) {
      this.setPlain(true);
    } else {
      this.mount();
      if (hadFocus) {
        this.view.dispatch({ selection: { anchor: caret[0], head: caret[1] } });
        this.view.focus();
      }
    }
    this.count();
  }

  get isPlain() { return !this.view; }
  // The text with its own line endings; the field's value has normalised ones.
  get text() {
    if (this.isPlain) return withReturns(own.get.call(this.area), this.before);
    this.known ??= this.view.state.doc.toString();
    return this.known;
  }

  // The address for uploading files for this text; none until it is in the archive.
  get filesAddress() {
    const { form } = this.area;
    const action = form?.getAttribute("action") ?? "";
    if (livePage.day && (livePage.kind === "day" || livePage.kind === "note-edit")) {
      return `/api/v1/days/${livePage.day}/attachments`;
    }
    return /^\/(activities|notes)\/[0-9A-F-]{36}$/i.test(action) ? `/api/v1${action}/attachments` : null;
  }

  // MARK: Parts

  build() {
    const { area } = this;
    this.frame = element("div", "md-editor");
    this.host = element("div", "md-host");
    this.tools = element("div", "md-tools");
    this.tools.setAttribute("role", "toolbar");
    this.tools.setAttribute("aria-label", word("Writing tools"));
    const act = (run) => () => run(this.view);
    this.button("undo", word("Undo"), act(cm.undo));
    this.button("redo", word("Redo"), act(cm.redo));
    this.button("heading", word("Heading"), act(heading));
    this.button("bold", word("Bold"), act(wrap("**")));
    this.button("italic", word("Italic"), act(wrap("*")));
    this.button("list", word("List"), act(begin("- ")));
    this.button("task", word("Checkbox"), act((view) => tick(view) || begin("- [ ] ")(view)));
    this.button("quote", word("Quote"), act(begin("> ")));
    this.button("link", word("Insert link"), act(link));
    if (this.filesAddress) this.button("picture", word("Picture or file"), () => this.choose());
    this.plainButton = this.button("plain", word("Plain Markdown"), () => this.setPlain(!this.isPlain, true));
    this.plainButton.classList.add("md-tool-first");
    this.wideButton = this.button("wide", word("Full width"), () => this.setWide(!this.isWide));
    this.focusButton = this.button("focus", word("Focus"), () => this.setFocused(!this.isFocused));
    for (const button of [this.plainButton, this.wideButton, this.focusButton]) button.setAttribute("aria-pressed", "false");
    for (const [place, button] of [...this.tools.children].entries()) button.tabIndex = place === 0 ? 0 : -1;
    this.tools.addEventListener("keydown", (event) => this.walk(event));
    this.foot = element("p", "md-foot hint");
    // Borders are around the text's host.
    const height = area.offsetHeight - 2 * area.clientTop;
    area.before(this.frame);
    this.frame.append(this.tools, this.host, area, this.foot);
    if (height > 0) this.frame.style.setProperty("--field-height", `${height}px`);
    this.stage = area.form?.matches(".note-editor") ? area.form : this.frame;
    this.onEscape = (event) => {
      if (event.key !== "Escape" || event.isComposing || !this.isFocused) return;
      if (this.view && cm.completionStatus(this.view.state)) return;
      event.preventDefault();
      event.stopPropagation();
      this.setFocused(false);
    };
    this.stage.addEventListener("keydown", this.onEscape, true);
    // Updating a hidden field with a long text takes half a second at each key, so the text is copied to it
    // only when it is needed.
    area.form?.addEventListener("formdata", (event) => {
      if (!this.isPlain && area.name) event.formData.set(area.name, area.value);
    });
    area.addEventListener("input", () => { if (this.isPlain) this.countSoon(); });
    area.addEventListener("paste", (event) => this.take(event, event.clipboardData));
    area.addEventListener("drop", (event) => this.take(event, event.dataTransfer));
    // A file dropped beside the text would otherwise replace the page.
    if (!attachForm()) {
      const isBeside = (event) => area.isConnected && !event.defaultPrevented;
      document.addEventListener("dragover", (event) => { if (isBeside(event)) this.over(event); });
      document.addEventListener("drop", (event) => { if (isBeside(event)) this.take(event, event.dataTransfer); });
    }
    for (const label of area.labels ?? []) {
      label.id ||= `${area.id}-label`;
      label.addEventListener("click", (event) => {
        if (this.isPlain) return;
        event.preventDefault();
        this.view.focus();
      });
    }
  }

  button(name, words, run) {
    const made = element("button", "md-tool");
    made.type = "button";
    made.dataset.tool = name;
    made.title = words;
    made.setAttribute("aria-label", words);
    made.append(drawing(name));
    // The phone's keyboard stays open.
    made.addEventListener("mousedown", (event) => event.preventDefault());
    made.addEventListener("click", run);
    this.tools.append(made);
    return made;
  }

  // The toolbar is one tab stop; arrow keys move within it.
  walk(event) {
    const all = [...this.tools.children].filter((button) => !button.hidden);
    const place = all.indexOf(document.activeElement);
    const isBackward = getComputedStyle(this.tools).direction === "rtl";
    const steps = { ArrowRight: isBackward ? -1 : 1, ArrowLeft: isBackward ? 1 : -1 };
    let next;
    if (event.key in steps) next = all[(place + steps[event.key] + all.length) % all.length];
    else if (event.key === "Home") next = all[0];
    else if (event.key === "End") next = all.at(-1);
    if (!next || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.stopAt(next);
    next.focus();
  }

  stopAt(button) {
    for (const one of this.tools.children) one.tabIndex = one === button ? 0 : -1;
  }

  // MARK: Rich and plain text

  mount() {
    const { area, text } = this;
    const label = area.getAttribute("aria-label");
    const attributes = {
      dir: "auto", lang: document.documentElement.lang, spellcheck: String(area.spellcheck), autocorrect: "on",
      autocapitalize: "sentences", "aria-multiline": "true",
    };
    if (label) attributes["aria-label"] = label;
    else attributes["aria-labelledby"] = [...area.labels].map(({ id }) => id).join(" ");
    for (const name of ["aria-describedby", "aria-invalid"]) {
      if (area.hasAttribute(name)) attributes[name] = area.getAttribute(name);
    }
    this.known = null;
    if (this.left) {
      // Changes made before the plain text was shown can still be undone.
      this.view = new EditorView({ state: this.left, parent: this.host });
      this.replace(text);
      this.left = null;
    } else {
      const state = parsed(EditorState.create({
        doc: text,
        extensions: [
          // A carriage return from elsewhere is kept.
          text.includes("\r") ? EditorState.lineSeparator.of("\n") : [],
          EditorView.clipboardInputFilter.of((pasted) => pasted.replace(/\r\n?/g, "\n")),
          EditorState.phrases.of({ Completions: word("Suggestions") }),
          cm.history(), uploads, marks, completion(blocks(this)), keymap.of(keys), EditorView.lineWrapping,
          cm.placeholder(area.placeholder), EditorView.contentAttributes.of(attributes),
          EditorView.updateListener.of((update) => this.changed(update)),
          EditorView.domEventHandlers({
            paste: (event) => this.take(event, event.clipboardData),
            drop: (event) => this.take(event, event.dataTransfer),
            dragover: (event) => this.over(event),
            click: followLink,
          }),
        ],
      }));
      this.view = new EditorView({ state, parent: this.host });
    }
    Object.defineProperty(area, "value", {
      configurable: true, get: () => this.text.replace(/\r\n?/g, "\n"), set: (fresh) => this.replace(String(fresh)),
    });
    area.focus = () => this.view.focus();
    area.hidden = true;
    this.frame.classList.remove("is-plain");
  }

  unmount() {
    const { area } = this;
    const { value } = area;
    this.before = this.text;
    this.left = this.view.state;
    this.view.destroy();
    this.view = null;
    delete area.value;
    delete area.focus;
    if (own.get.call(area) !== value) own.set.call(area, value);
    area.hidden = false;
  }

  setPlain(isPlain, isChosen = false) {
    const caret = this.view?.state.selection.main.head ?? this.area.selectionEnd;
    if (isPlain && this.view) this.unmount();
    else if (!isPlain && !this.view) this.mount();
    this.frame.classList.toggle("is-plain", isPlain);
    this.plainButton.setAttribute("aria-pressed", String(isPlain));
    for (const button of this.tools.children) {
      button.hidden = isPlain && !["plain", "wide", "focus", "picture"].includes(button.dataset.tool);
    }
    this.stopAt([...this.tools.children].find((button) => !button.hidden));
    if (!isChosen) return;
    storage.write(isPlainKey, isPlain);
    if (isPlain) {
      this.area.focus();
      this.area.setSelectionRange(caret, caret);
    } else {
      this.view.dispatch({ selection: { anchor: Math.min(caret, this.view.state.doc.length) }, scrollIntoView: true });
      this.view.focus();
    }
    say(isPlain ? word("Plain Markdown") : word("Formatting is shown"));
  }

  changed(update) {
    if (!update.docChanged) return;
    this.known = null;
    this.countSoon();
    this.area.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // Changes only the differences, so the cursor and the undo history are kept.
  replace(text) {
    const old = this.text;
    if (text === old) return;
    const most = Math.min(text.length, old.length);
    let from = 0;
    while (from < most && text[from] === old[from]) from += 1;
    let same = 0;
    while (same < most - from && text[text.length - 1 - same] === old[old.length - 1 - same]) same += 1;
    this.view.dispatch({
      changes: { from, to: old.length - same, insert: text.slice(from, text.length - same) },
      annotations: cm.isolateHistory.of("full"),
    });
  }

  // MARK: Counting

  countSoon() {
    clearTimeout(this.counting);
    this.counting = setTimeout(() => this.count(), 300);
  }

  count() {
    // Counting a long text would interrupt the writer.
    const length = this.view?.state.doc.length ?? own.get.call(this.area).length;
    if (length > longestNote) {
      this.foot.textContent = "";
      return;
    }
    const text = this.text.replace(/\]\([^)\n]*\)/g, "] ").replace(/\[x\]/gi, "");
    const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text);
    const words = isUnspaced && "Segmenter" in Intl && text.length < 100000
      ? [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)].filter(({ isWordLike }) => isWordLike).length
      : (text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []).length;
    const shown = new Intl.NumberFormat(document.documentElement.lang).format(words);
    this.foot.textContent = words === 0 ? "" : words === 1 ? word("1 word") : word("{1} words", shown);
  }

  // MARK: Focus mode

  setWide(isWide) {
    this.isWide = isWide;
    this.stage.classList.toggle("is-wide", isWide);
    this.wideButton.setAttribute("aria-pressed", String(isWide));
    storage.write(isWideKey, isWide);
    if (isWide && !this.isFocused) this.setFocused(true);
    this.area.focus();
  }

  // Only the text is visible and reachable.
  setFocused(isFocused) {
    if (isFocused === Boolean(this.isFocused)) return;
    this.isFocused = isFocused;
    this.stage.classList.toggle("is-focused", isFocused);
    this.focusButton.setAttribute("aria-pressed", String(isFocused));
    document.documentElement.classList.toggle("has-focus-mode", isFocused);
    if (isFocused) {
      if (storage.read(isWideKey) && !this.isWide) this.setWide(true);
      this.silenced = [];
      for (let part = this.stage; part.parentElement && part !== document.body; part = part.parentElement) {
        for (const other of part.parentElement.children) {
          if (other === part || other.inert || other.matches("dialog, script, .toast-place, #live-status")) continue;
          other.inert = true;
          this.silenced.push(other);
        }
      }
    } else {
      for (const other of this.silenced) other.inert = false;
    }
    this.view?.requestMeasure();
    this.area.focus();
    say(isFocused ? word("Focus mode on. Press Escape to exit.") : word("Focus mode off"));
  }

  destroy() {
    if (this.isFocused) this.setFocused(false);
    clearTimeout(this.counting);
    this.stage.removeEventListener("keydown", this.onEscape, true);
    this.isGone = true;
    if (this.view) this.unmount();
  }

  // MARK: Files

  // The page attaches files itself (day-files.js) if the text can't have any.
  get leavesFiles() { return !this.filesAddress && attachForm() !== null; }

  over(event) {
    if (!hasFiles(event.dataTransfer) || this.leavesFiles) return false;
    event.stopPropagation();
    event.dataTransfer.dropEffect = "copy";
    // The page accepts files, too, while they are dragged over the rest of it.
    document.dispatchEvent(new DragEvent("dragleave"));
    event.preventDefault();
    return true;
  }

  // Takes the files that are pasted or dropped; text is handled as usual.
  take(event, data) {
    const files = [...data?.files ?? []];
    if (files.length === 0 || (event.type === "paste" && data.types.includes("text/plain"))) return false;
    event.preventDefault();
    if (this.leavesFiles) return true;
    event.stopPropagation();
    if (!this.filesAddress) {
      toast.tell(word("Nothing was attached. Save first, then add files."));
      return true;
    }
    const at = event.type === "drop" ? this.view?.posAtCoords({ x: event.clientX, y: event.clientY }, false) : null;
    this.attach(files, at ?? this.view?.state.selection.main.head ?? this.area.selectionEnd);
    return true;
  }

  choose() {
    const input = element("input");
    input.type = "file";
    input.multiple = true;
    input.addEventListener("change", () => {
      if (input.files.length > 0) this.attach([...input.files], this.view?.state.selection.main.head ?? this.area.selectionEnd);
    });
    input.click();
  }

  async attach(files, at) {
    const words = files.length === 1 ? word("Attaching {1}", files[0].name || word("a file")) : word("Attaching {1} files", files.length);
    uploadNumber += 1;
    const key = uploadNumber;
    const startedIn = this.view;
    startedIn?.dispatch({ effects: uploadBegins.of({ at, key, words }) });
    say(words);
    const created = await this.send(files);
    if (this.isGone) return;
    let place = at;
    if (this.view && this.view.state.field(uploads, false)) {
      for (const one = this.view.state.field(uploads).iter(); one.value; one.next()) {
        if (one.value.spec.key === key) place = one.from;
      }
      this.view.dispatch({ effects: uploadEnds.of(key) });
    }
    if (created.length === 0) return;
    const text = this.text;
    place = Math.min(place, text.length);
    const lead = place > 0 && text[place - 1] !== "\n" ? "\n" : "";
    const tail = place < text.length && text[place] === "\n" ? "" : "\n";
    const insert = lead + created.map(markdownOf).join("\n") + tail;
    if (this.view) {
      this.view.dispatch({
        changes: { from: place, insert }, selection: { anchor: place + insert.length }, userEvent: "input.drop",
        annotations: cm.isolateHistory.of("full"), scrollIntoView: true,
      });
    } else {
      this.area.setRangeText(insert, place, place, "end");
      this.area.dispatchEvent(new Event("input", { bubbles: true }));
    }
    say(word("Attached"));
  }

  // Resolves to the created attachments.
  async send(files) {
    const body = new FormData();
    for (const file of files) body.append("files", file, file.name || "file");
    reading.isHeld = true;
    try {
      const before = await this.pristine();
      const answer = await fetch(this.filesAddress, {
        method: "POST", body, credentials: "same-origin", headers: { Accept: "application/json", "Idempotency-Key": freshKey() },
      });
      if (answer.status === 401) {
        toast.tell(word("You’re signed out, so nothing was attached. Sign in again in another tab."));
        return [];
      }
      const made = await answer.json();
      if (!answer.ok) {
        toast.tell(made.detail ?? word("Couldn’t attach this."));
        return [];
      }
      if (before) await this.follow();
      return made.created;
    } catch {
      toast.tell(word("Couldn’t reach Arkived. Nothing was attached."));
      return [];
    } finally {
      reading.isHeld = false;
      readSoon(0);
    }
  }

  // Returns the form with the archive's current state, if nobody has changed it since it was opened here.
  async pristine() {
    const { form } = this.area;
    if (!form?.elements.version || form.isBehind) return null;
    const answer = await fetch(page.dataset.refresh ?? location.pathname, { credentials: "same-origin", cache: "no-store" });
    if (!answer.ok) return null;
    const other = new DOMParser().parseFromString(await answer.text(), "text/html");
    const newest = [...other.forms].find((one) => one.getAttribute("action") === form.getAttribute("action"));
    const fields = (one) => [...one.elements].filter(({ name }) => name && name !== "version" && name !== "idempotencyKey");
    if (!newest) return null;
    const [mine, theirs] = [fields(form), fields(newest)];
    const isSame = mine.length === theirs.length && mine.every((field, place) => {
      const twin = theirs[place];
      return field.name === twin.name && field.defaultValue === twin.defaultValue && field.defaultChecked === twin.defaultChecked;
    });
    return isSame ? newest : null;
  }

  // If only a file was added, there is no conflict about the text.
  async follow() {
    if (livePage.kind === "activity-edit") return takeFiles();
    const newest = await this.pristine();
    if (newest) this.area.form.elements.version.value = newest.elements.version.value;
  }
}
