"""Copies of an archive that is in use, an archive of a newer program, and readings that alter nothing."""

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import threading

from absence import AWAY, Life, is_quick, readings_work
from commands import FREE_COMMANDS, READ, Refusals, all_commands, filled, require_none
from common import activities
from footprint import Footprint, digest
from storms import writer_process
from verdict import Wrong, require

ENDINGS = ("", "-wal", "-shm")


def at(folder):
    return {"ARKIVED_HOME": folder, **AWAY}


def a_newer_archive(bench):
    """An archive that a later program has migrated: refused by every command, and not a byte altered."""
    with bench.workshop.case("newer") as case:
        life = Life(bench, case, backups=1)
        database = sqlite3.connect(life.file)
        database.execute("INSERT INTO grdb_migrations VALUES ('999-future')")
        database.commit()
        database.close()
        for ending in ENDINGS[1:]:
            require(not os.path.exists(life.file + ending), f"Python left {ending}")
        before, names = digest(life.file), sorted(os.listdir(life.home))
        commands = [it for it in all_commands() if is_quick(it)]
        if bench.is_short:
            commands = bench.chance.sample(commands, 30)
            commands += [["doctor", "--mend"], ["serve", "--port", "0"], ["export"]]
        # One at a time: an empty log that two left when they closed together tells nothing of either.
        refusals = Refusals(bench, case, 77, settings=AWAY, ignoring=(".",), workers=1)
        problems = refusals.expect(commands)
        if digest(life.file) != before:
            problems.append("archive.sqlite has other bytes")
        # A text that can't be saved is kept as a draft.
        others = (set(os.listdir(life.home)) ^ set(names)) - {"drafts"}
        problems += [f"other names: {sorted(others)}"] if others else []
        lost = life.lost()
        require_none(problems, f"{refusals.attempts} refusals")
        require(not lost, f"{len(lost)} entries lost")
        return f"{refusals.attempts} refusals; archive.sqlite and the list of names are the same"


def reading_alters_nothing(bench):
    """Every command that reads a closed archive leaves its database's bytes, and no log beside it."""
    problems = []
    with bench.workshop.case("reading") as case:
        life = Life(bench, case, backups=1)
        commands = [
            it
            for it in all_commands((READ,))
            if is_quick(it) and it[0] not in ("serve", "playground") and tuple(it) not in FREE_COMMANDS
        ]
        if bench.is_short:
            commands = bench.chance.sample(commands, 20)
        for ending in ENDINGS[1:]:
            require(
                not os.path.exists(life.file + ending),
                f"the commands that made the archive left {ending}, so that it is not closed: "
                f"{left_open(life)}",
            )
        before, names, bytes_ = digest(life.file), set(os.listdir(life.home)), Footprint(life.home)
        others = set()
        for words in commands:
            outcome = bench.program.run(case, *filled(words, case), settings=AWAY)
            what = f"“arkived {' '.join(words)}” ({outcome.status})"
            if digest(life.file) != before:
                problems.append(f"{what} altered archive.sqlite")
                before = digest(life.file)
            left = [it for it in ENDINGS[1:] if os.path.exists(life.file + it)]
            if left:
                problems.append(f"{what} left {left}")
                # Each command is judged alone.
                require(checkpoint(life.file), "the log could not be moved into the database")
                before = digest(life.file)
            if outcome.status < 0 or outcome.status > 77:
                problems.append(f"{what}: {outcome.talk[:200]}")
            added = set(os.listdir(life.home)) - names
            if added:
                others.add(f"{' '.join(words[:2])}: {', '.join(sorted(added))}")
                names |= added
        altered = [it for it in bytes_.difference(Footprint(life.home)) if "archive.sqlite" in it]
        require_none(problems, f"{len(commands)} reading commands")
        beside = f"; made beside it: {sorted(others)}" if others else ""
        return f"{len(commands)} commands, altered: {altered or 'nothing'}{beside}"


def left_open(life):
    """How large the log is that was left."""
    sizes = {it: os.path.getsize(life.file + it) for it in ENDINGS if os.path.exists(life.file + it)}
    return f"sizes {sizes}"


class Stream:
    """A writer that adds entries in a row until it is stopped, and what was acknowledged to it."""

    def __init__(self, bench, case, name="streamed"):
        self.process = writer_process(bench, case)
        self.name = name
        self.acknowledged = []
        self.is_stopped = False
        self.thread = threading.Thread(target=self.write)

    def write(self):
        while not self.is_stopped:
            self.one()

    def one(self):
        """Adds an entry and waits for the answer."""
        text = f"{self.name} {len(self.acknowledged)}"
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        if not self.process.stdout.readline().endswith("\n"):
            self.is_stopped = True
            return
        self.acknowledged.append(text)

    def many(self, count):
        for _ in range(count):
            self.one()

    def end(self):
        self.is_stopped = True
        if self.thread.is_alive():
            self.thread.join()
        self.process.stdin.close()
        said = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()
        require(self.process.wait() == 0, f"the writer ended with {self.process.returncode}: {said[-300:]}")


