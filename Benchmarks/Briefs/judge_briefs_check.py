"""Checks the judge itself: a right brief has no fault, and each thing broken in it is found in its column."""

from __future__ import annotations

import copy
from typing import Any
from zoneinfo import ZoneInfo

import brief_life as bl
from judge_briefs import Brief, judge


def self_check() -> None:
    zone = ZoneInfo("UTC")
    people = frozenset({"P", "Q"})
    days = {"OLD": "2025-01-01", "NOW": "2025-01-08", "NEXT": "2025-01-15"}
    life = bl.Life(names={"P": ["Pia Ro"], "Q": ["Quin Ro"]})
    for id, day in days.items():
        life.meetings[id] = bl.Meeting(id, "Talk", bl.moment(f"{day}T10:00:00Z"), day, "talk", people, True)
        life.records[id] = {"type": "meeting", "activityId": f"E{id}"}
    life.meetings["ALONE"] = bl.Meeting("ALONE", "Other", bl.moment("2025-01-02T10:00:00Z"), "2025-01-02", None,
                                        frozenset("R"), True)
    life.records |= {"N": {"type": "note", "meetingId": "OLD", "text": "- [ ] @Pia go\n- Stay\n- [ ] tell Quin"},
                     "L": {"type": "note", "meetingId": "NEXT", "text": "- Later\n- [ ] @Pia wait"},
                     "P": {"type": "person"}, "Q": {"type": "person"}}
    life.decisions["OLD"] = [bl.Decision("N", 2, "Stay")]
    label = {"id": "NOW", "start": "2025-01-08T10:00:00Z", "promisesMay": [], "pastAny": [],
             "attendees": [{"id": p, "name": p, "met": 1, "last": "2025-01-01"} for p in "PQ"],
             "promises": [{"note": "N", "line": 1, "text": "go", "owner": "P", "to": ["Q"]},
                          {"note": "N", "line": 3, "text": "tell Quin", "owner": None, "to": ["Q"]}],
             "past": [{"id": "OLD", "why": "last"}], "pastNot": [{"id": "NEXT", "why": "next"}],
             "decisions": [{"note": "N", "line": 2, "text": "Stay"}]}

    def line(text: str, type: str, id: str, number: int | None = None) -> dict[str, Any]:
        return {"text": text, "source": {"type": type, "id": id, "line": number}}

    right: dict[str, Any] = {
        "attendees": [{"person": {"id": p}, "lines": [line("Met once, last 7 days ago.", "person", p)]} for p in "PQ"],
        "pastMeetings": [{"meeting": {"id": "OLD"}, "lines": [line("Stay", "note", "N", 2)]}],
        "promises": [{"noteId": "N", "line": 1, "text": "go", "owner": "Pia Ro", "ownerId": "P",
                      "isMine": False, "to": []},
                     {"noteId": "N", "line": 3, "text": "tell Quin", "owner": None, "ownerId": None,
                      "isMine": True, "to": [{"name": "Quin Ro", "personId": "Q"}]}],
        "decisions": [line("Stay", "note", "N", 2)], "notes": [], "changes": [], "questions": []}
    late = {"noteId": "L", "line": 2, "text": "wait", "owner": "Pia Ro", "ownerId": "P", "isMine": False, "to": []}
    breaks = [
        ("promises", lambda b: b["promises"].pop()), ("promises", lambda b: b["promises"].append(late)),
        ("promises", lambda b: b["promises"][0].update(ownerId="Q")),
        ("promises", lambda b: b["promises"][1].update(to=[])),
        ("promises", lambda b: b["promises"][1].update(isMine=False)),
        ("past", lambda b: b["pastMeetings"].pop()),
        ("not", lambda b: b["pastMeetings"].append({"meeting": {"id": "NEXT"}, "lines": []})),
        ("not", lambda b: b["pastMeetings"].append({"meeting": {"id": "ALONE"}, "lines": []})),
        ("not", lambda b: b["pastMeetings"].append({"meeting": {"id": "OLD"}, "lines": []})),
        ("decided", lambda b: b["decisions"].pop()),
        ("decided", lambda b: b["decisions"].append(line("go", "note", "N", 1))),
        ("people", lambda b: b["attendees"].pop()),
        ("people", lambda b: b["attendees"].append({"person": {"id": "R"}, "reply": "accepted", "lines": []})),
        ("people", lambda b: b["attendees"][0]["lines"][0].update(text="Met 2 times, most recently 7 days ago.")),
        ("people", lambda b: b["attendees"][0]["lines"][0].update(text="Met once, last yesterday.")),
        ("people", lambda b: b["attendees"][0]["lines"][0].update(text="You haven’t had a meeting together yet.")),
        ("sources", lambda b: b["notes"].append({"text": "x", "source": None})),
        ("sources", lambda b: b["notes"].append(line("x", "note", "GONE"))),
        ("sources", lambda b: b["notes"].append(line("x", "day", "N"))),
        ("sources", lambda b: b["pastMeetings"][0]["lines"].append(line("Never", "note", "N", 2))),
        ("later", lambda b: b["changes"].append(line("x", "note", "L"))),
    ]
    now = bl.moment("2025-01-08T09:50:00Z")
    found = judge(label, Brief({"brief": right}), life, now, zone)
    assert not found, found
    for number, (column, spoil) in enumerate(breaks):
        wrong = copy.deepcopy(right)
        spoil(wrong)
        found = judge(label, Brief({"brief": wrong}), life, now, zone)
        assert list(found) == [column], (number, column, found)
    print(f"self-check: right, {len(breaks)} broken briefs found")
