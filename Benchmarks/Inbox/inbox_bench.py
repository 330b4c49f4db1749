"""Measures how fast the files of an inbox become entries. Started by Benchmarks/Inbox/run.

Ten thousand files as phones and people drop them: lines, pages of Markdown, recordings, calendars. They come
in by `arkived inbox run`, which reads each as its kind, keeps it with history and words to search, and moves it
to `done` when it is safely in the archive. Beside it, on the same disk:

- `copy`: each file copied, flushed, and its folder flushed: the least that keeps a file durably;
- `sqlite`: a Python program that puts each file's bytes into a table, one synced transaction a file, and
  moves the file: no reading, no search, no history.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from machine import distribution, processor  # noqa: E402

TARGET_SECONDS = 30.0
TARGET_FILES = 10_000
HERE = Path(__file__).resolve().parent
DONE = ["ran", "walked", "cooked", "read", "called", "met", "cleaned", "wrote", "swam", "repaired"]
WHAT = ["soup", "a novel", "the fence", "to the lake", "with Sam", "with Priya", "a letter", "5 km"]
MORE = ["#home", "#friends", "12:30-13:15", "for 45 min", "", ""]


def drop(folder: Path, count: int) -> int:
    """Writes the files; the same for the same number. Returns how many bytes they are."""
    dice = random.Random(7)
    total = 0
    for number in range(count):
        words = f"{dice.choice(DONE)} {dice.choice(WHAT)} {dice.choice(MORE)}".strip()
        day = f"20{dice.randrange(10, 26)}-{dice.randrange(1, 13):02}-{dice.randrange(1, 29):02}"
        clock = f"{dice.randrange(6, 23):02}.{dice.randrange(60):02}.{dice.randrange(60):02}"
        kind = number % 100
        if kind < 80:
            name, content = f"{day} {clock} {number}.txt", f"{words}\n".encode()
        elif kind < 94:
            body = "\n\n".join(f"{words}, {dice.choice(WHAT)}." for _ in range(dice.randrange(2, 9)))
            head = f"---\ndate: {day}T{clock.replace('.', ':')}\ntags: [inbox]\n---\n"
            name, content = f"page {number}.md", f"{head}# {words} {number}\n\n{body}\n".encode()
        elif kind < 99:
            noise = dice.randbytes(20_000)
            name, content = f"Recording {day} {clock} {number}.wav", b"RIFF\0\0\0\0WAVEfmt " + noise
        else:
            start = day.replace("-", "")
            name, content = f"event {number}.ics", (
                "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\n"
                f"UID:{number}@inbox\r\nDTSTART:{start}T090000Z\r\nDTEND:{start}T093000Z\r\n"
                f"SUMMARY:{words}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n").encode()
        (folder / name).write_bytes(content)
        total += len(content)
    return total


def by_arkived(program: str, work: Path, count: int) -> tuple[float, float]:
    """Seconds and MB of memory."""
    box = work / "inbox"
    box.mkdir()
    environment = dict(os.environ, ARKIVED_HOME=str(work / "archive"),
                       ARKIVED_TIME_ZONE="Europe/Berlin", ARKIVED_MODEL="/nonexistent")
    subprocess.run([program, "inbox", "set", str(box)], env=environment, check=True,
                   capture_output=True)
    drop(box, count)
    os.sync()
    # A file must have been still for two seconds, which is no work.
    time.sleep(3)
    start = time.perf_counter()
    done = subprocess.run([program, "inbox", "run", "--json"], env=environment, check=True,
                          capture_output=True)
    took = time.perf_counter() - start
    account = json.loads(done.stdout)
    if len(account["taken"]) != count or account["failed"] or account["left"]:
        sys.exit(f"inbox: only {len(account['taken'])} of {count} files came in")
    if len(os.listdir(box / "done")) != count:
        sys.exit("inbox: not every file was moved")
    return took, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def by_copy(work: Path, count: int) -> float:
    box, to = work / "from", work / "to"
    box.mkdir()
    to.mkdir()
    drop(box, count)
    os.sync()
    start = time.perf_counter()
    for file in sorted(box.iterdir()):
        shutil.copyfile(file, to / file.name)
        flush(to / file.name)
        flush(to)
    return time.perf_counter() - start


def by_sqlite(work: Path, count: int) -> float:
    box, done = work / "box", work / "box-done"
    box.mkdir()
    done.mkdir()
    drop(box, count)
    os.sync()
    start = time.perf_counter()
    database = sqlite3.connect(work / "peer.sqlite", isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("CREATE TABLE files (name TEXT, changed REAL, content BLOB)")
    for file in sorted(box.iterdir()):
        row = (file.name, file.stat().st_mtime, file.read_bytes())
        database.execute("INSERT INTO files VALUES (?, ?, ?)", row)
        file.rename(done / file.name)
    database.close()
    return time.perf_counter() - start


def table(rows: list[tuple[str, float]], own: float, count: int) -> list[str]:
    lines = ["| | seconds | files/s | beside Arkived |", "|---|--:|--:|--:|"]
    for name, seconds in rows:
        lines.append(f"| {name} | {seconds:.1f} | {count / seconds:,.0f} | {seconds / own:.2f} |")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", type=Path, required=True, help="folder of the program")
    parser.add_argument("--files", type=int, default=TARGET_FILES)
    parser.add_argument("--work", type=Path, help="a folder on the disk to measure")
    chosen = parser.parse_args()
    program = str(chosen.programs / "arkived")
    with tempfile.TemporaryDirectory(dir=chosen.work) as name:
        work, count = Path(name), chosen.files
        own, memory = by_arkived(program, work, count)
        rows = [("arkived inbox run", own), ("copy, each flushed", by_copy(work, count)),
                ("sqlite, each committed", by_sqlite(work, count))]
    lines = table(rows, own, count)
    print("\n".join(lines))
    allowed = TARGET_SECONDS * count / TARGET_FILES
    print(f"{count:,} files in {own:.1f} s (target {allowed:.1f} s), {memory:.0f} MB of memory")
    if count == TARGET_FILES:
        told = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.strip()
        (HERE / "RESULTS.md").write_text("\n".join([
            "# The inbox", "",
            f"{count:,} files: 80 % lines, 14 % pages, 5 % recordings of 20 kB, 1 % calendars. Arkived",
            f"{told} on {processor()}, {os.cpu_count()} cores, {distribution()}; {memory:.0f} MB of memory.",
            "", *lines, "",
            "The peers keep bytes; Arkived reads lines, keeps history and makes words searchable.", "",
        ]))
    return 0 if own <= max(allowed, 5) else 1


if __name__ == "__main__":
    sys.exit(main())
