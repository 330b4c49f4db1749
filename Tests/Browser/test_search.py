"""The search as it is typed: results, completions, and the way through both by keyboard.

Usage: test_search.py PATH-OF-ARKIVED. Prints a line for each check and exits 1 when one fails.
"""

import sys
import time

from browser import chromium
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_pages import CANARY, Checks, SignedInServer, errors, wait

SIZES = ((390, 844), (1280, 900))


def found(browser):
    # Asked in one step: the element may be replaced between finding and reading it.
    return browser.execute_script("return document.getElementById('found')?.innerText ?? ''")


def query(browser):
    return browser.find_element(By.NAME, "query")


def value(browser):
    return query(browser).get_attribute("value")


def options(browser):
    return [item.text for item in browser.find_elements(By.CSS_SELECTOR, "[role=option]")]


def focused(browser):
    return browser.switch_to.active_element


def clear(browser):
    query(browser).clear()
    query(browser).send_keys(Keys.ESCAPE)


def typing(checks, server):
    for width, height in SIZES:
        with chromium(width, height) as browser:
            browser.get(server.login_again())
            browser.get(server.url + "/search")
            browser.execute_script("window.wasHere = true")
            query(browser).send_keys("castle")
            wait(browser, lambda b: b.find_elements(By.TAG_NAME, "mark"))
            checks.check(
                f"results come while typing, without loading at {width} px",
                browser.execute_script("return window.wasHere === true"),
            )
            checks.check(f"the focus stays at {width} px", focused(browser) == query(browser))
            checks.check(
                f"the address is in step at {width} px",
                browser.current_url.endswith("/search?query=castle"),
                browser.current_url,
            )
            checks.check(f"so is the title at {width} px", "castle" in browser.title)
            wait(
                browser,
                lambda b: "entries" in b.find_element(By.ID, "found-status").get_attribute("textContent"),
            )
            checks.check(f"a screen reader hears the number at {width} px", True)
            checks.check(f"a day stands there once at {width} px", days_once(browser))
            query(browser).send_keys(" tag:trip")
            wait(browser, lambda b: "tag: trip" in found(b) and "lunch" not in found(b))
            checks.check(f"a filter in the line narrows them at {width} px", True)
            wide = browser.execute_script(
                "return document.documentElement.scrollWidth > window.innerWidth"
            )
            checks.check(f"nothing is cut off at {width} px", not wide)
            clear(browser)
            wait(browser, lambda b: "How to write a search" in found(b))
            checks.check(f"an empty field shows the help at {width} px", True)
            query(browser).send_keys("qzxvkwj")
            wait(browser, lambda b: "Nothing found" in found(b))
            checks.check(f"nothing found is said at {width} px", True)
            checks.check(f"no script or policy error at {width} px", errors(browser) == [])


def days_once(browser):
    days = [head.text for head in browser.find_elements(By.CSS_SELECTOR, "#found h2")]
    return len(days) > 1 and len(set(days)) == len(days)


def walking(checks, server):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/search")
        query(browser).send_keys("castle")
        wait(browser, lambda b: len(b.find_elements(By.CSS_SELECTOR, "#found .hit-snippet a")) == 3)
        links = browser.find_elements(By.CSS_SELECTOR, "#found .hit-snippet a")
        query(browser).send_keys(Keys.ARROW_DOWN)
        checks.check("down goes from the field to the first result", focused(browser) == links[0])
        focused(browser).send_keys(Keys.ARROW_DOWN)
        checks.check("and on to the second", focused(browser) == links[1])
        focused(browser).send_keys(Keys.ARROW_UP)
        focused(browser).send_keys(Keys.ARROW_UP)
        checks.check("up leads back to the field", focused(browser) == query(browser))
        query(browser).send_keys(Keys.ARROW_DOWN)
        focused(browser).send_keys(Keys.ESCAPE)
        checks.check("so does Escape", focused(browser) == query(browser))
        query(browser).send_keys(Keys.ARROW_DOWN)
        focused(browser).send_keys("/")
        checks.check("and /", focused(browser) == query(browser))
        query(browser).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
        focused(browser).send_keys(Keys.ENTER)
        wait(browser, lambda b: "/day/" in b.current_url)
        checks.check("Enter opens the result", True)
        browser.back()
        wait(browser, lambda b: "castle" in found(b))
        checks.check("going back shows the same search", value(browser) == "castle")
        query(browser).send_keys("s", Keys.ENTER)
        wait(browser, lambda b: b.current_url.endswith("query=castles"))
        checks.check("Enter in the field searches at once", focused(browser) == query(browser))
        checks.check("no script or policy error while walking", errors(browser) == [])


