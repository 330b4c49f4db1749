#!/usr/bin/env python3
"""Writes the export of a sample life anew with what the sample lacks, for the labels and judge of briefs.

    harder_life.py export.jsonl harder.jsonl
    arkived --archive harder import harder.jsonl

Every second tick is taken away, some meetings are cancelled or dropped by their calendar, some people
declined, and some notes get what reading them must stand: fences, nested boxes, `Decided:` lines, boxes
under Decisions, names in the middle of a promise, and notes that belong to no meeting.
"""

from __future__ import annotations

import argparse
import json
import re
import uuid
from pathlib import Path
from typing import Any

TAILS = [
    "\n```\n- [ ] @{first} run this example\n```\n",
    "\nDecided: {name} keeps the list, number {number}.\n",
    "\n- [ ] tell @{other} about box {number}\n  - [ ] and send {name} the list {number}\n",
    "\n## Decided\n\n1. Box {number} is enough.\n2. [ ] @{first} count box {number}\n",
    "\n- [ ] @{first}: give @{other} the key of box {number} by Friday\n* [X] @{first} lock it\n+ [ ] @Nobody.Known open it\n",
]
ALONE = [
    "- [ ] ask @{first} about box {number}\n- [ ] water the plants\n",
    "Ideas for later.\n\n- [ ] @{first} lend me the book, number {number}\n- [x] @{first} return it\n",
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("export", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    records = [json.loads(line) for line in arguments.export.read_text(encoding="utf-8").splitlines()]
    meetings = {r["id"]: r for r in records if r["type"] == "meeting"}
    for number, meeting in enumerate(meetings.values()):
        if number % 9 == 4:
            meeting["status"] = "cancelled"
        elif number % 31 == 7:
            meeting["isEventDeleted"] = True
        elif number % 5 == 3:
            meeting["attendees"][-1]["reply"] = "declined"
    ticks = 0
    alone: list[dict[str, Any]] = []
    for number, note in enumerate(r for r in records if r["type"] == "note"):
        def untick(match: re.Match[str]) -> str:
            nonlocal ticks
            ticks += 1
            return "- [ ]" if ticks % 2 else match[0]

        people = [a["name"] for a in meetings[note["meetingId"]]["attendees"]]
        note["text"] = re.sub(r"- \[x\]", untick, note["text"])
        words = {"first": people[0].replace(" ", "."), "other": people[-1].replace(" ", "."),
                 "name": people[-1].split()[0], "number": number}
        if number % 3 == 1:
            note["text"] += TAILS[number // 3 % len(TAILS)].format(**words)
        if number % 10 == 6:
            id = str(uuid.uuid5(uuid.NAMESPACE_URL, f"alone {number}")).upper()
            text = ALONE[number // 10 % len(ALONE)].format(**words)
            loose = note | {"id": id, "title": f"Loose note {number}", "text": text, "meetingId": None}
            # Whom it names is read anew at the import.
            alone.append({k: v for k, v in loose.items() if k not in ("people", "mentions")})
    lines = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records + alone)
    arguments.output.write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    main()
