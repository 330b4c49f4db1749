"""Measures Arkived beside its peers and prints the table. Started by Benchmarks/run."""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from commands import JOURNAL_SIZES, measure_commands, measure_journals
from machine import describe
from measure import Failed
from report import table
from results import Failure, ImportFigure, Results
from server import measure_server
from sqlite_peer import KINDS, SQLitePeer
from waiting import measure_waiting
from workplace import Archive, Life, Workplace
from writes import measure_writes

HERE = Path(__file__).resolve().parent
SIZES = [10_000, 100_000, 1_000_000, 1_500_000]
PARTS = {
    "import": "bulk import, beside SQLite's own insert",
    "add": "arkived add, whole process",
    "today": "arkived today, whole process",
    "day": "arkived day D, whole process",
    "search": "arkived search: a common word, a rare one, two words, a person",
    "ask": "arkived ask: a list and a sum",
    "page": "arkived serve: start, memory, day page, API",
    "write": "one synced write, beside SQLite's own",
    "wait": "adding while another process imports",
    "jrnl": "add and search beside jrnl, on the same entries",
}
COMMANDS = {"add", "today", "day", "search", "ask"}
# The import beside which entries are added, and the seed of the life it brings.
WAITING_IMPORT = 100_000
OTHER_SEED = 9_000


