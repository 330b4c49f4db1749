"""The table of a run, in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from results import CommandFigure, Results, Times
from sqlite_peer import KINDS
from targets import short, verdicts

MEGABYTE = 1_000_000


def table(results: Results) -> str:
    """The whole page: targets first, then every part, failures last."""
    parts = [
        "# Results",
        "Written by `Benchmarks/run`; [README.md](README.md) says what is measured and how.",
        machine(results),
        "![Time against size](plot.svg)",
        targets(results),
        imports(results),
        commands(results),
        journals(results),
        servers(results),
        writes(results),
        waits(results),
        failures(results),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def grid(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], note: str = "") -> str:
    """A section with a table; nothing when there are no rows."""
    if not rows:
        return ""
    lines = [f"## {title}", ""]
    if note:
        lines += [note, ""]
    lines.append("| " + " | ".join(head) + " |")
    lines.append("|" + "---|" + "--:|" * (len(head) - 1))
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def number(value: float) -> str:
    """Three digits that count: 0.123, 12.3, 1,230."""
    if value != value:
        return "–"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def pair(times: Times) -> str:
    return f"{number(times.p50)} / {number(times.p99)}"


def ratio(value: float, peer: float) -> str:
    """How many times `peer` a value is: 1.58×"""
    return f"{number(value / peer)}×" if peer else "–"


def place(facts: dict[str, Any]) -> str:
    """Where and when a run was made."""
    memory = facts["memory_bytes"] / (1 << 30)
    return (
        f"{facts['date']}, commit {facts['commit']}, {facts['cores']} cores of "
        f"{facts['processor']}, {memory:.0f} GiB, {facts['system']}, {facts['file_system']}; "
        f"{facts['swift']}, SQLite {facts['sqlite']}, Python {facts['python']}. Load at the start "
        f"{facts['load']}; appending 4 KiB and flushing them takes {number(facts['flush_ms'])} ms."
    )


def machine(results: Results) -> str:
    return (
        f"{place(results.machine)} {results.options['runs']} runs of each command. Times are p50 / p99 in milliseconds "
        "unless a column says otherwise."
    )


def targets(results: Results) -> str:
    words = {True: "yes", False: "**no**", None: "–"}
    rows = [[each.target, each.figure, words[each.is_met]] for each in verdicts(results)]
    return grid("Targets", ["target", "furthest figure", "met"], rows)


def imports(results: Results) -> str:
    rows = [
        [
            short(figure.size),
            number(figure.seconds),
            number(figure.rate),
            number(figure.peak_bytes / MEGABYTE),
            number(figure.disk_bytes / MEGABYTE),
            number(figure.disk_bytes / figure.size),
            *(
                f"{number(rate)} ({ratio(rate, figure.rate)})"
                for rate in figure.sqlite_rates.values()
            ),
        ]
        for figure in results.imports
    ]
    head = ["activities", "s", "activities/s", "peak MB", "MB on disk", "bytes/activity"]
    head += [f"SQLite/s: {kind}" for kind in KINDS.values()]
    return grid("Bulk import", head, rows, "Whole process. In brackets: times Arkived's rate.")


def commands(results: Results) -> str:
    sizes = sorted({figure.size for figure in results.commands})
    by_key = {(f.program, f.command, f.size): f for f in results.commands}
    rows = []
    for program, command in dict.fromkeys((f.program, f.command) for f in results.commands):
        found = [by_key.get((program, command, size)) for size in sizes]
        last = next((figure for figure in reversed(found) if figure), None)
        rows.append(
            [
                f"{program}: {command}",
                *(pair(figure.times) + missed(figure) if figure else "–" for figure in found),
                number(last.cpu_ms) if last else "–",
                number(last.peak_bytes / MEGABYTE) if last and last.peak_bytes else "–",
            ]
        )
    head = ["command", *map(short, sizes), "CPU ms", "peak MB"]
    return grid("Command line", head, rows, "CPU and memory are those of the largest archive.")


def missed(figure: CommandFigure) -> str:
    return f" ({figure.failed_runs} failed)" if figure.failed_runs else ""


def journals(results: Results) -> str:
    by_key = {(f.program, f.command, f.size): f for f in results.journals}
    rows = []
    for command, size in dict.fromkeys((f.command, f.size) for f in results.journals):
        ours, theirs = by_key.get(("arkived", command, size)), by_key.get(("jrnl", command, size))
        rows.append(
            [
                f"{command}, {size:,} entries",
                pair(ours.times) if ours else "–",
                pair(theirs.times) if theirs else "–",
                ratio(theirs.times.p50, ours.times.p50) if ours and theirs else "–",
            ]
        )
    return grid("Beside jrnl", ["command", "arkived", "jrnl", "jrnl takes"], sorted_rows(rows))


def sorted_rows(rows: list[list[str]]) -> list[list[str]]:
    return sorted(rows, key=lambda row: row[0].rsplit(", ", 1)[0])


def servers(results: Results) -> str:
    rows = [
        [
            short(figure.size),
            pair(figure.ready),
            number(figure.rest_bytes / MEGABYTE),
            number(figure.busy_bytes / MEGABYTE),
            pair(figure.page),
            pair(figure.api_day),
            pair(figure.api_search),
        ]
        for figure in results.servers
    ]
    head = [
        "activities", "start until it answers", "MB at rest", "MB after requests", "day page",
        "API: a day", "API: a search",
    ]  # fmt: skip
    return grid("Server", head, rows)


def writes(results: Results) -> str:
    ways = {"http": "POST to the server", "inside": "inside one process"}
    rows = [
        [
            f"{ways[figure.way]}, {short(figure.size)}",
            pair(figure.arkived),
            pair(figure.one_table),
            ratio(figure.arkived.p50, figure.one_table.p50),
            pair(figure.same_rows),
            ratio(figure.arkived.p50, figure.same_rows.p50),
        ]
        for figure in results.writes
    ]
    head = [
        "one synced write", "arkived", "SQLite: one row", "arkived takes", "SQLite: the same rows",
        "arkived takes",
    ]  # fmt: skip
    return grid("Writing", head, rows)


def waits(results: Results) -> str:
    rows = [
        [
            f"{short(figure.imported)} into {short(figure.size)}",
            number(figure.import_seconds),
            str(figure.adds),
            number(figure.p50_ms),
            number(figure.longest_ms),
            str(figure.refused),
        ]
        for figure in results.waits
    ]
    head = ["import", "takes s", "adds meanwhile", "add p50 ms", "longest ms", "refused"]
    return grid("Adding while an import runs", head, rows)


def failures(results: Results) -> str:
    if not results.failures:
        return "No measurement failed."
    lines = ["## Failures", ""]
    for failure in results.failures:
        at = f" at {short(failure.size)}" if failure.size else ""
        lines.append(f"- FAILED {failure.part}{at}: {' '.join(failure.message.split())}")
    return "\n".join(lines)
