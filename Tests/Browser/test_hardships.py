"""What goes wrong around a page and must lose nothing: a closed tab, a form that was sent to nobody,
an ended session, a browser without room, midnight, two tabs, drafts of all of them; and what is seen on
paper.

Usage: test_hardships.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import base64
import json
import os
import re
import sys
import time

import pdf
from browser import chromium
from day_moves import carry
from day_page import DAY, DESK, PHONE, StoppableServer, drafts, entry, shows, toast, words
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_day import PNG, status
from test_editor import put_note
from test_pages import Checks, errors, surface, wait, written


def recordings(checks, server):
    more = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
    with chromium(*PHONE, more=more) as browser:
        browser.get(server.login_again())
        browser.find_element(By.ID, "record").click()
        wait(browser, lambda b: re.search("Recording 0:(0[2-9]|[1-5])", words(b, "#upload")))
        first = browser.current_window_handle
        browser.switch_to.new_window("tab")
        browser.get(server.url + "/")
        time.sleep(1)
        checks.check("what another tab still records is left to it", not shows(browser, "#upload"))
        browser.close()
        browser.switch_to.window(first)
        browser.get("about:blank")
        browser.get(server.url + "/")
        wait(browser, lambda b: shows(b, "#upload audio"))
        told = words(browser, "#upload")
        checks.check("a recording outlives its tab", "Unfinished" in told, told)
        wait(browser, lambda b: b.execute_script(
            "return document.querySelector('#upload audio').readyState") >= 1)
        checks.check("and can be heard", True)
        browser.find_element(By.XPATH, "//button[text()='Save']").click()
        wait(browser, lambda b: entry(b, "Voice note") is not None)
        notes = [one for one in server.day()["activities"] if one["text"] == "Voice note"]
        checks.check("and is saved once", len(notes) == 1, len(notes))
        left = browser.execute_async_script(
            "const done = arguments[0]; waiting.all().then(async (all) => done(all.length"
            " + (await soundParts.ask('readonly', (store) => store.count()))))"
        )
        checks.check("and nothing of it stays in the browser", left == 0, left)
        browser.find_element(By.ID, "record").click()
        wait(browser, lambda b: re.search("Recording 0:(0[1-9]|[1-5])", words(b, "#upload")))
        browser.find_element(By.XPATH, "//button[text()='Cancel']").click()
        wait(browser, lambda b: not shows(b, "#upload"))
        browser.get(server.url + "/")
        time.sleep(0.5)
        checks.check("what was cancelled is gone", not shows(browser, "#upload"))
        checks.check("no script or policy error with recordings", errors(browser) == [])


# Counts the microphones that are asked for.
COUNT_MICROPHONES = """
const own = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
window.microphones = 0;
navigator.mediaDevices.getUserMedia = (wanted) => { window.microphones += 1; return own(wanted); };
"""


def recordings_beside(checks, server):
    """A recording is one, however often the button is pressed, and its buttons stay while another one waits."""
    def spoken():
        return [one["text"] for one in server.day()["activities"]].count("Voice note")

    before = spoken()
    more = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
    with chromium(*PHONE, more=more) as browser:
        browser.get(server.login_again())
        browser.execute_script(COUNT_MICROPHONES)
        browser.execute_script("const button = byId('record'); button.click(); button.click();")
        wait(browser, lambda b: re.search("Recording 0:(0[1-9]|[1-5])", words(b, "#upload")))
        asked = browser.execute_script("return window.microphones")
        checks.check("a second press records nothing else", asked == 1, asked)
        browser.find_element(By.XPATH, "//button[text()='Stop']").click()
        wait(browser, lambda b: shows(b, "#upload audio"))
        server.stop()
        browser.find_element(By.XPATH, "//button[text()='Save']").click()
        wait(browser, lambda b: "once Arkived can be reached again" in words(b, "#upload"))
        browser.find_element(By.ID, "record").click()
        wait(browser, lambda b: re.search("Recording 0:(0[1-9]|[1-5])", words(b, "#upload")))
        browser.execute_async_script("sendWaiting().then(arguments[0])")
        told = words(browser, "#upload-more")
        checks.check("a recording that waits says so below", "once Arkived can be reached again" in told, told)
        buttons = browser.find_elements(By.CSS_SELECTOR, "#upload.is-recording button")
        checks.check("and the other one keeps its buttons", len(buttons) == 2, len(buttons))
        browser.execute_script("for (const track of recorder.stream.getTracks()) track.stop()")
        wait(browser, lambda b: shows(b, "#upload audio"))
        checks.check("without its microphone, a recording ends as after Stop", True)
        server.__enter__()
        browser.find_element(By.XPATH, "//button[text()='Save']").click()
        wait(browser, lambda _: spoken() == before + 2)
        wait(browser, lambda b: not shows(b, ".upload"))
        left = browser.execute_async_script(
            "const done = arguments[0]; waiting.all().then(async (all) => done(all.length"
            " + (await soundParts.ask('readonly', (store) => store.count()))))"
        )
        checks.check("both are saved, and nothing stays in the browser", left == 0, left)
    # The checks after this one move entries that must be in sight.
    for one in [one for one in server.day()["activities"] if one["text"] == "Voice note"][-2:]:
        server.run("delete", one["id"], "--yes")


def untimed(checks, server):
    server.run("add", "mended the bike 09:00-10:30")
    server.run("add", "thought of the sea")
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        bike = entry(browser, "mended the bike")
        carry(browser, bike, entry(browser, "thought of the sea"), release=False)
        place = browser.find_element(By.CSS_SELECTOR, ".move-tray [data-drop-untimed]")
        ActionChains(browser, duration=30).move_to_element(place).release().perform()
        wait(browser, lambda b: "Removed the time" in toast(b))
        checks.check("an entry is dropped on no time", server.times()["mended the bike"] == "")
        found = next(it for it in server.day()["activities"] if it["text"] == "mended the bike")
        checks.check("and keeps how long it took", found["durationMinutes"] == 90)
        browser.find_element(By.CSS_SELECTOR, "#toast form button").click()
        wait(browser, lambda b: "Undid" in toast(b))
        checks.check("and gets it back", server.times()["mended the bike"] != "")
        menu = entry(browser, "mended the bike")
        menu.find_element(By.CSS_SELECTOR, ".entry-menu summary").send_keys(Keys.ENTER)
        menu.find_element(By.XPATH, ".//button[text()='No time']").send_keys(Keys.ENTER)
        wait(browser, lambda b: "Removed the time" in toast(b))
        checks.check("the menu does so by keyboard", server.times()["mended the bike"] == "")
        checks.check("no script or policy error without a time", errors(browser) == [])


def signed_out(checks, server):
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        browser.find_element(By.ID, "edit-note").click()
        wait(browser, lambda b: shows(b, "#note-editor"))
        browser.delete_all_cookies()
        browser.find_element(By.ID, "mood-2").click()
        wait(browser, lambda b: "signed out" in toast(b))
        checks.check("a tap says that the session ended", server.day()["mood"] is None)
        text = surface(browser)
        text.send_keys("Written after the session ended.")
        browser.execute_script("NoteEditor.current.save()")
        wait(browser, lambda b: "sign in again" in status(b))
        checks.check("so does the note", "Your text is kept" in status(browser), status(browser))
        line = browser.find_element(By.ID, "line")
        line.send_keys("fed the neighbour’s cat")
        line.send_keys(Keys.ENTER)
        # The note's own status says so as well, on the page before.
        wait(browser, lambda b: "/activities" in b.current_url and "Your text is kept" in b.page_source)
        checks.check("a line leads to signing in, which says so", True)
        browser.get(server.login_again())
        wait(browser, lambda b: "fed the neighbour’s cat" in words(b, ".draft-offer"))
        checks.check("the line is offered again", True)
        wait(browser, lambda b: server.day()["note"] == "Written after the session ended.")
        checks.check("and the note is saved", True)


def cut_off(checks, server):
    """A server that stops while a line is on its way to a refusal: the line waits, or is offered."""
    told = "watered the palm"
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        browser.delete_all_cookies()
        line = browser.find_element(By.ID, "line")
        line.send_keys(told + Keys.ENTER)
        browser.get(server.login_again())

        def kept(b):
            saved = [one["text"] for one in server.day()["activities"]].count(told)
            return saved + (told in words(b, ".draft-offer"))

        count = wait(browser, kept)
        checks.check("a line that is cut off is kept once", count == 1, count)


# Whether the browser would ask before the page is left.
ASKS = """
const event = new Event("beforeunload", { cancelable: true });
dispatchEvent(event);
return event.defaultPrevented;
"""


def no_room(checks, server):
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        browser.find_element(By.ID, "edit-note").click()
        wait(browser, lambda b: shows(b, "#note-editor"))
        browser.execute_script("storage.write = () => false")
        server.stop()
        text = surface(browser)
        text.send_keys(" Nowhere to keep this.")
        browser.execute_script("NoteEditor.current.save()")
        wait(browser, lambda b: "keep this page open" in status(b))
        checks.check("a browser without room says so", True)
        checks.check("and asks before the note is left", browser.execute_script(ASKS))
        server.__enter__()
        wait(browser, lambda b: server.day()["note"].endswith("Nowhere to keep this."))
        checks.check("and the open page saves it later", True)
        wait(browser, lambda b: not b.execute_script(ASKS))
        checks.check("a saved note may be left", True)


def no_room_in_forms(checks, server):
    """A form that the browser keeps no draft of stays until the server has taken it."""
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        for path, told in (("/notes/new", "Added the note"), ("/goals/new", "Added the goal")):
            browser.get(server.url + path)
            if path == "/goals/new":
                browser.find_element(By.ID, "howGoalIsRelevant").send_keys("Evenings are long.")
            browser.execute_script("storage.write = () => false")
            if path == "/notes/new":
                surface(browser).send_keys("Nowhere to keep this.")
                wait(browser, lambda b: "keep this page open" in words(b, ".note-status"))
                checks.check(f"{path} says that no draft is kept", True)
                checks.check(f"{path} asks before it is left", browser.execute_script(ASKS))
                server.stop()
                browser.find_element(By.CSS_SELECTOR, "#form .button-primary").click()
            else:
                server.stop()
                # Sent before a draft would be kept.
                browser.find_element(By.ID, "title").send_keys("Kept nowhere", Keys.ENTER)
            wait(browser, lambda b: "once Arkived can be reached again" in words(b, ".note-status"))
            checks.check(f"{path} stays while nobody takes it", browser.current_url.endswith(path))
            server.__enter__()
            wait(browser, lambda b, told=told: told in b.page_source)
            checks.check(f"{path} is sent when the server is back", True)


def draft_fields(checks, server):
    """A draft has all fields of its form, and the day doesn't throw away those that it lacks."""
    server.run("add", "flew a kite")
    kite = next(one for one in server.day()["activities"] if one["text"] == "flew a kite")
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        browser.get(f"{server.url}/day/{DAY}/note/edit")
        browser.find_element(By.CSS_SELECTOR, "input[name=energy][value='4']").send_keys(Keys.SPACE)
        browser.find_element(By.ID, "weather").send_keys("light rain")
        wait(browser, lambda b: "light rain" in "".join(drafts(b)))
        browser.get(f"{server.url}/day/{DAY}")
        time.sleep(0.5)
        checks.check("a draft without words opens no note", not shows(browser, "#note-editor"))
        browser.get(f"{server.url}/day/{DAY}/note/edit")
        wait(browser, lambda b: "light rain" in words(b, ".draft-offer"))
        browser.find_element(By.XPATH, "//button[text()='Restore']").click()
        chosen = browser.find_element(By.CSS_SELECTOR, "input[name=energy][value='4']").is_selected()
        weather = browser.find_element(By.ID, "weather").get_attribute("value")
        checks.check("a day’s levels and weather are restored", chosen and weather == "light rain", (chosen, weather))
        edit = f"{server.url}/activities/{kite['id']}/edit"
        browser.get(edit)
        browser.execute_script(
            "const day = byId('day'); day.value = '2026-03-12';"
            "day.dispatchEvent(new Event('input', { bubbles: true }));")
        browser.find_element(By.CSS_SELECTOR, "#edit input[name=pinned]").click()
        wait(browser, lambda b: b.execute_script("return drafts.keys().some((key) => key.includes('activities'))"))
        browser.get("about:blank")
        browser.get(edit)
        wait(browser, lambda b: "Pinned" in words(b, ".draft-offer"))
        checks.check("a box is offered by its label", True)
        browser.find_element(By.XPATH, "//button[text()='Restore']").click()
        pinned = browser.find_element(By.CSS_SELECTOR, "#edit input[name=pinned]").is_selected()
        checks.check("and ticked again", pinned)
        shown = browser.execute_script(
            "const day = byId('day'); return [day.value, day.closest('.date-shown').dataset.text]")
        checks.check("a restored date is the one that is shown", shown == ["2026-03-12", "12/03/2026"], shown)
        checks.check("no script or policy error with drafts of boxes", errors(browser) == [])


