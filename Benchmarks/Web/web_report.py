"""The pages' figures beside their targets, in Markdown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parted import failures, places
from report import grid, number, ratio

KILOBYTE = 1_000
# What a page may weigh in scripts and styles beside the editor's own, in bytes.
WEIGHT_LIMIT = 90 * KILOBYTE
# Sums of layout shifts are shown with three digits.
SHIFT_LIMIT = 0.0004


def page(results: dict[str, Any], found: list[dict[str, str]], size: int) -> str:
    """The whole page: targets first, then every part, failures last."""
    figures = {name: part["figures"] for name, part in results.items()}
    parts = [
        "# Pages: results",
        f"A life of {size:,} entries in a real Chromium, written by `Benchmarks/Web/run`. "
        "*First paint* is the browser's first contentful paint, *all* is when the second frame "
        "began after the whole page was read and its scripts had run. Both count from when the "
        "page was asked for; where a key led to it, from the press of that key. Times are p50 / "
        "p95 in milliseconds.",
        places(results),
        targets(figures),
        today(figures),
        moves(figures),
        insights(figures),
        map_of_everything(figures),
        photos(figures),
        calm(figures),
        failures(found),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def both(figure: dict[str, float]) -> str:
    return f"{number(figure['p50'])} / {number(figure['p95'])}"


def targets(figures: dict[str, Any]) -> str:
    """Each target beside the figure that is furthest from it."""
    rows: list[tuple[str, str, str]] = []

    def judge(part: str, target: str, limit: float, unit: str, read: Callable[[Any], float]) -> None:
        if part not in figures:
            rows.append((target, "not measured", "–"))
            return
        value = read(figures[part])
        shown = f"{value:.3f}" if unit == "" else f"{number(value)} {unit}"
        rows.append((target, shown.strip(), "yes" if value <= limit else "**no**"))

    def slowest(name: str) -> Callable[[Any], float]:
        return lambda pages: max(figure[name]["p95"] for figure in pages.values())

    judge(
        "today", "Today, first paint p95 at most 250 ms", 250, "ms",
        lambda f: f["warm"]["first"]["p95"],
    )  # fmt: skip
    judge(
        "today", "the same with an empty browser", 250, "ms", lambda f: f["empty"]["first"]["p95"]
    )
    judge(
        "add", "quick add, Enter to the next paint p95 at most 100 ms", 100, "ms",
        lambda f: f["first"]["p95"],
    )  # fmt: skip
    judge("days", "from day to day, p95 at most 80 ms", 80, "ms", lambda f: f["first"]["p95"])
    judge(
        "calendar", "a calendar year, all of it, p95 at most 200 ms", 200, "ms",
        lambda f: f["year"]["whole"]["p95"],
    )  # fmt: skip
    judge(
        "insights", "insights over the whole life, the slowest page, p95 at most 1 s", 1000, "ms",
        slowest("whole"),
    )  # fmt: skip
    judge(
        "map", "the map of everything, all marks drawn p95 at most 400 ms", 400, "ms",
        lambda f: f["warm"]["whole"]["p95"],
    )  # fmt: skip
    judge(
        "map", "the same with an empty browser", 400, "ms", lambda f: f["empty"]["whole"]["p95"]
    )
    judge(
        "photos", "photos scrolled without a frame over 50 ms", 0, "frames",
        lambda f: sum(one["long"] for one in of_photos(f)),
    )  # fmt: skip
    judge(
        "photos", "no layout shift while photos are scrolled", SHIFT_LIMIT, "",
        lambda f: max(one["shift"] for one in of_photos(f)),
    )  # fmt: skip
    judge(
        "calm", "no layout shift on any page (sum, three digits)", SHIFT_LIMIT, "",
        lambda f: max(one["shift"] for one in f["pages"]),
    )  # fmt: skip
    judge("calm", "no error in the console", 0, "errors", lambda f: len(f["errors"]))
    judge("calm", "no request to another host", 0, "requests", lambda f: len(f["elsewhere"]))
    judge(
        "calm", "at most 90 kB of script and style beside the editor's own, the heaviest page",
        WEIGHT_LIMIT / KILOBYTE, "kB",
        lambda f: max(one["bytes"] for one in f["pages"]) / KILOBYTE,
    )  # fmt: skip
    return grid("Targets", ["target", "measured", "reached"], rows)


def today(figures: dict[str, Any]) -> str:
    if "today" not in figures:
        return ""
    found = figures["today"]
    names = {
        "empty": "Today, empty browser", "warm": "Today, again",
        "file": "a plain page of as many bytes, by Python's `http.server`",
    }  # fmt: skip
    peer = found["file"]["first"]["p50"]
    rows = [
        (
            label, both(found[name]["answered"]), both(found[name]["first"]),
            both(found[name]["whole"]), ratio(found[name]["first"]["p50"], peer),
        )
        for name, label in names.items()
    ]  # fmt: skip
    return grid(
        "Today",
        ["page", "first byte", "first paint", "all", "first paint beside the plain page"],
        rows,
        f"{found['bytes'] / KILOBYTE:,.0f} kB of HTML, {found['warm']['runs']} loads of each in turn.",
    )


def moves(figures: dict[str, Any]) -> str:
    found = {}
    if "add" in figures:
        found["quick add, from Enter to the page with the entry"] = figures["add"]
    if "days" in figures:
        found["a day to the day before"] = figures["days"]
    for unit, figure in figures.get("calendar", {}).items():
        found[f"calendar: {unit} to the {unit} before"] = figure
    rows = [(name, both(one["first"]), both(one["whole"])) for name, one in found.items()]
    return grid("By key", ["from … to", "first paint", "all"], rows)


def insights(figures: dict[str, Any]) -> str:
    rows = [
        (
            topic, both(one["answered"]), both(one["first"]), both(one["whole"]),
            number(one["begin"]),
        )
        for topic, one in figures.get("insights", {}).items()
    ]  # fmt: skip
    return grid(
        "Insights over the whole life",
        ["page", "first byte", "first paint", "all", "all, the first time"],
        rows,
        "*compare* holds one half of the life against the other; *year* is the last one.",
    )


def map_of_everything(figures: dict[str, Any]) -> str:
    if "map" not in figures:
        return ""
    found = figures["map"]
    names = {
        "empty": "the map, empty browser", "warm": "the map, again",
        "file": "a plain page of as many bytes, by Python's `http.server`",
    }  # fmt: skip
    peer = found["file"]["whole"]["p50"]
    rows = [
        (
            label, both(found[name]["answered"]), both(found[name]["first"]),
            both(found[name]["whole"]), both(found[name]["last"]) if "last" in found[name] else "–",
            ratio(found[name]["whole"]["p50"], peer),
        )
        for name, label in names.items()
    ]  # fmt: skip
    return grid(
        "The map of everything",
        [
            "page", "first byte", "first paint", "all marks", "last file of the map",
            "all marks beside the plain page",
        ],
        rows,
        f"{found['bytes'] / KILOBYTE:,.0f} kB of HTML, {found['warm']['runs']} loads of each in turn. "
        f"The first load after the start of the server took {number(found['begin'])} ms.",
    )  # fmt: skip


def of_photos(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the figures of scrolling photos, without the plain page."""
    return [one for name, one in found["scrolled"].items() if name != "plain"]


