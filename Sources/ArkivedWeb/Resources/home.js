// Data for the column next to today that only this browser has: drafts of other days and pages. Also the print
// buttons. Loaded after app.js.
"use strict";

// A line and a note lead to their day; all else leads to the page where it was written.
function waitingDrafts() {
  const found = [];
  for (const key of drafts.keys()) {
    const [, kind, day] = /^draft\.(line|note)\.(\d{4}-\d\d-\d\d)(~|$)/.exec(key) ?? [];
    const kept = storage.read(key);
    if (!kept?.values || kept.isSent) continue;
    const isOfDay = day && (kind === "line" || "note" in kept.values);
    const href = isOfDay ? `/day/${day}${kind === "note" ? "" : "#line"}` : kept.href;
    const written = Object.values(kept.values).find((value) => typeof value === "string" && value.trim() !== "");
    // Levels and boxes mean nothing without their page.
    const text = kind === "note" && !isOfDay ? kept.name : written ?? kept.name;
    if (href && text && !(isOfDay && day === page.dataset.day)) found.push({ ...kept, key, day, href, text });
  }
  const order = (one, other) => (other.at ?? 0) - (one.at ?? 0) || (other.day ?? "").localeCompare(one.day ?? "");
  return found.sort(order).slice(0, 5);
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
  byId("home-draft-list").replaceChildren(...found.map(({ key, href, text, day, name }) => {
    const item = element("li");
    const link = element("a", "", text.trim().slice(0, 80));
    link.href = href;
    link.dir = "auto";
    const when = element(day ? "time" : "bdi", "hint", name);
    if (day) {
      when.textContent = new Date(`${day}T12:00`).toLocaleDateString(readersLocale, { day: "numeric", month: "long" });
      when.dateTime = day;
    }
    // Its page may be gone.
    const drop = element("button", "button button-small button-plain", word("Discard"));
    drop.type = "button";
    drop.setAttribute("aria-label", `${word("Discard")}: ${link.textContent}`);
    drop.addEventListener("click", () => {
      storage.remove(key);
      item.remove();
      part.hidden = byId("home-draft-list").childElementCount === 0;
      (part.querySelector("a") ?? page).focus();
    });
    item.append(link, " ", when, ...(day ? [] : [" ", drop]));
    return item;
  }));
});
