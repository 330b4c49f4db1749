"""The day page in the hand: taps, menus, undo, moving by mouse and touch, the note's editor with a
server that goes away, files and voice.

Usage: test_day.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import re
import sys
import time

from browser import chromium
from day_moves import moving, resizing, touching
from day_page import (
    DESK,
    PHONE,
    StoppableServer,
    drafts,
    entry,
    mark,
    shows,
    toast,
    was_kept,
    words,
)
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_pages import Checks, errors, surface, wait, written


def feeling(checks, server):
    with chromium(*PHONE) as browser:
        browser.get(server.login_again())
        mark(browser)
        browser.find_element(By.ID, "mood-4").click()
        wait(browser, lambda b: "mood good" in toast(b))
        pressed = browser.find_element(By.ID, "mood-4").get_attribute("aria-pressed")
        checks.check("one tap sets the mood in place", pressed == "true" and was_kept(browser))
        checks.check("the archive has it", server.day()["mood"] == 4)
        wait(browser, lambda b: "mood good" in words(b, "#live-status"))
        checks.check("a screen reader is told", True)
        size = browser.find_element(By.ID, "mood-4").size
        checks.check("it is large enough for a finger", min(size.values()) >= 44, size)
        browser.find_element(By.ID, "mood-4").click()
        wait(browser, lambda b: "no mood" in toast(b))
        checks.check("tapping it again clears it", server.day()["mood"] is None)
        browser.find_element(By.TAG_NAME, "body").send_keys("u")
        wait(browser, lambda b: "Undid" in toast(b))
        checks.check("u takes that back", server.day()["mood"] == 4)
        browser.execute_script("byId('mood-2').click(); byId('energy-5').click(); byId('energy-5').click();")
        wait(browser, lambda b: "energy" in toast(b))
        levels = (server.day()["mood"], server.day()["energy"])
        checks.check("two scales tapped at once are both kept, a double tap once", levels == (2, 5), levels)
        browser.execute_script(
            "for (const text of ['Arkived was updated.', 'Saved.']) {"
            "const notice = element('div', 'notice notice-info'); notice.setAttribute('role', 'status');"
            "notice.append(element('p', '', text)); page.prepend(notice); }"
            "for (const start of starts) start(page);")
        checks.check("of two notices, the one about what was done is shown", toast(browser) == "Saved.", toast(browser))
        checks.check("no script or policy error with moods", errors(browser) == [])


def click(browser, element):
    """Clicks what may lie below the bar or a message at the window's edge."""
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    element.click()


def menus(checks, server):
    server.run("add", "water the plants 08:00-08:10")
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        mark(browser)
        plants = entry(browser, "water the plants")
        summary = plants.find_element(By.CSS_SELECTOR, ".entry-menu summary")
        summary.send_keys(Keys.ENTER)
        wait(browser, lambda b: shows(b, ".entry-menu[open]"))
        summary.send_keys(Keys.ESCAPE)
        checks.check("Escape closes a menu", not shows(browser, ".entry-menu[open]"))
        summary.send_keys(Keys.ENTER)
        plants.find_element(By.XPATH, ".//button[text()='Pin']").click()
        wait(browser, lambda b: shows(b, ".entry .icon-pin"))
        checks.check("pinning shows at once", "Pinned" in toast(browser) and was_kept(browser))
        summary.send_keys(Keys.ENTER)
        # Not below the message that pinning left at the bottom.
        click(browser, plants.find_element(By.XPATH, ".//button[text()='Delete']"))
        wait(browser, lambda b: "Deleted" in toast(b) and entry(b, "water the plants") is None)
        checks.check("deleting says what is gone", "water the plants" in toast(browser))
        button = browser.find_element(By.CSS_SELECTOR, "#toast form button")
        button.send_keys(Keys.ENTER)
        wait(browser, lambda b: entry(b, "water the plants") is not None)
        checks.check("Undo by keyboard brings it back", was_kept(browser))
        browser.find_element(By.CSS_SELECTOR, "#toast .toast-close").click()
        checks.check("a toast can be dismissed", not shows(browser, "#toast"))
        plants = entry(browser, "water the plants")
        plants.find_element(By.CSS_SELECTOR, ".entry-menu summary").send_keys(Keys.ENTER)
        browser.execute_script(
            "arguments[0].value = '09:15'", plants.find_element(By.NAME, "time")
        )
        plants.find_element(By.XPATH, ".//button[text()='Move']").send_keys(Keys.ENTER)
        wait(browser, lambda b: "09:15–09:25" in words(b, "#entries-timed"))
        checks.check("the menu moves by keyboard", "Moved" in toast(browser))
        checks.check("no script or policy error in menus", errors(browser) == [])
        hold = "toast.left = 1; toast.isPaused = true; toast.pause(false)"
        browser.execute_script(hold)
        wait(browser, lambda b: not shows(b, "#toast"))
        checks.check("a toast goes by itself", True)


