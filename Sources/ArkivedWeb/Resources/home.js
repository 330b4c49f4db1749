// Data for the column next to today that only this browser has: drafts of other days. Also the print buttons.
// Loaded after app.js.
"use strict";

const draftName = /^draft\.(line|note)\.(\d{4}-\d\d-\d\d)(~|$)/;

function waitingDrafts() {
  const found = [];
  for (const key of drafts.keys()) {
    const [, kind, day] = draftName.exec(key) ?? [];
    if (!day || day === page.dataset.day) continue;
    const kept = storage.read(key);
    const text = Object.values(kept?.values ?? {}).find((value) => typeof value === "string" && value.trim() !== "");
    if (text && !kept.isSent) found.push({ kind, day, text });
  }
  return found.sort((one, other) => other.day.localeCompare(one.day)).slice(0, 5);
}

whenShown((root) => {
  for (const button of root.querySelectorAll("[data-prints]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }
  const part = byId("home-drafts");
  if (!part) return;
  const found = waitingDrafts();
  part.hidden = found.length === 0;
  byId("home-draft-list").replaceChildren(...found.map(({ kind, day, text }) => {
    const item = element("li");
    const link = element("a", "", text.trim().slice(0, 80));
    link.href = `/day/${day}${kind === "note" ? "" : "#line"}`;
    link.dir = "auto";
    const when = element("time", "hint", new Date(`${day}T12:00`).toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "long" }));
    when.dateTime = day;
    item.append(link, " ", when);
    return item;
  }));
});
