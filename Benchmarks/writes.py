"""One entry at a time, flushed to the disk before the next: Arkived beside SQLite alone."""

from __future__ import annotations

import subprocess
from contextlib import closing
from pathlib import Path

from measure import Contender, Failed, Sample, rounds
from results import Results, Times, WriteFigure
from server import Server
from sqlite_peer import SQLitePeer, SyncedInsert
from workplace import TODAY, Archive, Workplace

# So many writes fill the write-ahead log once, so that the counted ones find it at its full size.
WARM_UP = 60
TAGS = ["food", "friends"]
PERSON = "Alex Kim"


def text_of(number: int) -> str:
    return f"lunch with Alex Kim at the harbour {number}"


def measure_writes(
    workplace: Workplace,
    archive: Archive,
    peers: dict[str, SQLitePeer],
    writes: int,
    results: Results,
) -> None:
    """Writes through a server and inside a process, each in turn with the two peers."""
    one_table = SyncedInsert(peers["indexed"])
    same_rows = SyncedInsert(peers["whole"])
    with closing(one_table), closing(same_rows):
        beside = [
            Contender("one table", lambda n: one_table.act(text_of(n), TODAY, [], [])),
            Contender("same rows", lambda n: same_rows.act(text_of(n), TODAY, [1, 2], [PERSON])),
        ]

        def measure(way: str, arkived: Contender) -> None:
            samples = rounds([arkived, *beside], writes, warm_up=WARM_UP)
            check(samples)
            results.writes.append(
                WriteFigure(
                    size=archive.life.activities,
                    way=way,
                    arkived=Times.of(samples["arkived"]),
                    one_table=Times.of(samples["one table"]),
                    same_rows=Times.of(samples["same rows"]),
                )
            )

        with Server(workplace, archive.folder) as server:
            measure("http", Contender("arkived", lambda n: server.add(arguments_of(n))))
        with InProcess(workplace, archive.folder) as process:
            measure("inside", Contender("arkived", lambda n: process.add(text_of(n))))


def arguments_of(number: int) -> dict[str, object]:
    return {
        "text": text_of(number), "dayDate": TODAY, "startAt": "2025-12-31T11:30:00Z",
        "kind": "work", "tags": TAGS, "people": [PERSON],
    }  # fmt: skip


def check(samples: dict[str, Sample]) -> None:
    for name, sample in samples.items():
        if sample.failures:
            raise Failed(f"{name}: {sample.failures[0]}")


class InProcess:
    """`lifetime adds`: writes an entry for each line and answers with its milliseconds."""

    def __init__(self, workplace: Workplace, archive: Path) -> None:
        arguments = ["adds", str(archive), "--day", TODAY, "--person", PERSON, "--tags", *TAGS]
        self.process = workplace.start(archive, workplace.lifetime, *arguments)

    def __enter__(self) -> InProcess:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()

    def add(self, text: str) -> float:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise Failed("lifetime adds ended before it answered")
        return float(answer) / 1000
