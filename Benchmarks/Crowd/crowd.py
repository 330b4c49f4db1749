"""Measures how long the owner waits for an answer while others crowd the server. Started by
Benchmarks/Crowd/run.
"""

from __future__ import annotations

import argparse
import datetime
import http.client
import json
import multiprocessing
import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WRITERS = 8
SILENT = 1_000
ENTRIES = 2_000
PATHS = ("/api/v1/days/2026-03-14", "/api/v1/search?query=walk", "/")


class Address:
    """Where a server listens, and the owner's token."""

    def __init__(self, line: str) -> None:
        said = json.loads(line)
        self.port = int(said["url"].rsplit(":", 1)[1].strip("/"))
        self.token = said["token"]

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def ask(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: bytes | None = None
    ) -> int:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        connection.request(method, path, body=body, headers=headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status


@contextmanager
def serving(program: str, home: Path) -> Iterator[Address]:
    environment = os.environ | {"ARKIVED_NOW": "2026-03-14T20:00:00Z", "ARKIVED_TIME_ZONE": "UTC"}
    process = subprocess.Popen(
        [program, "serve", "--port", "0", "--json", "--archive", str(home)],
        stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    try:
        yield Address(process.stdout.readline())
    finally:
        process.terminate()
        process.wait()


def fill(program: str, home: Path) -> None:
    lines = "".join(
        json.dumps({
            "type": "activity", "text": f"walk number {n} along the river",
            "dayKey": f"2026-{1 + n % 3:02d}-{1 + n % 28:02d}"}) + "\n"
        for n in range(ENTRIES))
    source = home.parent / "entries.jsonl"
    source.write_text(lines, encoding="utf-8")
    subprocess.run(
        [program, "import", str(source), "--archive", str(home)], check=True, capture_output=True)


def write(address: Address, until: float, count: multiprocessing.sharedctypes.Synchronized) -> None:
    connection = address.connection()
    number = 0
    while time.time() < until:
        # Not the days that are read: those would grow by a thousand entries a second.
        day = datetime.date(2025, 1, 1) + datetime.timedelta(days=number % 365)
        number += 1
        body = json.dumps({"text": "ran 5 km along the river", "dayDate": str(day)}).encode()
        assert address.ask(connection, "POST", "/api/v1/activities", body) == 201
        with count.get_lock():
            count.value += 1


def read(address: Address, seconds: float) -> list[float]:
    """Milliseconds of one request after the other, as a person who clicks."""
    connection = address.connection()
    waits = []
    end = time.time() + seconds
    number = 0
    while time.time() < end:
        begun = time.perf_counter()
        assert address.ask(connection, "GET", PATHS[number % len(PATHS)]) == 200
        waits.append((time.perf_counter() - begun) * 1_000)
        number += 1
        time.sleep(0.01)
    return waits


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def row(name: str, waits: list[float], alone: list[float]) -> None:
    p50, p99 = quantile(waits, 0.5), quantile(waits, 0.99)
    ratio = p99 / quantile(alone, 0.99)
    print(f"| {name} | {len(waits)} | {p50:.1f} | {p99:.1f} | {max(waits):.1f} | {ratio:.1f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--seconds", type=float, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "archive"
        fill(options.program, home)
        with serving(options.program, home) as address:
            read(address, 2)
            alone = read(address, options.seconds)
            print("| reads | requests | p50 ms | p99 ms | longest ms | p99 against alone |")
            print("|---|--:|--:|--:|--:|--:|")
            row("alone", alone, alone)
            count = multiprocessing.Value("l", 0)
            until = time.time() + options.seconds + 1
            writers = [
                multiprocessing.Process(target=write, args=(address, until, count))
                for _ in range(WRITERS)]
            for writer in writers:
                writer.start()
            time.sleep(0.5)
            beside = read(address, options.seconds)
            for writer in writers:
                writer.join()
            row(f"beside {WRITERS} writers ({count.value} entries written)", beside, alone)
            silent = [
                socket.create_connection(("127.0.0.1", address.port), timeout=60)
                for _ in range(SILENT)]
            begun = time.perf_counter()
            assert address.ask(address.connection(), "GET", "/api/v1/days/2026-03-14") == 200
            first = (time.perf_counter() - begun) * 1_000
            row(f"beside {SILENT} silent connections", read(address, 5), alone)
            print(f"\nFirst answer to the owner beside {SILENT} silent connections: {first:.0f} ms")
            for connection in silent:
                connection.close()


if __name__ == "__main__":
    main()
