#!/usr/bin/env python3
"""Labels forty meetings of the sample life with what a brief before each must hold.

    arkived --archive life export --format jsonl -o export.jsonl
    label_briefs.py export.jsonl                writes labels.jsonl; the same every time
    label_briefs.py export.jsonl --show ID      one label beside the texts that it rests on
    label_briefs.py --self-check

Everything is as it stood when the meeting began:

- promises: open ones from notes before it; those of others who come, those of others that name somebody
  who comes, and the owner's own to somebody who comes. To whom: other @names in it, else attendees whom
  its words name, else all other attendees.
  promisesMay: in dispute, neither wanted nor wrong: of somebody who does not come, made before one who
  does but without naming him; of the same series; naming somebody who comes but was not there.
- past: the last of the same series, and the last with exactly the same people; pastAny, where nobody met
  in just that company before: one of these must be there, the latest with most people shared, by number
  or by share. pastNot: some that must not be there.
- decisions: all of those in the notes of the past meetings that must be there
- attendees: how often each was met in a meeting before, and the day of the last time
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import brief_life as bl

SORTS = {"standup": 5, "planning": 5, "boss": 4, "client": 4, "review": 4, "retro": 4, "team": 3, "mentee": 4,
         "other": 5, "launch": 2}
MENTEE = re.compile(r"^(1:1 with|Questions from|Walk through|.+: (half an hour on|how we write))", re.IGNORECASE)


def sort(meeting: bl.Meeting) -> str:
    if meeting.series:
        return meeting.series.split("-")[0]
    if meeting.title.endswith("goes live"):
        return "launch"
    return "mentee" if MENTEE.match(meeting.title) else "other"


def chosen(life: bl.Life) -> list[bl.Meeting]:
    """Of each sort some that are evenly spread from its first to its last meeting."""
    sorts: dict[str, list[bl.Meeting]] = defaultdict(list)
    for meeting in sorted(life.meetings.values(), key=lambda m: (m.start, m.id)):
        sorts[sort(meeting)].append(meeting)
    found = []
    for name, wanted in SORTS.items():
        every = sorts[name]
        count = min(wanted, len(every))
        places = {round(i * (len(every) - 1) / max(1, count - 1)) for i in range(count)}
        found += [every[place] for place in sorted(places)]
    return sorted(found, key=lambda m: (m.start, m.id))


def past(life: bl.Life, meeting: bl.Meeting) -> tuple[dict[str, str], list[str]]:
    """Those that must be there, with the reason, and those of which one must be."""
    before = life.before(meeting)
    must: dict[str, str] = {}
    series = next((m for m in before if meeting.series and m.series == meeting.series), None)
    if series:
        must[series.id] = "last of the series"
    exact = next((m for m in before if meeting.people and m.people == meeting.people), None)
    if exact:
        must[exact.id] = "last of the series, same people" if exact is series else "last with the same people"
        return must, []
    shared = [m for m in before if m.people & meeting.people]
    if not shared:
        return must, []
    number = max(shared, key=lambda m: (len(m.people & meeting.people), m.start))
    share = max(shared, key=lambda m: (len(m.people & meeting.people) / len(m.people | meeting.people), m.start))
    return must, sorted({number.id, share.id})


def not_past(life: bl.Life, meeting: bl.Meeting) -> dict[str, str]:
    """Meetings that a careless list would hold."""
    later = sorted((m for m in life.meetings.values() if m.start > meeting.start), key=lambda m: (m.start, m.id))
    found = {meeting.id: "itself"}
    for reason, there in (
        ("next of the series", [m for m in later if meeting.series and m.series == meeting.series]),
        ("next with the same people", [m for m in later if m.people == meeting.people]),
        ("last with nobody of them", [m for m in life.before(meeting) if not related(m, meeting)]),
    ):
        if there:
            found.setdefault(there[0].id, reason)
    found.update({m.id: "cancelled" for m in life.meetings.values() if not m.went and m.start < meeting.start})
    return found


def related(one: bl.Meeting, other: bl.Meeting) -> bool:
    return bool(one.people & other.people) or bool(one.series and one.series == other.series)


def promises(life: bl.Life, meeting: bl.Meeting) -> tuple[list[bl.Promise], list[bl.Promise]]:
    must, may = [], []
    for promise in life.promises:
        if not promise.open or promise.at >= meeting.start:
            continue
        theirs = {promise.owner} | promise.told if promise.owner else promise.to
        same = promise.meeting and meeting.series and promise.meeting.series == meeting.series
        if theirs & meeting.people:
            must.append(promise)
        elif same or (promise.named | promise.to) & meeting.people:
            may.append(promise)
    return must, may


def told(promise: bl.Promise) -> dict[str, Any]:
    return {"note": promise.note, "line": promise.line, "text": promise.text, "owner": promise.owner,
            "to": sorted(promise.to)}


def label(life: bl.Life, meeting: bl.Meeting) -> dict[str, Any]:
    before = life.before(meeting)
    must, any_of = past(life, meeting)
    wanted, allowed = promises(life, meeting)
    attendees = []
    for person in sorted(meeting.people, key=lambda p: life.names[p][0]):
        met = [m for m in before if person in m.people]
        attendees.append({"id": person, "name": life.names[person][0], "met": len(met),
                          "last": met[0].day if met else None})
    return {
        "id": meeting.id, "title": meeting.title, "sort": sort(meeting), "day": meeting.day,
        "start": meeting.start.strftime("%Y-%m-%dT%H:%M:%SZ"), "attendees": attendees,
        "promises": [told(p) for p in wanted],
        "promisesMay": [told(p) for p in allowed],
        "past": [{"id": id, "why": why} for id, why in must.items()],
        "pastAny": any_of,
        "pastNot": [{"id": id, "why": why} for id, why in not_past(life, meeting).items()],
        "decisions": [{"note": d.note, "line": d.line, "text": d.text}
                      for id in must for d in life.decisions.get(id, [])],
    }


def show(life: bl.Life, row: dict[str, Any]) -> None:
    """A label beside what it rests on, to be read by eye."""
    meeting = life.meetings[row["id"]]

    def line(m: bl.Meeting) -> str:
        return f"{m.day} {m.title} [{m.series}] {', '.join(sorted(life.names[p][0] for p in m.people))} {m.id[:8]}"

    print(f"\n=== {line(meeting)}")
    before = life.before(meeting)
    for m in before[:4]:
        print(f"   before  {line(m)}")
    for m in [m for m in before if meeting.series and m.series == meeting.series][:2]:
        print(f"   series  {line(m)}")
    for m in [m for m in before if m.people == meeting.people][:2]:
        print(f"   company {line(m)}")
    for item in row["past"]:
        print(f"   MUST    {item['why']}: {line(life.meetings[item['id']])}")
    for id in row["pastAny"]:
        print(f"   ONE OF  {line(life.meetings[id])}")
    for item in row["pastNot"]:
        print(f"   NOT     {item['why']}: {line(life.meetings[item['id']])}")
    for kind in ("decisions", "promises", "promisesMay"):
        for item in row[kind]:
            note = life.records[item["note"]]
            source = note["text"].split("\n")[item["line"] - 1]
            print(f"   {kind}: {item['text']}  < {note['dayKey']} {note['title']}: {source}")
    print("   people ", ", ".join(f"{a['name']} {a['met']} {a['last']}" for a in row["attendees"]))


def self_check() -> None:
    life = bl.Life(names={"A": ["Ann Lee"], "B": ["Bo Ray", "Bobby"], "C": ["Cy Day"], "D": ["Ann Fox"]})
    at = bl.moment("2025-01-02T10:00:00Z")
    meeting = bl.Meeting("M", "Talk", at, "2025-01-02", "talk", frozenset("ABC"), True)
    text = "# Talk\n- [ ] @Bo.Ray send it\n- [x] write\n* [ ] show Bobby the plan\n```\n- [ ] no\n```\n" \
           "1. [ ] ask @Cy for it\n- [ ] tell Ann\n- [ ] @Ann.Fox: wait\n## Decisions\n- We stay.\n- [ ] go\n" \
           "### More\n- And wait.\n## Rest\n- Talk.\nDecided: no lunch.\n"
    found = bl.read_promises(life, {"id": "N", "text": text}, meeting, at)
    assert [(p.line, p.open, p.owner, "".join(sorted(p.to))) for p in found] == [
        (2, True, "B", "AC"), (3, False, None, "ABC"), (4, True, None, "B"), (8, True, None, "C"),
        (9, True, None, "A"), (10, True, "D", "ABC"), (13, True, None, "ABC")], found
    decided = [(d.line, d.text) for d in bl.read_decisions("N", text)]
    assert decided == [(12, "We stay."), (15, "And wait."), (18, "no lunch.")], decided
    print("self-check: right")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("export", type=Path, nargs="?")
    parser.add_argument("-o", "--output", type=Path, default=Path("labels.jsonl"))
    parser.add_argument("--zone", default="Europe/Berlin")
    parser.add_argument("--show", nargs="*", help="show these labels, all when none is named; write nothing")
    parser.add_argument("--self-check", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_check:
        return self_check()
    if not arguments.export:
        parser.error("an export is needed")
    life = bl.read(arguments.export, ZoneInfo(arguments.zone))
    rows = [label(life, meeting) for meeting in chosen(life)]
    if arguments.show is not None:
        for row in rows:
            if not arguments.show or any(row["id"].startswith(id.upper()) for id in arguments.show):
                show(life, row)
        return None
    arguments.output.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    print(f"{len(rows)} meetings labelled in {arguments.output.name}", file=sys.stderr)
    return None


if __name__ == "__main__":
    main()