def slow(checks, server):
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        conditions = {"latency": 600, "download_throughput": 100_000, "upload_throughput": 100_000}
        browser.set_network_conditions(offline=False, **conditions)
        line = browser.find_element(By.ID, "line")
        line.send_keys("soup on a slow train" + Keys.ENTER)
        # What is typed and sent while the first line is on its way waits for it, and is sent once.
        line.send_keys("and bread" + Keys.ENTER)
        for text in ("soup on a slow train", "and bread"):
            wait(browser, lambda b, text=text: entry(b, text) is not None)
        wait(browser, lambda b: line.get_attribute("value") == "")
        texts = [one["text"] for one in server.day()["activities"]]
        counts = (texts.count("soup on a slow train"), texts.count("and bread"))
        checks.check("both lines are saved, once", counts == (1, 1), counts)
        line.send_keys("and tea" + Keys.ENTER)
        line.send_keys("with")
        wait(browser, lambda b: line.get_attribute("value") == "with")
        checks.check("what is typed meanwhile stays", entry(browser, "and tea") is not None)
        checks.check("no script or policy error on a slow network", errors(browser) == [])


def forms(checks, server):
    """What is typed into a form outlives its tab and a server that is away, until it is saved."""
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        tab = browser.current_window_handle
        browser.switch_to.new_window("tab")
        browser.get(server.url + "/goals/new")
        browser.find_element(By.ID, "title").send_keys("Read 30 books")
        browser.find_element(By.ID, "howGoalIsRelevant").send_keys("Evenings are long.")
        browser.close()
        browser.switch_to.window(tab)
        browser.get(server.url + "/goals/new")
        wait(browser, lambda b: "Evenings are long." in words(b, ".draft-offer"))
        checks.check("a form outlives its tab", "Read 30 books" in words(browser, ".draft-offer"))
        browser.find_element(By.XPATH, "//button[text()='Restore']").click()
        title = browser.find_element(By.ID, "title").get_attribute("value")
        checks.check("and is put back", title == "Read 30 books", title)
        server.stop()
        browser.find_element(By.CSS_SELECTOR, "#form .button-primary").click()
        time.sleep(0.5)
        browser.get(server.login_again())
        browser.get(server.url + "/goals/new")
        wait(browser, lambda b: "Read 30 books" in words(b, ".draft-offer"))
        checks.check("what was sent to nobody is offered again", True)
        browser.find_element(By.XPATH, "//button[text()='Restore']").click()
        browser.find_element(By.CSS_SELECTOR, "#form .button-primary").click()
        wait(browser, lambda b: "Added the goal" in b.page_source)
        browser.get(server.url + "/goals/new")
        time.sleep(0.3)
        checks.check("what is saved is offered no more", not shows(browser, ".draft-offer"))
        browser.get(server.url + "/settings/history")
        made = len(browser.find_elements(By.XPATH, "//bdi[contains(., 'Read 30 books')]"))
        checks.check("and was saved once", made == 1, made)
        browser.get(server.url + "/goals/new")
        left = browser.execute_script(
            "const title = byId('title'); title.value = 'Dictated, and the phone put away';"
            "title.dispatchEvent(new Event('input', { bubbles: true }));"
            "Object.defineProperty(document, 'hidden', { value: true, configurable: true });"
            "document.dispatchEvent(new Event('visibilitychange'));"
            "return drafts.all('form', '/goals').map(({ values }) => values.title);")
        checks.check("what goes out of sight is kept at once", left == ["Dictated, and the phone put away"], left)
        browser.execute_script("localStorage.clear()")


