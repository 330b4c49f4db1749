"use strict";

// While something runs in the server, its page is read anew every other second; without this script
// the page has a link that does the same.
if (document.querySelector("[data-polls]")) {
  const turn = setInterval(() => {
    if (document.hidden || reading.isLeaving) return;
    if (document.querySelector("[data-polls]")) readSoon(0);
    else clearInterval(turn);
  }, 2000);
}

// Files that are dropped anywhere on the page of imports come in at once.
for (const kind of ["dragover", "drop"]) {
  document.addEventListener(kind, (event) => {
    const field = document.querySelector("form#upload #files");
    if (!field || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (kind === "dragover" || event.dataTransfer.files.length === 0) return;
    field.files = event.dataTransfer.files;
    field.form.requestSubmit();
  });
}

// The tab of this page is in sight where they do not fit into one line.
const settingsTab = document.querySelector(".settings-tabs [aria-current]");
if (settingsTab) settingsTab.closest("nav").scrollLeft = settingsTab.offsetLeft - 99;

// Of all open pages one hears of nudges for the browser's notifications, in sight or not.
function hearNudges() {
  navigator.locks?.request("nudges", () => new Promise(() => {
    new EventSource("/events").addEventListener("nudge", ({ data }) => {
      const { id, title, text, href, notifies } = JSON.parse(data);
      if (!notifies) return;
      new Notification(title, { body: text, tag: id }).onclick = () => {
        focus();
        location.href = href;
      };
    });
  }));
}

if (window.Notification?.permission === "granted" && page?.dataset.page) hearNudges();
const permitNudges = byId("nudge-permit");
function showPermit() {
  const { permission } = Notification;
  permitNudges.hidden = false;
  permitNudges.disabled = permission !== "default";
  if (permission === "granted") permitNudges.textContent = "This browser notifies";
  if (permission === "denied") permitNudges.textContent = "This browser does not allow it";
}
if (permitNudges && "Notification" in window) {
  showPermit();
  permitNudges.addEventListener("click", async () => {
    if (await Notification.requestPermission() === "granted") hearNudges();
    showPermit();
  });
}