def main() -> int:
    options = parse()
    workplace = Workplace(options.programs, options.cache)
    bench = Bench(workplace, options)
    try:
        bench.run()
    finally:
        if not options.keep:
            shutil.rmtree(workplace.work, ignore_errors=True)
    return publish(bench.results, options)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="Benchmarks/run",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="parts:\n" + "\n".join(f"  {name:8}{what}" for name, what in PARTS.items()),
    )
    parser.add_argument("--sizes", type=sizes, help="activities: 10k,100k,1M,1.5M (default)")
    parser.add_argument("--only", type=parts, default=set(PARTS), help="parts, with commas between")
    parser.add_argument("--runs", type=positive, help="runs of each command (default 40)")
    parser.add_argument("--keep", action="store_true", help="leave the archives behind")
    parser.add_argument("--quick", action="store_true", help="10k and 5 runs; figures mean little")
    parser.add_argument("--programs", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--cache", type=Path, default=HERE / ".cache", help=argparse.SUPPRESS)
    parser.add_argument("--results", type=Path, default=HERE / "results", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.is_whole = not (options.quick or options.sizes or options.runs) and options.only == set(
        PARTS
    )
    options.sizes = options.sizes or (SIZES[:1] if options.quick else SIZES)
    options.runs = options.runs or (5 if options.quick else 40)
    return options


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def sizes(text: str) -> list[int]:
    units = {"k": 1_000, "m": 1_000_000}
    found = []
    for part in text.split(","):
        unit = units.get(part[-1:].lower(), 1)
        try:
            number = float(part[:-1] if unit > 1 else part) * unit
        except ValueError:
            raise argparse.ArgumentTypeError(f"“{part}” is no size; write 10k or 1.5M") from None
        if number < 1 or number != int(number):
            raise argparse.ArgumentTypeError(f"“{part}” is no whole number of activities")
        found.append(int(number))
    return sorted(set(found))


def parts(text: str) -> set[str]:
    chosen = set(text.split(","))
    if unknown := chosen - set(PARTS):
        raise argparse.ArgumentTypeError(
            f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}"
        )
    return chosen


class Bench:
    """One run over all sizes. What fails is kept as a failure, and the next part goes on."""

    def __init__(self, workplace: Workplace, options: argparse.Namespace) -> None:
        self.workplace = workplace
        self.options = options
        self.results = Results(
            machine=describe(workplace),
            options={
                "sizes": options.sizes, "only": sorted(options.only), "runs": options.runs,
                "quick": options.quick,
            },
        )  # fmt: skip

    def run(self) -> None:
        for size in self.options.sizes:
            if self.options.only - {"jrnl"}:
                self.attempt("archive", size, partial(self.size, size))
        if "jrnl" in self.options.only:
            limit = 500 if self.options.quick else max(JOURNAL_SIZES)
            self.attempt(
                "jrnl",
                0,
                lambda: measure_journals(
                    self.workplace,
                    self.options.runs,
                    [size for size in JOURNAL_SIZES if size <= limit],
                    20 if self.options.quick else 120,
                    self.results,
                ),
            )

    def attempt(self, part: str, size: int, act: Callable[[], None]) -> None:
        begin = time.monotonic()
        say(f"{part}, {size:,} activities …" if size else f"{part} …")
        try:
            act()
        except (Failed, OSError, ValueError, KeyError) as failure:
            self.results.failures.append(Failure(part, size, str(failure) or repr(failure)))
            say(f"FAILED {part}, {size:,}: {failure}")
        else:
            say(f"{part}, {size:,}: {time.monotonic() - begin:.0f} s")

    def size(self, size: int) -> None:
        """Everything on one size of archive."""
        only = self.options.only
        workplace, results = self.workplace, self.results
        life = workplace.life(size)
        archive = workplace.archive(life, f"archive-{size}")
        peers: dict[str, SQLitePeer] = {}
        if "import" in only or "write" in only:
            self.attempt("import", size, lambda: self.bulk(archive, peers))
        if only & COMMANDS:
            self.attempt(
                "commands",
                size,
                lambda: measure_commands(workplace, archive, only, self.options.runs, results),
            )
        if "page" in only:
            runs, requests = self.options.runs, 30 if self.options.quick else 300
            self.attempt(
                "page", size, lambda: measure_server(workplace, archive, runs, requests, results)
            )
        if "write" in only and "whole" in peers:
            writes = 20 if self.options.quick else 200
            self.attempt(
                "write", size, lambda: measure_writes(workplace, archive, peers, writes, results)
            )
        if "wait" in only and size == min(self.options.sizes):
            further = min(size, WAITING_IMPORT) if self.options.quick else WAITING_IMPORT
            other = workplace.life(further, seed=OTHER_SEED)
            self.attempt("wait", size, lambda: measure_waiting(workplace, archive, other, results))
        if not self.options.keep:
            for left in workplace.work.iterdir():
                shutil.rmtree(left) if left.is_dir() else left.unlink()

    def bulk(self, archive: Archive, peers: dict[str, SQLitePeer]) -> None:
        """Keeps the figures of the import and fills the SQLite peers with the same entries."""
        life: Life = archive.life
        rates = {}
        for kind in KINDS:
            peer = SQLitePeer(self.workplace.work / f"sqlite-{kind}-{life.activities}.db", kind)
            rates[kind] = peer.fill(life)
            peers[kind] = peer
        if "import" not in self.options.only:
            return
        self.results.imports.append(
            ImportFigure(
                size=life.activities,
                seconds=archive.imported.seconds,
                rate=life.activities / archive.imported.seconds,
                cpu_seconds=archive.imported.cpu_seconds,
                peak_bytes=archive.peak_bytes,
                disk_bytes=archive.disk_bytes,
                file_bytes=life.account["bytes"],
                sqlite_rates=rates,
            )
        )


def publish(results: Results, options: argparse.Namespace) -> int:
    """Prints the table and writes the results; a whole run also renews the committed page."""
    folder: Path = options.results
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(json.dumps(results.json(), indent=2) + "\n")
    plotted = subprocess.run(
        [sys.executable, HERE / "plot.py", folder / "results.json", folder / "plot"],
        capture_output=True,
        text=True,
    )
    if plotted.returncode != 0:
        reason = (plotted.stderr.strip() or "no reason given").splitlines()[-1]
        results.failures.append(Failure("plot", 0, reason))
        (folder / "results.json").write_text(json.dumps(results.json(), indent=2) + "\n")
    text = table(results)
    (folder / "table.md").write_text(text)
    print(text)
    if options.is_whole:
        (HERE / "RESULTS.md").write_text(text)
        if plotted.returncode == 0:
            shutil.copy(folder / "plot.svg", HERE / "plot.svg")
    return 1 if results.failures else 0


def say(sentence: str) -> None:
    print(f"benchmarks: {sentence}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