def draft_versions(checks, server):
    """A draft of a note that was changed elsewhere since doesn't replace that change unasked."""
    note = json.loads(server.run("notes", "add", "as it was", "--title", "Shed", "--json"))["created"]["id"]
    path = f"{server.url}/notes/{note}/edit"
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        tab = browser.current_window_handle
        browser.switch_to.new_window("tab")
        browser.get(path)
        text = surface(browser)
        text.send_keys(Keys.CONTROL, Keys.END)
        text.send_keys(", and more")
        wait(browser, lambda b: any("and more" in one for one in drafts(b, "freenote", note)))
        browser.close()
        browser.switch_to.window(tab)
        server.run("notes", "edit", note, "--text", "changed by phone", "--json")
        browser.get(path)
        wait(browser, lambda b: "and more" in words(b, ".draft-offer"))
        surface(browser)
        browser.find_element(By.XPATH, "//button[text()='Restore']").click()
        wait(browser, lambda b: written(b) == "as it was, and more")
        browser.find_element(By.CSS_SELECTOR, "#form .button-primary").click()
        wait(browser, lambda b: "This was changed elsewhere" in b.page_source)
        kept = json.loads(server.run("notes", "show", note, "--json"))["note"]["text"]
        checks.check("what was changed elsewhere is not replaced by a draft", kept == "changed by phone", kept)
        checks.check("and the draft is still written there", written(browser) == "as it was, and more")
        browser.find_element(By.CSS_SELECTOR, "#form .button-primary").click()
        wait(browser, lambda b: b.current_url.split("?")[0] == f"{server.url}/notes/{note}")
        kept = json.loads(server.run("notes", "show", note, "--json"))["note"]["text"]
        checks.check("but when it is saved again", kept == "as it was, and more", kept)


