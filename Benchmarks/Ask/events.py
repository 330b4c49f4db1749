"""Answers computed from the events that sentences were made of, never from the sentences."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from life import Life, days_between

Event = dict[str, Any]
MONTHS = "January February March April May June July August September October November December".split()


class Events:
    """The events of a truth file, and answers made of some of them (`ts`)."""

    def __init__(self, book, life: Life, truth: Path, today: dt.date, spell: Callable[[str], list[str]]) -> None:
        self.b, self.today, self.spell = book, today, spell
        self.all: list[Event] = [json.loads(x) for x in truth.read_text(encoding="utf-8").splitlines()]
        self.entry = {e.id: e for e in life.acts}
        for t in self.all:
            assert self.entry[t["id"]].text == t["text"] and self.entry[t["id"]].day == t["day"], t

    def of(self, when=None, **fields) -> list[Event]:
        """Events of a time with all of the fields; a callable tests one, `who` means being there."""
        first, last = ("0", "9") if when is None else when if isinstance(when, tuple) else (when, when + "~")
        return [
            t for t in self.all
            if first <= t["day"] <= last
            and all((v in t["who"]) if k == "who" and isinstance(v, str) else v(t.get(k)) if callable(v) else t.get(k) == v for k, v in fields.items())
        ]

    def on(self, days: Iterable[str], **fields) -> list[Event]:
        """Events of the days."""
        days = set(days)
        return [t for t in self.of(**fields) if t["day"] in days]

    def entries(self, ts: list[Event]):
        return [self.entry[t["id"]] for t in ts]

    @staticmethod
    def days(ts: list[Event]) -> list[str]:
        return sorted({t["day"] for t in ts})

    @staticmethod
    def values(key: str, ts: list[Event]) -> list[str]:
        """What the events have in a field, which may hold a list."""
        return [v for t in ts for v in (t[key] if isinstance(t.get(key), list) else [t.get(key)]) if v]

    # Answers

    def count(self, ts: list[Event]):
        return self.b.count(self.entries(ts))

    def countdays(self, ts: list[Event]):
        return self.b.countdays(self.entries(ts))

    def distinct(self, key: str, ts: list[Event], unit: str):
        return self.b.num(len(set(self.values(key, ts))), unit, self.entries(ts))

    def without(self, when: str, ts: list[Event]):
        """Days of a time on which nothing of the events happened."""
        days = [d for d in days_between(when) if d not in set(self.days(ts))]
        return self.b.num(len(days), "days", days=days)

    def total(self, ts: list[Event], key: str, unit: str, scale: float = 1):
        return self.b.num(round(sum(t.get(key, 0) for t in ts) * scale, 4), unit, self.entries(ts))

    def mean(self, ts: list[Event], key: str, unit: str, over: float | None = None):
        """The mean of a field, or its sum over a number of days, weeks or times."""
        v = [t[key] for t in ts if key in t]
        return self.b.num(round(sum(v) / (over or len(v)), 4), unit, self.entries(ts))

    def one(self, ts: list[Event], last: bool = False):
        assert ts
        day = self.days(ts)[-1 if last else 0]
        return self.b.entry([e for e in self.entries(ts) if e.day == day])

    def since(self, ts: list[Event]):
        day = self.days(ts)[-1]
        return {**self.one(ts, last=True), "values": [(self.today - dt.date.fromisoformat(day)).days], "unit": "days"}

    def extreme(self, ts: list[Event], key: str, unit: str, low: bool = False):
        pick = (min if low else max)(t[key] for t in ts if key in t)
        return {**self.b.entry(self.entries([t for t in ts if t.get(key) == pick])), "values": [pick], "unit": unit}

    def gap(self, ts: list[Event], less: int = 0):
        days = [dt.date.fromisoformat(d) for d in self.days(ts)]
        return self.b.num(max((z - a).days for a, z in zip(days, days[1:])) - less, "days")

    def streak(self, ts: list[Event]):
        best = run = 1
        days = [dt.date.fromisoformat(d) for d in self.days(ts)]
        for a, z in zip(days, days[1:]):
            run = run + 1 if (z - a).days == 1 else 1
            best = max(best, run)
        return self.b.num(best, "days")

    def top(self, key: str | Callable[[Event], Any], ts: list[Event], n: int = 1, by: str | None = None, least: bool = False, among: Iterable[str] = ()):
        """The values that most (or least) events have, or that have the greatest sum of a field."""
        counts: Counter[str] = Counter(dict.fromkeys(among, 0))
        for t in ts:
            for v in self.values(key, [t]) if isinstance(key, str) else [key(t)]:
                counts[v] += t.get(by, 0) if by else 1
        ranks = sorted(counts.items(), key=lambda kv: (kv[1] if least else -kv[1], kv[0]))
        edge = ranks[n - 1][1]
        sure = [k for k, v in ranks if (v < edge if least else v > edge)]
        tied = [k for k, v in ranks if v == edge]
        if n == 1:
            a = {**self.b.names([self.spell(k) for k in tied]), "anyOf": len(tied) > 1}
        elif len(sure) + len(tied) == n:
            a = self.b.names([self.spell(k) for k in sure + tied])
        else:
            a = self.b.names([self.spell(k) for k in sure], [], [self.spell(k) for k in tied])
        return {**a, "top": n, "counts": dict(ranks[: n + 2])}

    def names(self, key: str, ts: list[Event], optional: Iterable[str] = (), also: list[Event] = ()):
        """The set of what a field holds; `also` are entries that may be cited."""
        values = sorted(set(self.values(key, ts)))
        return {**self.b.names([self.spell(v) for v in values], self.entries(ts), [self.spell(o) for o in optional]), "optionalIds": [t["id"] for t in also]}

    def dates(self, ts: list[Event]):
        return self.b.dates(self.days(ts), self.entries(ts))

    def stay(self, first: str, last: str):
        return {**self.b.dates([first, last]), "from": first, "to": last, "span": True, "slack": 1}

    def list(self, ts: list[Event], optional: list[Event] = ()):
        return self.b.list(self.entries(ts), self.entries(list(optional)))

    def yes(self, ts: list[Event], optional: list[Event] = ()):
        assert ts
        return self.b.yes(self.entries(ts), self.entries(list(optional)))

    def no(self, ts: list[Event]):
        assert not ts, ts
        return self.b.no()

    def groups(self, ts: list[Event], key: Callable[[Event], str], labels: list[str], by: str | None = None, unit: str = "entries"):
        return self.b.nums([round(sum((t.get(by, 0) if by else 1) for t in ts if key(t) == g), 4) for g in labels], unit, labels, self.entries(ts))

    @staticmethod
    def compare(values: list[float], labels: list[str], unit: str | None = None):
        winner = labels[max(range(len(values)), key=lambda i: values[i])] if len(set(values)) > 1 else None
        return {"type": "compare", "values": [round(v, 4) for v in values], "unit": unit, "labels": labels, "winner": winner, "ids": []}


def year(t: Event) -> str:
    return t["day"][:4]


def month(t: Event) -> str:
    return MONTHS[int(t["day"][5:7]) - 1]


def weekday(t: Event) -> str:
    return dt.date.fromisoformat(t["day"]).strftime("%A")


def told(day: str) -> str:
    """A day as people say it."""
    date = dt.date.fromisoformat(day)
    return f"{date.day} {date:%B %Y}"
