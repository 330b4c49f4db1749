"""What a run of the benchmark of meetings says: targets and tables."""

from __future__ import annotations

from typing import Any

from parted import MEGABYTE, both, failures, places
from report import grid, number

PLACES = {"folder": "folder of files", "file": "one file", "caldav": "CalDAV, Radicale"}
FIRST_SECONDS, FIRST_MEGABYTES, AGAIN_SECONDS, READ_MILLISECONDS = 60.0, 200.0, 1.0, 300.0
BRIEF_MILLISECONDS = 200.0


def page(results: dict[str, Any], found: list[dict[str, str]], command: str) -> str:
    figures = {name: part["figures"] for name, part in results.items()}
    synced = {name: figures[name] for name in PLACES if name in figures}
    parts = [
        "# Calendars and meetings: results",
        "An invented calendar of twelve years: one event in twenty is a series, most of those with "
        f"moved occurrences; four in five have attendees. `{command}`",
        places(results),
    ]
    parts += [targets(figures), syncs(synced), peers(figures)]
    if "reading" in figures:
        parts += reading(figures["reading"])
    if found:
        parts.append(failures(found))
    return "\n\n".join(part for part in parts if part) + "\n"


def targets(figures: dict[str, Any]) -> str:
    rows = []

    def row(target: str, value: float, unit: str, limit: float) -> None:
        rows.append((target, f"{number(value)} {unit}", "yes" if value < limit else "**no**"))

    for name, label in PLACES.items():
        if name not in figures:
            continue
        part = figures[name]
        row(f"first sync, {label}: under 60 s", part["first"]["seconds"], "s", FIRST_SECONDS)
        row(
            f"first sync, {label}: under 200 MB", part["first"]["memory"] / MEGABYTE, "MB",
            FIRST_MEGABYTES,
        )  # fmt: skip
        row(f"nothing changed, {label}: under 1 s", part["again"]["p50"] / 1e3, "s", AGAIN_SECONDS)
    if "reading" in figures:
        commands, served = figures["reading"]["commands"], figures["reading"]["served"]
        for name, figure in (commands | served).items():
            limit = BRIEF_MILLISECONDS if "brief" in name else READ_MILLISECONDS
            row(f"{name}: p50 under {limit:.0f} ms", figure["p50"], "ms", limit)
    return grid("Targets", ["target", "figure", "met"], rows)


def syncs(synced: dict[str, Any]) -> str:
    rows = []
    for name, part in synced.items():
        first = part["first"]
        few, many = part["changed"]
        rows.append(
            (
                PLACES[name], f"{part['events']:,}", f"{part['meetings']:,}",
                number(first["seconds"]), f"{first['memory'] / MEGABYTE:.0f}",
                both(part["again"]),
                f"{few['count']:,}: {number(few['seconds'])}",
                f"{many['count']:,}: {number(many['seconds'])}",
                f"{many['memory'] / MEGABYTE:.0f}",
            )
        )  # fmt: skip
    table = grid(
        "Bringing a calendar in line",
        [
            "from", "events", "meetings", "first, s", "memory, MB",
            "nothing changed, ms p50 / p99", "some changed, s", "many changed, s", "memory, MB",
        ],
        rows,
    )  # fmt: skip
    return table and table + (
        "\n\n`arkived sync`, the whole process, and the most memory it held. *Meetings* are more than "
        "the events, since each time of a series is one. A changed event has another title and end. "
        "One file is read whole when a part of it has changed. Radicale has read its own files "
        "before each sync: what it takes for that is in no figure."
    )


def peers(figures: dict[str, Any]) -> str:
    rows = []

    def row(what: str, own: float, peer: str, seconds: float, memory: float | None = None) -> None:
        rows.append(
            (
                what, number(own), peer, number(seconds), f"{own / seconds:.2f}",
                f"{memory / MEGABYTE:.0f}" if memory else "–",
            )
        )  # fmt: skip

    for part, name, label in (("folder", "khal", "khal"), ("caldav", "vdirsyncer", "vdirsyncer")):
        if name in figures.get(part, {}):
            ours, peer = figures[part], figures[part][name]
            row(f"first, {PLACES[part]}", ours["first"]["seconds"], label, peer["first"],
                peer["memory"])  # fmt: skip
            row(f"nothing changed, {PLACES[part]}", ours["again"]["p50"] / 1e3, label,
                peer["again"])  # fmt: skip
    if "icalendar" in figures.get("file", {}):
        peer = figures["file"]["icalendar"]
        row("first, one file", figures["file"]["first"]["seconds"],
            f"icalendar and recurring_ical_events, {peer['occurrences']:,} occurrences",
            peer["first"], peer["memory"])  # fmt: skip
    if "asked_sync" in figures.get("caldav", {}):
        ours = figures["caldav"]
        for name, label in (
            ("tag", "Radicale alone, its tag asked by curl"),
            ("changes", "Radicale alone, a sync report asked by curl"),
        ):
            row("nothing changed, in turn with curl", ours["asked_sync"]["p50"] / 1e3, label,
                ours[f"asked_{name}"]["p50"] / 1e3)  # fmt: skip
    table = grid(
        "Beside others", ["what", "Arkived, s", "peer", "peer, s", "ratio", "peer's memory, MB"],
        rows,
    )  # fmt: skip
    return table and table + (
        "\n\nkhal keeps the events of the folder in a database of its own and lists a day; "
        "vdirsyncer writes a file for each event; icalendar with recurring_ical_events finds every "
        "occurrence and keeps nothing. None of them keeps who takes part, or a history. Radicale "
        "looks through all its events for any answer, so that nobody learns faster that nothing "
        "has changed than *Radicale alone* does."
    )


def reading(figures: dict[str, Any]) -> list[str]:
    head = (
        f"The archive of a life: {figures['activities']:,} entries, {figures['meetings']:,} "
        f"meetings, {figures['people']:,} people, {figures['notes']:,} notes of meetings with "
        f"{figures['promises']:,} open promises. The calendar's {number(figures['sync']['seconds'])}"
        f" s of first sync into it took {figures['sync']['memory'] / MEGABYTE:.0f} MB."
    )
    commands = grid(
        "Reading, whole processes", ["command", "ms p50 / p99", "runs"],
        [(f"`arkived {name}`", both(one), str(one["runs"]))
         for name, one in figures["commands"].items()], head,
    )  # fmt: skip
    served = grid(
        "Reading, from a running server", ["what", "ms p50 / p99", "runs"],
        [(name, both(one), str(one["runs"])) for name, one in figures["served"].items()],
        "Each time another meeting or person.",
    )  # fmt: skip
    return [commands, served]
