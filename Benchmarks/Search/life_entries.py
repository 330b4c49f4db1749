"""Reads the entries of an export and cuts text into the words that the full-text index knows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

# Function words: they carry no meaning of their own, so that sharing them does not count.
STOP_WORDS = frozenset(
    """
    a about after aren couldn didn doesn hadn hasn haven isn mustn shouldn wasn weren won wouldn
    ain again all along also am an and any are as at away be because been before being
    both but by can could d did do does doing done don down during each either else ever every few
    for from further get got had has have having he her here hers herself him himself his how i if
    in into is it its itself just ll m may me might mine more most must my myself no nor not of off
    on once one only or other our ours ourselves out over own re s same shall she should so some
    such t than that the their theirs them then there these they this those through to too under
    until up upon us ve very was we were what when where which while who whom whose why will with
    without would you your yours
    """.split()
)


@dataclass
class Entry:
    """An activity or the note of a day, with every text that search looks at."""

    id: str
    type: str
    day: str
    title: str
    body: str
    place: str = ""
    tags: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(part for part in (self.title, self.body) if part)

    @property
    def searched(self) -> str:
        return "\n".join([self.text, self.place, *self.tags, *self.people])


def read_entries(file: Path) -> dict[str, Entry]:
    """The activities and notes of an `arkived export`, by id."""
    entries: dict[str, Entry] = {}
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            if item["type"] == "activity":
                body = "\n".join(filter(None, (item["description"], item["notes"])))
                entry = Entry(
                    item["id"], "activity", item["dayKey"], item["text"], body,
                    item["locationLabel"] or "", item["tags"], item["people"],
                )
            elif item["type"] == "day":
                entry = Entry(
                    item["id"], "day", item["dayKey"], item["title"] or "", item["note"],
                    people=item["people"],
                )
            else:
                continue
            entries[entry.id] = entry
    return entries


class Stems:
    """Porter stems, from SQLite's own tokenizer as the archive's index sets it up."""

    TOKENIZER = "porter unicode61 remove_diacritics 2"

    def __init__(self) -> None:
        self.db = sqlite3.connect(":memory:")
        self.db.execute(f"CREATE VIRTUAL TABLE words USING fts5(text, tokenize='{self.TOKENIZER}')")
        self.db.execute("CREATE VIRTUAL TABLE stems USING fts5vocab(words, instance)")
        self.stop = {stem for stems in self.of(sorted(STOP_WORDS)) for stem in stems}

    def of(self, texts: Iterable[str]) -> list[set[str]]:
        """The stems of each text."""
        self.db.execute("DELETE FROM words")
        count = 0
        for text in texts:
            count += 1
            self.db.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (count, text))
        result: list[set[str]] = [set() for _ in range(count)]
        for stem, row in self.db.execute("SELECT term, doc FROM stems"):
            result[row - 1].add(stem)
        return result

    def content(self, texts: Iterable[str]) -> list[set[str]]:
        """The stems of each text without those of stop words."""
        return [stems - self.stop for stems in self.of(texts)]
