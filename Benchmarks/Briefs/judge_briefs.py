#!/usr/bin/env python3
"""Asks Arkived for the brief of every labelled meeting and compares it with the label.

    judge_briefs.py --program arkived --archive life labels.jsonl
    judge_briefs.py --program arkived --archive life labels.jsonl --before --show-wrong
    judge_briefs.py --self-check

The clock stands at --now; with --before ten minutes before each meeting. Columns, each right or with the
number of its faults:

- promises: all of the label are there, with their owner and whom they are for, and none else
- past: the past meetings that must be there are
- not: no past meeting that is the meeting itself, later, cancelled, or shares nobody and no series
- decided: the decisions of the past meetings that must be there, each once or in the same words
- people: everybody who comes, with how often and when last met; others only as declined
- sources: every line names an entry that exists, and what it quotes from a note stands in that line
- later: no line rests on an entry from after the meeting's beginning

Exits with 1 on any fault.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import brief_life as bl

COLUMNS = ["promises", "past", "not", "decided", "people", "sources", "later"]
DAY = re.compile(r"\((\d{1,2} [A-Z][a-z]+ \d{4})\)")
Faults = dict[str, list[str]]


class Brief:
    """What the program says, as lines with their places."""

    def __init__(self, body: dict[str, Any]) -> None:
        self.body = body["brief"]

    def lines(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for attendee in self.body["attendees"]:
            yield from (("attendees", line) for line in attendee["lines"])
        for past in self.body["pastMeetings"]:
            yield from (("pastMeetings", line) for line in past["lines"])
        for part in ("decisions", "notes", "changes", "questions"):
            yield from ((part, line) for line in self.body[part])


def last_day(text: str, today: dt.date) -> str | None:
    """The day told by "last 6 weeks ago (22 September 2025)" or "last 6 days ago"."""
    day = DAY.search(text)
    if day:
        return dt.datetime.strptime(day[1], "%d %B %Y").date().isoformat()
    ago = re.search(r"(\d+) (day|week)s? ago", text)
    if ago:
        days = int(ago[1]) * (7 if ago[2] == "week" else 1)
    elif "today" in text or "hour" in text or "minute" in text:
        days = 0
    elif "yesterday" in text:
        days = 1
    else:
        return None
    return (today - dt.timedelta(days=days)).isoformat()


def met(lines: list[dict[str, Any]], today: dt.date) -> tuple[int | None, str | None]:
    for line in lines:
        if "had a meeting together" in line["text"]:
            return 0, None
        count = re.match(r"Met (?:(\d+) times?|(once))", line["text"])
        if count:
            return (1 if count[2] else int(count[1])), last_day(line["text"], today)
    return None, None


def at(life: bl.Life, id: str, zone: ZoneInfo) -> dt.datetime | None:
    """When an entry was; None for what is of no time."""
    record = life.records[id]
    if id in life.meetings:
        return life.meetings[id].start
    if record.get("meetingId") in life.meetings:
        return life.meetings[record["meetingId"]].start
    if record.get("startAt"):
        return bl.moment(record["startAt"])
    if record.get("dayKey"):
        return dt.datetime.fromisoformat(record["dayKey"]).replace(tzinfo=zone)
    return None


def quotes(life: bl.Life, note: str, line: int | None, text: str) -> bool:
    record = life.records.get(note, {})
    rows = record.get("text", "").split("\n")
    return line is not None and 0 < line <= len(rows) and bl.fold(text.rstrip("…")) in bl.fold(rows[line - 1])


def judge(label: dict[str, Any], brief: Brief, life: bl.Life, now: dt.datetime, zone: ZoneInfo) -> Faults:
    faults: Faults = defaultdict(list)
    body = brief.body
    start = bl.moment(label["start"])
    judge_promises(label, body, life, faults, start)

    listed = [past["meeting"]["id"] for past in body["pastMeetings"]]
    for item in label["past"]:
        if item["id"] not in listed:
            faults["past"].append(f"missing ({item['why']}): {life.meetings[item['id']].day} {item['id']}")
    if label["pastAny"] and not set(label["pastAny"]) & set(listed):
        faults["past"].append(f"none of {label['pastAny']}")
    this = life.meetings[label["id"]]
    traps = {item["id"]: item["why"] for item in label["pastNot"]}
    for id in listed:
        one = life.meetings.get(id)
        shares = one and (one.people & this.people or one.series and one.series == this.series)
        if id in traps or not one or one.start >= start or not one.went or not shares:
            faults["not"].append(f"{traps.get(id, 'later, cancelled, or of no relation')}: {id}")
    faults["not"] += [f"listed twice: {id}" for id, n in Counter(listed).items() if n > 1]

    told = [(d["source"]["id"], d["source"].get("line")) for d in body["decisions"] if d.get("source")]
    words = {bl.fold(d["text"]) for d in body["decisions"]}
    for item in label["decisions"]:
        if (item["note"], item["line"]) not in told and bl.fold(item["text"]) not in words:
            faults["decided"].append(f"missing: {item['text']} {item['note']}:{item['line']}")
    known = {(d.note, d.line) for every in life.decisions.values() for d in every}
    faults["decided"] += [f"no decision: {place}" for place in told if place not in known]

    people = {a["person"]["id"]: a for a in body["attendees"] if a.get("person")}
    for person in label["attendees"]:
        if person["id"] not in people:
            faults["people"].append(f"missing: {person['name']}")
            continue
        given = met(people[person["id"]]["lines"], now.astimezone(zone).date())
        if given != (person["met"], person["last"]):
            faults["people"].append(f"{person['name']}: {given}, right is {(person['met'], person['last'])}")
    for id in set(people) - {person["id"] for person in label["attendees"]}:
        if people[id]["reply"] != "declined":
            faults["people"].append(f"does not come: {life.names.get(id, [id])[0]}")

    own = {label["id"], life.records[label["id"]]["activityId"]}
    for part, line in brief.lines():
        source = line.get("source") or {}
        id = source.get("id")
        if id not in life.records or source.get("type") != life.records[id]["type"]:
            faults["sources"].append(f"{part}: {line['text']}: {source.get('type')} {id} is not there")
            continue
        quoted = part in ("decisions", "pastMeetings") and source["type"] == "note"
        if quoted and not quotes(life, id, source.get("line"), line["text"]):
            faults["sources"].append(f"{part}: “{line['text']}” is not in {id}:{source.get('line')}")
        moment = at(life, id, zone)
        if moment and moment > start and id not in own:
            faults["later"].append(f"{part}: {line['text']} [{source['type']} {id}]")
    return {column: found for column, found in faults.items() if found}


def known(owner: str | None) -> str | None:
    """The identity of an owner; none for the archive's own and for an @name of somebody unknown."""
    return None if owner is None or owner.startswith("@") else owner