def status(browser):
    return words(browser, ".note-status")


def writing(checks, server):
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        mark(browser)
        browser.find_element(By.TAG_NAME, "body").send_keys("e")
        wait(browser, lambda b: shows(b, "#note-editor"))
        text = surface(browser)
        wait(browser, lambda b: b.switch_to.active_element == text)
        checks.check("e opens the note in its place", True)
        text.send_keys("A *first* sentence.")
        wait(browser, lambda b: status(b) == "Saved")
        checks.check("a pause saves", server.day()["note"] == "A *first* sentence.")
        checks.check("what is written stays", written(browser) == "A *first* sentence.")
        browser.find_element(By.ID, "mood-5").click()
        wait(browser, lambda b: "mood very good" in toast(b))
        text.send_keys(" A second.")
        text.send_keys(Keys.CONTROL, Keys.ENTER)
        wait(browser, lambda b: not shows(b, "#note-editor"))
        wait(browser, lambda b: "A second." in words(b, ".note-body"))
        day = server.day()
        checks.check("a mood meanwhile is no conflict", day["note"].endswith("A second."))
        checks.check("and stays", day["mood"] == 5 and was_kept(browser))

        browser.find_element(By.ID, "edit-note").click()
        wait(browser, lambda b: shows(b, "#note-editor"))
        text = surface(browser)
        server.stop()
        text.send_keys(" Written while it was away.")
        browser.execute_script("NoteEditor.current.save()")
        wait(browser, lambda b: "once Arkived can be reached again" in status(b))
        checks.check("a stopped server is told calmly", True)
        text.send_keys(Keys.ESCAPE)
        time.sleep(0.5)
        checks.check("and the editor stays open", shows(browser, "#note-editor"))
        server.__enter__()
        wait(browser, lambda b: not shows(b, "#note-editor") or status(b) == "Saved")
        checks.check("it is sent when the server is back", "while it was away" in server.day()["note"])

        if not shows(browser, "#note-editor"):
            browser.find_element(By.ID, "edit-note").click()
            wait(browser, lambda b: shows(b, "#note-editor"))
        text = surface(browser)
        text.send_keys(" In a tab that is closed.")
        wait(browser, lambda b: any("is closed" in one for one in drafts(b)))
        browser.execute_script("NoteEditor.prototype.save = async () => true")
        browser.get("about:blank")
        browser.get(server.url + "/")
        wait(browser, lambda b: shows(b, "#note-editor"))
        text = surface(browser)
        checks.check("a draft is put back", written(browser).endswith("is closed."))
        wait(browser, lambda b: status(b) == "Saved")
        checks.check("and saved", server.day()["note"].endswith("is closed."))
        wait(browser, lambda b: drafts(b) == [])
        checks.check("no draft is left then", not shows(browser, ".draft-offer"))
        found = [one for one in errors(browser) if "ERR_CONNECTION" not in one and "events" not in one]
        found = [one for one in found if "412" not in one]
        checks.check("no script or policy error while writing", found == [], found)


