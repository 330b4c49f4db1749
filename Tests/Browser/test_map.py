"""The map and the photos: by mouse, keys and touch, on a phone, in dark, without scripts, and with axe.

Usage: test_map.py PATH-OF-ARKIVED [--gestures]. Prints a line for each check and exits 1 when one fails. With
--gestures also by several fingers and by wheel, on a machine that isn't busy.
"""

import json
import pathlib
import struct
import sys
import tempfile
import time
import zlib

from browser import chromium
from day_page import StoppableServer
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_accessibility import AXE, violations, widths
from test_pages import Checks, errors, keys_are_the_browsers, wait

PLACES = {"Berlin": (52.52, 13.4), "Paris": (48.86, 2.35), "Sydney": (-33.9, 151.2)}


def png(colour):
    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    rows = (b"\0" + bytes(colour) * 40) * 30
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 40, 30, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def fill(server, folder):
    """Thirty days at three places, a route, 130 photos in two months, and one that is broken."""
    (folder / "attachments").mkdir()
    lines = []
    for back in range(30):
        name = list(PLACES)[0 if back % 5 else back % 3]
        lat, lon = PLACES[name]
        lines.append({
            "type": "activity", "dayKey": f"2026-02-{back % 28 + 1:02}", "text": f"day {back} in {name}",
            "locationLabel": name, "lat": lat + back / 5000, "lon": lon})
    for number in range(130):
        month = 2 if number < 100 else 3
        file = folder / "attachments" / f"{number}.png"
        file.write_bytes(png((number, 90, 200 - number)) if number != 129 else b"\x89PNG\r\n\x1a\nbroken")
        lines.append({
            "type": "activity", "dayKey": f"2026-{month:02}-10", "text": f"photo {number}", "lat": 41.9, "lon": 12.5,
            "attachments": [{
                "type": "photo", "relativePath": file.name, "mediaType": "image/png", "originalName": file.name}]})
    (folder / "life.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    points = "".join(
        f'<trkpt lat="{52.5 + step * 0.002}" lon="{13.4 + (step % 9) * 0.003}"><time>2026-03-09T10:{step:02}:00Z'
        "</time></trkpt>" for step in range(50))
    (folder / "walk.gpx").write_text(
        f'<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{points}'
        "</trkseg></trk></gpx>")
    server.run("import", str(folder / "life.jsonl"), str(folder / "walk.gpx"), "--places", "keep")


def marks(browser):
    """The words of the groups in view and how far they are from the left."""
    return dict(browser.execute_script(
        "return [...document.querySelectorAll('.map-mark')].filter((it) => !it.hidden)"
        ".map((it) => [it.getAttribute('aria-label'), it.getBoundingClientRect().x])"))


def of_berlin(browser):
    return next((x for label, x in marks(browser).items() if "Berlin" in label), None)


def scale(browser):
    return browser.find_element(By.CSS_SELECTOR, ".map-scale").text


def pixels(browser):
    """How many colours the middle of the map has."""
    return browser.execute_script(
        "const it = document.querySelector('.map canvas'); const pen = it.getContext('2d');"
        "const data = pen.getImageData(0, 0, it.width, it.height).data; const seen = new Set();"
        "for (let i = 0; i < data.length; i += 4) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);"
        "return seen.size")


def settled(browser):
    wait(browser, lambda b: len(marks(b)) > 0 and pixels(b) > 5)


