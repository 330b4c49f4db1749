"""Answers that the further questions share, made of entries and metrics."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable

from life import Entry, Life, days_between, days_of, minutes, tally, total

MILE = 1.609344
TODAY = dt.date(2026, 1, 1)
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = "January February March April May June July August September October November December".split()
YEARS = ["2023", "2024", "2025"]


def mean(values: Iterable[float]) -> float:
    values = list(values)
    return sum(values) / len(values)


def within(entries: Iterable[Entry], days: Iterable[str]) -> list[Entry]:
    """The entries of the days."""
    days = set(days)
    return [e for e in entries if e.day in days]


def bare(place: str) -> list[str]:
    return [place, place.removeprefix("the ")] if place.startswith("the ") else [place]


class Answers:
    def __init__(self, book, life: Life) -> None:
        self.b, self.l = book, life

    # Numbers

    def sum(self, entries: list[Entry], measure: str, unit: str | None = None, scale: float = 1):
        return self.b.num(round(total(entries, measure) * scale, 4), unit or measure, entries)

    def time(self, entries: list[Entry], unit: str = "minutes"):
        return self.b.num(round(minutes(entries) / {"minutes": 1, "hours": 60}[unit], 4), unit, entries)

    def per(self, value: float, count: float, unit: str | None = None, entries: list[Entry] = ()):
        return self.b.num(round(value / count, 4), unit, list(entries))

    def length(self, entries: list[Entry], unit: str = "minutes"):
        """The mean time of the entries that have one."""
        timed = [e for e in entries if e.minutes is not None]
        return self.per(minutes(timed) / {"minutes": 1, "hours": 60}[unit], len(timed), unit, entries)

    def metric(self, name: str, unit: str, when=None, days: Iterable[str] | Callable[[str], bool] | None = None, scale: float = 1):
        """The mean of a metric on the days."""
        test = days if callable(days) else (lambda d, some=set(days): d in some) if days is not None else lambda d: True
        return self.b.num(round(mean(m.value for m in self.l.m(name, when) if test(m.day)) * scale, 4), unit)

    def feeling(self, notes: list[Entry], field: str = "mood"):
        known = [n for n in notes if getattr(n, field)]
        return self.b.num(round(mean(getattr(n, field) for n in known), 4), field, known)

    def without(self, when, *groups: list[Entry]):
        """Days of a time on which nothing of the entries happened."""
        busy = {d for g in groups for d in days_of(g)}
        days = [d for d in days_between(when) if d not in busy]
        return self.b.num(len(days), "days", days=days)

    # One entry or day

    def one(self, entries: list[Entry], last: bool = False):
        day = days_of(entries)[-1 if last else 0]
        return self.b.entry([e for e in entries if e.day == day])

    def since(self, entries: list[Entry], now: dt.date = TODAY):
        day = days_of(entries)[-1]
        return {**self.one(entries, last=True), "values": [(now - dt.date.fromisoformat(day)).days], "unit": "days"}

    def extreme(self, entries: list[Entry], value: Callable[[Entry], float | None], unit: str, low: bool = False):
        known = [e for e in entries if value(e) is not None]
        pick = (min if low else max)(value(e) for e in known)
        return self.b.entry([e for e in known if value(e) == pick], round(pick, 4), unit)

    def day(self, counts: Counter[str], unit: str | None, low: bool = False):
        """The day with the most (or least) of something."""
        pick = (min if low else max)(counts.values())
        return {"type": "entry", "values": [pick], "unit": unit, "days": sorted(d for d, n in counts.items() if n == pick), "names": [], "ids": []}

    def peak(self, name: str, when, unit: str, low: bool = False):
        return self.day(Counter({m.day: m.value for m in self.l.m(name, when)}), unit, low)

    def gap(self, entries: list[Entry]):
        """The most days between two days with an entry, and from the one to the other."""
        dates = [dt.date.fromisoformat(d) for d in days_of(entries)]
        most = max((z - a).days for a, z in zip(dates, dates[1:]))
        return [self.b.num(most - 1, "days"), self.b.num(most, "days")]

    def streak(self, days: list[str]):
        best = run = 1
        for a, z in zip(days, days[1:]):
            run = run + 1 if dt.date.fromisoformat(z) - dt.date.fromisoformat(a) == dt.timedelta(1) else 1
            best = max(best, run)
        return self.b.num(best, "days")

    # Names

    def top(self, counts: Counter[str], n: int = 1, people: bool = False, least: bool = False):
        """The names with the most (or least), ties told as such."""
        ranks = sorted(counts.items(), key=lambda kv: (kv[1] if least else -kv[1], kv[0]))
        edge = ranks[n - 1][1]
        sure = [k for k, v in ranks if (v < edge if least else v > edge)]
        tied = [k for k, v in ranks if v == edge]
        spell = self.l.spellings if people else bare
        all_in = n == 1 or len(sure) + len(tied) == n
        answer = self.b.names([spell(k) for k in (sure + tied if all_in else sure)], [], [] if all_in else [spell(k) for k in tied])
        return {**answer, "top": n, "people": people, "counts": dict(ranks[: n + 2]), **({"anyOf": True} if n == 1 and len(tied) > 1 else {})}

    def ppl(self, entries: list[Entry], drop: Iterable[str] = ()) -> Counter[str]:
        return Counter({k: v for k, v in tally(entries, "people").items() if k not in set(drop)})

    def people(self, entries: list[Entry], drop: Iterable[str] = (), optional: Iterable[str] = ()):
        return self.b.people(sorted({p for e in entries for p in e.people} - set(drop)), entries, list(optional))

    def places(self, entries: list[Entry], optional: Iterable[str] = ()):
        return self.b.names([bare(p) for p in sorted({e.place for e in entries if e.place})], entries, [bare(p) for p in optional])

    def dates(self, entries: list[Entry]):
        return self.b.dates(days_of(entries), entries)

    def stay(self, first: str, last: str, entries: list[Entry] = ()):
        return {**self.b.dates(days_between((first, last)), list(entries)), "from": first, "to": last, "span": True, "slack": 2}

    def groups(self, entries: list[Entry], key: Callable[[Entry], str], labels: list[str], measure: str | None = None, unit: str = "entries"):
        values = [round(sum(e.measures.get(measure, 0) if measure else 1 for e in entries if key(e) == g), 4) for g in labels]
        return self.b.nums(values, unit, labels, entries)

    @staticmethod
    def versus(values: Iterable[float], labels: list[str], unit: str | None = None):
        values = [round(v, 4) for v in values]
        winner = labels[max(range(len(values)), key=lambda i: values[i])] if len(set(values)) > 1 else None
        return {"type": "compare", "values": values, "unit": unit, "labels": labels, "winner": winner, "ids": []}


def weekday(e: Entry) -> str:
    return WEEKDAYS[e.date.weekday()]


def month(e: Entry) -> str:
    return MONTHS[e.date.month - 1]


def year(e: Entry) -> str:
    return e.day[:4]
