"""Checks every page for WCAG 2.2 AA with axe-core, in both themes and languages, on a phone, a tablet
and a desktop; that it can be read at 320 pixels and with text twice as large; then walks through the app
by keyboard alone.

Usage: test_accessibility.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import base64
import json
import pathlib
import re
import shutil
import sys
import tempfile
import time
import urllib.request

from browser import Server, chromium
from sample_goals import Forms
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_day import PNG
from test_pages import Checks, errors, wait

AXE = pathlib.Path(__file__).resolve().parent.parent / ".cache" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# What has a page in every archive is listed once, for the benchmarks too.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Benchmarks" / "Web"))
from paths import FIXED  # noqa: E402

PAGES = (
    *FIXED, "/day/2026-03-13", "/day/2030-01-01", "/day/2026-13-40", "/day/2026-03-14/note/edit",
    "/calendar?of=year&show=mood", "/search?query=castle",
    "/ask?question=how+many+km+did+I+cycle+by+month+in+2025%3F", "/insights",
    "/insights?year=2025", "/insights/habits", "/insights/time", "/insights/measures", "/insights/places",
    "/insights/mood", "/insights/compare", "/map?span=all", "/linked/from?day=2026-03-14",
)


def violations(browser):
    # The marks of a map come after the page, and lie over each other until they are placed.
    end = time.monotonic() + 60
    unsettled = ".page-map .map:not([data-settled]), .map:has(.map-frame):not([data-settled])"
    while time.monotonic() < end and browser.find_elements(By.CSS_SELECTOR, unsettled):
        time.sleep(0.05)
    browser.execute_script(AXE.read_text())
    found = browser.execute_async_script(
        "const [tags, done] = arguments;"
        "axe.run(document, {runOnly: {type: 'tag', values: tags}, resultTypes: ['violations']})"
        ".then((found) => done(found.violations), (error) => done([{id: String(error), nodes: []}]));",
        TAGS,
    )
    return [
        f"{one['id']}: " + "; ".join(
            f"{node['target']} {node.get('failureSummary', '')[:160]}" for node in one["nodes"][:3])
        for one in found
    ]


def widths(browser):
    """How far the page reaches beyond its window, in pixels."""
    return browser.execute_script(
        "return document.documentElement.scrollWidth - document.documentElement.clientWidth")


# Texts and controls that are cut off, or outside the window where nothing scrolls to them.
CUT_OFF = r"""
const [wide, high] = [document.documentElement.clientWidth, innerHeight];
const isControl = (it) => it.matches("input:not([type=hidden]), select, textarea, button, summary, a, img");
const scrolls = (value) => value === "auto" || value === "scroll";
const found = [];
for (const one of document.body.querySelectorAll("*")) {
  const texts = [...one.childNodes].filter((it) => it.nodeType === Node.TEXT_NODE && it.data.trim());
  if (texts.length === 0 && !isControl(one) || one.closest("svg, script, style, template, noscript, option")) continue;
  // What is beyond a map's edge is reached by moving it.
  if (one.closest(".map-marks")) continue;
  if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
  let box = one.getBoundingClientRect();
  if (texts.length > 0) {
    const range = document.createRange();
    range.setStart(texts[0], 0);
    range.setEnd(texts.at(-1), texts.at(-1).length);
    box = range.getBoundingClientRect();
  }
  if (box.width < 2 || box.height < 2) continue;
  let [why, isAcross, isDown, isForReaders] = ["", false, false, false];
  for (let it = one; it && it !== document.body; it = it.parentElement) {
    const [style, room] = [getComputedStyle(it), it.getBoundingClientRect()];
    // Words for a screen reader alone.
    if (style.clipPath !== "none" || room.width <= 1 && room.height <= 1) isForReaders = true;
    // What ends in an ellipsis stands whole where it leads to.
    const isShortened = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
    const beside = Math.max(box.right - room.right, room.left - box.left);
    const beyond = Math.max(box.bottom - room.bottom, room.top - box.top);
    if (scrolls(style.overflowX) || isShortened) isAcross = true;
    else if (style.overflowX !== "visible" && !isAcross && beside > 1) why ||= `cut off by .${it.className}`;
    if (scrolls(style.overflowY) || isShortened) isDown = true;
    // Letters reach a little beyond a tight line.
    else if (style.overflowY !== "visible" && !isDown && beyond > 5) why ||= `cut off below by .${it.className}`;
    if (style.position === "fixed" && !isDown && Math.max(box.bottom - high, -box.top) > 1) why ||= "below the window";
  }
  if (!isAcross && Math.max(box.right - wide, -box.left) > 1) why ||= "beside the window";
  if (why && !isForReaders) {
    found.push(`${one.tagName}.${one.className} “${(one.textContent || one.name || "").trim().slice(0, 30)}”: ${why}`);
  }
}
return found;
"""
# Text twice as large as a browser's owner sets it; every measure of the pages follows it.
LARGE_TEXT = ("--blink-settings=defaultFontSize=32",)


def resize(browser, width, height):
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


def theme(browser, dark):
    features = {"prefers-color-scheme": "dark" if dark else "light", "prefers-reduced-motion": "reduce"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": name, "value": value} for name, value in features.items()]})


def fits(checks, browser, name):
    """Checks that nothing scrolls sideways and that everything can be reached."""
    wide, found = widths(browser), browser.execute_script(CUT_OFF)
    checks.check(f"{name}: everything can be read", wide <= 0 and not found, f"{wide} px, " + " | ".join(found[:5]))


def loaded(browser):
    return browser.execute_script("return document.readyState") == "complete"


def things(server):
    """The pages of single things of the sample life: each with its form, and an old version."""
    def first(kind, *words):
        return json.loads(server.run(*words, "--json"))[kind][0]["id"]

    goal = first("goals", "goal", "list")
    server.run("goal", "edit", goal, "--notes", "slower in the heat")
    entry = json.loads(server.run("add", "mended the tent #gear", "--json"))["created"]["id"]
    ahead = first("meetings", "meeting", "list")
    server.run("note", "--day", "2026-03-14", "A *calm* day, with a [link](/goals).")
    picture = pathlib.Path(server.home, "dot.png")
    picture.write_bytes(base64.b64decode(PNG))
    server.run("add", "saw a dot", "--attach", str(picture))
    lines = pathlib.Path(server.home, "lines.jsonl")
    lines.write_text(json.dumps({"type": "activity", "dayKey": "2026-03-02", "text": "mended the boat"}) + "\n")
    server.run("import", str(lines))
    made = [
        f"/goals/{goal}", f"/terms/{first('terms', 'term', 'list')}",
        f"/values/{first('values', 'value', 'list')}",
        f"/meetings/{first('meetings', 'meeting', 'list', '--past')}",
        f"/people/{first('people', 'person', 'list')}",
        f"/notes/{first('notes', 'notes', 'list')}", f"/activities/{entry}",
    ]  # fmt: skip
    with server:
        forms = Forms(server, server.login)
        links = [
            re.search(kind + "/[0-9A-F-]{36}", forms.get(page)).group()
            for kind, page in (
                ("/history", f"/goals/{goal}"), ("/settings/history", "/settings/history"),
                ("/settings/tags", "/settings/tags"),
            )
        ]  # fmt: skip
        links.append("/threads/" + forms.made("/threads", {"question": "how often did I cycle in 2025?"}))
        links += [
            place + listed(server, path, kind)
            for place, path, kind in (
                ("/photos/view/", "/photos", "photos"), ("/settings/templates/", "/templates", "templates"),
                ("/settings/imports/", "/imports", "runs"), ("/linked/from?person=", "/people", "people"),
            )
        ]  # fmt: skip
    return [
        *made, *(f"{path}/edit" for path in made), f"/actions/{entry}", f"/meetings/{ahead}/brief",
        *links, "/day/2026-03-14/note",
    ]  # fmt: skip


def listed(server, path, kind):
    """The ID of the first thing in a list of the API."""
    request = urllib.request.Request(
        f"{server.url}/api/v1{path}", headers={"Authorization": f"Bearer {server.token}"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)[kind][0]["id"]


def speak(server, language):
    """Sets the language of the pages."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {server.token}"}
    urllib.request.urlopen(urllib.request.Request(
        f"{server.url}/api/v1/preferences", json.dumps({"language": language}).encode(), headers,
        method="PATCH")).close()


