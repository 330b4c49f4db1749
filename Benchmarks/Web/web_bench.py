"""Measures the pages in a real Chromium on the archive of a life, and writes the results. Started by
Benchmarks/Web/run.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import http.client
import itertools
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from addresses import ENTRY, Pages, write_examples  # noqa: E402
from bench import SIZES, positive, say, sizes  # noqa: E402
from browsing import (  # noqa: E402
    DESK,
    PATIENCE,
    PHONE,
    WATCH_MAP,
    Painted,
    Scrolled,
    Window,
    window,
)
from measure import Failed, Sample, run  # noqa: E402
from parted import FAILURES, PartedBench, add_folders, some_of  # noqa: E402
from pictures import write as write_pictures  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from server import REST_SECONDS, Server  # noqa: E402
from web_report import page  # noqa: E402
from workplace import Archive, Workplace  # noqa: E402

PARTS = {
    "today": "the first paint of Today, beside a file of the same size",
    "add": "from Enter to the page with the new entry",
    "days": "from one day to the day before, by key",
    "calendar": "from one month, year or twelve years to those before, by key",
    "insights": "each page of insights over the whole life",
    "map": "the map of everything until all marks are drawn, beside a file of the same size",
    "photos": "frames and layout shifts while the photo grid is scrolled",
    "calm": "every page: layout shifts, errors, other hosts, weight of scripts and styles",
}
# These are measured last, after the pictures and the examples have been imported.
WITH_PICTURES = {"photos", "calm"}
PICTURES = 100_000
# Enough for the page of photos and its viewer if scrolling isn't measured.
FEW_PICTURES = 100
# Pauses as between a person's acts, so that one is not measured in the wake of another.
TYPING_SECONDS = 0.5
SETTLING_SECONDS = 0.6
# The speeds at which photos are scrolled, in pixels per second: about 7 and 27 screens.
STEADY, FAST = 6_000, 24_000
# The most photos that the API returns at once.
PHOTOS_LIMIT = 500
# Three frames at 60 Hz last 50 ms, and the browser rounds its clock to 0.1 ms.
LONG_FRAME = 0.0502


class StaticPeer:
    """Python's own server with one plain page of some size."""

    def __init__(self, folder: Path, size: int) -> None:
        self.folder = folder
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
        shutil.rmtree(self.folder)


def times(loads: Iterable[Painted]) -> dict[str, Any]:
    """Returns the middle and the slow end of pages, in milliseconds: the answer, the first paint,
    all, and for maps the last file."""
    loads = list(loads)
    figures: dict[str, Any] = {"runs": len(loads)}
    for name in ("answered", "first", "whole", "last"):
        sample = Sample([getattr(load, name) for load in loads])
        if any(sample.seconds):
            figures[name] = {"p50": sample.p50 * 1e3, "p95": sample.quantile(0.95) * 1e3}
    return figures


def frames(scrolled: Scrolled) -> dict[str, Any]:
    """Returns figures about the frames while a page was scrolled; times are in milliseconds."""
    gaps = Sample(scrolled.gaps)
    return {
        "frames": len(gaps.seconds), "longest": max(gaps.seconds) * 1e3, "p99": gaps.p99 * 1e3,
        "long": sum(gap > LONG_FRAME for gap in gaps.seconds), "months": scrolled.months,
        "photos": scrolled.photos,
        "filled": None if scrolled.filled is None else scrolled.filled * 1e3,
    }  # fmt: skip


