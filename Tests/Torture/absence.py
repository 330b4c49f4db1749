"""An archive whose database is missing, empty, of another archive, or older than it was.

Every command is tried in every such state of the folder, with no server, with one that lives on, and
with one that was killed. Whatever was acknowledged must be there when the right file is back.
"""

import datetime
import os
import shutil
import sqlite3
import time

from commands import FREE, READ, READINGS, WRITE, Refusals, all_commands, is_told, missing_commands, require_none
from common import Server, activities
from footprint import Footprint
from program import NOW, document
from verdict import database_is_sound, require

SIGNS = (
    "attachments/", "backup.json", "index/", "snapshots/", "archive.sqlite-wal", "archive.sqlite-shm",
    "archive.sqlite-journal", "archive.lock", "identity.json",
)  # fmt: skip
STATES = ("moved away", "empty", "another's")
SERVERS = ("none", "alive", "killed")
WAYS_OUT = ("arkived restore ", "arkived init --new")
AWAY = {"ARKIVED_MODEL": "/nonexistent"}


def days_later(days):
    now = datetime.datetime.fromisoformat(NOW.replace("Z", "+00:00"))
    later = (now + datetime.timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"ARKIVED_NOW": later, **AWAY}


def write_inputs(case):
    """The files that commands are given."""
    contents = {
        "letter.txt": "Dear Sam", "passphrase": "correct horse battery staple",
        "entries.txt": "2026-03-10 10:00 read a book\n",
        "query.json": '{"source":{"entries":{"tag":"sport"}},"fold":"count"}',
        "calendar.ics": "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y\r\nEND:VCALENDAR\r\n",
    }  # fmt: skip
    contents.update({f"letter-{number}.txt": f"letter {number}" for number in range(20)})
    for name, text in contents.items():
        with open(os.path.join(case, "inputs", name), "w", encoding="utf-8") as file:
            file.write(text)


class Life:
    """An archive with attachments, goals and planned backups, and what it has acknowledged."""

    def __init__(self, bench, case, backups=3):
        self.bench, self.case = bench, case
        self.home = os.path.join(case, "archive")
        self.file = os.path.join(self.home, "archive.sqlite")
        self.backups = os.path.join(case, "backups")
        self.acknowledged = []
        self.attempts = 0
        self.server = None
        for name in ("out", "inputs"):
            os.makedirs(os.path.join(case, name), exist_ok=True)
        write_inputs(case)
        for number in range(3):
            self.add(f"swam {number + 1} km #sport", f"letter-{number}.txt")
        self.do("goal", "create", "Swim", "20", "km", "--to", "2026-12-31")
        self.do("note", "Rain all day.")
        if not backups:
            return
        inputs = os.path.join(case, "inputs")
        self.do("goal", "pack", "Swim", "--output", f"{inputs}/goal.pack")
        self.do("export", "--output", f"{inputs}/life.jsonl")
        self.do("move", "pack", f"{inputs}/life.move", "--passphrase-file", f"{inputs}/passphrase")
        self.do("index", settings=AWAY)
        told = self.do("backup", "key", "--output", os.path.join(case, "key.txt")).told
        key = next(it for it in told.split() if it.startswith("age1"))
        self.do(
            "backup", "schedule", "--folder", self.backups, "--to", key,
            "--daily", "2", "--weekly", "1", "--monthly", "1",
        )  # fmt: skip
        for day in range(backups):
            self.do("backup", settings=days_later(day))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.server is not None:
            self.server.process.kill()
            self.server.process.communicate()

    def do(self, *words, settings=None):
        outcome = self.bench.program.run(self.case, *words, settings=settings)
        said = outcome.talk.strip() or outcome.told.strip()
        require(outcome.status == 0, f"{' '.join(words)} ended with {outcome.status}: {said[:400]}")
        return outcome

    def add(self, text, attachment=None):
        self.attempts += 1
        more = ["--attach", os.path.join(self.case, "inputs", attachment)] if attachment else []
        made = self.do("add", text, *more, "--json").json["created"]
        self.acknowledged.append(made["text"])

    def serve(self, count):
        """Starts the server where none runs, and has it acknowledge so many entries."""
        if self.server is None:
            self.server = Server(self.bench, self.case)
        for _ in range(count):
            self.attempts += 1
            text = f"served entry number {self.attempts}"
            is_done, said = self.server.add(text)
            require(is_done, f"a plain entry was refused by the server: {said!r}")
            self.acknowledged.append(text)

    def stop(self):
        if self.server is not None:
            self.server.stop()
            self.server = None

    def kill(self):
        if self.server is not None:
            self.server.kill()
            self.server = None

    def good_files(self):
        """The hashes of the backups and attachments that are there."""
        found = Footprint(self.backups).contents()
        attachments = Footprint(os.path.join(self.home, "attachments")).contents()
        return set(found.values()), set(attachments.values())

    def lost(self):
        """How many acknowledged entries are not there once; SQLite's check is passed besides."""
        database_is_sound(self.case)
        counts = activities(self.case)
        return [text for text in self.acknowledged if counts.get(text, 0) != 1]


