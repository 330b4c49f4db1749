"""Uses the settings as a person does: tags, imports, the history and storage, by mouse, on a phone
and without scripts.

Usage: test_settings.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import json
import os
import sys
import tempfile
import time

from browser import chromium
from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import staleness_of
from selenium.webdriver.support.ui import WebDriverWait
from test_pages import CANARY, Checks, SignedInServer, errors, headings, wait

LONG = "x" * 190
CODE = "<img-src=x-onerror=document.title='owned'>"


def lines(path, count, tag):
    """A file of JSON Lines with one line that cannot be read."""
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            entry = {
                "type": "activity", "text": f"entry {number}", "tags": [tag],
                "dayKey": f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}",
            }
            file.write(json.dumps(entry) + "\n")
        file.write("{broken\n")


def tags(checks, server):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/settings/tags")
        checks.check("tags that look alike are proposed", "Possible duplicates" in browser.page_source)
        browser.find_element(By.CSS_SELECTOR, "[aria-label='Merge runing into running']").click()
        wait(browser, lambda b: "Merged #runing into #running in 1 entry." in b.page_source)
        checks.check("and merged with one press", True)
        browser.find_element(By.CSS_SELECTOR, ".notice form button").click()
        wait(browser, lambda b: "Undid: Merged" in b.page_source)
        checks.check("Undo separates the two again", "Possible duplicates" in browser.page_source)
        browser.find_element(By.LINK_TEXT, "#running").click()
        field = wait(browser, lambda b: b.find_element(By.ID, "name"))
        field.clear()
        field.send_keys("Running")
        browser.find_element(By.CSS_SELECTOR, "input[value=green]").click()
        browser.find_element(By.CSS_SELECTOR, "#form .button-primary").click()
        wait(browser, lambda b: "Renamed #running to #Running" in b.page_source)
        checks.check("a tag gets a name and a colour", True)
        browser.get(server.url + "/day/2026-03-14")
        mark = browser.find_element(By.CSS_SELECTOR, ".meta .hash.tag-green")
        plain = browser.find_element(By.CSS_SELECTOR, ".meta .hash:not([class*=tag-])")
        checks.check(
            "the colour shows on the day",
            mark.value_of_css_property("color") != plain.value_of_css_property("color"),
        )
        checks.check("no script or policy error with tags", errors(browser) == [])


def imports(checks, server, folder):
    small = os.path.join(folder, "small.jsonl")
    large = os.path.join(folder, "large.jsonl")
    lines(small, 3, "small")
    lines(large, 40_000, "large")
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/settings/imports")
        # Import asks for files, and begins when they are chosen; Preview does the same.
        browser.execute_cdp_cmd("Page.setInterceptFileChooserDialog", {"enabled": True})
        browser.find_element(By.CSS_SELECTOR, "#upload [formaction]").click()
        browser.find_element(By.ID, "files").send_keys(small)
        wait(browser, lambda b: b.find_elements(By.ID, "look"))
        checks.check("Preview asks for files and imports nothing", "New" in browser.find_element(By.ID, "look").text)
        browser.get(server.url + "/settings/imports")
        browser.find_element(By.ID, "files").send_keys(small)
        time.sleep(0.5)
        checks.check("files that were only chosen wait", not browser.find_elements(By.ID, "ended"))
        browser.get(server.url + "/settings/imports")
        browser.find_element(By.CSS_SELECTOR, "#upload .button-primary").click()
        browser.find_element(By.ID, "files").send_keys(small)
        wait(browser, lambda b: b.find_elements(By.ID, "ended"))
        ended = browser.find_element(By.ID, "ended").text
        checks.check("a file comes in", "3 entries" in ended and "1 warning" in ended, ended)
        fold = browser.find_element(By.CSS_SELECTOR, "#by-path summary")
        fold.click()
        browser.find_element(By.ID, "path").send_keys(large)
        browser.find_element(By.CSS_SELECTOR, "#by-path button").click()
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, "#job, #ended"))
        # The page looks again by itself until the import is over.
        wait_long(browser, lambda b: "40,000 entries" in b.find_element(By.ID, "main").text)
        checks.check("a path is followed to its end without a reload", True)
        browser.find_element(By.CSS_SELECTOR, "[aria-label='Undo the import of large.jsonl']").click()
        wait_long(browser, lambda b: "Undid: Imported large.jsonl" in b.page_source)
        checks.check("a whole import is taken back", True)
        checks.check("no script or policy error with imports", errors(browser) == [])


DROP = """
const data = new DataTransfer();
data.items.add(new File([arguments[0]], arguments[1]));
for (const kind of ["dragenter", "dragover", "drop"]) {
  document.querySelector("h1").dispatchEvent(
    new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));
}
"""


def dropping(checks, server):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/settings/imports")
        entry = {"type": "activity", "text": "dropped", "dayKey": "2025-02-03"}
        browser.execute_script(DROP, json.dumps(entry), "dropped.jsonl")
        wait(browser, lambda b: "dropped.jsonl" in "".join(
            part.text for part in b.find_elements(By.ID, "ended")))
        ended = browser.find_element(By.ID, "ended").text
        checks.check("a file that is dropped on the page comes in", "1 entry" in ended, ended)
        browser.find_element(By.CSS_SELECTOR, "[aria-label='Undo the import of dropped.jsonl']").click()
        wait(browser, lambda b: "Undid: Imported dropped.jsonl" in b.page_source)
        checks.check("and is taken back", True)
        browser.get(server.url + "/settings/imports")
        browser.find_element(By.PARTIAL_LINK_TEXT, "export your data").click()
        wait(browser, lambda b: "Obsidian" in b.find_element(By.ID, "main").text)
        checks.check("a page says where exports hide", True)
        checks.check("no script or policy error with dropped files", errors(browser) == [])


def wait_long(browser, condition):
    end = time.monotonic() + 600
    while not condition(browser):
        if time.monotonic() > end:
            raise TimeoutError("the import does not end")
        time.sleep(0.3)


def history(checks, server):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/settings/history?action=edit")
        browser.find_element(By.CSS_SELECTOR, ".change-list .row-link").click()
        wait(browser, lambda b: "/settings/history/" in b.current_url)
        text = browser.find_element(By.ID, "main").text
        checks.check("a change opens to what it did", "running" in text and "Running" in text, text)
        checks.check("with marks", browser.find_elements(By.CSS_SELECTOR, "del, ins") != [])
        browser.find_element(By.CSS_SELECTOR, ".reading-head form button").click()
        wait(browser, lambda b: "Undid: Renamed" in b.page_source)
        button = browser.find_element(By.CSS_SELECTOR, ".reading-head form button")
        checks.check("and is taken back there", button.text == "Redo", button.text)
        button.click()
        wait(browser, lambda b: b.find_element(By.CSS_SELECTOR, ".reading-head form button").text == "Undo")
        checks.check("and brought again", True)
        checks.check("no script or policy error in the history", errors(browser) == [])


def nudges(checks, server):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/settings/nudges")
        chosen = browser.find_elements(By.CSS_SELECTOR, ".align-list input:checked")
        checks.check("no nudge is on before it is chosen", chosen == [])
        browser.find_element(By.NAME, "goal-on").click()
        browser.find_element(By.NAME, "web").click()
        browser.find_element(By.CSS_SELECTOR, "#form .button-primary").click()
        wait(browser, lambda b: "Saved." in b.page_source)
        checks.check("a nudge is chosen with a tick", True)
        # What the browser would show is written down instead.
        browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
            window.shown = [];
            window.Notification = class {
              static permission = "granted";
              constructor(title, { body }) { shown.push(`${title}: ${body}`); }
            };
        """})
        browser.get(server.url + "/")
        wait(browser, lambda b: b.execute_script(
            "return navigator.locks.query().then(({ held }) => held.some(({ name }) => name === 'nudges'))"))
        # Whoever looks first gives it; the server looks twice a minute.
        server.run("nudge", "set", "evening")
        server.run("today")
        line = wait(browser, lambda b: b.find_element(By.CSS_SELECTOR, "#nudges a"))
        checks.check("its line comes into the open page", line.text == "The day has no note yet.")
        shown = wait(browser, lambda b: b.execute_script("return shown"))
        checks.check(
            "the browser notifies once, without a title",
            shown == ["Arkived: The day has no note yet."], str(shown))
        browser.find_element(By.CSS_SELECTOR, "#nudges [formaction$='/dismiss']").click()
        wait(browser, lambda b: not b.find_elements(By.ID, "nudges"))
        checks.check("the line is taken away with one press", True)
        checks.check("no script or policy error with nudges", errors(browser) == [])


