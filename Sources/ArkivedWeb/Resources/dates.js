// Date fields show the reader's date format if the browser would use that of its menu language; while they
// are edited, they use the browser's own. Loaded after app.js.
"use strict";

const readersDates = new Intl.DateTimeFormat(
  readersLocale, { day: "2-digit", month: "2-digit", year: "numeric", timeZone: "UTC" });

function showDate(field) {
  const empty = readersDates.formatToParts(0).map(({ type, value }) => ({
    day: word("dd"), month: word("mm"), year: word("yyyy"),
  })[type] ?? value).join("");
  const frame = element("span", "date-shown");
  const show = () => {
    const at = field.valueAsNumber;
    frame.dataset.text = Number.isNaN(at) ? empty : readersDates.format(at);
    frame.classList.toggle("is-empty", Number.isNaN(at));
  };
  const hadFocus = document.activeElement === field;
  field.replaceWith(frame);
  frame.append(field);
  if (hadFocus) field.focus();
  for (const event of ["input", "change", "blur"]) field.addEventListener(event, show);
  field.form?.addEventListener("reset", () => setTimeout(show));
  show();
}

// A phone's own fields follow its owner's settings; a day's timeline is compared with the server's.
if (!matchMedia("(pointer: coarse)").matches) {
  whenShown((root) => {
    for (const field of root.querySelectorAll("input[type=date]")) {
      if (!field.closest(".date-shown, #timeline")) showDate(field);
    }
  });
}