class Figures:
    """What a trial counts over all its rounds."""

    def __init__(self):
        self.attempts = self.acknowledged = self.lost = self.refusals = 0
        self.backups_removed = self.attachments_removed = 0

    def line(self):
        return (
            f"{self.refusals} refusals, {self.attempts} entries attempted, "
            f"{self.acknowledged} acknowledged, lost = {self.lost}, backups removed = "
            f"{self.backups_removed}, attachments removed = {self.attachments_removed}"
        )

    def removed(self, before, after):
        """Counts good files that are gone; returns what to say of them."""
        backups, attachments = (len(old - new) for old, new in zip(before, after, strict=True))
        self.backups_removed += backups
        self.attachments_removed += attachments
        gone = f"{backups} backups and {attachments} attachments removed"
        return [gone] if backups or attachments else []


def make_another(bench, case):
    """Another archive's database, closed; returns its path."""
    other = os.path.join(case, "other")
    for text in ("somebody else's entry", "and another one"):
        outcome = bench.program.run(case, "add", text, settings={"ARKIVED_HOME": other})
        require(outcome.status == 0, f"another archive could not be made: {outcome.talk}")
    return os.path.join(other, "archive.sqlite")


def put_into(life, state, other):
    """Moves the database away and leaves the folder in a state; returns where the right file is."""
    away = os.path.join(life.case, "away.sqlite")
    os.rename(life.file, away)
    if state == "empty":
        with open(life.file, "wb"):
            pass
    elif state == "another's":
        shutil.copy(other, life.file)
    return away


def disturbed(bench, life, figures, state, server, commands, count):
    """One round: entries, the state, commands in it, and the right file back; what is broken."""
    what = f"{state}, server {server}"
    other = os.path.join(life.case, "other", "archive.sqlite")
    if server != "none":
        life.serve(count)
    else:
        life.stop()
        for number in range(min(count, 3)):
            life.add(f"typed entry {life.attempts} of round {number}")
    if server == "killed":
        life.kill()
    before = life.good_files()
    away = put_into(life, state, other)
    problems = []
    if server == "alive":
        is_done, said = life.server.add("while the file is away")
        if is_done:
            problems.append("the server acknowledged an entry while the file is away")
        elif not is_told(said):
            problems.append(f"the server refused without a sentence: {said!r}")
    says = WAYS_OUT if state != "another's" else ()
    # A server that lives may be building an index that it began before the file went; SQLite marks in the
    # -shm file how far each of its readings goes.
    ignoring, shared = (("index",), ("archive.sqlite-shm",)) if server == "alive" else ((), ())
    refusals = Refusals(bench, life.case, 66, says, AWAY, ignoring=ignoring, shared=shared)
    problems += refusals.expect(commands)
    figures.refusals += refusals.attempts
    problems += figures.removed(before, life.good_files())
    os.replace(away, life.file)
    if server == "alive":
        life.attempts += 1
        text = f"served entry number {life.attempts}"
        is_done, said = life.server.add(text)
        if is_done:
            life.acknowledged.append(text)
        elif not is_told(said):
            problems.append(f"after the file came back the server refused with {said!r}")
        seen = life.server.ask("GET", "/api/v1/days/2026-03-14")[0]
        if seen != 200:
            problems.append(f"after the file came back the server answers {seen} for a day")
        life.stop()
    lost = life.lost()
    figures.lost += len(lost)
    if lost:
        problems.append(f"{len(lost)} acknowledged entries lost, such as {lost[:3]}")
    outcome = bench.program.run(life.case, "today")
    if outcome.status != 0:
        problems.append(f"the right file back, today ended with {outcome.status}: {outcome.talk[:200]}")
    return [f"[{what}] {it}" for it in problems]


