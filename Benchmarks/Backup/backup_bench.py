"""Times backups, their verification and restoring, beside zip and age on the same files."""

import argparse
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from machine import distribution, processor  # noqa: E402

PIECE = 1_000_000
# Entries and megabytes of a run whose figures are kept.
WHOLE = (1_500_000, 5_000)


class Bench:
    def __init__(self, programs, work):
        self.arkived = str(pathlib.Path(programs) / "arkived")
        self.lifetime = str(pathlib.Path(programs) / "lifetime")
        self.work = work
        self.key = work / "key.txt"
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(work), "ARKIVED_HOME": str(work / "archive"),
            "ARKIVED_NOW": "2025-12-31T20:00:00Z", "ARKIVED_TIME_ZONE": "Europe/Berlin",
            "ARKIVED_MODEL": str(work / "none"),
        }  # fmt: skip

    def run(self, *words, home="archive"):
        """Seconds and peak memory in MB of a command."""
        environment = self.environment | {"ARKIVED_HOME": str(self.work / home)}
        start = time.monotonic()
        process = subprocess.Popen(
            [self.arkived, *map(str, words)], env=environment, stdout=subprocess.PIPE
        )
        told = process.stdout.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"arkived {words[0]} ended with {process.returncode}: {told[:500]}")
        return time.monotonic() - start, usage.ru_maxrss / 1024, told

    def shell(self, command):
        start = time.monotonic()
        subprocess.run(["bash", "-o", "pipefail", "-c", command], check=True, cwd=self.work)
        return time.monotonic() - start

    def fill(self, entries, megabytes):
        """An archive of a life with files that do not pack, as photos are."""
        folder = self.work / "life"
        (folder / "attachments").mkdir(parents=True)
        subprocess.run(
            [self.lifetime, "write", str(folder / "life.jsonl"), "--activities", str(entries)],
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        source = random.Random(7)
        with open(folder / "photos.jsonl", "w", encoding="utf-8") as lines:
            for number in range(megabytes * 1_000_000 // PIECE):
                name = f"{number}.jpg"
                (folder / "attachments" / name).write_bytes(source.randbytes(PIECE))
                line = {
                    "type": "activity", "text": f"a photo, number {number}",
                    "dayKey": f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}",
                    "attachments": [
                        {"type": "photo", "relativePath": name, "originalName": name}],
                }  # fmt: skip
                lines.write(json.dumps(line) + "\n")
        self.run("import", folder, "--json")
        shutil.rmtree(folder)

    def adds(self, count, while_running=None):
        """Milliseconds of single flushed writes inside a process."""
        process = subprocess.Popen(
            [self.lifetime, "adds", str(self.work / "archive")], env=self.environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        times = []
        while len(times) < count or (while_running and while_running.poll() is None):
            process.stdin.write(f"write number {len(times)}\n")
            process.stdin.flush()
            times.append(float(process.stdout.readline().split()[0]))
            time.sleep(0.005)
        process.stdin.close()
        process.wait()
        return times


def p99(times):
    return sorted(times)[max(0, int(len(times) * 0.99) - 1)]


def verdicts(rows, alone, meanwhile):
    """Each target of backups with what was measured: name, measured, wanted, and whether it is met."""
    seconds = {label: took for label, took, _ in rows}
    memory = {label: peak for label, _, peak in rows}
    found = [("memory of a backup and of verifying, MB", max(memory[BACKUP], memory[VERIFY]), 150)]
    if PEER in seconds:
        found += [
            ("time of a backup, in times of zip and age", seconds[BACKUP] / seconds[PEER], 2),
            ("time of verifying, in times of age and unzip", seconds[VERIFY] / seconds[UNPEER], 2),
            ("time of restoring, in times of zip and age", seconds[RESTORE] / seconds[PEER], 2),
        ]
    found.append(("p99 of a write during a backup, in times of alone", p99(meanwhile) / p99(alone), 2))
    return [(name, value, most, value <= most) for name, value, most in found]


BACKUP, VERIFY = "arkived backup, read back", "arkived backup verify"
RESTORE, PEER, UNPEER = "arkived restore", "zip -1 | age", "age -d, unzip -t"


def cell(words):
    """Words that a table's cell may hold."""
    return words.replace("|", "\\|")


def measure(bench):
    told = json.loads(bench.run("backup", "key", "-o", bench.key, "--json")[2])
    public = told["publicKey"]
    file = bench.work / "life.zip.age"
    rows = []
    seconds, memory, _ = bench.run("backup", file, "--to", public, "--json")
    rows.append((BACKUP, seconds, memory))
    seconds, memory, _ = bench.run("backup", "verify", file, "-i", bench.key, "--json")
    rows.append((VERIFY, seconds, memory))
    seconds, memory, _ = bench.run("restore", file, "-i", bench.key, "--json", home="restored")
    rows.append((RESTORE, seconds, memory))
    shutil.rmtree(bench.work / "restored")
    if shutil.which("age") and shutil.which("zip"):
        bench.run("backup", "open", file, "-i", bench.key, "-o", bench.work / "life.zip", "--json")
        bench.shell("unzip -q life.zip -d plain && rm life.zip")
        peer = bench.shell(f"cd plain && zip -1 -q -r - . | age -r {public} -o ../peer.zip.age")
        rows.append((PEER, peer, 0))
        rows.append((UNPEER, bench.shell(
            f"age -d -i {bench.key} -o peer.zip peer.zip.age && unzip -tqq peer.zip"), 0))
        bench.shell("rm -r plain peer.zip peer.zip.age")
    alone = bench.adds(400)
    process = subprocess.Popen(
        [bench.arkived, "backup", str(file), "--to", public, "--json"], env=bench.environment,
        stdout=subprocess.DEVNULL)
    meanwhile = bench.adds(50, process)
    if process.wait() != 0:
        sys.exit(f"the backup beside the writes ended with {process.returncode}")
    return rows, file.stat().st_size, alone, meanwhile


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    parser.add_argument("--entries", type=int, default=WHOLE[0])
    parser.add_argument("--megabytes", type=int, default=WHOLE[1])
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if options.quick:
        options.entries, options.megabytes = 20_000, 100
    with tempfile.TemporaryDirectory(prefix="arkived-backup-") as name:
        bench = Bench(options.programs, pathlib.Path(name))
        bench.fill(options.entries, options.megabytes)
        rows, size, alone, meanwhile = measure(bench)
    lines = [
        f"{options.entries:,} entries, {options.megabytes:,} MB of files, backup {size / 1e6:,.0f} MB.", "",
        "| | s | MB/s of backup | MB of memory |", "|---|--:|--:|--:|",
    ]  # fmt: skip
    for label, seconds, memory in rows:
        rate = size / 1e6 / seconds
        lines.append(f"| {cell(label)} | {seconds:.1f} | {rate:.0f} | {f'{memory:.0f}' if memory else ''} |")
    lines += ["", "| one write | p50 ms | p99 ms |", "|---|--:|--:|"]
    for label, times in (("alone", alone), ("during a backup", meanwhile)):
        lines.append(f"| {label} | {statistics.median(times):.2f} | {p99(times):.2f} |")
    lines += ["", "| target | measured | at most | |", "|---|--:|--:|---|"]
    for name, value, most, is_met in verdicts(rows, alone, meanwhile):
        lines.append(f"| {name} | {value:.2f} | {most} | {'met' if is_met else 'MISSED'} |")
    print("\n".join(lines))
    if (options.entries, options.megabytes) == WHOLE:
        told = bench.run("--version")[2].strip()
        heading = f"# Backups\n\n{told} on {processor()}, {os.cpu_count()} cores, {distribution()}.\n\n"
        (HERE / "RESULTS.md").write_text(heading + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
