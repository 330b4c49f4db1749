"""Files that somebody removes, replaces or alters, and a clock that goes back."""

import datetime
import os
import shutil
import sqlite3

from common import Server, activities, all_is_there, honest
from program import NOW
from trials import is_sentence
from verdict import require


def database_of(case):
    return os.path.join(case, "archive", "archive.sqlite")


def serving(bench, case, count):
    """A server that has acknowledged some entries, and their texts."""
    server = Server(bench, case)
    texts = [f"written at the page {number}" for number in range(count)]
    for text in texts:
        is_done, said = server.add(text)
        require(is_done, f"a plain entry was refused: {said}")
    return server, texts


def refuses(server, what):
    is_done, said = server.add(f"after {what}")
    require(not is_done, f"an entry was acknowledged after {what}")
    require(is_sentence(said), f"no sentence for a person after {what}: {said!r}")
    return said


def the_log_is_deleted(bench):
    """The write-ahead log is removed while the server runs: it stops writing, and saves what it has."""
    with bench.workshop.case("log", bench.workshop.base) as case:
        server, texts = serving(bench, case, 5)
        os.remove(database_of(case) + "-wal")
        said = refuses(server, "the log was deleted")
        server.stop()
        all_is_there(bench, case, texts)
        return f"said “{said}”, and kept all 5"


def the_log_is_lost_after_a_kill(bench):
    """The log is removed after a kill: what had reached the database is there, and no half entry."""
    with bench.workshop.case("lost", bench.workshop.base) as case:
        before = list(activities(case))
        server, texts = serving(bench, case, 5)
        server.kill()
        for suffix in ("-wal", "-shm"):
            if os.path.exists(database_of(case) + suffix):
                os.remove(database_of(case) + suffix)
        all_is_there(bench, case, before, texts)
        kept = sum(text in activities(case) for text in texts)
        return f"the archive is whole without it; {kept} of 5 had reached the database"


def the_file_is_replaced(bench):
    """Another file takes the archive's name while the server runs: nothing is written to either."""
    with bench.workshop.case("replaced", bench.workshop.base) as case:
        older = os.path.join(case, "older.sqlite")
        shutil.copy(database_of(case), older)
        server, texts = serving(bench, case, 5)
        away = os.path.join(case, "away.sqlite")
        os.rename(database_of(case), away)
        said = refuses(server, "the file was moved away")
        shutil.copy(older, database_of(case))
        refuses(server, "the file was replaced")
        with open(older, "rb") as one, open(database_of(case), "rb") as other:
            require(one.read() == other.read(), "the file that took its place was written to")
        server.stop()
        os.replace(away, database_of(case))
        all_is_there(bench, case, texts)
        return f"said “{said}”; put back, it holds all 5"


def altered(bench, case, offset, mask):
    """Runs the usual commands on an archive of which one byte was altered; returns what they did."""
    file = database_of(case)
    with open(file, "r+b") as database:
        database.seek(offset)
        (byte,) = database.read(1)
        database.seek(offset)
        database.write(bytes([byte ^ mask]))
    is_sound = True
    try:
        seen = os.path.join(case, "looked-at.sqlite")
        shutil.copy(file, seen)
        looked = sqlite3.connect(seen)
        # Names of tables and indexes may be what was altered.
        looked.text_factory = bytes
        try:
            verdict = [row[0] for row in looked.execute("PRAGMA integrity_check")]
            is_sound = verdict == [b"ok"]
        finally:
            looked.close()
    except (sqlite3.Error, UnicodeDecodeError):
        # What the library says of it may hold such a name too.
        is_sound = False
    what = f"byte {offset} altered by {mask:#04x}"
    doctor = bench.program.run(case, "doctor", "--json")
    honest(doctor, f"{what}: doctor")
    if not is_sound:
        require(doctor.status != 0, f"{what}: SQLite finds damage, and doctor does not")
    said = doctor.told + doctor.talk
    if doctor.status == 65 and "is damaged" in said:
        require("backup" in said or "arkived restore" in said, f"{what}: no way back: {said[-400:]}")
    works = 0
    for words in (("day", "--json"), ("search", "report", "--json"), ("export",)):
        works += honest(bench.program.run(case, *words), f"{what}: {words[0]}")
    honest(bench.program.run(case, "add", "after the damage", "--json"), f"{what}: add")
    return doctor.status == 0, works


def the_header_is_altered(bench):
    """Each byte of the database's header, altered: refused with a sentence, or it does not matter."""
    return alterations(bench, bench.chance.sample(range(100), bench.amount(6, 100)))


def pages_are_altered(bench):
    """Bytes of pages, altered: doctor tells where SQLite can, and no command crashes."""
    size = os.path.getsize(database_of(bench.workshop.base))
    return alterations(bench, [bench.chance.randrange(100, size) for _ in range(bench.amount(6, 300))])


def alterations(bench, offsets):
    well, reads = 0, 0
    for offset in offsets:
        with bench.workshop.case("altered", bench.workshop.base) as case:
            is_well, works = altered(bench, case, offset, bench.chance.choice((0x01, 0x80, 0xFF)))
            well += is_well
            reads += works
    return (
        f"{len(offsets)} bytes altered; doctor is content with {well} of the archives, "
        f"{reads} of {3 * len(offsets)} readings work, all others are told in a sentence"
    )


def the_clock_goes_back(bench):
    """The computer's clock is set back by a year between two commands."""
    program = bench.program
    now = datetime.datetime.fromisoformat(NOW.replace("Z", "+00:00"))
    earlier = {"ARKIVED_NOW": (now.replace(year=now.year - 1)).strftime("%Y-%m-%dT%H:%M:%SZ")}

    def do(*words, settings=earlier):
        outcome = program.run(case, *words, "--json", settings=settings)
        require(outcome.status == 0, f"{words[0]} ended with {outcome.status}: {outcome.talk}")
        return outcome.json

    with bench.workshop.case("clock", bench.workshop.base) as case:
        first = do("add", "before the clock went back", settings=None)["created"]
        second = do("add", "after the clock went back")["created"]
        require(
            second["dayKey"][:4] == str(now.year - 1), f"it was written on {second['dayKey']}"
        )
        do("edit", first["id"], "--text", "edited by the clock of last year")
        do("undo")
        texts = activities(case)
        require(
            texts.get("before the clock went back") == 1, "undo took back another change than the last"
        )
        do("delete", second["id"], "--yes")
        do("undo")
        newest = do("history", "--limit", "1")
        require(newest, "the history is empty")
        do("backup", os.path.join(case, "life.zip"), "--unencrypted")
        server = Server(bench, case, earlier)
        is_done, said = server.add("by the server's clock of last year")
        require(is_done, f"the server refused: {said}")
        server.stop()
        findings = program.run(case, "doctor", "--json", settings=earlier).json["findings"]
        clock = [it for it in findings if it["check"] == "clock"]
        require(clock and clock[0]["verdict"] == "advice", f"doctor says of the clock: {clock}")
        all_is_there(
            bench, case,
            [
                *("before the clock went back", "after the clock went back"),
                "by the server's clock of last year",
            ],
        )  # fmt: skip
        return f"nothing lost; doctor says “{clock[0]['detail']}”"

