"""Stops the server under open pages: recent days stay readable, and what is added is sent once.

Usage: test_offline.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import contextlib
import http.server
import json
import subprocess
import sys
import threading

from browser import Server, chromium
from day_page import drafts as kept_drafts
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_pages import Checks, wait


def stop(server):
    server.process.terminate()
    server.process.wait(timeout=300)


def start(server, port):
    server.process = subprocess.Popen(
        [server.arkived, "serve", "--port", str(port), "--json"], env=server.environment,
        stdout=subprocess.PIPE)
    json.loads(server.process.stdout.readline())


def kept(browser, path):
    return browser.execute_async_script(
        "const [path, done] = arguments;"
        "caches.match(path, {cacheName: 'arkived-days'}).then((found) => done(Boolean(found)));", path)


def waiting(browser):
    """The lines that the browser keeps to be sent."""
    return browser.execute_async_script(
        "const done = arguments[0]; const opening = indexedDB.open('arkived-waiting', 1);"
        "opening.onsuccess = () => { const all = opening.result.transaction('additions')"
        ".objectStore('additions').getAll(); all.onsuccess = () => done(all.result); };")


@contextlib.contextmanager
def stranger(port, status, *, is_arkived=True):
    """A server where Arkived was, which takes a line about a cat and no other; or a program of another kind."""
    bodies = []
    looks = []

    class Stranger(http.server.BaseHTTPRequestHandler):
        def answer(self, status, page=b""):
            self.send_response(status)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(page)))
            if is_arkived and self.headers["Arkived-Waiting"]:
                self.send_header("Arkived-Waiting", "1")
            self.end_headers()
            self.wfile.write(page)

        def do_HEAD(self):
            self.answer(200)
            looks.append(self.headers["Arkived-Waiting"])

        def do_GET(self):
            self.answer(404, b"<!DOCTYPE html><p>Another program.</p>")

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.answer(200 if "cat" in body or not is_arkived else status)
            bodies.append(body)

        def log_message(self, *_):
            pass

    other = http.server.ThreadingHTTPServer(("127.0.0.1", port), Stranger)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    try:
        yield bodies, looks
    finally:
        other.shutdown()
        other.server_close()


def full(checks, server, browser):
    """A browser without space shows the pages that it can't store."""
    origin = {"origin": server.url}
    browser.execute_cdp_cmd("Storage.overrideQuotaForOrigin", {**origin, "quotaSize": 1})
    came = browser.execute_async_script(
        "const [done] = arguments; fetch('/assets/app.css?v=later').then(({ ok }) => done(ok), () => done(false));")
    checks.check("what can’t be stored is shown", came)
    browser.execute_cdp_cmd("Storage.overrideQuotaForOrigin", origin)


def add(browser, line):
    browser.find_element(By.NAME, "line").send_keys(line + Keys.ENTER)
    wait(browser, lambda b: line in b.page_source and b.find_elements(By.ID, "unsent"))


def drafts(checks, server, browser):
    browser.get(server.url + "/")
    wait(browser, lambda b: b.find_elements(By.ID, "unsent"))
    browser.find_element(By.NAME, "line").send_keys("half a thought")
    wait(browser, lambda b: "half a thought" in kept_drafts(b, "line"))
    browser.refresh()
    wait(browser, lambda b: b.find_elements(By.ID, "unsent"))
    offers = [one.text for one in browser.find_elements(By.CSS_SELECTOR, ".draft-offer")]
    checks.check("what is being typed stays a draft while other lines wait",
                 len(offers) == 1 and "half a thought" in offers[0], str(offers))
    browser.find_elements(By.CSS_SELECTOR, ".draft-offer button")[-1].click()
    checks.check("and is gone once it is discarded", kept_drafts(browser, "line") == [])


def later(checks, server, browser):
    """Today as it was stored last is shown, also at the address that names no day."""
    store = (
        "const done = arguments[0]; const now = new Date();"
        "const two = (part) => String(part).padStart(2, '0');"
        "const path = `/day/${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;"
        "caches.open('arkived-days').then(async (cache) => { %s; done(); });")
    browser.execute_async_script(store % (
        "await cache.put(path, new Response('<!DOCTYPE html><html lang=\"en\"><p>stored later</p></html>',"
        "{headers: {'Content-Type': 'text/html', 'X-Kept-At': '2099-01-01T00:00:00.000Z'}}))"))
    browser.get(server.url + "/")
    checks.check("today is the page that was stored last", "stored later" in browser.page_source)
    browser.execute_async_script(store % "await cache.delete(path)")
    browser.get(server.url + "/")
    wait(browser, lambda b: "Arkived isn’t running" in b.page_source)


