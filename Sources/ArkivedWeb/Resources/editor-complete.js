// The editor's completions: / for blocks, @ for people, # for tags, [[ for link targets.

const { autocompletion, syntaxTree } = await import(`./codemirror.js${new URL(import.meta.url).search}`);

// Without a response, there are no suggestions; writing continues.
async function ask(path, values) {
  try {
    const answer = await fetch(`/api/v1/${path}?${new URLSearchParams(values)}`, {
      credentials: "same-origin", headers: { Accept: "application/json" }, signal: AbortSignal.timeout(4000),
    });
    return answer.ok ? await answer.json() : {};
  } catch {
    return {};
  }
}

// Returns the typed text and its start; nothing within code.
function typed(context, pattern, sign) {
  const found = context.matchBefore(pattern);
  if (!found) return null;
  for (let node = syntaxTree(context.state).resolveInner(context.pos, -1); node; node = node.parent) {
    if (/Code|HTML|Comment/.test(node.name)) return null;
  }
  const from = found.from + found.text.lastIndexOf(sign);
  return { from, text: context.state.sliceDoc(from + sign.length, context.pos) };
}

const startsLike = (text, query) => text.toLocaleLowerCase().startsWith(query.toLocaleLowerCase());
const isSame = (one, other) => one.toLocaleLowerCase() === other.toLocaleLowerCase();
const before = String.raw`(?:^|[\s([{"“‘,;/&+])`;

// Replaces the typed text with another one, followed by one space.
const putting = (text, from) => (view, completion, _, to) => {
  const follows = view.state.sliceDoc(to, to + 1);
  const insert = /^[\s.,;:!?)\]]/.test(follows) ? text : `${text} `;
  view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length }, userEvent: "input.complete" });
};

// MARK: People and tags

async function people(query, limit) {
  const { people: found = [] } = await ask("people", { query, limit, order: "lastSeen" });
  const sorted = [...found].sort((one, other) => startsLike(other.displayName, query) - startsLike(one.displayName, query));
  return sorted.filter(({ displayName }) => displayName && !displayName.includes("@"));
}

