"""A benchmark made of parts that are measured, kept and shown each by itself: search and ask."""

from __future__ import annotations

import argparse
import http.client
import json
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any

from bench import say
from machine import describe
from measure import Failed, Sample
from report import grid, number, place
from workplace import Workplace

MEGABYTE = 1_000_000
# What may go wrong in a part while the others go on.
FAILURES = (
    Failed, OSError, ValueError, KeyError, subprocess.CalledProcessError, sqlite3.Error,
    http.client.HTTPException,
)  # fmt: skip


class PartedBench:
    """One run. What fails is kept as a failure, and the next part goes on."""

    def __init__(self, workplace: Workplace, options: argparse.Namespace) -> None:
        self.workplace = workplace
        self.options = options
        self.machine = describe(workplace)
        self.results: dict[str, Any] = {}
        self.failures: list[dict[str, str]] = []

    def acts(self) -> dict[str, Callable[[], Any]]:
        """The parts by name, in their order; each returns its figures."""
        raise NotImplementedError

    def run(self) -> None:
        for name, act in self.acts().items():
            if name not in self.options.only:
                continue
            begin = time.monotonic()
            say(f"{name} …")
            try:
                self.results[name] = {"machine": self.machine, "figures": act()}
            except FAILURES as failure:
                said = getattr(failure, "stderr", None) or ""
                self.failures.append({"part": name, "what": f"{failure} {said[-400:]}"})
                say(f"{name}: FAILED: {failure} {said[-400:]}")
            say(f"{name}: {time.monotonic() - begin:.0f} s")

    def kept(self, names: Iterable[str], is_usual: bool) -> tuple[dict[str, Any], Path]:
        """Writes what was measured, as JSON into the folder of results; returns it and the file.

        A part of a usual run that was not measured now stays as it was measured last.
        """
        self.options.results.mkdir(parents=True, exist_ok=True)
        file = self.options.results / ("results.json" if is_usual else "other.json")
        kept = json.loads(file.read_text()) if is_usual and file.exists() else {}
        results = {name: kept[name] for name in names if "figures" in kept.get(name, {})}
        results |= self.results
        file.write_text(json.dumps(results, indent=1) + "\n")
        return results, file

    def finish(
        self, home: Path, names: Collection[str], is_usual: bool,
        page: Callable[[dict[str, Any], list[dict[str, str]]], str],
        measure: Callable[[], None] | None = None,
    ) -> int:  # fmt: skip
        """Measures, and writes and prints the page; returns what the process ends with.

        The page of a usual run in which nothing failed becomes the RESULTS.md in the benchmark's own
        folder, once all its parts were measured.
        """
        try:
            (measure or self.run)()
        finally:
            shutil.rmtree(self.workplace.work, ignore_errors=True)
        results, _ = self.kept(names, is_usual)
        text = page(results, self.failures)
        (self.options.results / "RESULTS.md").write_text(text)
        if is_usual and not self.failures and results.keys() == set(names):
            (home / "RESULTS.md").write_text(text)
        print(text)
        return 1 if self.failures else 0


def add_folders(parser: argparse.ArgumentParser, home: Path, has_programs: bool = True) -> None:
    """Adds the options by which `run` tells where programs, made lives and results lie."""

    def add(name: str, usual: Path | None) -> None:
        parser.add_argument(
            f"--{name}", type=Path, default=usual, required=usual is None, help=argparse.SUPPRESS)

    if has_programs:
        add("programs", None)
    add("cache", home.parent / ".cache")
    add("results", home / "results")


def some_of(names: Collection[str]) -> Callable[[str], set[str]]:
    """Reads an option that names parts, with commas between them."""

    def parts(text: str) -> set[str]:
        chosen = set(text.split(","))
        if unknown := chosen - set(names):
            raise argparse.ArgumentTypeError(
                f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(names)}"
            )
        return chosen

    return parts


def quantiles(sample: Sample) -> dict[str, float]:
    """The middle, the slow end and the slowest of a sample, in milliseconds."""
    return {
        "p50": sample.p50 * 1e3, "p99": sample.p99 * 1e3, "runs": len(sample.seconds),
        "longest": max(sample.seconds) * 1e3,
    }  # fmt: skip


def places(parts_measured: dict[str, Any]) -> str:
    """Where and when each part was measured, those of one run together."""
    found: dict[str, list[str]] = {}
    for name, part in parts_measured.items():
        found.setdefault(place(part["machine"]), []).append(name)
    return "\n\n".join(f"{', '.join(names)}: {where}" for where, names in found.items())


def both(figure: dict[str, float]) -> str:
    return f"{number(figure['p50'])} / {number(figure['p99'])}"


def failures(found: list[dict[str, str]]) -> str:
    return grid("Failures", ["part", "what"], [(f["part"], f["what"]) for f in found])