@contextlib.contextmanager
def streaming(bench, case, runs=True, name="streamed"):
    stream = Stream(bench, case, name)
    if runs:
        stream.thread.start()
    try:
        yield stream
    finally:
        stream.end()


def checkpoint(file):
    """Moves the log into the database, as every writer does now and then."""
    database = sqlite3.connect(file, timeout=30)
    try:
        return database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
    finally:
        database.close()


def judged(bench, case, folder, stream, before):
    """How the program takes a copy: refused with nothing altered, or whole; and what is wrong with it."""
    look = Footprint(folder)
    outcome = bench.program.run(case, "today", settings=at(folder))
    if outcome.status != 0:
        refusals = Refusals(bench, case, 65, settings=at(folder))
        problems = refusals.expect([["today"], ["add", "into the copy"], ["doctor", "--mend"], ["export"]])
        altered = look.difference(Footprint(folder))
        problems += [f"the refused copy was altered: {'; '.join(altered[:4])}"] if altered else []
        return "refused", problems
    said = bench.program.run(case, "export", settings=at(folder))
    if said.status != 0:
        return "taken", [f"today accepts a copy and export ended with {said.status}: {said.talk[:200]}"]
    problems = []
    lines = [json.loads(it) for it in said.told.splitlines()]
    texts = {it["text"] for it in lines if it["type"] == "activity"}
    count = sum(it.startswith(stream.name + " ") for it in texts)
    expected = {f"{stream.name} {number}" for number in range(count)}
    if not expected <= texts:
        problems.append(f"a copy was taken that lacks {len(expected - texts)} entries in the midst")
    if count < before:
        problems.append(
            f"a copy was taken that lacks {before - count} of the {before} entries that were "
            "acknowledged before it was begun"
        )
    database = sqlite3.connect(os.path.join(folder, "archive.sqlite"))
    try:
        verdict = database.execute("PRAGMA integrity_check").fetchall()
        if verdict != [("ok",)]:
            problems.append(f"a copy was taken of which SQLite says {verdict[:2]}")
    except sqlite3.Error as error:
        problems.append(f"a copy was taken of which SQLite says {error}")
    finally:
        database.close()
    return "taken", problems


def torn_copies(bench):
    """The database and its log copied at two moments, in both orders, with a checkpoint in between."""
    told, problems = {"refused": 0, "taken": 0, "whole": 0}, []
    rounds = bench.amount(2, 60)
    with bench.workshop.case("torn") as case:
        life = Life(bench, case, backups=0)
        with streaming(bench, case, runs=False) as stream:
            for number in range(rounds):
                for order in (("", "-wal"), ("-wal", "")):
                    stream.many(bench.chance.choice((3, 20, 60)))
                    copy = os.path.join(case, f"copy-{number}")
                    copy_others(life, copy)
                    before = len(stream.acknowledged)
                    shutil.copy2(life.file + order[0], copy)
                    stream.many(bench.chance.choice((1, 10, 40)))
                    is_moved = checkpoint(life.file)
                    require(is_moved, "the log could not be moved into the database")
                    stream.many(bench.chance.choice((1, 10, 40)))
                    if order[0] == "-wal":
                        # What came last is in the database too, so that the log is older than it.
                        require(checkpoint(life.file), "the log could not be moved into the database")
                    shutil.copy2(life.file + order[1], copy)
                    verdict, broken = judged(bench, case, copy, stream, before)
                    told[verdict] += 1
                    name = "database first" if order[0] == "" else "log first"
                    if verdict == "taken":
                        differing = differing_tables(life.file, os.path.join(copy, "archive.sqlite"))
                        if differing:
                            broken = [*broken, f"a torn copy was taken; other rows in {differing}"]
                        else:
                            # Every page that the checkpoint moved was written once more since.
                            told["whole"] += 1
                    problems += [f"[{name}, round {number}] {it}" for it in broken]
                    shutil.rmtree(copy)
        life.acknowledged += stream.acknowledged
        lost = life.lost()
        line = (
            f"{told['refused']} of {2 * rounds} torn copies refused, {told['taken']} taken, of which "
            f"{told['whole']} have every row of the archive; {len(life.acknowledged)} acknowledged, "
            f"lost = {len(lost)}"
        )
        require_none(problems, line)
        require(not lost, line)
        return line


def differing_tables(one, other):
    """The names of the tables, search's own among them, in which two databases have other rows."""

    def tables(file):
        database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        try:
            names = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
            found = {}
            for (name,) in names:
                with contextlib.suppress(sqlite3.OperationalError):
                    # A tokenizer of the program's own is not known here.
                    found[name] = sorted(map(repr, database.execute(f'SELECT * FROM "{name}"')))
            return found
        finally:
            database.close()

    left, right = tables(one), tables(other)
    return sorted(it for it in {*left, *right} if left.get(it) != right.get(it))