def judge_promises(label: dict[str, Any], body: dict[str, Any], life: bl.Life, faults: Faults,
                   start: dt.datetime) -> None:
    given = {(p["noteId"], p["line"]): p for p in body["promises"]}
    wanted = {(p["note"], p["line"]): p for p in label["promises"]}
    allowed = {(p["note"], p["line"]): p for p in label["promisesMay"]}
    for place, item in wanted.items():
        if place not in given:
            faults["promises"].append(f"missing: {item['text']} {place[0]}:{place[1]}")
    for place, promise in given.items():
        if not quotes(life, *place, promise["text"]):
            faults["sources"].append(f"promises: “{promise['text']}” is not in {place[0]}:{place[1]}")
        right = wanted.get(place) or allowed.get(place)
        if not right:
            note = life.records.get(place[0], {})
            late = note and at(life, place[0], ZoneInfo("UTC"))
            why = "later" if late and late > start else "its own" if late == start else "of no relation or done"
            faults["promises"].append(f"too much ({why}): {promise['text']} {place[0]}:{place[1]}")
        elif promise["isMine"] != (right["owner"] is None) or promise["ownerId"] != known(right["owner"]):
            faults["promises"].append(f"whose: {promise['text']}: {promise['owner']} {place[0]}:{place[1]}")
        elif not right["owner"] and {t["personId"] for t in promise["to"]} != set(right["to"]):
            names = [t["name"] for t in promise["to"]]
            faults["promises"].append(f"to whom: {promise['text']}: {names} {place[0]}:{place[1]}")


class Program:
    def __init__(self, program: Path, archive: Path, zone: str) -> None:
        self.program, self.archive, self.zone = program, archive, zone

    def run(self, now: str, *words: str) -> str:
        environment = os.environ | {"ARKIVED_MODEL": "/nonexistent", "ARKIVED_NOW": now,
                                    "ARKIVED_TIME_ZONE": self.zone}
        command = [str(self.program.resolve()), *words, "--archive", str(self.archive)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
        if done.returncode:
            raise SystemExit(f"{' '.join(words)}: exit {done.returncode}: {done.stderr.strip()[:300]}")
        return done.stdout

    def life(self, now: str) -> bl.Life:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "export.jsonl"
            self.run(now, "export", "--format", "jsonl", "-o", str(path))
            return bl.read(path, ZoneInfo(self.zone))


def table(rows: list[tuple[dict[str, Any], Faults]]) -> None:
    print(f"{'day':11}{'sort':10}{'who':>4}" + "".join(f"{c:>10}" for c in COLUMNS) + "  title")
    for label, faults in rows:
        marks = "".join(f"{len(faults[c]) if faults.get(c) else 'ok':>10}" for c in COLUMNS)
        print(f"{label['day']:11}{label['sort']:10}{len(label['attendees']):4}{marks}  {label['title']}")
    right = "".join(f"{sum(not faults.get(c) for _, faults in rows):>10}" for c in COLUMNS)
    print(f"{'right of ' + str(len(rows)):25}{right}  {sum(not faults for _, faults in rows)} in all")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path, nargs="?")
    parser.add_argument("--program", type=Path, default=Path("arkived"))
    parser.add_argument("--archive", type=Path)
    parser.add_argument("--zone", default="Europe/Berlin")
    parser.add_argument("--now", default="2026-01-01T09:00:00Z")
    parser.add_argument("--before", action="store_true", help="ask ten minutes before each meeting")
    parser.add_argument("--show-wrong", action="store_true")
    parser.add_argument("--self-check", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_check:
        import judge_briefs_check

        return judge_briefs_check.self_check()
    if not arguments.labels or not arguments.archive:
        parser.error("labels and --archive are needed")
    program = Program(arguments.program, arguments.archive, arguments.zone)
    life = program.life(arguments.now)
    rows = []
    for label in map(json.loads, arguments.labels.read_text(encoding="utf-8").splitlines()):
        if label["id"] not in life.meetings:
            raise SystemExit(f"The archive has no meeting {label['id']}: the labels are of another one.")
        now = arguments.now
        if arguments.before:
            early = bl.moment(label["start"]) - dt.timedelta(minutes=10)
            now = early.strftime("%Y-%m-%dT%H:%M:%SZ")
        brief = Brief(json.loads(program.run(now, "brief", label["id"], "--json")))
        rows.append((label, judge(label, brief, life, bl.moment(now), ZoneInfo(arguments.zone))))
    table(rows)
    if arguments.show_wrong:
        for label, faults in rows:
            for column, found in faults.items():
                for fault in found:
                    print(f"{label['id'][:8]} {label['day']} {column}: {fault}")
    sys.exit(any(faults for _, faults in rows))


if __name__ == "__main__":
    main()
