"""Pairs a phone by what the computer shows, uses the app on it while the computer is away and back
again, and revokes it; then the same with the pages alone, the owner's and the phone's.

Usage: test_phone.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import json
import signal
import ssl
import subprocess
import sys
import time

from browser import chromium
from phone import ADDRESS, Door, ask
from selenium.common.exceptions import JavascriptException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait
from test_accessibility import AXE, violations, widths
from test_offline import kept, start, stop
from test_pages import Checks, SignedInServer, errors, surface, wait


def trusting(server):
    """What trusts the archive's own certificate and nothing else."""
    path = f"{server.home}/home.crt"
    server.run("phone", "certificate", "-o", path)
    pem = subprocess.run(
        ["openssl", "x509", "-inform", "der", "-in", path], check=True, capture_output=True).stdout
    return ssl.create_default_context(cadata=pem.decode())


def trust(checks, server, door):
    context = trusting(server)
    status, text = ask(door.url + "/pair", context)
    checks.check("who has the certificate trusts the address", status == 200 and "Pair" in text, text[:80])
    for path in ("/", "/day/2026-03-14", "/api/v1/days/2026-03-14", "/settings/phone"):
        status, text = ask(door.url + path, context, {"Authorization": f"Bearer {server.token}"})
        checks.check(f"{path} is shut to who is not paired", status == 401 and "tower" not in text, str(status))
    status, _ = ask(f"https://{ADDRESS}:{door.port}/pair", context, {"Host": f"localhost:{door.port}"})
    checks.check("another name is not answered", status == 421, str(status))


def pair(checks, door, browser):
    link, _ = door.pair()
    browser.get(link)
    checks.check("the form fits the screen", widths(browser) <= 0)
    if AXE.exists():
        found = violations(browser)
        checks.check("the form is accessible", not found, " | ".join(found))
    name = browser.find_element(By.ID, "pair-name")
    name.clear()
    name.send_keys("My phone" + Keys.ENTER)
    wait(browser, lambda b: b.current_url == door.url + "/")
    checks.check("a phone that was paired shows today", "climbed the tower" in browser.page_source)
    browser.get(link)
    browser.find_element(By.ID, "pair-name").send_keys(" again" + Keys.ENTER)
    wait(browser, lambda b: "already used" in b.page_source)
    checks.check("the same link pairs no second one", True)
    # The browser tells of that answer too.
    errors(browser)


def add(browser, line):
    browser.find_element(By.NAME, "line").send_keys(line + Keys.ENTER)
    wait(browser, lambda b: line in b.page_source and b.find_elements(By.ID, "unsent"))


def entries(browser):
    return sorted(one.text for one in browser.find_elements(By.CSS_SELECTOR, ".entry-text"))


def away(checks, server, door, browser):
    port = int(server.url.rsplit(":", 1)[1])
    browser.get(door.url + "/day/2026-03-13")
    browser.get(door.url + "/")
    wait(browser, lambda b: b.execute_script("return Boolean(navigator.serviceWorker.controller)"))
    browser.refresh()
    wait(browser, lambda b: kept(b, "/") and kept(b, "/day/2026-03-14"))
    checks.check("no script or policy error", errors(browser) == [])
    stop(server)
    browser.get(door.url + "/")
    wait(browser, lambda b: "Can’t reach your computer" in b.page_source)
    checks.check("today is readable while it is away", "climbed the tower" in browser.page_source)
    add(browser, "soup for lunch")
    add(browser, "walked home")
    shown = browser.find_element(By.ID, "unsent").text
    checks.check("what is added waits", "2 lines" in shown, shown)
    # Nothing is touched on the phone: the page finds the computer by itself.
    start(server, port)
    wait(browser, lambda b: len(b.find_elements(By.CSS_SELECTOR, ".entry")) == 3)
    checks.check("both are there, once, when it is back", entries(browser) == [
        "climbed the tower", "soup for lunch", "walked home"], str(entries(browser)))
    wait(browser, lambda b: not b.find_elements(By.ID, "unsent"))
    checks.check("nothing waits any more", True)
    return port


