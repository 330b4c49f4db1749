"""A real server on a real archive, and a real Chromium that looks at it."""

import contextlib
import json
import os
import shutil
import subprocess
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

NOW = "2026-03-14T20:00:00Z"
ZONE = "Europe/Berlin"


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
            [self.arkived, "serve", "--port", "0", "--json"],
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
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
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