def every_page(checks, server, width, dark, pages, begins_in):
    """Every other page in English, the ones between in German; the next walk has them the other way round."""
    look = f"{width} {'dark' if dark else 'light'}"
    with chromium(width, 844 if width < 600 else 900, dark) as browser:
        browser.set_script_timeout(600)
        signing_in(checks, server, browser, look)
        browser.get(server.login)
        for turn, language in enumerate((begins_in, "de" if begins_in == "en" else "en")):
            speak(server, language)
            for path in pages[turn::2]:
                browser.get(server.url + path)
                checks.check(
                    f"{path} is a page of the app", not browser.find_elements(By.CSS_SELECTOR, "[data-page=login]"))
                name = f"{path} in {language} at {look}"
                found = violations(browser)
                checks.check(f"{name}: no violation", not found, " | ".join(found))
                checks.check(f"{name}: nothing wider than the window", widths(browser) <= 0)
        no_errors(checks, browser, width)


def signing_in(checks, server, browser, look):
    """The page for a browser that is signed out."""
    browser.get(server.url + "/")
    checks.check("who is signed out is shown how to sign in",
                 len(browser.find_elements(By.CSS_SELECTOR, "[data-page=login]")) == 1)
    found = violations(browser)
    checks.check(f"signing in at {look}: no violation", not found, " | ".join(found))
    fits(checks, browser, f"signing in at {look}")
    # The browser tells of the page's status as an error.
    left = [line for line in errors(browser) if "401" not in line]
    checks.check(f"no console error while signed out at {look}", left == [], str(left[:3]))


