"""Judges how well runs find what the labelled queries ask for.

    judge.py words.jsonl fused.jsonl            each line {"id": query, "results": [entry, …]}
    judge.py --split tune words.jsonl           only the queries that a ranker may be tuned on

Prints recall@10 (relevant entries among the first ten, divided by ten or by how many there are if
fewer) and nDCG@10 (Järvelin and Kekäläinen, 2002; gain 2^grade − 1, discount log2(rank + 1)) for
each kind of query, for the queries that share a word with an answer and for those that share none,
over all queries, and as the mean of the kinds, which counts each kind alike.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DEPTH = 10


@dataclass
class Score:
    recall: float
    ndcg: float


def read_lines(file: Path) -> Iterable[tuple[str, dict[str, Any]]]:
    """The objects of a JSON Lines file, each with its place."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        sys.exit(f"{file}: {problem}")
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        place = f"{file}:{number}"
        try:
            item = json.loads(line)
        except json.JSONDecodeError as problem:
            sys.exit(f"{place}: {problem}")
        if not isinstance(item, dict) or not isinstance(item.get("id"), str):
            sys.exit(f"{place}: needs an object with an id")
        yield place, item


def read_queries(file: Path, split: str) -> dict[str, dict[str, Any]]:
    return {q["id"]: q for _, q in read_lines(file) if split in ("all", q["split"])}


def read_run(file: Path, known: set[str]) -> dict[str, list[str]]:
    """What a run found for each query, the best first."""
    run: dict[str, list[str]] = {}
    for place, item in read_lines(file):
        results = item.get("results")
        if not isinstance(results, list) or not all(isinstance(id, str) for id in results):
            sys.exit(f"{place}: needs results, a list of ids")
        if item["id"] not in known:
            sys.exit(f"{place}: no query has the id {item['id']}")
        if item["id"] in run:
            sys.exit(f"{place}: the query {item['id']} was answered before")
        if len(set(results)) < len(results):
            sys.exit(f"{place}: an entry is named twice")
        run[item["id"]] = results
    return run


def score(relevant: dict[str, int], results: list[str]) -> Score:
    """How well a ranking answers one query."""
    first = results[:DEPTH]
    best = sorted(relevant.values(), reverse=True)[:DEPTH]
    found = sum(id in relevant for id in first)
    return Score(
        found / min(DEPTH, len(relevant)),
        gain(relevant.get(id, 0) for id in first) / gain(best),
    )


def gain(grades: Iterable[int]) -> float:
    return sum((2**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


def mean(scores: list[Score]) -> Score:
    return Score(
        sum(s.recall for s in scores) / len(scores), sum(s.ndcg for s in scores) / len(scores)
    )


def table(
    queries: dict[str, dict[str, Any]], run: dict[str, list[str]]
) -> dict[str, tuple[int, Score]]:
    """The rows of the report: a name, how many queries, and their mean."""
    scores = {id: score(q["relevant"], run.get(id, [])) for id, q in queries.items()}
    kinds = sorted({q["kind"] for q in queries.values()})
    groups = {kind: [id for id, q in queries.items() if q["kind"] == kind] for kind in kinds}
    groups["(a shared word)"] = [id for id, q in queries.items() if q["shares"]]
    groups["(no shared word)"] = [id for id, q in queries.items() if not q["shares"]]
    groups["all queries"] = list(queries)
    rows = {
        name: (len(ids), mean([scores[id] for id in ids])) for name, ids in groups.items() if ids
    }
    rows["mean of kinds"] = (len(kinds), mean([rows[kind][1] for kind in kinds]))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", nargs="+", type=Path, help="run files, shown side by side")
    parser.add_argument("--queries", type=Path, default=Path(__file__).parent / "queries.jsonl")
    parser.add_argument("--split", choices=["tune", "test", "all"], default="all")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    arguments = parser.parse_args()
    known = {item["id"] for _, item in read_lines(arguments.queries)}
    queries = read_queries(arguments.queries, arguments.split)
    if not queries:
        sys.exit(f"{arguments.queries}: no queries in “{arguments.split}”")
    tables: dict[str, dict[str, tuple[int, Score]]] = {}
    for file in arguments.runs:
        run = read_run(file, known)
        missing = len(queries.keys() - run.keys())
        if missing:
            print(f"{file}: {missing} queries have no line and count as nothing", file=sys.stderr)
        name = file.stem if file.stem not in tables else str(file)
        tables[name] = table(queries, run)
    if arguments.json:
        print(
            json.dumps(
                {
                    name: {
                        row: {"queries": n, "recall@10": s.recall, "ndcg@10": s.ndcg}
                        for row, (n, s) in rows.items()
                    }
                    for name, rows in tables.items()
                },
                indent=2,
            )
        )
        return
    width = max(16, *(len(name) + 2 for name in tables))
    print(f"split: {arguments.split}, {len(queries)} queries")
    print(f"{'':18}{'':5}" + "".join(f"{name:>{width}}" for name in tables))
    print(f"{'':18}{'n':>5}" + f"{'R@10  nDCG@10':>{width}}" * len(tables))
    for row, (count, _) in next(iter(tables.values())).items():
        cells = (rows[row][1] for rows in tables.values())
        print(
            f"{row:18}{count:>5}"
            + "".join(f"{f'{s.recall:.3f}    {s.ndcg:.3f}':>{width}}" for s in cells)
        )


if __name__ == "__main__":
    main()
