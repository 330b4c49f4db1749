"""Measures what building Arkived costs. Started by Benchmarks/Build/run."""

from __future__ import annotations

import argparse
import collections
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PARTS = ("first", "test", "edit", "start")
TICKS = os.sysconf("SC_CLK_TCK")


class Processes(threading.Thread):
    """Looks ten times a second at the processes of a session, and keeps how much processor each took.

    What a process takes in its last tenth of a second is not seen; the total comes from the system.
    """

    def __init__(self, session: int) -> None:
        super().__init__(daemon=True)
        self.session = session
        self.seen: dict[tuple[int, str], tuple[str, float]] = {}
        self.names: dict[tuple[int, str], str] = {}
        self.ended = threading.Event()

    def run(self) -> None:
        while not self.ended.wait(0.1):
            for name in os.listdir("/proc"):
                if name.isdigit():
                    self.look(int(name))

    def look(self, process: int) -> None:
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
            if int(fields[3]) != self.session:
                return
            key = (process, fields[19])
            if key not in self.names:
                words = Path(f"/proc/{process}/cmdline").read_text().split("\0")
                self.names[key] = part(words)
            self.seen[key] = (self.names[key], (int(fields[11]) + int(fields[12])) / TICKS)
        except (OSError, IndexError, ValueError, UnicodeDecodeError):
            return

    def by_part(self) -> collections.Counter[str]:
        self.ended.set()
        self.join()
        sums: collections.Counter[str] = collections.Counter()
        for name, seconds in self.seen.values():
            sums[name] += seconds
        return sums


def part(words: list[str]) -> str:
    """What a process works on: a Swift module, the C of a package, linking, or the program's own name."""
    program = os.path.basename(words[0])
    if "-module-name" in words:
        return f"Swift: {words[words.index('-module-name') + 1]}"
    if program.startswith("clang"):
        for word in words:
            if word.endswith((".c", ".cc", ".S", ".cpp")):
                found = re.search(r"/(?:checkouts|Sources)/([^/]+)/", word)
                return f"C: {found[1] if found else os.path.basename(word)}"
        return "linking"
    if program.startswith(("ld", "lld", "swift-autolink")):
        return "linking"
    return program or "?"


class Run:
    """A command in a clone, with its time and what its processes took."""

    def __init__(self, folder: Path, *command: str) -> None:
        log = folder.parent / "log"
        before = os.times()
        begun = time.monotonic()
        with log.open("ab") as out:
            process = subprocess.Popen(
                command, cwd=folder, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
            processes = Processes(process.pid)
            processes.start()
            status = process.wait()
        self.wall = time.monotonic() - begun
        after = os.times()
        # Of all that ended and was waited for.
        self.processor = sum(after[2:4]) - sum(before[2:4])
        self.parts = processes.by_part()
        self.log = log.read_text(encoding="utf-8", errors="replace")
        if status != 0:
            sys.exit(f"{' '.join(command)} ended with {status}:\n{self.log[-3000:]}")


def clone(into: Path) -> Path:
    folder = into / "arkived"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(folder)], check=True)
    return folder


def minutes(seconds: float) -> str:
    return f"{seconds / 60:.1f} min"


def fresh(what: str, times: int, *command: str) -> None:
    runs = []
    for _ in range(times):
        with tempfile.TemporaryDirectory() as into:
            runs.append(Run(clone(Path(into)), *command))
    wall = statistics.median(it.wall for it in runs)
    processor = statistics.median(it.processor for it in runs)
    print(f"\n## {what}\n\nwall {minutes(wall)}, processor {minutes(processor)}\n")
    print("| part | processor, s | share |\n|---|--:|--:|")
    parts = runs[-1].parts
    total = sum(parts.values())
    for name, seconds in parts.most_common():
        if seconds >= total / 200:
            print(f"| {name} | {seconds:.0f} | {seconds / total:.0%} |")
    few = [it for it in parts.values() if it < total / 200]
    print(f"| {len(few)} smaller ones | {sum(few):.0f} | {sum(few) / total:.0%} |", flush=True)


# A file with a line to change, and a test to run.
EDITS = (
    ("ArkivedCore", "Sources/ArkivedCore/Time/DayKey.swift", "// changed\n", "DayKeyTests"),
    ("a page", "Sources/ArkivedWeb/Resources/templates/more.mustache", "<!-- changed -->\n", "WebFilesTests"),
)


def edit() -> None:
    with tempfile.TemporaryDirectory() as into:
        folder = clone(Path(into))
        test = ("swift", "test", "--filter")
        Run(folder, *test, "DayKeyTests")
        print("\n## One changed line, to a test that has run\n\n| where | wall, s |\n|---|--:|")
        for name, path, line, filter_ in EDITS:
            with (folder / path).open("a", encoding="utf-8") as file:
                file.write(line)
            print(f"| {name} | {Run(folder, *test, filter_).wall:.0f} |", flush=True)


def start() -> None:
    built = subprocess.run(
        ["Scripts/package", "--only-build"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    program = Path(built.stdout.splitlines()[-1])
    print("\n## Start\n\n| whole process | p50, ms | memory, MB |\n|---|--:|--:|")
    with tempfile.TemporaryDirectory() as home:
        for words in (["--version"], ["add", "a walk along the river"], ["today"]):
            times, memory = [], 0
            for _ in range(60):
                begun = time.perf_counter()
                process = subprocess.Popen(
                    [program, *words], stdout=subprocess.DEVNULL,
                    env=os.environ | {"ARKIVED_HOME": home})
                _, status, usage = os.wait4(process.pid, 0)
                times.append((time.perf_counter() - begun) * 1_000)
                process.returncode = status
                memory = max(memory, usage.ru_maxrss)
            print(f"| arkived {words[0]} | {statistics.median(times):.1f} | {memory / 1024:.0f} |")
        stripped = Path(home) / "stripped"
        shutil.copy(program, stripped)
        subprocess.run(["strip", str(stripped)], check=True)
        sizes = [it.stat().st_size / 1e6 for it in (program, stripped)]
        print(f"\nThe program is {sizes[0]:.0f} MB, and {sizes[1]:.0f} MB without its symbols.", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="*", help=", ".join(PARTS))
    parser.add_argument("--times", type=int, default=1)
    options = parser.parse_args()
    if unknown := set(options.part) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    parts = options.part or PARTS
    if "first" in parts:
        fresh("./run --check in a fresh clone", options.times, "./run", "--check")
    if "test" in parts:
        fresh("./test in a fresh clone", options.times, "./test")
    if "edit" in parts:
        edit()
    if "start" in parts:
        start()


if __name__ == "__main__":
    main()
