#!/usr/bin/env python3
"""Computes the answers of the questions from an export, by the predicates in `families/`.

    oracle.py LIFE.jsonl                 writes questions.jsonl
    oracle.py LIFE.jsonl --show FORM     shows what each question of a form (or with an id) takes
    oracle.py LIFE.jsonl --more          writes more_questions.jsonl
    oracle.py STRANGER.jsonl --stranger  writes stranger_questions.jsonl
    oracle.py TIMELINE.jsonl --timeline  writes timeline_questions.jsonl
    oracle.py LIFE.jsonl --fresh         writes fresh_questions.jsonl
    oracle.py TIMELINE.jsonl --unseen    writes unseen_questions.jsonl
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from life import Entry, Life, days_of

NOW = "2026-01-01T09:00:00Z"
Answer = dict[str, Any]


def ids(entries: list[Entry]) -> list[str]:
    return [e.id for e in entries]


class Book:
    """Collects questions; the methods with one letter build answers."""

    def __init__(self, life: Life) -> None:
        self.life = life
        self.items: list[dict[str, Any]] = []

    def q(self, kind: str, form: str, question: str, answer: Answer, *accept: Answer, now=NOW):
        self.items.append(
            {
                "kind": kind, "form": form, "question": question, "now": now,
                "answer": answer, "accept": [a for a in accept if a != answer],
            }
        )

    # Answers

    def num(self, value: float, unit: str | None = None, entries: list[Entry] = (), **more) -> Answer:
        return {"type": "number", "values": [value], "unit": unit, "ids": ids(entries), **more}

    def count(self, entries: list[Entry], unit: str = "entries") -> Answer:
        return self.num(len(entries), unit, entries, of="entries")

    def countdays(self, entries: list[Entry]) -> Answer:
        days = days_of(entries)
        return self.num(len(days), "days", entries, of="days", days=days)

    def nums(self, values: list[float], unit: str | None, labels: list[str], entries=()) -> Answer:
        return {
            "type": "numbers", "values": values, "unit": unit, "labels": labels, "ids": ids(entries)
        }

    def names(self, names: list, entries: list[Entry] = (), optional: list = (), **more) -> Answer:
        """The set of names; each a string or the list of its spellings."""
        return {
            "type": "names",
            "values": [n if isinstance(n, str) else n[0] for n in names],
            "names": [[n] if isinstance(n, str) else list(n) for n in names],
            "optional": [[n] if isinstance(n, str) else list(n) for n in optional],
            "ids": ids(entries), **more,
        }

    def people(self, people: list[str], entries: list[Entry] = (), optional: list[str] = ()) -> Answer:
        spell = self.life.spellings
        return {**self.names([spell(p) for p in people], entries, [spell(p) for p in optional]), "people": True}

    def dates(self, days: list[str], entries: list[Entry] = (), **more) -> Answer:
        return {"type": "dates", "values": days, "ids": ids(entries), **more}

    def entry(self, entries: list[Entry], value=None, unit=None, names: list = ()) -> Answer:
        """One entry (or equals): right by its figure, its day, or by citing it first."""
        return {
            "type": "entry", "values": [] if value is None else [value], "unit": unit,
            "days": days_of(entries), "names": [[n] if isinstance(n, str) else n for n in names],
            "ids": ids(entries),
        }

    def list(self, entries: list[Entry], optional: list[Entry] = (), atLeast: int | None = None) -> Answer:
        """Entries: all of `entries` have to be cited (or `atLeast` of them), `optional` may be."""
        more = {} if atLeast is None else {"atLeast": atLeast}
        known = {e.id for e in entries}
        return {
            "type": "ids", "values": [e.text if e.type == "activity" else e.title or e.text[:60] for e in entries],
            "ids": ids(entries), "optionalIds": [e.id for e in optional if e.id not in known], **more,
        }

    def clock(self, times: list[str], entries: list[Entry]) -> Answer:
        return {"type": "clock", "values": times, "days": days_of(entries), "ids": ids(entries)}

    def none(self) -> Answer:
        return {"type": "none", "values": [], "ids": []}

    def yes(self, entries: list[Entry], optional: list[Entry] = ()) -> Answer:
        return {
            "type": "yes", "values": ["yes"], "ids": ids(entries),
            "optionalIds": ids([e for e in optional]),
        }

    def no(self) -> Answer:
        return {"type": "no", "values": ["no"], "ids": []}

    def split(self, prefix: str) -> list[dict[str, Any]]:
        """Gives ids and the two halves: every other question of each form, in order."""
        last: dict[tuple[str, str], str] = {}
        turn: Counter[str] = Counter()
        result = []
        for number, item in enumerate(self.items, 1):
            key = (item["kind"], item["form"])
            if key in last:
                half = "tune" if last.pop(key) == "test" else "test"
            else:  # the extra question of an odd form goes to the half that the form, then the kind, is short of
                short = turn[item["form"]] or turn[item["kind"]]
                half = last[key] = "test" if short <= 0 else "tune"
            for name in (item["form"], item["kind"]):
                turn[name] += 1 if half == "test" else -1
            result.append({
                "id": f"{prefix}{number:03d}", "set": half, **item,
                "frame": "frame" in item["form"].split("-") or item["form"].startswith("timeline-") and item["kind"] != "none",
            })
        return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("life", type=Path)
    which = parser.add_mutually_exclusive_group()
    for other in ("more", "stranger", "timeline", "fresh", "unseen"):
        which.add_argument(f"--{other}", action="store_true")
    parser.add_argument("--show", metavar="FORM")
    parser.add_argument("-o", type=Path)
    arguments = parser.parse_args()
    life = Life(arguments.life)
    book = Book(life)
    if arguments.stranger:
        from families import stranger
        modules = [stranger]
        prefix, out = "s", "stranger_questions.jsonl"
    elif arguments.timeline:
        from families import timeline
        modules = [timeline]
        prefix, out = "t", "timeline_questions.jsonl"
    elif arguments.fresh:
        from families import fresh_life
        modules = [fresh_life]
        prefix, out = "f", "fresh_questions.jsonl"
    elif arguments.unseen:
        from families import fresh_timeline
        modules = [fresh_timeline]
        prefix, out = "u", "unseen_questions.jsonl"
    elif arguments.more:
        from families import more
        modules = [more]
        prefix, out = "m", "more_questions.jsonl"
    else:
        from families import count, dates, extremes, lists, nothing, numbers, people, wording
        modules = [count, numbers, extremes, dates, people, lists, wording, nothing]
        prefix, out = "q", "questions.jsonl"
    for module in modules:
        module.add(book, life)
    items = book.split(prefix)
    if arguments.fresh or arguments.unseen:
        items = [{**item, "set": "test"} for item in items]
    names = [i["question"] for i in items]
    for name, n in Counter(names).items():
        if n > 1:
            raise SystemExit(f"asked twice: {name}")
    if arguments.show:
        show(life, items, arguments.show)
        return
    target = arguments.o or Path(__file__).parent / out
    target.write_text("".join(json.dumps(i, ensure_ascii=False) + "\n" for i in items), encoding="utf-8")
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for i in items:
        table[i["kind"]][i["set"]] += 1
    for kind, halves in table.items():
        print(f"{kind:10}{sum(halves.values()):5}{halves['tune']:5}{halves['test']:5}")
    print(f"{'':10}{len(items):5}")


def show(life: Life, items: list[dict[str, Any]], form: str) -> None:
    entries = {e.id: e for e in [*life.acts, *life.days]}
    for i in items:
        if form not in (i["id"], i["form"], i["kind"], "all"):
            continue
        print(f"{i['id']} [{i['kind']}/{i['form']}] {i['question']}")
        for label, a in [("=", i["answer"]), *(("|", b) for b in i["accept"])]:
            values = a.get("names") or a["values"]
            print(f"   {label} {a['type']} {str(values)[:400]} {a.get('unit') or ''} ({len(a['ids'])})")
        cited = [entries[id] for id in i["answer"]["ids"] if id in entries]
        texts = Counter(e.text.replace("\n", " / ")[:80] for e in cited)
        print("      ", "; ".join(f"{t}×{n}" if n > 1 else t for t, n in texts.most_common(14))[:600])


if __name__ == "__main__":
    main()
