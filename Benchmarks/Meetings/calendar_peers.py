"""Other programs on the same calendar: vdirsyncer, khal, and icalendar with recurring_ical_events."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

from measure import Failed, MemoryWatch, Ran, run
from radicale_server import PASSWORD, RadicaleServer
from workplace import TODAY, ZONE, Workplace

EXPANSION = """
import sys
from datetime import date
import icalendar, recurring_ical_events
with open(sys.argv[1], "rb") as file:
    calendar = icalendar.Calendar.from_ical(file.read())
found = recurring_ical_events.of(calendar).between(
    date.fromisoformat(sys.argv[2]), date.fromisoformat(sys.argv[3]))
people = sum(len(event["ATTENDEE"]) if isinstance(event.get("ATTENDEE"), list) else 1
             for event in found if "ATTENDEE" in event)
print(len(found), people)
"""
VDIRSYNCER = """[general]
status_path = "{work}/status"
[pair office]
a = "here"
b = "there"
collections = null
conflict_resolution = "b wins"
[storage here]
type = "filesystem"
path = "{folder}"
fileext = ".ics"
[storage there]
type = "caldav"
url = "{address}"
username = "me"
password = "{password}"
"""
KHAL = """[calendars]
[[office]]
path = {folder}
[sqlite]
path = {work}/khal.db
[locale]
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
default_timezone = {zone}
local_timezone = {zone}
"""


class CalendarPeers:
    """Programs from PyPI in a folder of their own."""

    def __init__(self, workplace: Workplace, cache: Path) -> None:
        self.programs = cache / "calendar-peers" / "bin"
        self.work = workplace.work / "peers"
        self.work.mkdir(exist_ok=True)
        self.environment = {
            "HOME": str(self.work), "LANG": "C.UTF-8", "TZ": ZONE, "PATH": "/usr/bin:/bin",
        }  # fmt: skip

    def _run(self, *arguments: str, keeps_output: bool = False) -> tuple[Ran, int]:
        program = self.programs / arguments[0]
        if not program.exists():
            raise Failed(f"{arguments[0]} is not installed; Benchmarks/Meetings/run installs it")
        memory = MemoryWatch(every=0.02)
        ran = run(
            [program, *arguments[1:]], self.environment, keeps_output=keeps_output, memory=memory
        )
        return ran, memory.peak_bytes

    def expand(self, file: Path) -> tuple[Ran, int]:
        """Reads the file and finds every occurrence up to a week ahead; keeps nothing."""
        last = date.fromisoformat(TODAY) + timedelta(days=7)
        return self._run(
            "python", "-c", EXPANSION, str(file), "2013-01-01", last.isoformat(),
            keeps_output=True,
        )  # fmt: skip

    def prepare_vdirsyncer(self, server: RadicaleServer) -> None:
        """Links an empty folder with the calendar."""
        folder = self.work / "vdir"
        folder.mkdir()
        self.settings = self.work / "vdirsyncer"
        self.settings.write_text(
            VDIRSYNCER.format(
                work=self.work, folder=folder, address=server.address, password=PASSWORD
            )
        )
        self._run("vdirsyncer", "-c", str(self.settings), "discover")

    def vdirsyncer(self) -> tuple[Ran, int]:
        return self._run("vdirsyncer", "-c", str(self.settings), "sync")

    def prepare_khal(self, folder: Path) -> None:
        self.khal_settings = self.work / "khal"
        self.khal_settings.write_text(KHAL.format(work=self.work, folder=folder, zone=ZONE))

    def khal(self) -> tuple[Ran, int]:
        """Brings its database in line with the folder, and lists a day."""
        return self._run("khal", "-c", str(self.khal_settings), "list", TODAY)
