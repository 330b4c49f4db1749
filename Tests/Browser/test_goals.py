"""Uses the pages of goals as a person does: by keyboard, on a phone, without scripts.

Usage: test_goals.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import sys
import time

from browser import chromium
from sample_goals import Forms, fill
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_pages import CANARY, Checks, SignedInServer, errors, headings, wait


def waiting(browser):
    return browser.find_elements(By.CSS_SELECTOR, ".match")


def press(browser, key):
    browser.switch_to.active_element.send_keys(key)


def reviewing(checks, server):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/goals")
        checks.check("the dashboard says that matches wait", "3 matches to review" in browser.page_source)
        browser.get(server.url + "/goals/review")
        body = browser.find_element(By.TAG_NAME, "body")
        body.send_keys("j")
        first, second = (one.get_attribute("id") for one in waiting(browser)[:2])
        checks.check(
            "j goes to the first match",
            browser.switch_to.active_element.get_attribute("id") == first,
        )
        press(browser, "j")
        checks.check(
            "j goes on", browser.switch_to.active_element.get_attribute("id") == second
        )
        press(browser, "k")
        press(browser, "y")
        wait(browser, lambda b: len(waiting(b)) == 2)
        checks.check(
            "y confirms and stands on the next one",
            browser.switch_to.active_element.get_attribute("id") == second,
        )
        press(browser, "n")
        wait(browser, lambda b: len(waiting(b)) == 1)
        checks.check("n rejects and does not leave the page", "/goals/review" in browser.current_url)
        press(browser, "u")
        wait(browser, lambda b: len(waiting(b)) == 2)
        checks.check(
            "u takes the last one back and stands on it",
            browser.switch_to.active_element.get_attribute("id") == second,
        )
        press(browser, "u")
        wait(browser, lambda b: len(waiting(b)) == 3)
        checks.check("u takes the one before back as well", True)
        # Faster than the server answers: each key waits for its turn.
        ActionChains(browser).send_keys("y", "n", "u", "y").perform()
        wait(browser, lambda b: len(waiting(b)) == 1)
        time.sleep(0.5)
        checks.check("keys that come at once are all carried out", len(waiting(browser)) == 1)
        press(browser, "u")
        wait(browser, lambda b: len(waiting(b)) == 2)
        press(browser, "u")
        wait(browser, lambda b: len(waiting(b)) == 3)
        browser.find_element(By.CSS_SELECTOR, ".review-head button[value=confirm]").click()
        wait(browser, lambda b: "Nothing to review" in b.page_source)
        checks.check("all of a goal are confirmed at once", True)
        browser.find_element(By.CSS_SELECTOR, "form[action*='/undo'] button").click()
        wait(browser, lambda b: len(waiting(b)) == 3)
        checks.check("and come back together", "/goals/review" in browser.current_url)
        checks.check("no script or policy error while reviewing", errors(browser) == [])


def logging(checks, server):
    with chromium(390, 844) as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/actions/new")
        browser.find_element(By.ID, "text").send_keys("run before breakfast")
        browser.find_element(By.ID, "amount1").send_keys("5")
        browser.find_element(By.ID, "unit1").send_keys("km")
        wait(browser, lambda b: "53 of 120 km" in b.find_element(By.ID, "live-counts").text)
        checks.check("the form says while typing what an action counts toward", True)
        browser.find_element(By.ID, "unit1").send_keys(Keys.CONTROL, Keys.ENTER)
        wait(browser, lambda b: "Saved: run before breakfast" in b.page_source)
        notice = browser.find_element(By.CSS_SELECTOR, ".notice")
        checks.check("saving says it again", "53 of 120 km" in notice.text, notice.text)
        browser.find_element(By.CSS_SELECTOR, "form[action*='/undo'] button").click()
        wait(browser, lambda b: "Undid" in b.page_source)
        checks.check("undo comes back to the actions", "/actions?" in browser.current_url)
        browser.get(server.url + "/")
        browser.find_element(By.NAME, "line").send_keys("run 2 km", Keys.ENTER)
        wait(browser, lambda b: "Saved" in b.page_source)
        notice = browser.find_element(By.CSS_SELECTOR, ".notice")
        checks.check(
            "a line on today's page says what it counts toward", "50 of 120 km" in notice.text
        )
        checks.check("no script or policy error while logging", errors(browser) == [])


def without_scripts(checks, server):
    with chromium(scripts=False) as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/goals/new")
        browser.find_element(By.ID, "title").send_keys("Plant 20 trees")
        browser.find_element(By.ID, "measurementTarget").send_keys("20")
        browser.find_element(By.CSS_SELECTOR, "form.form button[type=submit]").click()
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".field-error"))
        checks.check(
            "a form that does not fit keeps what was typed",
            browser.find_element(By.ID, "title").get_attribute("value") == "Plant 20 trees",
        )
        browser.find_element(By.ID, "measurementUnit").send_keys("trees")
        browser.find_element(By.CSS_SELECTOR, "form.form button[type=submit]").click()
        wait(browser, lambda b: "Added the goal" in b.page_source)
        checks.check("a goal is set without scripts", "0 of 20 trees" in browser.page_source)
        browser.find_element(By.CSS_SELECTOR, "form[action$='/delete'] button").click()
        wait(browser, lambda b: "Deleted the goal" in b.page_source)
        browser.find_element(By.CSS_SELECTOR, "form[action*='/undo'] button").click()
        wait(browser, lambda b: "Undid" in b.page_source)
        checks.check("and comes back after deleting", "Plant 20 trees" in browser.page_source)
        browser.get(server.url + "/goals/review")
        browser.find_element(By.CSS_SELECTOR, ".match button[value=reject]").click()
        wait(browser, lambda b: len(waiting(b)) == 2)
        checks.check("a match is rejected without scripts", True)


def refused(checks, server):
    """What the server refuses is told on the page of the matches."""
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/goals/review")
        browser.execute_async_script(
            "sendInPlace('/goals/review', { decision: 'perhaps' }).then(() => arguments[0]())")
        told = browser.find_element(By.ID, "live-notice").text
        checks.check("a refused decision is told where it was made", "decision must be" in told, told)
        browser.delete_all_cookies()
        browser.execute_async_script(
            "sendInPlace('/goals/review', { decision: 'reject' }).then(() => arguments[0]())")
        told = browser.find_element(By.ID, "live-notice").text
        checks.check("so is a session that ended", "signed out" in told, told)


def following(checks, server, ids):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/goals/" + ids["read"])
        before = browser.find_element(By.CSS_SELECTOR, ".standing-amount").text
        server.run("add", "read 30 pages")
        wait(
            browser, lambda b: b.find_element(By.CSS_SELECTOR, ".standing-amount").text != before
        )
        checks.check("an open goal follows what is written elsewhere", True)
        browser.find_element(By.CSS_SELECTOR, ".numbers summary").click()
        checks.check(
            "the chart has a table beside it",
            browser.find_element(By.CSS_SELECTOR, ".numbers table").is_displayed(),
        )
        browser.find_element(By.TAG_NAME, "body").send_keys("g")
        wait(browser, lambda b: b.current_url.endswith("/goals"))
        checks.check("g goes to the goals", True)


def layout(checks, server, ids):
    paths = [
        "/goals", "/goals?show=all", "/goals/new", "/goals/review", "/sync", "/values",
        "/values/new",
        "/terms", "/terms/new", "/actions", "/actions/new", "/life", f"/goals/{ids['run']}",
        f"/goals/{ids['odd']}", f"/goals/{ids['odd']}/edit", f"/goals/{ids['run']}/edit",
        f"/values/{ids['value']}", f"/terms/{ids['term']}", f"/terms/{ids['term']}/edit",
    ]
    for width, dark in ((390, False), (390, True), (1280, False), (1280, True)):
        with chromium(width, 844 if width < 600 else 900, dark) as browser:
            browser.get(server.login_again())
            for path in paths:
                browser.get(server.url + path)
                browser.execute_script(
                    "document.querySelectorAll('details').forEach((fold) => { fold.open = true; })"
                )
                wide = browser.execute_script(
                    "return document.documentElement.scrollWidth > window.innerWidth"
                )
                name = path.replace(ids["run"], "run").replace(ids["odd"], "odd")
                label = f"{name} at {width} px, {'dark' if dark else 'light'}"
                checks.check(f"nothing is cut off on {label}", not wide)
                checks.check(f"one main heading on {label}", headings(browser) == 1)
            checks.check(f"no script or policy error at {width} px", errors(browser) == [])
            checks.check("hostile titles do not run", browser.title != "owned")


def main(arkived):
    checks = Checks()
    server = SignedInServer(arkived)
    with server:
        ids = fill(server)
        reviewing(checks, server)
        logging(checks, server)
        without_scripts(checks, server)
        following(checks, server, ids)
        refused(checks, server)
        forms = Forms(server, server.login_again())
        forms.post("/values", {"title": CANARY + "long" * 60})
        ids["odd"] = forms.made(
            "/goals",
            {"title": CANARY + "long" * 60, "measurementTarget": "1e12",
             "measurementUnit": "x" * 80, "term": ids["term"], "startDate": "2026-01-01",
             "targetDate": "2026-12-31"},
        )
        layout(checks, server, ids)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    started = time.monotonic()
    verdict = main(sys.argv[1])
    print(f"took {time.monotonic() - started:.0f} s")
    sys.exit(verdict)
