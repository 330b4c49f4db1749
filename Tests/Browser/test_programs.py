"""Lets programs in and answers what they ask for, as a person does: by mouse, on a phone and without
scripts.

Usage: test_programs.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import json
import sys
import urllib.request

from browser import chromium
from selenium.webdriver.common.by import By
from test_accessibility import AXE, violations, widths
from test_pages import Checks, SignedInServer, errors, wait

CODE = "<img src=x onerror=document.title='owned'>"


def call(server, token, tool, arguments):
    """Calls a tool as a program with that token."""
    request = urllib.request.Request(
        f"{server.url}/api/v1/tools/{tool}", data=json.dumps(arguments).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["result"]


def let_in(checks, server):
    with chromium(scripts=False) as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/settings/programs")
        browser.find_element(By.ID, "agent-name").send_keys("Robot " + CODE[:50])
        browser.find_element(By.CSS_SELECTOR, "#let-in .button-primary").click()
        token = browser.find_element(By.CSS_SELECTOR, ".card code").text
        checks.check("a program gets a token", token.startswith("agent-"))
        browser.get(server.url + "/settings/programs")
        checks.check("which is shown once", token not in browser.page_source)
        checks.check("its name is text", browser.title.startswith("Programs"), browser.title)
        return token


def ask_for(server, token, text):
    entry = call(server, token, "createActivity", {"text": text, "tags": ["robot"]})["created"]
    change = {"id": entry["id"], "text": text + " in another way", "notes": CODE}
    call(server, token, "updateActivity", change)
    call(server, token, "deleteActivity", {"id": entry["id"]})


def decide(checks, server, token):
    ask_for(server, token, "dentist " + CODE)
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/pending")
        cards = browser.find_elements(By.CSS_SELECTOR, ".entity-list > li")
        checks.check("what was asked for waits", len(cards) == 2)
        checks.check("with who asked", "Robot" in cards[0].text, cards[0].text)
        checks.check("a change shows both", "in another way" in cards[1].text, cards[1].text)
        checks.check("what a program writes runs nothing", "owned" not in browser.title)
        cards[1].find_element(By.CSS_SELECTOR, ".button-primary").click()
        wait(browser, lambda b: "Change “dentist" in b.find_element(By.CSS_SELECTOR, ".notice").text)
        checks.check("yes changes it", True)
        browser.find_element(By.CSS_SELECTOR, ".entity-list .button-danger").click()
        wait(browser, lambda b: "behind this request has changed" in b.page_source)
        checks.check("the older question is outdated", "Nothing to review." in browser.page_source)
        ask_for(server, token, "meeting")
        browser.get(server.url + "/pending")
        browser.find_element(By.CSS_SELECTOR, ".entity-list .button-danger").click()
        wait(browser, lambda b: "Delete “meeting" in b.find_element(By.CSS_SELECTOR, ".notice").text)
        browser.find_element(By.CSS_SELECTOR, ".notice form button").click()
        wait(browser, lambda b: "Undid" in b.page_source)
        checks.check("a yes can be undone", True)
        browser.find_element(By.XPATH, "//button[text()='No']").click()
        wait(browser, lambda b: "Nothing to review." in b.page_source)
        checks.check("no leaves all as it is", True)
        # An answer of 409 is told by the browser too.
        quiet = [line for line in errors(browser) if "409" not in line]
        checks.check("no script or policy error", quiet == [], str(quiet[:3]))


def accessible(checks, server, token):
    ask_for(server, token, "a long word: " + "x" * 150)
    for width, dark in ((1280, False), (390, True), (390, False), (1280, True)):
        with chromium(width, 844 if width < 600 else 900, dark) as browser:
            browser.get(server.login_again())
            browser.set_script_timeout(600)
            for path in ("/pending", "/settings/programs"):
                browser.get(server.url + path)
                name = f"{path} at {width} {'dark' if dark else 'light'}"
                checks.check(f"{name}: nothing wider than the window", widths(browser) <= 0)
                if AXE.exists():
                    found = violations(browser)
                    checks.check(f"{name}: no violation", not found, " | ".join(found))


def main(arkived):
    checks = Checks()
    with SignedInServer(arkived) as server:
        token = let_in(checks, server)
        decide(checks, server, token)
        accessible(checks, server, token)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
