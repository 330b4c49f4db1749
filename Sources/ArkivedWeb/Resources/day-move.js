// Moving an entry by hand: to another time between its neighbours, to no time, or to another day. With a
// mouse, it is grabbed at its time; by touch, after a long press. By keyboard, the entry's menu does the
// same. Loaded after day.js.
"use strict";

// The drag in progress: the entry, and where it would go if it were dropped now.
let hand = null;

const rounded = (minutes) => Math.min(1435, Math.max(0, Math.round(minutes / 5) * 5));
const clockText = (minutes) => [Math.floor(minutes / 60) % 24, minutes % 60]
  .map((part) => String(part).padStart(2, "0")).join(":");
const middle = (entry) => {
  const { top, height } = entry.getBoundingClientRect();
  return top + height / 2;
};
const minute = (entry, name) => Number(entry.dataset[name]);

const put = (made, measures) => {
  for (const [name, value] of Object.entries(measures)) made.style[name] = `${value}px`;
};

// Returns the gap between two neighbours at a height on the page.
function slot(y) {
  const { entry } = hand;
  const others = [...page.querySelectorAll("#entries-timed .entry[data-from]")]
    .filter((other) => other !== entry);
  if (others.length === 0 || entry.closest("#entries-all-day")) return null;
  const above = others.filter((other) => middle(other) <= y).at(-1);
  const below = others.find((other) => middle(other) > y);
  const edge = (above ?? below).getBoundingClientRect();
  if (!above && y < edge.top - 120 || !below && y > edge.bottom + 200) return null;
  const length = entry.dataset.from ? minute(entry, "to") - minute(entry, "from") : 0;
  const first = above ? minute(above, "to") : Math.max(0, minute(below, "from") - length - 120);
  const last = below ? minute(below, "from") - length : first + 120;
  const from = above ? middle(above) : edge.top - 120;
  const to = below ? middle(below) : edge.bottom + 200;
  const share = Math.min(1, Math.max(0, (y - from) / (to - from)));
  // Never before the end of the entry above.
  const least = Math.ceil(first / 5) * 5;
  const start = Math.max(rounded(least), rounded(least + share * Math.max(0, last - least)));
  const line = above ? above.getBoundingClientRect().bottom : edge.top;
  return { start: Math.min(start, 1435), end: start + length, line };
}

function carryTo(x, y) {
  Object.assign(hand, { x, y });
  const below = document.elementFromPoint(x, y);
  const untimed = hand.isTimed ? below?.closest("[data-drop-untimed], #entries-untimed") : null;
  const day = untimed ? null : below?.closest("[data-drop-day]");
  for (const marked of document.querySelectorAll(".is-drop")) {
    if (marked !== (day ?? untimed)) marked.classList.remove("is-drop");
  }
  (day ?? untimed)?.classList.add("is-drop");
  const place = day || untimed ? null : slot(y);
  hand.target = null;
  hand.line.hidden = !place;
  if (untimed) {
    hand.target = { day: livePage.day, untimed: "true" };
    hand.label.textContent = word("No time");
  } else if (day) {
    hand.target = { day: day.dataset.dropDay };
    hand.label.textContent = day.getAttribute("aria-label") ?? day.textContent;
  } else if (place) {
    hand.target = { day: livePage.day, time: clockText(place.start) };
    hand.label.textContent = place.end > place.start
      ? `${clockText(place.start)}–${clockText(place.end)}` : clockText(place.start);
    const { left, width } = byId("timeline").getBoundingClientRect();
    put(hand.line, { left, width, top: place.line });
  } else {
    hand.label.textContent = word("Restore");
  }
  put(hand.label, { left: x, top: y });
}

function scrollAlong() {
  if (!hand?.isMoving) return;
  const reach = 72;
  const step = hand.y < reach ? hand.y - reach : Math.max(0, hand.y - innerHeight + reach);
  if (step !== 0) {
    scrollBy(0, step / 6);
    carryTo(hand.x, hand.y);
  }
  hand.frame = requestAnimationFrame(scrollAlong);
}

function dayTray() {
  const tray = element("div", "move-tray");
  for (const day of page.querySelectorAll(".day-nav [data-drop-day]")) {
    const place = element("span", "move-day", day.getAttribute("aria-label") ?? word("Today"));
    place.dataset.dropDay = day.dataset.dropDay;
    tray.append(place);
  }
  if (hand.isTimed) {
    const place = element("span", "move-day", word("No time"));
    place.dataset.dropUntimed = "";
    tray.append(place);
  }
  return tray;
}

function pickUp() {
  hand.isMoving = true;
  reading.isHeld = true;
  getSelection()?.removeAllRanges();
  document.body.classList.add("is-moving");
  hand.entry.classList.add("is-held");
  hand.isTimed = hand.entry.closest("#entries-untimed") === null;
  hand.label = element("div", "move-label");
  hand.line = element("div", "move-line");
  hand.tray = dayTray();
  document.body.append(hand.tray, hand.line, hand.label);
  say(word("Moving. Press Escape to cancel."));
  carryTo(hand.x, hand.y);
  scrollAlong();
}

function letGo() {
  clearTimeout(hand.timer);
  if (hand.isMoving) {
    cancelAnimationFrame(hand.frame);
    hand.label.remove();
    hand.line.remove();
    hand.tray.remove();
    hand.entry.classList.remove("is-held");
    document.body.classList.remove("is-moving");
    for (const marked of document.querySelectorAll(".is-drop")) marked.classList.remove("is-drop");
    reading.isHeld = false;
  }
  const was = hand;
  hand = null;
  return was;
}

