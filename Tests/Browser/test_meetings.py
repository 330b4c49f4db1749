"""Uses the pages of meetings as a person does: with the mouse, by keyboard, on a phone, without scripts.

Usage: test_meetings.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import os
import sys
import tempfile
import time

from browser import chromium
from sample_goals import Forms
from sample_meetings import CALENDAR, fill
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_pages import CANARY, Checks, SignedInServer, errors, headings, surface, wait


def preparing(checks, server, ids):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.find_element(By.TAG_NAME, "body").send_keys("m")
        wait(browser, lambda b: b.current_url.endswith("/meetings"))
        checks.check("m goes to the meetings", True)
        checks.check(
            "the next meeting stands first", "second round" in browser.find_element(By.ID, "next").text
        )
        browser.find_element(By.CSS_SELECTOR, "#next a.button").click()
        wait(browser, lambda b: b.current_url.endswith("/brief"))
        text = browser.find_element(By.ID, "main").text
        checks.check("the brief names who comes", "Priya Nair" in text and "Jonas Berg" in text)
        checks.check("the brief tells what is promised", "send the draft" in text)
        checks.check("the brief tells what was decided", "Three tiers, not four" in text)
        lines = browser.find_elements(By.CSS_SELECTOR, ".brief-lines > li")
        linked = [one for one in lines if one.find_elements(By.TAG_NAME, "a")]
        checks.check("every line leads somewhere", lines and len(lines) == len(linked))
        broken = []
        for place in {
            one.find_element(By.TAG_NAME, "a").get_attribute("href").split("#")[0] for one in lines
        }:
            status = browser.execute_async_script(
                "const done = arguments[1]; fetch(arguments[0]).then((a) => done(a.status))", place
            )
            if status != 200:
                broken.append(place)
        checks.check("and what it leads to is there", broken == [], str(broken))
        checks.check("no script or policy error with a brief", errors(browser) == [])


def ticking(checks, server):
    """The focus stays at the box that was ticked, whichever of a note's it is."""
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/notes/new")
        surface(browser)
        browser.execute_script(
            "const field = document.querySelector('textarea[name=note]');"
            "field.value = '- [ ] feed the cat\\n- [ ] call the vet\\n- [ ] buy straw'; field.form.requestSubmit();")
        wait(browser, lambda b: len(b.find_elements(By.CSS_SELECTOR, "#text button.tick")) == 3)
        browser.find_element(By.CSS_SELECTOR, "#text button.tick").send_keys(Keys.ENTER)
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, "#text .tick.is-done"))
        place = wait(browser, lambda b: b.execute_script(
            "return [...document.querySelectorAll('button.tick')].indexOf(document.activeElement) + 1"))
        checks.check("the focus returns to the box that was ticked", place == 1, place)


def writing(checks, server, ids):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(f"{server.url}/meetings/{ids['ahead']}")
        browser.find_element(By.ID, "add-note").click()
        field = surface(browser)
        field.send_keys("*Calm* talk with @Priya")
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, "#preview-text em"))
        checks.check("the note shows as it will look while typing", True)
        field.send_keys("\n\n- [ ] water the plants")
        field.send_keys(Keys.CONTROL, Keys.ENTER)
        wait(browser, lambda b: "Added the note" in b.page_source)
        checks.check(
            "a name in the note leads to the person",
            browser.find_elements(By.CSS_SELECTOR, f"#text a[href='/people/{ids['person']}']"),
        )
        tick = browser.find_element(By.CSS_SELECTOR, "#text .tick")
        checks.check("an open promise is not pressed", tick.get_attribute("aria-pressed") == "false")
        tick.click()
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, "#text .tick.is-done"))
        checks.check("a checkbox in a note ticks its promise", True)
        browser.find_element(By.CSS_SELECTOR, "form[action*='/undo'] button").click()
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, "#text .tick:not(.is-done)"))
        checks.check("and undo clears it", True)
        browser.get(f"{server.url}/meetings/{ids['ahead']}")
        browser.find_element(By.CSS_SELECTOR, "#texts summary").click()
        wait(browser, lambda b: len(b.find_elements(By.CSS_SELECTOR, ".md-host .cm-content")) == 3)
        outcomes = browser.find_elements(By.CSS_SELECTOR, ".md-host .cm-content")[1]
        outcomes.send_keys("A discount of 5 %")
        outcomes.send_keys(Keys.CONTROL, Keys.ENTER)
        wait(browser, lambda b: "Changed the meeting" in b.page_source)
        checks.check("outcomes are written in place", "A discount of 5 %" in browser.page_source)
        checks.check("no script or policy error while writing", errors(browser) == [])


