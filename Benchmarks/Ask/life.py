"""The entries of an export as plain objects, and the predicates that answers are computed with."""

from __future__ import annotations

import datetime as dt
import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo


@dataclass(frozen=True, eq=False)
class Entry:
    """An activity or the note of a day."""

    id: str
    type: str  # activity | day
    day: str
    text: str  # a day's title and note together
    tags: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    kind: str = ""
    place: str = ""
    zone: str = ""
    source: str = ""
    measures: dict[str, float] = field(default_factory=dict)
    minutes: float | None = None
    start: dt.datetime | None = None  # local
    end: dt.datetime | None = None
    mood: int | None = None
    energy: int | None = None
    title: str = ""

    @property
    def date(self) -> dt.date:
        return dt.date.fromisoformat(self.day)


@dataclass(frozen=True)
class Metric:
    id: str
    day: str
    metric: str
    value: float


def instant(text: str | None, zone: str) -> dt.datetime | None:
    if not text:
        return None
    moment = dt.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return moment.astimezone(ZoneInfo(zone)) if zone else moment


class Life:
    def __init__(self, file: Path) -> None:
        self.acts: list[Entry] = []
        self.days: list[Entry] = []
        self.metrics: list[Metric] = []
        self.persons: dict[str, list[str]] = {}
        for line in file.read_text(encoding="utf-8").splitlines():
            item: dict[str, Any] = json.loads(line)
            match item["type"]:
                case "activity":
                    self.acts.append(self.activity(item))
                case "day":
                    text = "\n".join(filter(None, (item["title"], item["note"])))
                    self.days.append(
                        Entry(
                            item["id"], "day", item["dayKey"], text, people=tuple(item["people"]),
                            mood=item["mood"], energy=item["energy"], title=item["title"] or "",
                        )
                    )
                case "metric":
                    self.metrics.append(
                        Metric(item["id"], item["dayKey"], item["metric"], item["value"])
                    )
                case "person":
                    self.persons[item["name"]] = item["aliases"]
        self.acts.sort(key=lambda e: (e.day, e.start.isoformat() if e.start else "z", e.text))
        self.days.sort(key=lambda e: e.day)
        self.note = {e.day: e for e in self.days}

    @staticmethod
    def activity(item: dict[str, Any]) -> Entry:
        item = defaultdict(lambda: None, item)
        zone = item["timeZone"] or "UTC"
        start, end = instant(item["startAt"], zone), instant(item["endAt"], zone)
        minutes = item["durationMinutes"]
        if minutes is None and start and end:
            minutes = (end - start).total_seconds() / 60
        return Entry(
            item["id"], "activity", item["dayKey"] or start.date().isoformat(), item["text"], tuple(item["tags"]),
            tuple(item["people"] or ()), item["kind"], item["locationLabel"] or "", zone,
            item["source"] or "", item["measurements"] or {}, minutes, start, end,
        )

    def a(
        self,
        rx: str | None = None,
        when: tuple[str, str] | str | None = None,
        tag: str | None = None,
        who: str | None = None,
        kind: str | None = None,
        place: str | None = None,
        not_: str | None = None,
        weekday: int | None = None,
        measure: str | None = None,
        zone: str | None = None,
        tags: Iterable[str] = (),
    ) -> list[Entry]:
        """Activities whose text matches, with all of the fields asked for."""
        first, last = span(when)
        return [
            e
            for e in self.acts
            if first <= e.day <= last
            and (rx is None or re.search(rx, e.text))
            and (tag is None or tag in e.tags)
            and all(t in e.tags for t in tags)
            and (who is None or who in e.people)
            and (kind is None or e.kind == kind)
            and (place is None or re.search(place, e.place))
            and (not_ is None or not re.search(not_, e.text))
            and (weekday is None or e.date.weekday() == weekday)
            and (measure is None or measure in e.measures)
            and (zone is None or e.zone == zone)
        ]

    def n(
        self,
        rx: str | None = None,
        when: tuple[str, str] | str | None = None,
        who: str | None = None,
        mood: int | None = None,
        energy: int | None = None,
    ) -> list[Entry]:
        """Day notes whose text matches."""
        first, last = span(when)
        return [
            e
            for e in self.days
            if first <= e.day <= last
            and (rx is None or re.search(rx, e.text))
            and (who is None or who in e.people)
            and (mood is None or e.mood == mood)
            and (energy is None or e.energy == energy)
        ]

    def m(self, metric: str, when: tuple[str, str] | str | None = None) -> list[Metric]:
        first, last = span(when)
        return [m for m in self.metrics if m.metric == metric and first <= m.day <= last]

    def spellings(self, name: str) -> list[str]:
        first = [w for w in name.split() if w != "Dr."]
        kin = {"Margaret Ashworth": ["Mother"], "Peter Ashworth": ["Father"]}
        return [name, first[0], *self.persons.get(name, []), *kin.get(name, [])]


def span(when: tuple[str, str] | str | None) -> tuple[str, str]:
    """A year, a month, a day, or a first and last day, as days that are both included."""
    if when is None:
        return "0000-00-00", "9999-99-99"
    if isinstance(when, tuple):
        return when
    if len(when) == 4:
        return f"{when}-01-01", f"{when}-12-31"
    if len(when) == 7:
        return f"{when}-01", f"{when}-31"
    return when, when


def days_between(when: tuple[str, str] | str) -> list[str]:
    first, last = span(when)
    if len(when) == 7 and isinstance(when, str):
        year, month = map(int, when.split("-"))
        last = (dt.date(year + month // 12, month % 12 + 1, 1) - dt.timedelta(1)).isoformat()
    day, end = dt.date.fromisoformat(first), dt.date.fromisoformat(last)
    return [(day + dt.timedelta(i)).isoformat() for i in range((end - day).days + 1)]


def days_of(entries: Iterable[Entry]) -> list[str]:
    return sorted({e.day for e in entries})


def total(entries: Iterable[Entry], measure: str) -> float:
    return round(sum(e.measures.get(measure, 0) for e in entries), 4)


def minutes(entries: Iterable[Entry]) -> float:
    return sum(e.minutes or 0 for e in entries)


def tally(entries: Iterable[Entry], key: str) -> Counter[str]:
    """How many entries name each person, or each first group of a pattern."""
    counts: Counter[str] = Counter()
    for e in entries:
        if key == "people":
            counts.update(set(e.people))
        elif key == "place":
            counts.update([e.place] if e.place else [])
        elif match := re.search(key, e.text):
            counts[match[1]] += 1
    return counts


def fold(text: str) -> str:
    text = unicodedata.normalize("NFD", str(text).casefold())
    text = "".join(c for c in text if not unicodedata.combining(c))
    return re.sub(r"[^\w]+", " ", text).strip()


def both(*groups: list[Entry]) -> list[Entry]:
    """Entries of any of the groups, each once."""
    seen: dict[str, Entry] = {}
    for group in groups:
        for e in group:
            seen.setdefault(e.id, e)
    return list(seen.values())