def midnight(checks, server):
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        browser.execute_script("turnToday('2026-03-15')")
        wait(browser, lambda b: "A new day has started" in words(b, "#live-notice"))
        told = words(browser, "#live-notice")
        checks.check("a page from before midnight names its day", "14 March" in told, told)
        checks.check("and is today no more", not shows(browser, ".day-title .badge"))
        line = browser.find_element(By.ID, "line")
        line.send_keys("closed the shutters")
        line.send_keys(Keys.ENTER)
        wait(browser, lambda b: entry(b, "closed the shutters") is not None)
        found = [one["text"] for one in server.day(DAY)["activities"]]
        checks.check("what is added there goes to that day", "closed the shutters" in found)


def two_tabs(checks, server):
    server.run("note", "--replace", "as it was")
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        tabs = [browser.current_window_handle]
        browser.switch_to.new_window("tab")
        tabs.append(browser.current_window_handle)
        browser.get(server.url + "/")
        for tab in tabs:
            browser.switch_to.window(tab)
            browser.find_element(By.ID, "edit-note").click()
            wait(browser, lambda b: shows(b, "#note-editor"))
        for tab, more in zip(tabs, (" first tab", " second tab"), strict=True):
            browser.switch_to.window(tab)
            surface(browser).send_keys(more)
            browser.execute_script("NoteEditor.current.save()")
            wait(browser, lambda b: status(b) == "Saved" or shows(b, ".note-choice:not([hidden])"))
        checks.check("the second tab is asked", shows(browser, ".note-choice:not([hidden])"))
        checks.check("and nothing is overwritten", server.day()["note"] == "as it was first tab")
        browser.find_element(By.XPATH, "//button[text()='Combine both']").click()
        browser.execute_script("NoteEditor.current.save()")
        wait(browser, lambda b: "second tab" in server.day()["note"])
        checks.check("both stand there", "first tab" in server.day()["note"])


