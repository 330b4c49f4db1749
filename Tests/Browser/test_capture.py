"""Saves a page of another site by the bookmark, as a reader does.

Usage: test_capture.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import http.server
import sys
import threading
import urllib.parse

from browser import chromium
from selenium.webdriver.common.by import By
from test_accessibility import AXE, violations
from test_pages import Checks, SignedInServer, errors, wait

PAGE = b"""<!DOCTYPE html><html lang="en"><title>Ten castles by 5pm &amp; more</title>
<p id="first">The oldest stands on a rock.</p>"""
MARK = """
const range = document.createRange();
range.selectNodeContents(document.getElementById("first"));
getSelection().removeAllRanges();
getSelection().addRange(range);
"""


class Castles(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        pass


def accessible(checks, browser, what):
    if AXE.exists():
        found = violations(browser)
        checks.check(f"{what} is accessible", not found, " | ".join(found))


def save(checks, server, castles):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/settings/capture")
        bookmark = browser.find_element(By.CSS_SELECTOR, "[data-bookmark]").get_attribute("href")
        accessible(checks, browser, "the page with the bookmark")
        script = urllib.parse.unquote(bookmark.removeprefix("javascript:"))
        # Another name of this computer is another site.
        browser.get(castles)
        browser.execute_script(MARK)
        before = set(browser.window_handles)
        browser.execute_script(script)
        wait(browser, lambda b: set(b.window_handles) - before)
        browser.switch_to.window((set(browser.window_handles) - before).pop())
        wait(browser, lambda b: b.find_elements(By.ID, "capture-save"))
        value = lambda name: browser.find_element(By.ID, name).get_attribute("value")  # noqa: E731
        wait(browser, lambda b: value("capture-title") != "")
        checks.check("the window has the title", value("capture-title") == "Ten castles by 5pm & more")
        checks.check("what was marked", value("capture-text") == "The oldest stands on a rock.")
        checks.check("and the address, which leaves its own",
                     value("capture-address") == castles and "#" not in browser.current_url)
        accessible(checks, browser, "the window")
        wait(browser, lambda b: b.find_element(By.ID, "capture-save").is_enabled())
        away = browser.find_element(By.ID, "capture-away")
        checks.check("who is signed in is told nothing else", not away.is_displayed())
        browser.find_element(By.ID, "capture-line").send_keys("read this #castles")
        browser.find_element(By.ID, "capture-save").click()
        wait(browser, lambda b: "/day/" in b.current_url)
        checks.check("the entry is on its day", "read this" in browser.page_source)
        checks.check("with its link", castles in browser.page_source)
        bad = errors(browser)
        checks.check("nothing is wrong in the console", not bad, bad)


def away(checks, server):
    with chromium() as browser:
        browser.get(server.url + "/capture")
        wait(browser, lambda b: b.find_element(By.ID, "capture-away").is_displayed())
        checks.check("who is not signed in is told before anything is typed", True)


def main(arkived):
    checks = Checks()
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Castles)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    with SignedInServer(arkived) as server:
        save(checks, server, f"http://localhost:{site.server_port}/ten")
        away(checks, server)
    site.shutdown()
    print(f"{checks.passed} passed, {checks.failed} failed")
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
