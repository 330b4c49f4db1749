"""Today as a home: the column beside the day, the first run of an empty archive, and the palette.

Usage: test_home.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import sys
import tempfile
import time

from browser import chromium
from day_page import DESK, PHONE, words
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_accessibility import AXE, violations, widths
from test_pages import Checks, SignedInServer, errors, keys_are_the_browsers, surface, wait

US_ENGLISH = ("--lang=en-US", "--accept-lang=en-GB,en")
BOXES = """
const [main, home] = ["#timeline, #empty, #note", "#home"].map((one) =>
  document.querySelector(one).getBoundingClientRect());
return {beside: home.left >= main.right - 1, top: home.top, width: home.width};
"""


def press(browser, selector):
    """Presses what may lie under the bar of a phone."""
    found = browser.find_element(By.CSS_SELECTOR, selector)
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", found)
    found.click()


def accessible(checks, browser, name):
    checks.check(f"{name} fits its window", widths(browser) <= 0, widths(browser))
    if AXE.exists():
        found = violations(browser)
        checks.check(f"{name} is accessible", found == [], found)


def beginning(checks, server):
    with chromium(*PHONE) as browser:
        browser.get(server.login)
        checks.check("an empty archive greets", "Welcome to Arkived" in browser.page_source)
        accessible(checks, browser, "the greeting on a phone")
        press(browser, ".welcome [data-focuses=line].button")
        active = browser.switch_to.active_element
        checks.check("the first choice leads into the line", active.get_attribute("id") == "line")
        press(browser, "form[action='/welcome/sample'] button")
        wait(browser, lambda b: b.find_elements(By.ID, "sample-enter"))
        accessible(checks, browser, "the page of the sample life")
        browser.find_element(By.ID, "sample-enter").click()
        wait(browser, lambda b: "You’re viewing the sample life" in b.page_source)
        checks.check("the sample life has a server of its own", server.url not in browser.current_url)
        accessible(checks, browser, "the sample life on a phone")
        browser.find_element(By.CSS_SELECTOR, ".sample-strip a").click()
        wait(browser, lambda b: "Welcome to Arkived" in b.page_source)
        checks.check("a link leads back to the empty archive", True)
        field = browser.find_element(By.ID, "line")
        field.send_keys("walked by the river", Keys.ENTER)
        wait(browser, lambda b: "Saved" in b.page_source)
        checks.check("the greeting goes with the first entry",
                     "Welcome to Arkived" not in browser.page_source)
        checks.check("no script or policy error while beginning", errors(browser) == [])


def suggesting(checks, server):
    for number in range(10):
        server.run("add", f"walk {number}")
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        checks.check("a backup is suggested after ten entries",
                     browser.find_elements(By.ID, "backup-hint") != [])
        accessible(checks, browser, "today with the suggestion")
        browser.find_element(By.CSS_SELECTOR, "#backup-hint button").click()
        wait(browser, lambda b: not b.find_elements(By.ID, "backup-hint"))
        browser.refresh()
        checks.check("it is dismissed for good", not browser.find_elements(By.ID, "backup-hint"))


def living(checks, server):
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        place = browser.execute_script(BOXES)
        checks.check("the column stands beside the day", place["beside"], place)
        checks.check("the column begins at the top", place["top"] < 120, place)
        for part in ("home-month", "home-next", "home-goals"):
            shown = browser.find_element(By.ID, part).is_displayed()
            checks.check(f"{part} is shown", shown)
        accessible(checks, browser, "today with its column")
        browser.find_element(By.ID, "home-brief").click()
        wait(browser, lambda b: b.current_url.endswith("/brief"))
        checks.check("the brief of the next meeting is one press away", True)
        browser.get(server.url + "/day/2026-03-10")
        browser.find_element(By.CSS_SELECTOR, "#home-month a[href='/day/2026-03-05']").click()
        wait(browser, lambda b: "5 March" in words(b, "h1"))
        checks.check("a day of the month is one press away", True)
        # A note that was begun elsewhere and not saved waits in the column of today.
        browser.execute_script(
            "localStorage.setItem('arkived.draft.line.2026-03-02',"
            " JSON.stringify({values: {line: 'half a line <b>'}, isSent: false}));"
            "localStorage.setItem('arkived.draft.note.2026-03-01',"
            " JSON.stringify({values: {title: '', note: 'half a note <b>'}, isSent: false}))")
        browser.get(server.url + "/")
        draft = browser.find_element(By.CSS_SELECTOR, "#home-drafts a")
        checks.check("a draft of another day waits", draft.text == "half a line <b>", draft.text)
        draft.click()
        wait(browser, lambda b: "2026-03-02" in b.current_url)
        checks.check("it leads to its day", "half a line" in browser.page_source)
        browser.get(server.url + "/")
        browser.find_element(By.CSS_SELECTOR, "#home-drafts a[href='/day/2026-03-01']").click()
        wait(browser, lambda b: "half a note <b>" in words(b, "#note-editor .draft-offer"))
        checks.check("a note leads to its day, too, which offers it", "2026-03-01" in browser.current_url)
        browser.find_element(By.XPATH, "//button[text()='Discard']").click()
        wait(browser, lambda b: not b.find_elements(By.CSS_SELECTOR, "#note-editor .draft-offer"))
        left = browser.execute_script("return drafts.all('note', '2026-03-01')")
        checks.check("and drops it when it is discarded", left == [], left)
        browser.get(server.url + "/goals/new")
        browser.find_element(By.ID, "title").send_keys("Learn to whittle <b>")
        wait(browser, lambda b: b.execute_script("return drafts.keys().some((key) => key.startsWith('draft.form./goals'))"))
        browser.get(server.url + "/")
        draft = browser.find_element(By.CSS_SELECTOR, "#home-drafts a[href='/goals/new']")
        checks.check("a goal that was begun waits with its page", draft.text == "Learn to whittle <b>", draft.text)
        named = words(browser, "#home-drafts a[href='/goals/new'] + .hint")
        checks.check("under the name of its page", named == "New goal", named)
        draft.click()
        wait(browser, lambda b: "whittle" in words(b, ".draft-offer"))
        checks.check("which offers it", browser.current_url.endswith("/goals/new"))
        browser.get(server.url + "/")
        browser.find_element(By.XPATH, "//*[@id='home-drafts']//li[contains(., 'whittle')]/button").click()
        browser.refresh()
        time.sleep(0.3)
        checks.check("and is waiting no more once it is discarded", "whittle" not in words(browser, "#home-drafts"))
        checks.check("no script or policy error beside the day", errors(browser) == [])
    with chromium(*PHONE) as browser:
        browser.get(server.login_again())
        shown = [part for part in ("home-month", "home-next", "home-goals", "on-this-day")
                 if browser.find_element(By.ID, part).is_displayed()]
        checks.check("a phone has what comes next after the day",
                     shown == ["home-next", "on-this-day"], shown)
        accessible(checks, browser, "today on a phone")
        writing = browser.find_element(By.CSS_SELECTOR, ".fab, #line")
        checks.check("writing is in reach of the thumb", writing.is_displayed())


def palette(checks, server):
    with chromium(*DESK) as browser:
        browser.get(server.login_again())

        def opened():
            ActionChains(browser).key_down(Keys.CONTROL).send_keys("k").key_up(Keys.CONTROL).perform()
            wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, "#palette-list [aria-selected=true]"))
            return browser.find_element(By.ID, "palette-query")

        for path in ("/", "/goals", "/search", "/settings"):
            browser.get(server.url + path)
            field = opened()
            checks.check(f"Ctrl-K opens the palette on {path}",
                         browser.switch_to.active_element == field)
        accessible(checks, browser, "the palette")
        for typed, address in (("go to 5 May 2023", "/day/2023-05-05"), ("new goal", "/goals/new"),
                               ("zebra crossing", "/search?query=zebra%20crossing")):
            browser.get(server.url + "/")
            opened().send_keys(typed, Keys.ENTER)
            wait(browser, lambda b: b.current_url == server.url + address)  # noqa: B023
            checks.check(f"“{typed}” leads to {address}", True)
        browser.get(server.url + "/")
        field = opened()
        field.send_keys("cal")
        wait(browser, lambda b: words(b, "#palette-1").startswith("Calendars"))
        first = browser.find_element(By.CSS_SELECTOR, "[aria-selected=true]").text
        field.send_keys(Keys.ARROW_DOWN)
        second = browser.find_element(By.CSS_SELECTOR, "[aria-selected=true]").text
        checks.check("arrows move through the list", first != second, first)
        described = field.get_attribute("aria-activedescendant")
        checks.check("a screen reader follows", described == "palette-1", described)
        browser.execute_script("window.real = window.fetch; window.fetch = () => Promise.reject(new TypeError('away'))")
        field.send_keys("x")
        wait(browser, lambda b: words(b, "#palette-list") == "Can’t reach Arkived")
        checks.check("a list that didn’t come says why", True)
        browser.execute_script("window.fetch = window.real")
        field.send_keys(Keys.ENTER)
        wait(browser, lambda b: b.current_url != server.url + "/")
        checks.check("and Enter asks for it again", True)
        browser.get(server.url + "/")
        field = opened()
        field.send_keys(Keys.ESCAPE)
        wait(browser, lambda b: not b.find_element(By.ID, "palette").is_displayed())
        checks.check("Esc closes it", True)
        browser.find_element(By.TAG_NAME, "body").send_keys("?")
        checks.check("the shortcuts name it", "Go to any page" in words(browser, "#keys"))
        checks.check("and the keys of the editor and the map",
                     all(one in words(browser, "#keys") for one in (
                         "Move the line", "Move the map", "Indent or outdent a list item", "Undo and redo", "First and last day")))
        checks.check("no script or policy error in the palette", errors(browser) == [])
    with chromium(*DESK, scripts=False) as browser:
        browser.get(server.login_again())
        browser.find_element(By.CSS_SELECTOR, "a.go-hint").click()
        browser.find_element(By.ID, "go-query").send_keys("5 may 2023")
        browser.find_element(By.CSS_SELECTOR, "button[name=go]").click()
        wait(browser, lambda b: b.current_url.endswith("/day/2023-05-05"))
        checks.check("without scripts a form leads to a day", True)


def browser_keys(checks, server):
    with chromium(*DESK) as browser:
        browser.get(server.login_again())

        def focus(selector):
            browser.execute_script("document.querySelector(arguments[0]).focus()", selector)

        keys_are_the_browsers(checks, browser, "on Today")
        for selector, name in (("#line", "in the line"), ("#next-day, #previous-day", "on a link of Today")):
            focus(selector)
            keys_are_the_browsers(checks, browser, name)
        browser.find_element(By.ID, "edit-note").click()
        text = surface(browser)
        wait(browser, lambda b: b.switch_to.active_element == text)
        keys_are_the_browsers(checks, browser, "in the writing surface")
        for path, selector, name in (
            ("/calendar", "[data-days] a[href^='/day/']", "on a day of the calendar"),
            ("/map", ".map-frame", "on the map"), ("/goals/review", "main", "in the review"),
            ("/search?query=castle", "#found .hit-snippet a, main", "on a result"), ("/photos", "main", "in the photos"),
        ):  # fmt: skip
            browser.get(server.url + path)
            wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, selector))  # noqa: B023
            focus(selector)
            keys_are_the_browsers(checks, browser, name)


def dates(checks, server):
    with chromium(*DESK, more=US_ENGLISH) as browser:
        browser.get(server.login_again())
        shown = browser.execute_script(
            "const frame = document.querySelector('#jump').closest('.date-shown');"
            "return frame && frame.dataset.text")
        checks.check("a date is shown as its reader writes it", shown == "14/03/2026", shown)
        browser.get(server.url + "/go")
        accessible(checks, browser, "the palette as a page")


def main(arkived):
    checks = Checks()
    with SignedInServer(arkived) as server:
        beginning(checks, server)
        suggesting(checks, server)
    home = tempfile.mkdtemp(prefix="arkived-browser-")
    server = SignedInServer(arkived, home)
    server.is_own = True
    server.run("sample", "--from", "2025-01-01", "--through", "2026-03-14")
    with server:
        living(checks, server)
        palette(checks, server)
        browser_keys(checks, server)
        dates(checks, server)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    started = time.monotonic()
    verdict = main(sys.argv[1])
    print(f"took {time.monotonic() - started:.0f} s")
    sys.exit(verdict)