def is_quick(words):
    """Not what alters the system's services, whether or not there is an archive."""
    return words not in (["service", "install"], ["service", "remove"], ["service", "restart"])


def the_database_is_away(bench):
    """Every command, while the database is missing, empty or another's; then the right file back."""
    figures, problems = Figures(), []
    commands = [it for it in all_commands((READ, WRITE, FREE)) if is_quick(it)]
    with bench.workshop.case("absence") as case, Life(bench, case) as life:
        lacking = missing_commands(bench.program, case)
        require(not lacking, f"the table of commands is not that of the help: {sorted(lacking)}")
        make_another(bench, case)
        for state in STATES:
            for server in SERVERS:
                is_first = (state, server) == ("moved away", "none")
                tried = commands
                if bench.is_short and not is_first:
                    tried = bench.chance.sample(commands, 4)
                problems += disturbed(bench, life, figures, state, server, tried, bench.amount(4, 40))
        target = bench.amount(0, 10_000)
        while len(life.acknowledged) < target and not figures.lost:
            state, server = bench.chance.choice(STATES), bench.chance.choice(("alive", "killed"))
            tried = bench.chance.sample(commands, 8)
            problems += disturbed(bench, life, figures, state, server, tried, 200)
        life.stop()
        figures.attempts, figures.acknowledged = life.attempts, len(life.acknowledged)
        require_none(problems, figures.line())
        return f"{len(commands)} commands; {figures.line()}"


def each_sign_is_enough(bench):
    """Any file that an archive leaves is a sign of one; a folder without a sign is a fresh start."""
    problems, tried = [], 0
    commands = [["today"], ["add", "an entry"], ["serve", "--port", "0"], ["doctor", "--mend"], ["init"]]
    if not bench.is_short:
        commands = [it for it in all_commands() if is_quick(it)]
    for sign in SIGNS:
        for is_empty_database in (False, True):
            with bench.workshop.case("sign") as case:
                home = os.path.join(case, "archive")
                os.makedirs(home, 0o700)
                os.makedirs(os.path.join(case, "out"))
                os.makedirs(os.path.join(case, "inputs"))
                write_inputs(case)
                if sign.endswith("/"):
                    os.mkdir(os.path.join(home, sign), 0o700)
                else:
                    with open(os.path.join(home, sign), "wb") as file:
                        file.write(b"{}")
                if is_empty_database:
                    with open(os.path.join(home, "archive.sqlite"), "wb"):
                        pass
                chosen = commands
                if bench.is_short:
                    chosen = bench.chance.sample(commands, 2)
                refusals = Refusals(bench, case, 66, ("arkived init --new",), AWAY)
                broken = refusals.expect(chosen)
                tried += refusals.attempts
                problems += [f"[{sign}, empty file: {is_empty_database}] {it}" for it in broken]
    for name, made in (("absent", None), ("empty", ""), ("models", "models")):
        with bench.workshop.case("fresh") as case:
            if made is not None:
                os.makedirs(os.path.join(case, "archive", made), 0o700)
                os.chmod(os.path.join(case, "archive"), 0o700)
            for words in (("add", "the first entry"), ("today",)):
                outcome = bench.program.run(case, *words)
                if outcome.status != 0:
                    problems.append(f"[{name}] {words[0]} ended with {outcome.status}: {outcome.talk}")
            if os.path.exists(os.path.join(case, "archive", "archive.sqlite")):
                if activities(case) != {"the first entry": 1}:
                    problems.append(f"[{name}] the first entry is not there")
            else:
                problems.append(f"[{name}] no archive was made")
    require_none(problems, f"{tried} refusals")
    return f"{tried} refusals by {len(SIGNS)} signs; absent, empty and models/ are a fresh start"


