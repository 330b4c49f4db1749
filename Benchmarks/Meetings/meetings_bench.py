"""Measures how fast calendars are brought in line and meetings are read, and writes the results.
Started by Benchmarks/Meetings/run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sqlite3
import sys
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from bench import positive, say, sizes  # noqa: E402
from calendar_data import OWNER, Event, events, notes, write_file, write_folder  # noqa: E402
from calendar_peers import CalendarPeers  # noqa: E402
from measure import Contender, Failed, MemoryWatch, Sample, rounds, run  # noqa: E402
from meetings_report import page  # noqa: E402
from parted import PartedBench, add_folders, quantiles, some_of  # noqa: E402
from radicale_server import RadicaleServer  # noqa: E402
from server import Server  # noqa: E402
from workplace import TODAY, Workplace  # noqa: E402

PARTS = {
    "folder": "a folder of files with one event each: first sync, again, after changes",
    "file": "one file of all events: first sync, again, after changes",
    "caldav": "a Radicale on this machine: first sync, again, after changes",
    "reading": "briefs, meetings, people and promises in the archive of a life",
}


class MeetingsBench(PartedBench):
    """One run."""

    def __init__(self, workplace: Workplace, options: argparse.Namespace) -> None:
        super().__init__(workplace, options)
        self.peers = CalendarPeers(workplace, options.cache)
        # Which events change is drawn once, the same everywhere.
        self.changes = [100, options.events // 4] if options.events > 400 else [5, 50]

    def acts(self) -> dict[str, Callable[[], Any]]:
        return {
            "folder": self.folder, "file": self.file, "caldav": self.caldav,
            "reading": self.reading,
        }  # fmt: skip

    # Bringing calendars in line

    def sync(self, archive: Path) -> dict[str, Any]:
        """One `arkived sync`: its time, its memory, and what it says it did."""
        memory = MemoryWatch(every=0.01)
        ran = run(
            [self.workplace.arkived, "sync", "--json"], self.workplace.environment(archive),
            keeps_output=True, memory=memory,
        )  # fmt: skip
        report = json.loads(ran.output)["syncs"][0]
        if report["warnings"]:
            raise Failed(f"sync warned: {report['warnings'][0]}")
        return {
            "seconds": ran.seconds, "cpu": ran.cpu_seconds, "memory": memory.peak_bytes,
            "did": report["pulled"],
        }  # fmt: skip

    def measured(
        self, place: str, put: Callable[[list[Event]], None], all_events: list[Event],
        *link: str,
    ) -> dict[str, Any]:  # fmt: skip
        """First sync, the same again, and after changes."""
        archive = self.workplace.work / "calendar"
        shutil.rmtree(archive, ignore_errors=True)
        self.workplace.call(archive, "sync", "link", place, *link)
        figures: dict[str, Any] = {"events": len(all_events), "first": self.sync(archive)}
        figures["meetings"] = figures["first"]["did"].get("new", 0)
        if figures["meetings"] < len(all_events) * 0.9:
            raise Failed(f"{figures['meetings']} meetings came of {len(all_events)} events")
        again = Sample()
        for _ in range(self.options.runs):
            done = self.sync(archive)
            if done["did"]:
                raise Failed(f"a sync without changes did {done['did']}")
            again.seconds.append(done["seconds"])
        figures["again"] = quantiles(again)
        figures["changed"] = []
        for count in self.changes:
            some = random.Random(count).sample(all_events, count)
            for event in some:
                event.changed()
            put(some)
            done = self.sync(archive)
            # Of those ahead of the window, and of declined ones, nothing is told.
            if done["did"].get("changed", 0) < count * 0.9:
                raise Failed(f"{count} events were changed, and the sync did {done['did']}")
            figures["changed"].append({"count": count, **done})
        return figures

    def folder(self) -> dict[str, Any]:
        place = self.workplace.work / "folder"
        all_events = events(self.options.events)
        write_folder(place, all_events)
        figures = self.measured(str(place), lambda some: write_folder(place, some), all_events)
        self.attempt_peer(figures, "khal", self.khal)
        return figures

    def file(self) -> dict[str, Any]:
        place = self.workplace.work / "calendar.ics"
        all_events = events(self.options.events)
        write_file(place, all_events)
        beside: dict[str, Any] = {}
        self.attempt_peer(beside, "icalendar", lambda: self.expansion(place))
        figures = self.measured(str(place), lambda _: write_file(place, all_events), all_events)
        return figures | beside

    def caldav(self) -> dict[str, Any]:
        base = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else self.workplace.work
        place = base / f"arkived-benchmark-{os.getpid()}"
        all_events = events(self.options.events)
        with RadicaleServer(place, all_events, self.workplace.data) as server:
            figures = self.measured(
                server.address, server.put, all_events, "--caldav", "--user", "me",
                "--password-file", str(server.password_file),
            )  # fmt: skip
            token = server.token()
            asked = rounds(
                [
                    Contender("tag", lambda _: server.tag()),
                    Contender("changes", lambda _: server.changes(token)),
                    Contender("sync", lambda _: self.sync(self.calendar)["seconds"]),
                ],
                self.options.runs, warm_up=1,
            )  # fmt: skip
            for name, sample in asked.items():
                if sample.failures:
                    raise Failed(sample.failures[0])
                figures[f"asked_{name}"] = quantiles(sample)
            self.attempt_peer(figures, "vdirsyncer", lambda: self.vdirsyncer(server))
        return figures

    @property
    def calendar(self) -> Path:
        return self.workplace.work / "calendar"

    # The peers

    def attempt_peer(
        self, figures: dict[str, Any], name: str, act: Callable[[], dict[str, Any]]
    ) -> None:
        """A peer that is not there takes nothing from the figures beside it."""
        if self.options.without_peers:
            return
        try:
            figures[name] = act()
        except (Failed, OSError) as failure:
            self.failures.append({"part": name, "what": str(failure)})
            say(f"{name}: FAILED: {failure}")

    def khal(self) -> dict[str, Any]:
        place = self.workplace.work / "folder"
        self.peers.prepare_khal(place)
        ran, peak = self.peers.khal()
        again, _ = self.peers.khal()
        return {"first": ran.seconds, "memory": peak, "again": again.seconds}

    def expansion(self, file: Path) -> dict[str, Any]:
        ran, peak = self.peers.expand(file)
        found, _ = ran.output.split()
        return {"first": ran.seconds, "memory": peak, "occurrences": int(found)}

    def vdirsyncer(self, server: RadicaleServer) -> dict[str, Any]:
        self.peers.prepare_vdirsyncer(server)
        ran, peak = self.peers.vdirsyncer()
        again, _ = self.peers.vdirsyncer()
        return {"first": ran.seconds, "memory": peak, "again": again.seconds}

    # Reading

    def reading(self) -> dict[str, Any]:
        life = self.workplace.life(self.options.life)
        archive = self.workplace.archive(life, "meetings")
        folder = archive.folder
        place = self.workplace.work / "life.ics"
        write_file(place, events(self.options.events, life))
        self.workplace.call(folder, "sync", "link", str(place))
        figures: dict[str, Any] = {"activities": life.activities, "sync": self.sync(folder)}
        self.workplace.call(folder, "person", "edit", OWNER[1], "--alias", "me")
        file = self.workplace.work / "notes.jsonl"
        file.write_text("".join(notes(self.held(folder))))
        written = self.workplace.call(folder, "import", str(file), "--json", keeps_output=True)
        figures["notes"] = json.loads(written.output)["runs"][0]["created"].get("note", 0)
        self.workplace.call(folder, "index")
        with sqlite3.connect(folder / "archive.sqlite") as database:
            for name, table in (("meetings", "meetings"), ("people", "persons")):
                figures[name] = database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            figures["promises"] = database.execute(
                "SELECT count(*) FROM promise_rows WHERE is_done = 0"
            ).fetchone()[0]
        figures["commands"] = self.commands(folder)
        figures["served"] = self.served(folder)
        return figures

    def held(self, archive: Path) -> list[tuple[str, str, str, list[str]]]:
        """Every fourth meeting with others that was held: identity, title, day, who came."""
        with sqlite3.connect(archive / "archive.sqlite") as database:
            rows = database.execute(
                """
                SELECT it.id, activity.text, activity.day_key,
                  (SELECT json_group_array(name) FROM attendance_rows
                    WHERE meeting_pk = it.pk AND reply <> 'declined' AND address <> ?1)
                FROM meetings AS it JOIN activities AS activity ON activity.pk = it.activity_pk
                WHERE activity.day_key < ?2 AND it.pk % 4 = 0
                  AND (SELECT count(*) FROM attendance_rows WHERE meeting_pk = it.pk) > 1
                """,
                (OWNER[1], TODAY),
            ).fetchall()
        return [(row[0], row[1], row[2], json.loads(row[3])) for row in rows]

    def drawn(self, archive: Path, count: int) -> list[str]:
        """Meetings with others, those ahead first, then from all years."""
        with sqlite3.connect(archive / "archive.sqlite") as database:
            rows = database.execute(
                """
                SELECT it.id FROM meetings AS it
                JOIN activities AS activity ON activity.pk = it.activity_pk
                WHERE (SELECT count(*) FROM attendance_rows WHERE meeting_pk = it.pk) > 1
                ORDER BY activity.day_key DESC
                """
            ).fetchall()
        identities = [str(row[0]) for row in rows]
        ahead = count // 2
        return identities[:ahead] + random.Random(44).sample(identities[ahead:], count - ahead)

    def commands(self, archive: Path) -> dict[str, Any]:
        chosen = self.drawn(archive, 40)
        with sqlite3.connect(archive / "archive.sqlite") as database:
            titles = [
                row[0]
                for row in database.execute(
                    "SELECT activity.text FROM meetings AS it JOIN activities AS activity "
                    "ON activity.pk = it.activity_pk GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 3"
                )
            ]
            people = [
                row[0]
                for row in database.execute(
                    "SELECT persons.name FROM mentions JOIN persons ON persons.pk = person_pk "
                    "WHERE persons.name IS NOT NULL GROUP BY person_pk ORDER BY count(*) DESC, "
                    "persons.pk LIMIT 5"
                )
            ]
        wanted: dict[str, Callable[[int], list[str]]] = {
            "brief next": lambda _: ["brief", "next"],
            "brief MEETING": lambda n: ["brief", chosen[n % len(chosen)]],
            "meeting": lambda _: ["meeting"],
            "meeting list --past": lambda _: ["meeting", "list", "--past"],
            "meeting list --person NAME": lambda n: [
                "meeting", "list", "--past", "--person", people[n % len(people)]
            ],
            "meeting show TITLE": lambda n: ["meeting", "show", titles[n % len(titles)]],
            "person list": lambda _: ["person", "list"],
            "person list --by-meetings": lambda _: ["person", "list", "--by-meetings"],
            "person NAME": lambda n: ["person", "show", people[n % len(people)]],
            "person duplicates": lambda _: ["person", "duplicates"],
            "promises": lambda _: ["promises"],
            "promises --person NAME": lambda n: [
                "promises", "list", "--person", people[n % len(people)]
            ],
            "notes": lambda _: ["notes"],
        }  # fmt: skip
        samples = rounds(
            [
                Contender(
                    name, lambda n, make=make: self.workplace.call(archive, *make(n), "--json")
                )
                for name, make in wanted.items()
            ],
            self.options.runs * 4,
        )
        return self.quantiles(samples)

    def served(self, archive: Path) -> dict[str, Any]:
        count = self.options.runs * 10
        chosen = self.drawn(archive, max(count, 40))
        with Server(self.workplace, archive) as server:
            cookie = server.sign_in()
            with sqlite3.connect(archive / "archive.sqlite") as database:
                people = [
                    urllib.parse.quote(row[0])
                    for row in database.execute(
                        "SELECT id FROM persons ORDER BY pk LIMIT ?", (len(chosen),)
                    )
                ]
            paths: dict[str, Callable[[int], tuple[str, dict[str, str]]]] = {
                "brief, API": lambda n: (
                    f"/api/v1/meetings/{chosen[n % len(chosen)]}/brief", server.bearer
                ),
                "meeting page with its brief": lambda n: (
                    f"/meetings/{chosen[n % len(chosen)]}/brief", cookie
                ),
                "meetings page": lambda _: ("/meetings", cookie),
                "person page": lambda n: (f"/people/{people[n % len(people)]}", cookie),
                "people page": lambda _: ("/people", cookie),
                "promises page": lambda _: ("/promises", cookie),
            }  # fmt: skip
            samples = rounds(
                [
                    Contender(name, lambda n, make=make: server.get(*make(n)))
                    for name, make in paths.items()
                ],
                count,
            )
        return self.quantiles(samples)

    def quantiles(self, samples: dict[str, Sample]) -> dict[str, Any]:
        for name, sample in samples.items():
            if sample.failures:
                raise Failed(f"{name}: {sample.failures[0]}")
        return {name: quantiles(sample) for name, sample in samples.items()}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="Benchmarks/Meetings/run", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="parts:\n" + "\n".join(f"  {name:9}{what}" for name, what in PARTS.items()),
    )  # fmt: skip
    parser.add_argument("--events", type=sizes, help="events of the calendar (default 20k)")
    parser.add_argument("--life", type=sizes, help="entries of the life (default 1.5M)")
    parser.add_argument("--only", type=some_of(PARTS), default=set(PARTS), help="parts")
    parser.add_argument("--runs", type=positive, help="runs of what is short (default 10)")
    parser.add_argument("--without-peers", action="store_true", help="leaves the peers out")
    parser.add_argument("--quick", action="store_true", help="300 events; figures mean little")
    add_folders(parser, HERE)
    options = parser.parse_args()
    is_usual = not (
        options.quick or options.events or options.life or options.runs or options.without_peers
    )
    options.events = (options.events or [300 if options.quick else 20_000])[0]
    options.life = (options.life or [10_000 if options.quick else 1_500_000])[0]
    options.runs = options.runs or (2 if options.quick else 10)
    bench = MeetingsBench(Workplace(options.programs, options.cache), options)
    return bench.finish(
        HERE, PARTS, is_usual, lambda results, failed: page(results, failed, "Benchmarks/Meetings/run"))


if __name__ == "__main__":
    sys.exit(main())
