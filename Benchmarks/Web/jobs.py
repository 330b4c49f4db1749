#!/usr/bin/env python3
"""Does seven jobs as a person does them, at a desk and on a phone, and counts presses and seconds.

Usage: jobs.py PATH-OF-ARKIVED [FILE]. Prints a table in Markdown, or writes it to FILE, and exits 1 when a
job takes more than its target. A press is a click or a key such as Enter; text is typed at five signs a
second. The rest is waiting: for the page, and for it to say that the job is done.
"""

from __future__ import annotations

import base64
import datetime
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests" / "Browser"))

from browser import chromium  # noqa: E402
from day_page import DESK, PHONE, StoppableServer  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from test_day import PNG  # noqa: E402
from test_pages import wait  # noqa: E402

SIGN = 0.2
CALENDAR = """BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//Example//EN\r
BEGIN:VEVENT\r
UID:dentist@example.org\r
DTSTAMP:20260301T080000Z\r
DTSTART:20260317T090000Z\r
DTEND:20260317T093000Z\r
SUMMARY:Dentist\r
END:VEVENT\r
END:VCALENDAR\r
"""


class Hand:
    """A person at a page: presses what is in sight, and types."""

    def __init__(self, browser, url):
        self.browser, self.url = browser, url
        self.presses, self.typed = 0, 0.0

    def find(self, selector):
        return wait(self.browser, lambda b: next(
            (one for one in b.find_elements(By.CSS_SELECTOR, selector) if one.is_displayed()), None))

    def press(self, selector):
        self.presses += 1
        found = self.find(selector)
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", found)
        found.click()

    def section(self, path):
        """Goes to a part of the app as its bars offer it: at once, or on a phone by way of More."""
        links = self.browser.find_elements(By.CSS_SELECTOR, f"nav a[href='{path}']")
        if not any(link.is_displayed() for link in links):
            self.press("nav a[href='/more']")
        self.press(f"a[href='{path}']")

    def write(self, selector, text):
        self.typed += SIGN * len(text)
        self.find(selector).send_keys(text)

    def key(self, selector, key):
        self.presses += 1
        self.find(selector).send_keys(key)

    def sees(self, *texts):
        wait(self.browser, lambda b: all(text in b.page_source for text in texts))


def first_entry(hand, folder):
    hand.press("#line")
    hand.write("#line", "lunch with Sam 12:30")
    hand.key("#line", Keys.ENTER)
    wait(hand.browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".entry"))


def day_note(hand, folder):
    picture = folder / "dot.png"
    picture.write_bytes(base64.b64decode(PNG))
    hand.press("#mood-4")
    wait(hand.browser, lambda b: b.find_elements(By.CSS_SELECTOR, "#mood-4[aria-pressed=true]"))
    hand.press("#edit-note")
    hand.write(".md-host .cm-content", "A calm day by the sea, with soup in the evening.")
    hand.press("#note-editor .button-primary")
    wait(hand.browser, lambda b: not b.find_elements(By.ID, "note-editor"))
    # The button opens the system's choice of files: one press there, and one for the file.
    hand.presses += 2
    hand.browser.find_element(By.CSS_SELECTOR, "#add input[type=file]").send_keys(str(picture))
    wait(hand.browser, lambda b: b.find_elements(By.CSS_SELECTOR, "main img[src*='/attachments/']"))


def calendar(hand, folder):
    file = folder / "calendar.ics"
    file.write_text(CALENDAR, newline="")
    hand.section("/settings")
    hand.press("a[href='/settings/imports']")
    # The button opens the system's choice of files, where the file is one press.
    hand.browser.execute_cdp_cmd("Page.setInterceptFileChooserDialog", {"enabled": True})
    hand.press("#upload .button-primary")
    hand.presses += 1
    hand.browser.find_element(By.CSS_SELECTOR, "#files").send_keys(str(file))
    wait(hand.browser, lambda b: b.find_elements(By.ID, "ended"))


