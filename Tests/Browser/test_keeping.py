"""Keeps an archive as a person does who has no terminal: a first backup with a key shown once, a test of
it, a restore into a new archive that is then opened, packing for another computer, and a repair.

Usage: test_keeping.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import glob
import os
import re
import sqlite3
import sys
import tempfile
import time

from browser import Server, chromium
from selenium.webdriver.common.by import By
from test_accessibility import AXE, violations
from test_pages import CANARY, Checks, SignedInServer, errors, headings, wait

PASSPHRASE = "correct horse battery staple"
PAGES = ("/settings/backup", "/settings/backup/restore", "/settings/backup/move", "/settings/service",
         "/settings/news", "/settings/storage", "/settings/capture")


def press(browser, selector):
    browser.find_element(By.CSS_SELECTOR, selector).click()


def has(browser, text):
    return wait(browser, lambda b: text in b.page_source)


def first_backup(checks, server, folder):
    """Returns the secret key."""
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/settings/backup")
        browser.find_element(By.ID, "plan-folder").send_keys(os.path.join(folder, "backups"))
        press(browser, "#backup-plan .button-primary")
        has(browser, "Your secret key")
        key = re.search(r"AGE-SECRET-KEY-1[A-Z0-9]+", browser.page_source).group()
        checks.check("the first backup takes a folder and one press, and its key is shown", True)
        has(browser, "A backup was created and checked")
        checks.check("the page says by itself when it is done, and keeps the key", key in browser.page_source)
        browser.get(server.url + "/settings/backup")
        checks.check("the key isn't shown again", key not in browser.page_source)
        checks.check("its health is shown", "Verified when it was made." in browser.page_source)
        press(browser, "#backup-list button[value=test]")
        has(browser, "is encrypted")
        browser.find_element(By.ID, "restore-secret").send_keys(key)
        press(browser, "#restore-lock .button-primary")
        has(browser, "This backup can be restored")
        checks.check("a test says what it checked", "What was checked" in browser.page_source)
        browser.get(server.url + "/settings/backup")
        checks.check("the list shows the test", "It can be restored completely." in browser.page_source)
        checks.check("no script or policy error with backups", errors(browser) == [])
    return key


def restoring(checks, server, folder, key):
    keyfile = os.path.join(folder, "key.txt")
    with open(keyfile, "w", encoding="utf-8") as file:
        file.write(f"# kept elsewhere\n{key}\n")
    server.run("add", "written after the backup")
    target = os.path.join(folder, "new life")
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/settings/backup")
        press(browser, "#backup-list button[value=restore]")
        has(browser, "is encrypted")
        browser.find_element(By.ID, "restore-key").send_keys(keyfile)
        press(browser, "#restore-lock .button-primary")
        has(browser, "Contents of")
        checks.check("what it holds is shown first", "every file in it matches its checksum" in browser.page_source)
        checks.check("the page names what would be lost", "1 entry here isn’t in the backup." in browser.page_source)
        field = browser.find_element(By.ID, "restore-folder")
        field.clear()
        field.send_keys(target)
        press(browser, "#restore-beside .button")
        has(browser, "Open this archive")
        press(browser, "#restored .button-primary")
        link = wait(browser, lambda b: b.find_element(By.LINK_TEXT, "Go to the new archive"))
        here = browser.current_url
        link.click()
        wait(browser, lambda b: b.current_url.split("/")[2] != here.split("/")[2])
        has(browser, "id=\"main\"")
        checks.check("the new archive opens, signed in", "written after the backup" not in browser.page_source
                     and "/login" not in browser.current_url, browser.current_url)
        browser.get(server.url + "/")
        checks.check("the present archive is still signed in and has its entry",
                     "written after the backup" in browser.page_source)
        browser.get(server.url + "/settings/backup/restore")
        press(browser, "#restored .actions-end")
        wait(browser, lambda b: not b.find_elements(By.ID, "restored"))
        browser.get(server.url + "/settings/backup")
        press(browser, "#backup-list button[value=restore]")
        has(browser, "is encrypted")
        browser.find_element(By.ID, "restore-secret").send_keys(key)
        press(browser, "#restore-lock .button-primary")
        has(browser, "Contents of")
        press(browser, "#restore-replace summary")
        press(browser, "#restore-replace .button-danger")
        checks.check("without the tick nothing is replaced", "Contents of" in browser.page_source)
        press(browser, "#restore-replace input[type=checkbox]")
        press(browser, "#restore-replace .button-danger")
        has(browser, "before-restore-")
        browser.get(server.url + "/")
        checks.check("the backup's content is here", "written after the backup" not in browser.page_source
                     and "first line" in browser.page_source)
        checks.check("no script or policy error with restoring", errors(browser) == [])
    checks.check("the new archive has its own folder", os.path.exists(os.path.join(target, "archive.sqlite")))
    stop_server_of(target)


def stop_server_of(home):
    """Ends the server that the page started for the new archive; it is this test's own."""
    for place in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            words = open(place, "rb").read().split(b"\0")
            if b"serve" in words and home.encode() in words:
                os.kill(int(place.split("/")[2]), 15)
        except (OSError, ValueError):
            pass