def room(browser):
    """The number of pages of days that are kept, and the characters in them."""
    return browser.execute_async_script(
        "const done = arguments[0]; caches.open('arkived-days').then(async (cache) => {"
        "const keys = await cache.keys(); let size = 0;"
        "for (const key of keys) size += (await (await cache.match(key))?.text() ?? '').length;"
        "done([keys.length, size]); });")


def quarter(checks, server, door, browser, port):
    """The last 90 days are there without having been read, and so are pages that were shown."""
    browser.get(door.url + "/goals")
    browser.get(door.url + "/")
    # Whoever opens a page now and then gives it another chance on a slow computer.
    for _ in range(20):
        if kept(browser, "/day/kept") and kept(browser, "/day/2026-01-20"):
            break
        time.sleep(15)
        browser.get(door.url + "/")
    checks.check("the last 90 days are kept", kept(browser, "/day/kept") and kept(browser, "/day/2026-01-20"))
    wait(browser, lambda b: b.execute_async_script(
        "const done = arguments[0]; caches.match('/goals', {cacheName: 'arkived-pages'})"
        ".then((found) => done(Boolean(found)));"))
    count, size = room(browser)
    print(f"{count} pages of days, {size / 1e6:.1f} MB")
    checks.check("they take little room", 90 < count < 130 and size < 9e6, f"{count} {size}")
    # As while they are being read for the first time.
    before = browser.execute_async_script(
        "const done = arguments[0]; caches.open('arkived-days').then(async (cache) => {"
        "await cache.put('/day/wanted', await cache.match('/day/kept')); await cache.delete('/day/kept');"
        "done((await cache.match('/')).headers.get('X-Kept-At')); });")
    browser.get(door.url + "/")
    wait(browser, lambda b: b.execute_async_script(
        "const [before, done] = arguments; caches.match('/', {cacheName: 'arkived-days'})"
        ".then((found) => done(Boolean(found) && found.headers.get('X-Kept-At') !== before));", before))
    time.sleep(1)
    count, size = room(browser)
    checks.check("a page that is opened meanwhile removes none of them", 90 < count < 130, f"{count} {size}")
    browser.execute_async_script(
        "const done = arguments[0]; caches.open('arkived-days').then(async (cache) => {"
        "const list = await cache.match('/day/wanted');"
        "if (list) await cache.put('/day/kept', list); done(); });")
    browser.get(door.url + "/settings")
    wait(browser, lambda b: "The last 90 days are kept" in b.find_element(By.ID, "main").text)
    checks.check("the settings say as of when", True)
    stop(server)
    browser.get(door.url + "/day/2026-01-20")
    wait(browser, lambda b: "The last 90 days are kept" in b.find_element(By.TAG_NAME, "body").text)
    shown = browser.find_element(By.ID, "main").text
    checks.check("a day that was never opened is readable, and says as of when", "planted the oak" in shown,
                 shown[:200])
    add(browser, "watered the oak")
    browser.get(door.url + "/goals")
    wait(browser, lambda b: b.find_elements(By.ID, "away"))
    shown = browser.find_element(By.ID, "away").text
    checks.check("a page that was shown is readable, and offers no adding",
                 "looked on" in shown and "What you add" not in shown, shown)
    start(server, port)
    browser.get(door.url + "/day/2026-01-20")
    wait(browser, lambda b: not b.find_elements(By.ID, "away"))
    wait(browser, lambda b: entries(b) == ["planted the oak", "watered the oak"])
    checks.check("what was added to it is saved once", True)


