"""Moving entries by mouse and by touch."""

import time

from browser import chromium
from day_page import DESK, PHONE, entry, mark, shows, toast, was_kept
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_pages import errors, wait


def box(browser, found):
    return browser.execute_script(
        "const r = arguments[0].getBoundingClientRect(); return [r.left, r.top, r.width, r.height]",
        found,
    )


def carry(browser, found, onto, share=0.5, release=True):
    """Takes an entry by its time and brings it to a height of another element."""
    handle = found.find_element(By.CSS_SELECTOR, ".entry-time")
    browser.execute_script("toast.hide()")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", found)
    left, top, width, height = box(browser, handle)
    to_left, to_top, to_width, to_height = box(browser, onto)
    actions = ActionChains(browser, duration=30)
    pointer = actions.w3c_actions.pointer_action
    pointer.move_to_location(int(left + width - 6), int(top + 8))
    pointer.pointer_down()
    pointer.move_to_location(int(left + width - 6), int(top + 22))
    pointer.move_to_location(int(to_left + to_width / 2), int(to_top + share * to_height))
    pointer.move_to_location(int(to_left + to_width / 2), int(to_top + share * to_height) + 1)
    if release:
        pointer.pointer_up()
    actions.perform()


def moving(checks, server):
    server.run("add", "breakfast 10:00-10:30")
    server.run("add", "call the bank 11:00-11:20")
    server.run("add", "swim 15:00-16:00")
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        mark(browser)
        before = server.times()
        carry(browser, entry(browser, "swim"), entry(browser, "breakfast"), 0.95)
        wait(browser, lambda b: "Moved" in toast(b))
        # Just below breakfast, and before or over the call that follows it.
        start = server.times()["swim"]
        checks.check("an entry is dropped between two others", start == "09:30", start)
        checks.check("it is told with a way back", shows(browser, "#toast form button"))
        browser.find_element(By.CSS_SELECTOR, "#toast form button").click()
        wait(browser, lambda b: "Undid" in toast(b))
        checks.check("undo puts it where it was", server.times() == before)
        carry(browser, entry(browser, "breakfast"), entry(browser, "swim"), 0.95, release=False)
        label = browser.find_element(By.CSS_SELECTOR, ".move-label").text
        checks.check("the time shows while it is carried", label.startswith("16:"), label)
        checks.check(
            "in steps of five minutes", int(label[3:5]) % 5 == 0 and "–" in label, label
        )
        browser.find_element(By.TAG_NAME, "body").send_keys(Keys.ESCAPE)
        checks.check("Press Escape to cancel", not shows(browser, ".move-label"))
        ActionChains(browser).release().perform()
        time.sleep(0.3)
        checks.check("and nothing has moved", server.times() == before)
        carry(browser, entry(browser, "swim"), entry(browser, "breakfast"), release=False)
        tomorrow = browser.find_element(By.CSS_SELECTOR, ".move-tray [data-drop-day='2026-03-15']")
        ActionChains(browser, duration=30).move_to_element(tomorrow).release().perform()
        wait(browser, lambda b: "15 March" in toast(b) and entry(b, "swim") is None)
        moved = [one["text"] for one in server.day("2026-03-15")["activities"]]
        checks.check("dropped on the next day it goes there", moved == ["swim"], moved)
        browser.find_element(By.CSS_SELECTOR, "#toast form button").click()
        wait(browser, lambda b: entry(b, "swim") is not None)
        checks.check("and comes back", server.times() == before and was_kept(browser))
        server.stop()
        carry(browser, entry(browser, "swim"), entry(browser, "breakfast"), 0.95)
        wait(browser, lambda b: "reach" in toast(b))
        server.__enter__()
        checks.check("with the server away it stays", server.times() == before)
        found = [one for one in errors(browser) if "ERR_CONNECTION" not in one and "events" not in one]
        checks.check("no script or policy error while moving", found == [], found)