def conflicts(checks, server):
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        browser.find_element(By.ID, "edit-note").click()
        wait(browser, lambda b: shows(b, "#note-editor"))
        text = surface(browser)
        for choice, ending in (
            ("Keep my version", "mine 0"), ("Use the other version", "theirs 1"), ("Combine both", "theirs 2"),
        ):
            number = ending[-1]
            server.run("note", "--replace", f"theirs {number}")
            text.send_keys(f" mine {number}")
            browser.execute_script("NoteEditor.current.save()")
            wait(browser, lambda b: shows(b, ".note-choice:not([hidden])"))
            shown = browser.find_element(By.CSS_SELECTOR, ".note-choice").text
            checks.check(
                f"both texts are shown before “{choice}”",
                f"theirs {number}" in shown and f"mine {number}" in written(browser),
            )
            checks.check(
                f"nothing is overwritten before “{choice}”",
                server.day()["note"] == f"theirs {number}",
            )
            browser.find_element(By.XPATH, f"//button[text()='{choice}']").click()
            wait(browser, lambda b: not shows(b, ".note-choice:not([hidden])"))
            browser.execute_script("NoteEditor.current.save()")
            wait(browser, lambda b: server.day()["note"].endswith(ending))
            checks.check(f"“{choice}” does so", True)
        checks.check("both together hold both", "mine 2" in server.day()["note"])

        server.run("note", "--replace", "theirs 3")
        text.send_keys(" mine 3")
        browser.execute_script("NoteEditor.current.save()")
        wait(browser, lambda b: shows(b, ".note-choice:not([hidden])"))
        text.send_keys(" and later")
        browser.find_element(By.XPATH, "//button[text()='Use the other version']").click()
        wait(browser, lambda b: server.day()["note"] == "theirs 3" and written(b) == "theirs 3")
        browser.find_element(By.XPATH, "//button[text()='Restore my version']").click()
        wait(browser, lambda b: "mine 3" in written(b))
        checks.check("what was written before the choice comes back", "mine 3 and later" in written(browser),
                     written(browser))
        browser.find_element(By.XPATH, "//button[text()='Done']").click()
        wait(browser, lambda b: not shows(b, "#note-editor"))


def elsewhere(checks, server):
    """Another program listens where Arkived was, and accepts everything."""
    server.run("note", "--replace", "begun")
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        browser.find_element(By.ID, "edit-note").click()
        wait(browser, lambda b: shows(b, "#note-editor"))
        browser.execute_script(
            "const real = window.fetch; window.isElsewhere = true; window.revealed = 0;"
            "window.fetch = async (address, options) => {"
            "if (!window.isElsewhere || !['PUT', 'HEAD'].includes(options?.method)) return real(address, options);"
            "if (options.method === 'PUT') window.revealed += 1;"
            "return new Response('<p>Another program.', { status: 200 }); };")
        surface(browser).send_keys(" here")
        browser.execute_script("NoteEditor.current.save()")
        wait(browser, lambda b: "Not saved yet" in status(b))
        # It tries again by itself.
        time.sleep(5)
        times = browser.execute_script("return window.revealed")
        checks.check("a program that isn’t Arkived takes no text away",
                     times == 1 and "Not saved yet" in status(browser) and "here" in str(drafts(browser, "note")), str(times))
        browser.execute_script("window.isElsewhere = false")
        wait(browser, lambda b: status(b) == "Saved")
        checks.check("and Arkived gets it later", server.day()["note"].endswith("here"))


def unanswered(checks, server):
    """The text is saved, but its answer is lost, and writing goes on."""
    server.run("note", "--replace", "begun")
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        browser.find_element(By.ID, "edit-note").click()
        wait(browser, lambda b: shows(b, "#note-editor"))
        browser.execute_script(
            "const real = window.fetch; window.toLose = 2; window.fetch = async (...given) => {"
            "const answer = await real(...given);"
            "if (given[1]?.method !== 'PUT' || window.toLose === 0) return answer;"
            "window.toLose -= 1; throw new TypeError('lost'); };")
        text = surface(browser)
        text.send_keys(" once")
        browser.execute_script("NoteEditor.current.save()")
        wait(browser, lambda b: "Not saved yet" in status(b) and "once" in server.day()["note"])
        count = browser.execute_async_script(
            "const editor = NoteEditor.current; const [done] = arguments;"
            "editor.save().then(() => done(editor.unanswered.length));")
        checks.check("a text that is sent again is kept once", count == 1, str(count))
        text.send_keys(" and twice")
        browser.execute_script("NoteEditor.current.save()")
        wait(browser, lambda b: status(b) == "Saved" or shows(b, ".note-choice:not([hidden])"))
        note = server.day()["note"]
        checks.check("a lost answer makes one's own text no other version",
                     not shows(browser, ".note-choice:not([hidden])") and note.endswith("once and twice"), note)
        lose = "window.toLose = 1; NoteEditor.current.save()"
        text.send_keys(", thrice")
        browser.execute_script(lose)
        wait(browser, lambda b: "thrice" in server.day()["note"] and status(b) == "Saved")
        text.send_keys(", and more")
        wait(browser, lambda b: server.day()["note"].endswith("and more"))
        checks.check("what is written after a lost answer is saved by itself", True)
        text.send_keys("!")
        browser.execute_script(lose)
        wait(browser, lambda b: server.day()["note"].endswith("more!"))
        text.send_keys(Keys.BACKSPACE)
        wait(browser, lambda b: server.day()["note"].endswith("and more"))
        checks.check("what is taken back after a lost answer is taken back in the archive", True)
        browser.find_element(By.XPATH, "//button[text()='Done']").click()
        wait(browser, lambda b: not shows(b, "#note-editor"))


