"""ActivityWatch's export of a server: windows, presence and pages of as many days as a size allows.

As the server of version 0.13 writes it: one line, the buckets by their names, events from the newest
on, a window event for every title (some forty an hour), times to the microsecond.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from imports_bench import ImportsBench
    from imports_peers import Peer

NAME = "activitywatch"
ABOUT = "ActivityWatch, export of a server"
FILE = "aw-buckets-export.json"
SIZE = 100_000_000
SECONDS, MEGABYTES = 10.0, 150.0

# The benchmarks' clock stands on the day after.
LAST = datetime(2025, 12, 30, tzinfo=timezone.utc)
HOST = "ada-laptop"
APPS = [
    ("Code", 34), ("firefox", 30), ("Slack", 12), ("Gnome-terminal", 12), ("Thunderbird", 7),
    ("Evince", 5),
]  # fmt: skip
SITES = ["github.com", "docs.swift.org", "en.wikipedia.org", "news.example.org", "mail.example.org"]
BUCKETS = [
    (f"aw-watcher-window_{HOST}", "currentwindow", "aw-watcher-window"),
    (f"aw-watcher-afk_{HOST}", "afkstatus", "aw-watcher-afk"),
    (f"aw-watcher-web-firefox_{HOST}", "web.tab.current", "aw-client-web"),
]


def write(file: Path, size: int) -> dict[str, int]:
    """Writes an export of about so many bytes; the same bytes each time."""
    share = sum(
        len(text) + 2 for kind in range(3) for day in range(10) for text in events(LAST, day, kind)
    ) / 10  # fmt: skip
    days = max(1, round(size / share))
    counts = {"days": days, "events": 0}
    with file.open("w", encoding="utf-8", newline="\n") as out:
        out.write('{"buckets": {')
        for kind, (name, sort, client) in enumerate(BUCKETS):
            head = {
                "id": name, "created": "2020-01-01T00:00:00.000000+00:00", "name": None,
                "type": sort, "client": client, "hostname": HOST, "data": {},
            }  # fmt: skip
            out.write((", " if kind else "") + f'"{name}": {json.dumps(head)[:-1]}, "events": [')
            is_first = True
            for number in range(days - 1, -1, -1):
                day = LAST - timedelta(days=days - 1 - number)
                for text in reversed(list(events(day, number, kind))):
                    out.write(text if is_first else ", " + text)
                    is_first = False
                    counts["events"] += 1
            out.write("]}")
        out.write("}}")
    return counts


def events(day: datetime, number: int, kind: int) -> Iterator[str]:
    """The events of a day in one of the buckets, from the oldest on."""
    draw = random.Random(number)
    moment = day + timedelta(hours=8, seconds=draw.randrange(1800))
    end = day + timedelta(hours=18)
    while moment < end:
        # An hour or so at the screen, then a break.
        here = timedelta(minutes=draw.randrange(40, 110))
        if kind == 1:
            away = timedelta(minutes=draw.randrange(5, 40))
            yield event(draw, moment, here.total_seconds(), {"status": "not-afk"})
            yield event(draw, moment + here, away.total_seconds(), {"status": "afk"})
            moment += here + away
            continue
        windows = random.Random(f"{number} {moment}")
        stop = moment + here
        now = moment
        while now < stop:
            app = windows.choices([one for one, _ in APPS], [share for _, share in APPS])[0]
            seconds = windows.expovariate(1 / 90) + 1
            page = windows.randrange(400)
            site = SITES[page % len(SITES)]
            title = f"{site} page {page}" if app == "firefox" else f"file_{page}.swift — project"
            if kind == 0:
                yield event(windows, now, seconds, {"app": app, "title": title})
            elif app == "firefox":
                data = {
                    "url": f"https://{site}/page/{page}", "title": title, "audible": False,
                    "incognito": False, "tabCount": 12,
                }  # fmt: skip
                yield event(windows, now, seconds, data)
            now += timedelta(seconds=seconds)
        moment += here + timedelta(minutes=draw.randrange(5, 40))


def event(draw: random.Random, moment: datetime, seconds: float, data: dict[str, Any]) -> str:
    """One event; its number says nothing."""
    return json.dumps(
        {
            "id": draw.randrange(1, 9_000_000),
            "timestamp": moment.strftime("%Y-%m-%dT%H:%M:%S.%f+00:00"),
            "duration": round(seconds, 3), "data": data,
        },
        ensure_ascii=False,
    )  # fmt: skip


def peers(bench: ImportsBench) -> list[Peer]:
    """None: its own server is what the export comes from."""
    return []
