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