def on_map(checks, server):
    with chromium() as browser:
        browser.get(server.login)
        browser.get(server.url + "/map")
        settled(browser)
        wait(browser, lambda b: len(marks(b)) >= 3)
        checks.check("the map shows the world's places", "km" in scale(browser))
        labels = list(marks(browser))
        checks.check("each group has its words", any("Sydney" in one for one in labels), str(labels))
        checks.check("photos are on it", browser.find_elements(By.CSS_SELECTOR, ".map-mark.has-photo img") != [])
        table = browser.find_element(By.CSS_SELECTOR, "main table").text
        checks.check("the table beside it has the places", "Paris" in table and "Sydney" in table)
        frame = browser.find_element(By.CSS_SELECTOR, ".map-frame")
        before = scale(browser)
        frame.send_keys("+++")
        wait(browser, lambda b: scale(b) != before)
        checks.check("plus goes nearer", True)
        frame.send_keys("0")
        wait(browser, lambda b: scale(b) == before)
        checks.check("0 shows everything again", True)
        settled(browser)
        at = of_berlin(browser)
        frame.send_keys(Keys.ARROW_RIGHT)
        wait(browser, lambda b: (of_berlin(b) or at) < at - 50)
        checks.check("arrows move it", browser.current_url.endswith("/map"))
        ActionChains(browser).drag_and_drop_by_offset(
            browser.find_element(By.CSS_SELECTOR, ".map canvas"), 80, 0).perform()
        wait(browser, lambda b: abs((of_berlin(b) or 0) - at) < 12)
        checks.check("a drag moves it back", not browser.find_elements(By.CSS_SELECTOR, ".map-panel"))
        # Marks are made anew when the map has come to rest.
        time.sleep(1)
        browser.find_element(By.CSS_SELECTOR, ".map-mark[aria-label*=Berlin]").send_keys(Keys.ENTER)
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".map-panel li a[href^='/day/']"))
        checks.check("a group opens the list of its days", True)
        if AXE.is_file():
            found = violations(browser)
            checks.check("no violation with the list open", not found, " | ".join(found))
        browser.switch_to.active_element.send_keys(Keys.ESCAPE)
        wait(browser, lambda b: not b.find_elements(By.CSS_SELECTOR, ".map-panel"))
        checks.check(
            "Escape closes it, and the focus is on the group again",
            "map-mark" in browser.switch_to.active_element.get_attribute("class"))
        browser.get(server.url + "/day/2026-03-09")
        day = browser.find_element(By.ID, "map")
        browser.execute_script("arguments[0].scrollIntoView()", day)
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".map-frame") and pixels(b) > 5)
        checks.check("a day has its own map", True)
        way = browser.execute_async_script(
            "const done = arguments[0]; fetch('/api/v1/map?from=2026-03-09&to=2026-03-09&zoom=12')"
            ".then((it) => it.json()).then((it) => done(it.ways))")
        checks.check("with its route", len(way) == 1 and len(way[0]["lines"][0]) > 2)
        browser.execute_script(
            "window.kept = 0; const own = MediaQueryList.prototype.addEventListener;"
            "MediaQueryList.prototype.addEventListener = function (...all) {"
            "window.kept += 1; return own.apply(this, all); };")
        browser.find_element(By.TAG_NAME, "body").send_keys("[")
        wait(browser, lambda b: b.current_url.endswith("/day/2026-03-08"))
        browser.find_element(By.TAG_NAME, "body").send_keys("]")
        wait(browser, lambda b: b.current_url.endswith("/day/2026-03-09"))
        browser.execute_script("arguments[0].scrollIntoView()", browser.find_element(By.ID, "map"))
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".map-frame") and pixels(b) > 5)
        left = browser.execute_script("return window.kept")
        checks.check("a map that was left isn’t kept by the window", left == 0, left)
        corner = (
            "return [...document.querySelector('.map canvas').getContext('2d').getImageData(0, 0, 1, 1).data].join()")
        light = browser.execute_script(corner)
        scheme = {"name": "prefers-color-scheme", "value": "dark"}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        wait(browser, lambda b: b.execute_script(corner) != light)
        checks.check("and the new one follows the browser’s colours", True)
        scheme["value"] = "light"
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        browser.get(server.url + "/map")
        settled(browser)
        frame = browser.find_element(By.CSS_SELECTOR, ".map-frame")
        browser.execute_script("window.real = window.fetch; window.fetch = () => Promise.reject(new TypeError('away'))")
        frame.send_keys("+")
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".map-panel button"))
        told = browser.find_element(By.CSS_SELECTOR, ".map-panel")
        checks.check("a map that can’t be loaded says so", "couldn’t be loaded" in told.text, told.text)
        browser.execute_script("window.fetch = window.real")
        told.find_element(By.TAG_NAME, "button").click()
        wait(browser, lambda b: not b.find_elements(By.CSS_SELECTOR, ".map-panel"))
        checks.check("and is loaded by its button", browser.switch_to.active_element == frame)
        checks.check("no console error on the map", not errors(browser))


