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
