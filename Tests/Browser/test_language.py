"""The pages in German: as the browser asks, in the scripts' words, on a narrow phone, for a screen
reader, and as the owner sets it.

Usage: test_language.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import sys
import time

from browser import chromium
from day_page import DESK, shows, toast, words
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from test_accessibility import AXE, violations, widths
from test_pages import Checks, SignedInServer, errors, surface, wait

GERMAN = ("--lang=de-DE", "--accept-lang=de-DE,de")
NARROW = (320, 640)
PAGES = (
    "/", "/day/2026-03-14/note/edit", "/calendar", "/calendar?of=years", "/search", "/ask", "/goals",
    "/goals/new", "/actions/new", "/values", "/terms", "/life", "/meetings", "/people", "/notes",
    "/promises", "/calendars", "/settings", "/settings/templates", "/settings/tags", "/settings/imports",
    "/settings/imports/services", "/settings/history", "/settings/storage", "/settings/backup",
    "/settings/backup/restore", "/settings/backup/move", "/settings/service", "/settings/news",
    "/settings/assistant", "/settings/linked", "/settings/programs", "/settings/address-books", "/more", "/pending",
)
LOOKED_AT = ("/", "/calendar", "/search", "/goals/new", "/settings", "/settings/imports")


def adding(checks, server):
    with chromium(*DESK, more=GERMAN) as browser:
        browser.get(server.login)
        language = browser.find_element(By.TAG_NAME, "html").get_attribute("lang")
        checks.check("a browser that asks for German is answered so", language == "de", language)
        checks.check("a day is named in German", "14. März" in browser.page_source)
        field = browser.find_element(By.NAME, "line")
        field.send_keys("gestern um halb acht: 5 km gelaufen")
        wait(browser, lambda b: "07:30" in words(b, "#understood"))
        chips = words(browser, "#understood")
        checks.check("a German line is understood while it is typed",
                     "Freitag, 13. März 2026" in chips and "Verstanden" in chips, chips)
        field.send_keys(Keys.ENTER)
        wait(browser, lambda b: "Gespeichert" in b.page_source)
        day = server.run("day", "2026-03-13", "--json")
        checks.check("it stands on its day", "5 km gelaufen" in day)
        browser.get(server.url + "/day/2026-03-14")
        browser.find_element(By.ID, "mood-4").click()
        wait(browser, lambda b: toast(b) != "")
        button = browser.execute_script(
            "return document.querySelector('#toast button').innerText")
        checks.check("what was done can be taken back in German", "gängig" in button, button)
        browser.find_element(By.ID, "edit-note").click()
        wait(browser, lambda b: shows(b, "textarea"))
        hint = browser.find_element(By.CSS_SELECTOR, "textarea").get_attribute("placeholder")
        checks.check("scripts have their words from the page", hint == "Wie war der Tag?", hint)
        surface(browser)
        tools = browser.find_element(By.CSS_SELECTOR, ".md-tools").get_attribute("aria-label")
        checks.check("so do those that come later", tools == "Schreibwerkzeuge", tools)
        server.run("add", "swam #sport")
        browser.get(server.url + "/search")
        browser.find_element(By.ID, "query").send_keys("#spo")
        wait(browser, lambda b: shows(b, ".completion"))
        kind = words(browser, ".completion-kind")
        checks.check("suggestions say in German what they are", kind == "Schlagwort", kind)
        checks.check("no script or policy error in German", errors(browser) == [])


def looking(checks, server):
    with chromium(*NARROW, more=GERMAN) as browser:
        browser.get(server.login_again())
        for path in PAGES:
            browser.get(server.url + path)
            checks.check(f"{path} fits a narrow phone", widths(browser) <= 0, widths(browser))
            if AXE.exists() and path in LOOKED_AT:
                found = violations(browser)
                checks.check(f"{path} is accessible", found == [], found)
        checks.check("no script or policy error on the pages", errors(browser) == [])


def choosing(checks, server):
    with chromium(*DESK, more=GERMAN) as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/settings")
        Select(browser.find_element(By.NAME, "language")).select_by_value("en")
        browser.find_element(By.CSS_SELECTOR, "#form button[type=submit]").click()
        wait(browser, lambda b: "Saved." in b.page_source)
        language = browser.find_element(By.TAG_NAME, "html").get_attribute("lang")
        checks.check("what the owner sets comes before what the browser asks", language == "en")
        checks.check("the heading follows", words(browser, "h1") == "Appearance")


def main(arkived):
    checks = Checks()
    with SignedInServer(arkived) as server:
        adding(checks, server)
        looking(checks, server)
        choosing(checks, server)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    started = time.monotonic()
    verdict = main(sys.argv[1])
    print(f"took {time.monotonic() - started:.0f} s")
    sys.exit(verdict)
