"""The peer: SQLite by itself, asked in SQL written by hand, over the same archive file.

It has nothing to read or to understand and cites nothing; it only finds the figure. So it says what
the disk and the tables allow, and whether Arkived's figure is right.
"""

from __future__ import annotations

import random
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from speed_questions import WEEKDAYS, Filling

TAGGED = """
  SELECT {what} FROM activity_rows a
  JOIN activity_tags x ON x.activity_pk = a.pk JOIN tag_rows t ON t.pk = x.tag_pk
  WHERE t.folded = ? {more}
"""
WITH_PERSON = """
  SELECT {what} FROM activity_rows a
  WHERE a.pk IN (
    SELECT m.activity_pk FROM mentions m JOIN person_names n ON n.person_pk = m.person_pk
    WHERE n.role = 'name' AND n.folded = ?) {more}
"""
SUMMED = """
  SELECT sum(v.amount) FROM activity_rows a
  JOIN activity_tags x ON x.activity_pk = a.pk JOIN tag_rows t ON t.pk = x.tag_pk
  JOIN measurements v ON v.activity_pk = a.pk
  WHERE t.folded = ? AND v.unit = ? AND a.day_key BETWEEN ? AND ?
"""
COUNT = "count(*)"
# Nouns that are read as a tag, with the tag.
TAGGED_THINGS = {
    "meetings": "meeting", "bike rides": "cycling", "phone calls": "call", "coffees": "coffee",
    "retros": "retro", "films": "film", "reviews": "review", "deadlines": "deadline",
}  # fmt: skip
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True)
class Pair:
    """A question, and the SQL that finds the same."""

    kind: str
    question: str
    sql: str
    arguments: tuple[Any, ...]


class SQLPeer:
    """One connection that stays open, reading only, with as much cache as it likes."""

    def __init__(self, archive: Path) -> None:
        self.database = sqlite3.connect(f"file:{archive / 'archive.sqlite'}?mode=ro", uri=True)
        self.database.execute("PRAGMA cache_size = -256000")
        self.database.execute(f"PRAGMA mmap_size = {4 << 30}")

    def __enter__(self) -> SQLPeer:
        return self

    def __exit__(self, *_: object) -> None:
        self.database.close()

    def people(self, count: int) -> list[str]:
        """The names of those who are mentioned most."""
        rows = self.database.execute(
            """
            SELECT n.value FROM mentions m JOIN person_names n ON n.person_pk = m.person_pk
            WHERE n.role = 'name' GROUP BY n.person_pk ORDER BY count(*) DESC, n.value LIMIT ?
            """,
            (count,),
        )
        return [name for (name,) in rows]

    def ask(self, pair: Pair) -> tuple[Any, float]:
        """What the SQL finds, and its seconds."""
        begin = time.perf_counter()
        found = self.database.execute(pair.sql, pair.arguments).fetchone()[0]
        return found, time.perf_counter() - begin


def pairs(first: str, last: str, people: list[str], each: int, seed: int = 80) -> list[Pair]:
    """So many pairs of each kind, filled within the archive's days."""
    filling = Filling(first, last, people, seed)
    draw = filling.draw
    years = range(filling.first.year, filling.last.year + 1)
    found: dict[str, dict[str, Pair]] = {}

    def add(kind: str, question: str, sql: str, *arguments: Any) -> None:
        of_kind = found.setdefault(kind, {})
        if len(of_kind) < each:
            of_kind.setdefault(question, Pair(kind, question, sql, arguments))

    for _ in range(20 * each):
        thing = draw.choice(list(TAGGED_THINGS))
        tag = TAGGED_THINGS[thing]
        name = draw.choice(people)
        month, year, weekday = (
            draw.choice(filling.months),
            draw.choice(years),
            draw.choice(WEEKDAYS),
        )
        days = of_month(month)
        in_days = "AND a.day_key BETWEEN ? AND ?"
        add(
            "count by tag", f"how many {thing} did I have?", TAGGED.format(what=COUNT, more=""), tag
        )
        add(
            "count by tag in a year",
            f"how many {thing} did I have in {year}?",
            TAGGED.format(what=COUNT, more=in_days),
            tag,
            f"{year}-01-01",
            f"{year}-12-31",
        )
        add(
            "person in a month",
            f"how many entries did I have with {name} in {month}?",
            WITH_PERSON.format(what=COUNT, more=in_days),
            name.casefold(),
            *days,
        )
        add(
            "sum by tag in a year",
            f"how many km did I cycle in {year}?",
            SUMMED,
            "cycling",
            "km",
            f"{year}-01-01",
            f"{year}-12-31",
        )
        add(
            "sum by tag in a year",
            f"how many pages did I read in {year}?",
            SUMMED,
            "reading",
            "pages",
            f"{year}-01-01",
            f"{year}-12-31",
        )
        add(
            "sum by tag in a month",
            f"how many km did I cycle in {month}?",
            SUMMED,
            "cycling",
            "km",
            *days,
        )
        add(
            "count on weekdays",
            f"how many {thing} did I have on {weekday}s?",
            TAGGED.format(what=COUNT, more="AND strftime('%w', a.day_key) = ?"),
            tag,
            str((WEEKDAYS.index(weekday) + 1) % 7),
        )
        add(
            "first, with a person",
            f"the first entry with {name}?",
            WITH_PERSON.format(what="min(a.day_key)", more=""),
            name.casefold(),
        )
        add("last, by tag", f"when was the last of my {thing}?",
            TAGGED.format(what="max(a.day_key)", more=""), tag)  # fmt: skip
    listed = [pair for of_kind in found.values() for pair in of_kind.values()]
    random.Random(seed).shuffle(listed)
    return listed


def of_month(month: str) -> tuple[str, str]:
    """The first day of “May 2024”, and its last or one that no entry has."""
    name, year = month.split()
    begin = f"{year}-{MONTHS.index(name) + 1:02}"
    return f"{begin}-01", f"{begin}-31"


def same(theirs: Any, answer: dict[str, Any]) -> bool:
    """Whether an answer's first value is what SQL found: a day, or a number within rounding."""
    values = answer.get("values") or [None]
    if isinstance(theirs, str):
        return str(values[0])[:10] == theirs
    if not theirs:
        return answer.get("kind") == "none" or values[0] == 0
    return isinstance(values[0], (int, float)) and abs(values[0] - theirs) <= max(
        0.05, 1e-4 * theirs
    )