def touch(browser, *paths):
    """Fingers that go down together, move along their paths of points, and leave."""
    def send(kind, number=None):
        points = [] if number is None else [
            {"x": path[number][0], "y": path[number][1], "id": finger} for finger, path in enumerate(paths)]
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", 0)
    for number in range(1, len(paths[0])):
        send("touchMove", number)
    send("touchEnd")


def by_fingers(browser, holds, *paths):
    """Moves fingers, again where the page was too busy to follow them, until something holds."""
    for _ in range(30):
        touch(browser, *paths)
        end = time.monotonic() + 3
        while time.monotonic() < end:
            if holds(browser):
                return
            time.sleep(0.1)
    raise SystemExit(f"the map doesn't follow {paths}")


def path(x, y, across=0, down=0, steps=8):
    """Points of a finger's way from a place."""
    return [(x + across * step / steps, y + down * step / steps) for step in range(steps + 1)]


def place_of(browser, selector):
    """The middle of an element, which is brought into view."""
    return browser.execute_script(
        "const it = document.querySelector(arguments[0]);"
        "it.scrollIntoView({block: 'center', behavior: 'instant'}); const box = it.getBoundingClientRect();"
        "return [box.x + box.width / 2, box.y + box.height / 2]", selector)


def tap(browser, selector):
    touch(browser, [tuple(place_of(browser, selector))])


def resting(browser):
    """Waits until the marks have been made anew for where the map is now."""
    time.sleep(0.4)
    before = None
    while before != (before := marks(browser)):
        time.sleep(0.3)


def length(browser):
    """How many kilometres the scale stands for, for each pixel of it."""
    return browser.execute_script(
        "const it = document.querySelector('.map-scale'); const [number, unit] = it.textContent.split(' ');"
        "return Number(number.replaceAll(',', '')) / (unit === 'm' ? 1000 : 1) / parseFloat(it.style.width)")


def wheel(browser, x, y, amount):
    browser.execute_cdp_cmd(
        "Input.dispatchMouseEvent", {"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": amount})


def map_by_touch(checks, server):
    with chromium(390, 844) as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/map")
        settled(browser)
        x, y = place_of(browser, ".map-frame")
        resting(browser)
        at = of_berlin(browser)
        # Low on the map, where no mark is touched.
        by_fingers(browser, lambda b: of_berlin(b) - at > 60, path(x - 60, y + 180, 100, 0))
        checks.check("a finger moves the map", not browser.find_elements(By.CSS_SELECTOR, ".map-panel"))
        by_fingers(browser, lambda b: of_berlin(b) - at < 40, path(x + 40, y + 180, -100, 0))
        # At the height of the middle, so that the scale is of the same latitude before and after.
        before = length(browser)
        by_fingers(
            browser, lambda b: length(b) < before / 1.5, path(x - 30, y, -60, 0), path(x + 30, y, 60, 0))
        checks.check("two fingers that part go nearer", True)
        near = length(browser)
        by_fingers(
            browser, lambda b: length(b) > near * 1.5, path(x - 90, y, 60, 0), path(x + 90, y, -60, 0))
        checks.check("and back when they meet", True)
        scrolled = browser.execute_script("return [scrollY, visualViewport.scale]")
        touch(browser, path(x, y + 180, 0, -120))
        checks.check(
            "the page itself stays while the map is moved",
            browser.execute_script("return [scrollY, visualViewport.scale]") == scrolled)
        browser.find_element(By.CSS_SELECTOR, ".map-frame").send_keys("0")
        resting(browser)
        tap(browser, ".map-mark[aria-label*=Berlin]")
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".map-panel li a[href^='/day/']"))
        checks.check("a tap on a group opens the list of its days", True)
        tap(browser, ".map-panel .actions button:last-child")
        wait(browser, lambda b: not b.find_elements(By.CSS_SELECTOR, ".map-panel"))
        tap(browser, ".map-mark[aria-label*=Berlin]")
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".map-panel li a[href^='/day/']"))
        tap(browser, ".map-panel li a")
        wait(browser, lambda b: "/day/2026-" in b.current_url)
        checks.check("a tap on a day leads there", True)
        browser.get(server.url + "/day/2026-03-09")
        place_of(browser, "#map")
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".map-frame"))
        x, y = place_of(browser, ".map-frame")
        scrolled = browser.execute_script("return scrollY")
        touch(browser, path(x, y, 0, 100))
        wait(browser, lambda b: b.execute_script("return scrollY") < scrolled - 50)
        checks.check("on a day a finger scrolls past the map", True)
        checks.check("no console error by touch", not errors(browser))