def opened(browser):
    """Opens the day's note and returns the text of its surface."""
    browser.find_element(By.ID, "edit-note").click()
    wait(browser, lambda b: shows(b, "#note-editor"))
    surface(browser)
    return written(browser)


def closed_tab(checks, server):
    """Two tabs write one note, and one of them is closed before it saved."""
    server.run("note", "--replace", "as it was")
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        first = browser.current_window_handle
        browser.switch_to.new_window("tab")
        second = browser.current_window_handle
        browser.get(server.url + "/")
        for tab, more in ((first, " first tab"), (second, " second tab")):
            browser.switch_to.window(tab)
            text = opened(browser)
            browser.execute_script("NoteEditor.prototype.save = async () => true")
            surface(browser).send_keys(more)
            wait(browser, lambda b, more=more: any(one.endswith(more) for one in drafts(b)))
        checks.check("what another tab writes isn’t put into this one", text == "as it was", text)
        checks.check("but is offered there", "first tab" in words(browser, "#note-editor .draft-offer"))
        browser.switch_to.window(first)
        browser.close()
        browser.switch_to.window(second)
        kept = sorted(drafts(browser))
        checks.check("both texts are kept", kept == ["as it was first tab", "as it was second tab"], kept)
        browser.get("about:blank")
        browser.get(server.url + "/")
        wait(browser, lambda b: server.day()["note"] == "as it was second tab")
        surface(browser)
        checks.check("the latest is restored and saved", written(browser) == "as it was second tab", written(browser))
        offered = words(browser, "#note-editor .draft-offer")
        checks.check("the other is offered", "as it was first tab" in offered, offered)
        browser.find_element(By.CSS_SELECTOR, "#note-editor .draft-offer button").click()
        wait(browser, lambda b: shows(b, ".note-choice:not([hidden])"))
        checks.check("and asked about when it is restored", server.day()["note"] == "as it was second tab")
        browser.find_element(By.XPATH, "//button[text()='Combine both']").click()
        wait(browser, lambda b: "first tab" in server.day()["note"] and "second tab" in server.day()["note"])
        wait(browser, lambda b: drafts(b) == [])
        checks.check("no draft is left then", not shows(browser, ".draft-offer"))


def asked_again(checks, server):
    """A tab that is closed before a version was chosen has chosen none."""
    server.run("note", "--replace", "as it was")
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        opened(browser)
        server.run("note", "--replace", "theirs")
        surface(browser).send_keys(" mine")
        browser.execute_script("NoteEditor.current.save()")
        wait(browser, lambda b: shows(b, ".note-choice:not([hidden])"))
        browser.get("about:blank")
        browser.get(server.url + "/")
        wait(browser, lambda b: shows(b, ".note-choice:not([hidden])"))
        checks.check("a choice that was left is asked for again", server.day()["note"] == "theirs")
        surface(browser)
        checks.check("with the text that was typed", written(browser) == "as it was mine", written(browser))


def own_page(checks, server):
    """The note's own page saves only when asked, so the day offers what was typed there."""
    server.run("note", "--replace", "as it was")
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        browser.get(f"{server.url}/day/{DAY}/note/edit")
        text = surface(browser)
        text.send_keys(Keys.CONTROL, Keys.END)
        text.send_keys(" on its own page")
        wait(browser, lambda b: drafts(b) == ["as it was on its own page"])
        browser.find_element(By.XPATH, "//main//a[text()='Cancel']").click()
        wait(browser, lambda b: "on its own page" in words(b, "#note-editor .draft-offer"))
        surface(browser)
        checks.check("a draft of the note’s own page is offered on its day", written(browser) == "as it was")
        checks.check("and not saved by itself", server.day()["note"] == "as it was")
        browser.find_element(By.CSS_SELECTOR, "#note-editor .draft-offer button").click()
        wait(browser, lambda b: server.day()["note"] == "as it was on its own page")
        wait(browser, lambda b: drafts(b) == [])
        checks.check("but when it is restored", not shows(browser, ".draft-offer"))