def waits(browser, count):
    """Waits until so many lines are told to wait."""
    # A page may go just while it is asked.
    WebDriverWait(browser, 300, ignored_exceptions=[JavascriptException]).until(
        lambda b: b.execute_script("return document.getElementById('unsent')?.innerText ?? ''")
        .startswith(f"{count} lines"))


def asleep(checks, server, door, browser):
    """The computer falls asleep under an open page: it refuses nothing, it is silent."""
    browser.get(door.url + "/day/2026-03-14")
    wait(browser, lambda b: kept(b, "/day/2026-03-14"))
    server.process.send_signal(signal.SIGSTOP)
    try:
        field = browser.find_element(By.NAME, "line")
        field.send_keys("watered the plants" + Keys.ENTER)
        # Typed and sent while the one before is on its way.
        field.send_keys(" called Mum" + Keys.ENTER)
        waits(browser, 2)
        checks.check("two lines typed within a moment wait as two", True)
        browser.execute_script(
            "const form = document.querySelector('[data-quick-add]');"
            "const send = (line) => { form.elements.line.value = line; form.requestSubmit(); };"
            "send('mended the bike'); setTimeout(send, 500, 'baked bread');")
        waits(browser, 4)
        checks.check("also two that a kept page sends one upon the other", True)
    finally:
        server.process.send_signal(signal.SIGCONT)
    lines = ("watered the plants", "called Mum", "mended the bike", "baked bread")
    wait(browser, lambda b: all(line in entries(b) for line in lines))
    wait(browser, lambda b: not b.find_elements(By.ID, "unsent"))
    browser.get(door.url + "/day/2026-03-14")
    checks.check("however often each was sent, it is there once",
                 all(entries(browser).count(line) == 1 for line in lines), str(entries(browser)))


def asleep_while_writing(checks, server, door, browser):
    """The note says that it isn't saved, and is saved once the computer is awake."""
    browser.get(door.url + "/day/2026-03-14")
    browser.find_element(By.ID, "edit-note").click()
    surface(browser).send_keys("Written while it slept.")
    server.process.send_signal(signal.SIGSTOP)
    try:
        browser.find_element(By.CSS_SELECTOR, "#note-editor .button-primary").click()
        wait(browser, lambda b: "will be sent once" in b.find_element(By.CSS_SELECTOR, ".note-status").text)
        checks.check("a note that nobody takes says so", True)
    finally:
        server.process.send_signal(signal.SIGCONT)
    wait(browser, lambda _: "it slept" in json.loads(server.run("day", "2026-03-14", "--json"))["note"])
    wait(browser, lambda b: "will be sent once" not in b.find_element(By.ID, "main").text)
    checks.check("and is saved as soon as somebody does", True)
    browser.find_element(By.CSS_SELECTOR, "#note-editor .button-primary").click()
    wait(browser, lambda b: not b.find_elements(By.ID, "note-editor"))


def lost(checks, server, door, browser, port):
    stop(server)
    browser.get(door.url + "/")
    add(browser, "read a book")
    server.run("phone", "revoke", "My phone")
    start(server, port)
    door.wait_until_open()
    wait(browser, lambda b: "signed out" in b.find_element(By.ID, "unsent").text)
    checks.check("what waits on a revoked phone is kept there and said", True)
    browser.get(door.url + "/day/2026-03-14")
    wait(browser, lambda b: "Not paired" in b.page_source)
    checks.check("a revoked phone reads nothing", "climbed the tower" not in browser.page_source)
    wait(browser, lambda b: not kept(b, "/") and not kept(b, "/day/2026-03-14"))
    checks.check("the days that it kept are gone", True)
    _, code = door.pair()
    browser.find_element(By.LINK_TEXT, "Pair this device").click()
    wait(browser, lambda b: b.find_elements(By.ID, "pair-code"))
    browser.find_element(By.ID, "pair-code").send_keys(code.lower().replace("-", ""))
    browser.find_element(By.ID, "pair-name").send_keys("Found again" + Keys.ENTER)
    wait(browser, lambda b: "read a book" in " ".join(entries(b)))
    checks.check("paired anew, what waited is sent, once", entries(browser).count("read a book") == 1)


