"""A real server on a real archive, and a real Chromium that looks at it."""

import contextlib
import json
import os
import random
import shutil
import socket
import subprocess
import tempfile
import time

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    NoSuchElementException,
    TimeoutException,
)
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.webelement import WebElement

NOW = "2026-03-14T20:00:00Z"
ZONE = "Europe/Berlin"


class ScrolledElement(WebElement):
    """An element that is scrolled out from under the page's bars before it is clicked, as a person scrolls it.

    WebDriver takes an element for in view when a bar that stays at the edge covers it.
    """

    def click(self):
        try:
            super().click()
        except ElementClickInterceptedException:
            self.parent.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", self)
            super().click()


class PatientBrowser(webdriver.Chrome):
    """A browser in which an element that is asked for by itself may still be on its way.

    A click may return before the next page is there. `find_elements` tells what is there now.
    """

    _web_element_cls = ScrolledElement

    def get(self, url):
        try:
            super().get(url)
        except TimeoutException:
            # A renderer sometimes stops on a busy machine. A server that doesn't answer won't do so the second
            # time either.
            print(f"     {url} didn't load; trying again", flush=True)
            super().get(url)

    def find_element(self, *selector, **named):
        end = time.monotonic() + 60
        while True:
            try:
                return super().find_element(*selector, **named)
            except NoSuchElementException:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)


def quiet_port():
    """A port that no program gets that asks for any: while a server is away, none of another test takes its place."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as one, contextlib.suppress(OSError):
            one.bind(("127.0.0.1", port))
            return port


class Server:
    """`arkived serve` on an archive of its own; the clock stands at NOW."""

    def __init__(self, arkived, home=None):
        self.arkived = arkived
        self.is_own = home is None
        self.home = home or tempfile.mkdtemp(prefix="arkived-browser-")
        self.environment = dict(
            os.environ, ARKIVED_HOME=self.home, ARKIVED_NOW=NOW, ARKIVED_TIME_ZONE=ZONE
        )

    def run(self, *arguments):
        output = subprocess.run(
            [self.arkived, *arguments], env=self.environment, check=True, capture_output=True
        )
        return output.stdout.decode()

    def __enter__(self):
        self.process = subprocess.Popen(
            [self.arkived, "serve", "--port", str(quiet_port()), "--json"],
            env=self.environment,
            stdout=subprocess.PIPE,
        )
        first = json.loads(self.process.stdout.readline())
        self.url = first["url"].rstrip("/")
        self.login = first["login"]
        self.token = first["token"]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=300)
        if self.is_own:
            shutil.rmtree(self.home, ignore_errors=True)


@contextlib.contextmanager
def chromium(width=1280, height=900, dark=False, scripts=True, more=(), logs=("browser",)):
    """A browser window of exactly this size, as a phone below 600 pixels; `logs` is what it keeps."""
    options = Options()
    # The same engine without windows and menus takes two thirds of the time, but can't forbid scripts.
    if scripts:
        options.binary_location = "/usr/lib/chromium/chromium-headless-shell"
    for argument in (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--no-first-run",
        "--disable-background-networking",
        f"--window-size={max(width, 600)},{height}",
        *more,
    ):
        options.add_argument(argument)
    if dark:
        options.add_argument("--force-dark-mode")
    if not scripts:
        options.add_experimental_option(
            "prefs", {"profile.managed_default_content_settings.javascript": 2}
        )
    options.set_capability("goog:loggingPrefs", dict.fromkeys(logs, "ALL"))
    browser = PatientBrowser(service=Service("/usr/bin/chromedriver"), options=options)
    # A busy machine needs minutes for a page, twice if the first load stops.
    browser.set_page_load_timeout(300)
    try:
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600},
        )
        browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {
                "features": [
                    {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                    {"name": "prefers-reduced-motion", "value": "reduce"},
                ]
            },
        )
        yield browser
    finally:
        browser.quit()
