#!/usr/bin/env python3
"""Writes the blind questions: predicates over texts, fields and events, with their answers.

    make_blind.py life LIFE.jsonl            writes blind_life.jsonl
    make_blind.py timeline TIMELINE.jsonl    writes blind_timeline.jsonl
    make_blind.py stranger STRANGER.jsonl    writes blind_stranger.jsonl
    make_blind.py life LIFE.jsonl --second   writes blind2_life.jsonl, and so with the others
    make_blind.py life LIFE.jsonl --show all shows what each question takes

The predicates are in blind_life.py, blind_timeline.py and blind_stranger.py, those of the second sets
in blind2_life.py and so on. The events of the timeline and of the stranger are read from the
`_truth.jsonl` beside the entries. All questions are of the set `test`.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import blind2_life
import blind2_stranger
import blind2_timeline
import blind_life
import blind_stranger
import blind_timeline
from life import Life
from oracle import Book, show

# Of each set: how its files begin, how its ids begin, and where its predicates are.
FIRST = (
    "blind",
    {"life": "bl", "timeline": "bt", "stranger": "bs"},
    {"life": blind_life, "timeline": blind_timeline, "stranger": blind_stranger},
)
SECOND = (
    "blind2",
    {"life": "cl", "timeline": "ct", "stranger": "cs"},
    {"life": blind2_life, "timeline": blind2_timeline, "stranger": blind2_stranger},
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=FIRST[1])
    parser.add_argument("entries", type=Path)
    parser.add_argument("--second", action="store_true", help="the second blind set")
    parser.add_argument("--show", metavar="FORM")
    parser.add_argument("-o", type=Path)
    arguments = parser.parse_args()
    life = Life(arguments.entries)
    book = Book(life)
    truth = arguments.entries.with_name(arguments.entries.stem + "_truth.jsonl")
    name, prefixes, modules = SECOND if arguments.second else FIRST
    if arguments.part == "life":
        modules["life"].add(book, life)
    else:
        modules[arguments.part].add(book, life, truth)
    items = [{**item, "set": "test"} for item in book.split(prefixes[arguments.part])]
    for question, times in Counter(i["question"].casefold() for i in items).items():
        if times > 1:
            raise SystemExit(f"asked twice: {question}")
    if arguments.show:
        show(life, items, arguments.show)
        return
    target = arguments.o or Path(__file__).parent / f"{name}_{arguments.part}.jsonl"
    lines = (json.dumps(item, ensure_ascii=False) + "\n" for item in items)
    target.write_text("".join(lines), encoding="utf-8")
    for kind, number in Counter(i["kind"] for i in items).items():
        print(f"{kind:10}{number:5}")
    print(f"{'':10}{len(items):5}")


if __name__ == "__main__":
    main()
