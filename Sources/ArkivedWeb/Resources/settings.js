"use strict";

// While a job runs in the server, its page is loaded again every two seconds; without this script, the page
// has a link that does the same.
if (document.querySelector("[data-polls]")) {
  const turn = setInterval(() => {
    if (document.hidden || reading.isLeaving) return;
    if (document.querySelector("[data-polls]")) readSoon(0);
    else clearInterval(turn);
  }, 2000);
}

// The bookmark's window takes its content from the address, which is then cleared. A page that opens this
// window under a second click must not cause it to be saved.
if (document.getElementById("capture-form")) {
  const save = document.getElementById("capture-save");
  save.disabled = true;
  setTimeout(() => { save.disabled = false; }, 800);
  try {
    const shared = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    for (const [part, key] of [["title", "t"], ["address", "u"], ["text", "s"]]) {
      document.getElementById(`capture-${part}`).value = String(shared[key] ?? "");
    }
    history.replaceState(null, "", location.pathname);
  } catch {
    // The address contained nothing.
  }
  fetch("/settings/capture", { method: "HEAD", credentials: "same-origin" }).then((answer) => {
    document.getElementById("capture-away").hidden = answer.ok;
  }).catch(() => { /* away; saving shows it as well */ });
}

// Files dropped anywhere on the import page are imported immediately.
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

// Import and Preview ask for files if none are chosen, and start once they are.
let uploadButton = null;
document.addEventListener("click", (event) => {
  // A file field's own button only chooses files.
  if (event.target.id === "files" && event.isTrusted) uploadButton = null;
  const button = event.target.closest("form#upload [type=submit]");
  const field = button?.form.elements.files;
  if (!field || field.files.length > 0) return;
  event.preventDefault();
  uploadButton = button;
  field.click();
});
document.addEventListener("change", ({ target }) => {
  if (target.id !== "files" || target.files.length === 0 || !uploadButton?.isConnected) return;
  target.form.requestSubmit(uploadButton);
  uploadButton = null;
});
document.addEventListener("cancel", () => { uploadButton = null; }, true);

// Scrolls the current tab into view if the tabs don't fit on one line.
const settingsTab = document.querySelector(".settings-tabs [aria-current]");
if (settingsTab) settingsTab.closest("nav").scrollLeft = settingsTab.offsetLeft - 99;

// One of the open pages listens for reminders to show as browser notifications, whether visible or not.
function hearNudges() {
  navigator.locks?.request("nudges", () => new Promise((leave) => {
    const source = new EventSource("/events");
    // If refused, it leaves this to another page.
    source.onerror = () => { if (source.readyState === EventSource.CLOSED) leave(); };
    source.addEventListener("nudge", ({ data }) => {
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
  if (permission === "granted") permitNudges.textContent = word("Notifications are on in this browser");
  if (permission === "denied") permitNudges.textContent = word("Notifications are blocked in this browser");
}
if (permitNudges && "Notification" in window) {
  showPermit();
  permitNudges.addEventListener("click", async () => {
    if (await Notification.requestPermission() === "granted") hearNudges();
    showPermit();
  });
}