def by_wheel(checks, server):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/map")
        settled(browser)
        x, y = place_of(browser, ".map-frame")
        resting(browser)
        before, scrolled = length(browser), browser.execute_script("return scrollY")
        wheel(browser, x + 100, y + 50, -300)
        wait(browser, lambda b: abs(before / length(b) - 2) < 0.3)
        checks.check("the wheel goes nearer", True)
        wheel(browser, x + 100, y + 50, 300)
        wait(browser, lambda b: abs(length(b) / before - 1) < 0.1)
        checks.check("and back, and the page stays", browser.execute_script("return scrollY") == scrolled)
        browser.get(server.url + "/day/2026-03-09")
        place_of(browser, "#map")
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".map-frame") and pixels(b) > 5)
        x, y = place_of(browser, ".map-frame")
        resting(browser)
        before, scrolled = length(browser), browser.execute_script("return scrollY")
        wheel(browser, x, y, -200)
        wait(browser, lambda b: b.execute_script("return scrollY") < scrolled)
        checks.check("on a day the wheel scrolls past the map", length(browser) == before)


def photos_by_touch(checks, server):
    with chromium(390, 844) as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/photos")
        wait(browser, lambda b: len(b.find_elements(By.CSS_SELECTOR, ".photo-body .photo")) >= 30)

        def position(browser):
            return browser.find_element(By.CSS_SELECTOR, ".photo-dialog .quiet").text.split(" ")[0]

        def style(browser):
            return browser.find_element(By.CSS_SELECTOR, ".photo-large").get_attribute("style")

        tap(browser, ".photo-body .photo")
        wait(browser, lambda b: position(b) == "1")
        checks.check("a tap opens a photo", True)
        x, y = place_of(browser, ".photo-dialog .photo-large")
        touch(browser, path(x + 60, y, -120, 10))
        wait(browser, lambda b: position(b) == "2")
        checks.check("a swipe to the left goes on", True)
        touch(browser, path(x - 60, y, 120, -10))
        wait(browser, lambda b: position(b) == "1")
        checks.check("one to the right goes back", True)
        touch(browser, path(x, y, -30, 0))
        touch(browser, path(x, y, -70, 60))
        touch(browser, path(x - 20, y, -60, 0), path(x + 20, y, 60, 0))
        wait(browser, lambda b: "scale(4" in style(b))
        checks.check("two fingers zoom, and a short or slanting way isn’t a swipe", position(browser) == "1")
        before = style(browser)
        touch(browser, path(x, y, -120, 0))
        wait(browser, lambda b: style(b) != before)
        checks.check("a large photo is moved, not left", position(browser) == "1" and "scale(4" in style(browser))
        touch(browser, path(x - 80, y, 60, 0), path(x + 80, y, -60, 0))
        touch(browser, path(x - 80, y, 60, 0), path(x + 80, y, -60, 0))
        wait(browser, lambda b: style(b) == "")
        touch(browser, path(x, y, 10, 140))
        wait(browser, lambda b: not b.find_elements(By.CSS_SELECTOR, ".photo-dialog"))
        checks.check(
            "a swipe down closes it, and the focus is on its tile",
            browser.switch_to.active_element.get_attribute("data-photo") is not None)
        checks.check("no console error by touch in the photos", not errors(browser))