// A name as written after an @: underscores replace the spaces.
const handle = (name) => name.replace(/[^\p{L}\p{N}._'’ -]+/gu, "").trim().replace(/\s+/g, "_");

const personPattern = new RegExp(String.raw`${before}@[\p{L}\p{N}._'’-]*$`, "u");
async function completePeople(context) {
  const part = typed(context, personPattern, "@");
  if (!part) return null;
  const found = await people(part.text.replace(/[_.]/g, " ").trim(), 12);
  // If the name is already complete, Enter starts a new line.
  if (found.some(({ displayName }) => isSame(handle(displayName), part.text))) return null;
  const options = found.filter(({ displayName }) => handle(displayName)).map(({ displayName }) => ({
    label: displayName, type: "person", apply: putting(`@${handle(displayName)}`, part.from),
  }));
  return options.length > 0 ? { from: part.from + 1, options, filter: false } : null;
}

const tagPattern = new RegExp(String.raw`${before}#[\p{L}\p{N}_/-]*$`, "u");
async function completeTags(context) {
  const part = typed(context, tagPattern, "#");
  // At the beginning of a line, # alone starts a heading.
  if (!part || (part.text === "" && context.state.doc.lineAt(part.from).from === part.from)) return null;
  const { tags = [] } = await ask("tags", part.text === "" ? { limit: 12 } : { query: part.text, limit: 12 });
  if (tags.some(({ name }) => isSame(name, part.text))) return null;
  const options = tags.filter(({ name }) => /^[\p{L}\p{N}_][\p{L}\p{N}_/+-]*$/u.test(name)).map(({ name }) => ({
    label: name, type: "tag", apply: putting(`#${name}`, part.from),
  }));
  return options.length > 0 ? { from: part.from + 1, options, filter: false } : null;
}

// MARK: Links

const pad = (number) => String(number).padStart(2, "0");
const dayKey = (date) => `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
const dayName = (key) => {
  const [year, month, day] = key.split("-").map(Number);
  return new Intl.DateTimeFormat(readersLocale, {
    weekday: "short", day: "numeric", month: "long", year: "numeric", timeZone: "UTC",
  }).format(Date.UTC(year, month - 1, day));
};

// The archive's today, which may differ from the browser's.
function todayAnd(days) {
  const [year, month, day] = (page?.dataset.today ?? page?.dataset.day ?? dayKey(new Date())).split("-").map(Number);
  return dayKey(new Date(year, month - 1, day + days));
}

const dayTarget = (label, key) => ({ label, detail: dayName(key), insert: `[[${key}]]`, type: "day", key });

async function dayTargets(query) {
  const near = [[word("Today"), 0], [word("Yesterday"), -1], [word("Tomorrow"), 1]]
    .map(([label, days]) => dayTarget(label, todayAnd(days)));
  if (query === "") return near;
  const found = near.filter(({ label, key }) => startsLike(label, query) || key.startsWith(query));
  if (/^\d{4}-\d{2}-\d{2}$/.test(query)) return [dayTarget(query, query)];
  if (!/\d/.test(query) && query.length < 4) return found;
  const { matches = [] } = await ask("when", { phrase: query });
  const key = matches[0]?.start?.slice(0, 10);
  const isWhole = key && matches[0].text.length >= query.trim().length;
  if (isWhole && !found.some((one) => one.key === key)) found.push(dayTarget(query, key));
  return found;
}

const targetKinds = {
  person: word("Person"), note: word("Note"), activity: word("Entry"), meeting: word("Meeting"),
};

// The archive determines what to insert: the name, or the ID if the name is ambiguous. Entries are requested
// separately, because in a combined list they come after all names.
async function namedTargets(query) {
  const found = await Promise.all(["person,note", "activity"].map((types) => (
    ask("link-targets", { query, types, limit: 12 }))));
  return found.flatMap(({ targets = [] }) => targets).filter(({ title }) => title).map((one) => {
    const { type, title: label, dayKey: day, insert } = one;
    return { label, detail: day ? dayName(day) : targetKinds[type], insert, type };
  });
}

// Sources of targets: functions from the typed text to `{ label, detail, insert, type }`. To add further
// targets, add a function.
export const linkTargets = [dayTargets, namedTargets];

async function completeLinks(context) {
  const part = typed(context, /\[\[[^\][\n]*$/, "[[");
  if (!part) return null;
  const found = (await Promise.all(linkTargets.map((targets) => targets(part.text.trim()).catch(() => [])))).flat();
  const options = found.map(({ label, detail, insert, type }) => ({
    label, detail, type,
    apply(view, completion, _, to) {
      const end = view.state.sliceDoc(to, to + 2) === "]]" ? to + 2 : to;
      view.dispatch({
        changes: { from: part.from, to: end, insert }, selection: { anchor: part.from + insert.length },
        userEvent: "input.complete",
      });
    },
  }));
  return options.length > 0 ? { from: part.from + 2, options, filter: false } : null;
}

// MARK: Blocks

// `blocks` are `{ label, detail, run(view) }`; the typed text is removed before one runs.
const completeBlocks = (blocks) => (context) => {
  const part = typed(context, /(?:^|\s)\/[\p{L}\p{N} ]{0,20}$/u, "/");
  if (!part || / {2}|^ /.test(part.text)) return null;
  return {
    from: part.from + 1,
    options: blocks.map(({ label, detail, run }, place) => ({
      label, detail, type: "block", boost: -place,
      apply(view, completion, _, to) {
        view.dispatch({ changes: { from: part.from, to }, userEvent: "input.complete" });
        run(view);
      },
    })),
    validFor: /^[\p{L}\p{N} ]*$/u,
  };
};

export const completion = (blocks) => autocompletion({
  override: [completeBlocks(blocks), completePeople, completeTags, completeLinks],
  icons: false, activateOnTypingDelay: 120, maxRenderedOptions: 30,
  tooltipClass: () => "md-choices",
  optionClass: ({ type }) => `md-choice md-choice-${type}`,
  // A scrollable list must be able to get the keyboard focus.
  addToOptions: [{
    position: 0,
    render: (_, __, view) => {
      requestAnimationFrame(() => {
        const list = view.dom.ownerDocument.querySelector(".md-choices > ul");
        if (list) list.tabIndex = 0;
      });
      return null;
    },
  }],
});
