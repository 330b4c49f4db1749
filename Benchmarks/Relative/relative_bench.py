"""Measures sync with and export of a Ten Week database with many rows. Started by Benchmarks/Relative/run.

The database holds a million rows of its archive and 200,000 conversations of 2,000 sessions. It is linked with an
empty archive and synced: everything comes in. The second sync finds nothing to do. The export writes all of it into
a new database. Last, the export is linked with another empty archive, so that the rows come back.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from machine import distribution, processor  # noqa: E402
from measure import MemoryWatch, run  # noqa: E402

ROWS = 1_000_000
MEMORY_LIMIT = 200

GOAL = "11111111-1111-4111-8111-111111111111"
TABLES = """
CREATE TABLE goals (uuid_id TEXT PRIMARY KEY, title TEXT NOT NULL, description TEXT, notes TEXT, log_time TEXT,
  goal_type TEXT, measurement_target REAL, measurement_unit TEXT, start_date TEXT, target_date TEXT,
  how_goal_is_relevant TEXT, how_goal_is_actionable TEXT, expected_term_length INTEGER);
CREATE TABLE archive (id TEXT PRIMARY KEY, source_table TEXT NOT NULL, source_id TEXT, record_data TEXT NOT NULL,
  reason TEXT, archived_at TEXT, archived_by TEXT, notes TEXT);
CREATE TABLE conversation_history (id TEXT PRIMARY KEY, session_id INTEGER NOT NULL CHECK (session_id > 0),
  prompt TEXT, response TEXT, created_at TEXT, freeform_notes TEXT);
"""


def fill(file: Path, rows: int) -> None:
    """Writes the database: most old versions are of one goal, a fifth tell of rows that were deleted."""
    database = sqlite3.connect(file)
    database.executescript(TABLES)
    database.execute("INSERT INTO goals (uuid_id, title, log_time) VALUES (?, 'Run', '2025-10-01')", (GOAL,))
    def versions():
        for number in range(rows):
            source = GOAL if number % 5 else f"22222222-2222-4222-8222-{number:012X}"
            yield (
                f"{number * 2_654_435_761 % 2**32:08X}-8888-4888-8888-{number:012X}", "goals", source,
                json.dumps({"uuid_id": source, "title": f"Run {number}", "log_time": "2025-10-01"}),
                "update" if number % 5 else "delete", "2025-10-03 10:00:00", "user", None)
    def talk():
        for number in range(rows // 5):
            yield (
                f"{number * 2_654_435_761 % 2**32:08X}-9999-4999-8999-{number:012X}", 1 + number // 100,
                f"Question {number}", f"Answer {number}", "2025-10-12 10:00:00.000", None)
    database.executemany("INSERT INTO archive VALUES (?, ?, ?, ?, ?, ?, ?, ?)", versions())
    database.executemany("INSERT INTO conversation_history VALUES (?, ?, ?, ?, ?, ?)", talk())
    database.commit()
    database.close()


@dataclass
class Step:
    """One run of the program."""

    name: str
    seconds: float
    megabytes: float


class Steps:
    """The runs of one program over one database."""

    def __init__(self, program: Path, work: Path) -> None:
        self.program = program
        self.work = work
        self.steps: list[Step] = []

    def call(self, archive: str, *arguments: str, name: str = "") -> str:
        environment = dict(
            os.environ, ARKIVED_HOME=str(self.work / archive), ARKIVED_TIME_ZONE="Europe/Berlin",
            ARKIVED_MODEL="/nonexistent", TMPDIR=str(self.work))
        memory = MemoryWatch()
        ran = run([self.program, *arguments], environment, keeps_output=True, memory=memory)
        if name:
            self.steps.append(Step(name, ran.seconds, memory.peak_bytes / 1e6))
            print(f"{name}: {ran.seconds:.1f} s, {memory.peak_bytes / 1e6:.0f} MB", flush=True)
        return ran.output

    def sync(self, archive: str, name: str) -> dict[str, dict[str, int]]:
        report = json.loads(self.call(archive, "sync", "--json", name=name))["syncs"][0]
        return {"pulled": report["pulled"], "pushed": report["pushed"]}

    def run(self, rows: int) -> None:
        file, copy = self.work / "goals.db", self.work / "export.db"
        fill(file, rows)
        all_rows = {"history": rows, "new": 1 + rows // 5}
        self.call("archive", "sync", "link", str(file))
        first = self.sync("archive", "sync, everything new")
        if first != {"pulled": all_rows, "pushed": {}}:
            sys.exit(f"the first sync reports {first}")
        again = self.sync("archive", "sync, nothing new")
        if again != {"pulled": {}, "pushed": {}}:
            sys.exit(f"the second sync reports {again}")
        self.call("archive", "export", "--format", "tenweek", "-o", str(copy), name="export")
        counts = [
            [
                database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                for table in ("goals", "archive", "conversation_history")
            ]
            for database in (sqlite3.connect(file), sqlite3.connect(copy))
        ]
        if counts[0] != counts[1]:
            sys.exit(f"the database has {counts[0]} rows, its export {counts[1]}")
        self.call("second", "sync", "link", str(copy))
        back = self.sync("second", "sync of the export with another archive")
        if back != {"pulled": all_rows, "pushed": {}}:
            sys.exit(f"the sync of the export reports {back}")


def steps(program: Path, rows: int, folder: Path | None) -> list[Step]:
    with tempfile.TemporaryDirectory(dir=folder) as name:
        found = Steps(program / "arkived", Path(name))
        found.run(rows)
        return found.steps


def table(now: list[Step], before: list[Step]) -> list[str]:
    if not before:
        lines = ["| | seconds | memory, MB |", "|---|--:|--:|"]
        return lines + [f"| {step.name} | {step.seconds:.1f} | {step.megabytes:.0f} |" for step in now]
    lines = ["| | seconds | memory, MB | before: seconds | memory, MB |", "|---|--:|--:|--:|--:|"]
    for step, old in zip(now, before):
        lines.append(
            f"| {step.name} | {step.seconds:.1f} | {step.megabytes:.0f} | {old.seconds:.1f} "
            f"| {old.megabytes:,.0f} |")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", type=Path, required=True, help="folder of the program")
    parser.add_argument("--before", type=Path, help="folder of another program to measure beside it")
    parser.add_argument("--rows", type=int, default=ROWS, help="archive rows; a fifth as many conversations")
    parser.add_argument("--work", type=Path, help="a folder on the disk to measure")
    chosen = parser.parse_args()
    now = steps(chosen.programs.resolve(), chosen.rows, chosen.work)
    before = steps(chosen.before.resolve(), chosen.rows, chosen.work) if chosen.before else []
    lines = table(now, before)
    print("\n".join(lines))
    if chosen.rows == ROWS:
        told = subprocess.run(
            [chosen.programs / "arkived", "--version"], capture_output=True, text=True).stdout.strip()
        (HERE / "RESULTS.md").write_text("\n".join([
            "# A Ten Week database with many rows", "",
            f"{ROWS:,} archive rows and {ROWS // 5:,} conversations. Arkived {told} on {processor()}, "
            f"{os.cpu_count()} cores,",
            f"{distribution()}. Target: {MEMORY_LIMIT} MB of memory. `Benchmarks/Relative/run`", "",
            *lines, "",
        ]))
    return 0 if max(step.megabytes for step in now) <= MEMORY_LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
