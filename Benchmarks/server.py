"""A running `arkived serve`: until it answers, its memory, its pages and its API."""

from __future__ import annotations

import http.client
import json
import random
import signal
import subprocess
import time
import urllib.parse
from pathlib import Path
from typing import Any

from commands import COMMON_WORD, RARE_WORD
from measure import Contender, Failed, Sample, memory_of, rounds
from results import Results, ServerFigure, Times
from workplace import TODAY, Archive, Workplace

WARM_UP = 20
# Before a server's memory is asked for, it has rested this long.
REST_SECONDS = 1.0


class Server:
    """A server on an archive; leave its `with` and it is stopped."""

    def __init__(self, workplace: Workplace, archive: Path) -> None:
        begin = time.perf_counter()
        self.process = workplace.start(archive, workplace.arkived, "serve", "--port", "0", "--json")
        try:
            self.address = self._first_line()
            self.host = urllib.parse.urlsplit(self.address["url"]).netloc
            self.bearer = {"Authorization": f"Bearer {self.address['token']}"}
            self.connection = http.client.HTTPConnection(self.host, timeout=60)
            self.get(f"/api/v1/days/{TODAY}", self.bearer)
            self.ready_seconds = time.perf_counter() - begin
        except BaseException:
            self.stop()
            raise

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()
        self.stop()

    def _first_line(self) -> dict[str, Any]:
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise Failed("arkived serve ended before it answered")
        address: dict[str, Any] = json.loads(line)
        return address

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            raise Failed("arkived serve did not stop within 30 seconds") from None

    def memory(self) -> int:
        return memory_of(self.process.pid) or 0

    def request(
        self, method: str, path: str, headers: dict[str, str], body: str | None = None
    ) -> tuple[http.client.HTTPResponse, bytes, float]:
        """One request on the connection that stays open; returns its seconds to the last byte.

        A connection that was idle for long is closed by the server, and opened anew here.
        """
        begin = time.perf_counter()
        try:
            self.connection.request(method, path, body=body, headers=headers)
            response = self.connection.getresponse()
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            if method != "GET":
                raise
            self.connection.close()
            begin = time.perf_counter()
            self.connection.request(method, path, body=body, headers=headers)
            response = self.connection.getresponse()
        content = response.read()
        return response, content, time.perf_counter() - begin

    def get(self, path: str, headers: dict[str, str]) -> float:
        response, _, seconds = self.request("GET", path, headers)
        if response.status != 200:
            raise Failed(f"GET {path} answered {response.status}")
        return seconds

    def sign_in(self) -> dict[str, str]:
        """Signs in as a browser does, by the link; returns the cookie."""
        response, _, _ = self.request("GET", urllib.parse.urlsplit(self.address["login"]).path, {})
        cookie = response.getheader("Set-Cookie")
        if response.status != 303 or not cookie:
            raise Failed(f"the login link answered {response.status}")
        return {"Cookie": cookie.split(";")[0]}

    def add(self, arguments: dict[str, Any]) -> float:
        """POST /api/v1/activities; returns its seconds."""
        headers = {**self.bearer, "Content-Type": "application/json"}
        body = json.dumps(arguments)
        response, content, seconds = self.request("POST", "/api/v1/activities", headers, body)
        if response.status not in (200, 201):
            raise Failed(f"POST answered {response.status}: {content[:200].decode()}")
        return seconds


def measure_server(
    workplace: Workplace, archive: Archive, runs: int, requests: int, results: Results
) -> None:
    """Starts servers for their start; on the last one, loads random days and searches."""
    ready = Sample()
    for number in range(runs + 1):
        with Server(workplace, archive.folder) as server:
            if number > 0:
                ready.seconds.append(server.ready_seconds)
    with Server(workplace, archive.folder) as server:
        time.sleep(REST_SECONDS)
        rest = server.memory()
        cookie = server.sign_in()
        days = archive.life.days()
        drawn = random.Random(80).choices(days, k=requests + WARM_UP)
        queries = [
            urllib.parse.urlencode({"query": query, "limit": 20})
            for query in (COMMON_WORD, RARE_WORD, "harbour dinner", "Alex Kim")
        ]
        samples = rounds(
            [
                Contender("page", lambda n: server.get(f"/day/{drawn[n]}", cookie)),
                Contender("day", lambda n: server.get(f"/api/v1/days/{drawn[n]}", server.bearer)),
                Contender(
                    "search",
                    lambda n: server.get(f"/api/v1/search?{queries[n % 4]}", server.bearer),
                ),
            ],
            requests,
            warm_up=WARM_UP,
        )
        for sample in samples.values():
            if sample.failures:
                raise Failed(f"{len(sample.failures)} requests failed: {sample.failures[0]}")
        results.servers.append(
            ServerFigure(
                size=archive.life.activities,
                ready=Times.of(ready),
                rest_bytes=rest,
                busy_bytes=server.memory(),
                page=Times.of(samples["page"]),
                api_day=Times.of(samples["day"]),
                api_search=Times.of(samples["search"]),
            )
        )
