"""What a new user needs for the first things: presses, keys and seconds, at a phone's width and at a desk.

Usage: trial.py PATH-OF-ARKIVED [FOLDER-FOR-PICTURES]. Prints a table and exits 1 when a limit is broken.
The seconds are those of a practised hand by the keystroke-level model (Card, Moran and Newell 1980): 0.2 s
a key, 1.3 s to point and press, 1.35 s to think before each step, and what the program takes.
"""

import os
import pathlib
import sys
import tempfile
import time

from browser import chromium
from day_page import DESK, PHONE
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_pages import SignedInServer, wait

KEY, PRESS, THOUGHT = 0.2, 1.3, 1.35
CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//trial
BEGIN:VEVENT
UID:trial-1
DTSTAMP:20260301T080000Z
DTSTART:20260316T090000Z
DTEND:20260316T093000Z
SUMMARY:Planning
ATTENDEE;CN=Priya Nair:mailto:priya@example.org
END:VEVENT
END:VCALENDAR
"""


class Hand:
    """A person at the page, whose presses and keys are counted."""

    def __init__(self, browser, pictures, name):
        self.browser, self.pictures, self.name = browser, pictures, name
        self.steps, self.presses, self.keys, self.program = 0, 0, 0, 0.0

    def begin(self, url):
        self.browser.get(url)
        self.steps, self.presses, self.keys, self.program = 0, 0, 0, 0.0

    def press(self, selector, then=None):
        def shown(browser):
            return next((one for one in browser.find_elements(By.CSS_SELECTOR, selector)
                         if one.is_displayed()), None)

        found = wait(self.browser, shown)
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", found)
        self.done(presses=1)
        started = time.monotonic()
        found.click()
        self.until(then, started)

    def type(self, text, *more, then=None):
        self.done(keys=len(text) + len(more))
        started = time.monotonic()
        ActionChains(self.browser).send_keys(text, *more).perform()
        self.until(then, started)

    def choose(self, button, selector, file, then=None):
        """A file from the browser's own window: one press for the button that opens it, one for the file."""
        self.browser.execute_cdp_cmd("Page.setInterceptFileChooserDialog", {"enabled": True})
        self.press(button)
        self.done(presses=1)
        started = time.monotonic()
        self.browser.find_element(By.CSS_SELECTOR, selector).send_keys(str(file))
        self.until(then, started)

    def until(self, then, started):
        if then:
            wait(self.browser, then)
        self.program += time.monotonic() - started

    def done(self, presses=0, keys=0):
        self.picture()
        self.steps += 1
        self.presses += presses
        self.keys += keys

    def picture(self):
        if self.pictures:
            path = pathlib.Path(self.pictures) / f"{self.name}-{self.steps}.png"
            self.browser.save_screenshot(str(path))

    @property
    def seconds(self):
        return self.presses * PRESS + self.keys * KEY + self.steps * THOUGHT + self.program


def has(text):
    return lambda browser: text in browser.page_source


def at(part):
    return lambda browser: part in browser.current_url


def first_entry(hand, server, is_phone):
    hand.begin(server.url + "/")
    hand.press("#line")
    hand.type("lunch with Sam", Keys.ENTER, then=has("Saved"))


def day_note(hand, server, is_phone):
    hand.begin(server.url + "/")
    hand.press("#mood-4", then=lambda b: b.find_element(By.ID, "mood-4").get_attribute("aria-pressed") == "true")
    hand.press("#edit-note")
    hand.press("textarea, [contenteditable=true]")
    hand.type("A walk along the river, and soup with Sam in the evening.", Keys.CONTROL, Keys.ENTER)


def calendar(hand, server, is_phone):
    file = pathlib.Path(server.home) / "trial.ics"
    file.write_text(CALENDAR)
    hand.begin(server.url + "/")
    if is_phone:
        hand.press("a[href='/more']", then=at("/more"))
        hand.press("main a[href='/settings/imports']", then=at("/imports"))
    else:
        hand.press("a[href='/settings']", then=at("/settings"))
        hand.press("a[href='/settings/imports']", then=at("/imports"))
    hand.choose("#upload button.button-primary", "#files", file, then=lambda b: b.find_elements(By.ID, "ended"))


def backup(hand, server, is_phone):
    hand.begin(server.url + "/")
    hand.press("#backup-hint a", then=at("/settings/backup"))
    hand.press("#plan-folder")
    hand.type(os.path.join(server.home, "backups"))
    hand.press("#backup-plan button[type=submit]", then=lambda b: b.find_elements(By.CSS_SELECTOR, ".secret-key"))


def goal(hand, server, is_phone):
    hand.begin(server.url + "/")
    if is_phone:
        hand.press("a[href='/more']", then=at("/more"))
    hand.press("a[href='/goals']", then=at("/goals"))
    hand.press("a[href='/goals/new']", then=at("/new"))
    wait(hand.browser, lambda b: b.switch_to.active_element.get_attribute("id") == "title")
    hand.type("Run 120 km")
    hand.press("#measurementTarget")
    hand.type("120")
    hand.press("#measurementUnit")
    hand.type("km", Keys.ENTER, then=has("5 of 120 km"))


def brief(hand, server, is_phone):
    hand.begin(server.url + "/")
    hand.press("#home-brief", then=at("/brief"))


def known_day(hand, server, is_phone):
    hand.begin(server.url + "/")
    if is_phone:
        hand.press("a[href='/more']", then=at("/more"))
        hand.press("main a[href='/go']", then=lambda b: b.find_elements(By.CSS_SELECTOR, "#palette-list li"))
    else:
        hand.done(keys=2)
        ActionChains(hand.browser).key_down(Keys.CONTROL).send_keys("k").key_up(Keys.CONTROL).perform()
        wait(hand.browser, lambda b: b.find_elements(By.CSS_SELECTOR, "#palette-list li"))
    hand.type("5 may 2025", Keys.ENTER, then=at("/day/2025-05-05"))


# A task, its limit of presses and of seconds.
TASKS = (
    ("the first entry", first_entry, None, 10), ("a day note with mood", day_note, None, 45),
    ("import of a calendar", calendar, 4, None), ("the first backup", backup, 5, None),
    ("a goal with progress", goal, 6, None), ("the brief of the next meeting", brief, 2, None),
    ("a known day", known_day, None, 10),
)


def main(arkived, pictures=None):
    broken = 0
    if pictures:
        pathlib.Path(pictures).mkdir(parents=True, exist_ok=True)
    print(f"{'':32}{'width':>6}{'presses':>9}{'keys':>6}{'seconds':>9}")
    for size in (PHONE, DESK):
        server = SignedInServer(arkived, tempfile.mkdtemp(prefix="arkived-browser-"))
        server.is_own = True
        with server, chromium(*size) as browser:
            browser.get(server.login)
            for name, task, presses, seconds in TASKS:
                if task is backup:
                    for number in range(10):
                        server.run("add", f"walk {number}")
                if task is goal:
                    server.run("add", "ran 5 km #sport")
                hand = Hand(browser, pictures, f"{size[0]}-{name.replace(' ', '-')}")
                task(hand, server, size is PHONE)
                hand.picture()
                is_fine = hand.presses <= (presses or 99) and hand.seconds <= (seconds or 999)
                broken += not is_fine
                print(f"{name:32}{size[0]:>6}{hand.presses:>9}{hand.keys:>6}{hand.seconds:>9.1f}"
                      f"{'' if is_fine else '  over its limit'}", flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
