// Enhancements for notes and promises: a preview while typing, and keeping the focus when a promise is
// ticked. It uses app.js and is loaded after it.
"use strict";

function previewNote(form) {
  const field = form.elements.note;
  const box = byId("preview");
  const text = byId("preview-text");
  let request = null;
  let timer = 0;

  async function show() {
    request?.abort();
    if (field.value.trim() === "") {
      box.hidden = true;
      return;
    }
    request = new AbortController();
    const { signal } = request;
    try {
      const answer = await fetch(form.dataset.notePreview, {
        method: "POST", signal, credentials: "same-origin", headers: { Accept: "text/html" },
        body: new URLSearchParams({ note: field.value }),
      });
      if (!answer.ok) return;
      const html = await answer.text();
      if (signal.aborted) return;
      const fresh = new DOMParser().parseFromString(html, "text/html").body;
      text.replaceChildren(...Array.from(fresh.childNodes, (node) => document.importNode(node, true)));
      box.hidden = false;
    } catch { /* away or overtaken; saving shows it as well */ }
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(show, 300);
  });
  form.addEventListener("submit", () => {
    clearTimeout(timer);
    request?.abort();
  });
  // The page's own preview is that of the saved text, not of a draft.
  if (field.value.trim() !== "" && (box.hidden || field.value !== field.defaultValue)) show();
}

for (const form of document.querySelectorAll("[data-note-preview]")) previewNote(form);

// Ticking loads the page again; the focus returns to its place. All boxes of a note have one form.
const ticks = () => [...document.querySelectorAll("button.tick")];
document.addEventListener("submit", ({ submitter }) => {
  const place = ticks().indexOf(submitter);
  if (place < 0) return;
  try {
    sessionStorage.setItem("ticked", JSON.stringify({ path: location.pathname, place, at: Date.now() }));
  } catch { /* without storage the page begins at its top */ }
});
try {
  const ticked = JSON.parse(sessionStorage.getItem("ticked") ?? "null");
  sessionStorage.removeItem("ticked");
  if (ticked?.path === location.pathname && Date.now() - ticked.at < 10_000) {
    const all = ticks();
    all[Math.min(ticked.place, all.length - 1)]?.focus();
  }
} catch { /* nothing was kept */ }
