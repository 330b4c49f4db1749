"""Measures the pages in a real Chromium on the archive of a life, and writes the results. Started by
Benchmarks/Web/run.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from bench import SIZES, positive, say, sizes  # noqa: E402
from browsing import DESK, PHONE, Painted, Window, window  # noqa: E402
from measure import Failed, Sample  # noqa: E402
from parted import FAILURES, PartedBench, add_folders, some_of  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from server import REST_SECONDS, Server  # noqa: E402
from web_report import page  # noqa: E402
from workplace import TODAY, Archive, Workplace  # noqa: E402

PARTS = {
    "today": "the first paint of Today, beside a file of the same size",
    "add": "from Enter to the page with the new entry",
    "days": "from one day to the day before, by key",
    "calendar": "from one month, year or twelve years to those before, by key",
    "insights": "each page of insights over the whole life",
    "calm": "every page: layout shifts, errors, other hosts, weight of scripts and styles",
}
# Pauses as between a person's acts, so that one is not measured in the wake of another.
TYPING_SECONDS = 0.5
SETTLING_SECONDS = 0.6


class Pages:
    """The addresses that are opened."""

    def __init__(self, archive: Archive) -> None:
        first, last = archive.life.account["from"], archive.life.account["through"]
        middle = archive.life.days()[len(archive.life.days()) // 2]
        self.days = archive.life.days()
        self.insights = {
            topic: f"/insights/{topic}?span=all"
            for topic in ("habits", "time", "measures", "places", "mood")
        }
        self.insights["year"] = f"/insights?year={last[:4]}"
        self.insights["compare"] = f"/insights/compare?a={first}..{middle}&b={middle}..{last}"

    def every(self) -> list[str]:
        return [
            "/", f"/day/{self.days[0]}", f"/day/{TODAY}/note/edit",
            *(f"/calendar?of={unit}" for unit in ("week", "month", "year", "years")),
            "/search", "/search?query=harbour+dinner", "/ask",
            "/ask?question=how+often+did+I+swim+last+month%3F", "/goals", "/terms", "/values",
            "/actions", "/meetings", "/people", "/notes", "/promises", "/calendars",
            *self.insights.values(), "/recap", "/settings", "/settings/tags", "/settings/imports",
            "/settings/history", "/settings/storage", "/threads", "/more", "/design",
        ]  # fmt: skip


class StaticPeer:
    """Python's own server with one plain page of some size."""

    def __init__(self, folder: Path, size: int) -> None:
        folder.mkdir()
        head = "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>A page</title><h1>A page</h1>\n"
        line = "<p>Walked along the harbour and had dinner with a friend, then home by bike.</p>\n"
        body = line * max(1, (size - len(head)) // len(line))
        (folder / "index.html").write_text((head + body).ljust(size))
        self.process = subprocess.Popen(
            [
                sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1",
                "--directory", str(folder),
            ],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert self.process.stdout
        line = self.process.stdout.readline()
        self.origin = f"http://127.0.0.1:{line.split(' port ')[1].split()[0]}"

    def __enter__(self) -> StaticPeer:
        return self

    def __exit__(self, *_: object) -> None:
        # Whoever began the benchmark may have had it ignore a polite signal.
        self.process.kill()
        self.process.communicate(timeout=30)


def times(loads: Iterable[Painted]) -> dict[str, Any]:
    """The middle and the slow end of pages, in milliseconds: the answer, the first paint, all."""
    loads = list(loads)
    figures: dict[str, Any] = {"runs": len(loads)}
    for name in ("answered", "first", "whole"):
        sample = Sample([getattr(load, name) for load in loads])
        figures[name] = {"p50": sample.p50 * 1e3, "p95": sample.quantile(0.95) * 1e3}
    return figures


class WebBench(PartedBench):
    """One run on one server."""

    def __init__(self, workplace: Workplace, options: argparse.Namespace) -> None:
        super().__init__(workplace, options)
        self.server: Server
        self.pages: Pages
        self.cookie: dict[str, str] = {}

    def begin(self) -> None:
        """Makes the archive, measures on its server and removes it."""
        try:
            say(f"{self.options.size:,} entries …")
            archive = self.workplace.archive(self.workplace.life(self.options.size), "web")
        except FAILURES as failure:
            self.failures.append({"part": "archive", "what": str(failure)})
            return
        self.pages = Pages(archive)
        with Server(self.workplace, archive.folder) as self.server:
            self.cookie = self.server.sign_in()
            time.sleep(REST_SECONDS)
            self.run()

    def acts(self) -> dict[str, Callable[[], Any]]:
        return {
            "today": self.today, "add": self.add, "days": self.days, "calendar": self.calendar,
            "insights": self.insights, "calm": self.calm,
        }  # fmt: skip

    def window(self, size: tuple[int, int] = DESK, *, logs: bool = False) -> Any:
        return window(self.server.host, self.cookie, size, logs=logs)

    def rounds(self, act: Callable[[], Painted]) -> dict[str, Any]:
        """The same again and again; the first does not count."""
        act()
        return times([act() for _ in range(self.options.runs)])

    def today(self) -> dict[str, Any]:
        _, content, _ = self.server.request("GET", "/", self.cookie)
        folder = self.workplace.work / "peer"
        ways: dict[str, list[Painted]] = {"empty": [], "warm": [], "file": []}
        with StaticPeer(folder, len(content)) as peer, self.window() as browser:
            for _ in range(self.options.runs + 1):
                browser.forget()
                ways["empty"].append(browser.load("/"))
                time.sleep(SETTLING_SECONDS)
                ways["warm"].append(browser.load("/"))
                ways["file"].append(browser.load("/", peer.origin))
        shutil.rmtree(folder)
        return {
            "bytes": len(content), **{name: times(loads[1:]) for name, loads in ways.items()},
        }  # fmt: skip

    def add(self) -> dict[str, Any]:
        """An entry with a time, a tag and a measure, by keyboard."""
        numbers = itertools.count(1)

        def one(browser: Window) -> Painted:
            text = f"Swam lane {next(numbers)}"
            field = browser.browser.find_element(By.ID, "line")
            field.send_keys(f"{text} 30 minutes #swimming")
            time.sleep(TYPING_SECONDS)
            return browser.change(lambda: field.send_keys(Keys.ENTER), text)

        with self.window() as browser:
            browser.load("/")
            time.sleep(SETTLING_SECONDS)
            return self.rounds(lambda: one(browser))

    def days(self) -> dict[str, Any]:
        with self.window() as browser:
            browser.load("/")

            def one() -> Painted:
                time.sleep(TYPING_SECONDS)
                return browser.press(Keys.ARROW_LEFT)

            return self.rounds(one)

    def calendar(self) -> dict[str, Any]:
        figures = {}
        with self.window() as browser:
            for unit in ("month", "year", "years"):
                browser.load(f"/calendar?of={unit}")
                # Twelve years a step: a life has only a few of them, so these go to and fro.
                steps = ["[", "]"] if unit == "years" else ["["]
                keys = itertools.cycle(steps)

                def one(keys: Iterator[str] = keys) -> Painted:
                    time.sleep(TYPING_SECONDS)
                    return browser.press(next(keys))

                figures[unit] = self.rounds(one)
        return figures

    def insights(self) -> dict[str, Any]:
        figures = {}
        with self.window() as browser:
            browser.load("/settings")
            for topic, address in self.pages.insights.items():
                begin = browser.load(address)
                loads = [browser.load(address) for _ in range(self.options.runs)]
                figures[topic] = {**times(loads), "begin": begin.whole * 1e3}
        return figures

    def calm(self) -> dict[str, Any]:
        figures: dict[str, Any] = {"pages": [], "errors": [], "elsewhere": []}
        weights: dict[str, int] = {}
        for name, size in (("desk", DESK), ("phone", PHONE)):
            with self.window(size, logs=True) as browser:
                # What the window itself did before the first page.
                browser.elsewhere()
                browser.console()
                for address in self.pages.every():
                    # For the first time, when scripts come after the page is painted.
                    browser.forget()
                    browser.load(address)
                    time.sleep(SETTLING_SECONDS)
                    parts = browser.resources()
                    weight = sum(self.weight(part, weights) for part in parts)
                    figures["pages"].append(
                        {
                            "address": address, "window": name, "shift": browser.shift(),
                            "bytes": weight,
                        }
                    )  # fmt: skip
                    figures["errors"] += browser.console()
                figures["elsewhere"] += browser.elsewhere()
        worker = self.weight("/service-worker.js", weights)
        figures["all"] = sum(weights.values())
        figures["worker"] = worker
        return figures

    def weight(self, path: str, known: dict[str, int]) -> int:
        """Bytes of a style or script as gzip makes them."""
        if path not in known:
            response, content, _ = self.server.request("GET", path, self.cookie)
            if response.status != 200:
                raise Failed(f"GET {path} answered {response.status}")
            known[path] = len(gzip.compress(content, 9))
        return known[path]


def one_size(text: str) -> int:
    return sizes(text)[-1]


def folder_of(path: str) -> Path:
    """Where programs lie: the folder itself, or that of the program that is named."""
    named = Path(path).resolve()
    return named if named.is_dir() else named.parent


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="Benchmarks/Web/run", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="parts:\n" + "\n".join(f"  {name:10}{what}" for name, what in PARTS.items()),
    )  # fmt: skip
    parser.add_argument("--size", type=one_size, help="entries of the life (default 1.5M)")
    parser.add_argument("--only", type=some_of(PARTS), default=set(PARTS), help="parts, with commas")
    parser.add_argument("--runs", type=positive, help="times that each is done (default 20)")
    parser.add_argument("--quick", action="store_true", help="10k and 3 runs; figures mean little")
    parser.add_argument(
        "--program", type=folder_of, required=True, metavar="PATH",
        help="arkived, beside it lifetime; nothing is built then",
    )  # fmt: skip
    add_folders(parser, HERE, has_programs=False)
    options = parser.parse_args()
    is_usual = not (options.quick or options.size or options.runs)
    options.size = options.size or (SIZES[0] if options.quick else SIZES[-1])
    options.runs = options.runs or (3 if options.quick else 20)
    bench = WebBench(Workplace(options.program, options.cache), options)
    return bench.finish(
        HERE, PARTS, is_usual, lambda results, failed: page(results, failed, options.size), bench.begin)


if __name__ == "__main__":
    sys.exit(main())
