"""Where the benchmarks keep data and archives, and how they call the programs they measure."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from measure import Failed, MemoryWatch, Ran, run

NOW = "2025-12-31T20:00:00Z"
TODAY = "2025-12-31"
ZONE = "Europe/Berlin"


@dataclass(frozen=True)
class Life:
    """A file of lifetime data and what it holds."""

    file: Path
    account: dict[str, Any]

    @property
    def activities(self) -> int:
        return int(self.account["activities"])

    def days(self) -> list[str]:
        """The days from the first to the last, each as YYYY-MM-DD."""
        first = date.fromisoformat(self.account["from"])
        last = date.fromisoformat(self.account["through"])
        return [(first + timedelta(n)).isoformat() for n in range((last - first).days + 1)]

    def lines(self) -> Iterator[dict[str, Any]]:
        with self.file.open(encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)

    def entries(self) -> Iterator[dict[str, Any]]:
        return (line for line in self.lines() if line["type"] == "activity")


@dataclass(frozen=True)
class Archive:
    """An archive made by `arkived import`, and how long that took."""

    folder: Path
    life: Life
    imported: Ran
    peak_bytes: int
    disk_bytes: int


class Workplace:
    """The programs, the cached data and a folder for archives on the same disk."""

    def __init__(self, programs: Path, cache: Path) -> None:
        self.arkived = programs / "arkived"
        self.lifetime = programs / "lifetime"
        self.peers = cache / "peers"
        self.data = cache / "data"
        self.work = cache / "work"
        for program in (self.arkived, self.lifetime):
            if not os.access(program, os.X_OK):
                raise SystemExit(f"benchmarks: {program} is missing; start Benchmarks/run")
        self.data.mkdir(parents=True, exist_ok=True)
        # Held until the program ends, so that two runs do not clear away each other's archives.
        self._lock = (cache / "lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SystemExit("benchmarks: another run is at work here; wait for it") from None
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir()

    def environment(self, archive: Path) -> dict[str, str]:
        """The fixed clock and zone in which the programs run; nothing of the caller's settings."""
        return {
            "ARKIVED_HOME": str(archive),
            "ARKIVED_NOW": NOW,
            "ARKIVED_TIME_ZONE": ZONE,
            "HOME": str(self.work),
            "LANG": "C.UTF-8",
            # Reading a lifetime for its meaning takes long; Search/ measures that.
            "ARKIVED_MODEL": str(self.work / "no-model"),
            "NO_COLOR": "1",
            "PATH": "/usr/bin:/bin",
            "TZ": ZONE,
        }

    def life(self, activities: int, seed: int = 2016) -> Life:
        """Lifetime data, written once and again when the program that writes it changed."""
        file = self.data / f"life-{seed}-{activities}.jsonl"
        account = file.with_suffix(".json")
        newest = self.lifetime.stat().st_mtime
        if not account.exists() or account.stat().st_mtime < newest:
            account.unlink(missing_ok=True)
            options = ["--activities", str(activities), "--seed", str(seed)]
            written = run(
                [self.lifetime, "write", file, *options],
                self.environment(self.work),
                keeps_output=True,
            )
            account.write_text(written.output)
        return Life(file, json.loads(account.read_text()))

    def archive(self, life: Life, name: str) -> Archive:
        """Makes an archive by importing the data into an empty folder, in a process of its own."""
        folder = self.work / name
        shutil.rmtree(folder, ignore_errors=True)
        memory = MemoryWatch(every=0.02)
        ran = run(
            [self.arkived, "import", life.file, "--json"],
            self.environment(folder),
            keeps_output=True,
            memory=memory,
        )
        created = json.loads(ran.output)["runs"][0]["created"]
        wanted = {"activity": "activities", "day": "days", "metric": "metrics", "person": "people"}
        for kind, key in wanted.items():
            if created.get(kind, 0) != life.account[key]:
                raise Failed(
                    f"import made {created.get(kind, 0)} {key} of {life.account[key]} in the file"
                )
        archive = Archive(folder, life, ran, memory.peak_bytes, disk_bytes(folder))
        # As serve does by itself, so that it is not at work while others are measured.
        run([self.arkived, "index"], self.environment(folder))
        return archive

    def call(self, archive: Path, *arguments: str, keeps_output: bool = False) -> Ran:
        """Runs `arkived` with arguments on an archive."""
        return run([self.arkived, *arguments], self.environment(archive), keeps_output=keeps_output)

    def peak_memory(self, archive: Path, *arguments: str) -> int:
        """The most memory that a command holds, from a run that is not timed."""
        memory = MemoryWatch(every=0.0005)
        run([self.arkived, *arguments], self.environment(archive), memory=memory)
        return memory.peak_bytes

    def start(self, archive: Path, program: Path, *arguments: str) -> subprocess.Popen[str]:
        """Starts a program that is talked with; its errors go to a file of the work folder."""
        with (self.work / f"{program.name}.log").open("a") as talk:
            return subprocess.Popen(
                [str(program), *arguments],
                env=self.environment(archive),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=talk,
                text=True,
            )


def disk_bytes(folder: Path) -> int:
    """Bytes that a folder's files take up on the disk."""
    return sum(file.stat().st_blocks * 512 for file in folder.rglob("*") if file.is_file())
