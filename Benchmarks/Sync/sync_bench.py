#!/usr/bin/env python3
"""Measures how two archives on this computer sync through one folder, and writes RESULTS.md."""

import argparse
import datetime
import json
import pathlib
import resource
import shutil
import statistics
import subprocess
import tempfile
import time
import uuid

HERE = pathlib.Path(__file__).resolve().parent


class Device:
    """One archive with the program that opens it."""

    def __init__(self, program, home, name):
        self.program, self.home, self.name = program, home, name

    def run(self, *words, text=None):
        done = subprocess.run(
            [self.program, *words, "--archive", str(self.home)], input=text, text=True, capture_output=True)
        if done.returncode:
            raise SystemExit(f"{self.name}: {' '.join(map(str, words))}: {done.stderr.strip()}")
        return done.stdout

    def start(self, *words):
        return subprocess.Popen(
            [self.program, *words, "--archive", str(self.home)], text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)

    def count(self):
        return json.loads(self.run("sql", "SELECT count(*) AS n FROM activities", "--json"))["rows"][0][0]


def pair(first, second, folder):
    """Lets the second device in, and returns the seconds, the processor seconds and the megabytes of its first fill."""
    first.run("sync", "folder", str(folder), "--name", "first")
    adding = first.start("sync", "add-device", "--yes", "--json")
    code = json.loads(adding.stdout.readline())["code"]
    begin, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    joining = second.start("sync", "join", str(folder), code, "--name", "second", "--wait", "3600")
    most = 0
    while joining.poll() is None:
        for line in open(f"/proc/{joining.pid}/status"):
            if line.startswith("VmHWM"):
                most = max(most, int(line.split()[1]) / 1024)
        time.sleep(0.05)
    took = time.monotonic() - begin
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - used
    adding.wait()
    if adding.returncode or joining.returncode:
        raise SystemExit(adding.stderr.read() + joining.stderr.read())
    return took, used, most


def entries(count, first=0):
    day = datetime.date(2020, 1, 1)
    for number in range(first, first + count):
        made = f"{day + datetime.timedelta(days=number % 2000)}"
        yield json.dumps({
            "type": "activity", "id": str(uuid.uuid4()).upper(), "dayKey": made, "timeZone": "Europe/Berlin",
            "text": f"Walked along the river with Anna, round {number}", "tags": [f"tag{number % 40}"],
            "createdAt": f"{made}T12:00:00Z", "updatedAt": f"{made}T12:00:00Z"})


def fill(device, count, work):
    file = work / "entries.jsonl"
    file.write_text("\n".join(entries(count)) + "\n")
    device.run("import", str(file), "--places", "keep")


def attach(device, count, megabytes, work):
    """Adds entries that have a file of random bytes each, which no device can shorten or share."""
    file = work / "picture.bin"
    for number in range(count):
        with open("/dev/urandom", "rb") as source, open(file, "wb") as made:
            for _ in range(megabytes):
                made.write(source.read(1_000_000))
        device.run("add", f"took picture {number} #photo", "--attach", str(file))
    file.unlink(missing_ok=True)


def size(folder):
    return sum(it.stat().st_size for it in folder.rglob("*") if it.is_file())


def files(device):
    """The names and sizes of all attachments, whose names are the hashes of their content."""
    root = device.home / "attachments"
    return {(str(it.relative_to(root)), it.stat().st_size) for it in root.rglob("*") if it.is_file()}


def add_cost(synced, plain, rounds):
    """The median milliseconds of an added line in an archive with sync and in a copy of it without, in turns."""
    times = {synced: [], plain: []}
    for number in range(rounds + 2):
        for device, measured in times.items():
            begin = time.monotonic()
            device.run("add", f"measured entry {number}")
            # The first ones fill the caches.
            if number > 1:
                measured.append(time.monotonic() - begin)
    return [statistics.median(it) * 1000 for it in times.values()]


def latency(first, second, rounds):
    servers = [it.start("serve", "--port", "0", "--json") for it in (first, second)]
    time.sleep(4)
    times = []
    try:
        for number in range(rounds):
            text = f"latency {uuid.uuid4()}"
            first.run("add", text)
            begin = time.monotonic()
            while text.encode() not in wal(second):
                if time.monotonic() - begin > 30:
                    raise SystemExit("a new entry did not arrive within 30 s")
                time.sleep(0.05)
            times.append(time.monotonic() - begin)
            time.sleep(0.3)
    finally:
        for server in servers:
            server.terminate()
            server.wait()
    return statistics.median(times), max(times)


def wal(device):
    return b"".join((device.home / f"archive.sqlite{end}").read_bytes()[-8_000_000:] for end in ("", "-wal")
                    if (device.home / f"archive.sqlite{end}").exists())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--entries", type=int, default=1_500_000, help="entries of the first fill")
    parser.add_argument("--files", type=int, default=500, help="entries with a file in the first fill")
    parser.add_argument("--megabytes", type=int, default=10, help="size of each such file")
    parser.add_argument("--changes", type=int, default=20_000, help="changes to catch up with")
    parser.add_argument("--rounds", type=int, default=20, help="repetitions of short measurements; adding a line is measured twice as often")
    parser.add_argument("--note", default="", help="a sentence about the machine and the build")
    parser.add_argument("--results", default=str(HERE / "RESULTS.md"))
    given = parser.parse_args()
    work = pathlib.Path(tempfile.mkdtemp(prefix="arkived-sync-"))
    rows = []
    try:
        first = Device(given.program, work / "first", "first")
        second = Device(given.program, work / "second", "second")
        folder = work / "folder"
        folder.mkdir()
        fill(first, given.entries, work)
        attach(first, given.files, given.megabytes, work)
        plain = Device(given.program, work / "plain", "plain")
        shutil.copytree(first.home, plain.home, ignore=shutil.ignore_patterns("attachments"))
        took, used, most = pair(first, second, folder)
        filled = f"{given.entries:,} entries and {given.files * given.megabytes / 1000:.1f} GB of files"
        rows.append((f"first fill of a second device, {filled}",
                     f"{took:.1f} s ({used:.1f} s of processor time), {most:.0f} MB"))
        after, before = add_cost(first, plain, 2 * given.rounds)
        first.run("sync")
        second.run("sync")
        rows.append(("cost to `add` when sync is on", f"{after - before:+.1f} ms ({before:.1f} ms without)"))
        kept = size(folder)
        for number in range(50):
            first.run("add", f"one of fifty entries of a day, {number}")
        first.run("sync")
        rows.append(("a day's changes in the folder (50 entries)", f"{(size(folder) - kept) / 1000:.0f} kB"))
        second.run("sync")
        usual, longest = latency(first, second, given.rounds)
        rows.append(("a new entry on the other device, both serving", f"{usual:.1f} s, {longest:.1f} s at most"))
        fill(first, given.changes, work)
        first.run("sync")
        begin = time.monotonic()
        second.run("sync")
        rows.append((f"catching up with {given.changes:,} changes", f"{time.monotonic() - begin:.1f} s"))
        if first.count() != second.count() or files(first) != files(second):
            raise SystemExit("the devices differ")
    finally:
        shutil.rmtree(work, ignore_errors=True)
    lines = ["# Sync: results", "", "Written by `Benchmarks/Sync/run`. Two archives and the folder are on one disk."
             + (f" {given.note}" if given.note else ""), "",
             "| | Measured |", "|---|--:|"]
    lines += [f"| {name} | {value} |" for name, value in rows]
    text = "\n".join(lines) + "\n"
    pathlib.Path(given.results).write_text(text)
    print(text)


if __name__ == "__main__":
    main()