def copy_others(life, copy):
    """Copies everything of an archive but its database."""
    shutil.copytree(life.home, copy, ignore=shutil.ignore_patterns("archive.sqlite*"))


def copies_while_writing(bench):
    """`cp -r` of an archive that is written all the time: each copy is refused, or holds all of it."""
    told, problems = {"refused": 0, "taken": 0}, []
    rounds = bench.amount(5, 100)
    with bench.workshop.case("copied") as case:
        life = Life(bench, case, backups=0)
        with streaming(bench, case) as stream:
            for number in range(rounds):
                copy = os.path.join(case, f"copy-{number}")
                before = len(stream.acknowledged)
                subprocess.run(["cp", "-r", life.home, copy], check=True)
                verdict, broken = judged(bench, case, copy, stream, before)
                told[verdict] += 1
                problems += [f"[cp -r, copy {number}] {it}" for it in broken]
                shutil.rmtree(copy)
        life.acknowledged += stream.acknowledged
        lost = life.lost()
        line = f"{rounds} copies, {told['taken']} taken and whole, {told['refused']} refused, " \
               f"{len(life.acknowledged)} acknowledged, lost = {len(lost)}"
        require_none(problems, line)
        require(not lost, line)
        return line


def plain_copies(bench):
    """`backup --plain` while somebody writes: the copy opens, holds all of it, and is kept apart."""
    problems = []
    rounds = bench.amount(2, 40)
    with bench.workshop.case("plain") as case:
        life = Life(bench, case, backups=1)
        copy = os.path.join(case, "plain")
        with streaming(bench, case) as stream:
            for number in range(rounds):
                before = len(stream.acknowledged)
                outcome = bench.program.run(case, "backup", "--plain", copy, settings=AWAY)
                if outcome.status != 0:
                    said = outcome.talk.strip()[:300]
                    problems.append(f"[copy {number}] backup --plain ended with {outcome.status}: {said}")
                    continue
                left = [it for it in ENDINGS[1:] if os.path.exists(f"{copy}/archive.sqlite{it}")]
                problems += [f"the copy has {left}"] if left else []
                verdict, broken = judged(bench, case, copy, stream, before)
                broken = [*broken, "refused"] if verdict == "refused" else broken
                problems += [f"[copy {number}] {it}" for it in broken]
        life.acknowledged += stream.acknowledged
        life.do("backup", "--plain", copy)
        own = life.do("export").told
        there = bench.program.run(case, "export", settings=at(copy))
        if there.told != own:
            problems.append("the copy's export is another than the archive's")
        doctor = bench.program.run(case, "doctor", settings=at(copy))
        if doctor.status != 0:
            problems.append(f"doctor on the copy ended with {doctor.status}: {doctor.told[-300:]}")
        names = Footprint(os.path.join(life.home, "attachments")).contents()
        if names != Footprint(os.path.join(copy, "attachments")).contents():
            problems.append("the copy has other attachments")
        for words in (("backup", "--plain", life.home), ("backup", "--plain", f"{life.home}/inside")):
            if bench.program.run(case, *words).status == 0:
                problems.append(f"{words[-1]} was taken for a copy")
        # An entry that is written into the copy makes it an archive of its own.
        bench.program.run(case, "add", "written into the copy", settings=at(copy))
        look = Footprint(copy)
        outcome = bench.program.run(case, "backup", "--plain", copy)
        if outcome.status == 0 or look.difference(Footprint(copy), ("copy.lock", ".")):
            problems.append(f"a copy with an entry of its own was written over ({outcome.status})")
        lost = life.lost()
        line = f"{rounds + 1} plain copies, {len(life.acknowledged)} acknowledged, lost = {len(lost)}"
        require_none(problems, line)
        require(not lost, line)
        return line


def a_copy_takes_its_place(bench):
    """The same archive's file under another inode is accepted, with its log where there is one."""
    with bench.workshop.case("same") as case, Life(bench, case, backups=1) as life:
        life.serve(5)
        life.kill()
        for ending in ENDINGS:
            if os.path.exists(life.file + ending):
                shutil.copy2(life.file + ending, os.path.join(case, f"copy{ending}"))
        for ending in ENDINGS:
            if os.path.exists(os.path.join(case, f"copy{ending}")):
                os.replace(os.path.join(case, f"copy{ending}"), life.file + ending)
        problems = readings_work(bench.program, case, AWAY)
        require_none(problems, "a copy of the same file")
        life.add("after the copy took its place")
        lost = life.lost()
        require(not lost, f"{len(lost)} acknowledged entries lost: {lost[:3]}")
        counts = activities(case)
        if len(counts) < len(life.acknowledged):
            raise Wrong("entries are missing")
        return f"{len(life.acknowledged)} acknowledged, lost = 0"
