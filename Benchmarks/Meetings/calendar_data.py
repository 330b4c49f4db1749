"""An invented calendar of thousands of events, as the lines of iCalendar files."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from pathlib import Path
from zoneinfo import ZoneInfo

from workplace import TODAY, ZONE, Life

# Who owns the calendar, and comes to most of it.
OWNER = ("Robin Winter", "robin.winter@example.net")
SERIES_PART = 0.05
ATTENDED_PART = 0.8
COLLEAGUES = 400
FRIENDS = 25

SUBJECTS = [
    "harbour", "budget", "garden", "choir", "archive", "kitchen", "launch", "survey", "bridge",
    "library", "festival", "roof", "ferry", "school", "orchard", "theatre",
]  # fmt: skip
FORMS = ["review", "planning", "call", "workshop", "lunch", "interview", "check-in", "visit"]
PLACES = ["Room 4", "Harbour Café", "Town hall", "Online", "Studio B", "Office, 3rd floor"]
FIRST = [
    "Ada", "Bruno", "Chiara", "Dariusz", "Elif", "Femi", "Greta", "Hugo", "Ines", "Jakub",
    "Kemal", "Lena", "Mateo", "Nadia", "Oskar", "Paula", "Quinn", "Rosa", "Sven", "Tamar",
]  # fmt: skip
LAST = [
    "Adler", "Bauer", "Conti", "Duarte", "Eriksen", "Fischer", "Grau", "Horvat", "Ivanov",
    "Jansen", "Keller", "Lund", "Marino", "Novotny", "Olsen", "Petrov", "Quist", "Rossi",
    "Santos", "Thoma",
]  # fmt: skip

ZONE_LINES = f"""BEGIN:VTIMEZONE
TZID:{ZONE}
BEGIN:DAYLIGHT
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
TZNAME:CEST
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
TZNAME:CET
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE
"""
HEAD = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Arkived//Benchmarks//EN\n"
END = "END:VCALENDAR\n"


@dataclass
class Event:
    """One event, or a series with its overrides."""

    uid: str
    title: str
    start: datetime
    minutes: int
    place: str | None
    attendees: list[tuple[str, str]]
    rule: str | None = None
    # Occurrences that were moved by an hour.
    moved: list[datetime] = field(default_factory=list)
    version: int = 0

    @property
    def name(self) -> str:
        return f"{self.uid}.ics"

    def changed(self) -> None:
        """Another title and a later end, as when somebody edits it."""
        self.version += 1
        self.minutes += 15

    def components(self) -> str:
        base = self._component(self.start, self.title, None)
        return base + "".join(
            self._component(start + timedelta(hours=1), f"{self.title}, moved", start)
            for start in self.moved
        )

    def text(self) -> str:
        """As a file of its own."""
        head = HEAD + ZONE_LINES if self.rule else HEAD
        return (head + self.components() + END).replace("\n", "\r\n")

    def _time(self, time: datetime) -> str:
        """As Google writes it: what repeats on the clocks of its zone, anything else in UTC."""
        if self.rule:
            return f";TZID={ZONE}:{stamp(time)}"
        return f":{stamp(time.replace(tzinfo=ZoneInfo(ZONE)).astimezone(UTC))}Z"

    def _component(self, start: datetime, title: str, instead: datetime | None) -> str:
        title = title if self.version == 0 else f"{title} ({self.version})"
        lines = [
            "BEGIN:VEVENT", f"UID:{self.uid}", "DTSTAMP:20251201T080000Z",
            f"SEQUENCE:{self.version}", "DTSTART" + self._time(start),
            "DTEND" + self._time(start + timedelta(minutes=self.minutes)),
            f"SUMMARY:{title}",
            f"DESCRIPTION:What is to be said about the {self.title}.\\nBring the figures of last "
            "time\\, and the list of what is open.",
        ]  # fmt: skip
        if instead:
            lines.append("RECURRENCE-ID" + self._time(instead))
        elif self.rule:
            lines.append(f"RRULE:{self.rule}")
        if self.place:
            lines.append("LOCATION:" + self.place.replace(",", "\\,"))
        if self.attendees:
            lines.append(f"ORGANIZER;CN={self.attendees[0][0]}:mailto:{self.attendees[0][1]}")
        for index, (name, address) in enumerate(self.attendees):
            reply = ("ACCEPTED", "ACCEPTED", "TENTATIVE", "NEEDS-ACTION", "DECLINED")[index % 5]
            if (name, address) == OWNER:
                reply = "ACCEPTED"
            lines.append(
                f"ATTENDEE;CN={name};ROLE=REQ-PARTICIPANT;PARTSTAT={reply}:mailto:{address}"
            )
        lines += [
            "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT10M", "DESCRIPTION:soon", "END:VALARM",
            "END:VEVENT", "",
        ]  # fmt: skip
        return "\n".join(lines)


def stamp(time: datetime) -> str:
    return time.strftime("%Y%m%dT%H%M%S")


def people(life: Life | None, draw: random.Random) -> list[tuple[str, str]]:
    """Colleagues, and from a life those whom its entries name and who have an address."""
    found = []
    for index in range(COLLEAGUES):
        name = f"{FIRST[index % 20]} {LAST[index // 20]}"
        found.append((name, f"{name.lower().replace(' ', '.')}@example.com"))
    if life:
        known = (line for line in life.lines() if line["type"] == "person" and line["email"])
        friends = [(line["name"], line["email"]) for line in islice(known, FRIENDS)]
        found = friends * 4 + found
    draw.shuffle(found)
    return found


def events(count: int, life: Life | None = None, seed: int = 1846) -> list[Event]:
    """So many events over twelve years up to two months ahead, one in twenty of them a series."""
    draw = random.Random(seed)
    everybody = people(life, draw)
    today = date.fromisoformat(TODAY)
    first = today - timedelta(days=12 * 365)
    found = []
    for index in range(count):
        day = first + timedelta(days=draw.randrange(12 * 365 + 60))
        # However few there are, some are still to come.
        is_next = index >= count - 3
        if is_next:
            day = today + timedelta(days=count - index)
        start = datetime(day.year, day.month, day.day, draw.randrange(8, 18), draw.choice([0, 30]))
        attendees = []
        if draw.random() < ATTENDED_PART or is_next:
            # Most come from a few, as they do at work.
            near = [everybody[int(len(everybody) * draw.random() ** 2)] for _ in range(6)]
            attendees = [OWNER, *dict.fromkeys(near[: draw.randrange(1, 7)])]
            draw.shuffle(attendees)
        event = Event(
            uid=str(uuid.UUID(int=draw.getrandbits(128), version=4)),
            title=f"{draw.choice(SUBJECTS).capitalize()} {draw.choice(FORMS)}",
            start=start, minutes=draw.choice([15, 30, 45, 60, 90]),
            place=draw.choice([*PLACES, None, None]), attendees=attendees,
        )  # fmt: skip
        if index < count * SERIES_PART:
            make_series(event, draw)
        found.append(event)
    draw.shuffle(found)
    return found


def make_series(event: Event, draw: random.Random) -> None:
    """Weekly, monthly or daily for some time, or every week without an end."""
    # One that begins after the days that are followed would be told of, and become no meeting.
    if event.start.date() > date.fromisoformat(TODAY) - timedelta(days=30):
        event.start -= timedelta(days=364)
    kind = draw.choice(["weekly"] * 6 + ["monthly", "monthly", "daily", "endless"])
    step = timedelta(weeks=1)
    if kind == "weekly":
        length = draw.randrange(6, 20)
        event.rule = f"FREQ=WEEKLY;COUNT={length}"
    elif kind == "monthly":
        event.start = event.start.replace(day=draw.randrange(1, 28))
        length = draw.randrange(6, 24)
        event.rule = f"FREQ=MONTHLY;COUNT={length}"
        step = timedelta(0)
    elif kind == "daily":
        length = draw.randrange(5, 15)
        event.rule = f"FREQ=DAILY;COUNT={length}"
        step = timedelta(days=1)
    else:
        length = 20
        weeks = draw.randrange(20, 104)
        day = date.fromisoformat(TODAY) - timedelta(weeks=weeks, days=draw.randrange(7))
        event.start = event.start.replace(year=day.year, month=day.month, day=day.day)
        event.rule = "FREQ=WEEKLY"
    event.title += " (series)"
    if step:
        event.moved = [event.start + step * n for n in draw.sample(range(1, length), 2)]


def write_folder(folder: Path, some: Iterable[Event]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for event in some:
        (folder / event.name).write_text(event.text(), encoding="utf-8", newline="")


def write_file(file: Path, some: Iterable[Event]) -> None:
    with file.open("w", encoding="utf-8", newline="") as out:
        out.write((HEAD + ZONE_LINES).replace("\n", "\r\n"))
        for event in some:
            out.write(event.components().replace("\n", "\r\n"))
        out.write(END.replace("\n", "\r\n"))


def notes(meetings: Iterable[tuple[str, str, str, list[str]]]) -> Iterator[str]:
    """A note with promises and decisions for each meeting, given by its identity, title, day and
    the names of those who came, as the lines that `arkived import` reads."""
    draw = random.Random(1847)
    for identity, title, day, names in meetings:
        who = draw.choice(names) if names else "Robin"
        subject = title.split()[0].lower()
        other = draw.choice(SUBJECTS)
        box = draw.choice("  x")
        text = (
            f"# Notes\n\nWe spoke about the {subject} and what is left of the {other}. {who} told "
            f"of the last weeks, which went better than planned.\n\n- [ ] @{who} send the figures "
            f"of the {subject} by Friday\n- [{box}] ask about the {other}\n\n## Decisions\n\n"
            f"- The {subject} goes on as it is\n"
        )
        yield json.dumps(
            {
                "type": "note", "id": str(uuid.UUID(int=draw.getrandbits(128), version=4)).upper(),
                "text": text, "meetingId": identity, "createdAt": f"{day}T18:00:00Z",
                "updatedAt": f"{day}T18:00:00Z",
            }
        ) + "\n"  # fmt: skip
