"""Brings a second device to the first over the settings page, as a person does without scripts, and sees what one
writes on the other.

Usage: test_sync.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import shutil
import sys
import tempfile
import time

from browser import chromium
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.common.by import By
from test_accessibility import AXE, violations
from test_pages import Checks, SignedInServer, errors


def until(browser, address, selector, seconds=30):
    """Loads a page until it has such an element."""
    end = time.time() + seconds
    while time.time() < end:
        browser.get(address)
        found = browser.find_elements(By.CSS_SELECTOR, selector)
        if found:
            return found[0]
        time.sleep(0.3)
    raise SystemExit(f"{address} has no {selector}")


def told(browser, selector, words, seconds=30):
    """Waits until an element of the page that is being loaded says some words; returns what it says in the end."""
    end = time.time() + seconds
    text = ""
    while words not in text and time.time() < end:
        try:
            text = browser.find_element(By.CSS_SELECTOR, selector).text
        except (NoSuchElementException, StaleElementReferenceException):
            time.sleep(0.1)
    return text


def press(browser, form):
    browser.find_element(By.CSS_SELECTOR, f"{form} button").click()


def start(checks, browser, address, folder):
    browser.get(address)
    browser.find_element(By.ID, "sync-folder").send_keys(folder + "/none")
    press(browser, "#sync-start")
    error = browser.find_element(By.ID, "sync-folder-error").text
    checks.check("a folder that isn't there is refused", "No folder at" in error, error)
    field = browser.find_element(By.ID, "sync-folder")
    field.clear()
    field.send_keys(folder)
    press(browser, "#sync-start")
    press(browser, "form[action='/settings/sync/code']")
    return browser.find_element(By.ID, "sync-code").text


def join(checks, browser, address, folder, code):
    browser.get(address)
    browser.find_element(By.ID, "join-folder").send_keys(folder)
    browser.find_element(By.ID, "join-code").send_keys("12345")
    press(browser, "#sync-join")
    error = browser.find_element(By.ID, "join-error").text
    checks.check("half a code is refused", "20 letters and digits" in error, error)
    field = browser.find_element(By.ID, "join-code")
    field.clear()
    field.send_keys(code.lower())
    press(browser, "#sync-join")
    return browser.find_element(By.ID, "sync-number").text


def main(arkived):
    checks = Checks()
    folder = tempfile.mkdtemp(prefix="arkived-sync-")
    try:
        with SignedInServer(arkived) as desk, SignedInServer(arkived) as laptop:
            desk.run("add", "written on the desk")
            with chromium(scripts=False) as one, chromium(width=390, scripts=False) as other:
                one.get(desk.login_again())
                other.get(laptop.login_again())
                (first, second) = (desk.url + "/settings/sync", laptop.url + "/settings/sync")
                code = start(checks, one, first, folder)
                number = join(checks, other, second, folder, code)
                shown = until(one, first, "#sync-number").text
                checks.check("both show one number", shown == number and len(number) == 11, f"{shown} {number}")
                press(one, "form[action='/settings/sync/accept']")
                until(other, second, "#sync-state")
                checks.check("the new device has everything", "written on the desk" in laptop.run("today"))
                laptop.run("add", "written on the laptop")
                end = time.time() + 20
                while "written on the laptop" not in desk.run("today") and time.time() < end:
                    time.sleep(0.3)
                checks.check("what it writes arrives", "written on the laptop" in desk.run("today"))
                revoke = until(one, first, "form[action$='/revoke'] button")
                one.find_element(By.CSS_SELECTOR, "li:has(form[action$='/revoke']) summary").click()
                revoke.click()
                rows = told(one, "#sync-devices-title + ul", "revoked on")
                checks.check("a device is revoked", "revoked on" in rows, rows)
                until(other, second, "#sync-state form[action$='/leave']", 90)
                state = other.find_element(By.ID, "sync-state").text
                checks.check("the revoked device is told", "was removed from your devices on" in state
                             and "Nothing is lost here" in state, state)
                checks.check("it can't let others in", not other.find_elements(By.ID, "sync-add-title"))
                line = until(other, laptop.url + "/", "#sync-trouble").text
                checks.check("its Today says so too", "was removed" in line, line)
                other.get(second)
                press(other, "#sync-state form[action$='/leave']")
                checks.check("it can start anew", bool(until(other, second, "#join-code")))
                shutil.move(folder, folder + "-away")
                line = until(one, desk.url + "/", "#sync-trouble", 90).text
                checks.check("Today says what doesn't get through", "Shared folder not found" in line, line)
                shutil.move(folder + "-away", folder)
            with chromium() as browser:
                browser.get(desk.login_again())
                browser.get(desk.url + "/settings/sync")
                if AXE.exists():
                    found = violations(browser)
                    checks.check("the page is accessible", not found, " | ".join(found))
                checks.check("no script fails", not errors(browser), str(errors(browser)))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(folder + "-away", ignore_errors=True)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