def completing(checks, server):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/search")
        field = query(browser)
        field.send_keys("castle tag:tr")
        wait(browser, options)
        checks.check("a tag is completed", options(browser)[0].startswith("trip"))
        checks.check(
            "the field says that a list is open", field.get_attribute("aria-expanded") == "true"
        )
        field.send_keys(Keys.ARROW_DOWN)
        active = field.get_attribute("aria-activedescendant")
        checks.check(
            "an arrow key chooses in it",
            browser.find_element(By.ID, active).get_attribute("aria-selected") == "true",
        )
        field.send_keys(Keys.ENTER)
        checks.check("Enter takes it", value(browser) == "castle tag:trip ", value(browser))
        checks.check("the list is closed", field.get_attribute("aria-expanded") == "false")
        wait(browser, lambda b: "tag: trip" in found(b))
        checks.check("and the results follow", "lunch" not in found(browser))
        clear(browser)
        field.send_keys("@ki")
        wait(browser, options)
        field.send_keys(Keys.TAB)
        checks.check("Tab takes a person's whole name", value(browser) == '@"Alex Kim" ', value(browser))
        checks.check("and the focus stays", focused(browser) == field)
        clear(browser)
        field.send_keys("tag:tr")
        wait(browser, options)
        # Tab right after a letter comes before the offers for the longer text.
        browser.execute_script(
            "const field = document.querySelector('[name=query]'); field.value += 'a';"
            "field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true }));")
        checks.check("offers for a shorter text change nothing", value(browser) == "tag:tra", value(browser))
        clear(browser)
        field.send_keys("é 👩 #fo")
        wait(browser, options)
        field.send_keys(Keys.TAB)
        checks.check("behind other scripts too", value(browser) == "é 👩 #food ", value(browser))
        clear(browser)
        field.send_keys("pers")
        wait(browser, options)
        field.send_keys(Keys.TAB)
        wait(browser, lambda b: any("Alex Kim" in text for text in options(b)))
        checks.check("an operator leads to its values", value(browser) == "person:")
        field.send_keys(Keys.ESCAPE)
        checks.check("Escape closes the list", not options(browser) and value(browser) == "person:")
        clear(browser)
        field.send_keys("tag:tr")
        wait(browser, options)
        browser.find_element(By.CSS_SELECTOR, "[role=option]").click()
        checks.check("a pointer takes one too", value(browser) == "tag:trip ")
        clear(browser)
        field.send_keys("#<")
        time.sleep(0.4)
        clear(browser)
        field.send_keys("tag:<")
        wait(browser, options)
        checks.check("a hostile tag is text", CANARY in options(browser)[0] and browser.title != "owned")
        checks.check("no script or policy error while completing", errors(browser) == [])


# Holds back the answers for “castle”, as a slow server would, even where nobody waits for them.
SLOW = """
const fetchAtOnce = window.fetch;
window.held = 0;
window.fetch = async (address, options = {}) => {
  if (!String(address).endsWith("/results?query=castle")) return fetchAtOnce(address, options);
  const answer = await fetchAtOnce(address, { ...options, signal: undefined });
  await new Promise((resolve) => setTimeout(resolve, 1500));
  window.held += 1;
  return answer;
};
"""


def racing(checks, server):
    with chromium() as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/search")
        browser.execute_script(SLOW)
        query(browser).send_keys("castle")
        time.sleep(0.4)
        query(browser).send_keys(Keys.BACK_SPACE * 6 + "lunch")
        wait(browser, lambda b: "lunch below" in found(b))
        wait(browser, lambda b: b.execute_script("return window.held") > 0)
        time.sleep(0.3)
        checks.check(
            "an older, slower answer never takes the place of a newer one",
            "lunch below" in found(browser) and "again" not in found(browser),
        )
        server.run("add", "another lunch 13:00")
        wait(browser, lambda b: "another lunch" in found(b))
        checks.check("what others write appears among typed results", value(browser) == "lunch")
        browser.execute_script("window.fetch = () => Promise.reject(new TypeError('away'))")
        query(browser).send_keys("es")
        wait(browser, lambda b: "responding" in found(b))
        checks.check("a server that is away is said calmly", "lunch below" in found(browser))


def without_scripts(checks, server):
    with chromium(scripts=False) as browser:
        browser.get(server.login_again())
        browser.get(server.url + "/search")
        query(browser).send_keys("castle tag:trip")
        query(browser).submit()
        wait(browser, lambda b: b.find_elements(By.TAG_NAME, "mark"))
        checks.check("without scripts the same line is sent", "tag: trip" in found(browser))


def main(arkived):
    checks = Checks()
    server = SignedInServer(arkived)
    server.run("add", "on 20 february 2026: climbed to the castle with @Alex.Kim #trip")
    server.run("add", "on 20 february 2026: lunch below the castle #food")
    server.run("add", "yesterday: castle again")
    server.run("add", "hostile")
    server.run("search", "hostile", "--add-tag", CANARY)
    with server:
        typing(checks, server)
        walking(checks, server)
        completing(checks, server)
        racing(checks, server)
        without_scripts(checks, server)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    started = time.monotonic()
    verdict = main(sys.argv[1])
    print(f"took {time.monotonic() - started:.0f} s")
    sys.exit(verdict)
