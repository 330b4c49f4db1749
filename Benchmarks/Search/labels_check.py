"""Checks the labels of search against an export of the sample life; ends with 1 if any is wrong.

    arkived sample --archive DIR --from 2016-01-01 --through 2025-12-31
    arkived export --archive DIR -o life.jsonl
    labels_check.py life.jsonl

Checked: every labelled id is an entry of the export; grades are 1 to 3; “shares” says truly whether
any answer has a word of the query (words as the full-text index stems them, without stop words, in
all that search looks at: text, title, place, tags, people); paraphrases share none; no query or id
comes twice; each kind has enough queries; each kind is split two to three.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from judge import read_lines
from life_entries import Stems, read_entries

AT_LEAST = {"queries": 330, "of a kind": 25, "paraphrases": 100}
# Beyond this many answers a query says too little, unless it names a topic.
TOO_BROAD = 40


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("export", type=Path)
    parser.add_argument("--queries", type=Path, default=Path(__file__).parent / "queries.jsonl")
    arguments = parser.parse_args()
    entries = read_entries(arguments.export)
    stems = Stems()
    of_entry = dict(zip(entries, stems.content(e.searched for e in entries.values())))
    problems: list[str] = []
    ids: set[str] = set()
    texts: set[str] = set()
    kinds: Counter[str] = Counter()
    tuned: Counter[str] = Counter()
    without = 0
    sizes: list[int] = []
    for place, query in read_lines(arguments.queries):
        name = f"{place}: “{query['query']}”"
        text = " ".join(query["query"].casefold().split())
        if query["id"] in ids:
            problems.append(f"{name}: its id comes twice")
        # An exact word, or a title, may be sought as a kind of its own.
        if (query["kind"], text) in texts:
            problems.append(f"{name}: comes twice")
        ids.add(query["id"])
        texts.add((query["kind"], text))
        kinds[query["kind"]] += 1
        tuned[query["kind"]] += query["split"] == "tune"
        if query["split"] not in ("tune", "test"):
            problems.append(f"{name}: its split is {query['split']}")
        relevant = query["relevant"]
        sizes.append(len(relevant))
        if not relevant:
            problems.append(f"{name}: has no answer")
        if len(relevant) > TOO_BROAD and query["kind"] != "topic":
            problems.append(f"{name}: has {len(relevant)} answers")
        strangers = [id for id in relevant if id not in entries]
        if strangers:
            problems.append(f"{name}: {len(strangers)} ids are not in the export")
        if not set(relevant.values()) <= {1, 2, 3}:
            problems.append(f"{name}: a grade is not 1, 2 or 3")
        words = stems.content([query["query"]])[0]
        if not words:
            problems.append(f"{name}: has no word but stop words")
        shared = {word for id in relevant if id in entries for word in words & of_entry[id]}
        if query["shares"] != bool(shared):
            problems.append(f"{name}: says shares = {query['shares']}, and shares {sorted(shared)}")
        if query["kind"] == "paraphrase" and shared:
            problems.append(f"{name}: is called a paraphrase and shares {shared}")
        without += not query["shares"]
    for kind, count in kinds.items():
        if count < AT_LEAST["of a kind"]:
            problems.append(f"only {count} queries of the kind {kind}")
        if tuned[kind] != round(count * 0.4):
            problems.append(f"{kind}: {tuned[kind]} of {count} queries are to tune on")
    if sum(kinds.values()) < AT_LEAST["queries"]:
        problems.append(f"only {sum(kinds.values())} queries")
    if kinds["paraphrase"] < AT_LEAST["paraphrases"]:
        problems.append(f"only {kinds['paraphrase']} paraphrases")
    for kind, count in sorted(kinds.items()):
        print(f"{kind:12}{count:>5}  tune {tuned[kind]:>3}, test {count - tuned[kind]:>3}")
    sizes.sort()
    total, tunes = len(sizes), sum(tuned.values())
    print(f"{'all':12}{total:>5}  tune {tunes:>3}, test {total - tunes:>3}")
    middle = sizes[len(sizes) // 2] if sizes else 0
    print(f"without a shared word: {without}; answers of the median query: {middle}")
    if problems:
        print(*problems, sep="\n")
        sys.exit(1)
    print("all labels hold")


if __name__ == "__main__":
    main()
