"""Measures what a tool call costs beyond the query it makes. Started by Benchmarks/Tools/run.

A server holds ten years of an invented life. Each tool is called over the API in turn with the route
that asks the same of the same engine, over one kept connection, and the difference of their times is
the overhead. The same calls go over MCP to `arkived mcp`.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from machine import distribution, processor  # noqa: E402

DAY = "2026-03-10"
TARGET_MS = 5.0
# Calls of each tool in a run whose figures are kept.
WHOLE = 500
# A tool with its arguments, and the route that asks the same.
PAIRS: list[tuple[str, dict[str, Any], str, str, dict[str, Any] | None]] = [
    ("getDay", {"dayDate": DAY}, "GET", f"/api/v1/days/{DAY}", None),
    ("searchActivities", {"query": "castle"}, "GET", "/api/v1/search?query=castle&limit=60", None),
    ("getGoals", {}, "GET", "/api/v1/goals?progress=true", None),
    ("getActions", {}, "GET", "/api/v1/actions", None),
    ("findMeetings", {}, "GET", "/api/v1/meetings?limit=20", None),
    ("findPeople", {"query": "a"}, "GET", "/api/v1/people?query=a&limit=20", None),
    ("ask", {"question": "when did I last run?"}, "POST", "/api/v1/ask",
     {"question": "when did I last run?", "limit": 50}),
]  # fmt: skip


class Program:
    """A program on the sample life; leave its `with` and it is stopped."""

    def __init__(self, arkived: Path, home: Path, *arguments: str) -> None:
        settings = {"ARKIVED_HOME": str(home), "ARKIVED_NOW": "2026-03-14T20:00:00Z",
                    "ARKIVED_TIME_ZONE": "Europe/Berlin"}  # fmt: skip
        self.process = subprocess.Popen(
            [str(arkived), *arguments], env=os.environ | settings, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)  # fmt: skip

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(timeout=30)

    def line(self) -> Any:
        assert self.process.stdout
        return json.loads(self.process.stdout.readline())

    def tell(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()


def timed(work: Callable[[], None]) -> float:
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1000


def p99(times: list[float]) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * 0.99))]


def over_http(arkived: Path, home: Path, rounds: int) -> list[tuple[str, list[float], list[float]]]:
    rows = []
    with Program(arkived, home, "serve", "--port", "0", "--json") as server:
        address = server.line()
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(address["url"]).netloc)
        headers = {"Authorization": f"Bearer {address['token']}", "Content-Type": "application/json"}

        def ask(method: str, path: str, body: dict[str, Any] | None) -> None:
            text = None if body is None else json.dumps(body)
            connection.request(method, path, body=text, headers=headers)
            answer = connection.getresponse()
            content = answer.read()
            if answer.status != 200:
                raise SystemExit(f"{method} {path}: {answer.status} {content[:200]!r}")

        for tool, arguments, method, path, body in PAIRS:
            calls: list[float] = []
            queries: list[float] = []
            for number in range(rounds + 20):
                called = timed(lambda: ask("POST", f"/api/v1/tools/{tool}", arguments))
                queried = timed(lambda: ask(method, path, body))
                if number >= 20:
                    calls.append(called)
                    queries.append(queried)
            rows.append((tool, calls, queries))
    return rows


def over_mcp(arkived: Path, home: Path, rounds: int) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    with Program(arkived, home, "mcp") as client:

        def ask(name: str, arguments: dict[str, Any]) -> None:
            parameters = {"name": name, "arguments": arguments}
            client.tell({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters})
            if "result" not in client.line():
                raise SystemExit(f"{name} over MCP: no result")

        for tool, arguments, *_ in PAIRS:
            times = [timed(lambda: ask(tool, arguments)) for _ in range(rounds + 20)]
            found[tool] = times[20:]
    return found


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--programs", required=True, type=Path, help="where arkived lies")
    reader.add_argument("--rounds", type=int, default=WHOLE, help="calls of each tool")
    options = reader.parse_args()
    arkived = options.programs / "arkived"
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "life"
        subprocess.run([str(arkived), "sample", "--archive", str(home)], check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip
        rows = over_http(arkived, home, options.rounds)
        mcp = over_mcp(arkived, home, options.rounds)
        told = subprocess.run([str(arkived), "--version"], capture_output=True, text=True).stdout
    lines = [
        "| tool | call p50 | call p99 | query p50 | query p99 | beyond p50 | beyond p99 | MCP p50 |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    worst = 0.0
    for tool, calls, queries in rows:
        # Beyond the query: by how much the whole distribution lies higher, at its middle and its end.
        beyond = p99(calls) - p99(queries)
        worst = max(worst, beyond)
        cells = [statistics.median(calls), p99(calls), statistics.median(queries), p99(queries),
                 statistics.median(calls) - statistics.median(queries), beyond,
                 statistics.median(mcp[tool])]  # fmt: skip
        lines.append(f"| {tool} | " + " | ".join(f"{cell:.2f}" for cell in cells) + " |")
    lines += ["", f"Milliseconds, {options.rounds} calls each. "
              f"At most {worst:.2f} ms beyond the query at p99; the aim is {TARGET_MS:.0f}."]  # fmt: skip
    print("\n".join(lines))
    if options.rounds == WHOLE:
        heading = f"# Tools\n\n{told.strip()} on {processor()}, {os.cpu_count()} cores, {distribution()}.\n\n"
        (HERE / "RESULTS.md").write_text(heading + "\n".join(lines) + "\n", encoding="utf-8")
    return 0 if worst < TARGET_MS else 1


if __name__ == "__main__":
    sys.exit(main())
