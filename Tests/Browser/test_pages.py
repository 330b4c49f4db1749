"""Uses the web app as a person does: with the mouse, by keyboard, on a phone, without scripts.

Usage: test_pages.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import sys
import time

from browser import Server, chromium
from selenium.common.exceptions import (
    NoSuchElementException,
    StaleElementReferenceException,
    WebDriverException,
)
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

CANARY = "<img src=x onerror=document.title='owned'><script>document.title='owned'</script>"
PAGES = ("/", "/day/2026-03-13", "/day/2026-03-14/note/edit", "/search?query=castle", "/ask", "/recap",
         "/insights", "/insights/habits?span=365", "/insights/places", "/insights/compare")


class Checks:
    def __init__(self):
        self.passed = 0
        self.failed = 0

    def check(self, name, verdict, detail=""):
        print(f"{'ok  ' if verdict else 'FAIL'} {name} {'' if verdict else detail}", flush=True)
        if verdict:
            self.passed += 1
        else:
            self.failed += 1


def errors(browser):
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


def wait(browser, condition):
    # A page that is just being left or redrawn takes its elements with it: look again.
    def holds(browser):
        try:
            return condition(browser)
        except (NoSuchElementException, StaleElementReferenceException):
            return False
        except WebDriverException as error:
            # An element that goes while chromedriver reads it.
            if "does not belong to the document" in str(error):
                return False
            raise

    return WebDriverWait(browser, 600).until(holds)


def surface(browser):
    """The page's writing surface, which takes the place of its field once it has come."""
    return wait(browser, lambda b: b.find_element(By.CSS_SELECTOR, ".md-host .cm-content"))


def written(browser):
    """The Markdown that the page's writing surface holds."""
    return browser.execute_script("return document.querySelector('.md-editor textarea').field.text")


# Presses the browsers' own keys on what has the focus. Returns those that the page took for itself, or by which
# it left.
BROWSER_KEYS = """
const presses = [];
for (const key of ["l", "t", "w", "n", "r", "f", "p", "s", "+", "-", "=", "0"]) {
  presses.push({ key, ctrlKey: true }, { key, metaKey: true });
}
for (const key of ["T", "N", "R", "W", "P"]) presses.push({ key, ctrlKey: true, shiftKey: true });
for (const key of ["ArrowLeft", "ArrowRight"]) presses.push({ key, altKey: true }, { key, metaKey: true });
for (let number = 1; number <= 12; number += 1) presses.push({ key: `F${number}` });
const isText = document.activeElement.matches("input, textarea, [contenteditable=true]");
if (!isText) presses.push({ key: " " }, { key: " ", shiftKey: true }, { key: "Backspace" });
const [address, words] = [location.href, document.body.innerText];
let isLeft = false;
addEventListener("beforeunload", () => { isLeft = true; });
return presses.filter((press) => {
  const event = new KeyboardEvent("keydown", { ...press, bubbles: true, cancelable: true });
  const isFree = document.activeElement.dispatchEvent(event);
  return !isFree || isLeft || location.href !== address || document.body.innerText !== words;
}).map((press) => JSON.stringify(press));
"""


def keys_are_the_browsers(checks, browser, name):
    """Checks that no key of the browser's own is taken by a page; `name` says where the focus is."""
    taken = browser.execute_script(BROWSER_KEYS)
    checks.check(f"the browser keeps its own keys {name}", taken == [], " ".join(taken))


def adding(checks, server):
    with chromium() as browser:
        browser.get(server.login)
        checks.check("the login link opens today", "14 March" in browser.page_source)
        field = browser.find_element(By.NAME, "line")
        browser.find_element(By.TAG_NAME, "body").send_keys("n")
        checks.check(
            "n puts the cursor into the line", browser.switch_to.active_element == field
        )
        field.send_keys("lunch with Sam at Joe's 12:30-13:15 #food")
        wait(browser, lambda b: "12:30–13:15" in b.page_source)
        checks.check("what was understood shows while typing", True)
        field.send_keys(Keys.ENTER)
        wait(browser, lambda b: "Saved" in b.page_source)
        entry = browser.find_element(By.CSS_SELECTOR, "[id^='activity-']")
        checks.check("the entry stands in the timeline", "lunch with Sam" in entry.text)
        checks.check(
            "the line is empty again",
            browser.find_element(By.NAME, "line").get_attribute("value") == "",
        )
        undo = browser.find_element(By.CSS_SELECTOR, "form[action*='/undo'] button")
        undo.click()
        wait(browser, lambda b: not b.find_elements(By.CSS_SELECTOR, "[id^='activity-']"))
        checks.check("undo takes it away", True)
        checks.check("no script or policy error while adding", errors(browser) == [])


def writing_a_note(checks, server):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/day/2026-03-14/note/edit")
        note = surface(browser)
        note.send_keys("A *calm* day.")
        browser.find_element(By.CSS_SELECTOR, "input[name=mood][value='4']").send_keys(Keys.SPACE)
        note.send_keys(Keys.CONTROL, Keys.ENTER)
        wait(browser, lambda b: "/note/edit" not in b.current_url)
        checks.check("Ctrl+Enter saves the note", "<em>calm</em>" in browser.page_source)
        body = browser.find_element(By.TAG_NAME, "body")
        body.send_keys("[")
        wait(browser, lambda b: "2026-03-13" in b.current_url)
        checks.check("[ turns to the day before", True)
        browser.find_element(By.TAG_NAME, "body").send_keys("t")
        wait(browser, lambda b: "2026-03-13" not in b.current_url)
        checks.check("t comes back to today", True)
        checks.check("no script or policy error with a note", errors(browser) == [])


