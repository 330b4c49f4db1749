// Search while typing: results, completions, and moving through both by keyboard. It uses app.js and is
// loaded after it. Without it, the form is submitted normally.
"use strict";

const scalarCount = (text) => Array.from(text).length;

// MARK: Completions

const offerWords = {
  tag: word("tag"), person: word("person"), kind: word("kind"), source: word("source"), time: word("time"),
  state: word("status"), filter: word("filter"),
};

// A list under the field; `chosen` is called when an item was inserted into the field.
function completions(field, chosen) {
  const list = element("ul", "completions");
  list.id = "completions";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", word("Suggestions"));
  field.closest(".quick-row").append(list);
  field.setAttribute("role", "combobox");
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", list.id);
  field.setAttribute("aria-expanded", "false");
  let offers = [];
  let active = -1;
  let request = null;
  // The text to which the ranges of the offers refer.
  let completed = "";

  function close() {
    request?.abort();
    request = null;
    offers = [];
    active = -1;
    list.hidden = true;
    list.replaceChildren();
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  }

  function activate(index) {
    list.children[active]?.setAttribute("aria-selected", "false");
    active = (index + offers.length) % offers.length;
    const item = list.children[active];
    item.setAttribute("aria-selected", "true");
    item.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", item.id);
  }

  function choose(index) {
    // What was typed since then has other offers, which are on their way.
    if (field.value !== completed) return close();
    const offer = offers[index];
    const scalars = Array.from(field.value);
    const before = scalars.slice(0, offer.range[0]).join("") + offer.text;
    const after = scalars.slice(offer.range[1]).join("");
    const isWhole = offer.kind !== "filter";
    const space = isWhole && !after.startsWith(" ") ? " " : "";
    field.value = before + space + after;
    const cursor = before.length + (isWhole ? 1 : 0);
    close();
    field.focus();
    field.setSelectionRange(cursor, cursor);
    chosen();
    if (!isWhole) ask();
  }

  function option(offer, index) {
    const item = element("li", "completion");
    item.id = `completion-${index}`;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    const name = element("bdi", "completion-name", offer.label);
    item.append(name, element("span", "completion-kind", offerWords[offer.kind] ?? offer.kind));
    if (offer.count !== null) {
      item.append(element("span", "completion-count tabular", String(offer.count)));
    }
    // The field keeps the focus, so a phone's keyboard stays open.
    item.addEventListener("pointerdown", (event) => event.preventDefault());
    item.addEventListener("click", () => choose(index));
    return item;
  }

  function show(found) {
    const line = Array.from(field.value);
    const isTyped = (offer) => line.slice(...offer.range).join("") === offer.text;
    if (found.length === 0 || (found.length === 1 && isTyped(found[0]))) return close();
    offers = found;
    completed = field.value;
    active = -1;
    list.replaceChildren(...found.map(option));
    list.hidden = false;
    field.setAttribute("aria-expanded", "true");
    field.removeAttribute("aria-activedescendant");
  }

  async function ask() {
    request?.abort();
    const end = field.selectionStart;
    const before = field.value.slice(0, end);
    const isTyping = end === field.selectionEnd && document.activeElement === field;
    if (!isTyping || before === "" || (/\s$/.test(before) && !/["“„«]/.test(before))) {
      return close();
    }
    const own = new AbortController();
    request = own;
    const asked = field.value;
    const query = new URLSearchParams({ query: asked, cursor: scalarCount(before) });
    try {
      const answer = await fetch(`/api/v1/complete?${query}`, {
        signal: own.signal, credentials: "same-origin", headers: { Accept: "application/json" },
      });
      const found = answer.ok ? (await answer.json()).completions : [];
      if (request === own && field.value === asked) show(found);
    } catch {
      if (request === own) close();
    }
  }

  // Returns true if the key was for the list.
  function take(event) {
    if (list.hidden) return false;
    switch (event.key) {
      case "ArrowDown": activate(active + 1); break;
      case "ArrowUp": activate(active === -1 ? offers.length - 1 : active - 1); break;
      case "Enter":
        if (active === -1) return false;
        choose(active);
        break;
      case "Tab":
        if (event.shiftKey) return false;
        choose(Math.max(active, 0));
        break;
      case "Escape": close(); break;
      case "ArrowLeft":
      case "ArrowRight":
      case "Home":
      case "End":
        close();
        return false;
      default: return false;
    }
    event.preventDefault();
    return true;
  }

  field.addEventListener("blur", close);
  return { ask, close, take };
}

// MARK: Results

function searchAsTyped(form) {
  const field = byId("query");
  const spoken = element("p", "visually-hidden");
  spoken.id = "found-status";
  spoken.setAttribute("role", "status");
  form.append(spoken);
  const offers = completions(field, () => search());
  let request = null;
  // Further pages of results aren't requested by the form alone.
  let shown = new URLSearchParams(location.search).has("offset") ? null : wanted();
  let typing = 0;
  let speaking = 0;

  function wanted() {
    const filled = [...new FormData(form)].filter(([, value]) => value.trim() !== "");
    return new URLSearchParams(filled).toString();
  }

  function speak(sentence) {
    clearTimeout(speaking);
    speaking = setTimeout(() => { spoken.textContent = sentence; }, 700);
  }

  function show(text) {
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("found");
    if (!fresh) return;
    const { title, spoken: sentence, filters, clear } = fresh.dataset;
    byId("found").replaceWith(document.adoptNode(fresh));
    document.title = `${title} · Arkived`;
    byId("filter-count").textContent = filters;
    byId("filter-count").hidden = byId("clear-filters").hidden = filters === "0";
    byId("clear-filters").querySelector("a").href = clear;
    if (byId("query-error")) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    speak(sentence);
  }

  function showProblem() {
    const sentence = word("Arkived isn’t responding. The results shown may not match what you typed.");
    const line = byId("search-problem") ?? element("p", "search-note");
    line.id = "search-problem";
    line.textContent = sentence;
    byId("found").prepend(line);
    speak(sentence);
  }

  async function search() {
    clearTimeout(typing);
    const query = wanted();
    if (query === shown && !byId("search-problem")) return;
    request?.abort();
    const own = new AbortController();
    request = own;
    shown = query;
    try {
      history.replaceState(history.state, "", query ? `/search?${query}` : "/search");
    } catch { /* a browser that counts changes of the address lets no more through for a while */ }
    try {
      const answer = await fetch(`/search/results?${query}`, {
        signal: own.signal, credentials: "same-origin", headers: { Accept: "text/html" },
      });
      if (answer.status === 401) return location.reload();
      const text = await answer.text();
      // A response that was overtaken is older than the shown one.
      if (request !== own) return;
      if (answer.ok) show(text);
      else showProblem();
    } catch {
      if (request === own) showProblem();
    }
  }

  function searchSoon() {
    clearTimeout(typing);
    typing = setTimeout(search, 60);
  }

  form.addEventListener("input", (event) => {
    if (event.target === field) {
      clearTimeout(typing);
      typing = setTimeout(() => {
        search();
        if (!event.isComposing) offers.ask();
      }, 60);
    } else if (event.target.type !== "text") {
      searchSoon();
    }
  });
  form.addEventListener("change", searchSoon);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    offers.close();
    search();
    // On a phone, the keyboard is closed to show the results.
    if (matchMedia("(pointer: coarse)").matches) field.blur();
  });

  // MARK: Moving through the results

  const stops = () => [...document.querySelectorAll("#found .hit-snippet a, #found .more a")];

  field.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (offers.take(event) || event.key !== "ArrowDown") return;
    const first = stops()[0];
    if (!first) return;
    event.preventDefault();
    first.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.shiftKey) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const links = stops();
    const place = links.indexOf(document.activeElement);
    if (place === -1) return;
    const isUp = event.key === "ArrowUp";
    if (event.key === "Escape" || (isUp && place === 0)) field.focus();
    else if (isUp) links[place - 1].focus();
    else if (event.key === "ArrowDown") links[place + 1]?.focus();
    else return;
    event.preventDefault();
  });
}

// MARK: Progress of the indexes

const indexPause = { working: 2000, idle: 30000 };

// Keeps the line below the results up to date while the page is visible.
function followIndex() {
  async function look() {
    if (document.hidden) return wait(indexPause.idle);
    try {
      const answer = await fetch("/search/index", {
        credentials: "same-origin", headers: { Accept: "text/html" },
      });
      if (!answer.ok) return wait(indexPause.idle);
      const text = await answer.text();
      const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("index-status");
      const line = byId("index-status");
      if (fresh && line && fresh.outerHTML !== line.outerHTML) {
        line.replaceWith(document.adoptNode(fresh));
      }
    } catch { /* the server is away; the line is looked at again */ }
    wait();
  }
  function wait(pause) {
    const isWorking = byId("index-status")?.dataset.active === "true";
    setTimeout(look, pause ?? (isWorking ? indexPause.working : indexPause.idle));
  }
  wait();
}

if (byId("search-form")) {
  searchAsTyped(byId("search-form"));
  followIndex();
}
