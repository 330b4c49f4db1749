"""What the checks of the day page share: a server that can be stopped, and reading the page."""

import json
import subprocess

from selenium.webdriver.common.by import By
from test_pages import SignedInServer

DAY = "2026-03-14"
PHONE = (390, 844)
DESK = (1280, 900)


class StoppableServer(SignedInServer):
    """A server that comes back at the address it had, as its owner's does."""

    port = "0"

    def __enter__(self):
        self.process = subprocess.Popen(
            [self.arkived, "serve", "--port", self.port, "--json"],
            env=self.environment,
            stdout=subprocess.PIPE,
        )
        first = json.loads(self.process.stdout.readline())
        self.url = first["url"].rstrip("/")
        self.login = first["login"]
        self.token = first["token"]
        self.port = self.url.rsplit(":", 1)[1]
        return self

    def login_again(self):
        self.stop()
        self.__enter__()
        return self.login

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=300)

    def day(self, day=DAY):
        return json.loads(self.run("day", day, "--json"))

    def times(self):
        return {
            entry["text"]: (entry["startAt"] or "")[11:16] for entry in self.day()["activities"]
        }


def entry(browser, text):
    return browser.execute_script(
        "return [...document.querySelectorAll('.entry')].find((entry) =>"
        " entry.querySelector('.entry-text').textContent.includes(arguments[0])) ?? null",
        text,
    )


def toast(browser):
    return words(browser, "#toast p")


def words(browser, selector):
    """What an element says now, "" where there is none; the page may change at any moment."""
    return browser.execute_script(
        "return document.querySelector(arguments[0])?.textContent ?? ''", selector
    )


def drafts(browser, kind="note", day=DAY):
    """The texts of the drafts that the browser keeps of a day, the latest first."""
    return browser.execute_script(
        "return drafts.all(...arguments).map(({ values }) => Object.values(values).filter(Boolean).join(' – '))",
        kind,
        day,
    )


def shows(browser, selector):
    return bool(browser.find_elements(By.CSS_SELECTOR, selector))


def mark(browser):
    """A page that was loaded anew has lost this."""
    browser.execute_script("window.wasHere = true")


def was_kept(browser):
    return browser.execute_script("return window.wasHere === true")