def photos(figures: dict[str, Any]) -> str:
    if "photos" not in figures:
        return ""
    found = figures["photos"]
    names = {
        "begin": "photos without thumbnails", "again": "photos with thumbnails",
        "fast": "photos, most without thumbnails",
        "plain": "a long plain page, by Python's `http.server`",
    }  # fmt: skip

    def filled(one: dict[str, Any]) -> str:
        return "over a minute" if one["filled"] is None else number(one["filled"])

    rows = [
        (
            f"{label}, {one['speed']:,} px/s", f"{one['frames']:,}", number(one["p99"]),
            number(one["longest"]), f"{one['long']}", f"{one['shift']:.3f}",
            f"{one['months']}" if one["months"] else "–", filled(one) if one["months"] else "–",
        )
        for label, one in ((label, found["scrolled"][name]) for name, label in names.items())
    ]  # fmt: skip
    opened = found["opened"]
    return grid(
        "Photos",
        [
            "scrolled", "frames", "p99", "longest", "over 50 ms", "layout shift", "months",
            "until all in view have loaded",
        ],
        rows,
        f"{found['pictures']:,} pictures, imported in {number(found['import_seconds'])} s. Each page "
        f"was scrolled for {found['seconds']} s, while the server made thumbnails in the background. "
        "Times are in milliseconds; those of frames are from the beginning of one to the next. "
        f"Opening `/photos` took {both(opened['first'])} until the first paint and "
        f"{both(opened['whole'])} until all was painted.",
    )  # fmt: skip


def calm(figures: dict[str, Any]) -> str:
    if "calm" not in figures:
        return ""
    found = figures["calm"]
    pages = {one["address"]: {} for one in found["pages"]}
    for one in found["pages"]:
        pages[one["address"]][one["window"]] = one
    rows = [
        (
            f"`{address}`",
            *(f"{one[name]['shift']:.3f}" if name in one else "–" for name in ("desk", "phone")),
            *(
                f"{max(each[part] for each in one.values()) / KILOBYTE:.1f}"
                for part in ("bytes", "editor")
            ),
        )
        for address, one in pages.items()
    ]
    told = [
        f"All scripts and styles together are {found['all'] / KILOBYTE:.1f} kB, with the service "
        f"worker's {found['worker'] / KILOBYTE:.1f}; each is compressed by itself (gzip 9)."
    ]
    told += [f"Error: {error}" for error in found["errors"][:20]]
    told += [f"Elsewhere: {address}" for address in found["elsewhere"][:20]]
    return grid(
        "Every page",
        ["page", "layout shift at 1280", "at 390", "script and style, kB", "the editor's, kB"],
        rows, "\n\n".join(told),
    )  # fmt: skip
