"""Google's Records.json as Takeout wrote it from 2022 to 2024: as many days of a phone as a size allows.

One object a point, over several lines, with the source, the device and, in every third, a list of what
the phone took its bearer to be doing. At rest a point comes every three minutes, on the way every half
minute; a night is spent at home, a working day at work, with an errand on foot in the evening.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from imports_bench import ImportsBench
    from imports_peers import Peer

NAME = "google"
ABOUT = "Google Timeline, Records.json"
FILE = "Records.json"
SIZE = 1_000_000_000
SECONDS, MEGABYTES = 60.0, 150.0

# The benchmarks' clock stands on the day after.
LAST = datetime(2025, 12, 30, tzinfo=timezone.utc)
HOME, WORK = (52.5163, 13.3777), (52.4700, 13.4300)
REST, MOVE = 180, 30
GUESSES = {
    "STILL": [("STILL", 92), ("UNKNOWN", 5), ("IN_VEHICLE", 3)],
    "IN_VEHICLE": [("IN_VEHICLE", 78), ("IN_ROAD_VEHICLE", 78), ("STILL", 12), ("UNKNOWN", 10)],
    "WALKING": [("ON_FOOT", 88), ("WALKING", 88), ("UNKNOWN", 8), ("STILL", 4)],
}


def write(file: Path, size: int) -> dict[str, int]:
    """Writes points of about so many bytes; the same bytes each time."""
    share = sum(len(text) + 4 for day in range(20) for text in points(LAST, day)) / 20
    days = max(1, round(size / share))
    start = LAST - timedelta(days=days - 1)
    counts = {"days": days, "points": 0}
    with file.open("w", encoding="utf-8", newline="\n") as out:
        out.write('{\n  "locations": [')
        for day in range(days):
            for text in points(start + timedelta(days=day), day):
                out.write(", " + text if counts["points"] else text)
                counts["points"] += 1
        out.write("]\n}\n")
    return counts


def points(day: datetime, number: int) -> Iterator[str]:
    """The points of a day, in the order of their times."""
    draw = random.Random(number)
    errand = (HOME[0] + draw.uniform(0.006, 0.012), HOME[1] + draw.uniform(-0.02, 0.02))
    works = day.weekday() < 5
    noon = WORK if works else (HOME[0] + draw.uniform(-0.2, 0.2), HOME[1] + draw.uniform(0.1, 0.3))
    # Where to, how, minutes of the way and of the stay behind it.
    plan = [
        (HOME, "STILL", 0, 8 * 60 - draw.randrange(30)),
        (noon, "IN_VEHICLE", draw.randrange(25, 45), 8 * 60),
        (HOME, "IN_VEHICLE", draw.randrange(25, 45), 60),
        (errand, "WALKING", draw.randrange(15, 30), 40),
        (HOME, "WALKING", draw.randrange(15, 30), 24 * 60),
    ]
    here, second = HOME, draw.randrange(REST)
    for goal, mode, way, stay in plan:
        begin = second
        while second < min(begin + way * 60, 86_400):
            part = (second - begin) / (way * 60)
            bend = 0.004 * math.sin(part * math.pi * 3)
            yield point(
                draw, day, second, mode, here[0] + (goal[0] - here[0]) * part + bend,
                here[1] + (goal[1] - here[1]) * part - bend, "GPS",
            )  # fmt: skip
            second += MOVE
        end = second + stay * 60
        while second < min(end, 86_400):
            yield point(draw, day, second, "STILL", *goal, "WIFI")
            second += REST
        here = goal


def point(
    draw: random.Random, day: datetime, second: int, mode: str, lat: float, lon: float, source: str
) -> str:
    """One object, indented as Takeout indents it."""
    stamp = (day + timedelta(seconds=second, milliseconds=draw.randrange(1000))).strftime
    time = stamp("%Y-%m-%dT%H:%M:%S.") + f"{draw.randrange(1000):03}Z"
    lat += draw.gauss(0, 0.00015)
    lon += draw.gauss(0, 0.0002)
    activity = ""
    if second // MOVE % 3 == 0:
        guesses = "}, {".join(
            f'\n        "type": "{kind}",\n        "confidence": {share}\n      '
            for kind, share in GUESSES[mode]
        )
        activity = (
            f'\n    "activity": [{{\n      "activity": [{{{guesses}}}],\n'
            f'      "timestamp": "{time}"\n    }}],'
        )
    return (
        f'{{\n    "latitudeE7": {round(lat * 1e7)},\n    "longitudeE7": {round(lon * 1e7)},\n'
        f'    "accuracy": {draw.randrange(8, 60)},{activity}\n    "source": "{source}",\n'
        f'    "deviceTag": 1577146451,\n    "timestamp": "{time}"\n  }}'
    )


def peers(bench: ImportsBench) -> list[Peer]:
    """None: those there are take the whole file into memory, or make a row of every point."""
    return []
