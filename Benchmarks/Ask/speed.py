"""The times of questions: over HTTP, as whole processes, and beside SQLite asked by hand."""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from measure import Contender, Failed, MemoryWatch, Ran, Sample, memory_of, rounds, run
from parted import quantiles
from server import REST_SECONDS, Server
from speed_questions import KINDS, NOW, WARM_UP, Question, of_kind, questions
from sql_peer import Pair, SQLPeer, pairs, same
from workplace import Archive, Workplace

# Of these kinds `arkived ask` is timed as a whole process.
PROCESSES = ("list, person and time", "count", "count of very many", "sum")
PEER_ROUNDS = 5
# Those mentioned most are asked about.
PEOPLE = 20
PAIRS_OF_A_KIND = 8


def measure_speed(workplace: Workplace, archive: Archive, each: int, runs: int) -> dict[str, Any]:
    """The figures of one archive; `each` questions of a kind, `runs` of a whole process."""
    first, last = archive.life.account["from"], archive.life.account["through"]
    with SQLPeer(archive.folder) as peer:
        people = peer.people(PEOPLE)
    asked = questions(first, last, people, each)
    load = os.getloadavg()[0]
    with Server(workplace, archive.folder) as server:
        time.sleep(REST_SECONDS)
        figures = served(server, asked)
        beside = pairs(first, last, people, PAIRS_OF_A_KIND)
        figures["peer"] = measure_peer(server, archive.folder, beside)
    figures["processes"] = processes(workplace, archive.folder, asked, runs)
    return {
        "size": archive.life.activities, "first": first, "last": last,
        "load": [round(load, 2), round(os.getloadavg()[0], 2)], **figures,
    }  # fmt: skip


# MARK: Over HTTP


def ask(server: Server, question: str) -> tuple[dict[str, Any], float]:
    """The answer to a question, and its seconds to the last byte."""
    headers = {**server.bearer, "Content-Type": "application/json"}
    body = json.dumps({"question": question, "now": NOW})
    response, content, seconds = server.request("POST", "/api/v1/ask", headers, body)
    if response.status != 200:
        raise Failed(f"“{question}” was answered with {response.status}: {content[:200]!r}")
    answer: dict[str, Any] = json.loads(content)
    return answer, seconds


def served(server: Server, asked: list[Question]) -> dict[str, Any]:
    """Times of all questions, one after another, and what the server holds then."""
    rest = server.memory()
    warm_up = ask(server, WARM_UP)[1]
    rows = []
    for question in asked:
        answer, seconds = ask(server, question.text)
        rows.append(
            {"kind": question.kind, "question": question.text, "ms": round(seconds * 1e3, 3),
             "answered": answer["kind"]}
        )  # fmt: skip
    return {
        "warm_up_ms": warm_up * 1e3,
        "rest_bytes": rest,
        "memory_bytes": server.memory(),
        # Without the files that are mapped, which the system may take back at any time.
        "own_bytes": memory_of(server.process.pid, "RssAnon"),
        "peak_bytes": memory_of(server.process.pid, "VmHWM"),
        "all": times(rows),
        "kinds": {kind: times([row for row in rows if row["kind"] == kind]) for kind in KINDS},
        "asked": rows,
    }


def times(rows: list[dict[str, Any]]) -> dict[str, Any]:
    slowest = max(rows, key=lambda row: row["ms"])
    return {
        **quantiles(Sample([row["ms"] / 1e3 for row in rows])),
        "slowest": slowest["question"],
        "none": sum(row["answered"] == "none" for row in rows),
    }


# MARK: Beside SQLite


def measure_peer(server: Server, archive: Path, beside: list[Pair]) -> dict[str, Any]:
    """Both are asked the same in turn, in an order drawn anew each round; the first round is not
    counted. Where they tell different figures, only that is kept.
    """
    draw = random.Random(1946)
    ours = {pair: Sample() for pair in beside}
    theirs = {pair: Sample() for pair in beside}
    told: dict[Pair, tuple[Any, dict[str, Any]]] = {}
    with SQLPeer(archive) as peer:
        for number in range(PEER_ROUNDS + 1):
            for pair in draw.sample(beside, len(beside)):
                if draw.random() < 0.5:
                    (answer, seconds), (found, their_seconds) = (
                        ask(server, pair.question),
                        peer.ask(pair),
                    )
                else:
                    found, their_seconds = peer.ask(pair)
                    answer, seconds = ask(server, pair.question)
                told[pair] = (found, answer)
                if number > 0:
                    ours[pair].seconds.append(seconds)
                    theirs[pair].seconds.append(their_seconds)
    figures: dict[str, Any] = {}
    for kind in dict.fromkeys(pair.kind for pair in beside):
        of_this = [pair for pair in beside if pair.kind == kind]
        agreed = [pair for pair in of_this if same(*told[pair])]
        figures[kind] = {
            "asked": len(of_this),
            "same": len(agreed),
            "differ": [
                {"question": pair.question, "sql": told[pair][0],
                 "arkived": told[pair][1].get("answer", "")[:200]}
                for pair in of_this if pair not in agreed
            ],
        }  # fmt: skip
        if agreed:
            figures[kind]["arkived"] = together(ours[pair] for pair in agreed)
            figures[kind]["sqlite"] = together(theirs[pair] for pair in agreed)
    return figures


def together(samples: Iterable[Sample]) -> dict[str, float]:
    return quantiles(Sample([seconds for sample in samples for seconds in sample.seconds]))


# MARK: Whole processes


def processes(
    workplace: Workplace, archive: Path, asked: list[Question], runs: int
) -> dict[str, Any]:
    """`arkived ask` from before its start until it is gone, kinds in turn; beside `true`."""
    environment = {**workplace.environment(archive), "ARKIVED_NOW": NOW}

    def act(kind: str) -> Callable[[int], Ran]:
        texts = of_kind(asked, kind)
        return lambda number: run([workplace.arkived, "ask", texts(number)], environment)

    contenders = [Contender(kind, act(kind)) for kind in PROCESSES]
    floor = Contender("true", lambda _: run([Path("/bin/true")], environment))
    found = {}
    for name, sample in rounds([*contenders, floor], runs).items():
        if sample.failures:
            raise Failed(f"ask, {name}: {sample.failures[0]}")
        found[name] = quantiles(sample)
    for kind in PROCESSES:
        memory = MemoryWatch(every=0.0005)
        run([workplace.arkived, "ask", of_kind(asked, kind)(0)], environment, memory=memory)
        found[kind]["peak_bytes"] = memory.peak_bytes
    return found
