"""The assistant's page with a scripted model: words as they come, stop, steps, what waits for a yes.

Usage: test_assistant.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import http.server
import json
import pathlib
import sys
import threading

from browser import chromium
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_accessibility import AXE, violations, widths
from test_pages import Checks, SignedInServer, errors, wait

QUESTION = "How many times did I run in March?"


class Model(http.server.BaseHTTPRequestHandler):
    """Says its first words at once and the rest when it is let."""

    go = threading.Event()
    rest = " once ![x](http://127.0.0.1:9/x) <img src='http://127.0.0.1:9/'> [1]."

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.say({"content": "You ran"})
        self.go.wait(300)
        try:
            self.say({"content": self.rest}, "stop")
        except OSError:
            pass

    def say(self, delta, finish=None):
        event = {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
        self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
        self.wfile.flush()

    def log_message(self, *_):
        pass


def text(browser):
    return browser.find_element(By.ID, "main").text


def live(browser):
    return browser.find_element(By.ID, "talk-live").text


def ask(browser, words):
    field = browser.find_element(By.ID, "question")
    field.clear()
    field.send_keys(words + Keys.ENTER)


def streaming(checks, server):
    with chromium(390, 844) as browser:
        browser.get(server.login)
        browser.get(server.url + "/ask")
        Model.go.clear()
        ask(browser, QUESTION)
        wait(browser, lambda b: "You ran" in live(b))
        checks.check("words are shown before the answer is whole", "once" not in text(browser))
        Model.go.set()
        wait(browser, lambda b: "/threads/" in b.current_url and "once" in text(b))
        checks.check("the answer is kept in a conversation", QUESTION in text(browser), text(browser))
        checks.check("what proves it is shown", "Based on 1 entry" in text(browser))
        checks.check("no picture and no link of a model", not browser.find_elements(
            By.CSS_SELECTOR, "#main img, .message-answer a[href^='http://127.0.0.1:9']"))
        thread = browser.current_url.split("#")[0]

        Model.go.clear()
        ask(browser, QUESTION)
        wait(browser, lambda b: "You ran" in live(b))
        browser.find_element(By.ID, "talk-stop").click()
        wait(browser, lambda b: "Stopped" in live(b))
        field = browser.find_element(By.ID, "question")
        checks.check("after Stop the question is still there", field.get_attribute("value") == QUESTION)
        Model.go.set()
        checks.check("nothing reaches beyond the window", widths(browser) == 0, widths(browser))
        checks.check("no error in the console", not errors(browser), errors(browser))
        browser.delete_all_cookies()
        ask(browser, QUESTION)
        wait(browser, lambda b: "signed out" in live(b))
        checks.check("a session that ended is told", True)
        return thread


def deciding(checks, server, thread):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + thread)
        ask(browser, "add lunch with Sam yesterday at noon")
        wait(browser, lambda b: "Added “lunch with Sam”" in text(b))
        ask(browser, "delete it")
        wait(browser, lambda b: b.find_elements(By.PARTIAL_LINK_TEXT, "Review"))
        checks.check("the steps can be looked at", "1 step" in text(browser))
        for dark in (False, True):
            with chromium(1280, 900, dark) as other:
                other.get(server.login_again())
                other.get(server.url + thread)
                if AXE.exists():
                    found = violations(other)
                    checks.check(f"WCAG 2.2 AA, dark {dark}", not found, found)
        browser.get(server.login_again())
        browser.get(server.url + thread)
        browser.find_element(By.PARTIAL_LINK_TEXT, "Review").click()
        wait(browser, lambda b: "/pending/" in b.current_url)
        browser.find_element(By.CSS_SELECTOR, "form[action$='/confirm'] button").click()
        wait(browser, lambda b: "/confirm" not in b.current_url and "Undo" in b.page_source)
        found = json.loads(server.run("search", "lunch", "--json"))["results"]
        checks.check("after the yes it is deleted", found == [], found)


def without_scripts(checks, server):
    with chromium(scripts=False) as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/ask")
        ask(browser, QUESTION)
        wait(browser, lambda b: "/threads/" in b.current_url)
        checks.check("without scripts the answer comes whole", "once" in text(browser))


def main(arkived):
    checks = Checks()
    model = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    model.daemon_threads = True
    threading.Thread(target=model.serve_forever, daemon=True).start()
    server = SignedInServer(arkived)
    server.run("add", "yesterday: ran along the canal")
    settings = {"address": f"http://127.0.0.1:{model.server_port}/v1/chat/completions", "model": "m"}
    pathlib.Path(server.home, "assistant.json").write_text(json.dumps(settings))
    with server:
        thread = streaming(checks, server)
        deciding(checks, server, thread[len(server.url):])
        without_scripts(checks, server)
    model.shutdown()
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
