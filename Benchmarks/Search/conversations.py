"""Measures how much of the labelled evidence of conversations search finds in its first ten results.

    conversations.py PROGRAM FOLDER [--json]

PROGRAM is arkived. FOLDER has a folder for each conversation with turns.jsonl (id, time, text) and
questions.jsonl (question, kind, evidence: the ids of turns). Each conversation becomes an archive of
its own, with an entry for each turn, and each question is asked in every mode. Beside it, in the same
run, SQLite's FTS5 ranks the same turns by bm25: with all words of the question joined by OR, and
without function words. The figure is the mean share of a question's evidence among the first ten.
"""

from __future__ import annotations

import argparse
import json
import re
import sqlite3
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ask_queries import MODES, ask
from life_entries import STOP_WORDS, Stems

DEPTH = 10


@dataclass
class Conversation:
    name: str
    turns: list[dict[str, Any]]
    questions: list[dict[str, Any]]

    def entry_id(self, turn: str) -> str:
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self.name}/{turn}")).upper()


def read_lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]


def conversations(folder: Path) -> list[Conversation]:
    found = [
        Conversation(
            turns.parent.name, read_lines(turns), read_lines(turns.parent / "questions.jsonl")
        )
        for turns in sorted(folder.glob("*/turns.jsonl"))
    ]
    if not found:
        sys.exit(f"{folder}: no folder in it has a turns.jsonl")
    return found


def write_export(conversation: Conversation, file: Path) -> None:
    """Writes the turns as the JSON Lines that `arkived import` reads."""
    lines: list[dict[str, Any]] = [
        {"type": "arkived", "version": 1, "exportedAt": "2026-01-01T00:00:00Z"}
    ]
    for turn in conversation.turns:
        lines.append(
            {
                "type": "activity",
                "id": conversation.entry_id(turn["id"]),
                "dayKey": turn["time"][:10],
                "startAt": turn["time"] + "Z",
                "timeZone": "UTC",
                "kind": "personal",
                "text": turn["text"],
            }
        )
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def shares(conversation: Conversation, answer: Callable[[str], list[str]]) -> list[float]:
    """The share of each question's evidence that an answer holds, an answer being entry ids."""
    result = []
    for question in conversation.questions:
        wanted = {conversation.entry_id(turn) for turn in question["evidence"]}
        found = wanted & set(answer(question["question"])[:DEPTH])
        result.append(len(found) / min(DEPTH, len(wanted)))
    return result


def full_text(conversation: Conversation) -> dict[str, list[float]]:
    """The same questions put to FTS5, with its porter stems, as an OR of the words."""
    db = sqlite3.connect(":memory:")
    db.execute(f"CREATE VIRTUAL TABLE turns USING fts5(text, tokenize='{Stems.TOKENIZER}')")
    ids = [conversation.entry_id(turn["id"]) for turn in conversation.turns]
    db.executemany("INSERT INTO turns (text) VALUES (?)", [[t["text"]] for t in conversation.turns])

    def answer(question: str, stop_words: frozenset[str]) -> list[str]:
        words = re.findall(r"\w+", question.lower())
        words = [word for word in words if word not in stop_words] or words
        rows = db.execute(
            "SELECT rowid FROM turns WHERE turns MATCH ? ORDER BY bm25(turns), rowid LIMIT ?",
            (" OR ".join(f'"{word}"' for word in words), DEPTH),
        )
        return [ids[row[0] - 1] for row in rows]

    return {
        "FTS5": shares(conversation, lambda text: answer(text, frozenset())),
        "FTS5, stop list": shares(conversation, lambda text: answer(text, STOP_WORDS)),
    }


def arkived(program: str, conversation: Conversation, folder: Path) -> dict[str, list[float]]:
    """The questions asked of a server over an archive of the turns, in each mode."""
    export, archive = folder / "turns.jsonl", folder / "archive"
    write_export(conversation, export)

    def run(*arguments: str) -> None:
        subprocess.run(
            [program, *arguments, "--archive", str(archive)],
            check=True, stdout=subprocess.DEVNULL,
        )

    run("init")
    run("import", str(export))
    run("index")
    server = subprocess.Popen(
        [program, "serve", "--archive", str(archive), "--port", "0", "--json"],
        stdout=subprocess.PIPE, text=True,
    )
    try:
        address = json.loads(server.stdout.readline())
        return {
            f"Arkived, {mode}": shares(conversation, lambda text, m=mode: ask(address, text, m))
            for mode in MODES
        }
    finally:
        server.terminate()
        server.wait()


def mean(values: Iterable[float]) -> float:
    values = list(values)
    return sum(values) / max(1, len(values))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    arguments = parser.parse_args()
    # Each question: its conversation and kind, and its figure by each way of searching.
    asked: list[tuple[str, str, dict[str, float]]] = []
    for conversation in conversations(arguments.folder):
        with tempfile.TemporaryDirectory() as folder:
            runs = full_text(conversation)
            runs |= arkived(arguments.program, conversation, Path(folder))
        for index, question in enumerate(conversation.questions):
            asked.append(
                (conversation.name, question["kind"], {n: run[index] for n, run in runs.items()})
            )
    names = list(asked[0][2])
    rows: dict[str, list[dict[str, float]]] = {}
    for conversation, kind, figures in asked:
        for row in (conversation, kind, "all questions"):
            rows.setdefault(row, []).append(figures)
    order = [row for row in rows if row != "all questions"] + ["all questions"]
    table = {row: {n: mean(f[n] for f in rows[row]) for n in names} for row in order}
    if arguments.json:
        print(json.dumps({r: {"questions": len(rows[r]), **table[r]} for r in order}, indent=2))
        return
    print("| evidence in the first ten | questions | " + " | ".join(names) + " |")
    print("|---|--:|" + "--:|" * len(names))
    for row in order:
        figures = " | ".join(f"{table[row][name]:.3f}" for name in names)
        print(f"| {row} | {len(rows[row])} | {figures} |")


if __name__ == "__main__":
    main()