def first_backup(hand, folder):
    hand.section("/settings")
    hand.press("a[href='/settings/backup']")
    hand.press("#plan-folder")
    hand.write("#plan-folder", str(folder / "backups"))
    hand.press("#backup-plan .button-primary")
    hand.sees("Your secret key")


def goal(hand, folder):
    hand.section("/goals")
    hand.press("a[href='/goals/new']")
    # The field is ready to be typed into.
    wait(hand.browser, lambda b: b.switch_to.active_element.get_attribute("id") == "title")
    hand.write("#title", "Run 100 km")
    hand.press("#measurementTarget")
    hand.write("#measurementTarget", "100")
    hand.press("#measurementUnit")
    hand.write("#measurementUnit", "km")
    hand.key("#measurementUnit", Keys.ENTER)
    hand.sees("Added the goal", "100")


def brief(hand, folder):
    hand.press("a[href$='/brief']")
    hand.sees("Plan the roof")


def known_day(hand, folder):
    hand.browser.find_element(By.TAG_NAME, "body").send_keys(Keys.CONTROL, "k")
    hand.presses += 1
    hand.write("dialog[open] input", "5 May 2023")
    wait(hand.browser, lambda b: "2023" in b.find_element(By.CSS_SELECTOR, "dialog[open]").text)
    hand.key("dialog[open] input", Keys.ENTER)
    wait(hand.browser, lambda b: "/day/2023-05-05" in b.current_url)


# Name, function, the most presses, the most seconds; None where there is no target.
JOBS = (
    ("first entry, from opening", first_entry, None, 10),
    ("day note with mood and picture", day_note, None, 45),
    ("import of a calendar", calendar, 4, None),
    ("first backup", first_backup, 5, None),
    ("goal with progress", goal, 6, None),
    ("brief of the next meeting", brief, 2, None),
    ("finding a known day", known_day, None, 10),
)


def measure(arkived, size):
    """Presses, seconds with typing for each job; each begins on Today."""
    found = []
    with StoppableServer(arkived) as server, tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with chromium(*size) as browser:
            for title, job, _, _ in JOBS:
                if job is brief:
                    server.run("meeting", "create", "Plan the roof", "tomorrow", "16:00-17:00", "@Priya")
                login = server.login_again()
                hand = Hand(browser, server.url)
                began = time.monotonic()
                browser.get(login)
                try:
                    job(hand, folder)
                    seconds = time.monotonic() - began + hand.typed
                except Exception as error:  # noqa: BLE001
                    print(f"{title}: {type(error).__name__} {str(error)[:200]}", file=sys.stderr)
                    seconds = None
                found.append((hand.presses, seconds))
    return found


def main(arguments):
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 64
    desk, phone = measure(arguments[0], DESK), measure(arguments[0], PHONE)
    rows = [
        "# Seven jobs", "",
        "Written by `Benchmarks/Web/jobs.py`. A press is a click, a tap or a key such as Enter. Seconds are from "
        "opening the app to the page that says it is done, with text typed at five signs a second. "
        f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}, headless Chromium.", "",
        "| job | target | desk (1280 px) | phone (390 px) | reached |", "|---|---|--:|--:|---|",
    ]
    is_reached = True
    for (title, _, presses, seconds), *both in zip(JOBS, desk, phone, strict=True):
        target = f"{presses} presses" if presses else f"{seconds} s"
        reached = all(
            took is not None and (presses is None or count <= presses) and (seconds is None or took <= seconds)
            for count, took in both)
        is_reached = is_reached and reached
        shown = " | ".join(
            "failed" if took is None else f"{count} presses, {took:.1f} s" for count, took in both)
        rows.append(f"| {title} | at most {target} | {shown} | {'yes' if reached else 'no'} |")
    text = "\n".join(rows) + "\n"
    if len(arguments) == 2:
        pathlib.Path(arguments[1]).write_text(text)
    print(text, end="")
    return 0 if is_reached else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
