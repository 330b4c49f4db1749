"""Fills an archive with meetings, people, notes and promises through the forms of the pages."""

import re

from sample_goals import Forms

CALENDAR = """BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//Sample//EN\r
BEGIN:VEVENT\r
UID:standup@example.org\r
DTSTAMP:20260301T000000Z\r
DTSTART:20260316T080000Z\r
DTEND:20260316T081500Z\r
RRULE:FREQ=DAILY;COUNT=5\r
SUMMARY:Standup\r
LOCATION:Room 3\r
ATTENDEE;CN=Priya Nair;PARTSTAT=ACCEPTED:mailto:priya@example.org\r
ATTENDEE;CN=Jonas Berg;PARTSTAT=DECLINED:mailto:jonas@example.org\r
END:VEVENT\r
END:VCALENDAR\r
"""


def fill(server):
    """Two weeks of meetings about prices, with what was said and promised."""
    forms = Forms(server, server.login_again() if hasattr(server, "login_again") else server.login)
    people = "Priya Nair <priya@example.org>\nJonas Berg <jonas@example.org>"
    past = forms.made(
        "/meetings",
        {"title": "Pricing", "day": "2026-03-10", "start": "14:00", "end": "15:00",
         "attendees": people, "location": "Room 3", "purpose": "Agree on tiers",
         "tags": "pricing"},
    )
    note = forms.made(
        "/notes",
        {"meeting": past, "title": "Minutes",
         "note": "@Priya showed three tiers.\n\n## Decisions\n\n- Three tiers, not four\n\n"
         "## Next steps\n\n- [ ] @Priya send the draft by 2026-03-13\n"
         "- [ ] tell @Jonas about the discount\n- [x] book the room\n"},
    )
    ahead = forms.made(
        "/meetings",
        {"title": "Pricing, second round", "day": "2026-03-16", "start": "14:00", "end": "15:00",
         "attendees": people, "location": "Room 3", "purpose": "Decide on the discount"},
    )
    forms.post("/people", {"name": "Nair, Priya"})
    forms.post("/notes", {"title": "Ideas", "note": "Ask for *more* tea.", "tags": "ideas"})
    listed = forms.get("/people")
    person = re.search(r'href="/people/([0-9A-F-]{36})"><bdi>Priya Nair', listed).group(1)
    return {"past": past, "note": note, "ahead": ahead, "person": person}
