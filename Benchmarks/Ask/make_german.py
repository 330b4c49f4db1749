#!/usr/bin/env python3
"""Writes german_life.jsonl: questions in German with the answers of the English ones they stand for.

    make_german.py                  writes german_life.jsonl beside this script

The wordings are in german_wordings.py; those held out are of the set `test`. What is asked is the same, and
so are the answers, the entries that prove them and the kind; `accept` is that of the English question.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from german_wordings import HELD_OUT, TUNE

HERE = Path(__file__).resolve().parent
LABELLED = ("questions", "more_questions", "fresh_questions", "blind_life", "blind2_life")


def main() -> None:
    english = {}
    for name in LABELLED:
        for line in (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            item = json.loads(line)
            english[item["id"]] = item
    items = []
    for part, lines in (("tune", TUNE), ("test", HELD_OUT)):
        for line in lines:
            source, question = line.split("|")
            item = dict(english[source])
            item.update(id=f"de{len(items) + 1:03}", set=part, form="german-" + item["kind"], question=question)
            item["source"] = source
            items.append(item)
    for question, times in Counter(i["question"].casefold() for i in items).items():
        if times > 1:
            raise SystemExit(f"asked twice: {question}")
    text = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items)
    (HERE / "german_life.jsonl").write_text(text, encoding="utf-8")
    print(f"{len(items)} questions, {len(HELD_OUT)} of them held out")


if __name__ == "__main__":
    main()
