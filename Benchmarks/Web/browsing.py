"""Loads pages in a real Chromium and reads from it when they were painted."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from measure import Failed
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tests" / "Browser"))

from browser import chromium  # noqa: E402

DESK = (1280, 900)
PHONE = (390, 844)
PATIENCE = 120
# The seconds to wait for the photos in view after scrolling.
FILLING_PATIENCE = 60

# Runs before a page's own scripts. `whole` is when the second frame began after all of the page was
# read and its scripts had run: what they made of it is on the screen by then.
# All layout shifts count. In a window the size of a phone, Chromium sets `hadRecentInput` for half a
# second after each load, and no page is touched where shifts are read.
WATCH = """
(() => {
  const seen = { whole: null, shift: 0 };
  Object.defineProperty(window, "arkivedBench", { value: seen });
  const keep = (event) => {
    if (!event.isTrusted) return;
    const at = performance.timeOrigin + event.timeStamp;
    try { sessionStorage.setItem("bench.began", String(at)); } catch { /* no page of ours */ }
  };
  addEventListener("keydown", keep, true);
  addEventListener("pointerdown", keep, true);
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) seen.shift += shift.value;
  }).observe({ type: "layout-shift", buffered: true });
  addEventListener("DOMContentLoaded", () => {
    requestAnimationFrame(() => requestAnimationFrame(() => { seen.whole = performance.now(); }));
  });
})();
"""

READ = """
const seen = window.arkivedBench;
const first = performance.getEntriesByName("first-contentful-paint")[0];
if (!seen || !first || seen.whole === null) return null;
const [load] = performance.getEntriesByType("navigation");
return {
  address: location.pathname + location.search, first: first.startTime, whole: seen.whole,
  answered: load.responseStart, origin: performance.timeOrigin,
  began: Number(sessionStorage.getItem("bench.began")), status: load.responseStatus,
};
"""


# Tells when the second frame began after the page that is open had changed: to another address, or to
# one with a text in its timeline.
WATCH_CHANGE = """
const seen = window.arkivedBench;
const [text] = arguments;
const before = location.pathname + location.search;
const hasCome = () => (text === null
  ? location.pathname + location.search !== before
  : document.getElementById("timeline")?.textContent.includes(text));
seen.changed = null;
sessionStorage.removeItem("bench.began");
const watch = new MutationObserver(() => {
  if (!hasCome()) return;
  watch.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => {
    seen.changed = performance.timeOrigin + performance.now();
  }));
});
watch.observe(document.getElementById("main"), {
  subtree: true, childList: true, characterData: true,
});
"""

READ_CHANGE = """
const seen = window.arkivedBench;
if (!seen?.changed) return null;
return { began: Number(sessionStorage.getItem("bench.began")), changed: seen.changed };
"""

# Runs after WATCH. A map positions its marks in the frame that draws them, so they are on the screen
# when the next frame begins.
WATCH_MAP = """
(() => {
  const seen = window.arkivedBench;
  seen.marks = null;
  const watch = new MutationObserver(() => {
    const marks = [...document.getElementsByClassName("map-mark")];
    if (marks.length === 0 || marks.some((mark) => !mark.style.transform)) return;
    watch.disconnect();
    requestAnimationFrame(() => { seen.marks = performance.now(); });
  });
  watch.observe(document, { subtree: true, childList: true, attributeFilter: ["style"] });
})();
"""

# Coasts, names and towns load at the same time as the marks or later.
READ_MAP = """
const seen = window.arkivedBench;
if (!seen?.marks) return null;
const parts = performance.getEntriesByType("resource")
  .filter((part) => /^\\/(api\\/v1\\/)?map\\b/.test(new URL(part.name).pathname));
