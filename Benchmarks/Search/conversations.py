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
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ask_queries import MODES, ask
from full_text import FullText
from life_entries import STOP_WORDS

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
    """The same questions put to FTS5."""
    table = FullText({conversation.entry_id(turn["id"]): turn["text"] for turn in conversation.turns})
    return {
        "FTS5": shares(conversation, table.find),
        "FTS5, stop list": shares(conversation, lambda text: table.find(text, STOP_WORDS)),
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


def measure(program: str, folder: Path) -> dict[str, dict[str, float]]:
    """The figures by conversation and by kind of question, and over all."""
    # Each question: its conversation and kind, and its figure by each way of searching.
    asked: list[tuple[str, str, dict[str, float]]] = []
    for conversation in conversations(folder):
        with tempfile.TemporaryDirectory() as place:
            runs = full_text(conversation)
            runs |= arkived(program, conversation, Path(place))
        for index, question in enumerate(conversation.questions):
            asked.append(
                (conversation.name, question["kind"], {n: run[index] for n, run in runs.items()})
            )
    rows: dict[str, list[dict[str, float]]] = {}
    for conversation_name, kind, figures in asked:
        for row in (conversation_name, kind, "all questions"):
            rows.setdefault(row, []).append(figures)
    order = sorted(rows, key=lambda row: (row == "all questions", row not in {a[0] for a in asked}))
    return {
        row: {"questions": len(rows[row])}
        | {name: mean(figures[name] for figures in rows[row]) for name in asked[0][2]}
        for row in order
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    arguments = parser.parse_args()
    found = measure(arguments.program, arguments.folder)
    if arguments.json:
        print(json.dumps(found, indent=2))
        return
    names = list(found["all questions"])
    print("| evidence in the first ten | " + " | ".join(names) + " |")
    print("|---|" + "--:|" * len(names))
    for row, figures in found.items():
        cells = [str(figures["questions"])] + [f"{figures[name]:.3f}" for name in names[1:]]
        print(f"| {row} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