def pressed_twice(checks, server):
    """A second press of Save meets no version of its own."""
    server.run("add", "counted the swifts")
    swifts = next(one for one in server.day()["activities"] if one["text"] == "counted the swifts")
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        for address, field in ((f"/day/{DAY}/note/edit", "#weather"), (f"/activities/{swifts['id']}/edit", "#place")):
            for round in range(3):
                browser.get(server.url + address)
                browser.find_element(By.CSS_SELECTOR, field).send_keys(f" no. {round}")
                browser.execute_script(
                    "const { elements } = document.querySelector('form[data-saves-by-key]');"
                    "const button = [...elements].find((it) => it.matches('.button-primary'));"
                    "button.click(); for (const wait of [8, 20, 40, 80]) setTimeout(() => button.click(), wait);")
                wait(browser, lambda b: address not in b.current_url or shows(b, "[role=alert]"))
                told = words(browser, "[role=alert]")
                checks.check(f"pressed twice, {address.split('/')[1]} {round} is saved once", told == "", told)
        checks.check("the last one is kept", server.day()["activities"] and all(
            one["locationLabel"].endswith("no. 2") for one in server.day()["activities"] if one["id"] == swifts["id"]))
        browser.get(server.url + "/settings/history")
        browser.execute_script(
            "const { elements } = document.querySelector(\"form[action$='/undo']\");"
            "const button = [...elements].find((it) => it.matches('button'));"
            "button.click(); for (const wait of [8, 20, 40, 80]) setTimeout(() => button.click(), wait);")
        wait(browser, lambda b: "Undid" in words(b, ".notice") or shows(b, ".status-code"))
        checks.check("and undone once", not shows(browser, ".status-code"), words(browser, "main"))
    # The day is printed by a later check.
    server.run("delete", swifts["id"], "--yes")


def stored_page(checks, server):
    """A stored page reports what was saved before, which isn't what was sent to nobody."""
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        wait(browser, lambda b: b.execute_script("return Boolean(navigator.serviceWorker.controller)"))
        address = f"{server.url}/day/{DAY}/note/edit"
        browser.get(address)
        surface(browser).send_keys("An earlier note. ", Keys.CONTROL, Keys.ENTER)
        wait(browser, lambda b: "Note saved" in toast(b))
        wait(browser, lambda b: b.execute_async_script(
            "caches.match(arguments[0], { cacheName: 'arkived-days' }).then((found) => found?.text() ?? '')"
            ".then((text) => arguments[1](text.includes('data-clears-draft')))", f"/day/{DAY}"))
        browser.get(address)
        surface(browser).send_keys("A note for nobody. ")
        wait(browser, lambda b: any("for nobody" in one for one in drafts(b)))
        server.stop()
        browser.execute_script("document.querySelector('form[data-draft=note]').requestSubmit()")
        wait(browser, lambda b: not b.execute_script("return document.querySelector('form[data-draft]') !== null"))
        browser.get(f"{server.url}/day/{DAY}")
        wait(browser, lambda b: "isn’t running" in words(b, "#away"))
        checks.check("a stored page reports nothing as just saved", not shows(browser, "#toast"), toast(browser))
        left = drafts(browser)
        checks.check("and removes no draft", any("for nobody" in one for one in left), left)
        server.__enter__()
        browser.get(address)
        wait(browser, lambda b: "for nobody" in words(b, ".draft-offer"))
        checks.check("so the note is offered", True)
        browser.find_elements(By.CSS_SELECTOR, ".draft-offer button")[-1].click()
    server.run("note", "--replace", "as it was")


def offered_line(checks, server):
    """A line that was left is offered until it is restored or discarded, whatever is written meanwhile."""
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        browser.find_element(By.ID, "line").send_keys("whittled a spoon")
        wait(browser, lambda b: drafts(b, "line") == ["whittled a spoon"])
        browser.get("about:blank")
        browser.get(server.url + "/")
        wait(browser, lambda b: "whittled a spoon" in words(b, ".draft-offer"))
        line = browser.find_element(By.ID, "line")
        line.send_keys("fed the hens", Keys.ENTER)
        wait(browser, lambda b: entry(b, "fed the hens") is not None)
        line.send_keys("mended the gate")
        wait(browser, lambda b: "mended the gate" in drafts(b, "line"))
        offered = words(browser, ".draft-offer")
        checks.check("an offered line outlives another one", "whittled a spoon" in offered, offered)
        browser.refresh()
        wait(browser, lambda b: len(b.find_elements(By.CSS_SELECTOR, ".draft-offer")) == 2)
        browser.find_element(
            By.XPATH, "//*[@class='draft-offer'][contains(., 'whittled')]/button[text()='Restore']").click()
        line = browser.find_element(By.ID, "line")
        checks.check("it is put back", line.get_attribute("value") == "whittled a spoon")
        line.send_keys(Keys.ENTER)
        wait(browser, lambda b: entry(b, "whittled a spoon") is not None)
        wait(browser, lambda b: drafts(b, "line") == ["mended the gate"])
        checks.check("and the other one stays", "mended the gate" in words(browser, ".draft-offer"))
        checks.check("no script or policy error with offered lines", errors(browser) == [])


