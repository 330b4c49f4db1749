"""Judges how typed lines are read. Started by Benchmarks/QuickAdd/run.

Each line of `lines.jsonl` is added to a small archive at its moment of typing, and what was stored is compared with
what its author expected, field by field:

- `want`: the values that must be stored;
- `either`: fields with several right values, `null` or `[]` if it may also be absent;
- a field in neither must not be stored, except the end and the length that follow from the others.

Lengths may be off by less than a minute, because lines give seconds and expectations don't. Names that the program
offers as new people count as read.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

HERE = Path(__file__).resolve().parent
TARGET = 0.95
FIELDS = ["day", "start", "end", "part", "minutes", "people", "place", "tags", "measures"]
ZONES = {"en": "Europe/London", "de": "Europe/Berlin"}
# Where people write 10/9 for the tenth of September.
LOCALES = {"en": "en_GB.UTF-8", "de": "de_DE.UTF-8"}
KNOWN = ["Ann", "Tom", "Dr Patel", "Mum", "Jürgen", "Oma", "Lena"]
UNITS = {
    "£": "GBP", "€": "EUR", "$": "USD", "miles": "mi", "lb": "lb", "push-ups": "pushups",
}
# Other names for the units under which the program stores amounts.
SAME = {
    "seite": "pages", "seiten": "pages", "call": "calls", "gläser": "glasses", "wörter": "words", "bier": "beers",
    "liegestütze": "pushups", "flasche": "bottles", "flaschen": "bottles", "hm": "m ascent", "°": "degrees",
    "grad": "°c", "c": "°c", "unit": "units", "u": "units", "mmol": "mmol/l", "kmh": "km/h", "kph": "km/h",
}
TIMES = {"minutes": 1.0, "hours": 60.0, "seconds": 1 / 60}
NUMBER = 0.005


def folded(text: str) -> str:
    """Returns a name without case, accents, articles and punctuation."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"^(the|der|dem|die|das) ", "", plain.replace(".", "").replace("'s", "").strip())


class Reader:
    """The program with an archive of the seven known people."""

    def __init__(self, program: Path, folder: Path):
        self.program = program
        self.archive = folder / "archive"
        for name in KNOWN:
            self.run(["person", "create", name], "2026-01-01T08:00:00Z", "en")

    def run(self, words: list[str], now: str, language: str) -> subprocess.CompletedProcess:
        environment = dict(
            os.environ, ARKIVED_NOW=now, ARKIVED_TIME_ZONE=ZONES[language],
            ARKIVED_LANGUAGE=language, ARKIVED_HOME=str(self.archive), LC_ALL=LOCALES[language])
        return subprocess.run(
            [str(self.program), *words], env=environment, capture_output=True, text=True, timeout=60)

    def read(self, line: dict) -> dict:
        """Returns what is stored for a line, by the names of the fields."""
        moment = datetime.fromisoformat(line["now"])
        language = line["language"]
        now = moment.astimezone(ZoneInfo("UTC")).strftime("%Y-%m-%dT%H:%M:%SZ")
        done = self.run(["add", "--json", "--", line["line"]], now, language)
        if done.returncode:
            return {"refused": (done.stderr or done.stdout).strip()}
        answer = json.loads(done.stdout)
        entry = answer["created"]
        zone = ZoneInfo(entry["timeZone"])

        def clock(name: str) -> datetime | None:
            text = entry.get(name)
            return text and datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(zone)

        start, end = clock("startAt"), clock("endAt")
        part = entry.get("dayPeriod")
        measures = dict(entry["measurements"])
        minutes = sum(measures.pop(name, 0) * factor for name, factor in TIMES.items()) or None
        minutes = entry["durationMinutes"] or minutes
        if minutes is None and start and end and not part:
            minutes = (end - start).total_seconds() / 60
        found = {
            "day": entry["dayKey"], "part": part, "minutes": minutes, "place": entry["locationLabel"],
            "people": entry["people"] + answer["suggestedPeople"],
            "tags": entry["tags"],
            "measures": [{"value": value, "unit": UNITS.get(unit, unit)}
                         for unit, value in measures.items()],
        }
        if not part:
            found["start"] = start and start.strftime("%H:%M")
            found["end"] = end and end.strftime("%H:%M")
        return found


