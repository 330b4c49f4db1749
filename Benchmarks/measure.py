"""Times processes and calls, and says what the middle and the slow end of many times are."""

from __future__ import annotations

import math
import os
import random
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path


class Failed(Exception):
    """Something that was to be measured did not do what it should."""


@dataclass
class Ran:
    """One finished process."""

    seconds: float
    cpu_seconds: float
    output: str
    status: int


def run(
    arguments: Sequence[str | Path],
    environment: dict[str, str],
    *,
    may_fail: bool = False,
    keeps_output: bool = False,
    memory: MemoryWatch | None = None,
) -> Ran:
    """Runs a program to its end and times it from before its start until it was waited for.

    Raises `Failed` with the end of what it said when it exits with an error.
    """
    with tempfile.TemporaryFile() as talk, tempfile.TemporaryFile() as output:
        begin = time.perf_counter()
        process = subprocess.Popen(
            [str(argument) for argument in arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output if keeps_output else subprocess.DEVNULL,
            stderr=talk,
        )
        if memory:
            memory.start(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        if memory:
            memory.stop()
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0 and not may_fail:
            talk.seek(0)
            said = talk.read().decode(errors="replace").strip()[-300:]
            name = " ".join([Path(str(arguments[0])).name, *map(str, arguments[1:3])])
            raise Failed(f"{name} exited with {process.returncode}: {said}")
        output.seek(0)
        return Ran(
            seconds=seconds,
            cpu_seconds=usage.ru_utime + usage.ru_stime,
            output=output.read().decode() if keeps_output else "",
            status=process.returncode,
        )


class MemoryWatch:
    """The most memory a process held, asked of the system every few milliseconds; while processes
    that it started are there, with theirs, and what they share counted once.

    What `wait4` tells counts the memory of the parent at the moment of the start, and so a small
    program's would be Python's.
    """

    def __init__(self, every: float = 0.002) -> None:
        self.peak_bytes = 0
        self._every = every
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, pid: int) -> None:
        self._thread = threading.Thread(target=self._watch, args=(pid,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        if self._thread:
            self._thread.join()

    def _watch(self, pid: int) -> None:
        while not self._ended.is_set():
            held = memory_of(pid, "VmHWM") or 0
            if children := started_by(pid):
                held = max(held, sum(share_of(member) for member in [pid, *children]))
            self.peak_bytes = max(self.peak_bytes, held)
            self._ended.wait(self._every)


def memory_of(pid: int, name: str = "VmRSS") -> int | None:
    """Bytes of resident memory: now (`VmRSS`) or at most so far (`VmHWM`); None when it is gone."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1]) * 1024
    except (FileNotFoundError, ProcessLookupError):
        pass
    return None


def started_by(pid: int) -> list[int]:
    """The processes that a process started and that are there, and those that they started."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = [int(word) for word in task.read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            continue
        for child in children:
            found += [child, *started_by(child)]
    return found


def share_of(pid: int) -> int:
    """Bytes of resident memory, of what is shared the process's part; 0 when it is gone."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        pass
    return 0


@dataclass
class Sample:
    """Times of the same thing, in seconds."""

    seconds: list[float] = field(default_factory=list)
    cpu_seconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def quantile(self, part: float) -> float:
        """The nearest-rank quantile: with fewer than 100 times, p99 is the slowest of them."""
        if not self.seconds:
            return math.nan
        ordered = sorted(self.seconds)
        return ordered[max(0, math.ceil(part * len(ordered)) - 1)]

    @property
    def p50(self) -> float:
        return self.quantile(0.5)

    @property
    def p99(self) -> float:
        return self.quantile(0.99)

    @property
    def cpu_p50(self) -> float:
        ordered = sorted(self.cpu_seconds)
        return ordered[(len(ordered) - 1) // 2] if ordered else math.nan


@dataclass
class Contender:
    """Something that is done again and again; it gets the round, from 0, and times itself."""

    name: str
    act: Callable[[int], Ran | float]
    # Once it has used up so many seconds it does not start again.
    budget_seconds: float = math.inf


def rounds(contenders: Sequence[Contender], runs: int, warm_up: int = 2) -> dict[str, Sample]:
    """Lets everybody act once a round, in an order drawn anew, so that a busy or slow moment of the
    machine meets all of them.

    A contender that fails in its warm-up is left out of the rounds; its failure stays in its
    sample.
    """
    order = random.Random(1946)
    samples = {contender.name: Sample() for contender in contenders}
    used = dict.fromkeys(samples, 0.0)
    for number in range(-warm_up, runs):
        for contender in order.sample(list(contenders), len(contenders)):
            sample = samples[contender.name]
            if sample.failures and not sample.seconds:
                continue
            if used[contender.name] > contender.budget_seconds and sample.seconds:
                continue
            begin = time.perf_counter()
            try:
                result = contender.act(number + warm_up)
            except (Failed, OSError) as error:
                sample.failures.append(str(error))
                continue
            finally:
                used[contender.name] += time.perf_counter() - begin
            if number < 0:
                continue
            if isinstance(result, Ran):
                sample.seconds.append(result.seconds)
                sample.cpu_seconds.append(result.cpu_seconds)
            else:
                sample.seconds.append(result)
    return samples