DROP = """
const [onto, name, type, text] = arguments;
const data = new DataTransfer();
const bytes = type.startsWith('image/') ? Uint8Array.from(atob(text), (c) => c.charCodeAt(0)) : text;
data.items.add(new File([bytes], name, { type }));
const target = document.querySelector(onto);
for (const kind of ['dragover', 'drop']) {
  target.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}
"""
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)


def attaching(checks, server):
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        mark(browser)
        browser.execute_script(DROP, "#note", "notes.txt", "text/plain", "dropped")
        wait(browser, lambda b: "notes.txt" in toast(b))
        wait(browser, lambda b: shows(b, "#note .meta a"))
        checks.check("a dropped file is attached to the day", was_kept(browser))
        identity = entry(browser, "swim").get_attribute("id")
        browser.execute_script(DROP, f"#{identity} .entry-text", "dot.png", "image/png", PNG)
        wait(browser, lambda b: shows(b, f"#{identity} .thumb img"))
        image = browser.find_element(By.CSS_SELECTOR, f"#{identity} .thumb img")
        browser.execute_script("arguments[0].scrollIntoView()", image)
        wait(browser, lambda b: b.execute_script("return arguments[0].naturalWidth", image) == 1)
        checks.check("a picture dropped on an entry is seen there", True)
        browser.find_element(By.CSS_SELECTOR, "#toast form button").click()
        wait(browser, lambda b: not shows(b, f"#{identity} .thumb"))
        checks.check("and is taken off by undo", True)
        browser.execute_script(DROP, "#note", "n" * 300, "text/plain", "x")
        wait(browser, lambda b: "longer than 255" in toast(b))
        checks.check("a name too long is told", "Nothing was attached" in toast(browser))
        # Only its size is read before it is refused.
        browser.execute_script("attachFiles([{ size: 3e8, name: 'film.mov' }], '/')")
        wait(browser, lambda b: "inbox folder" in toast(b))
        leads = browser.find_elements(By.CSS_SELECTOR, "#toast a[href='/settings/capture#inbox']")
        checks.check("files too large for a page lead to the inbox folder", len(leads) == 1)
        server.stop()
        browser.execute_script(DROP, "#note", "late.txt", "text/plain", "x")
        wait(browser, lambda b: "reach" in toast(b))
        server.__enter__()
        checks.check("with the server away that is told", not shows(browser, "#upload"))
        files = len(server.day().get("attachments", []))
        checks.check("and nothing half was made", files == 1, files)
        chosen = browser.find_elements(By.CSS_SELECTOR, "#attach input[type=file]")
        checks.check("a camera is offered", chosen[0].get_attribute("capture") == "environment")


def speaking(checks, server):
    more = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
    with chromium(*PHONE, more=more) as browser:
        browser.get(server.login_again())
        browser.find_element(By.ID, "record").click()
        wait(browser, lambda b: re.search("Recording 0:(0[1-9]|[1-5])", words(b, "#upload")))
        checks.check("a recording shows its time", True)
        browser.find_element(By.XPATH, "//button[text()='Stop']").click()
        wait(browser, lambda b: shows(b, "#upload audio"))
        wait(browser, lambda b: b.execute_script(
            "return document.querySelector('#upload audio').readyState") >= 1)
        checks.check("it can be heard before it is saved", True)
        browser.get(server.url + "/")
        wait(browser, lambda b: shows(b, "#upload audio"))
        checks.check("and is still there when the tab was closed", True)
        server.stop()
        browser.find_element(By.XPATH, "//button[text()='Save']").click()
        wait(browser, lambda b: "once Arkived can be reached again" in words(b, "#upload"))
        server.__enter__()
        browser.get(server.url + "/")
        wait(browser, lambda b: entry(b, "Voice note") is not None)
        checks.check("a recording waits for the server", True)
        wait(browser, lambda b: shows(b, ".file-sound audio"))
        notes = [one for one in server.day()["activities"] if one["text"] == "Voice note"]
        checks.check("and is saved once", len(notes) == 1, len(notes))
        kinds = [one["type"] for one in notes[0]["attachments"]]
        checks.check("as an audio note", kinds == ["audioNote"], kinds)
        left = browser.execute_async_script("waiting.all().then(arguments[0])")
        checks.check("nothing waits any more", left == [])
        browser.execute_script("document.querySelector('.file-sound audio').load()")
        wait(browser, lambda b: b.execute_script(
            "return document.querySelector('.file-sound audio').readyState") >= 1)
        checks.check("it plays from the page", True)
        taken = browser.execute_script(
            "const event = new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true });"
            "document.querySelector('.file-sound audio').dispatchEvent(event); return event.defaultPrevented;")
        checks.check("and the arrows move in it", not taken, taken)