def long_note(checks, server):
    """No draft is kept of a long note, so it leaves its page only for a server that takes it."""
    text = "\n\n".join(f"Paragraph {number} of *many*." for number in range(12_000))
    put_note(server, text)
    with chromium(*DESK) as browser:
        browser.get(server.login_again())

        def save(more):
            browser.get(f"{server.url}/day/{DAY}/note/edit")
            place = surface(browser)
            place.send_keys(Keys.CONTROL, Keys.HOME)
            place.send_keys(more)

        def press():
            browser.find_element(By.CSS_SELECTOR, "main form .button-primary").click()

        save("Begun. ")
        server.stop()
        press()
        wait(browser, lambda b: "once Arkived can be reached again" in status(b))
        checks.check("a long note stays where nobody takes it", written(browser).startswith("Begun. Paragraph 0 of"))
        server.__enter__()
        wait(browser, lambda b: "/note/edit" not in b.current_url)
        checks.check("and is saved when the server is back", server.day()["note"] == "Begun. " + text)

        save("Again. ")
        browser.delete_all_cookies()
        press()
        wait(browser, lambda b: "sign in again" in status(b))
        checks.check("so it does when the session ended", written(browser).startswith("Again. Begun. Paragraph 0 of"))
        tab = browser.current_window_handle
        browser.switch_to.new_window("tab")
        browser.get(server.login)
        browser.close()
        browser.switch_to.window(tab)
        wait(browser, lambda b: "/note/edit" not in b.current_url)
        checks.check("and is saved after signing in elsewhere", server.day()["note"] == "Again. Begun. " + text)
    put_note(server, "as it was")


def pictures(checks, server):
    path = os.path.join(server.home, "dot.png")
    with open(path, "wb") as file:
        file.write(base64.b64decode(PNG))
    server.run("add", "saw a dot", "--attach", path)
    for width, height in (DESK, PHONE):
        with chromium(width, height) as browser:
            browser.get(server.login_again())
            for address, selector in (("", ".day-picture"), ("?of=week", ".week-pictures img")):
                browser.get(f"{server.url}/calendar{address}")
                wait(browser, lambda b, found=selector: b.execute_script(
                    "const it = document.querySelector(arguments[0]); it?.scrollIntoView();"
                    " return it?.naturalWidth === 1", found))
                checks.check(f"a picture stands in {selector} at {width}", True)
                wide = browser.execute_script(
                    "return document.documentElement.scrollWidth > window.innerWidth"
                )
                checks.check(f"{selector} widens nothing at {width}", not wide)
            checks.check(f"no script or policy error with pictures at {width}", errors(browser) == [])


def printed(browser, address):
    """The document that Chromium makes of a page."""
    browser.get(address)
    answer = browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True, "printBackground": True})
    document = base64.b64decode(answer["data"])
    folder = os.environ.get("ARKIVED_PRINTS")
    if folder:
        name = re.sub(r"\W+", "-", address.split("/", 3)[3].strip("/")) + ".pdf"
        with open(os.path.join(folder, name), "wb") as file:
            file.write(document)
    return document


def paper(checks, server):
    """A week, a month, a year and a poster lie on one sheet each, on its side; a day stands upright."""
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        for address, is_wide, words_on_it in (
            (f"/day/{DAY}", False, ("saw a dot", "as it was")), ("/calendar?of=week", True, ("14 March", "as it was")),
            ("/calendar?of=month", True, ("March",)), ("/calendar?of=year", True, ("January", "December")),
            ("/calendar?of=years", True, ("2026",)), ("/calendar/poster", True, ("2026", "January", "December")),
            ("/calendar/poster?show=mood", True, ("2026", "mood")),
        ):  # fmt: skip
            document = printed(browser, server.url + address)
            sheets = re.findall(rb"/Type\s*/Page\b(?!s)", document)
            width, height = map(float, re.search(
                rb"/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)", document).groups())
            checks.check(f"{address} is one sheet", len(sheets) == 1, len(sheets))
            checks.check(f"{address} lies as it should", (width > height) == is_wide, (width, height))
            found = pdf.pages(document)
            if found is not None:
                text = "\n".join(text for _, _, text in found)
                missing = [one for one in words_on_it if one not in text]
                checks.check(f"{address} has its text", missing == [], (missing, text[:300]))