def tabs_keep_calm(checks, server):
    for width in (390, 1280):
        with chromium(width) as browser:
            browser.get(server.login_again())
            browser.get(server.url + "/settings/programs")
            tabs = browser.find_element(By.CSS_SELECTOR, ".settings-tabs")
            current = tabs.find_element(By.CSS_SELECTOR, "[aria-current]").rect
            title = browser.find_element(By.TAG_NAME, "h1").rect
            if width < 600:
                checks.check("on a phone the tabs take one line", tabs.rect["height"] < 64)
                checks.check(
                    "in which the present one is in sight",
                    0 <= current["x"] and current["x"] + current["width"] <= width, str(current))
            else:
                checks.check(
                    "on a desktop they stand beside the page",
                    tabs.rect["x"] + tabs.rect["width"] <= title["x"], str((tabs.rect, title)))


def without_scripts(checks, server, folder):
    small = os.path.join(folder, "plain.jsonl")
    lines(small, 2, "plain")
    with chromium(scripts=False) as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/settings/imports")
        browser.find_element(By.ID, "files").send_keys(small)
        button = browser.find_element(By.CSS_SELECTOR, "#upload .button-primary")
        button.click()
        # Whoever leaves the page before it answers takes the file back.
        WebDriverWait(browser, 300).until(staleness_of(button))
        for _ in range(1200):
            browser.get(server.url + "/settings/imports")
            if "plain.jsonl" in browser.find_element(By.ID, "main").text:
                break
            time.sleep(0.5)
        checks.check("a file comes in without scripts", "plain.jsonl" in browser.page_source)
        browser.get(server.url + "/settings/storage")
        button = browser.find_element(By.CSS_SELECTOR, "#health button")
        button.click()
        WebDriverWait(browser, 300).until(staleness_of(button))
        for _ in range(1200):
            browser.get(server.url + "/settings/storage")
            if "Checked on" in browser.page_source:
                break
            time.sleep(0.5)
        checks.check("the archive is checked without scripts", "No problems found." in browser.page_source)


