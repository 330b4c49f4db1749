"""What Arkived sets out to reach, and whether a run did."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from results import CommandFigure, Results


@dataclass
class Verdict:
    """A target beside the figure that is furthest from it."""

    target: str
    # "7.1 ms at 100k", or "not measured".
    figure: str
    is_met: bool | None


def short(size: int) -> str:
    """10k, 100k, 1.5M"""
    for unit, name in ((1_000_000, "M"), (1_000, "k")):
        if size >= unit:
            return f"{size / unit:g}{name}"
    return str(size)


def verdicts(results: Results) -> list[Verdict]:
    megabyte = 1_000_000
    adds = [figure for figure in results.commands if figure.command == "add"]
    http = [figure for figure in results.writes if figure.way == "http"]
    inside = [figure for figure in results.writes if figure.way == "inside"]
    return [
        most("add: whole process p50 ≤ 50 ms", 50, "ms", ((f.size, f.times.p50) for f in adds)),
        least("add: ≥ 10 times faster than jrnl at 2,500 entries", 10, "×", faster(results)),
        most("day page: p99 ≤ 15 ms", 15, "ms", ((f.size, f.page.p99) for f in results.servers)),
        least(
            "bulk import: ≥ 30,000 activities/s with full text, tags, mentions",
            30_000,
            "/s",
            ((f.size, f.rate) for f in results.imports),
        ),
        most(
            "serve: ready p50 ≤ 500 ms", 500, "ms", ((f.size, f.ready.p50) for f in results.servers)
        ),
        most(
            "serve: < 100 MB at rest",
            100,
            "MB",
            ((f.size, f.rest_bytes / megabyte) for f in results.servers),
        ),
        most(
            "synced write in a process: ≤ 1.5 times SQLite writing the same rows",
            1.5,
            "×",
            ((f.size, f.arkived.p50 / f.same_rows.p50) for f in inside),
        ),
        most(
            "the same beside one row in one table",
            None,
            "×",
            ((f.size, f.arkived.p50 / f.one_table.p50) for f in inside),
        ),
        most(
            "the same through the server, beside the same rows",
            None,
            "×",
            ((f.size, f.arkived.p50 / f.same_rows.p50) for f in http),
        ),
        most(
            "an import never keeps a writer waiting for more than 1 s",
            1_000,
            "ms",
            ((f.size, f.longest_ms) for f in results.waits),
        ),
    ]


def faster(results: Results) -> Iterable[tuple[int, float]]:
    """How many times faster than jrnl at 2,500 entries an entry is added, by size of archive."""

    def find(program: str, command: str) -> dict[int, CommandFigure]:
        return {
            figure.size: figure
            for figure in results.commands
            if figure.program == program and figure.command == command
        }

    theirs = find("jrnl", "add, 2,500 entries")
    for size, ours in find("arkived", "add").items():
        if size in theirs:
            yield size, theirs[size].times.p50 / ours.times.p50


def most(
    target: str, limit: float | None, unit: str, found: Iterable[tuple[int, float]]
) -> Verdict:
    """A target that no figure may exceed; without a limit the figure only stands there."""
    return judge(target, unit, max(found, key=lambda pair: pair[1], default=None), limit, 1)


def least(target: str, limit: float, unit: str, found: Iterable[tuple[int, float]]) -> Verdict:
    return judge(target, unit, min(found, key=lambda pair: pair[1], default=None), limit, -1)


def judge(
    target: str, unit: str, worst: tuple[int, float] | None, limit: float | None, sign: int
) -> Verdict:
    if worst is None:
        return Verdict(target, "not measured", None)
    size, value = worst
    shown = f"{value:,.0f}" if value >= 1_000 else f"{value:.3g}"
    is_met = None if limit is None else value * sign <= limit * sign
    return Verdict(target, f"{shown} {unit} at {short(size)}", is_met)