function putBack() {
  if (letGo().isMoving) say(word("Not moved"));
}

function putDown() {
  const { entry, target, isMoving } = letGo();
  if (!isMoving) return;
  // The press that ends here must not count as a click on the element below.
  const swallow = (event) => { event.preventDefault(); event.stopPropagation(); };
  document.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => document.removeEventListener("click", swallow, { capture: true }), 50);
  const isSame = target && target.day === livePage.day && entry.dataset.from
    && target.time === clockText(minute(entry, "from"));
  if (!target || isSame) return say(word("Not moved"));
  const form = entry.querySelector(".menu-move");
  const body = new URLSearchParams({ ...target, version: form.elements.version.value });
  send(form.getAttribute("action"), body);
}

// MARK: Another end

// The lower edge of an entry in the timeline, which a mouse can drag to change the end. For touch and keys,
// this is in the entry's menu.
const grip = element("span", "entry-grip");
grip.setAttribute("aria-hidden", "true");
grip.title = word("Drag to change the end time");
const longest = 12 * 60;
let pull = null;

function pullTo(y) {
  const { start, end, fromY } = pull;
  const pulled = Math.round((end + (y - fromY) / 2) / 5) * 5;
  // A click leaves an end that isn't a multiple of five minutes as it is.
  pull.now = Math.abs(y - fromY) < 3 ? end : Math.min(start + longest, Math.max(start, pulled));
  pull.label.textContent = `${clockText(start)}–${clockText(pull.now)}`;
}

function endPull() {
  const was = pull;
  pull = null;
  was.label.remove();
  was.entry.classList.remove("is-held");
  document.body.classList.remove("is-pulling");
  reading.isHeld = false;
  return was;
}

function cancelPull() {
  endPull();
  say(word("Not moved"));
}

grip.addEventListener("pointerdown", (event) => {
  if (event.button !== 0 || hand || pull) return;
  event.preventDefault();
  const entry = grip.parentElement;
  pull = { entry, fromY: event.pageY, start: minute(entry, "from"), end: minute(entry, "to") };
  pull.label = element("div", "move-label");
  reading.isHeld = true;
  grip.setPointerCapture(event.pointerId);
  entry.classList.add("is-held");
  document.body.classList.add("is-pulling");
  document.body.append(pull.label);
  put(pull.label, { left: event.clientX, top: event.clientY });
  pullTo(event.pageY);
});
grip.addEventListener("pointermove", (event) => {
  if (!pull) return;
  pullTo(event.pageY);
  put(pull.label, { left: event.clientX, top: event.clientY });
});
grip.addEventListener("pointerup", () => {
  if (!pull) return;
  const { entry, now, end } = endPull();
  if (now === end) return say(word("Not moved"));
  const form = entry.querySelector(".menu-move");
  send(form.getAttribute("action"), new URLSearchParams({
    day: livePage.day, until: clockText(now), version: form.elements.version.value,
  }));
});
for (const name of ["pointercancel", "lostpointercapture"]) {
  grip.addEventListener(name, () => { if (pull) cancelPull(); });
}

if (isDay) {
  document.addEventListener("pointerover", (event) => {
    if (hand || pull || event.pointerType !== "mouse") return;
    const entry = event.target.closest?.("#entries-timed .entry[data-from]");
    if (!entry || grip.parentElement === entry) return;
    // The end of a longer entry is on another part of the page, or on another page.
    if (minute(entry, "to") - minute(entry, "from") > longest) grip.remove();
    else entry.append(grip);
  });
  document.addEventListener("pointerdown", (event) => {
    if (hand) return putBack();
    const entry = event.target.closest?.(".entry");
    if (!entry || event.button !== 0 || !event.isPrimary) return;
    if (event.target.closest("button, input, summary, audio, .menu")) return;
    const isTouch = event.pointerType === "touch";
    if (isTouch ? event.target.closest("a") : !event.target.closest(".entry-time, .entry-dot")) return;
    hand = { entry, x: event.clientX, y: event.clientY, fromX: event.clientX, fromY: event.clientY };
    if (isTouch) hand.timer = setTimeout(pickUp, 450);
  });
  document.addEventListener("pointermove", (event) => {
    if (!hand) return;
    if (hand.isMoving) return carryTo(event.clientX, event.clientY);
    const far = Math.hypot(event.clientX - hand.fromX, event.clientY - hand.fromY);
    if (event.pointerType === "touch") {
      // Moving before that means scrolling.
      if (far > 10) letGo();
    } else if (far > 5) {
      Object.assign(hand, { x: event.clientX, y: event.clientY });
      pickUp();
    }
  });
  document.addEventListener("pointerup", () => hand && putDown());
  document.addEventListener("pointercancel", () => hand && putBack());
  window.addEventListener("blur", () => {
    if (hand) putBack();
    if (pull) cancelPull();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !(hand || pull)) return;
    event.preventDefault();
    event.stopPropagation();
    if (pull) cancelPull();
    else putBack();
  }, true);
  document.addEventListener("touchmove", (event) => {
    if (hand?.isMoving) event.preventDefault();
  }, { passive: false });
  for (const name of ["dragstart", "contextmenu", "selectstart"]) {
    document.addEventListener(name, (event) => {
      const isTaken = hand && (hand.isMoving || event.type === "dragstart");
      if (isTaken) event.preventDefault();
    });
  }
}