def layout(checks, server):
    with chromium() as browser:
        browser.get(server.login_again())
        def links(page, selector):
            browser.get(server.url + page)
            found = browser.find_elements(By.CSS_SELECTOR, selector)
            return [one.get_attribute("href")[len(server.url):] for one in found]
        paths = ["/settings/tags", "/settings/imports", "/settings/imports/services",
                 "/settings/imports/duplicates", "/settings/history", "/settings/storage",
                 "/settings/backup", "/settings/nudges"]
        paths += links("/settings/tags", ".tag-list a")[:8]
        paths += links("/settings/imports", ".change-list .row-link")[:2]
        paths += links("/settings/history", ".change-list .row-link")[:8]
    for width, dark in ((390, False), (390, True), (1280, False), (1280, True)):
        with chromium(width, 844 if width < 600 else 900, dark) as browser:
            browser.get(server.login_again())
            for number, path in enumerate(paths):
                browser.get(server.url + path)
                browser.execute_script(
                    "document.querySelectorAll('details').forEach((fold) => { fold.open = true; })"
                )
                wide = browser.execute_script(
                    "return document.documentElement.scrollWidth > window.innerWidth"
                )
                label = f"{path[:20]} ({number}) at {width} px, {'dark' if dark else 'light'}"
                checks.check(f"nothing is cut off on {label}", not wide)
                checks.check(f"one main heading on {label}", headings(browser) == 1)
                small = browser.execute_script(
                    "return [...document.querySelectorAll('main button, main .button, main select,"
                    " main input:not([type=hidden]):not([type=radio]):not([type=checkbox]), main nav a, main .row-link')]"
                    ".filter((one) => one.offsetParent && one.getBoundingClientRect().height < 43.5)"
                    ".map((one) => one.outerHTML.slice(0, 80))"
                )
                checks.check(f"everything can be touched on {label}", small == [], str(small))
            checks.check(f"no script or policy error at {width} px", errors(browser) == [])
            checks.check("hostile names do not run", browser.title != "owned")


def main(arkived):
    checks = Checks()
    server = SignedInServer(arkived)
    server.run("add", "ran along the river #running #early")
    server.run("add", "ran again #running")
    server.run("add", "ran a slip #runing")
    server.run("add", f"{CANARY} #{LONG} #{CODE}")
    with tempfile.TemporaryDirectory() as folder, server:
        tags(checks, server)
        imports(checks, server, folder)
        dropping(checks, server)
        history(checks, server)
        nudges(checks, server)
        tabs_keep_calm(checks, server)
        without_scripts(checks, server, folder)
        layout(checks, server)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    started = time.monotonic()
    verdict = main(sys.argv[1])
    print(f"took {time.monotonic() - started:.0f} s")
    sys.exit(verdict)