def full_week(checks, server):
    """A week with as much as a week shows: ten long entries a day, a title, levels and four pictures."""
    # From a Sunday to a Sunday, whichever day begins the week.
    days = [f"2025-06-{number:02}" for number in range(1, 9)]
    long = "walked along the river as far as the old mill and back over the hills with everybody from the choir"
    lines = []
    for day in days:
        lines.append({
            "type": "day", "dayKey": day, "mood": 4, "energy": 3, "note": long,
            "title": f"Midsummer, and {long} until dark"})
        lines += [
            {"type": "activity", "dayKey": day, "startAt": f"{day}T{6 + hour:02}:00:00Z",
             "endAt": f"{day}T{6 + hour:02}:45:00Z", "text": f"{hour + 1}: {long}"} for hour in range(10)]
    path = os.path.join(server.home, "week.jsonl")
    with open(path, "w") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    server.run("import", path)
    for day in days:
        added = []
        for number in range(4):
            picture = os.path.join(server.home, f"{day}-{number}.png")
            with open(picture, "wb") as file:
                # What follows a picture's end makes it another file.
                file.write(base64.b64decode(PNG) + f"{day} {number}".encode())
            added += ["--attach", picture]
        server.run("add", f"{day} 20:00-20:30: took pictures", *added)
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        address = f"{server.url}/calendar?of=week&day={days[3]}"
        browser.get(address)
        shown = [len(browser.find_elements(By.CSS_SELECTOR, one)) for one in (
            ".week-entries li", ".week-note", ".week-pictures li", ".week-day .levels", ".week-more")]
        checks.check("a full week shows all that a week may", shown == [56, 7, 28, 7, 7], shown)
        document = printed(browser, address)
        sheets = re.findall(rb"/Type\s*/Page\b(?!s)", document)
        checks.check("a full week is one sheet", len(sheets) == 1, len(sheets))
        # The sheet of most printers, which is less high on its side than American paper.
        answer = browser.execute_cdp_cmd("Page.printToPDF", {
            "preferCSSPageSize": False, "landscape": True, "paperWidth": 8.27, "paperHeight": 11.69,
            "marginTop": 0.43, "marginBottom": 0.43, "marginLeft": 0.43, "marginRight": 0.43})
        sheets = re.findall(rb"/Type\s*/Page\b(?!s)", base64.b64decode(answer["data"]))
        checks.check("on A4 too", len(sheets) == 1, len(sheets))


def book(checks, server):
    """The book of a period: sheets of A4 with a title, contents, a beginning for each month, and all its words."""
    lines = []
    for number in range(50):
        month, day = 11 + number // 30, number % 30 + 1
        key = f"2025-{month}-{day:02}"
        lines.append({
            "type": "day", "dayKey": key, "mood": 4, "energy": 3,
            "note": "\n\n".join(f"Paragraph {part} of {key}, as calm as the others." for part in range(1 + number % 5))})
        lines += [
            {"type": "activity", "dayKey": key, "text": f"turn {turn} of {key}"} for turn in range(1 + number % 7)]
    path, folder = os.path.join(server.home, "book.jsonl"), os.path.join(server.home, "book")
    with open(path, "w") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    server.run("import", path)
    server.run("export", "--format", "book", "--from", "2025-11-01", "--to", "2025-12-31", "-o", folder)
    with chromium(*DESK) as browser:
        found = pdf.pages(printed(browser, f"file://{folder}/index.html"))
    if found is None:
        print("ok   poppler is missing, and the book isn’t read")
        return
    sizes = {(round(width), round(height)) for width, height, _ in found}
    checks.check("a book has upright sheets of A4", sizes == {(595, 842)}, sizes)
    texts = [text for _, _, text in found]
    checks.check("its first sheet is the title, its second the contents",
                 "50 days" in texts[0] and texts[1].startswith("Contents"), texts[:2])
    begun = [text.split("\n")[0] for text in texts]
    checks.check("each month begins a sheet", {"November 2025", "December 2025"} <= set(begun), begun)
    whole = "\n".join(texts)
    missing = [line["dayKey"] for line in lines if line["type"] == "activity" and line["text"] not in whole]
    checks.check("every entry is in it", missing == [], missing)
    checks.check("its sheets are few", 8 <= len(found) <= 25, len(found))
    numbers = [text.strip().split("\n")[-1] for text in texts]
    checks.check("they are numbered", numbers == [str(one + 1) for one in range(len(found))], numbers)
    alone = [text[-80:] for text in texts if re.search(r"Mood 4 of 5[^\n]*\n\d+\s*$|2025\n\d+\s*$", text)]
    checks.check("no day’s head stands alone at the end of a sheet", alone == [], alone)


def main(arkived):
    checks = Checks()
    with StoppableServer(arkived) as server:
        for act in (
            recordings, recordings_beside, untimed, signed_out, cut_off, no_room, no_room_in_forms, slow, forms,
            draft_fields, draft_versions, midnight, two_tabs, closed_tab, asked_again, own_page, pressed_twice,
            stored_page, offered_line, long_note, pictures, paper, full_week, book,
        ):  # fmt: skip
            act(checks, server)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    started = time.monotonic()
    verdict = main(sys.argv[1])
    print(f"took {time.monotonic() - started:.0f} s")
    sys.exit(verdict)
