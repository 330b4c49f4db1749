#!/usr/bin/env python3
"""Asks a running Arkived the labelled queries, and writes a run file for each mode.

Usage: ask_queries.py PROGRAM ARCHIVE FOLDER

PROGRAM is arkived; ARCHIVE holds the labelled life, with its indexes (`arkived index`); FOLDER gets
words.jsonl, meaning.jsonl and hybrid.jsonl for judge.py.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path

MODES = ("words", "meaning", "hybrid")


def main() -> int:
    program, archive, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    queries = [
        json.loads(line)
        for line in (Path(__file__).parent / "queries.jsonl").read_text().splitlines()
    ]
    server = subprocess.Popen(
        [program, "serve", "--archive", archive, "--port", "0", "--json"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        address = json.loads(server.stdout.readline())
        for mode in MODES:
            times = []
            with open(folder / f"{mode}.jsonl", "w") as run:
                for query in queries:
                    begin = time.monotonic()
                    results = ask(address, query["query"], mode)
                    times.append(time.monotonic() - begin)
                    run.write(json.dumps({"id": query["id"], "results": results}) + "\n")
            times.sort()
            print(
                f"{mode}: p50 {times[len(times) // 2] * 1e3:.1f} ms, "
                f"p99 {times[len(times) * 99 // 100] * 1e3:.1f} ms",
                file=sys.stderr,
            )
    finally:
        server.terminate()
        server.wait()
    return 0


def ask(address: dict, query: str, mode: str) -> list[str]:
    fields = urllib.parse.urlencode({"query": query, "mode": mode, "limit": 10})
    request = urllib.request.Request(
        f"{address['url']}api/v1/search?{fields}",
        headers={"Authorization": f"Bearer {address['token']}"},
    )
    with urllib.request.urlopen(request) as answer:
        return [hit["id"] for hit in json.load(answer)["results"]]


if __name__ == "__main__":
    sys.exit(main())
