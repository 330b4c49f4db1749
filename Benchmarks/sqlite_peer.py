"""SQLite without Arkived: the same entries as plain rows, as the measure of what the disk and the
database allow. It is the same library, through Python's sqlite3.
"""

from __future__ import annotations

import sqlite3
import time
import uuid
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from workplace import Life

# Fourteen columns, as an activity has them.
ACTIVITIES = """
CREATE TABLE activities (
  pk INTEGER PRIMARY KEY, id TEXT NOT NULL, day_key TEXT NOT NULL, start_at INTEGER,
  end_at INTEGER, time_zone TEXT NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,
  source TEXT NOT NULL, is_pinned INTEGER NOT NULL, location_label TEXT, lat REAL, lon REAL,
  created_at INTEGER NOT NULL
) STRICT
"""
INDEXES = [
    "CREATE UNIQUE INDEX activities_by_id ON activities (id)",
    "CREATE INDEX activities_of_day ON activities (day_key, start_at)",
]
# What hangs on an activity, and the words of it.
BELONGINGS = [
    "CREATE TABLE tags (pk INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
    """CREATE TABLE activity_tags (activity_pk INTEGER NOT NULL, tag_pk INTEGER NOT NULL,
       PRIMARY KEY (activity_pk, tag_pk)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX activity_tags_of_tag ON activity_tags (tag_pk)",
    """CREATE TABLE mentions (pk INTEGER PRIMARY KEY, activity_pk INTEGER NOT NULL,
       name TEXT NOT NULL) STRICT""",
    "CREATE INDEX mentions_in_activity ON mentions (activity_pk)",
    "CREATE INDEX mentions_of_name ON mentions (name)",
    """CREATE TABLE changes (pk INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL,
       summary TEXT NOT NULL) STRICT""",
    """CREATE VIRTUAL TABLE words USING fts5 (text, names,
       tokenize = 'porter unicode61 remove_diacritics 2')""",
]
INSERT = f"INSERT INTO activities VALUES ({', '.join('?' * 14)})"
INSERT_TAG = "INSERT INTO activity_tags VALUES (?, ?)"
INSERT_MENTION = "INSERT INTO mentions (activity_pk, name) VALUES (?, ?)"
INSERT_WORDS = "INSERT INTO words (rowid, text, names) VALUES (?, ?, ?)"
INSERT_CHANGE = "INSERT INTO changes (id, at, summary) VALUES (?, ?, ?)"

# The three peers of a bulk import, from the barest to the one that keeps what Arkived keeps.
KINDS = {
    "bare": "one table of 14 columns",
    "indexed": "one table, two indexes",
    "whole": "table, indexes, tags, mentions, FTS5",
}
BATCH = 20_000


def open_database(file: Path) -> sqlite3.Connection:
    """A database with the durability of an archive: what is committed is on the disk."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


class SQLitePeer:
    """One kind of database with the entries of a life."""

    def __init__(self, file: Path, kind: str) -> None:
        self.file = file
        self.has_indexes = kind != "bare"
        self.is_whole = kind == "whole"

    def fill(self, life: Life) -> float:
        """Inserts all entries in one transaction; returns activities per second.

        Only SQLite's part is timed: reading the file and making tuples is not.
        """
        self.file.unlink(missing_ok=True)
        connection = open_database(self.file)
        connection.execute(ACTIVITIES)
        for statement in INDEXES if self.has_indexes else []:
            connection.execute(statement)
        for statement in BELONGINGS if self.is_whole else []:
            connection.execute(statement)
        tags: dict[str, int] = {}
        seconds = 0.0
        count = 0
        entries = enumerate(life.entries(), start=1)
        connection.execute("BEGIN IMMEDIATE")
        while batch := list(islice(entries, BATCH)):
            rows = [row(pk, entry) for pk, entry in batch]
            links = list(tag_links(batch, tags)) if self.is_whole else []
            mentions = [(pk, name) for pk, entry in batch for name in entry["people"]]
            words = [(pk, entry["text"], " ".join(entry["people"])) for pk, entry in batch]
            begin = time.perf_counter()
            connection.executemany(INSERT, rows)
            if self.is_whole:
                connection.executemany(INSERT_TAG, links)
                connection.executemany(INSERT_MENTION, mentions)
                connection.executemany(INSERT_WORDS, words)
            seconds += time.perf_counter() - begin
            count += len(batch)
        begin = time.perf_counter()
        connection.execute("COMMIT")
        seconds += time.perf_counter() - begin
        if self.is_whole:
            names = [(pk, name) for name, pk in tags.items()]
            connection.executemany("INSERT INTO tags VALUES (?, ?)", names)
        connection.close()
        return count / seconds


class SyncedInsert:
    """Adds one entry at a time, each flushed to the disk: one row, or everything Arkived writes."""

    def __init__(self, peer: SQLitePeer) -> None:
        self.is_whole = peer.is_whole
        self.connection = open_database(peer.file)
        # Grows the log to what it is after its first checkpoint: while it grows, flushing it also
        # flushes its new size, which takes longer.
        for statement in (
            "CREATE TABLE room (bytes BLOB)",
            "INSERT INTO room VALUES (zeroblob(6000000))",
            "DROP TABLE room",
        ):
            self.connection.execute(statement)

    def act(self, text: str, day: str, tags: list[int], people: list[str]) -> float:
        """Inserts one entry in a transaction of its own; returns the seconds it took."""
        execute = self.connection.execute
        identity, change = str(uuid.uuid4()).upper(), str(uuid.uuid4()).upper()
        now = time.time_ns() // 1_000_000
        values = (
            None, identity, day, now, None, "Europe/Berlin", "work", text, "manual", 0, None, None,
            None, now,
        )  # fmt: skip
        begin = time.perf_counter()
        execute("BEGIN IMMEDIATE")
        if self.is_whole:
            execute(INSERT_CHANGE, (change, now, f"Added “{text}”"))
        pk = execute(INSERT, values).lastrowid
        if self.is_whole:
            for tag in tags:
                execute(INSERT_TAG, (pk, tag))
            for name in people:
                execute(INSERT_MENTION, (pk, name))
            execute(INSERT_WORDS, (pk, text, " ".join(people)))
        execute("COMMIT")
        return time.perf_counter() - begin

    def close(self) -> None:
        self.connection.close()


def row(pk: int, entry: dict[str, Any]) -> tuple[Any, ...]:
    """An entry as a row of the table."""
    return (
        pk, entry["id"], entry["dayKey"], milliseconds(entry["startAt"]),
        milliseconds(entry["endAt"]), entry["timeZone"], entry["kind"], entry["text"],
        entry["source"], int(entry["isPinned"]), entry["locationLabel"], entry["lat"],
        entry["lon"], milliseconds(entry["createdAt"]),
    )  # fmt: skip


def milliseconds(instant: str | None) -> int | None:
    """A number in the order of the instants (`2026-03-14T09:30:00Z` as 20260314093000000)."""
    if instant is None:
        return None
    digits = "".join(character for character in instant if character.isdigit())
    return int(digits.ljust(17, "0"))


def tag_links(
    batch: Iterable[tuple[int, dict[str, Any]]], tags: dict[str, int]
) -> Iterator[tuple[int, int]]:
    for pk, entry in batch:
        for name in dict.fromkeys(entry["tags"]):
            yield pk, tags.setdefault(name, len(tags) + 1)