def everywhere(checks, server):
    for width in (320, 390, 768, 1280):
        for dark in (False, True) if width in (390, 1280) else (False,):
            with chromium(width, 844, dark) as browser:
                browser.set_script_timeout(600)
                browser.get(server.login_again())
                for path in ("/map", "/map?span=2026", "/photos", "/day/2026-03-09", "/day/2026-03-10"):
                    browser.get(server.url + path)
                    if path.startswith("/map"):
                        settled(browser)
                    elif path.startswith("/day"):
                        # Away from the bar at the end of a phone's window, which covers what is under it.
                        browser.execute_script("document.getElementById('map').scrollIntoView({block: 'center'})")
                        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".map-frame"))
                    name = f"{path} at {width} {'dark' if dark else 'light'}"
                    checks.check(f"{name}: nothing wider than the window", widths(browser) <= 0)
                    if AXE.is_file():
                        found = violations(browser)
                        checks.check(f"{name}: no violation", not found, " | ".join(found))


def in_photos(checks, server):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/photos")
        wait(browser, lambda b: len(b.find_elements(By.CSS_SELECTOR, ".photo-body .photo")) >= 60)
        height = "return document.documentElement.scrollHeight"
        before = browser.execute_script(height)
        browser.execute_script("scrollTo(0, document.documentElement.scrollHeight)")
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, "#m-2026-02 .photo-block:last-child .photo"))
        checks.check("photos come as one scrolls, and nothing moves", browser.execute_script(height) == before)
        link = browser.find_elements(By.CSS_SELECTOR, "#m-2026-02 .photo")[0]
        name = link.get_attribute("data-photo")
        link.send_keys(Keys.ENTER)
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".photo-dialog figcaption a[href^='/day/2026-02-10']"))
        checks.check("a photo opens with its day", True)
        position = lambda b: b.find_element(By.CSS_SELECTOR, ".photo-dialog .quiet").text.split(" ")[0]  # noqa: E731
        checks.check("and its place in the month", position(browser) == "1")
        if AXE.is_file():
            found = violations(browser)
            checks.check("no violation in the viewer", not found, " | ".join(found))
        browser.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
        wait(browser, lambda b: position(b) == "2")
        browser.switch_to.active_element.send_keys("+")
        wait(browser, lambda b: "scale" in b.find_element(By.CSS_SELECTOR, ".photo-large").get_attribute("style"))
        checks.check("keys go on and zoom", True)
        browser.switch_to.active_element.send_keys("0" + Keys.ARROW_LEFT)
        wait(browser, lambda b: position(b) == "1")
        browser.switch_to.active_element.send_keys(Keys.ESCAPE)
        wait(browser, lambda b: not b.find_elements(By.CSS_SELECTOR, ".photo-dialog"))
        checks.check(
            "Escape leads back to it",
            browser.switch_to.active_element.get_attribute("data-photo") == name)
        browser.get(f"{server.url}/photos/view/{name}")
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".photo-steps [rel=next]"))
        keys_are_the_browsers(checks, browser, "on the page of a photo")
        browser.get(server.url + "/photos?month=2026-03")
        wait(browser, lambda b: b.execute_script(
            "return [...document.images].every((it) => it.loading !== 'lazy' || it.complete || !it.checkVisibility())"))
        broken = browser.execute_script(
            "return [...document.images]"
            ".filter((it) => it.complete && !it.dataset.waiting && it.naturalWidth === 0).length")
        checks.check("a broken photo has a calm tile", broken == 0, str(broken))
        scrolled_past(checks, server, browser)
        tried_again(checks, server, browser)
        checks.check("no console error in the photos", not errors(browser))


