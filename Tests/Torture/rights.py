"""Folders that may not be written, files that may not be read, and a disk that is full.

As a program, this file runs inside a namespace: rights.py PATH-OF-ARKIVED FOLDER; it prints one JSON
document.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import types

HERE = os.path.dirname(os.path.abspath(__file__))
if __name__ == "__main__":
    sys.path.insert(0, os.path.join(os.path.dirname(HERE), "Faults"))

from absence import AWAY, Life, readings_work  # noqa: E402
from commands import READINGS, WRITINGS, all_commands, filled, is_told, require_none  # noqa: E402
from common import Server, activities  # noqa: E402
from footprint import Footprint  # noqa: E402
from program import Program  # noqa: E402
from verdict import Wrong, database_is_sound, require  # noqa: E402

NOBODY = 65534
REFUSED = (73, 77)


class Person:
    """Runs the program as somebody whom rights bind: nobody where this is root, else as it is."""

    def __init__(self, bench):
        self.bench = bench
        self.is_root = os.geteuid() == 0
        self.before = ()
        self.problem = None
        if self.is_root and not shutil.which("setpriv"):
            self.problem = "left out: this is root, and setpriv is not there"
        elif self.is_root:
            ids = (f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
            self.before = ("setpriv", *ids)
            seen = subprocess.run([*self.before, "test", "-x", bench.program.binary])
            if seen.returncode != 0:
                self.problem = "left out: nobody may not run the program where it lies"

    def own(self, case):
        """Gives a case to that person."""
        if not self.is_root:
            return
        os.chmod(self.bench.workshop.folder, 0o711)
        for path, folders, files in os.walk(case):
            for it in (path, *(os.path.join(path, name) for name in (*folders, *files))):
                os.lchown(it, NOBODY, NOBODY)

    def run(self, case, *words, settings=None):
        return self.bench.program.run(case, *words, settings=settings, before=self.before)


def set_rights(folder, for_folders, for_files):
    for path, _, files in os.walk(folder, topdown=False):
        for name in files:
            os.chmod(os.path.join(path, name), for_files)
        os.chmod(path, for_folders)


def rights(bench):
    """Folders without the right to write, logs without any, and folders that others can read."""
    person = Person(bench)
    if person.problem:
        return person.problem
    problems, told = [], []
    for part in (read_only_folders, files_without_rights, open_folders, foreign_index):
        broken, line = part(bench, person)
        problems += broken
        told.append(line)
    require_none(problems, "; ".join(told))
    return "; ".join(told)


def read_only_folders(bench, person):
    problems, tried, lost = [], 0, 0
    readings = READINGS[4:7] if bench.is_short else READINGS
    writings = WRITINGS[:2] if bench.is_short else WRITINGS
    # How the archive was left, the rights of its folders, and those of its files.
    ways = (
        ("closed", 0o500, 0o600), ("killed", 0o500, 0o400), ("killed", 0o500, 0o600),
        ("closed", 0o500, 0o400), ("closed", 0o555, 0o444),
    )  # fmt: skip
    for left, folders, files in ways[: bench.amount(2, 99)]:
        what = f"{left}, folder {folders:o}, files {files:o}"
        with bench.workshop.case("fixed") as case, Life(bench, case, backups=0) as life:
            if left == "killed":
                life.serve(3)
                life.kill()
            person.own(case)
            set_rights(life.home, folders, files)
            look = Footprint(life.home)
            broken = readings_work(bench.program, case, AWAY, person.before, readings)
            shown = person.run(case, "export", settings=AWAY).told
            unseen = [it for it in life.acknowledged if json.dumps(it)[1:-1] not in shown]
            if unseen:
                broken.append(f"export shows {len(unseen)} acknowledged entries less: {unseen[:2]}")
            for words in writings:
                broken += refused(person.run(case, *words, settings=AWAY), words, REFUSED)
            if not bench.is_short:
                for words in all_commands():
                    if words[0] != "serve":
                        outcome = person.run(case, *filled(words, case), settings=AWAY)
                        broken += usual(outcome, words)
                broken += serves_read_only(bench, case, person)
            # Whoever reads after a kill makes SQLite's shared memory again where it may: it holds no entry.
            altered = [
                it for it in look.difference(Footprint(life.home)) if not it.startswith("archive.sqlite-shm")
            ]
            broken += [f"altered: {'; '.join(altered[:4])}"] if altered else []
            tried += len(readings) + len(writings)
            set_rights(life.home, 0o700, 0o600)
            outcome = person.run(case, "add", "written when the rights are back", settings=AWAY)
            if outcome.status != 0:
                broken.append(f"the rights back, add ended with {outcome.status}: {outcome.talk[:200]}")
            gone = life.lost()
            lost += len(gone)
            broken += [f"{len(gone)} acknowledged entries lost"] if gone else []
            problems += [f"[{what}] {it}" for it in broken]
    return problems, f"{tried} commands in read-only folders, lost = {lost}"


def refused(outcome, words, statuses):
    said = outcome.talk.strip()
    what = f"“arkived {' '.join(words)}” ended with {outcome.status}"
    if outcome.status not in statuses:
        return [f"{what} instead of {' or '.join(map(str, statuses))}: {said[:250]!r}"]
    return [] if is_told(said) else [f"{what} without a sentence: {said[:250]!r}"]


def serves_read_only(bench, case, person):
    """What is wrong with a server on an archive that can only be read."""
    try:
        server = Server(bench, case, AWAY, before=person.before)
    except Wrong as wrong:
        return [f"serve: {wrong}"]
    problems = []
    status, _ = server.ask("GET", "/api/v1/days/2026-03-14")
    if status != 200:
        problems.append(f"serve answers a day with {status}")
    status, answer = server.ask("POST", "/api/v1/activities", {"text": "not to be kept"})
    if status is None or status < 400 or not is_told((answer or {}).get("detail", "")):
        problems.append(f"serve answers an entry with {status}: {(answer or {}).get('detail')!r}")
    server.stop()
    return problems


def usual(outcome, words):
    """What is wrong with a command that may do either, but neither crash nor speak in inner names."""
    said = outcome.talk.strip() or outcome.told.strip()[-300:]
    is_right = outcome.status == 0 or (0 < outcome.status <= 77 and is_told(said))
    return [] if is_right else [f"“arkived {' '.join(words)}” ended with {outcome.status}: {said[:250]!r}"]


def files_without_rights(bench, person):
    """Files of mode 0: the log and its index are repaired or named, everything else is named."""
    problems, told = [], []
    cases = (("-wal", "-shm"), ("archive.lock",), ("-shm",), ("-wal",), ("",), ("identity.json",))
    for names in cases[: bench.amount(2, 99)]:
        with bench.workshop.case("mode") as case, Life(bench, case, backups=0) as life:
            life.serve(3)
            life.kill()
            person.own(case)
            paths = [
                life.file + it if it.startswith("-") or not it else os.path.join(life.home, it)
                for it in names
            ]
            for path in paths:
                require(os.path.exists(path), f"{path} is not there after a kill")
                os.chmod(path, 0)
            title = " and ".join(map(os.path.basename, paths))
            broken, ends = [], []
            for words in (("today",), ("doctor",), ("add", "with a log of mode 0"), ("export",)):
                outcome = person.run(case, *words, settings=AWAY)
                ends.append(outcome.status)
                said = outcome.talk.strip() or outcome.told.strip()
                if outcome.status == 0:
                    continue
                if not is_told(said) or not any(os.path.basename(it) in said for it in paths):
                    broken.append(
                        f"“arkived {words[0]}” ended with {outcome.status} and does not name it: {said[:250]!r}"
                    )
            for path in paths:
                if os.path.exists(path):
                    os.chmod(path, 0o600)
            outcome = person.run(case, "add", "written when the rights are back", settings=AWAY)
            if outcome.status != 0:
                broken.append(f"the rights back, add ended with {outcome.status}: {outcome.talk[:200]}")
            gone = life.lost()
            broken += [f"{len(gone)} acknowledged entries lost: {gone[:3]}"] if gone else []
            problems += [f"[{title} of mode 0] {it}" for it in broken]
            told.append(f"{title} {'/'.join(map(str, ends))}")
    return problems, "mode 0: " + ", ".join(told)


def foreign_index(bench, person):
    """Indexes that belong to root, as after sudo: named wherever they matter, and search goes on."""
    if not person.is_root:
        return [], "an index of another user: left out, this is not root"
    problems = []
    with bench.workshop.case("index") as case, Life(bench, case, backups=0) as life:
        life.add("a walk along the river")
        bench.program.run(case, "index", settings=AWAY)
        life.kill()
        person.own(case)
        index = os.path.join(life.home, "index")
        set_rights(life.home, 0o500, 0o400)
        outcome = person.run(case, "search", "river", settings=AWAY)
        if outcome.status != 0 or "walk along" not in outcome.told or "can’t be used" in outcome.talk:
            problems.append(f"[index that can be read] search says {outcome.talk[-300:]!r}")
        set_rights(life.home, 0o700, 0o600)
        for path in (index, *(os.path.join(index, it) for it in os.listdir(index))):
            os.lchown(path, 0, 0)
        for words, statuses in ((("index",), (77,)), (("search", "river"), (0,)), (("doctor",), (1,))):
            outcome = person.run(case, *words, settings=AWAY)
            said = outcome.talk + outcome.told
            what = f"[index of root] “arkived {words[0]}” ended with {outcome.status}: {said[-300:]!r}"
            if outcome.status not in statuses or index not in said or "chown" not in said:
                problems.append(what)
            if words[0] == "search" and "walk along" not in said:
                problems.append(what)
        gone = life.lost()
        problems += [f"[index of root] {len(gone)} acknowledged entries lost"] if gone else []
    return problems, "an index of another user"


def open_folders(bench, person):
    """An empty folder that others can read becomes private; one with other files is refused."""
    problems = []
    for mode in (0o755,) if bench.is_short else (0o755, 0o750, 0o777):
        with bench.workshop.case("open") as case:
            home = os.path.join(case, "archive")
            os.mkdir(home)
            os.chmod(home, mode)
            person.own(case)
            outcome = person.run(case, "add", "the first entry")
            now = os.stat(home).st_mode & 0o777
            if outcome.status != 0 or now != 0o700:
                problems.append(f"[empty, {mode:o}] add ended with {outcome.status}, rights {now:o}")
        with bench.workshop.case("open") as case:
            home = os.path.join(case, "archive")
            os.mkdir(home)
            with open(os.path.join(home, "taxes.txt"), "w") as file:
                file.write("taxes")
            os.chmod(home, mode)
            person.own(case)
            look = Footprint(home)
            for words in (("add", "the first entry"), ("today",), ("serve", "--port", "0"), ("doctor",)):
                outcome = person.run(case, *words)
                if outcome.status == 0 or f"chmod 700 '{home}'" not in outcome.talk:
                    problems.append(
                        f"[taxes, {mode:o}] {words[0]} ended with {outcome.status}: {outcome.talk[:200]!r}"
                    )
            altered = look.difference(Footprint(home))
            problems += [f"[taxes, {mode:o}] altered: {altered[:3]}"] if altered else []
    # An archive whose folder was opened to others: whatever it says, nothing of it is lost.
    with bench.workshop.case("open") as case, Life(bench, case, backups=0) as life:
        os.chmod(life.home, 0o755)
        person.own(case)
        outcome = person.run(case, "today", settings=AWAY)
        problems += [f"[archive of 755] {it}" for it in usual(outcome, ["today"])]
        gone = life.lost()
        problems += [f"[archive of 755] {len(gone)} entries lost"] if gone else []
    return problems, "folders open to others"


# MARK: A full disk


def full_disk(bench):
    """A disk of 3 MB that is full: everything can be read, and nothing acknowledged is lost."""
    prefix = namespace()
    if prefix is None:
        return "left out: mounting needs user namespaces"
    told, problems = [], []
    for left in ("served",) if bench.is_short else ("closed", "killed", "served"):
        with bench.workshop.case("full") as case:
            inside = subprocess.run(
                [*prefix, sys.executable, "-B", __file__, bench.program.binary, case, left],
                capture_output=True, text=True,
            )  # fmt: skip
            require(inside.returncode == 0, f"{left}: {inside.stderr.strip()[-2000:]}")
            found = json.loads(inside.stdout)
            problems += [f"[{left}] {it}" for it in found["problems"]]
            told.append(f"{left}: {found['line']}")
    require_none(problems, "; ".join(told))
    return "; ".join(told)


def namespace():
    """What runs a program where it may mount; None where the system allows nobody that."""
    for prefix in (("unshare", "-m"), ("unshare", "-Urm")):
        if shutil.which("unshare"):
            trial = subprocess.run(
                [*prefix, "sh", "-c", "mount -t tmpfs -o size=64k torture /mnt"], capture_output=True
            )
            if trial.returncode == 0:
                return prefix
    return None


def fill(folder):
    """Takes all room of a disk, to the last byte; returns the file that holds it."""
    path = os.path.join(folder, "filler")
    with open(path, "ab", buffering=0) as file:
        for size in (1 << 16, 1 << 12, 1):
            with contextlib.suppress(OSError):
                while file.write(b"x" * size) == size:
                    pass
    return path


def in_full_disk(binary, case, left):
    """What happens on a full disk, in a namespace of its own."""
    bench = types.SimpleNamespace(program=Program(binary), is_short=True)
    disk = os.path.join(case, "disk")
    os.mkdir(disk)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m,mode=700", "torture", disk], check=True)
    problems, full = [], 0
    with Life(bench, disk, backups=0) as life:
        for number in range(5):
            life.add(f"before it is full {number}")
        if left != "closed":
            life.serve(5)
        if left == "killed":
            life.kill()
        filler = fill(disk)
        require(shutil.disk_usage(disk).free == 0, "the disk is not full")
        if left == "served":
            problems += [f"server that was there before: {it}" for it in serves(life.server, life)]
        problems += readings_work(bench.program, disk, AWAY)
        for words in WRITINGS:
            outcome = bench.program.run(disk, *words, settings=AWAY)
            if outcome.status == 0 and words[0] == "add":
                # What is acknowledged must be there, full or not.
                life.acknowledged.append(words[1])
            said = outcome.talk.strip()
            full += outcome.status == 74
            if outcome.status not in (0, 74) or (outcome.status == 74 and "The disk is full" not in said):
                problems.append(f"“arkived {' '.join(words)}” ended with {outcome.status}: {said[:250]!r}")
        life.kill()
        try:
            server = Server(bench, disk, AWAY)
        except Wrong as wrong:
            problems.append(f"serve on the full disk: {wrong}")
        else:
            problems += [f"server on the full disk: {it}" for it in serves(server, life)]
            server.kill()
        problems += readings_work(bench.program, disk, AWAY, readings=READINGS[:3])
        os.remove(filler)
        for words in (("add", "there is room again"), ("doctor",)):
            outcome = bench.program.run(disk, *words, settings=AWAY)
            if outcome.status != 0:
                problems.append(
                    f"with room again, {words[0]} ended with {outcome.status}: "
                    f"{(outcome.talk or outcome.told)[-300:]!r}"
                )
        life.acknowledged.append("there is room again")
        database_is_sound(disk)
        counts = activities(disk)
        lost = [it for it in life.acknowledged if counts.get(it, 0) != 1]
        problems += [f"{len(lost)} acknowledged entries lost: {lost[:3]}"] if lost else []
        return f"{len(life.acknowledged)} acknowledged, {full} refused as full, lost = {len(lost)}", problems


def serves(server, life):
    """What is wrong with a server's answers on a full disk."""
    problems = []
    status, _ = server.ask("GET", "/api/v1/days/2026-03-14")
    if status != 200:
        problems.append(f"a day is answered with {status}")
    for number in range(3):
        text = f"posted when it is full {number}"
        status, answer = server.ask("POST", "/api/v1/activities", {"text": text})
        if status in (200, 201):
            life.acknowledged.append(text)
        elif status != 507 or not is_told((answer or {}).get("detail", "")):
            problems.append(f"an entry is answered with {status}: {(answer or {}).get('detail')!r}")
    return problems


def main():
    binary, case, left = sys.argv[1:]
    line, problems = "broken", []
    try:
        line, problems = in_full_disk(binary, case, left)
    except Wrong as wrong:
        problems = [str(wrong)]
    json.dump({"line": line, "problems": problems}, sys.stdout)


if __name__ == "__main__":
    main()
