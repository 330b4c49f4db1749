"""Turns the judgements into labels: `make_labels.py EXPORT` reads `judgements/*.txt` and writes
`queries.jsonl`.

A judgement names what answers a query by patterns, so that every entry with such a text is found:

    ## paraphrase                       the kind of the queries that follow
    ? feeling down || a note            a query
    3 cried on the way home             grade 3 (the answer), 2 (good) or 1 (of some use): a pattern
    2 howled @type=day @on=2018         with conditions: type, on (a date or range), tag, with, at
    - cried with laughter               leaves entries out

A pattern is a regular expression, sought without regard to case in an entry's title and text; `*`
stands for any. Conditions after it all have to hold. The highest grade wins.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from life_entries import Entry, Stems, read_entries

SEED = "arkived-search-2016"
TUNE_SHARE = 0.4
BOOK = re.compile(r'"[A-Z][^"]{3,60}[^".!?,]"')


class Rule:
    """A line of a judgement: a grade (0 leaves out), a pattern, and conditions."""

    def __init__(self, line: str) -> None:
        mark, _, rest = line.partition(" ")
        self.line = line
        self.grade = 0 if mark == "-" else int(mark)
        pattern, *conditions = re.split(r"\s@(?=\w+=)", " " + rest)
        pattern = pattern.strip()
        self.pattern = re.compile("" if pattern == "*" else pattern, re.IGNORECASE)
        self.skips_books = False
        self.conditions = [tuple(c.strip().split("=", 1)) for c in conditions]

    def matches(self, entry: Entry) -> bool:
        return (
            all(self.holds(entry, name, value) for name, value in self.conditions)
            and self.found(entry) is not None
        )

    def found(self, entry: Entry) -> re.Match[str] | None:
        """Where the pattern is met; a topic is not looked for in the titles of books."""
        text = BOOK.sub('""', entry.text) if self.skips_books else entry.text
        return self.pattern.search(text)

    @staticmethod
    def holds(entry: Entry, name: str, value: str) -> bool:
        if name == "type":
            return entry.type == value
        if name == "tag":
            return value in entry.tags
        if name == "with":
            return any(value.casefold() in person.casefold() for person in entry.people)
        if name == "at":
            return value.casefold() in entry.place.casefold()
        if name == "on":
            first, _, last = value.partition("..")
            return first <= entry.day[: len(first)] and entry.day[: len(last or first)] <= (
                last or first
            )
        raise ValueError(f"no condition is called {name}")


class Query:
    def __init__(self, kind: str, text: str, note: str, place: str) -> None:
        self.kind, self.text, self.note, self.place = kind, text, note, place
        self.rules: list[Rule] = []
        digest = hashlib.sha256(text.encode()).hexdigest()
        self.id = f"{kind}-{digest[:8]}"
        self.split = ""

    def relevant(self, entries: dict[str, Entry]) -> dict[str, int]:
        grades: dict[str, int] = {}
        for entry in entries.values():
            hits = [rule for rule in self.rules if rule.matches(entry)]
            if hits and all(rule.grade for rule in hits):
                grades[entry.id] = max(rule.grade for rule in hits)
        return grades


def read_queries(folder: Path) -> list[Query]:
    queries: list[Query] = []
    for file in sorted(folder.glob("*.txt")):
        kind = ""
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            place = f"{file.name}:{number}"
            if not line.strip():
                continue
            if line.startswith("## "):
                kind = line[3:].strip()
            elif line.startswith("? "):
                text, _, note = line[2:].partition(" || ")
                queries.append(Query(kind, text.strip(), note.strip(), place))
            elif re.match(r"[123-] ", line) and queries:
                try:
                    rule = Rule(line)
                    rule.skips_books = queries[-1].kind == "topic"
                    queries[-1].rules.append(rule)
                except re.error as problem:
                    sys.exit(f"{place}: {problem}")
            else:
                sys.exit(f"{place}: not understood: {line}")
    return queries


def share_out(queries: list[Query]) -> None:
    """Gives two of five queries of each kind to "tune", the others to "test"."""
    kinds: dict[str, list[Query]] = defaultdict(list)
    for query in queries:
        kinds[query.kind].append(query)
    for members in kinds.values():
        members.sort(key=lambda q: hashlib.sha256(f"{SEED} {q.id}".encode()).hexdigest())
        for place, query in enumerate(members):
            query.split = "tune" if place < round(len(members) * TUNE_SHARE) else "test"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("export", type=Path, help="an `arkived export` of the sample life")
    parser.add_argument("--show", metavar="PATTERN", help="list the labels of these queries")
    arguments = parser.parse_args()
    folder = Path(__file__).parent
    entries = read_entries(arguments.export)
    stems = Stems()
    of_entry = dict(zip(entries, stems.content(e.searched for e in entries.values())))
    queries = read_queries(folder / "judgements")
    share_out(queries)
    problems: list[str] = []
    lines: list[dict[str, Any]] = []
    for query in queries:
        relevant = query.relevant(entries)
        words = stems.content([query.text])[0]
        shared = Counter(stem for id in relevant for stem in words & of_entry[id])
        if not relevant:
            problems.append(f"{query.place}: nothing answers “{query.text}”")
        for rule in query.rules:
            if not any(rule.matches(e) for e in entries.values()):
                problems.append(f"{query.place}: “{query.text}”: no entry for: {rule.line}")
        if query.kind == "paraphrase" and shared:
            problems.append(f"{query.place}: “{query.text}” shares {dict(shared)}")
        if query.kind != "topic" and len(relevant) > 40:
            problems.append(f"{query.place}: “{query.text}” has {len(relevant)} answers")
        missed = [
            e for id, e in entries.items() if words and words <= of_entry[id] and id not in relevant
        ]
        if missed:
            sample = " | ".join(f"{e.day} {e.text[:90]!r}" for e in missed[:4])
            print(f"{query.place}: “{query.text}” all words in {len(missed)} others: {sample}")
        if arguments.show and re.search(arguments.show, f"{query.place} {query.kind} {query.text}"):
            print(f"\n{query.place} [{query.kind}] {query.text}  ({len(relevant)})")
            shown: dict[tuple[int, str], list[str]] = defaultdict(list)
            for id, grade in relevant.items():
                entry = entries[id]
                rule = next(r for r in query.rules if r.grade == grade and r.matches(entry))
                match = rule.found(entry)
                start, end = match.span() if match else (0, 0)
                near = entry.text[max(0, start - 30) : max(end, start) + 50]
                shown[grade, re.sub(r"\d+", "#", near[30:] if start > 30 else near)].append(
                    f"{entry.day} {entry.type[0]} {near!r} {' '.join(entry.tags)}"
                )
            for (grade, _), places in sorted(shown.items(), reverse=True):
                print(f"  {grade} ×{len(places)} {places[0]}")
        lines.append(
            {
                "id": query.id, "query": query.text, "kind": query.kind, "split": query.split,
                "shares": bool(shared), "relevant": dict(sorted(relevant.items())),
                "note": query.note,
            }
        )
    if problems:
        print(*problems, sep="\n")
    with (folder / "queries.jsonl").open("w", encoding="utf-8") as out:
        for line in lines:
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
    kinds = Counter(line["kind"] for line in lines)
    print(f"{len(lines)} queries: " + ", ".join(f"{n} {kind}" for kind, n in kinds.items()))
    print("without a shared word:", sum(not line["shares"] for line in lines))


if __name__ == "__main__":
    main()
