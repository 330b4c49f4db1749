"""Pages that stay where they are while their scripts, the editor and late parts arrive.

Usage: test_calm.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import json
import sys
import time
import urllib.request

from browser import chromium
from day_page import DAY, DESK, PHONE
from selenium.webdriver.common.by import By
from test_pages import Checks, SignedInServer, wait

# Runs before a page's own scripts. Every shift counts, as in Benchmarks/Web/browsing.py.
WATCH = """
(() => {
  const seen = { sum: 0, parts: [] };
  Object.defineProperty(window, "shifts", { value: seen });
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      seen.sum += value;
      seen.parts.push(...sources.map(({ node }) => node?.id || node?.className || node?.nodeName));
    }
  }).observe({ type: "layout-shift", buffered: true });
})();
"""
# A shift of less can't be seen.
LIMIT = 0.001
NOTE = """# Sunday

Slept long, then *rowed* with @Alex.Kim on the river. It was cold, and the water was so high that we turned at the mill.

- [ ] ring Nora about the boat, and ask if she still wants to come along on the last weekend of the month
- bread, apples
- a longer line of a list that wraps on a phone, because it says more than fits into one line there
"""


def sum_of(browser):
    return browser.execute_script("return window.shifts.sum")


def stands(checks, browser, name, before=0.0):
    """Checks that nothing moved since the sum was `before`."""
    moved = sum_of(browser) - before
    detail = f"{moved:.4f}: {browser.execute_script('return window.shifts.parts')[:6]}"
    checks.check(f"{name} stays where it is", moved < LIMIT, detail)


def is_whole(browser):
    """Whether the scripts ran, the editor is there where one belongs, and two frames were drawn."""
    return browser.execute_async_script(
        """
        const done = arguments[0];
        const isReady = document.readyState === "complete"
          && !document.querySelector("textarea[data-markdown]:not(.is-shown)");
        if (!isReady) return done(false);
        requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
        """)


def pages(checks, server, browser, width, ids):
    for path in (
        "/", f"/day/{DAY}", f"/day/{DAY}/note/edit", "/notes/new", f"/notes/{ids['note']}/edit",
        f"/activities/{ids['entry']}/edit", f"/meetings/{ids['meeting']}/edit", "/meetings/new",
        "/calendar?of=year", "/calendar/poster?day=2026-01-01", "/settings/nudges", "/map", "/goals/review",
        "/settings/templates",
    ):  # fmt: skip
        browser.get(server.url + path)
        wait(browser, is_whole)
        # A preview or a late part would come now.
        time.sleep(0.4)
        stands(checks, browser, f"{path.replace(ids['note'], 'ID')} at {width}")


def editor_in_place(checks, server, browser, width):
    browser.get(f"{server.url}/day/{DAY}")
    wait(browser, is_whole)
    browser.find_element(By.ID, "edit-note").click()
    wait(browser, lambda b: b.find_elements(By.ID, "note-editor"))
    opened = sum_of(browser)
    wait(browser, lambda b: b.find_elements(By.CSS_SELECTOR, "#note-editor .cm-content"))
    time.sleep(0.3)
    stands(checks, browser, f"the note in its place at {width}", opened)


def late_reminder(checks, server, browser, width):
    browser.get(server.url + "/")
    wait(browser, is_whole)
    browser.execute_script(
        """
        const fresh = page.cloneNode(true);
        const list = document.createElement("ul");
        list.id = "nudges";
        list.className = "link-list";
        list.innerHTML = "<li><div class='link-body'><p><a href='/'>Write about today</a></p></div></li>";
        fresh.querySelector(".day-head").after(list);
        swap(fresh);
        """)
    wait(browser, lambda b: b.find_element(By.ID, "nudges").is_displayed())
    time.sleep(0.2)
    stands(checks, browser, f"Today at {width} when a reminder arrives")


def main(arkived):
    checks = Checks()
    server = SignedInServer(arkived)
    server.run("note", "--day", DAY, NOTE)
    server.run("add", "rowed on the river 10:00-11:30")
    server.run("add", "on 13 march 2026: bread")
    with server:
        ids = {
            "note": made(server, "notes", {"title": "The boat", "text": NOTE}),
            "entry": made(server, "activities", {"text": "rested", "notes": NOTE}),
            "meeting": made(
                server, "meetings",
                {"title": "Plan", "startDate": "2026-03-14T12:00:00Z", "endDate": "2026-03-14T13:00:00Z"}),
        }
        for width, height in (PHONE, DESK):
            with chromium(width, height) as browser:
                browser.get(server.login if width == PHONE[0] else server.login_again())
                browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
                # What is late on a slow connection is late here as well.
                browser.execute_cdp_cmd("Network.enable", {})
                browser.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
                browser.execute_cdp_cmd(
                    "Network.emulateNetworkConditions",
                    {"offline": False, "latency": 40, "downloadThroughput": 4_000_000,
                     "uploadThroughput": 1_000_000})
                pages(checks, server, browser, width, ids)
                editor_in_place(checks, server, browser, width)
                late_reminder(checks, server, browser, width)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


def made(server, kind, body):
    """Makes something over the API, and tells its ID."""
    request = urllib.request.Request(
        f"{server.url}/api/v1/{kind}", json.dumps(body).encode(), method="POST",
        headers={"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["created"]["id"]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