def by_hand(checks, server, door):
    """Nothing but two browsers: the owner's pages on one narrow screen, the phone's on another."""
    with chromium(390, 844) as owner, door.phone() as phone:
        owner.get(server.login_again())
        owner.get(server.url + "/settings/phone")
        owner.find_element(By.CSS_SELECTOR, "form[action$='/phone/code'] button").click()
        wait(owner, lambda b: b.find_elements(By.ID, "pair-shown"))
        checks.check("the owner's page with a code fits a narrow screen", widths(owner) <= 0)
        link = next(
            one.text for one in owner.find_elements(By.TAG_NAME, "code") if one.text.startswith(door.url))
        phone.get(link)
        name = phone.find_element(By.ID, "pair-name")
        name.clear()
        name.send_keys("By hand" + Keys.ENTER)
        wait(phone, lambda b: b.current_url == door.url + "/")
        phone.find_element(By.NAME, "line").send_keys("planted a pear tree" + Keys.ENTER)
        wait(phone, lambda b: "planted a pear tree" in entries(b))
        owner.get(server.url + "/")
        checks.check("what the phone added is on the owner's Today", "planted a pear tree" in entries(owner))
        owner.get(server.url + "/settings/phone")
        row = next(
            one for one in owner.find_elements(By.CSS_SELECTOR, "form[action$='/revoke']")
            if "By hand" in one.find_element(By.XPATH, "..").text)
        row.find_element(By.TAG_NAME, "button").click()
        wait(owner, lambda b: "By hand" not in b.find_element(By.CSS_SELECTOR, ".link-list").text)
        checks.check("the owner's page revokes it", True)
        phone.get(door.url + "/day/2026-03-14")
        wait(phone, lambda b: not entries(b))
        phone.get(door.url + "/settings/phone")
        checks.check("the phone is shut out", "pear tree" not in phone.page_source
                     and not phone.find_elements(By.CSS_SELECTOR, ".entry"), phone.page_source[:200])
        status = phone.execute_async_script(
            "fetch('/api/v1/days/2026-03-14').then((it) => arguments[0](it.status));")
        checks.check("and refused by the server", status == 401, str(status))


def page(checks, server):
    for width, dark in ((1280, False), (390, True)):
        with chromium(width, 844, dark) as browser:
            browser.get(server.login_again())
            browser.get(server.url + "/settings/phone")
            browser.find_element(By.CSS_SELECTOR, "form[action$='/phone/code'] button").click()
            wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".qr-code"))
            name = f"the page at {width} {'dark' if dark else 'light'}"
            checks.check(f"{name}: nothing wider than the window", widths(browser) <= 0)
            size = browser.find_element(By.CSS_SELECTOR, ".qr-code").size
            checks.check(f"{name}: the code is a square to point at", size["width"] >= 200
                         and abs(size["width"] - size["height"]) <= 1, str(size))
            checks.check(f"{name}: the phone is listed", "Found again" in browser.page_source)
            checks.check(f"{name}: no script or policy error", errors(browser) == [])
            if AXE.exists():
                found = violations(browser)
                checks.check(f"{name}: no violation", not found, " | ".join(found))


def main(arkived):
    checks = Checks()
    server = SignedInServer(arkived)
    server.run("add", "climbed the tower")
    server.run("add", "planted the oak on 2026-01-20")
    with server:
        door = Door(server)
        trust(checks, server, door)
        with door.phone() as browser:
            pair(checks, door, browser)
            port = away(checks, server, door, browser)
            quarter(checks, server, door, browser, port)
            asleep(checks, server, door, browser)
            asleep_while_writing(checks, server, door, browser)
            lost(checks, server, door, browser, port)
        by_hand(checks, server, door)
        page(checks, server)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
