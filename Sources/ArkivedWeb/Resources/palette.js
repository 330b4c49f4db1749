// One field for every page, act, day and person: Ctrl-K or ⌘K. It follows app.js. Without scripts
// the same list stands at /go.
"use strict";

function makePalette() {
  const dialog = element("dialog", "sheet palette");
  dialog.id = "palette";
  dialog.setAttribute("aria-label", word("Go to"));
  const field = element("input", "quick-field");
  field.id = "palette-query";
  field.type = "text";
  field.placeholder = word("A page, a day, a person…");
  field.autocomplete = "off";
  field.dir = "auto";
  field.setAttribute("role", "combobox");
  field.setAttribute("aria-label", word("A page, a day, a person or an action"));
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", "palette-list");
  field.setAttribute("aria-expanded", "true");
  const row = element("div", "quick-row");
  row.append(field);
  const list = element("ul", "go-list");
  list.id = "palette-list";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", word("Suggestions"));
  dialog.append(row, list);
  document.body.append(dialog);
  let links = [];
  let active = 0;
  let request = null;
  let typing = 0;
  // What the list was found for.
  let shown = null;

  function activate(index) {
    if (links.length === 0) return field.removeAttribute("aria-activedescendant");
    links[active]?.parentElement.setAttribute("aria-selected", "false");
    active = (index + links.length) % links.length;
    const item = links[active].parentElement;
    item.setAttribute("aria-selected", "true");
    item.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", item.id);
  }

  function show(items) {
    for (const [index, item] of items.entries()) {
      item.id = `palette-${index}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      item.firstElementChild.tabIndex = -1;
    }
    list.replaceChildren(...items);
    links = items.map((item) => item.firstElementChild);
    active = 0;
    activate(0);
  }

  async function find() {
    request?.abort();
    const own = new AbortController();
    const asked = field.value;
    request = own;
    try {
      const answer = await fetch(`/go?${new URLSearchParams({ q: asked })}`, {
        signal: own.signal, credentials: "same-origin", headers: { Accept: "text/html" },
      });
      const found = new DOMParser().parseFromString(await answer.text(), "text/html");
      const items = [...found.querySelectorAll("#go-results > li")];
      if (request !== own) return;
      show(items.map((item) => document.adoptNode(item)));
      shown = asked;
    } catch (error) {
      if (error.name !== "AbortError") show([]);
    }
    if (request === own) request = null;
  }

  function open(link) {
    dialog.close();
    const url = new URL(link.href);
    const isHere = url.pathname === location.pathname && url.search === location.search;
    if (isHere && url.hash) return byId(url.hash.slice(1))?.focus();
    location.assign(url.href);
  }

  field.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(find, 60);
  });
  field.addEventListener("keydown", async (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      activate(active + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Enter") {
      event.preventDefault();
      clearTimeout(typing);
      const typed = field.value;
      // The list may be that of what was typed before.
      if (typed !== shown) await find();
      if (links[active]) open(links[active]);
    }
  });
  list.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(link);
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  return {
    toggle() {
      if (dialog.open) return dialog.close();
      if (document.querySelector("dialog[open]")) return;
      field.value = "";
      dialog.showModal();
      field.focus();
      find();
    },
  };
}

let palette = null;
function openPalette() {
  palette ??= makePalette();
  palette.toggle();
}

if (document.querySelector("[data-opens=palette]")) {
  document.addEventListener("keydown", (event) => {
    const isAsked = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)
      && !event.altKey && !event.shiftKey;
    // An editor may use the key for a link.
    if (!isAsked || event.defaultPrevented || event.isComposing) return;
    event.preventDefault();
    openPalette();
  });
  document.addEventListener("click", (event) => {
    const opener = event.target.closest?.("[data-opens=palette]");
    if (!opener || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openPalette();
  });
}