def unit(name: str | None) -> str:
    """Returns the name under which the program stores amounts in a unit, in lower case."""
    lower = (name or "").lower()
    return SAME.get(lower, lower)


def same(field: str, wanted, found) -> bool:
    """Returns true if a stored value is the wanted one."""
    if wanted in (None, []) or found in (None, []):
        return wanted in (None, []) and found in (None, [])
    if field == "minutes":
        return abs(wanted - found) < 1
    if field in ("people", "tags"):
        return sorted(map(folded, wanted)) == sorted(map(folded, found))
    if field == "place":
        return folded(wanted) == folded(found)
    if field == "measures":
        rest = list(found)
        for one in wanted:
            match = next((other for other in rest if unit(other["unit"]) == unit(one["unit"])
                          and abs(other["value"] - one["value"]) < NUMBER), None)
            if match is None:
                return False
            rest.remove(match)
        return not rest
    return wanted == found


def judge(line: dict, found: dict) -> dict[str, tuple]:
    """Returns the wrong fields of a line, each with what was wanted and what was found."""
    if "refused" in found:
        return {"refused": (line["want"], found["refused"])}
    want, either = line["want"], line.get("either", {})
    wrong = {}
    for field in FIELDS:
        value = found.get(field)
        if field in want or field in either:
            right = ([want[field]] if field in want else []) + either.get(field, [])
        else:
            right = [None]
            has_start = found.get("start") is not None
            if field == "end" and has_start and found.get("minutes") is not None:
                # The end follows from the start and the length.
                continue
            if field == "minutes" and has_start and found.get("end") is not None:
                continue
        if not any(same(field, one, value) for one in right):
            wrong[field] = (right[0] if len(right) == 1 else right, value)
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True, help="the program to judge")
    parser.add_argument("--lines", type=Path, default=HERE / "lines.jsonl", help="the lines")
    parser.add_argument("--only", nargs="*", help="the IDs of the lines to judge")
    parser.add_argument("--results", type=Path, help="write the table to this file")
    options = parser.parse_args()
    lines = [json.loads(text) for text in options.lines.read_text().splitlines() if text.strip()]
    if options.only:
        lines = [line for line in lines if line["id"] in options.only]
    wrong_by_field = dict.fromkeys(FIELDS + ["refused"], 0)
    told = dict.fromkeys(FIELDS, 0)
    right = {"en": 0, "de": 0}
    of = {"en": 0, "de": 0}
    with tempfile.TemporaryDirectory() as folder:
        reader = Reader(options.program, Path(folder))
        for line in lines:
            found = reader.read(line)
            wrong = judge(line, found)
            of[line["language"]] += 1
            right[line["language"]] += not wrong
            for field in FIELDS:
                told[field] += field in line["want"]
            for field, (wanted, value) in wrong.items():
                wrong_by_field[field] += 1
                print(f"{line['id']}  {line['line']}\n       {field}: {value!r}, expected {wanted!r}")
    share = sum(right.values()) / len(lines)
    rows = [f"| {name} | {right[code]} | {of[code]} | {right[code] / of[code]:.1%} |"
            for code, name in (("en", "English"), ("de", "German")) if of[code]]
    table = "\n".join(
        ["| Lines | Wholly right | Of | Share |", "|---|---:|---:|---:|", *rows,
         f"| Together | {sum(right.values())} | {len(lines)} | {share:.1%} |", "",
         "| Field | Wrong | Expected in |", "|---|---:|---:|",
         *[f"| {field} | {count} | {told.get(field, '')} |" for field, count in wrong_by_field.items()]])
    print(f"\n{table}")
    if options.results:
        options.results.write_text(f"# Quick add\n\nWritten by `Benchmarks/QuickAdd/run`.\n\n{table}\n")
    return 0 if share >= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