def moving(checks, server, folder):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/settings/backup/move")
        field = browser.find_element(By.ID, "move-folder")
        field.clear()
        field.send_keys(os.path.join(folder, "stick"))
        browser.find_element(By.ID, "move-passphrase").send_keys(PASSPHRASE)
        browser.find_element(By.ID, "move-again").send_keys(PASSPHRASE)
        press(browser, "#move-pack .button-primary")
        has(browser, "Ready to move")
        fingerprint = browser.find_element(By.CSS_SELECTOR, "#packed .facts").text
        checks.check("packing shows the fingerprint and the steps",
                     "On the other computer" in browser.page_source and "-" in fingerprint)
    packed = glob.glob(os.path.join(folder, "stick", "*.move"))
    checks.check("one file lies in the folder", len(packed) == 1, str(packed))
    other = SignedInServer(server.arkived)
    with other, chromium() as browser:
        browser.get(other.login)
        press(browser, "a[href='/settings/backup/restore']")
        browser.find_element(By.ID, "restore-file").send_keys(packed[0])
        press(browser, "#restore-upload .button-primary")
        has(browser, "is encrypted")
        browser.find_element(By.ID, "restore-secret").send_keys("wrong")
        press(browser, "#restore-lock .button-primary")
        has(browser, "doesn’t open this file")
        browser.find_element(By.ID, "restore-secret").send_keys(PASSPHRASE)
        press(browser, "#restore-lock .button-primary")
        has(browser, "Restore it here")
        press(browser, "#restore-here .button-primary")
        has(browser, "Everything is here")
        shown = browser.find_element(By.CSS_SELECTOR, "#restored p code").text
        checks.check("the other computer shows the same fingerprint", shown in fingerprint, shown)
        browser.get(other.url + "/")
        checks.check("the entries arrived there", "first line" in browser.page_source)
        checks.check("no script or policy error with moving", errors(browser) == [])


def repairing(checks, server):
    server.process.terminate()
    server.process.wait(timeout=300)
    database = os.path.join(server.home, "archive.sqlite")
    with sqlite3.connect(database) as db:
        db.execute("DELETE FROM search_words WHERE rowid IN (SELECT rowid FROM search_words)")
    db.close()
    Server.__enter__(server)
    with chromium() as browser:
        browser.get(server.login)
        browser.get(server.url + "/settings/storage")
        press(browser, "#health form:not(.form) .button")
        has(browser, "The archive needs repair.")
        checks.check("the finding says what the repair does", "Rebuilds the word index" in browser.page_source)
        press(browser, "#repair summary")
        press(browser, "#repair .button-primary")
        has(browser, "Repaired: Rebuild the search index")
        has(browser, "No problems found.")
        checks.check("a copy was saved before", "before-repair-" in browser.page_source)
        browser.get(server.url + "/search?query=line")
        checks.check("the entry is found again", "first line" in browser.page_source.replace("<mark>", "").replace("</mark>", ""))
        checks.check("no script or policy error with repairs", errors(browser) == [])


def looks(checks, server):
    for width, dark in ((320, False), (390, True), (768, False), (1280, False), (1280, True)):
        with chromium(width, 844 if width < 600 else 900, dark) as browser:
            browser.get(server.login_again())
            for path in PAGES:
                browser.get(server.url + path)
                browser.execute_script(
                    "document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
                label = f"{path} at {width} px, {'dark' if dark else 'light'}"
                wide = browser.execute_script(
                    "return document.documentElement.scrollWidth > window.innerWidth")
                checks.check(f"nothing is cut off on {label}", not wide)
                checks.check(f"one main heading on {label}", headings(browser) == 1)
                if AXE.exists():
                    found = violations(browser)
                    checks.check(f"axe finds nothing on {label}", found == [], str(found)[:600])
            checks.check(f"no script or policy error at {width} px", errors(browser) == [])


def main(arkived):
    checks = Checks()
    server = SignedInServer(arkived)
    server.run("add", "first line")
    server.run("add", CANARY)
    with tempfile.TemporaryDirectory() as folder, server:
        key = first_backup(checks, server, folder)
        restoring(checks, server, folder, key)
        moving(checks, server, folder)
        repairing(checks, server)
        looks(checks, server)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    started = time.monotonic()
    verdict = main(sys.argv[1])
    print(f"took {time.monotonic() - started:.0f} s")
    sys.exit(verdict)