def keeping(checks, server, ids):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/promises")
        mine = browser.find_element(By.ID, "column-me")
        checks.check("the owner's promises come first", "tell @Jonas" in mine.text, mine.text)
        checks.check("what is late says so", "overdue" in browser.find_element(By.ID, "main").text)
        mine.find_element(By.CSS_SELECTOR, ".tick").click()
        wait(browser, lambda b: "Changed the note" in b.page_source)
        checks.check(
            "a promise is ticked on the board", "/promises" in browser.current_url
        )
        browser.get(server.url + "/people")
        checks.check("who is likely the same is proposed", "Possible duplicates" in browser.page_source)
        browser.find_element(By.CSS_SELECTOR, "form[action$='/merge'] button").click()
        wait(browser, lambda b: "Merged" in b.page_source)
        checks.check("two are made one", "Possible duplicates" not in browser.page_source)
        browser.find_element(By.CSS_SELECTOR, "form[action*='/undo'] button").click()
        wait(browser, lambda b: "Possible duplicates" in b.page_source)
        checks.check("and two again", True)


def linking(checks, server):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "work.ics")
        with open(path, "w", newline="") as file:
            file.write(CALENDAR)
        with chromium() as browser:
            browser.get(server.login_again())
            browser.get(server.url + "/calendars")
            browser.find_element(By.ID, "address").send_keys("/nowhere.ics", Keys.ENTER)
            wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".field-error"))
            checks.check(
                "a place that is not there stays in the form",
                browser.find_element(By.ID, "address").get_attribute("value") == "/nowhere.ics",
            )
            # The browser notes the refusal itself.
            refused = [one for one in errors(browser) if "422" not in one]
            field = browser.find_element(By.ID, "address")
            field.clear()
            field.send_keys(path, Keys.ENTER)
            wait(browser, lambda b: "Sync now to import events" in b.page_source)
            browser.find_element(By.CSS_SELECTOR, "form[action$='/sync'] button").click()
            wait(browser, lambda b: "<span>synced <time" in b.page_source)
            checks.check("a calendar is linked and synced", True)
            browser.get(server.url + "/meetings")
            checks.check("its meetings are there", browser.page_source.count("Standup") >= 5)
            browser.get(server.url + "/calendars")
            browser.find_element(By.CSS_SELECTOR, "[id^='unlink-'] summary").click()
            browser.find_element(By.CSS_SELECTOR, "form[action$='/unlink'] button").click()
            wait(browser, lambda b: "Calendar unlinked" in b.page_source)
            checks.check("and is unlinked", not browser.find_elements(By.CSS_SELECTOR, ".calendar-row"))
            checks.check("no script or policy error with calendars", errors(browser) + refused == [])


def without_scripts(checks, server):
    with chromium(scripts=False) as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/meetings/new")
        browser.find_element(By.ID, "title").send_keys("Plain talk")
        browser.find_element(By.ID, "start").send_keys("noonish")
        browser.find_element(By.CSS_SELECTOR, "form.form button[type=submit]").click()
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".field-error"))
        checks.check(
            "a form that does not fit keeps what was typed",
            browser.find_element(By.ID, "title").get_attribute("value") == "Plain talk",
        )
        field = browser.find_element(By.ID, "start")
        field.clear()
        field.send_keys("12:00")
        browser.find_element(By.CSS_SELECTOR, "form.form button[type=submit]").click()
        wait(browser, lambda b: "Added the meeting" in b.page_source)
        checks.check("a meeting is made without scripts", True)
        browser.find_element(By.ID, "add-note").click()
        browser.find_element(By.ID, "note").send_keys("- [ ] go home")
        browser.find_element(By.CSS_SELECTOR, "button[name=preview]").click()
        wait(browser, lambda b: b.find_element(By.ID, "preview").is_displayed())
        checks.check("a note is previewed without scripts", True)
        browser.find_element(By.CSS_SELECTOR, "form.form button.button-primary").click()
        wait(browser, lambda b: "Added the note" in b.page_source)
        browser.find_element(By.CSS_SELECTOR, "#text .tick").click()
        wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, "#text .tick.is-done"))
        checks.check("a promise is ticked without scripts", True)