def no_errors(checks, browser, name):
    # That day's page is for the error of a day that doesn't exist.
    found = [line for line in errors(browser) if "2026-13-40" not in line]
    checks.check(f"no console error at {name}", not found, str(found[:3]))


def on_a_tablet(checks, server, pages, language):
    """Every page in one of the themes, and in windows as narrow as zooming to 200 and 400 % makes them."""
    with chromium(768, 900) as browser:
        browser.get(server.login)
        browser.set_script_timeout(600)
        for number, path in enumerate(pages):
            # In the other language the page has the other theme.
            dark = number % 2 == (language == "de")
            resize(browser, 768, 900)
            theme(browser, dark)
            browser.get(server.url + path)
            name = f"{path} in {language}"
            found = violations(browser)
            checks.check(
                f"{name} at 768 {'dark' if dark else 'light'}: no violation", not found, " | ".join(found))
            for width, height in ((640, 450), (320, 512)) if dark else ((320, 512),):
                resize(browser, width, height)
                fits(checks, browser, f"{name} at {width}")
        no_errors(checks, browser, f"768 in {language}")


def with_large_text(checks, server, pages, language):
    with chromium(1280, 900, more=LARGE_TEXT) as browser:
        browser.get(server.login)
        for path in pages:
            browser.get(server.url + path)
            for width, height in ((1280, 900), (390, 844)):
                resize(browser, width, height)
                fits(checks, browser, f"{path} in {language} with large text at {width}")


def by_keyboard(checks, server):
    with chromium() as browser:
        browser.get(server.login)
        body = browser.find_element(By.TAG_NAME, "body")
        body.send_keys(Keys.TAB)
        skip = browser.switch_to.active_element
        checks.check("the first tab stop leads past the navigation", "Skip" in skip.text)
        skip.send_keys(Keys.ENTER)
        checks.check(
            "it leads to the content", browser.switch_to.active_element.get_attribute("id") == "main")
        seen = set()
        for _ in range(60):
            ActionChains(browser).send_keys(Keys.TAB).perform()
            now = browser.switch_to.active_element
            box = now.rect
            shown = box["width"] > 0 and box["height"] > 0
            seen.add(now.get_attribute("outerHTML")[:120])
            if not shown and now.tag_name != "body":
                checks.check("what has the focus can be seen", False, now.get_attribute("outerHTML")[:200])
                break
        checks.check("the focus moves on and is in no trap", len(seen) > 15, str(len(seen)))
        # In a field the letter would be text.
        browser.execute_script("document.getElementById('main').focus()")
        ActionChains(browser).send_keys("c").perform()
        wait(browser, lambda b: "/calendar" in b.current_url and loaded(b))
        browser.find_element(By.TAG_NAME, "body").send_keys(Keys.ARROW_DOWN)
        today = browser.switch_to.active_element
        checks.check("down begins at today", today.get_attribute("href").endswith("2026-03-14"))
        today.send_keys(Keys.ARROW_UP)
        week = browser.switch_to.active_element
        checks.check("up is a week before", week.get_attribute("href").endswith("2026-03-07"))
        week.send_keys(Keys.ARROW_LEFT)
        browser.switch_to.active_element.send_keys(Keys.ENTER)
        wait(browser, lambda b: b.current_url.endswith("/day/2026-03-06"))
        checks.check("enter opens the day", True)
        browser.back()
        wait(browser, lambda b: "/calendar" in b.current_url and loaded(b))
        browser.find_element(By.TAG_NAME, "body").send_keys(Keys.PAGE_UP)
        wait(browser, lambda b: "2026-02" in b.current_url)
        checks.check("page up is the month before", True)
        checks.check("no console error by keyboard", not errors(browser))


def main(arkived):
    if not AXE.exists():
        print("ok   axe-core is missing; run ./setup --test")
        return
    checks = Checks()
    server = Server(arkived, tempfile.mkdtemp(prefix="arkived-browser-"))
    server.run("sample", "--from", "2025-09-01", "--through", "2026-03-14")
    try:
        made = things(server)
        # A login link works once, and each browser signs in. Pages of one kind differ little, so
        # those of single things are looked at in half of the ways.
        # In each window, every page is seen in both languages.
        for width, dark, pages, language in (
            (1280, False, [*PAGES, *made], "en"), (390, True, [*PAGES, *made], "de"),
            (1280, True, PAGES, "de"), (390, False, PAGES, "en"),
        ):  # fmt: skip
            with server:
                every_page(checks, server, width, dark, pages, language)
        for language in ("en", "de"):
            with server:
                speak(server, language)
                on_a_tablet(checks, server, PAGES, language)
        # Words are longer in German; a sentence may be longer in English.
        for language, pages in (("de", [*PAGES, *made]), ("en", made)):
            with server:
                speak(server, language)
                with_large_text(checks, server, pages, language)
        with server:
            speak(server, "en")
        with server:
            by_keyboard(checks, server)
    finally:
        shutil.rmtree(server.home, ignore_errors=True)
    print(f"{checks.passed} passed, {checks.failed} failed")
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
