// Moves through the days of a calendar with the arrow keys. Loaded after app.js.
"use strict";

const calendarDays = () => page?.querySelector("[data-days]");

function calendarKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const links = [...calendarDays().querySelectorAll("a[href^='/day/']")];
  const here = links.indexOf(document.activeElement);
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
  let next = null;
  if (event.key in steps && here >= 0) next = here + steps[event.key];
  else if (event.key === "Home" && here >= 0) next = 0;
  else if (event.key === "End" && here >= 0) next = links.length - 1;
  else if (event.key === "PageUp" || event.key === "PageDown") {
    const link = byId(event.key === "PageUp" ? "previous-day" : "next-day");
    if (!link) return;
    event.preventDefault();
    link.click();
    return;
  }
  if (next === null) return;
  event.preventDefault();
  event.stopPropagation();
  // Beyond the edge is the previous or next month.
  if (next < 0 || next >= links.length) {
    byId(next < 0 ? "previous-day" : "next-day")?.click();
    return;
  }
  links[next].focus();
}

if (page?.dataset.page === "calendar") {
  // Listens before the page's own keys, which the arrows would trigger otherwise.
  document.addEventListener("keydown", (event) => {
    const days = calendarDays();
    if (!days) return;
    if (days.contains(event.target)) return calendarKey(event);
    if (["PageUp", "PageDown"].includes(event.key) && event.target === document.body) calendarKey(event);
    // Without a focused day, an arrow down selects today, or the first day.
    if (event.key === "ArrowDown" && event.target === document.body) {
      const first = days.querySelector("a[aria-current]") ?? days.querySelector("a[href^='/day/']");
      event.preventDefault();
      first?.focus();
    }
  }, true);
}