def resizing(checks, server):
    """The lower edge of an entry is its end: by mouse, and in its menu by keyboard."""
    server.run("add", "sauna 19:00-20:00")
    with chromium(*DESK) as browser:
        browser.get(server.login_again())

        def grip():
            sauna = entry(browser, "sauna")
            browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", sauna)
            time_of = sauna.find_element(By.CSS_SELECTOR, ".entry-time")
            ActionChains(browser, duration=30).move_to_element(time_of).perform()
            return wait(browser, lambda b: b.find_element(By.CSS_SELECTOR, ".entry-grip"))

        pull = ActionChains(browser, duration=30).click_and_hold(grip())
        pull.move_by_offset(0, 30).move_by_offset(0, 30).perform()
        label = browser.find_element(By.CSS_SELECTOR, ".move-label").text
        checks.check("pulling an entry's edge shows its end", label == "19:00–20:30", label)
        browser.find_element(By.TAG_NAME, "body").send_keys(Keys.ESCAPE)
        ActionChains(browser).release().perform()
        time.sleep(0.3)
        kept = entry(browser, "sauna").find_element(By.CSS_SELECTOR, ".entry-time").text
        checks.check("Escape leaves it as it was", kept.startswith("19:00–20:00"), kept)
        pull = ActionChains(browser, duration=30).click_and_hold(grip())
        pull.move_by_offset(0, 30).move_by_offset(0, 30).release().perform()
        wait(browser, lambda b: "19:00–20:30" in toast(b))
        checks.check("letting go changes it, with a way back", shows(browser, "#toast form button"))
        browser.execute_script("toast.hide()")
        menu = entry(browser, "sauna")
        menu.find_element(By.CSS_SELECTOR, ".entry-menu summary").send_keys(Keys.ENTER)
        until = menu.find_element(By.NAME, "until")
        browser.execute_script("arguments[0].value = '21:15'", until)
        until.send_keys(Keys.ENTER)
        wait(browser, lambda b: "19:00–21:15" in toast(b))
        checks.check("and so does its menu", True)
        browser.execute_script("toast.hide()")
        menu = entry(browser, "sauna")
        menu.find_element(By.CSS_SELECTOR, ".entry-menu summary").send_keys(Keys.ENTER)
        until = menu.find_element(By.NAME, "until")
        browser.execute_script("arguments[0].value = '21:13'", until)
        until.send_keys(Keys.ENTER)
        wait(browser, lambda b: "19:00–21:13" in toast(b))
        browser.execute_script("toast.hide()")
        ActionChains(browser, duration=30).click(grip()).perform()
        time.sleep(0.3)
        kept = entry(browser, "sauna").find_element(By.CSS_SELECTOR, ".entry-time").text
        checks.check("a click on the edge changes nothing", kept.startswith("19:00–21:13"), kept)
        checks.check("no script or policy error with ends", errors(browser) == [])


def touching(checks, server):
    with chromium(*PHONE) as browser:
        browser.get(server.login_again())
        swim = entry(browser, "swim")
        browser.execute_script("arguments[0].scrollIntoView({block: 'end'})", swim)
        browser.execute_script("scrollBy(0, 200)")
        left, top, width, _ = box(browser, swim.find_element(By.CSS_SELECTOR, ".entry-text"))

        def touch(kind, *points):
            browser.execute_cdp_cmd(
                "Input.dispatchTouchEvent",
                {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
            )

        target = entry(browser, "breakfast")
        place = (left + 40, top + 8)
        touch("touchStart", place)
        wait(browser, lambda b: shows(b, ".move-label"))
        checks.check("a long press takes an entry", True)
        to_left, to_top, _, to_height = box(browser, target)
        touch("touchMove", (to_left + 60, to_top + to_height - 2))
        label = browser.find_element(By.CSS_SELECTOR, ".move-label").text
        touch("touchEnd")
        wait(browser, lambda b: "Moved" in toast(b))
        checks.check("and a finger brings it elsewhere", label[:5] in toast(browser), label)
        browser.find_element(By.CSS_SELECTOR, "#toast form button").click()
        wait(browser, lambda b: "Undid" in toast(b))
        checks.check("no script or policy error by touch", errors(browser) == [])