const last = Math.max(...parts.map((part) => part.responseEnd));
return performance.now() - last > 300 ? { marks: seen.marks, last } : null;
"""

# Scrolls down at a steady speed, and back up from the end. Returns the milliseconds between frames;
# for photos also how many were passed, in how many months, and the milliseconds until all in view had
# loaded after scrolling, or null if they didn't.
SCROLL = """
const [speed, seconds, patience, done] = arguments;
const room = Math.max(1, document.documentElement.scrollHeight - innerHeight);
const gaps = [];
let began, before;
const isInView = (part) => {
  const { top, bottom } = part.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
};
const inView = (parts) => [...document.querySelectorAll(parts)].filter(isInView);
const isWhole = () => inView(".photo-block").every((block) => block.firstChild)
  && inView(".photo img").every((image) => image.complete && image.naturalWidth > 0);
function finish(ended) {
  const waited = performance.now() - ended;
  const isFilled = isWhole();
  if (!isFilled && waited < patience * 1000) return void setTimeout(finish, 10, ended);
  const months = [...document.querySelectorAll(".photo-month")].filter((month) =>
    month.getBoundingClientRect().top + scrollY < Math.min(room, speed * seconds));
  const photos = months.reduce((sum, month) => sum + Number(month.dataset.count), 0);
  done({ gaps, months: months.length, photos, filled: isFilled ? waited : null });
}
function frame(now) {
  if (before !== undefined) gaps.push(now - before);
  began ??= now;
  before = now;
  const gone = (now - began) / 1000;
  if (gone >= seconds) return finish(performance.now());
  const way = (speed * gone) % (2 * room);
  scrollTo({ top: way < room ? way : 2 * room - way, behavior: "instant" });
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);
"""


@dataclass(frozen=True)
class Painted:
    """When a page was painted, in seconds since it was asked for."""

    address: str
    # Until the first byte of the answer was there.
    answered: float
    # Until the first contentful paint.
    first: float
    # Until all of it was; a frame is begun before it is on the screen, so at least the first paint.
    # Of a map, until all its marks were.
    whole: float
    # Until the last file of a map had loaded; 0 for other pages.
    last: float = 0


@dataclass(frozen=True)
class Scrolled:
    """The frames while a page was scrolled."""

    # The seconds between the beginnings of two frames.
    gaps: list[float]
    # The months and photos that were passed; 0 for other pages.
    months: int
    photos: int
    # The seconds from the last frame until all photos in view had loaded; None if they didn't.
    filled: float | None


class Window:
    """A window of a browser, signed in to a server."""

    def __init__(self, browser: Any, host: str, cookie: dict[str, str]) -> None:
        self.browser = browser
        self.host = host
        self.origin = f"http://{host}"
        browser.set_page_load_timeout(PATIENCE)
        browser.set_script_timeout(PATIENCE)
        self.watch(WATCH)
        browser.get(self.origin + "/assets/icon.svg")
        name, _, value = cookie["Cookie"].partition("=")
        browser.add_cookie(
            {"name": name, "value": value, "path": "/", "httpOnly": True, "sameSite": "Strict"}
        )

    def load(self, address: str, origin: str | None = None) -> Painted:
        """Opens an address as if it had been typed."""
        self.browser.get((origin or self.origin) + address)
        seen = self._wait()
        return painted(seen, seen["origin"])

    def watch(self, script: str) -> None:
        """Runs a script on each page opened from now on, before the page's own scripts."""
        self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})

    def load_map(self, address: str) -> Painted:
        """Opens a page with a map; the window must have been told to `watch` with `WATCH_MAP`."""
        page = self.load(address)
        seen = self._asked(READ_MAP, "no mark was drawn on the map")
        return replace(page, whole=seen["marks"] / 1000, last=seen["last"] / 1000)

    def scroll(self, speed: float, seconds: float) -> Scrolled:
        """Scrolls the open page from its top, by `speed` pixels per second."""
        told = self.browser.execute_async_script(SCROLL, speed, seconds, FILLING_PATIENCE)
        gaps = [gap / 1000 for gap in told["gaps"]]
        filled = None if told["filled"] is None else told["filled"] / 1000
        return Scrolled(gaps, told["months"], told["photos"], filled)

    def press(self, key: str) -> Painted:
        """Presses a key that leads to another address in the page that is open."""
        body = self.browser.find_element(By.TAG_NAME, "body")
        return self.change(lambda: body.send_keys(key))

    def change(self, act: Callable[[], None], text: str | None = None) -> Painted:
        """Does what changes the page that is open; times count from the key or pointer that did it.

        With a text the change is that an entry with it came into the timeline.
        """
        self.browser.execute_script(WATCH_CHANGE, text)
        act()
        seen = self._asked(READ_CHANGE, "the change was not shown")
        shown = (seen["changed"] - seen["began"]) / 1000
        return Painted("", shown, shown, shown)

    def forget(self) -> None:
        """Empties the browser's caches, so that the next page comes as if for the first time."""
        self.browser.get("about:blank")
        self.browser.execute_cdp_cmd("Network.clearBrowserCache", {})
        self.browser.execute_cdp_cmd(
            "Storage.clearDataForOrigin",
            {"origin": self.origin, "storageTypes": "service_workers,cache_storage"},
        )

    def shift(self) -> float:
        """How far the page's parts moved by themselves so far: the sum of its layout shifts."""
        return float(self.browser.execute_script("return window.arkivedBench.shift"))

    def resources(self) -> list[str]:
        """The addresses of the styles and scripts that the page loaded."""
        names = self.browser.execute_script(
            "return performance.getEntriesByType('resource').map((part) => part.name)"
        )
        paths = {urlsplit(name).path for name in names}
        return sorted(path for path in paths if path.endswith((".css", ".js")))

    def console(self) -> list[str]:
        """What the browser found wrong since it was asked last."""
        return [
            entry["message"] for entry in self.browser.get_log("browser")
            if entry["level"] == "SEVERE"
        ]  # fmt: skip

    def elsewhere(self) -> list[str]:
        """The addresses on other hosts that pages asked for since this was asked last."""
        found = []
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            parameters = message.get("params", {})
            if message.get("method") == "Network.requestWillBeSent":
                address = parameters["request"]["url"]
            elif message.get("method") == "Network.webSocketCreated":
                address = parameters["url"]
            else:
                continue
            parts = urlsplit(address)
            if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != self.host:
                found.append(address)
        return found

    def _wait(self) -> dict[str, Any]:
        seen = self._asked(READ, "no page was painted")
        if seen["status"] >= 400:
            raise Failed(f"{seen['address']} answered {seen['status']}")
        return seen

    def _asked(self, script: str, complaint: str) -> dict[str, Any]:
        """Runs a script repeatedly until it returns something."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            # While one page goes and another comes there is nothing to ask.
            with contextlib.suppress(WebDriverException):
                seen: dict[str, Any] | None = self.browser.execute_script(script)
                if seen:
                    return seen
            time.sleep(0.01)
        raise Failed(f"{complaint} within {PATIENCE} seconds")


def painted(seen: dict[str, Any], began: float) -> Painted:
    """What a page told, in seconds from a moment of the clock that it told it by."""

    def since(milliseconds: float) -> float:
        return (seen["origin"] + milliseconds - began) / 1000

    first = since(seen["first"])
    return Painted(
        seen["address"], since(seen["answered"]), first, max(first, since(seen["whole"]))
    )


@contextlib.contextmanager
def window(
    host: str, cookie: dict[str, str], size: tuple[int, int] = DESK, *, logs: bool = False
) -> Iterator[Window]:
    """A fresh browser; with `logs` it also writes down what it asks for, which takes time."""
    kinds = ("browser", "performance") if logs else ("browser",)
    try:
        with chromium(*size, logs=kinds) as browser:
            yield Window(browser, host, cookie)
    except WebDriverException as failure:
        raise Failed(f"Chromium: {failure.msg}") from failure
