"""Where the device is, on the day page: only once it is switched on and only when its button is pressed,
also on a phone while the computer is away; and lines for the note that wait with it.

Usage: test_place.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import json
import sys

from browser import chromium
from day_page import DESK, StoppableServer, shows, words
from phone import Door
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_offline import kept, waiting
from test_pages import Checks, errors, wait

LETNA = {"latitude": 50.0965, "longitude": 14.416, "accuracy": 5}


def place(browser, origin, where=LETNA):
    """Puts the device somewhere; nowhere takes the permission away."""
    permissions = ["geolocation"] if where else []
    browser.execute_cdp_cmd(
        "Browser.grantPermissions", {"origin": origin, "permissions": permissions})
    if where:
        browser.execute_cdp_cmd("Emulation.setGeolocationOverride", where)


def take(browser):
    browser.find_element(By.ID, "here-take").click()
    wait(browser, lambda b: "50.09650,14.41600" in words(b, "#here-standing"))


def add(browser, line, key=Keys.ENTER):
    browser.find_element(By.NAME, "line").send_keys(line + key)


def coordinates(server):
    return {
        one["text"]: (one["lat"], one["lon"]) for one in server.day()["activities"]
    }


def field(browser):
    """What would be sent; None where nothing would."""
    return browser.execute_script(
        "const it = document.getElementById('here'); return it.disabled ? null : it.value")


def online(checks, server, browser):
    browser.get(server.login)
    checks.check("without the switch nothing asks", not shows(browser, "#here-row"))
    server.run("settings", "recordsPlace", "on")
    place(browser, server.url)
    browser.get(server.url + "/")
    wait(browser, lambda b: b.find_element(By.ID, "here-take").is_displayed())
    checks.check("nothing is asked before the button is pressed", field(browser) is None)
    add(browser, "read the paper")
    wait(browser, lambda b: "read the paper" in coordinates(server))
    take(browser)
    checks.check("what will be saved is told", field(browser) == "50.09650,14.41600")
    checks.check("and can be left out", browser.find_element(By.ID, "here-leave").is_displayed())
    browser.find_element(By.ID, "here-leave").click()
    wait(browser, lambda b: "won’t include coordinates" in words(b, "#here-standing"))
    checks.check("then nothing is sent", field(browser) is None)
    take(browser)
    add(browser, "walked the dog")
    wait(browser, lambda b: "walked the dog" in coordinates(server))
    wait(browser, lambda b: field(b) is None)
    add(browser, "made tea")
    wait(browser, lambda b: "made tea" in coordinates(server))
    checks.check("one press is for one entry", coordinates(server) == {
        "read the paper": (None, None), "walked the dog": (50.0965, 14.416),
        "made tea": (None, None)}, str(coordinates(server)))
    # The day before comes without loading the page; so does today after it.
    for key in ("[", "]"):
        browser.find_element(By.TAG_NAME, "body").send_keys(key)
        wait(browser, lambda b, key=key: ("2026-03-13" in b.current_url) == (key == "["))
    take(browser)
    add(browser, "fed the cat")
    wait(browser, lambda b: "fed the cat" in coordinates(server))
    wait(browser, lambda b: field(b) is None)
    checks.check("so is it after another day was opened", coordinates(server)["fed the cat"] == (50.0965, 14.416))
    place(browser, server.url, None)
    browser.find_element(By.ID, "here-take").click()
    wait(browser, lambda b: "didn’t share" in words(b, "#here-standing"))
    checks.check("a browser that refuses is told of, and nothing is sent", field(browser) is None)
    checks.check("no script or policy error", errors(browser) == [])


def away(checks, server, door, browser):
    """On a phone, while the program is stopped."""
    browser.get(door.pair()[0])
    name = browser.find_element(By.ID, "pair-name")
    name.clear()
    name.send_keys("My phone" + Keys.ENTER)
    wait(browser, lambda b: b.current_url == door.url + "/")
    wait(browser, lambda b: b.execute_script("return Boolean(navigator.serviceWorker.controller)"))
    place(browser, door.url)
    browser.get(door.url + "/")
    wait(browser, lambda b: kept(b, "/"))
    note = browser.find_element(By.ID, "add-note")
    right = note.rect["x"] + note.rect["width"]
    checks.check("the phone's row has the button for the note",
                 note.is_displayed() and right <= 390, str(note.rect))
    server.stop()
    browser.get(door.url + "/")
    wait(browser, lambda b: "Can’t reach" in b.page_source)
    wait(browser, lambda b: b.find_element(By.ID, "here-take").is_displayed())
    take(browser)
    add(browser, "picked pears")
    wait(browser, lambda b: "1 line will be sent" in words(b, "#unsent"))
    checks.check("the entry after it has won’t include coordinates", field(browser) is None)
    add(browser, "A clear evening.", "")
    browser.find_element(By.ID, "add-note").click()
    wait(browser, lambda b: "2 lines" in words(b, "#unsent"))
    bodies = {one["line"]: one for one in waiting(browser)}
    checks.check("the coordinates wait with their line",
                 "here=50.09650%2C14.41600" in bodies["picked pears"]["body"], str(bodies))
    checks.check("and not with the other", "here=" not in bodies["A clear evening."]["body"])
    server.__enter__()
    door.wait_until_open()
    wait(browser, lambda b: not waiting(b))
    checks.check("the coordinates come in", coordinates(server).get("picked pears")
                 == (50.0965, 14.416), str(coordinates(server)))
    checks.check("the note has its line, once", server.day()["note"] == "A clear evening.",
                 json.dumps(server.day()["note"]))


def main(arkived):
    checks = Checks()
    server = StoppableServer(arkived)
    with server:
        with chromium(*DESK) as browser:
            online(checks, server, browser)
        door = Door(server)
        with door.phone() as browser:
            away(checks, server, door, browser)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
