"""Reads an export of Arkived (JSON Lines) for the labels of briefs: meetings, people, promises, decisions.

Nothing here comes from the program but the records: checkboxes, decisions and who met whom are read
anew from the texts of the notes and the lists of attendees.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CHECKBOX = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+\[([ xX])\]\s+(\S.*)$")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(?!\[[ xX]\]\s)(\S.*)$")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)[\s#]*$")
HANDLE = re.compile(r"(?<![\w@])@(\w[\w.'’-]*)")
DECIDED = re.compile(r"^\s*(?:[-*+]\s+)?(?:decided|decision)\s*:\s*(\S.*)$", re.IGNORECASE)
DECISIONS = {"decision", "decisions", "decided", "what we decided"}


def fold(text: str) -> str:
    text = unicodedata.normalize("NFD", text.casefold().replace("’", "'"))
    return "".join(c for c in text if not unicodedata.combining(c))


def moment(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text.replace("Z", "+00:00"))


@dataclass
class Meeting:
    id: str
    title: str
    start: dt.datetime
    day: str
    series: str | None
    people: frozenset[str]
    went: bool
    """False when it was cancelled or dropped by its calendar."""


@dataclass
class Promise:
    note: str
    line: int
    text: str
    open: bool
    owner: str | None
    """The identity of who promised, or the @name of somebody unknown; None is the owner of the archive."""
    to: frozenset[str]
    told: frozenset[str]
    """Those to whom it is in so many words: by @name, or as attendees whom it names."""
    named: frozenset[str]
    """All whom its words name, there or not."""
    meeting: Meeting | None
    at: dt.datetime


@dataclass
class Decision:
    note: str
    line: int
    text: str


@dataclass
class Life:
    records: dict[str, dict[str, Any]] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)
    """Of each person all names, the full one first."""
    meetings: dict[str, Meeting] = field(default_factory=dict)
    promises: list[Promise] = field(default_factory=list)
    decisions: dict[str, list[Decision]] = field(default_factory=dict)
    """By meeting."""

    def before(self, meeting: Meeting) -> list[Meeting]:
        """Meetings that took place before this one began, the latest first."""
        found = [m for m in self.meetings.values() if m.went and m.start < meeting.start]
        return sorted(found, key=lambda m: (m.start, m.id), reverse=True)

    def resolve(self, name: str, near: Iterable[str]) -> str | None:
        """Who is meant: by full name or alias, else by the first name, those near before all others."""
        name = fold(name.replace(".", " ").strip())
        for pool in (list(near), list(self.names)):
            whole = [p for p in pool if name in map(fold, self.names[p])]
            first = [p for p in pool if name == fold(self.names[p][0].split()[0])]
            for found in (whole, first):
                if len(found) == 1:
                    return found[0]
        return None

    def named(self, text: str, near: Iterable[str]) -> frozenset[str]:
        """All whom a text names: by full name or alias; by a first name that nobody else near has."""
        near = list(near)
        firsts = Counter(fold(self.names[p][0].split()[0]) for p in near)
        found = set()
        for person in near:
            first = self.names[person][0].split()[0]
            forms = self.names[person] + ([first] if firsts[fold(first)] == 1 else [])
            if any(re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text) for form in forms):
                found.add(person)
        return frozenset(found)


def lines(text: str) -> Iterator[tuple[int, str]]:
    """The numbered lines of a Markdown text without those in fences."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if re.match(r"^\s*(```|~~~)", line):
            fenced = not fenced
        elif not fenced:
            yield number, line.rstrip("\r")


def read_decisions(note: str, text: str) -> list[Decision]:
    found = []
    level = 0
    for number, line in lines(text):
        heading = HEADING.match(line)
        if heading:
            if level == 0 or len(heading[1]) <= level:
                level = len(heading[1]) if fold(heading[2]).strip(" :") in DECISIONS else 0
            continue
        match = DECIDED.match(line) or (ITEM.match(line) if level else None)
        if match:
            found.append(Decision(note, number, match[1].strip()))
    return found


def read_promises(life: Life, note: dict[str, Any], meeting: Meeting | None, at: dt.datetime) -> list[Promise]:
    found = []
    there = meeting.people if meeting else frozenset()
    for number, line in lines(note["text"]):
        box = CHECKBOX.match(line)
        if not box:
            continue
        words = box[2].strip()
        owner = None
        handle = HANDLE.match(words)
        if handle:
            who = handle[1].rstrip(".'’-")
            owner = life.resolve(who, there) or f"@{who}"
            words = words[handle.end():].lstrip(" :,")
        handles = {life.resolve(h.rstrip(".'’-"), there) for h in HANDLE.findall(words)} - {None, owner}
        inside = life.named(words, there) - {owner}
        told = frozenset(handles) or inside
        to = told or there - {owner}
        named = frozenset(handles) | inside | (life.named(words, life.names) - {owner})
        found.append(Promise(note["id"], number, words, box[1] == " ", owner, to, told, named, meeting, at))
    return found


def read(path: Path, zone: dt.tzinfo) -> Life:
    life = Life()
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if "id" in record:
            life.records[record["id"]] = record
    every = list(life.records.values())
    for record in every:
        if record["type"] == "person":
            life.names[record["id"]] = [record["name"], *record["aliases"]]
    for record in every:
        if record["type"] != "meeting":
            continue
        entry = life.records[record["activityId"]]
        people = frozenset(a["personId"] for a in record["attendees"] if a["personId"] and a["reply"] != "declined")
        went = record["status"] != "cancelled" and not record["isEventDeleted"]
        life.meetings[record["id"]] = Meeting(record["id"], entry["text"], moment(entry["startAt"]), entry["dayKey"],
                                              record["seriesIdentifier"], people, went)
    for record in every:
        if record["type"] != "note":
            continue
        meeting = life.meetings.get(record["meetingId"] or "")
        day = record["dayKey"] or record["createdAt"][:10]
        created = moment(record["createdAt"])
        midnight = dt.datetime.fromisoformat(day).replace(tzinfo=zone)
        written = created if created.astimezone(zone).date() == midnight.date() else midnight
        at = meeting.start if meeting else written
        life.promises += read_promises(life, record, meeting, at)
        if meeting:
            life.decisions.setdefault(meeting.id, []).extend(read_decisions(record["id"], record["text"]))
    return life
