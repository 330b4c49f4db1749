#!/usr/bin/env python3
"""Writes the blind questions: predicates over texts, fields and events, with their answers.

    make_blind.py life LIFE.jsonl            writes blind_life.jsonl
    make_blind.py timeline TIMELINE.jsonl    writes blind_timeline.jsonl
    make_blind.py stranger STRANGER.jsonl    writes blind_stranger.jsonl
    make_blind.py life LIFE.jsonl --show all shows what each question takes

The predicates are in blind_life.py, blind_timeline.py and blind_stranger.py. The events of the
timeline and of the stranger are read from the `_truth.jsonl` beside the entries. All questions are of
the set `test`.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import blind_life
import blind_stranger
import blind_timeline
from life import Life
from oracle import Book, show

PREFIXES = {"life": "bl", "timeline": "bt", "stranger": "bs"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PREFIXES)
    parser.add_argument("entries", type=Path)
    parser.add_argument("--show", metavar="FORM")
    parser.add_argument("-o", type=Path)
    arguments = parser.parse_args()
    life = Life(arguments.entries)
    book = Book(life)
    truth = arguments.entries.with_name(arguments.entries.stem + "_truth.jsonl")
    match arguments.part:
        case "life":
            blind_life.add(book, life)
        case "timeline":
            blind_timeline.add(book, life, truth)
        case _:
            blind_stranger.add(book, life, truth)
    items = [{**item, "set": "test"} for item in book.split(PREFIXES[arguments.part])]
    for question, times in Counter(i["question"].casefold() for i in items).items():
        if times > 1:
            raise SystemExit(f"asked twice: {question}")
    if arguments.show:
        show(life, items, arguments.show)
        return
    target = arguments.o or Path(__file__).parent / f"blind_{arguments.part}.jsonl"
    lines = (json.dumps(item, ensure_ascii=False) + "\n" for item in items)
    target.write_text("".join(lines), encoding="utf-8")
    for kind, number in Counter(i["kind"] for i in items).items():
        print(f"{kind:10}{number:5}")
    print(f"{'':10}{len(items):5}")


if __name__ == "__main__":
    main()