def refused(checks, server, browser, port):
    """What somebody else answers takes no line away, and no line keeps another."""
    browser.execute_async_script(
        "const [done] = arguments; waiting.keep({ key: 'spoken', day: livePage.day, at: new Date().toISOString(),"
        "sound: new Blob(['OggS'], { type: 'audio/ogg' }) }).then(() => done());")
    with stranger(port, 200, is_arkived=False) as (bodies, looks):
        wait(browser, lambda _: looks.count("1") >= 2)
        checks.check("another program gets no line and takes none", not bodies and len(waiting(browser)) == 2)
        left = browser.execute_async_script(
            "const [done] = arguments; sendWaiting().then(() => waiting.all()).then((all) => done(all.length));")
        checks.check("nor a recording", not bodies and left == 1, str(left))
    browser.execute_async_script("const [done] = arguments; waiting.drop('spoken').then(() => done());")
    with stranger(port, 404) as (bodies, _):
        wait(browser, lambda _: len(bodies) >= 2)
        checks.check("who knows no such page takes no line", len(waiting(browser)) == 2)
        marked = [one for one in waiting(browser) if one.get("problem")]
        checks.check("and spoils none", not marked, str(marked))
    browser.get(server.url + "/")
    add(browser, "fed the cat")
    with stranger(port, 500):
        # A page that was kept is read anew where something was taken.
        wait(browser, lambda b: "Another program." in b.page_source)
        lines = sorted(one["line"] for one in waiting(browser))
        checks.check("a line that the server fails at keeps no other",
                     lines == ["soup for lunch", "walked home"], str(lines))


def main(arkived):
    checks = Checks()
    server = Server(arkived)
    server.run("add", "climbed the tower")
    with server:
        port = int(server.url.rsplit(":", 1)[1])
        with chromium() as browser:
            browser.get(server.login)
            wait(browser, lambda b: b.execute_script(
                "return Boolean(navigator.serviceWorker.controller)"))
            full(checks, server, browser)
            browser.get(server.url + "/day/2026-03-13")
            browser.get(server.url + "/")
            wait(browser, lambda b: kept(b, "/") and kept(b, "/day/2026-03-13"))
            stop(server)
            browser.get(server.url + "/")
            wait(browser, lambda b: "Arkived isn’t running" in b.page_source)
            checks.check("today is readable", "climbed the tower" in browser.page_source)
            told = browser.execute_script("return document.querySelector('#away')?.closest('main') !== null")
            checks.check("that it is stored stays on the page", told)
            told = browser.execute_script(
                "return byId('away').textContent.includes(new Date(away.since).toLocaleDateString('en-GB'))")
            checks.check("its date is written as on the page", told)
            later(checks, server, browser)
            # On a busy machine the page may still be on its way.
            buttons = wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".button-primary"))
            colour = buttons[0].value_of_css_property("background-color")
            checks.check("it is styled", colour not in ("rgba(0, 0, 0, 0)", "rgb(239, 239, 239)"), colour)
            for line in ("soup for lunch", "walked home"):
                add(browser, line)
            shown = browser.find_element(By.ID, "unsent").text
            at = waiting(browser)[0]["body"]
            checks.check("a line that waits knows when it was typed", "writtenAt=20" in at, at)
            checks.check("both lines wait", "2 lines" in shown and "walked home" in shown, shown)
            browser.get(server.url + "/day/2020-01-01")
            checks.check(
                "a day that was not read says how to go on", "recently" in browser.page_source)
            drafts(checks, server, browser)
            refused(checks, server, browser, port)
            start(server, port)
            browser.get(server.url + "/")
            wait(browser, lambda b: len(b.find_elements(By.CSS_SELECTOR, ".entry")) == 3)
            entries = [entry.text for entry in browser.find_elements(By.CSS_SELECTOR, ".entry-text")]
            checks.check("both are saved, once", sorted(entries) == [
                "climbed the tower", "soup for lunch", "walked home"], str(entries))
            wait(browser, lambda b: not b.find_elements(By.ID, "unsent"))
            checks.check("nothing waits any more", True)
            stop(server)
            browser.get(server.url + "/")
            wait(browser, lambda b: b.find_elements(By.ID, "away"))
            server.run("add", "swept the stairs")
            start(server, port)
            wait(browser, lambda b: "swept the stairs" in b.find_element(By.ID, "main").text)
            wait(browser, lambda b: not b.find_elements(By.ID, "away"))
            checks.check("a stored page that is up to date again says nothing else", True)
            browser.get(server.url + "/settings")
            browser.find_element(By.CSS_SELECTOR, "form[action='/logout'] button").click()
            wait(browser, lambda b: not kept(b, "/"))
            checks.check("signing out removes the pages that were kept", True)
    print(f"{checks.passed} passed, {checks.failed} failed")
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