def noting(checks, server):
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        field = browser.find_element(By.ID, "line")
        field.send_keys("the heron came back")
        browser.find_element(By.ID, "add-note").click()
        wait(browser, lambda b: "the heron came back" in words(b, ".note-body"))
        checks.check("a line goes into the note", "the heron came back" in server.day()["note"])
        field = browser.find_element(By.ID, "line")
        checks.check("the row is empty then", field.get_attribute("value") == "")
        browser.find_element(By.ID, "line").send_keys("water the beans", Keys.ENTER)
        wait(browser, lambda b: entry(b, "water the beans") is not None)
        checks.check("Enter still adds an entry", "beans" not in server.day()["note"])
        browser.find_element(By.ID, "day-settings").click()
        wait(browser, lambda b: "/settings" in b.current_url)
        checks.check("the gear leads to the settings", True)


def without_scripts(checks, server):
    server.run("add", "fold the laundry 17:00-17:20")
    with chromium(scripts=False) as browser:
        browser.get(server.login_again())
        browser.find_element(By.ID, "line").send_keys("a quiet evening")
        browser.find_element(By.ID, "add-note").click()
        wait(browser, lambda b: "a quiet evening" in b.page_source)
        checks.check(
            "the note grows without scripts", server.day()["note"].endswith("a quiet evening")
        )
        browser.find_element(By.ID, "energy-3").click()
        wait(browser, lambda b: "energy okay" in b.page_source)
        checks.check("energy is set without scripts", server.day()["energy"] == 3)
        laundry = entry(browser, "fold the laundry")
        laundry.find_element(By.CSS_SELECTOR, ".entry-menu summary").click()
        laundry.find_element(By.XPATH, ".//button[text()='Delete']").click()
        wait(browser, lambda b: shows(b, ".notice form[action*='/undo']"))
        checks.check("deleting without scripts says so", "fold the laundry" in browser.page_source)
        browser.find_element(By.CSS_SELECTOR, ".notice form[action*='/undo'] button").click()
        wait(browser, lambda b: entry(b, "fold the laundry") is not None)
        checks.check("undo works without scripts", True)


def layout(checks, server):
    for width, dark in ((390, False), (1280, True)):
        with chromium(width, 844 if width < 600 else 900, dark) as browser:
            browser.get(server.login_again())
            row = browser.execute_script(
                "const row = document.querySelector('#add .quick-row');"
                "const tops = [...row.querySelectorAll('input, button')]"
                ".map((one) => one.getBoundingClientRect());"
                "return [Math.max(...tops.map((r) => Math.abs((r.top + r.bottom) / 2"
                " - (tops[0].top + tops[0].bottom) / 2))), row.scrollWidth - row.clientWidth];"
            )
            checks.check(f"the row to add is one row at {width} px", row[0] < 4 and row[1] <= 0)
            click(browser, browser.find_element(By.CSS_SELECTOR, ".entry-menu summary"))
            click(browser, browser.find_element(By.ID, "edit-note"))
            wait(browser, lambda b: shows(b, "#note-editor"))
            wide = browser.execute_script(
                "return document.documentElement.scrollWidth > window.innerWidth"
            )
            checks.check(f"nothing is cut off at {width} px", not wide)


def main(arkived):
    checks = Checks()
    server = StoppableServer(arkived)
    with server:
        feeling(checks, server)
        menus(checks, server)
        moving(checks, server)
        resizing(checks, server)
        touching(checks, server)
        writing(checks, server)
        conflicts(checks, server)
        elsewhere(checks, server)
        unanswered(checks, server)
        attaching(checks, server)
        speaking(checks, server)
        noting(checks, server)
        without_scripts(checks, server)
        layout(checks, server)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    started = time.monotonic()
    verdict = main(sys.argv[1])
    print(f"took {time.monotonic() - started:.0f} s")
    sys.exit(verdict)
