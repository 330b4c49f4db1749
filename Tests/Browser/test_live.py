"""Changes made by other programs appear in open pages, and disturb nobody who is writing there.

Usage: test_live.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import subprocess
import sys
import time

from browser import chromium
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_pages import Checks, SignedInServer, errors, surface, wait

SIZES = ((390, 844), (1280, 900))


def mark(browser):
    """A page that was loaded anew has lost this."""
    browser.execute_script("window.wasHere = true")


def was_kept(browser):
    return browser.execute_script("return window.wasHere === true")


def listening(browser):
    """Waits until the page hears of changes."""
    wait(browser, lambda b: b.execute_script("return line.source?.readyState === 1"))


def entries(browser, words):
    found = browser.find_elements(By.CSS_SELECTOR, ".entry-text")
    return [entry for entry in found if words in entry.text]


def value(browser, name):
    return browser.find_element(By.NAME, name).get_attribute("value")


def typing(checks, server):
    for width, height in SIZES:
        with chromium(width, height) as browser:
            browser.get(server.login_again())
            mark(browser)
            listening(browser)
            field = browser.find_element(By.NAME, "line")
            field.send_keys("half a thought")
            field.send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
            words = f"typed in the terminal at {width}"
            server.run("add", f"{words} 08:00-08:30")
            wait(browser, lambda b: entries(b, words))
            checks.check(f"an entry of the command line appears at {width} px", True)
            checks.check(f"the page was not loaded anew at {width} px", was_kept(browser))
            checks.check(
                f"typed text stays at {width} px", value(browser, "line") == "half a thought"
            )
            caret = browser.execute_script("return document.activeElement.selectionStart")
            checks.check(f"so do focus and caret at {width} px", caret == 12, caret)
            wait(browser, lambda b: b.find_element(By.ID, "live-status").text == "Updated")
            checks.check(f"a screen reader is told at {width} px", True)
            field.send_keys("!")
            checks.check(
                f"typing goes on at {width} px", value(browser, "line") == "half a thoug!ht"
            )
            server.run("undo")
            wait(browser, lambda b: not entries(b, words))
            checks.check(f"what is taken back goes at {width} px", was_kept(browser))
            checks.check(f"no script or policy error at {width} px", errors(browser) == [])


def scrolling(checks, server):
    lines = [f"step {number} {7 + number // 6:02}:{number % 6}0" for number in range(60)]
    server.run("add", "yesterday: first 06:00")
    for line in lines[:: 2]:
        server.run("add", f"yesterday: {line}")
    for width, height in SIZES:
        with chromium(width, height) as browser:
            browser.get(server.login_again())
            browser.get(server.url + "/day/2026-03-13")
            listening(browser)
            watched = entries(browser, "step 40")[0]
            browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", watched)
            link = watched.find_element(By.XPATH, "../..").find_element(
                By.CSS_SELECTOR, ".entry-menu summary"
            )
            browser.execute_script("arguments[0].focus({preventScroll: true})", link)
            before = watched.rect["y"] - browser.execute_script("return scrollY")
            server.run("add", f"yesterday: early bird at {width} 06:30")
            wait(browser, lambda b: entries(b, f"early bird at {width}"))
            after = watched.rect["y"] - browser.execute_script("return scrollY")
            checks.check(
                f"what is read stays in its place at {width} px",
                abs(after - before) < 2,
                f"{before} {after}",
            )
            checks.check(
                f"the focus stays on its entry at {width} px",
                browser.switch_to.active_element == link,
            )


def notes(checks, server):
    with chromium() as browser:
        browser.get(server.login_again())
        mark(browser)
        listening(browser)
        server.run("note", "--day", "2026-03-14", "Calm *morning*.")
        wait(browser, lambda b: "<em>morning</em>" in b.page_source)
        checks.check("a note of the command line appears", was_kept(browser))
        browser.get(server.url + "/day/2026-03-14/note/edit")
        mark(browser)
        listening(browser)
        note = surface(browser)
        note.send_keys(" And I write on")
        server.run("note", "--day", "2026-03-14", "Written elsewhere.")
        notice = wait(browser, lambda b: b.find_elements(By.ID, "live-notice"))[0]
        checks.check("an editor tells of a change elsewhere", "changed elsewhere" in notice.text)
        checks.check(
            "and keeps what is written",
            "And I write on" in value(browser, "note")
            and "Written elsewhere" not in value(browser, "note"),
        )
        notice.find_element(By.TAG_NAME, "button").click()
        wait(browser, lambda b: "Written elsewhere" in b.find_element(By.ID, "live-notice").text)
        checks.check("Show shows the other version", was_kept(browser))
        note.send_keys(Keys.CONTROL, Keys.ENTER)
        wait(browser, lambda b: b.find_elements(By.ID, "conflict-title"))
        checks.check("saving over it asks first", "And I write on" in value(browser, "note"))
        listening(browser)
        server.run("note", "--day", "2026-03-14", "Once more elsewhere.")
        wait(browser, lambda b: b.find_elements(By.ID, "live-notice"))
        checks.check("that page tells of a further change", True)
        checks.check(
            "no script or policy error in an editor",
            [line for line in errors(browser) if "409" not in line] == [],
        )


def free_notes(checks, server):
    """Two tabs with one note: the tab that comes second is shown what the other one saved."""
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/notes/new")
        surface(browser).send_keys("as it was")
        browser.find_element(By.CSS_SELECTOR, "#form .button-primary").click()
        wait(browser, lambda b: "Added the note" in b.page_source)
        edit = browser.current_url.split("?")[0].split("#")[0] + "/edit"
        browser.get(edit)
        surface(browser).send_keys(" mine")
        first = browser.current_window_handle
        browser.switch_to.new_window("tab")
        browser.get(edit)
        surface(browser).send_keys(" theirs")
        browser.find_element(By.CSS_SELECTOR, "#form .button-primary").click()
        wait(browser, lambda b: not b.current_url.endswith("/edit"))
        browser.close()
        browser.switch_to.window(first)
        notice = wait(browser, lambda b: b.find_element(By.ID, "live-notice"))
        notice.find_element(By.TAG_NAME, "button").click()
        wait(browser, lambda b: "theirs" in b.find_element(By.ID, "live-notice").text)
        checks.check("a note that was changed in another tab shows how", "mine" in value(browser, "note"))
        browser.find_element(By.CSS_SELECTOR, "#form .button-primary").click()
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".notice .old-text"))
        other = browser.find_element(By.CSS_SELECTOR, ".notice .old-text").get_attribute("textContent")
        checks.check("saving over it shows both texts", "theirs" in other and "mine" in value(browser, "note"), other)


def one_entry(checks, server):
    added = server.run("add", "--json", "to be changed 10:00")
    identity = added.split('"id":"')[1].split('"')[0]
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(f"{server.url}/activities/{identity}/edit")
        listening(browser)
        browser.find_element(By.NAME, "place").send_keys("here")
        server.run("edit", identity, "--text", "changed elsewhere")
        wait(browser, lambda b: b.find_elements(By.ID, "live-notice"))
        checks.check("an entry's editor keeps its fields", value(browser, "place") == "here")
        server.run("delete", identity, "--yes")
        wait(browser, lambda b: "deleted" in b.find_element(By.ID, "live-notice").text)
        checks.check("and tells when the entry is gone", True)


def own_forms(checks, server):
    with chromium() as browser:
        browser.get(server.login_again())
        listening(browser)
        browser.find_element(By.NAME, "line").send_keys("typed once 11:00", Keys.ENTER)
        wait(browser, lambda b: "Saved" in b.page_source)
        mark(browser)
        listening(browser)
        server.run("add", "and another 11:30")
        wait(browser, lambda b: entries(b, "and another"))
        checks.check("a form's own entry stands there once", len(entries(browser, "typed once")) == 1)
        checks.check("the notice of it stays", "Saved: typed once" in browser.page_source)
        checks.check("without loading the page anew", was_kept(browser))


def away(checks, server):
    with chromium() as browser:
        browser.get(server.login_again())
        mark(browser)
        listening(browser)
        port = server.url.rsplit(":", 1)[1]
        server.process.terminate()
        server.process.wait(timeout=300)
        server.run("add", "while the server was away 12:00")
        server.process = subprocess.Popen(
            [server.arkived, "serve", "--port", port, "--json"],
            env=server.environment,
            stdout=subprocess.PIPE,
        )
        server.process.stdout.readline()
        wait(browser, lambda b: entries(b, "while the server was away"))
        checks.check("after a restart the page shows what it missed", was_kept(browser))
        hide = "Object.defineProperty(document, 'hidden', {value: %s, configurable: true});"
        turn = "document.dispatchEvent(new Event('visibilitychange'))"
        browser.execute_script(hide % "true" + turn)
        checks.check(
            "a page out of sight lets its connection go",
            browser.execute_script("return line.source === null"),
        )
        server.run("add", "while nobody looked 12:30")
        browser.execute_script(hide % "false" + turn)
        wait(browser, lambda b: entries(b, "while nobody looked"))
        checks.check("and shows what it missed when it is back", was_kept(browser))


def lists(checks, server):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/search?query=kingfisher")
        mark(browser)
        listening(browser)
        server.run("add", "saw a kingfisher 13:00")
        wait(browser, lambda b: b.find_elements(By.TAG_NAME, "mark"))
        checks.check("a search shows a new result", was_kept(browser))


def fields(checks, server):
    """What was typed into a field, or chosen, stays when something changes elsewhere."""
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/settings/forget")
        mark(browser)
        listening(browser)
        browser.execute_script(
            "const day = byId('forget-from'); day.value = '2026-02-03';"
            "day.dispatchEvent(new Event('input', { bubbles: true }));")
        server.run("add", "seen from another page 15:00")
        wait(browser, lambda b: b.execute_script("return page.dataset.change") != "" and b.find_element(
            By.ID, "live-status").get_attribute("textContent") is not None)
        # The page is read again; what it has changed shows that it was.
        browser.execute_async_script(
            "const done = arguments[0]; const first = page.dataset.change; readSoon(0);"
            "const look = setInterval(() => { if (!reading.isBusy && !reading.timer) {"
            "clearInterval(look); done(first); } }, 50);")
        day = browser.execute_script("return byId('forget-from').value")
        checks.check("a typed date stays", day == "2026-02-03" and was_kept(browser), day)
        framed = browser.execute_script("return byId('forget-from').parentElement.className")
        checks.check("and is shown as the reader writes dates", "date-shown" in framed, framed)


def examples(checks, server):
    """A link that arrives while the page is open does what it does on a new page."""
    day = "2026-01-05"
    server.run("add", f"{day}: alone on its day 09:00")
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(f"{server.url}/day/{day}")
        mark(browser)
        listening(browser)
        browser.execute_script(
            "const link = element('a', 'made', 'An example'); link.href = '#line';"
            "Object.assign(link.dataset, { fills: 'line', text: 'an example 10:00' });"
            "page.append(link); link.click();")
        checks.check("an example that came later fills the line", value(browser, "line") == "an example 10:00")


def signed_out(checks, server):
    with chromium() as browser:
        browser.get(server.login_again())
        listening(browser)
        mark(browser)
        browser.delete_all_cookies()
        browser.execute_script("location.hash = 'feel'; hangUp(); listen()")
        wait(browser, lambda b: b.find_elements(By.ID, "live-notice"))
        shown = browser.find_element(By.ID, "live-notice").text
        checks.check("a page whose browser was signed out says so", "signed out" in shown, shown)
        checks.check("and stays readable", was_kept(browser))
        link = browser.find_element(By.CSS_SELECTOR, "#live-notice a").get_attribute("href")
        checks.check("and its link loads the page again, wherever it was", "#" not in link, link)


def without_scripts(checks, server):
    with chromium(scripts=False) as browser:
        browser.get(server.login_again())
        server.run("add", "not seen yet 14:00")
        checks.check("without scripts a page stays", not entries(browser, "not seen yet"))
        browser.refresh()
        checks.check("until it is loaded anew", len(entries(browser, "not seen yet")) == 1)


def main(arkived):
    checks = Checks()
    server = SignedInServer(arkived)
    with server:
        typing(checks, server)
        scrolling(checks, server)
        notes(checks, server)
        free_notes(checks, server)
        one_entry(checks, server)
        own_forms(checks, server)
        away(checks, server)
        lists(checks, server)
        fields(checks, server)
        examples(checks, server)
        signed_out(checks, server)
        without_scripts(checks, server)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    started = time.monotonic()
    verdict = main(sys.argv[1])
    print(f"took {time.monotonic() - started:.0f} s")
    sys.exit(verdict)
