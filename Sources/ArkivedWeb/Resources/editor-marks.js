// Markdown formatting during editing: large headings, faint marks, checkboxes, pictures. It changes only the
// display, never the text.

const {
  Decoration, EditorView, Language, Strikethrough, TaskList, ViewPlugin, WidgetType, commonmarkLanguage,
  syntaxHighlighting, syntaxTree, tagHighlighter, tags,
} = await import(`./codemirror.js${new URL(import.meta.url).search}`);

// MARK: The language

// Arkived's additions to Markdown: @people, #tags and [[links]].
const startsWord = /[\s([{"“‘,;/&+]/;
const named = (name, sign, pattern) => ({
  name, before: "Link",
  parse(context, next, at) {
    if (next !== sign) return -1;
    if (at > context.offset && !startsWord.test(context.slice(at - 1, at)) && name !== "PageLink") return -1;
    const found = pattern.exec(context.slice(at, Math.min(context.end, at + 200)));
    return found ? context.addElement(context.elt(name, at, at + found[0].length)) : -1;
  },
});

const names = {
  defineNodes: [
    { name: "Person", style: tags.variableName }, { name: "Tag", style: tags.labelName },
    { name: "PageLink", style: tags.className },
  ],
  parseInline: [
    named("Person", 64, /^@\p{L}(?:[\p{L}\p{N}._'’-]*[\p{L}\p{N}])?/u),
    named("Tag", 35, /^#(?=[\p{L}\p{N}_/-]*\p{L})[\p{L}\p{N}_](?:[\p{L}\p{N}_/-]*[\p{L}\p{N}_])?/u),
    named("PageLink", 91, /^\[\[[^[\]\n]+\]\]/),
  ],
};

const language = new Language(
  commonmarkLanguage.data, commonmarkLanguage.parser.configure([TaskList, Strikethrough, names]), [], "markdown");

const looks = tagHighlighter([
  { tag: tags.strong, class: "md-strong" }, { tag: tags.emphasis, class: "md-emphasis" },
  { tag: tags.strikethrough, class: "md-struck" }, { tag: tags.monospace, class: "md-mono" },
  { tag: tags.link, class: "md-link" }, { tag: tags.url, class: "md-address" },
  { tag: tags.processingInstruction, class: "md-mark" }, { tag: tags.contentSeparator, class: "md-mark" },
  { tag: tags.variableName, class: "md-person" }, { tag: tags.labelName, class: "md-tag" },
  { tag: tags.className, class: "md-page" },
]);

// MARK: Replacements for marks

const isTouched = (state, from, to) => state.selection.ranges.some((range) => range.from <= to && range.to >= from);

export function toggleTask(view, from, to) {
  const isDone = /x/i.test(view.state.sliceDoc(from, to));
  view.dispatch({ changes: { from, to, insert: isDone ? "[ ]" : "[x]" }, userEvent: "input" });
}

class CheckBox extends WidgetType {
  constructor(isDone, text) {
    super();
    this.isDone = isDone;
    this.text = text;
  }
  eq(other) { return other.isDone === this.isDone && other.text === this.text; }
  toDOM(view) {
    const box = element("input", "md-box");
    box.type = "checkbox";
    box.checked = this.isDone;
    // The keyboard shortcut for the line does the same; a hundred checkboxes would be a hundred tab stops.
    box.tabIndex = -1;
    box.setAttribute("aria-label", this.text || word("Checkbox"));
    box.addEventListener("mousedown", (event) => event.preventDefault());
    box.addEventListener("click", (event) => {
      event.preventDefault();
      const from = view.posAtDOM(box);
      toggleTask(view, from, from + 3);
    });
    return box;
  }
  ignoreEvent() { return true; }
}

// Only the archive's own files are shown, so a note from elsewhere can't request anything from other servers.
const ownFile = /^\/attachments\/[0-9A-F-]{36}$/i;

class Picture extends WidgetType {
  constructor(address, text) {
    super();
    this.address = address;
    this.text = text;
  }
  eq(other) { return other.address === this.address && other.text === this.text; }
  toDOM(view) {
    const picture = element("img", "md-picture");
    picture.alt = this.text;
    picture.src = `${this.address}/thumbnail?size=large`;
    picture.addEventListener("load", () => view.requestMeasure());
    return picture;
  }
  get estimatedHeight() { return 240; }
  ignoreEvent() { return false; }
}

const hidden = Decoration.replace({});
const done = Decoration.mark({ class: "md-done" });
const lineLooks = new Map();
function lineLook(name) {
  if (!lineLooks.has(name)) {
    lineLooks.set(name, Decoration.line({ class: name, attributes: { dir: "auto" } }));
  }
  return lineLooks.get(name);
}

const lineNames = (name) => {
  const heading = /^(?:ATX|Setext)Heading(\d)$/.exec(name);
  if (heading) return `md-heading md-heading-${heading[1]}`;
  return { Blockquote: "md-quote", FencedCode: "md-code", CodeBlock: "md-code" }[name];
};

function drawn(view) {
  const { state } = view;
  const found = [];
  const lines = new Map();
  const onLines = (from, to, name) => {
    for (let at = from; at <= to;) {
      const line = state.doc.lineAt(at);
      if (!lines.get(line.from)?.includes(name)) lines.set(line.from, [...lines.get(line.from) ?? [], name]);
      at = line.to + 1;
    }
  };
  for (const { from, to } of view.visibleRanges) {
    onLines(from, to, "md-line");
    syntaxTree(state).iterate({
      from, to,
      enter(node) {
        const name = lineNames(node.name);
        if (name) onLines(Math.max(from, node.from), Math.min(to, node.to), name);
        if (node.name === "HorizontalRule" && !isTouched(state, node.from, node.to)) {
          onLines(node.from, node.from, "md-rule");
        } else if (node.name === "ListItem") {
          const first = state.doc.lineAt(node.from);
          const depth = Math.min(3, Math.ceil((node.from - first.from) / 2));
          onLines(node.from, node.from, depth > 0 ? `md-item md-item-in-${depth}` : "md-item");
        } else if (node.name === "Task") {
          onLines(node.from, node.from, "md-item-task");
          drawTask(state, node.node, found);
        } else if (node.name === "Link" || node.name === "Image") {
          drawLink(state, node.node, found);
        }
      },
    });
  }
  for (const [at, all] of lines) found.push(lineLook(all.join(" ")).range(at));
  return Decoration.set(found, true);
}

function drawTask(state, task, found) {
  const mark = task.getChild("TaskMarker");
  if (!mark) return;
  const isDone = /x/i.test(state.sliceDoc(mark.from, mark.to));
  if (isDone && mark.to < task.to) found.push(done.range(mark.to, task.to));
  if (isTouched(state, mark.from, mark.to)) return;
  const text = state.sliceDoc(mark.to, Math.min(task.to, mark.to + 120)).trim();
  found.push(Decoration.replace({ widget: new CheckBox(isDone, text) }).range(mark.from, mark.to));
}

// The address of a link and the marks around it are shown while the cursor is there.
function drawLink(state, link, found) {
  const marks = link.getChildren("LinkMark");
  const address = link.getChild("URL");
  if (marks.length < 4 || !address || isTouched(state, link.from, link.to)) return;
  if (state.doc.lineAt(link.from).to < link.to) return;
  const target = state.sliceDoc(address.from, address.to);
  const text = state.sliceDoc(marks[0].to, marks[1].from);
  if (link.name === "Link") {
    if (text.trim() === "") return;
    found.push(hidden.range(marks[0].from, marks[0].to), hidden.range(marks[1].from, link.to));
  } else if (ownFile.test(target)) {
    found.push(Decoration.replace({ widget: new Picture(target, text) }).range(link.from, link.to));
  }
}

const drawing = ViewPlugin.fromClass(class {
  constructor(view) {
    this.decorations = drawn(view);
    this.tree = syntaxTree(view.state);
  }
  update(update) {
    const tree = syntaxTree(update.state);
    if (!update.docChanged && !update.viewportChanged && !update.selectionSet && tree === this.tree) return;
    // Text that is being composed with an input method must not be redrawn.
    this.decorations = update.view.composing ? this.decorations.map(update.changes) : drawn(update.view);
    this.tree = tree;
  }
}, { decorations: (plugin) => plugin.decorations });

export const marks = [language, syntaxHighlighting(looks), drawing, EditorView.perLineTextDirection.of(true)];
