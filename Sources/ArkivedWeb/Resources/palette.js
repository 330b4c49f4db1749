// One field for every page, action, day and person: Ctrl-K or ⌘K. Without scripts, the same list is at /go.
// Loaded after app.js.
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
  let active = 0;
  let request = null;
  let typing = 0;
  // The text for which the list was requested.
  let shown = null;

  function activate(index) {
    const items = list.children;
    if (items.length === 0) return field.removeAttribute("aria-activedescendant");
    items[active]?.setAttribute("aria-selected", "false");
    active = (index + items.length) % items.length;
    items[active].setAttribute("aria-selected", "true");
    items[active].scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", items[active].id);
  }

  // A list option contains no links, because a screen reader would reach them as well.
  function option(link, index) {
    const item = element("li", "go-line");
    item.id = `palette-${index}`;
    if (link.hasAttribute("href")) item.dataset.href = link.getAttribute("href");
    else item.setAttribute("aria-disabled", "true");
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    item.append(...[...link.childNodes].map((node) => document.importNode(node, true)));
    return item;
  }

  function show(links) {
    list.replaceChildren(...links.map(option));
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
      if (!answer.ok) throw new Error(answer.status);
      const found = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (request !== own) return;
      show([...found.querySelectorAll("#go-results a")]);
      shown = asked;
    } catch (error) {
      // The reason is the only option; Enter asks again.
      if (error.name !== "AbortError" && request === own) {
        shown = null;
        const isOut = ["401", "403"].includes(error.message);
        show([element("a", "", isOut ? word("You’re signed out") : word("Can’t reach Arkived"))]);
      }
    }
    if (request === own) request = null;
  }

  function open(item) {
    if (!item.dataset.href) return find();
    dialog.close();
    const url = new URL(item.dataset.href, location.href);
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
      // The list may be for the text typed before.
      if (typed !== shown) await find();
      if (typed === shown && list.children[active]) open(list.children[active]);
    }
  });
  list.addEventListener("click", (event) => {
    const item = event.target.closest("[role=option]");
    if (!item) return;
    if (item.dataset.href && (event.ctrlKey || event.metaKey)) window.open(item.dataset.href, "_blank", "noopener");
    else open(item);
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
  const key = document.querySelector(".go-hint kbd");
  if (key && /Mac|iPhone|iPad/.test(navigator.platform)) key.textContent = "⌘";
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
