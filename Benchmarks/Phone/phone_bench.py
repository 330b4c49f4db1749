"""Measures how soon after the computer's return what waited on a phone is saved. Started by
Benchmarks/Phone/run.

The computer goes in two ways: its server is stopped, so that connections are refused, and it sleeps
(SIGSTOP), so that they are taken by the system and nobody answers. It has returned when a TLS
connection is answered again; what waited is there when the API of the computer tells of it.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import ssl
import statistics
import sys
import threading
import time
import urllib.request
from datetime import date
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE.parents[1] / "Tests" / "Browser"))

from browser import Server  # noqa: E402
from machine import commit, distribution, processor  # noqa: E402
from phone import Door  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from test_offline import start, stop  # noqa: E402
from test_pages import wait  # noqa: E402

DAY = "2026-03-14"
LIMIT_SECONDS = 2.0


def saved_lines(server: Any) -> list[str]:
    request = urllib.request.Request(
        f"{server.url}/api/v1/days/{DAY}", headers={"Authorization": f"Bearer {server.token}"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return [activity["text"] for activity in json.load(answer)["activities"]]


def returned(door: Door) -> float:
    """When the door answers a request again."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    while True:
        try:
            request = urllib.request.Request(door.url + "/assets/icon.svg")
            with urllib.request.urlopen(request, context=context, timeout=0.25):
                return time.perf_counter()
        except OSError:
            time.sleep(0.005)


def measure(server: Any, door: Door, browser: Any, kind: str, seconds: float, number: int) -> float:
    """Seconds from the computer's return to the presence of what waited."""
    port = int(server.url.rsplit(":", 1)[1])
    # No words that the line's grammar takes out of the text, such as a duration.
    line = f"{kind} span{seconds:g} number{number}"
    browser.get(door.url + "/")
    wait(browser, lambda b: b.execute_script(
        "return caches.match('/', {cacheName: 'arkived-days'}).then(Boolean)"))
    if kind == "stopped":
        stop(server)
    else:
        server.process.send_signal(signal.SIGSTOP)
    # A phone whose computer sleeps takes some seconds before it shows what it kept.
    browser.find_element(By.NAME, "line").send_keys(line + Keys.ENTER)
    wait(browser, lambda b: b.find_elements(By.ID, "unsent"))
    time.sleep(seconds)
    back: list[float] = []
    watch = threading.Thread(target=lambda: back.append(returned(door)))
    watch.start()
    if kind == "stopped":
        start(server, port)
    else:
        server.process.send_signal(signal.SIGCONT)
    until = time.monotonic() + 60
    while line not in saved_lines(server):
        if time.monotonic() > until:
            raise SystemExit(f"FAILED: “{line}” was not saved within a minute")
        time.sleep(0.005)
    there = time.perf_counter()
    watch.join()
    wait(browser, lambda b: not b.find_elements(By.ID, "unsent"))
    if saved_lines(server).count(line) != 1:
        raise SystemExit(f"FAILED: “{line}” was saved more than once")
    return max(0.0, there - back[0])


def page(rows: list[tuple[str, float, list[float]]]) -> str:
    lines = [
        "# Results of the phone", "",
        "From the computer's return to the presence of an entry that waited in a phone's browser; the "
        f"limit is {LIMIT_SECONDS:g} s. `Benchmarks/Phone/run` measures it.", "",
        f"{date.today().isoformat()}, {processor()}, {os.cpu_count()} cores, {distribution()}, "
        f"{commit()}.", "",
        "| The computer was | for | runs | median | worst |", "|---|---|---|---|---|",
    ]
    for kind, seconds, times in rows:
        lines.append(
            f"| {kind} | {seconds:g} s | {len(times)} | {statistics.median(times):.2f} s "
            f"| {max(times):.2f} s |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="the program")
    parser.add_argument("--quick", action="store_true", help="one short run of each kind")
    parser.add_argument("--runs", type=int, default=5, help="runs of each kind")
    options = parser.parse_args()
    spans = [2.0] if options.quick else [2.0, 15.0]
    runs = 1 if options.quick else options.runs
    rows: list[tuple[str, float, list[float]]] = []
    with Server(options.program) as server:
        door = Door(server)
        with door.phone() as browser:
            browser.get(door.pair()[0])
            browser.find_element(By.ID, "pair-name").send_keys("Phone" + Keys.ENTER)
            wait(browser, lambda b: b.current_url == door.url + "/")
            wait(browser, lambda b: b.execute_script(
                "return Boolean(navigator.serviceWorker.controller)"))
            browser.refresh()
            for kind in ("stopped", "asleep"):
                for seconds in spans:
                    times = [
                        measure(server, door, browser, kind, seconds, number)
                        for number in range(runs)
                    ]
                    rows.append((kind, seconds, times))
                    print(f"{kind} for {seconds:g} s: "
                          + ", ".join(f"{one:.2f}" for one in times), flush=True)
    text = page(rows)
    print(text)
    if not options.quick:
        (HERE / "RESULTS.md").write_text(text)
    worst = max(max(times) for _, _, times in rows)
    if worst > LIMIT_SECONDS:
        print(f"FAILED: {worst:.2f} s is more than {LIMIT_SECONDS:g} s")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
