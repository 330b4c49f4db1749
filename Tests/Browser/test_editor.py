"""The writing surface: what shows while one types, blocks, people, tags and links by completion, pictures
by paste and drop, plain Markdown, focus, undo, bytes that nobody touched, and what is very long.

Usage: test_editor.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import json
import os
import re
import sys
import time
import urllib.request

from browser import chromium
from day_page import DESK, PHONE, StoppableServer, shows, words
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_accessibility import AXE, violations
from test_pages import CANARY, Checks, errors, surface, wait, written

PNG = ("iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSu"
       "QmCC")

# Hands a file to the surface as the clipboard or the mouse would.
FILE = """
const [kind, name] = arguments;
const data = new DataTransfer();
const bytes = Uint8Array.from(atob(arguments[2]), (c) => c.charCodeAt(0));
data.items.add(new File([bytes], name, { type: 'image/png' }));
const target = document.querySelector('.md-host .cm-content');
const place = target.getBoundingClientRect();
const init = { bubbles: true, cancelable: true, clientX: place.left + 5, clientY: place.bottom - 5 };
target.dispatchEvent(kind === 'paste'
  ? new ClipboardEvent('paste', { ...init, clipboardData: data }) : new DragEvent('drop', { ...init, dataTransfer: data }));
"""

# Drags a file over the page's heading and drops it. Returns the events that the browser would answer itself.
BESIDE = """
const data = new DataTransfer();
data.items.add(new File(["x"], "quince.txt", { type: "text/plain" }));
return ["dragover", "drop"].filter((kind) => document.querySelector("h1").dispatchEvent(
  new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data })));
