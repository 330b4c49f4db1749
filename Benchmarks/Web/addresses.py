"""The addresses of all pages, and examples of things that have pages of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from measure import Failed
from paths import FIXED
from server import Server
from workplace import TODAY, Archive

ENTRY = "6B0A1C52-0E0D-4A53-9D49-2F1D0F4B7C01"
EVENT = "6B0A1C52-0E0D-4A53-9D49-2F1D0F4B7C02"
MEETING = "6B0A1C52-0E0D-4A53-9D49-2F1D0F4B7C03"
THREAD = "6B0A1C52-0E0D-4A53-9D49-2F1D0F4B7C04"
# Things that a generated life doesn't have.
EXAMPLES: list[dict[str, Any]] = [
    {"type": "lifetime", "birthDate": "1946-01-01", "expectedYears": 90},
    {"type": "value", "title": "Curiosity"},
    {"type": "term", "termNumber": 1, "startDate": "2025-12-01", "targetDate": "2026-02-08"},
    {"type": "goal", "title": "Swim", "measurementUnit": "km", "measurementTarget": 40},
    {"type": "note", "title": "The boat", "text": "- [ ] paint the boat by 2026-01-20"},
    {"type": "activity", "id": ENTRY, "text": "Mended the tent", "dayKey": TODAY},
    {
        "type": "activity", "id": EVENT, "text": "Planning", "startAt": f"{TODAY}T21:00:00Z",
        "endAt": f"{TODAY}T22:00:00Z",
    },
    {
        "type": "meeting", "id": MEETING, "activityId": EVENT, "eventIdentifier": "planning",
        "attendees": [{"name": "Jo Marsh", "address": "jo@example.org"}],
    },
    {"type": "thread", "id": THREAD, "title": "Boats"},
    {"type": "message", "threadId": THREAD, "role": "user", "text": "How often was I at sea?"},
]  # fmt: skip
# The lists of the API by the names of their members, and the pages of one member.
MEMBERS = {
    "goals": ("/goals", ["/goals/{}", "/goals/{}/edit"]),
    "values": ("/values", ["/values/{}", "/values/{}/edit"]),
    "terms": ("/terms", ["/terms/{}", "/terms/{}/edit"]),
    "people": ("/people", ["/people/{}", "/people/{}/edit", "/linked/from?person={}"]),
    "notes": ("/notes", ["/notes/{}", "/notes/{}/edit"]),
    "photos": ("/photos", ["/photos/view/{}"]),
    "tags": ("/tags", ["/settings/tags/{}"]),
    "templates": ("/templates", ["/settings/templates/{}"]),
    "runs": ("/imports", ["/settings/imports/{}"]),
    "changes": ("/changes", ["/settings/history/{}"]),
    "versions": (f"/history?entity={ENTRY}", ["/history/{}"]),
}


def write_examples(file: Path) -> Path:
    """Writes the examples as JSON Lines."""
    file.write_text("".join(json.dumps(line) + "\n" for line in EXAMPLES))
    return file


class Pages:
    """The addresses that are opened."""

    def __init__(self, archive: Archive) -> None:
        first, last = archive.life.account["from"], archive.life.account["through"]
        middle = archive.life.days()[len(archive.life.days()) // 2]
        self.days = archive.life.days()
        self.insights = {
            topic: f"/insights/{topic}?span=all"
            for topic in ("habits", "time", "measures", "places", "mood")
        }
        self.insights["year"] = f"/insights?year={last[:4]}"
        self.insights["compare"] = f"/insights/compare?a={first}..{middle}&b={middle}..{last}"
        self.map = "/map?span=all"

    def every(self, server: Server) -> list[str]:
        """Returns a page of every kind; the archive must have the examples and a photo."""
        return [
            *FIXED, f"/day/{self.days[0]}", f"/day/{TODAY}/note", f"/day/{TODAY}/note/edit",
            "/search?query=harbour+dinner",
            "/ask?question=how+often+did+I+swim+last+month%3F", f"/threads/{THREAD}",
            f"/actions/{ENTRY}", f"/meetings/{MEETING}", f"/meetings/{MEETING}/edit",
            f"/meetings/{MEETING}/brief", *self.insights.values(), self.map,
            f"/linked/from?day={TODAY}", f"/activities/{ENTRY}", f"/activities/{ENTRY}/edit",
            *self.members(server),
        ]  # fmt: skip

    def members(self, server: Server) -> list[str]:
        """Returns the pages of the first member of each list."""
        return [
            form.format(first(server, kind, path))
            for kind, (path, forms) in MEMBERS.items()
            for form in forms
        ]


def first(server: Server, kind: str, path: str) -> str:
    """Returns the ID of the first member of a list of the API."""
    response, content, _ = server.request("GET", "/api/v1" + path, server.bearer)
    members = json.loads(content).get(kind) if response.status == 200 else None
    if not members:
        raise Failed(f"GET /api/v1{path} answered {response.status} without {kind}")
    return str(members[0]["id"])