def layout(checks, server, ids):
    paths = [
        "/meetings", "/meetings?show=past", "/meetings/new", "/people", "/people/new", "/notes",
        "/notes/new", "/promises", "/promises?show=done", "/calendars",
        f"/meetings/{ids['past']}", f"/meetings/{ids['ahead']}/brief",
        f"/meetings/{ids['odd']}", f"/meetings/{ids['odd']}/edit", f"/meetings/{ids['odd']}/brief",
        f"/people/{ids['person']}", f"/people/{ids['person']}/edit", f"/notes/{ids['note']}",
        f"/notes/{ids['oddNote']}", f"/notes/{ids['oddNote']}/edit",
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
                name = path
                for key, value in ids.items():
                    name = name.replace(value, key)
                label = f"{name} at {width} px, {'dark' if dark else 'light'}"
                checks.check(f"nothing is cut off on {label}", not wide)
                checks.check(f"one main heading on {label}", headings(browser) == 1)
                primary = browser.execute_script(
                    "return [...document.querySelectorAll('main .button-primary')]"
                    ".filter((one) => one.offsetParent).length"
                )
                checks.check(f"at most one primary action on {label}", primary <= 1, str(primary))
            checks.check(f"no script or policy error at {width} px", errors(browser) == [])
            checks.check("hostile titles do not run", browser.title != "owned")


DROP = """
const [onto, name, text] = arguments;
const data = new DataTransfer();
data.items.add(new File([text], name, { type: 'text/plain' }));
const target = document.querySelector(onto);
for (const kind of ['dragover', 'drop']) {
  target.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}
"""


def attaching(checks, server, ids):
    with chromium() as browser:
        browser.get(server.login_again())

        def listed(name):
            files = browser.find_elements(By.CSS_SELECTOR, "#files .file-list a")
            return [one for one in files if name in one.text]

        browser.get(f"{server.url}/notes/{ids['oddNote']}")
        browser.execute_script(DROP, "#main", "plan.txt", "a plan")
        wait(browser, lambda b: listed("plan.txt"))
        checks.check("a file that is dropped on a note is attached to it", True)
        browser.find_element(By.CSS_SELECTOR, "#toast form[action*='/undo'] button").click()
        wait(browser, lambda b: not listed("plan.txt"))
        checks.check("and taken back", True)
        browser.get(f"{server.url}/meetings/{ids['odd']}")
        browser.execute_script(DROP, "h1", "agenda.txt", "an agenda")
        wait(browser, lambda b: listed("agenda.txt"))
        checks.check("a file that is dropped on a meeting is attached to it", True)
        browser.execute_script(DROP, ".note-block", "minutes.txt", "minutes")
        wait(browser, lambda b: "minutes.txt" in b.find_element(By.CSS_SELECTOR, ".note-block").text)
        checks.check("one that is dropped on its note is attached to the note", True)
        browser.find_element(By.CSS_SELECTOR, "[aria-label='Delete: agenda.txt']").click()
        wait(browser, lambda b: f"/meetings/{ids['odd']}" in b.current_url and not listed("agenda.txt"))
        checks.check("a file is deleted where it stands", True)
        checks.check("no script or policy error with files", errors(browser) == [])


def main(arkived):
    checks = Checks()
    server = SignedInServer(arkived)
    with server:
        ids = fill(server)
        preparing(checks, server, ids)
        ticking(checks, server)
        writing(checks, server, ids)
        keeping(checks, server, ids)
        linking(checks, server)
        without_scripts(checks, server)
        forms = Forms(server, server.login_again())
        ids["odd"] = forms.made(
            "/meetings",
            {"title": CANARY + "long" * 60, "day": "2026-03-20", "attendees": CANARY + "x" * 200,
             "location": CANARY + "long" * 60, "purpose": CANARY},
        )
        ids["oddNote"] = forms.made(
            "/notes", {"title": CANARY, "note": f"- [ ] @{'x' * 200} {CANARY}\n\n{CANARY}",
                       "tags": "x" * 90, "meeting": ids["odd"]},
        )
        attaching(checks, server, ids)
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