"""


def status(browser):
    return words(browser, ".note-status")


def opened(browser, address):
    browser.get(address)
    browser.find_element(By.ID, "edit-note").click()
    text = surface(browser)
    wait(browser, lambda b: b.switch_to.active_element == text)
    return text


def choose(browser, text, typed, label):
    """Types the beginning of something and takes what is offered under a label."""
    text.send_keys(typed)
    wait(browser, lambda b: label in words(b, ".md-choices [aria-selected]"))
    # A choice that has only just come isn't taken by a key that was meant for the text.
    time.sleep(0.2)
    text.send_keys(Keys.ENTER)
    wait(browser, lambda b: not shows(b, ".md-choices"))


def typing(checks, server):
    with chromium(*DESK) as browser:
        text = opened(browser, server.login_again())
        text.send_keys("# By the sea\nSome **bold** and [a link](https://example.org/far)\n- one\ntwo\n")
        text.send_keys(Keys.BACKSPACE, Keys.BACKSPACE, "\n- [ ] bread\n", Keys.BACKSPACE, Keys.BACKSPACE)
        wait(browser, lambda b: shows(b, ".md-box"))
        size = browser.execute_script(
            "return parseFloat(getComputedStyle(document.querySelector('.md-heading-1')).fontSize)")
        checks.check("a heading is large while it is written", size > 22, size)
        bold = browser.execute_script(
            "return getComputedStyle(document.querySelector('.md-strong')).fontWeight")
        checks.check("bold is bold", int(bold) >= 600, bold)
        shown = browser.find_element(By.CSS_SELECTOR, ".cm-content").text
        checks.check("a link shows without its address", "a link" in shown and "example.org" not in shown, shown)
        tabs = len(browser.window_handles)
        link = browser.find_element(By.CSS_SELECTOR, ".cm-content .md-link")
        ActionChains(browser).key_down(Keys.CONTROL).click(link).key_up(Keys.CONTROL).perform()
        wait(browser, lambda b: len(b.window_handles) == tabs + 1)
        checks.check("Ctrl and a click open it", True)
        checks.check("lists go on by themselves", "- one\n- two\n" in written(browser), written(browser))
        browser.find_element(By.CSS_SELECTOR, ".md-box").click()
        wait(browser, lambda b: "- [x] bread" in written(b))
        checks.check("a check box is ticked by a click", shows(browser, ".md-box:checked"))
        text.send_keys(Keys.CONTROL, "z")
        wait(browser, lambda b: "- [ ] bread" in written(b))
        checks.check("and undo takes that back", True)
        wait(browser, lambda b: status(b) == "Saved")
        checks.check("a pause saves the Markdown itself", server.day()["note"] == written(browser))
        count = words(browser, ".md-foot")
        checks.check("words are counted", count == "11 words", count)
        text.send_keys(Keys.ESCAPE)
        wait(browser, lambda b: not shows(b, "#note-editor"))
        wait(browser, lambda b: shows(b, ".note-body .tick"))
        checks.check("the box is one for readers, too", True)
        found = errors(browser)
        checks.check("no script or policy error while typing", found == [], found)


def completing(checks, server):
    server.run("add", "lunch with @Anna_Maria_Schmidt 12:00 #harvest")
    server.run("add", "pruned the medlar 08:00-08:20")
    server.run("meeting", "create", "Orchard council", "10:00-11:00")
    with chromium(*DESK) as browser:
        put_note(server, "")
        text = opened(browser, server.login_again())
        choose(browser, text, "@Ann", "Anna Maria Schmidt")
        choose(browser, text, "and #har", "harvest")
        choose(browser, text, "on [[yest", "Yesterday")
        wanted = "@Anna_Maria_Schmidt and #harvest on [[2026-03-13]]"
        checks.check("people, tags and days are completed", written(browser) == wanted, written(browser))
        choose(browser, text, " with [[Anna", "Anna Maria Schmidt")
        checks.check("people are linked to", written(browser).endswith("[[Anna Maria Schmidt]]"))
        for typed, label in ((" after [[medl", "pruned the medlar"), (" for [[Orch", "Orchard council")):
            choose(browser, text, typed, label)
            link = re.search(rf"\[\[entry:[0-9A-F-]{{36}}\|{label}\]\]$", written(browser))
            checks.check(f"“{label}” is linked to by its identity", link is not None, written(browser))
        text.send_keys("\n")
        choose(browser, text, "/quo", "Quote")
        text.send_keys("so it is")
        checks.check("/ makes a block", written(browser).endswith("\n> so it is"), written(browser))
        text.send_keys("\n/")
        wait(browser, lambda b: shows(b, ".md-choices"))
        roles = browser.execute_script(
            "const text = document.querySelector('.cm-content');"
            "const chosen = document.getElementById(text.getAttribute('aria-activedescendant'));"
            "return [text.getAttribute('role'), chosen?.getAttribute('role'), chosen?.parentElement.getAttribute('role')]")
        checks.check("a screen reader hears what is offered", roles == ["textbox", "option", "listbox"], roles)
        text.send_keys(Keys.ESCAPE)
        wait(browser, lambda b: not shows(b, ".md-choices"))
        checks.check("Escape closes the choice, not the note", shows(browser, "#note-editor"))
        text.send_keys(Keys.BACKSPACE, "\nat 5 km/h\n")
        checks.check("a / within a word asks nothing", not shows(browser, ".md-choices"))
        wait(browser, lambda b: status(b) == "Saved")
        server.stop()
        text.send_keys("@Anna")
        time.sleep(0.6)
        checks.check("without the server names are just written", written(browser).endswith("@Anna"))
        server.__enter__()
        wait(browser, lambda b: server.day()["note"].endswith("@Anna"))
        checks.check("what was typed meanwhile is saved when it is back", True)
        text.send_keys(Keys.CONTROL, Keys.ENTER)
        wait(browser, lambda b: not shows(b, "#note-editor"))
        wait(browser, lambda b: "Orchard council" in words(b, ".note-body"))
        links = browser.execute_script(
            "return [...document.querySelectorAll('.note-body a')]"
            ".map((link) => [link.textContent, link.getAttribute('href')])")
        found = [shown for shown, address in links if "/linked" not in address]
        checks.check("what was completed leads there", {"pruned the medlar", "Orchard council"} <= set(found), links)


def pictures(checks, server):
    server.run("note", "--replace", "Before")
    with chromium(*DESK) as browser:
        text = opened(browser, server.login_again())
        text.send_keys(Keys.CONTROL, Keys.END)
        browser.execute_script(FILE, "paste", "the pier.png", PNG)
        wait(browser, lambda b: "![the pier](/attachments/" in written(b))
        checks.check("a pasted picture stands in the note", written(browser).startswith("Before\n![the pier]"))
        wait(browser, lambda b: b.execute_script("return document.querySelector('.md-picture')?.naturalWidth > 0"))
        checks.check("and is seen there", True)
        browser.execute_script(FILE, "drop", "image.png", PNG)
        wait(browser, lambda b: written(b).count("/attachments/") == 2)
        checks.check("so does a dropped one", "![Picture](/attachments/" in written(browser), written(browser))
        wait(browser, lambda b: "/attachments/" in server.day()["note"])
        files = server.day()["attachments"]
        checks.check("both are attachments of the day", len(files) == 2, files)
        text.send_keys(Keys.CONTROL, Keys.ENTER)
        wait(browser, lambda b: not shows(b, "#note-editor"))
        wait(browser, lambda b: b.execute_script("return document.querySelector('.note-body img')?.naturalWidth > 0"))
        checks.check("the note shows it", shows(browser, ".note-body a[href^='/attachments/'] > img"))

        browser.find_element(By.ID, "edit-note").click()
        surface(browser)
        server.stop()
        browser.execute_script(FILE, "paste", "lost.png", PNG)
        wait(browser, lambda b: "Nothing was attached" in words(b, "#toast p"))
        checks.check("a picture that could not be sent is told, and leaves no trace",
                     "lost" not in written(browser) and not shows(browser, ".md-upload"))
        server.__enter__()

        browser.get(server.login)
        browser.get(server.url + "/day/2026-03-14/note/edit")
        surface(browser)
        browser.execute_script(FILE, "paste", "the boat.png", PNG)
        wait(browser, lambda b: "![the boat]" in written(b))
        browser.find_element(By.CSS_SELECTOR, "main form .button-primary").click()
        wait(browser, lambda b: "/note/edit" not in b.current_url)
        checks.check("on the note's own page a picture makes no conflict", "the boat" in server.day()["note"])


def put_note(server, note):
    """Writes a note as an import would have left it."""
    address = f"{server.url}/api/v1/days/2026-03-14"
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {server.token}"}
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
        headers["If-Match"] = answer.headers["ETag"]
    body = json.dumps({"note": note}).encode()
    urllib.request.urlopen(urllib.request.Request(address, body, headers, method="PUT")).close()


def bytes_kept(checks, server):
    odd = ("\n\n*  one\r\n\t* two  \n1) three\n\n\n\n__b__ ***x\r\n| a|b |\n|--|:-:|\n&amp; <b>\\*  \n"
           f"- [X] done\n\u00a0end {CANARY}\n\n")
    put_note(server, odd)
    checks.check("the archive holds the odd note", server.day()["note"] == odd, repr(server.day()["note"]))
    with chromium(*DESK) as browser:
        text = opened(browser, server.login_again())
        checks.check("the surface holds every byte", written(browser) == odd, repr(written(browser)))
        browser.find_element(By.CSS_SELECTOR, "[data-tool=plain]").click()
        browser.find_element(By.CSS_SELECTOR, "[data-tool=plain]").click()
        text = surface(browser)
        text.send_keys(Keys.ESCAPE)
        wait(browser, lambda b: not shows(b, "#note-editor"))
        checks.check("opened, looked at and closed, nothing is changed", server.day()["note"] == odd)
        browser.find_element(By.ID, "edit-note").click()
        text = surface(browser)
        wait(browser, lambda b: b.switch_to.active_element == text)
        text.send_keys(Keys.CONTROL, Keys.END)
        text.send_keys("more")
        browser.execute_script("NoteEditor.current.save()")
        wait(browser, lambda b: server.day()["note"].endswith("more"))
        checks.check("what is added is all that differs", server.day()["note"] == odd + "more",
                     repr(server.day()["note"]))
        checks.check("a script in the text runs nowhere", browser.title != "owned" and errors(browser) == [],
                     errors(browser))


def plain(checks, server):
    server.run("note", "--replace", "# Title")
    with chromium(*PHONE) as browser:
        text = opened(browser, server.login_again())
        text.send_keys(Keys.CONTROL, Keys.END)
        text.send_keys("\none")
        browser.find_element(By.CSS_SELECTOR, "[data-tool=plain]").click()
        field = browser.find_element(By.CSS_SELECTOR, "#note-editor textarea")
        checks.check("one tap shows the plain Markdown", field.get_attribute("value") == "# Title\none")
        checks.check("and the focus is in it", browser.switch_to.active_element == field)
        field.send_keys(" two")
        browser.execute_script("NoteEditor.current.save()")
        wait(browser, lambda b: server.day()["note"] == "# Title\none two")
        checks.check("what is written there is saved", True)
        browser.refresh()
        browser.find_element(By.ID, "edit-note").click()
        wait(browser, lambda b: shows(b, ".md-editor.is-plain"))
        checks.check("the choice stays", True)
        browser.find_element(By.CSS_SELECTOR, "[data-tool=plain]").click()
        text = surface(browser)
        sizes = browser.execute_script(
            "return [...document.querySelectorAll('.md-tool')].filter((one) => one.offsetParent)"
            ".map((one) => Math.min(one.offsetWidth, one.offsetHeight))")
        checks.check("tools are large enough for a finger", min(sizes) >= 44, sizes)
        wide = browser.execute_script("return document.documentElement.scrollWidth > window.innerWidth")
        checks.check("nothing is cut off on a phone", not wide)


def keys(checks, server):
    put_note(server, "")
    with chromium(*DESK) as browser:
        text = opened(browser, server.login_again())
        text.send_keys("calm", Keys.CONTROL, "b")
        checks.check("Ctrl+B marks the word", written(browser) == "**calm**", written(browser))
        text.send_keys(Keys.CONTROL, "b")
        checks.check("and unmarks it", written(browser) == "calm", written(browser))
        text.send_keys("\n- [ ] bread", Keys.ALT, Keys.ENTER)
        wait(browser, lambda b: written(b).endswith("- [x] bread"))
        checks.check("Alt+Enter ticks the line", True)
        text.send_keys(Keys.TAB)
        checks.check("Tab goes on to the next control", browser.switch_to.active_element != text)
        text.send_keys(Keys.SHIFT, Keys.TAB)
        tool = browser.switch_to.active_element
        checks.check("Shift+Tab reaches the tools", tool.get_attribute("class").startswith("md-tool"))
        tool.send_keys(Keys.ARROW_RIGHT)
        other = browser.switch_to.active_element
        checks.check("arrows go through them", other != tool and "md-tool" in other.get_attribute("class"))
        focus = browser.find_element(By.CSS_SELECTOR, "[data-tool=focus]")
        focus.send_keys(Keys.ENTER)
        wait(browser, lambda b: shows(b, ".is-focused"))
        reached = browser.execute_script(
            "const box = document.querySelector('#note-editor').getBoundingClientRect();"
            "return [box.left, box.top, box.width === innerWidth, box.height === innerHeight,"
            " document.querySelector('.quick-add').closest('[inert]') !== null]")
        checks.check("focus leaves the text alone", reached == [0, 0, True, True, True], reached)
        wait(browser, lambda b: b.switch_to.active_element == text)
        text.send_keys(Keys.ESCAPE)
        wait(browser, lambda b: not shows(b, ".is-focused"))
        checks.check("Escape leaves it, and the note stays open",
                     shows(browser, "#note-editor") and not shows(browser, "[inert]"))
        text.send_keys(Keys.CONTROL, Keys.ENTER)
        wait(browser, lambda b: not shows(b, "#note-editor"))
        checks.check("no script or policy error by keyboard", errors(browser) == [])


ALL = """# Heading
## Smaller
Some **bold**, *italic*, ~~struck~~, `code`, [a link](https://example.org), <https://example.org>

- one
  - within
- [ ] open
- [x] done

> quoted with @Anna and #harvest on [[2026-03-13]]

```
code
```

---

end"""


def accessible(checks, server):
    if not AXE.exists():
        print("ok   axe-core is missing; run ./setup --test")
        return
    put_note(server, ALL)
    for width, height, dark in ((*DESK, False), (*PHONE, False), (*DESK, True), (*PHONE, True)):
        with chromium(width, height, dark) as browser:
            browser.set_script_timeout(600)
            text = opened(browser, server.login_again())
            name = f"at {width} {'dark' if dark else 'light'}"
            found = violations(browser)
            checks.check(f"the surface has no violation {name}", found == [], " | ".join(found))
            text.send_keys(Keys.CONTROL, Keys.END)
            text.send_keys(Keys.ENTER, "/")
            wait(browser, lambda b: shows(b, ".md-choices"))
            found = violations(browser)
            checks.check(f"what is offered has none {name}", found == [], " | ".join(found))
            text.send_keys(Keys.ESCAPE)
            browser.find_element(By.CSS_SELECTOR, "[data-tool=focus]").click()
            wait(browser, lambda b: shows(b, ".is-focused"))
            found = violations(browser)
            checks.check(f"focus has none {name}", found == [], " | ".join(found))
            browser.find_element(By.CSS_SELECTOR, "[data-tool=plain]").click()
            found = violations(browser)
            checks.check(f"plain Markdown has none {name}", found == [], " | ".join(found))
            browser.find_element(By.CSS_SELECTOR, "[data-tool=plain]").click()


def forms(checks, server):
    server.run("add", "planted a quince 9:00-9:30")
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/notes/new")
        text = surface(browser)
        text.send_keys("## Plan\n- [ ] dig")
        wait(browser, lambda b: "dig" in words(b, "#preview-text"))
        checks.check("a note of its own has the surface, and its preview", True)
        for kind in ("paste", "drop"):
            browser.execute_script(FILE, kind, "quince.png", PNG)
            wait(browser, lambda b: "Save first" in words(b, "#toast"))
            checks.check(f"a file isn’t lost unseen by {kind} before a note is saved", "quince" not in written(browser))
            browser.find_element(By.CSS_SELECTOR, ".toast-close").click()
        left = browser.execute_script(BESIDE)
        checks.check("a file that is dropped beside the text doesn’t replace the page", left == [], left)
        wait(browser, lambda b: "Save first" in words(b, "#toast"))
        browser.find_element(By.CSS_SELECTOR, "main form .button-primary").click()
        wait(browser, lambda b: "Added the note" in b.page_source)
        checks.check("and is saved by its form", shows(browser, "#text .tick"))
        browser.get(server.url + "/day/2026-03-14")
        edit = browser.find_element(By.CSS_SELECTOR, ".entry a[href$='/edit']").get_attribute("href")
        browser.get(edit)
        text = surface(browser)
        label = browser.execute_script(
            "const id = document.querySelector('.cm-content').getAttribute('aria-labelledby');"
            "return document.getElementById(id).textContent")
        checks.check("the surface has the label of its field", label == "Notes", label)
        text.send_keys("In *good* earth.")
        browser.find_element(By.CSS_SELECTOR, "button[form=edit].button-primary").click()
        wait(browser, lambda b: "/edit" not in b.current_url)
        notes = [one["notes"] for one in server.day()["activities"]]
        checks.check("an entry's notes are saved", "In *good* earth." in notes, notes)
        found = errors(browser)
        checks.check("no script or policy error in forms", found == [], found)


def of_meetings(checks, server):
    """What is written about a meeting has the surface, once its fold is open."""
    server.run("meeting", "create", "Plan the roof", "16:00-17:00")
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/meetings")
        browser.find_element(By.PARTIAL_LINK_TEXT, "Plan the roof").click()
        wait(browser, lambda b: shows(b, "#texts"))
        checks.check("a closed fold fetches nothing", not shows(browser, ".md-editor"))
        browser.find_element(By.CSS_SELECTOR, "#texts summary").click()
        wait(browser, lambda b: len(b.find_elements(By.CSS_SELECTOR, ".md-host .cm-content")) == 3)
        outcomes = browser.find_elements(By.CSS_SELECTOR, ".md-host .cm-content")[1]
        outcomes.send_keys("- *Larch*, not oak")
        browser.find_element(By.CSS_SELECTOR, "#form .actions button").click()
        wait(browser, lambda b: "Larch" in words(b, ".meeting-texts .prose"))
        checks.check("its outcomes are saved", shows(browser, ".meeting-texts .prose li em"))
        found = errors(browser)
        checks.check("no script or policy error in meetings", found == [], found)


def long(checks, server):
    """A long note has the surface, and its plain field is never laid out beside it."""
    text = "\n\n".join(f"Paragraph {number} of *many*." for number in range(12_000))
    put_note(server, text)
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/day/2026-03-14/note/edit")
        place = surface(browser)
        checks.check("a long note says that no draft is kept", "No draft is kept" in words(browser, "#note-size"))
        checks.check("its plain field isn’t shown", not browser.find_element(By.ID, "note-text").is_displayed())
        place.send_keys(Keys.CONTROL, Keys.HOME)
        place.send_keys("Begun. ")
        # A word count would come after a pause.
        time.sleep(0.6)
        checks.check("its words aren't counted", words(browser, ".md-foot") == "", words(browser, ".md-foot"))
        browser.find_element(By.CSS_SELECTOR, "main form .button-primary").click()
        wait(browser, lambda b: "/note/edit" not in b.current_url)
        checks.check("and is saved whole", server.day()["note"] == "Begun. " + text)
    put_note(server, "as it was")


# Keeps every task that held the page up, and how long each key took from its press to what it painted.
WATCH = """
window.tasks = [];
window.presses = [];
const watch = (keep, kind) => new PerformanceObserver((list) => keep(list.getEntries())).observe(kind);
watch((all) => window.tasks.push(...all.map((one) => one.duration)), { type: "longtask", buffered: true });
watch((all) => window.presses.push(...all.filter((one) => one.name === "keydown").map((one) => one.duration)),
  { type: "event", durationThreshold: 16, buffered: true });
"""


def watch(browser):
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})


def longest_task(browser):
    """The longest that the page didn't answer so far, in milliseconds."""
    return max(browser.execute_script("return window.tasks"), default=0)


# In milliseconds. A slow machine stays far below; a page that hangs doesn't.
FROZEN, STUCK_KEY = 15_000, 2_000


def is_alive(checks, browser, name):
    longest = longest_task(browser)
    checks.check(f"{name} never froze the page", longest < FROZEN, f"{longest:.0f} ms")


def huge(checks, server):
    """A note of 10 MB opens, takes typing and is saved byte for byte."""
    line = "Paragraph {} of *many*, with **bold**, [a link](https://example.org), @Anna and עברית.\n\n"
    text = "".join(line.format(number) for number in range(120_000))[:10_000_000].rstrip()
    put_note(server, text)
    with chromium(*DESK) as browser:
        watch(browser)
        browser.get(server.login_again())
        browser.find_element(By.ID, "edit-note").click()
        place = surface(browser)
        print(f"the longest task until a note of 10 MB is open took {longest_task(browser):.0f} ms")
        is_alive(checks, browser, "opening a note of 10 MB")
        place.send_keys(Keys.CONTROL, Keys.HOME)
        for key in "Begun now. ":
            place.send_keys(key)
        place.send_keys(Keys.CONTROL, Keys.END)
        for key in " And ended":
            place.send_keys(key)
        # A word count or a draft would come after a pause.
        time.sleep(1)
        presses = sorted(browser.execute_script("return window.presses"))
        checks.check("its keys are seen", len(presses) > 10, presses)
        median = presses[len(presses) // 2]
        print(f"a key took {median:.0f} ms in the median, the longest task {longest_task(browser):.0f} ms")
        checks.check("its keys are answered", median < STUCK_KEY, f"{median:.0f} ms")
        is_alive(checks, browser, "typing in it")
        browser.find_element(By.CSS_SELECTOR, "main form .button-primary").click()
        wait(browser, lambda b: "/note/edit" not in b.current_url)
        checks.check("it is saved byte for byte", server.day()["note"] == "Begun now. " + text + " And ended")
        found = errors(browser)
        checks.check("no script or policy error with a very long note", found == [], found)
    put_note(server, "as it was")
    huge_entry(checks, server, text)


def huge_entry(checks, server, text):
    """An entry with notes of 10 MB keeps no draft that no browser has room for."""
    day = "2026-03-10"
    server.run("add", f"{day} 9:00-9:30: sailed")
    found = next(one for one in server.day(day)["activities"] if one["text"] == "sailed")
    address = f"{server.url}/api/v1/activities/{found['id']}"
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {server.token}"}
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
        headers["If-Match"] = answer.headers["ETag"]
    body = json.dumps({"notes": text}).encode()
    urllib.request.urlopen(urllib.request.Request(address, body, headers, method="PATCH")).close()
    with chromium(*DESK) as browser:
        browser.get(server.login_again())
        browser.get(f"{server.url}/activities/{found['id']}/edit")
        place = surface(browser)
        tall = browser.find_element(By.ID, "text").size["height"]
        checks.check("beside long notes the short text has a short field", tall < 200, tall)
        place.send_keys(Keys.CONTROL, Keys.HOME)
        place.send_keys("Begun. ")
        # A draft would come after a pause.
        time.sleep(1)
        kept = browser.execute_script("return drafts.keys()")
        checks.check("no draft of long notes is kept", kept == [], kept)
        browser.find_element(By.CSS_SELECTOR, "button[form=edit].button-primary").click()
        wait(browser, lambda b: "/edit" not in b.current_url)
        notes = [one["notes"] for one in server.day(day)["activities"]]
        checks.check("long notes are saved whole", "Begun. " + text in notes)
        found = errors(browser)
        checks.check("no script or policy error with long notes", found == [], found)


SCROLL = """
const done = arguments[0];
const gaps = [];
let last = performance.now();
const step = (now) => {
  gaps.push(now - last);
  last = now;
  scrollBy({ top: 400, behavior: "instant" });
  if (innerHeight + scrollY < document.documentElement.scrollHeight - 1) requestAnimationFrame(step);
  else done(Math.max(...gaps));
};
requestAnimationFrame(step);
"""


def many_entries(checks, server):
    day = "2026-03-12"
    lines = [{
        "type": "activity", "dayKey": day, "text": f"entry {number} with @Anna #tag{number % 7}",
        "startAt": f"{day}T{number * 16 // 3600:02}:{number * 16 // 60 % 60:02}:00Z"} for number in range(5_000)]
    path = os.path.join(server.home, "many.jsonl")
    with open(path, "w") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    server.run("import", path)
    for width, height in (DESK, PHONE):
        with chromium(width, height) as browser:
            watch(browser)
            browser.get(server.login_again())
            browser.get(f"{server.url}/day/{day}")
            name = f"a day of 5,000 entries at {width}"
            browser.set_script_timeout(600)
            gap = browser.execute_async_script(SCROLL)
            print(f"{name}: the longest gap while scrolling was {gap:.0f} ms, the longest task {longest_task(browser):.0f} ms")
            checks.check(f"{name} scrolls on", gap < FROZEN, f"{gap:.0f} ms")
            is_alive(checks, browser, name)
            last = browser.find_elements(By.CSS_SELECTOR, ".entry")[-1].text
            checks.check(f"{name} shows where the others are", shows(browser, "#later a, #earlier a"))
            browser.find_element(By.CSS_SELECTOR, "#later a, #earlier a").click()
            wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".entry")[-1].text != last)  # noqa: B023
            line = browser.find_element(By.ID, "line")
            line.send_keys(f"and one at {width}", Keys.ENTER)
            wait(browser, lambda b: f"and one at {width}" in words(b, "#main"))  # noqa: B023
            checks.check(f"{name} takes another one", True)
            found = errors(browser)
            checks.check(f"no script or policy error on {name}", found == [], found)


def without_scripts(checks, server):
    server.run("note", "--replace", "as it was")
    with chromium(*DESK, scripts=False) as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/day/2026-03-14/note/edit")
        field = browser.find_element(By.NAME, "note")
        field.send_keys(Keys.CONTROL, Keys.END)
        field.send_keys(" and **more**")
        browser.find_element(By.CSS_SELECTOR, "main form .button-primary").click()
        wait(browser, lambda b: "/note/edit" not in b.current_url)
        note = server.day()["note"]
        checks.check("without scripts it is the plain field", note == "as it was and **more**", note)


def main(arkived):
    checks = Checks()
    server = StoppableServer(arkived)
    with server:
        for part in (typing, completing, pictures, bytes_kept, plain, keys, accessible, forms, of_meetings, long, huge,
                     many_entries, without_scripts):  # fmt: skip
            began = time.monotonic()
            part(checks, server)
            print(f"took {time.monotonic() - began:.1f} s {part.__name__}", flush=True)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