class WebBench(PartedBench):
    """One run: on a server with the life, and then on one that also has pictures."""

    def __init__(self, workplace: Workplace, options: argparse.Namespace) -> None:
        super().__init__(workplace, options)
        self.server: Server
        self.pages: Pages
        self.cookie: dict[str, str] = {}
        # Their number and the time to import them; empty before that.
        self.pictures: dict[str, Any] = {}

    def begin(self) -> None:
        """Makes the archive, measures on its servers and removes it."""
        try:
            say(f"{self.options.size:,} entries …")
            archive = self.workplace.archive(self.workplace.life(self.options.size), "web")
        except FAILURES as failure:
            self.failures.append({"part": "archive", "what": str(failure)})
            return
        self.pages = Pages(archive)
        if self.options.only - WITH_PICTURES:
            self.serve(archive)
        if not self.options.only & WITH_PICTURES:
            return
        try:
            self.add_pictures(archive)
        except FAILURES as failure:
            self.failures.append({"part": "pictures", "what": str(failure)})
            return
        self.serve(archive)

    def serve(self, archive: Archive) -> None:
        with Server(self.workplace, archive.folder) as self.server:
            self.cookie = self.server.sign_in()
            time.sleep(REST_SECONDS)
            self.run()

    def add_pictures(self, archive: Archive) -> None:
        """Imports pictures, and one of each thing that the life lacks."""
        count = self.options.pictures
        if "photos" not in self.options.only:
            count = min(count, FEW_PICTURES)
        say(f"{count:,} pictures …")
        folder = self.workplace.work / "pictures"
        files = [write_pictures(folder, count), write_examples(folder / "examples.jsonl")]
        ran = run(
            [self.workplace.arkived, "import", *files, "--places", "keep", "--json"],
            self.workplace.environment(archive.folder), keeps_output=True,
        )  # fmt: skip
        shutil.rmtree(folder)
        if skipped := sum(one["skipped"] for one in json.loads(ran.output)["runs"]):
            raise Failed(f"import skipped {skipped} of the entries with pictures")
        self.workplace.call(archive.folder, "edit", ENTRY, "--text", "Mended the big tent")
        self.workplace.call(archive.folder, "index")
        self.pictures = {"pictures": count, "import_seconds": ran.seconds}

    def acts(self) -> dict[str, Callable[[], Any]]:
        if self.pictures:
            return {"photos": self.photos, "calm": self.calm}
        return {
            "today": self.today, "add": self.add, "days": self.days, "calendar": self.calendar,
            "insights": self.insights, "map": self.map,
        }  # fmt: skip

    def window(self, size: tuple[int, int] = DESK, *, logs: bool = False) -> Any:
        return window(self.server.host, self.cookie, size, logs=logs)

    def rounds(self, act: Callable[[], Painted]) -> dict[str, Any]:
        """The same again and again; the first does not count."""
        act()
        return times([act() for _ in range(self.options.runs)])

    def today(self) -> dict[str, Any]:
        with self.window() as browser:
            return self.beside(browser, "/", browser.load)

    def map(self) -> dict[str, Any]:
        with self.window() as browser:
            browser.load("/settings")
            browser.watch(WATCH_MAP)
            begin = browser.load_map(self.pages.map)
            figures = self.beside(browser, self.pages.map, browser.load_map)
        return {**figures, "begin": begin.whole * 1e3}

    def beside(
        self, browser: Window, address: str, load: Callable[[str], Painted]
    ) -> dict[str, Any]:
        """Loads a page in an empty browser, again, and a plain page of as many bytes, in turn."""
        response, content, _ = self.server.request("GET", address, self.cookie)
        if response.status != 200:
            raise Failed(f"GET {address} answered {response.status}")
        folder = self.workplace.work / "peer"
        ways: dict[str, list[Painted]] = {"empty": [], "warm": [], "file": []}
        with StaticPeer(folder, len(content)) as peer:
            for _ in range(self.options.runs + 1):
                browser.forget()
                ways["empty"].append(load(address))
                time.sleep(SETTLING_SECONDS)
                ways["warm"].append(load(address))
                ways["file"].append(browser.load("/", peer.origin))
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
            for unit in ("month", "year"):
                browser.load(f"/calendar?of={unit}")

                def one() -> Painted:
                    time.sleep(TYPING_SECONDS)
                    return browser.press("[")

                figures[unit] = self.rounds(one)
            # Twelve years are on one page: many a life has no other to turn to.
            figures["years"] = self.rounds(lambda: browser.load("/calendar?of=years"))
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

    def photos(self) -> dict[str, Any]:
        seconds = 1 if self.options.quick else 10
        scrolled: dict[str, Any] = {}
        folder = self.workplace.work / "peer"
        with StaticPeer(folder, FAST * seconds) as peer, self.window() as browser:

            def scroll(name: str, speed: int, origin: str | None = None) -> None:
                browser.load("/photos" if origin is None else "/", origin)
                time.sleep(SETTLING_SECONDS)
                # Shifts while the page loads are measured by `calm`.
                before = browser.shift()
                figure = frames(browser.scroll(speed, seconds))
                scrolled[name] = {**figure, "speed": speed, "shift": browser.shift() - before}

            scroll("begin", STEADY)
            self.make_thumbnails(scrolled["begin"]["photos"])
            scroll("again", STEADY)
            scroll("plain", STEADY, peer.origin)
            opened = self.rounds(lambda: browser.load("/photos"))
            # Last, because the server also makes thumbnails that have been scrolled past.
            scroll("fast", FAST)
        return {**self.pictures, "seconds": seconds, "scrolled": scrolled, "opened": opened}

    def make_thumbnails(self, count: int) -> None:
        """Requests the thumbnails of the newest photos, and returns when all exist.

        Raises `Failed` unless the archive has all the pictures that were imported.
        """
        connection = http.client.HTTPConnection(self.server.host, timeout=PATIENCE)

        def get(path: str, headers: dict[str, str]) -> bytes:
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            content = response.read()
            if response.status != 200:
                raise Failed(f"GET {path} answered {response.status}")
            return content

        with contextlib.closing(connection):
            for offset in range(0, count, PHOTOS_LIMIT):
                limit = min(PHOTOS_LIMIT, count - offset)
                path = f"/api/v1/photos?limit={limit}&offset={offset}"
                found = json.loads(get(path, self.server.bearer))
                if found["count"] != self.pictures["pictures"]:
                    raise Failed(f"the archive has {found['count']} photos")
                for photo in found["photos"]:
                    get(f"/attachments/{photo['id']}/thumbnail?size=small", self.cookie)

    def calm(self) -> dict[str, Any]:
        figures: dict[str, Any] = {"pages": [], "errors": [], "elsewhere": []}
        weights: dict[str, int] = {}
        addresses = self.pages.every(self.server)
        for name, size in (("desk", DESK), ("phone", PHONE)):
            with self.window(size, logs=True) as browser:
                # What the window itself did before the first page.
                browser.elsewhere()
                browser.console()
                for address in addresses:
                    # For the first time, when scripts come after the page is painted.
                    browser.forget()
                    browser.load(address)
                    time.sleep(SETTLING_SECONDS)
                    parts = {part: self.weight(part, weights) for part in browser.resources()}
                    editor = sum(size for part, size in parts.items() if is_editors(part))
                    figures["pages"].append(
                        {
                            "address": address, "window": name, "shift": browser.shift(),
                            "bytes": sum(parts.values()) - editor, "editor": editor,
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


def is_editors(path: str) -> bool:
    """Returns true for the styles and scripts of the editor, which load only on pages with one."""
    return path.rpartition("/")[2].startswith(("editor", "codemirror"))


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
    parser.add_argument(
        "--pictures", type=one_size, help="pictures to scroll through (default 100k)"
    )
    parser.add_argument(
        "--quick", action="store_true",
        help="10k, 1k pictures and 3 runs; figures mean little",
    )  # fmt: skip
    parser.add_argument(
        "--program", type=folder_of, required=True, metavar="PATH",
        help="arkived, beside it lifetime; nothing is built then",
    )  # fmt: skip
    add_folders(parser, HERE, has_programs=False)
    options = parser.parse_args()
    is_usual = not (options.quick or options.size or options.runs or options.pictures)
    options.size = options.size or (SIZES[0] if options.quick else SIZES[-1])
    options.runs = options.runs or (3 if options.quick else 20)
    options.pictures = options.pictures or (1_000 if options.quick else PICTURES)
    bench = WebBench(Workplace(options.program, options.cache), options)
    return bench.finish(
        HERE, PARTS, is_usual, lambda results, failed: page(results, failed, options.size), bench.begin)


if __name__ == "__main__":
    sys.exit(main())
