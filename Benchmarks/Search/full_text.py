"""SQLite's FTS5 as the peer of ranked search: any of a query's words, ordered by bm25.

    full_text.py EXPORT RUN.jsonl [--stop-list]      the labelled queries, for judge.py

EXPORT is an `arkived export` of the labelled life. It is the least that a search has to reach.
"""

from __future__ import annotations

import argparse
import json
import re
import sqlite3
from pathlib import Path

from life_entries import STOP_WORDS, Stems, read_entries


class FullText:
    """Texts by id in a full-text table."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.ids = list(texts)
        self.db = sqlite3.connect(":memory:")
        self.db.execute(
            f"CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='{Stems.TOKENIZER}')"
        )
        self.db.executemany("INSERT INTO texts (text) VALUES (?)", [[t] for t in texts.values()])

    def find(self, query: str, stop_words: frozenset[str] = frozenset(), limit: int = 10) -> list[str]:
        """The ids of the texts that hold any word of a query, best first."""
        words = re.findall(r"\w+", query.lower())
        words = [word for word in words if word not in stop_words] or words
        rows = self.db.execute(
            "SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts), rowid LIMIT ?",
            (" OR ".join(f'"{word}"' for word in words), limit),
        )
        return [self.ids[row[0] - 1] for row in rows]


def write_run(export: Path, run: Path, stop_words: frozenset[str]) -> None:
    table = FullText({id: entry.searched for id, entry in read_entries(export).items()})
    queries = (Path(__file__).parent / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    with run.open("w", encoding="utf-8") as out:
        for query in map(json.loads, queries):
            found = table.find(query["query"], stop_words)
            out.write(json.dumps({"id": query["id"], "results": found}) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("export", type=Path)
    parser.add_argument("run", type=Path)
    parser.add_argument("--stop-list", action="store_true")
    arguments = parser.parse_args()
    write_run(
        arguments.export, arguments.run, STOP_WORDS if arguments.stop_list else frozenset()
    )


if __name__ == "__main__":
    main()
