#!/usr/bin/env python3
"""Asks a running Arkived the labelled questions and counts the right answers.

    judge_ask.py --program arkived --archive life                 asks questions.jsonl, prints tables
    judge_ask.py --program arkived --archive life --set tune --show-wrong
    judge_ask.py --program arkived --archive stranger --questions stranger_questions.jsonl --zone Europe/London

An answer is right when it agrees with the label or with one of its accepted readings:

- numbers: within 0.5 % or right as rounded, converted between units; whole numbers exactly
- names: the same set, without regard to case and accents, each in any of its spellings
- days: the same days, or the last of them with all cited; a stay by its first and last day
- lists: all entries of the label cited (or its names given), and nothing cited beyond what it allows
- first, last, longest: the figure, the day, or the entry cited first
- none: kind none and nothing cited

What is not right is `none` (it says it found nothing), `signed` (wrong, but `ignored` names what was
not used) or `WRONG` (wrong without such a sign). The kind told by the answer is not judged.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
import unicodedata
import urllib.error
import urllib.request
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

UNITS = {
    "length": {"km": 1, "kilometre": 1, "kilometer": 1, "m": 0.001, "metre": 0.001, "meter": 0.001,
               "mi": 1.609344, "mile": 1.609344},
    "time": {"minute": 1, "min": 1, "hour": 60, "h": 60, "hr": 60, "second": 1 / 60, "s": 1 / 60},
    "mass": {"kg": 1, "kilogram": 1, "kilo": 1, "lb": 0.45359237, "pound": 0.45359237, "g": 0.001},
    "span": {"day": 1, "night": 1, "week": 7},
}
DAY = re.compile(r"\d{4}-\d\d-\d\d")


def fold(text: Any) -> str:
    text = unicodedata.normalize("NFD", str(text).casefold().replace("ı", "i").replace("’", "'"))
    text = "".join(c for c in text if not unicodedata.combining(c))
    return " ".join(re.findall(r"\w+", text))


def unit(name: str | None) -> tuple[str, float] | None:
    if not name:
        return None
    word = name.casefold().strip().split(" ")[0].split("/")[0]
    for dimension, members in UNITS.items():
        for form in (word, word.removesuffix("s"), word.removesuffix("es")):
            if form in members:
                return dimension, members[form]
    return None


def number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, dict):
        return next((number(value[k]) for k in ("value", "count", "amount") if k in value), None)
    match = re.fullmatch(r"\s*(-?[\d,]*\.?\d+)(?:\s+[^\d]{1,20})?\s*", str(value))
    return float(match[1].replace(",", "")) if match else None


def words(value: Any) -> str:
    if isinstance(value, dict):
        return str(next((value[k] for k in ("name", "text", "label", "title", "day") if k in value), value))
    return str(value)


def same(expected: float, want: str | None, given: float, have: str | None, exact: bool) -> bool:
    a, b = unit(want), unit(have)
    if a and b:
        if a[0] != b[0]:
            return False
        given = given * b[1] / a[1]
        if a[1] == b[1] and exact:
            return given == expected
    elif a and not b and have not in (None, "", want) and a[0] != "span":
        return False
    if exact and not (a and b and a[1] != b[1]):
        return given == expected
    if abs(given - expected) <= 0.005 * abs(expected) + 1e-9:
        return True
    raw = given if not (a and b) else given * a[1] / b[1]
    places = len(str(raw).split(".")[1]) if "." in str(raw) and not str(raw).endswith(".0") else 0
    scaled = expected if not (a and b) else expected * a[1] / b[1]
    return places >= 1 and abs(raw - scaled) <= 0.5 * 10**-places + 1e-9


def named(value: str, spellings: list[str], people: bool, brief: bool = False) -> bool:
    """Whether a value names one of the spellings; if `brief`, it may hold little else."""
    value = fold(value)
    for position, spelling in enumerate(spellings):
        spelling = fold(spelling)
        if not spelling:
            continue
        if value == spelling:
            return True
        if brief and len(value.split()) > len(spelling.split()) + 3:
            continue
        # A first name inside a longer one could be somebody else's.
        if people and position > 0 and len(value.split()) < 3:
            continue
        if f" {spelling} " in f" {value} ":
            return True
    return False


# Answers come in the language of their question, and the labels of the German sets are English.
GERMAN = dict(zip(
    "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag Januar Februar März Mai Juni Juli Oktober "
    "Dezember".split(),
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March May June July October "
    "December".split()))


def in_english(value: Any) -> Any:
    return GERMAN.get(value, value) if isinstance(value, str) else value


class Response:
    def __init__(self, body: dict[str, Any]) -> None:
        self.body = body
        self.kind = body.get("kind", "none")
        self.values = [in_english(value) for value in body.get("values") or []]
        self.labels = [in_english(label) for label in body.get("labels") or []]
        self.unit = body.get("unit")
        self.answer = re.sub(r"^(Ja|Nein)\b", lambda m: {"Ja": "Yes", "Nein": "No"}[m[1]], body.get("answer") or "")
        self.cited = [c["id"] for c in body.get("citations") or []]
        self.days = [c.get("dayKey") for c in body.get("citations") or []]
        self.ignored = body.get("ignored") or []

    @property
    def numbers(self) -> list[float]:
        return [n for v in self.values if (n := number(v)) is not None]

    @property
    def strings(self) -> list[str]:
        values = [words(v) for v in self.values if number(v) is None]
        if not values and self.numbers and self.labels:
            ranked = [str(x) for x in self.labels if number(x) is None or re.fullmatch(r"\d{4}", str(x))]
            if len(ranked) == len(self.numbers):  # a table: as ranked, or the largest first
                order = range(len(ranked))
                if self.kind != "most":
                    order = sorted(order, key=lambda i: -self.numbers[i])
                return [ranked[i] for i in order]
            return ranked
        return values or [str(v) for v in self.values]

    def dates(self) -> list[str]:
        for source in (self.values, self.labels):
            found = [m[0] for v in source if (m := DAY.match(words(v)))]
            if found:
                return found
        return [d for d in self.days if d]


def right(want: dict[str, Any], got: Response, kind: str) -> bool:
    type = want["type"]
    if type == "none":
        return got.kind == "none" and not got.cited
    if type == "no":
        said = fold(got.answer).startswith("no ") or fold(got.answer) == "no"
        zero = got.numbers[:1] == [0.0] or [fold(v) for v in got.values] in (["no"], ["false"])
        return not got.cited and (got.kind == "none" or said or zero)
    if got.kind == "none":
        # A count of nothing may be told as finding nothing.
        return type == "number" and want["values"] == [0]
    ids, allowed = set(want["ids"]), set(want["ids"]) | set(want.get("optionalIds", []))
    cited = set(got.cited)
    match type:
        case "yes":
            return bool(cited & ids) and (cited <= allowed or fold(got.answer).startswith("yes"))
        case "number":
            whole = bool(got.numbers) and got.numbers[0] == int(got.numbers[0]) and want["values"][0] == int(want["values"][0])
            exact = kind != "average" and (want["unit"] in COUNTED or bool(want.get("of")) or whole)
            return bool(got.numbers) and same(want["values"][0], want["unit"], got.numbers[0], got.unit, exact)
        case "numbers":
            expected = sorted(v for v in want["values"] if v)
            given = sorted(v for v in got.numbers if v)
            return len(expected) == len(given) and all(
                same(e, want["unit"], g, got.unit, False) for e, g in zip(expected, given)
            )
        case "compare":
            e, g = want["values"], got.numbers
            return len(g) >= 2 and any(
                all(same(x, want["unit"], y, got.unit, False) for x, y in zip(e, pair))
                for pair in (g[:2], g[1::-1])
            )
        case "clock":
            return any(t in f"{v}" for t in want["values"] for v in [*got.values, *got.labels, got.answer])
        case "dates":
            given, expected = sorted(set(got.dates())), want["values"]
            if not want.get("span"):
                # "When did I …?" may be told by the last time, if the others are cited too.
                newest = got.kind == "last" and given == [max(expected)] and set(expected) <= set(got.days)
                return given == sorted(expected) or newest
            if not given:
                return False
            slack = want["slack"]
            first = abs(days(given[0], want["from"])) <= slack
            return first and (len(given) == 1 or abs(days(given[-1], want["to"])) <= slack)
        case "entry":
            if want["values"] and got.numbers and same(
                want["values"][0], want["unit"], got.numbers[0], got.unit, want["unit"] == "days"
            ):
                return True
            told = [m[0] for v in got.values[:1] if (m := DAY.match(words(v)))]
            if told:
                return told[0] in want["days"]
            if got.cited and got.cited[0] in ids and got.kind in ("first", "last", "longest", "most"):
                return True
            return bool(got.labels) and str(got.labels[0])[:10] in want["days"] and len(got.values) == 1
        case "names":
            if names(want, got, brief=kind != "list"):
                return kind != "list" or not ids or cited <= allowed
            return kind == "list" and bool(ids) and ids <= cited <= allowed
        case "ids":
            enough = want.get("atLeast", len(ids))
            return len(cited & ids) >= enough and cited <= allowed
    raise ValueError(type)


COUNTED = {"entries", "days", "people", "times", "pies", "seedlings", "messages", "films", "calls", "postcards", "steps", "nights"}


def names(want: dict[str, Any], got: Response, brief: bool) -> bool:
    people = want.get("people", False)
    values = got.strings
    if not values:
        return False

    def is_one(value: str, among: list[list[str]]) -> bool:
        return any(named(value, n, people, brief) for n in among)

    expected, optional = want["names"], want.get("optional", [])
    if top := want.get("top"):
        head = values[:top]
        if got.kind == "list" and not all(fold(v) in {fold(s) for n in expected + optional for s in n} for v in head):
            return False  # entries that happen to begin with the right one rank nothing
        sure = [any(is_one(v, [n]) for v in head) for n in expected]
        clean = all(is_one(v, expected + optional) for v in head)
        if top == 1:
            return clean and (any(sure) if want.get("anyOf") else all(sure))
        return clean and all(sure)
    covered = all(any(is_one(v, [n]) for v in values) for n in expected)
    clean = all(is_one(v, expected + optional) for v in values)
    return covered and clean


def days(a: str, b: str) -> int:
    import datetime as dt
    return (dt.date.fromisoformat(a) - dt.date.fromisoformat(b)).days


def verdict(question: dict[str, Any], got: Response) -> str:
    kind = question["kind"]
    if any(right(a, got, kind) for a in [question["answer"], *question["accept"]]):
        return "right"
    if got.kind == "none" and not got.cited:
        return "none"
    return "signed" if got.ignored else "WRONG"


def echo(answer: dict[str, Any], wrong: bool) -> Response:
    """The answer that a label describes, or one that is off by a little."""
    values, kind = list(answer["values"]), "list"
    cited = [{"id": i, "dayKey": None} for i in answer["ids"]]
    match answer["type"]:
        case "none" | "no":
            return Response({"kind": "count", "values": [3], "citations": [{"id": "x"}]} if wrong else {"kind": "none"})
        case "number" | "numbers" | "compare":
            values = [v + 1 if v == int(v) and v < 200 else v * 1.02 for v in values] if wrong else values
        case "entry":
            kind = "last"
            values = ["1999-01-01"] if wrong else values or answer["days"][:1]
            cited = [{"id": "x", "dayKey": None}] if wrong else cited
        case "ids" | "yes":
            cited = [*cited, {"id": "x", "dayKey": None}] if wrong else cited
        case "dates" if answer.get("span"):
            values = ["1999-01-01"] if wrong else [answer["from"], answer["to"]]
        case "dates":
            values = [*values, "1999-01-01"] if wrong else values
        case "clock":
            values = ["00:00"] if wrong else values
        case _:
            values = [*values, "Nobody Else"] if wrong and not answer.get("top") else ["Nobody Else"] if wrong else values
            cited = [{"id": "x", "dayKey": None}] if wrong else cited
    return Response({"kind": kind, "values": values, "unit": answer.get("unit"), "citations": cited})


def self_check(questions: list[dict[str, Any]]) -> None:
    """Every label has to be right by itself, and not when it is off by a little."""
    faults = 0
    for q in questions:
        for wrong in (False, True):
            if right(q["answer"], echo(q["answer"], wrong), q["kind"]) == wrong:
                faults += 1
                print(q["id"], "wrong is taken as right" if wrong else "right is not taken", q["question"], q["answer"]["values"])
    print(f"{len(questions)} labels, {faults} faults")


class Server:
    def __init__(self, program: str, archive: str, zone: str, language: str) -> None:
        self.env = {
            **os.environ, "ARKIVED_TIME_ZONE": zone, "ARKIVED_NOW": "2026-01-01T09:00:00Z",
            "ARKIVED_MODEL": "/nonexistent", "ARKIVED_LANGUAGE": language,
        }
        self.process = subprocess.Popen(
            [program, "serve", "--archive", archive, "--port", "0", "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=self.env,
        )
        self.address = json.loads(self.process.stdout.readline())

    def ask(self, question: str, now: str) -> dict[str, Any]:
        request = urllib.request.Request(
            self.address["url"].rstrip("/") + "/api/v1/ask",
            data=json.dumps({"question": question, "now": now}).encode(),
            headers={"Authorization": f"Bearer {self.address['token']}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


class Standalone:
    """Asks the program that reads questions as JSON lines, all at once."""

    def __init__(self, program: str, export: str, zone: str, language: str, questions: list[dict[str, Any]]) -> None:
        lines = "".join(json.dumps({k: q[k] for k in ("id", "question", "now")}) + "\n" for q in questions)
        run = subprocess.run([program, export, zone, language], input=lines, capture_output=True, text=True, check=True)
        self.rows = [json.loads(line) for line in run.stdout.splitlines()]
        assert len(self.rows) == len(questions)
        self.times: list[float] = []

    def ask(self, question: str, now: str) -> dict[str, Any]:
        row = self.rows.pop(0)
        self.times.append(row["ms"])
        return row["response"]

    def stop(self) -> None:
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = Path(__file__).parent
    parser.add_argument("--program", default="arkived")
    parser.add_argument("--archive")
    parser.add_argument("--reader", nargs=2, metavar=("PROGRAM", "EXPORT"), help="measure-ask and an export as JSON Lines, instead of a server")
    parser.add_argument("--self-check", action="store_true", help="only check the labels and this judge")
    parser.add_argument("--questions", type=Path, help="questions.jsonl; the self-check takes all sets")
    parser.add_argument("--zone", default="Europe/Berlin")
    parser.add_argument("--language", default="en", help="of the archive's owner: de for german_life.jsonl")
    parser.add_argument("--set", choices=["tune", "test", "all"], default="all")
    parser.add_argument("--only", metavar="KIND|FORM|ID", help="only questions of a kind or form, or one id")
    parser.add_argument("--show-wrong", action="store_true", help="show what was told and what is right")
    parser.add_argument("--json", type=Path, help="write each question's verdict and answer there")
    arguments = parser.parse_args()
    files = [arguments.questions or here / "questions.jsonl"]
    if arguments.self_check and not arguments.questions:
        files = sorted([*here.glob("*questions.jsonl"), *here.glob("blind*_*.jsonl"), *here.glob("german_*.jsonl")])
    questions = [json.loads(x) for file in files for x in file.read_text(encoding="utf-8").splitlines() if x]
    questions = [
        q for q in questions
        if arguments.set in ("all", q["set"])
        and arguments.only in (None, q["id"], q["kind"], q["form"])
    ]
    if arguments.self_check:
        self_check(questions)
        return
    if arguments.reader:
        server = Standalone(*arguments.reader, arguments.zone, arguments.language, questions)
    elif not arguments.archive:
        parser.error("--archive is needed")
    else:
        server = Server(arguments.program, arguments.archive, arguments.zone, arguments.language)
    times: list[float] = []
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    log = []
    try:
        for q in questions:
            begin = time.monotonic()
            try:
                body = server.ask(q["question"], q["now"])
            except urllib.error.HTTPError as problem:
                body = {"kind": "error", "answer": f"{problem.code} {problem.read()[:200]!r}", "ignored": []}
            times.append(server.times.pop(0) if arguments.reader else (time.monotonic() - begin) * 1e3)
            got = Response(body)
            found = verdict(q, got)
            kinds[q["kind"]][found] += 1
            forms[q["form"]][found] += 1
            if q.get("frame"):
                kinds["~ frames, of these"][found] += 1
            log.append({"id": q["id"], "verdict": found, "response": body})
            if arguments.show_wrong and found != "right":
                show(q, got, found)
    finally:
        server.stop()
    for title, rows in (("kind", kinds), ("form", forms)):
        table(title, rows)
    total = sum((c for k, c in kinds.items() if not k.startswith("~")), Counter())
    table("all", {"all": total})
    times.sort()
    print(f"\np50 {times[len(times) // 2]:.1f} ms   p99 {times[min(len(times) - 1, len(times) * 99 // 100)]:.1f} ms")
    if arguments.json:
        arguments.json.write_text("".join(json.dumps(x, ensure_ascii=False) + "\n" for x in log))


def table(title: str, rows: dict[str, Counter[str]]) -> None:
    print(f"\n{title:24}{'asked':>6}{'right':>7}{'%':>5}{'signed':>8}{'WRONG':>7}{'none':>6}")
    for name in sorted(rows):
        c = rows[name]
        n = sum(c.values())
        print(f"{name:24}{n:6}{c['right']:7}{100 * c['right'] / n:5.0f}{c['signed']:8}{c['WRONG']:7}{c['none']:6}")


def show(q: dict[str, Any], got: Response, found: str) -> None:
    print(f"\n{q['id']} {found} [{q['kind']}/{q['form']}] {q['question']}")
    print(f"   told  {got.kind} {str(got.values)[:160]} {got.unit or ''} | {got.answer[:200]}")
    if got.ignored:
        print(f"   ignored {got.ignored}")
    for a in [q["answer"], *q["accept"]][:3]:
        more = ""
        if a["type"] == "ids" or (a["type"] == "names" and q["kind"] == "list" and a["ids"]):
            missing = len(set(a["ids"]) - set(got.cited))
            extra = len(set(got.cited) - set(a["ids"]) - set(a.get("optionalIds", [])))
            more = f" (cited: {missing} missing, {extra} too many)"
        print(f"   right {a['type']} {str(a['values'])[:160]} {a.get('unit') or ''}{a.get('days') or '' if a['type'] == 'entry' else ''}{more}")


if __name__ == "__main__":
    main()