# The first parts of an album that a page asks for don't come.
FAILING = """
let failing = 2;
const real = window.fetch;
window.fetch = (...all) => (String(all[0]).startsWith("/photos/part") && failing-- > 0
  ? Promise.reject(new TypeError("away")) : real(...all));
"""


def tried_again(checks, server, browser):
    """Photos that didn't come are asked for again while their place is in view."""
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": FAILING})
    browser.get(server.url + "/photos")
    wait(browser, lambda b: len(b.find_elements(By.CSS_SELECTOR, ".photo-body .photo")) >= 30)
    browser.execute_script("scrollTo(0, document.documentElement.scrollHeight)")
    wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, "#m-2026-02 .photo-block:last-child .photo"))
    checks.check("photos that didn’t come are asked for again", True)


def scrolled_past(checks, server, browser):
    """Pictures that leave the window before they come aren't asked for, and come when they are back in it."""
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
    slow = {"offline": False, "latency": 400, "downloadThroughput": 400_000, "uploadThroughput": 400_000}
    browser.get(server.url + "/photos")
    wait(browser, lambda b: len(b.find_elements(By.CSS_SELECTOR, ".photo-body .photo")) >= 60)
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", slow)
    for _ in range(2):
        browser.execute_script("scrollTo(0, document.documentElement.scrollHeight)")
        time.sleep(0.3)
        browser.execute_script("scrollTo(0, 0)")
        time.sleep(0.2)
    browser.execute_script("scrollTo(0, document.documentElement.scrollHeight)")
    in_view = """
        const seen = [...document.querySelectorAll(".photo img")].filter((it) => {
          const { top, bottom } = it.getBoundingClientRect();
          return bottom > 0 && top < innerHeight;
        });
        return seen.length > 0 && seen.every((it) => it.getAttribute("src") && it.complete && it.naturalWidth > 0);
        """
    wait(browser, lambda b: b.execute_script(in_view))
    checks.check("pictures in view come after others were scrolled past", True)
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", {
        "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
    browser.execute_script("scrollTo(0, 0)")
    wait(browser, lambda b: b.execute_script(in_view))
    checks.check("and those come when they are back in view", True)


def plain(checks, server):
    with chromium(scripts=False) as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/map")
        checks.check(
            "without scripts the table is there, and a word on it",
            "Sydney" in browser.page_source and browser.find_element(By.CSS_SELECTOR, ".map-plain").is_displayed())
        picture = browser.find_element(By.CSS_SELECTOR, ".map-picture")
        checks.check("so is the map as a picture", picture.size["width"] > 600 and picture.size["height"] > 300, picture.size)
        browser.get(server.url + "/photos?month=2026-02")
        checks.check("a part of a month is a page", len(browser.find_elements(By.CSS_SELECTOR, ".photo")) == 60)
        browser.find_element(By.CSS_SELECTOR, ".photo-pages [rel=next]").click()
        checks.check("the rest is the next one", len(browser.find_elements(By.CSS_SELECTOR, ".photo")) == 40)
        browser.find_element(By.CSS_SELECTOR, ".photo").click()
        browser.find_element(By.CSS_SELECTOR, ".photo-steps [rel=next]").click()
        checks.check("photos are pages that lead on", "/photos/view/" in browser.current_url)


def main():
    checks = Checks()
    server = StoppableServer(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        fill(server, pathlib.Path(folder))
        with server:
            on_map(checks, server)
            in_photos(checks, server)
            if "--gestures" in sys.argv:
                map_by_touch(checks, server)
                by_wheel(checks, server)
                photos_by_touch(checks, server)
            plain(checks, server)
            everywhere(checks, server)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
