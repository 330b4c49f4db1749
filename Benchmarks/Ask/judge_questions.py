#!/usr/bin/env python3
"""Asks questions that strangers wrote about a life of theirs, and judges what is told.

    judge_questions.py FOLDER --program arkived [--reader grammar|taught|both] [--model FOLDER] [--show]

FOLDER has life.jsonl and questions.jsonl; README.md beside them says what a gold answer holds. An answer
is right where sentence and values hold all that the gold demands: any of the numbers within the tolerance
("all" of them where the note says so), all dates, all names; or where an unanswerable question is refused.
`none` says that it found nothing, `signed` is wrong with a sign, WRONG without. With --model, the folder
of an embedding model, questions find entries by meaning too. about.json in FOLDER sets zone and now.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

UNITS = [1, 60, 1 / 60, 1 / 24, 24, 1 / 7, 7]


def numbers(text: str) -> list[float]:
    return [float(n.replace(",", "")) for n in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


def told(body: dict) -> str:
    return " ".join([body.get("answer") or "", json.dumps(body.get("values"), ensure_ascii=False),
                     json.dumps(body.get("labels"), ensure_ascii=False)])


def right(gold: dict, body: dict) -> bool:
    kind, text = body.get("kind", "none"), told(body)
    if gold.get("refuse"):
        return kind == "none"
    if kind == "none":
        return 0 in gold.get("nums", []) or bool(gold.get("no"))
    if gold.get("yes") and not re.match(r"(yes|ja)\b", text, re.I):
        return False
    if gold.get("no") and not re.match(r"(no|nein)\b", text, re.I):
        return False
    if "nums" in gold:
        found = numbers(text)
        tolerance = gold.get("tol", 0)
        hits = [any(abs(f - n) <= tolerance * max(1, abs(n)) for f in found) for n in gold["nums"]]
        if not (all(hits) if "note" in gold and "both" in gold["note"] else any(hits)):
            return False
    days = {c.get("dayKey") for c in body.get("citations", [])}
    for day in gold.get("dates", []):
        if day not in text and not (len(days) == 1 and day in days):
            return False
    for pattern in gold.get("names", []):
        if not re.search(pattern, text, re.I):
            return False
    if "any" in gold and not any(re.search(p, text, re.I) for p in gold["any"]):
        return False
    if "alt" in gold and not any(k in gold for k in ("nums", "dates", "names", "any", "yes", "no")):
        return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--program", default="arkived")
    parser.add_argument("--reader", default="both")
    parser.add_argument("--zone")
    parser.add_argument("--now")
    parser.add_argument("--model", default="/nonexistent")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    about = {"zone": "Europe/London", "now": "2026-03-15T12:00:00Z"}
    if (options.folder / "about.json").exists():
        about |= json.loads((options.folder / "about.json").read_text())
    environment = os.environ | {"ARKIVED_TIME_ZONE": options.zone or about["zone"],
                                "ARKIVED_NOW": options.now or about["now"],
                                "ARKIVED_READER": options.reader, "ARKIVED_MODEL": options.model}
    counts: dict[str, Counter] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as archive:
        def run(*arguments: str, language: str = "en") -> subprocess.CompletedProcess:
            return subprocess.run([options.program, "--archive", archive, *arguments],
                                  env=environment | {"ARKIVED_LANGUAGE": language},
                                  capture_output=True, text=True, timeout=600)
        done = run("import", str(options.folder / "life.jsonl"))
        assert done.returncode == 0, done.stderr + done.stdout
        if Path(options.model).exists():
            done = run("index")
            assert done.returncode == 0, done.stderr + done.stdout
        for line in (options.folder / "questions.jsonl").read_text().splitlines():
            question = json.loads(line)
            answer = run("ask", "--json", "--plain", "--", question["question"],
                         language=question["language"])
            try:
                body = json.loads(answer.stdout)
            except ValueError:
                body = {"kind": "error", "answer": answer.stderr}
            gold = question["gold"]
            verdict = ("right" if right(gold, body) else "none" if body.get("kind") == "none"
                       else "signed" if body.get("ignored") else "WRONG")
            kind = "unanswerable" if gold.get("refuse") else "answerable"
            counts[f"{question['language']} {kind}"][verdict] += 1
            counts["style " + question["style"]][verdict] += 1
            if options.show and verdict != "right":
                print(f"{verdict}: {question['question']}\n    {body.get('answer')}\n    gold: {gold.get('answer', 'to be refused')}")
    for name, verdicts in sorted(counts.items()):
        total = sum(verdicts.values())
        print(f"{options.reader} {name}: {verdicts['right']} of {total} right; {dict(verdicts)}")


if __name__ == "__main__":
    main()