READ = """
return performance.getEntriesByType("resource").filter(
  (part) => new URL(part.name).pathname === arguments[0] && part.initiatorType === "fetch",
).length;
"""


def the_days_beside(checks, server):
    """A day that was read ahead is shown as it is now, also when it changed after it was read."""
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/day/2026-03-14")
        wait(browser, lambda b: b.execute_script(READ, "/day/2026-03-13") == 1)
        server.run("add", "2026-03-13 9:00-9:30: planted a quince")
        browser.find_element(By.TAG_NAME, "body").send_keys("[")
        wait(browser, lambda b: b.current_url.endswith("/day/2026-03-13"))
        wait(browser, lambda b: "planted a quince" in b.find_element(By.ID, "main").text)
        checks.check("a day read ahead shows what was added after", True)
        wait(browser, lambda b: b.execute_script(READ, "/day/2026-03-12") == 1)
        browser.execute_script(
            "window.kept = []; const own = window.addEventListener;"
            "window.addEventListener = (kind, ...all) => { kept.push(kind); own.call(window, kind, ...all); };")
        before = browser.execute_script(READ, "/day/2026-03-12")
        browser.find_element(By.TAG_NAME, "body").send_keys("[")
        wait(browser, lambda b: b.current_url.endswith("/day/2026-03-12"))
        shown = browser.find_element(By.CSS_SELECTOR, ".day-title time").get_attribute("datetime")
        checks.check("the day before was shown without asking again", shown == "2026-03-12")
        checks.check("it was asked for once", before == 1)
        left = browser.execute_script("return window.kept")
        checks.check("the window keeps nothing of the day that was left", left == [], left)
        checks.check("no script or policy error between days", errors(browser) == [])


def arrows(checks, server):
    """The arrows turn days only where they do nothing else."""
    press = (
        "const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...arguments[0] });"
        "document.activeElement.dispatchEvent(event); return event.defaultPrevented;")
    with chromium(390, 844) as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/calendar?of=years")
        frame = browser.find_element(By.CSS_SELECTOR, ".years-frame")
        browser.execute_script("arguments[0].focus()", frame)
        wide = browser.execute_script("return arguments[0].scrollWidth > arguments[0].clientWidth", frame)
        taken = browser.execute_script(press, {"key": "ArrowRight"})
        checks.check("an arrow scrolls what is wider than its place", wide and not taken, (wide, taken))
        browser.get(server.url + "/")
        taken = browser.execute_script(press, {"key": "ArrowLeft", "shiftKey": True})
        checks.check("with Shift, an arrow selects text", not taken and "/day/" not in browser.current_url)
        browser.execute_script(press, {"key": "ArrowLeft"})
        wait(browser, lambda b: "2026-03-13" in b.current_url)
        checks.check("alone, it turns to the day before", True)


def finding(checks, server):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/search")
        browser.find_element(By.NAME, "query").send_keys("castles", Keys.ENTER)
        wait(browser, lambda b: b.find_elements(By.TAG_NAME, "mark"))
        checks.check("a search marks what it found", True)
        browser.get(server.url + "/ask?question=what+did+I+do+with+Alex+last+month")
        link = browser.find_element(By.CSS_SELECTOR, "a[href*='#activity-']")
        target = link.get_attribute("href").split("#")[1]
        link.click()
        wait(browser, lambda b: "/day/2026-02-20" in b.current_url)
        checks.check(
            "a citation opens its entry", browser.find_element(By.ID, target).is_displayed()
        )


def without_scripts(checks, server):
    with chromium(scripts=False) as browser:
        browser.get(server.login_again())
        field = browser.find_element(By.NAME, "line")
        field.send_keys("read without scripts 20:00-20:30")
        field.submit()
        wait(browser, lambda b: "read without scripts" in b.page_source)
        checks.check("adding works without scripts", "20:00–20:30" in browser.page_source)


def layout(checks, server):
    for width, dark in ((390, False), (390, True), (1280, False), (1280, True)):
        with chromium(width, 844 if width < 600 else 900, dark) as browser:
            browser.get(server.login_again())
            for path in PAGES:
                browser.get(server.url + path)
                wide = browser.execute_script(
                    "return document.documentElement.scrollWidth > window.innerWidth"
                )
                label = f"{path} at {width} px, {'dark' if dark else 'light'}"
                checks.check(f"nothing is cut off on {label}", not wide)
                checks.check(f"one main heading on {label}", headings(browser) == 1)
            checks.check(f"no script or policy error at {width} px", errors(browser) == [])
            checks.check("hostile text does not run", browser.title != "owned")


def headings(browser):
    return len(browser.find_elements(By.TAG_NAME, "h1"))


class SignedInServer(Server):
    """Login links work once, so every further browser takes the session of the first."""

    def login_again(self):
        # A restart prints a new link; the archive and its sessions stay.
        self.process.terminate()
        self.process.wait(timeout=300)
        Server.__enter__(self)
        return self.login


def main(arkived):
    checks = Checks()
    server = SignedInServer(arkived)
    server.run("add", "on 20 february 2026: climbed to the castle with @Alex.Kim #sport")
    server.run("add", f"yesterday: {CANARY}")
    server.run("note", "--day", "yesterday", f"{CANARY} [x](javascript:document.title='owned')")
    server.run("add", "yesterday: " + "long" * 60)
    with server:
        adding(checks, server)
        writing_a_note(checks, server)
        the_days_beside(checks, server)
        arrows(checks, server)
        finding(checks, server)
        without_scripts(checks, server)
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