def an_older_copy_is_put_in(bench):
    """An older copy of the same archive is accepted; no backup, attachment or entry goes with it."""
    figures, problems = Figures(), []
    with bench.workshop.case("older") as case:
        life = Life(bench, case, backups=2)
        older = os.path.join(case, "older.sqlite")
        shutil.copy(life.file, older)
        for number in range(4):
            life.add(f"newer entry {number}", f"letter-{number + 5}.txt")
        life.do("backup", settings=days_later(2))
        before = life.good_files()
        away = os.path.join(case, "away.sqlite")
        os.rename(life.file, away)
        shutil.copy(older, life.file)
        make_old(os.path.join(life.home, "attachments"))
        problems += tells_of_losses(life, "an older copy")
        for day in range(4, 4 + bench.amount(3, 30)):
            bench.program.run(case, "backup", settings=days_later(day))
        for words in (
            ("doctor", "--mend"), ("import", f"{case}/inputs/entries.txt"), ("doctor", "--mend"),
            ("index", "--rebuild"), ("backup", "list"), ("export", "-o", f"{case}/out/x.jsonl"),
        ):  # fmt: skip
            outcome = bench.program.run(case, *words, settings=days_later(60))
            if outcome.status not in (0, 1):
                problems.append(f"{words} ended with {outcome.status}: {outcome.talk[:200]}")
            problems += [f"by {' '.join(words)}: {it}" for it in figures.removed(before, life.good_files())]
            before = life.good_files()
        for ending in ("-wal", "-shm"):
            require(not os.path.exists(life.file + ending), f"{ending} stays though nothing runs")
        os.replace(away, life.file)
        lost = life.lost()
        figures.lost += len(lost)
        if lost:
            problems.append(f"{len(lost)} acknowledged entries lost")
        problems += attachments_named(life)
        figures.attempts, figures.acknowledged = life.attempts, len(life.acknowledged)
        require_none(problems, figures.line())
        return figures.line()


def the_attachments_vanish(bench):
    """Attachments that are gone: a planned backup rotates nothing away, and says what is missing."""
    figures, problems = Figures(), []
    with bench.workshop.case("vanished") as case:
        life = Life(bench, case)
        before = life.good_files()
        folder = os.path.join(life.home, "attachments")
        os.rename(folder, os.path.join(case, "attachments-away"))
        problems += tells_of_losses(life, "vanished attachments")
        for day in range(4, 4 + bench.amount(3, 30)):
            bench.program.run(case, "backup", settings=days_later(day))
        bench.program.run(case, "doctor", "--mend", settings=days_later(60))
        backups = (before[0], set())
        problems += figures.removed(backups, life.good_files())
        # They come back as they went, over whatever was made meanwhile.
        shutil.copytree(os.path.join(case, "attachments-away"), folder, dirs_exist_ok=True)
        problems += figures.removed(before, life.good_files()) + attachments_named(life)
        outcome = bench.program.run(case, "backup", settings=days_later(61))
        if outcome.status != 0:
            problems.append(f"all back, backup ended with {outcome.status}: {outcome.talk[:200]}")
        lost = life.lost()
        figures.lost += len(lost)
        figures.attempts, figures.acknowledged = life.attempts, len(life.acknowledged)
        require_none(problems, figures.line())
        require(not lost, f"{len(lost)} acknowledged entries lost")
        return figures.line()


