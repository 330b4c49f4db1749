"""The results of the benchmark of `ask`, in Markdown."""

from __future__ import annotations

from typing import Any

from parted import MEGABYTE, both, failures, places
from report import grid, number, ratio
from targets import short

HALVES = ("test", "tune")
MEMORY = ("rest_bytes", "memory_bytes", "own_bytes", "peak_bytes")


def page(parts_measured: dict[str, Any], failed: list[dict[str, str]], command: str) -> str:
    results = {name: part["figures"] for name, part in parts_measured.items()}
    speed, quality = results.get("speed", []), results.get("quality", [])
    parts = [
        "# Ask: results",
        f"Written by `{command}`; [README.md](README.md) says what is measured and how.",
        places(parts_measured),
        sets(quality),
        *(kinds_of_set(found) for found in quality),
        served(speed),
        kinds(speed),
        slowest(speed),
        peer(speed),
        differences(speed),
        processes(speed),
        failures(failed),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


# MARK: Quality


def sets(found: list[dict[str, Any]]) -> str:
    rows = [
        [one["name"]]
        + [cell for half in HALVES for cell in verdict(one["halves"].get(half, {}).get("all"))]
        for one in found
    ]
    head = ["set", "test: right", "%", "wrong", "tune: right", "%", "wrong"]
    return grid(
        "Quality", head, rows,
        "Right of asked; wrong is wrong without a sign that something was not used. All sets have been "
        "read by now.",
    )  # fmt: skip


def kinds_of_set(found: dict[str, Any]) -> str:
    names = sorted({kind for half in HALVES for kind in found["halves"].get(half, {})} - {"all"})
    rows = [
        [name] + [cell for half in HALVES for cell in verdict(found["halves"].get(half, {}).get(name))]
        for name in names
    ]
    head = ["kind", "test: right", "%", "wrong", "tune: right", "%", "wrong"]
    return grid(f"Quality: {found['name']}", head, rows)


def verdict(counts: dict[str, int] | None) -> list[str]:
    if not counts:
        return ["–", "–", "–"]
    asked = sum(counts.values())
    share = 100 * counts["right"] / asked
    return [f"{counts['right']} of {asked}", f"{share:.0f}", str(counts["WRONG"])]


# MARK: Speed


def served(found: list[dict[str, Any]]) -> str:
    rows = [
        [
            short(f["size"]), str(f["all"]["runs"]), number(f["all"]["p50"]),
            number(f["all"]["p99"]), number(f["all"]["longest"]), number(f["warm_up_ms"]),
            *(number(f[key] / MEGABYTE) for key in MEMORY),
            f"{f['load'][0]} – {f['load'][1]}",
        ]
        for f in found
    ]  # fmt: skip
    head = [
        "entries", "questions", "p50 ms", "p99 ms", "slowest ms", "first of all ms", "MB at rest",
        "MB afterwards", "without mapped files", "MB at most", "load",
    ]  # fmt: skip
    return grid(
        "Questions over HTTP", head, rows,
        "Each question once, of all kinds in a mixed order, from the request to the last byte.",
    )  # fmt: skip


def kinds(found: list[dict[str, Any]]) -> str:
    if not found:
        return ""
    rows = []
    for kind, last in found[-1]["kinds"].items():
        cells = [f["kinds"][kind] for f in found]
        rows.append(
            [kind] + [f"{number(c['p50'])} / {number(c['longest'])}" for c in cells]
            + [f"{last['none']} of {last['runs']}", last["slowest"]]
        )  # fmt: skip
    head = ["kind", *(short(f["size"]) for f in found), "found nothing", "the slowest"]
    return grid("Questions by kind, p50 / slowest in ms", head, rows,
                "The last columns are of the largest archive.")  # fmt: skip


def slowest(found: list[dict[str, Any]]) -> str:
    if not found:
        return ""
    worst = sorted(found[-1]["asked"], key=lambda row: -row["ms"])[:5]
    rows = [[row["question"], row["kind"], number(row["ms"])] for row in worst]
    return grid(
        f"The slowest, {short(found[-1]['size'])} entries", ["question", "kind", "ms"], rows
    )


def peer(found: list[dict[str, Any]]) -> str:
    if not found:
        return ""
    rows = []
    for kind in found[-1]["peer"]:
        for f in found:
            figure = f["peer"][kind]
            row = [f"{kind}, {short(f['size'])}", f"{figure['same']} of {figure['asked']}"]
            if figure["same"]:
                ours, theirs = figure["arkived"], figure["sqlite"]
                row += [both(ours), both(theirs), ratio(ours["p50"], theirs["p50"]),
                        ratio(ours["p99"], theirs["p99"])]  # fmt: skip
            else:
                row += ["–"] * 4
            rows.append(row)
    head = ["question", "same figure", "arkived", "SQLite", "p50: arkived takes", "p99"]
    return grid(
        "Beside SQLite asked by hand, p50 / p99 in ms", head, rows,
        "Arkived reads the question, answers over HTTP and cites entries; SQLite, in Python's own "
        "process, only finds the figure. Times are of the questions with the same figure.",
    )  # fmt: skip


def differences(found: list[dict[str, Any]]) -> str:
    """What Arkived and SQLite tell differently, once for each question."""
    told: dict[str, list[str]] = {}
    for f in found:
        for figure in f["peer"].values():
            for one in figure["differ"]:
                row = [one["question"], short(f["size"]), str(one["sql"]), one["arkived"]]
                told.setdefault(one["question"], row)
    return grid(
        "Another figure than SQLite's", ["question", "entries", "SQLite", "arkived"],
        list(told.values()),
    )  # fmt: skip


def processes(found: list[dict[str, Any]]) -> str:
    if not found:
        return ""
    rows = []
    for name, last in found[-1]["processes"].items():
        memory = last.get("peak_bytes")
        rows.append(
            [name if name == "true" else f"ask, {name}"]
            + [both(f["processes"][name]) for f in found]
            + [number(memory / MEGABYTE) if memory else "–"]
        )
    head = ["process", *(short(f["size"]) for f in found), "peak MB"]
    return grid(
        "`arkived ask` as a whole process, p50 / p99 in ms", head, rows,
        f"{found[-1]['processes']['true']['runs']} runs of each in turn, the file cache warm; "
        "`true` does nothing. Memory is of the largest archive.",
    )  # fmt: skip
