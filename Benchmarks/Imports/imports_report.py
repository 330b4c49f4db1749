"""What a run of the benchmark of imports says: targets and tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parted import MEGABYTE, failures, places
from report import grid, number

AGAIN_RATIO = 5.0
# Twice the size may take so many times as long.
STRAIGHT_RATIO = 2.3


def page(results: dict[str, Any], found: list[dict[str, str]], command: str) -> str:
    figures = {name: part["figures"] for name, part in results.items()}
    parts = [
        "# Imports: results",
        "Generated exports of real shape, each into an empty archive by `arkived import` (the whole "
        f"process), and then once more. `{command}`",
        places(results),
        targets(figures),
        imports(figures),
        peers(figures),
    ]
    if found:
        parts.append(failures(found))
    return "\n\n".join(part for part in parts if part) + "\n"


def targets(figures: dict[str, Any]) -> str:
    rows = []

    def row(target: str, figure: str, is_met: bool) -> None:
        rows.append((target, figure, "yes" if is_met else "**no**"))

    for part in figures.values():
        about, first, limits = part["about"], part["first"], part["limits"]
        # A smaller file has its share of the time.
        seconds = limits["seconds"] * part["bytes"] / limits["size"]
        row(
            f"{about}: {number(part['bytes'] / MEGABYTE)} MB in {number(seconds)} s",
            f"{number(first['seconds'])} s", first["seconds"] <= seconds,
        )  # fmt: skip
        memory = first["memory"] / MEGABYTE
        row(
            f"{about}: in {number(limits['megabytes'])} MB", f"{number(memory)} MB",
            memory <= limits["megabytes"],
        )  # fmt: skip
        ratio = first["seconds"] / part["again"]["seconds"]
        row(
            f"{about}: the second time {number(AGAIN_RATIO)} times as fast", number(ratio),
            ratio >= AGAIN_RATIO,
        )  # fmt: skip
        growth = first["seconds"] / part["half"]["seconds"]
        row(
            f"{about}: straight in the size", f"{number(growth)} times as long as half",
            growth <= STRAIGHT_RATIO,
        )  # fmt: skip
        for peer in part["peers"]:
            if part.get("rate"):
                beside(row, part, peer)
                continue
            ratio = peer["seconds"] / first["seconds"]
            row(
                f"{about}: {number(peer['least'])} times the rate of {peer['name']}",
                number(ratio), ratio >= peer["least"],
            )  # fmt: skip
    return grid("Targets", ["target", "figure", "met"], rows)


def beside(
    row: Callable[[str, str, bool], None], part: dict[str, Any], peer: dict[str, Any]
) -> None:
    """How fast entries come in beside what a copy of their files takes."""
    entries, rate = part["first"]["created"], part["rate"]
    rest = part["first"]["seconds"] - peer["seconds"]
    row(
        f"{part['about']}: {rate:,.0f} entries a second beside {peer['name']}",
        f"{number(entries / rest)} a second" if rest > 0 else "faster than that",
        rest <= entries / rate,
    )  # fmt: skip


def imports(figures: dict[str, Any]) -> str:
    rows = []
    for part in figures.values():
        first, again = part["first"], part["again"]
        rows.append(
            (
                part["about"], number(part["bytes"] / MEGABYTE),
                ", ".join(f"{count:,} {name}" for name, count in part["counts"].items()),
                f"{first['created']:,}", number(first["seconds"]), number(first["cpu"]),
                number(part["bytes"] / MEGABYTE / first["seconds"]),
                number(first["memory"] / MEGABYTE), number(part["disk"] / MEGABYTE),
                number(again["seconds"]), number(again["memory"] / MEGABYTE),
            )
        )  # fmt: skip
    return grid(
        "Exports",
        [
            "export", "MB", "holds", "entries made", "s", "CPU s", "MB/s", "memory, MB",
            "archive, MB", "second time, s", "memory, MB",
        ],
        rows,
    )  # fmt: skip


def peers(figures: dict[str, Any]) -> str:
    rows = [
        (
            part["about"], number(part["first"]["seconds"]), peer["name"],
            number(peer["seconds"]), number(peer["seconds"] / part["first"]["seconds"]),
            number(peer["memory"] / MEGABYTE),
        )
        for part in figures.values()
        for peer in part["peers"]
    ]  # fmt: skip
    return grid(
        "Beside others",
        ["export", "Arkived, s", "peer", "peer, s", "times as long", "peer's memory, MB"], rows,
    )  # fmt: skip