def the_way_out(bench):
    """The sentence's commands help: restore brings all of it back, init --new keeps what is left."""
    with bench.workshop.case("out") as case:
        life = Life(bench, case)
        all_of_it = sorted(life.do("export").told.splitlines())
        before = life.good_files()
        away = os.path.join(case, "away.sqlite")
        os.rename(life.file, away)
        said = bench.program.run(case, "today").talk
        named = next((it for it in said.replace("`", " ").split() if it.startswith(life.backups)), None)
        require(named and os.path.exists(named), f"no backup is named that exists: {said!r}")
        newest = max(os.listdir(life.backups))
        require(named.endswith(newest), f"the newest backup is {newest}, named is {named}")
        life.do("restore", named, "--identity", os.path.join(case, "key.txt"), "--yes")
        restored = sorted(life.do("export").told.splitlines())
        require(restored == all_of_it, "restore does not bring the same export back")
        lost = life.lost()
        require(not lost, f"{len(lost)} acknowledged entries lost by restore")
        os.remove(life.file)
        contents = set(Footprint(life.home).contents().values())
        life.do("init", "--new")
        kept = set(Footprint(case).contents().values())
        # A lock holds nothing, and may be another one afterwards.
        gone = contents - kept
        require(not gone, f"init --new altered {len(gone)} files of the earlier archive")
        require(not (before[0] - kept) and not (before[1] - kept), "init --new removed good files")
        life.do("add", "the first entry of the new archive")
        require(activities(case) == {"the first entry of the new archive": 1}, "it is not new")
        return f"restore brought {len(life.acknowledged)} entries back; init --new kept every file"


def make_old(folder):
    """Gives all files below a folder an age of a month."""
    then = time.time() - 30 * 86400
    for path, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.utime(os.path.join(path, name), (then, then))


def tells_of_losses(life, what):
    """A planned backup that lacks something removes none and says so, and so does doctor."""
    problems = []
    before = life.good_files()
    outcome = life.bench.program.run(life.case, "backup", settings=days_later(3))
    said = outcome.talk.strip()
    if not is_told(said):
        problems.append(f"backup with {what} ended with {outcome.status} and says {said!r} on stderr")
    gone = before[0] - life.good_files()[0]
    if gone:
        problems.append(f"the first backup with {what} rotated {len(gone)} good backups away")
    doctor = life.bench.program.run(life.case, "doctor", "--json", settings=days_later(3))
    findings = document((doctor.told.splitlines() or [""])[0]) or {}
    told = [it for it in findings.get("findings", []) if it["verdict"] != "good" and "backup" in it["check"].lower()]
    if not any("lack" in it["detail"] or "missing" in it["detail"] for it in told):
        problems.append(f"doctor ended with {doctor.status} and tells of no loss in backups: {told}")
    return problems


def attachments_named(life):
    """Which attachments the database names and the folder lacks."""
    database = sqlite3.connect(life.file)
    names = [it for (it,) in database.execute("SELECT relative_path FROM attachments") if it]
    database.close()
    missing = [it for it in names if not os.path.exists(os.path.join(life.home, "attachments", it))]
    return [f"{len(missing)} of {len(names)} named attachments are missing"] if missing else []


def readings_work(program, case, settings=None, before=(), readings=READINGS):
    """What is wrong with commands that only read; an empty list if all of them exit with 0."""
    problems = []
    for words in readings:
        outcome = program.run(case, *words, settings=settings, before=before)
        if outcome.status != 0:
            said = outcome.talk.strip() or outcome.told[-300:]
            problems.append(f"“arkived {' '.join(words)}” ended with {outcome.status}: {said[:300]!r}")
    return problems
