"""Measures how fast goals are matched with actions and summed, and writes the results. Started by
Benchmarks/Goals/run.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sqlite3
import sys
import time
import uuid
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from bench import SIZES, positive, say, sizes  # noqa: E402
from measure import Failed, Sample  # noqa: E402
from parted import FAILURES, PartedBench, add_folders, both, failures, places, quantiles  # noqa: E402
from report import grid, number  # noqa: E402
from workplace import TODAY, Archive, Workplace  # noqa: E402

GOALS = 100
WORDS = ["walk", "bike", "ride", "cycle", "read", "book", "choir", "swim", "call", "lunch"]


def goals(seed: int = 7) -> list[dict[str, Any]]:
    """A hundred goals: most of ten weeks, some of a year, five without dates."""
    draw = random.Random(seed)
    today = date.fromisoformat(TODAY)
    found = []
    for index in range(GOALS):
        unit = ("km", "pages", "minutes", "hours", "miles")[index % 5]
        goal: dict[str, Any] = {
            "type": "goal", "id": str(uuid.UUID(int=draw.getrandbits(128), version=4)).upper(),
            "title": f"Goal {index} {unit}", "measurementUnit": unit,
            "measurementTarget": 100 + index,
        }  # fmt: skip
        if index >= 5:
            days = 365 if index % 7 == 0 else 70
            start = today - timedelta(draw.randrange(days, 9_000))
            goal["startDate"] = start.isoformat()
            goal["targetDate"] = (start + timedelta(days)).isoformat()
        if index % 2:
            hints = {"units": [unit], "keywords": draw.sample(WORDS, 2)}
            goal["howGoalIsActionable"] = json.dumps(hints)
        found.append(goal)
    return found


def forget_matches(archive: Path) -> int:
    """Removes all that the rules have found, so that all of it is found and written again."""
    with sqlite3.connect(archive / "archive.sqlite") as connection:
        # Else the day of each is added up anew as it goes.
        connection.execute("DELETE FROM goal_sums")
        return connection.execute("DELETE FROM contribution_rows").rowcount


def by_hand(archive: Path, all_goals: list[dict[str, Any]]) -> dict[str, Any]:
    """The same goals matched by SQLite alone: one INSERT … SELECT a goal into a table of its own.

    It knows less: one unit and no conversion, keywords by LIKE, no reasons and no identities.
    """
    connection = sqlite3.connect(archive / "archive.sqlite")
    connection.execute("PRAGMA synchronous = FULL")
    begin = time.monotonic()
    connection.execute(
        "CREATE TABLE by_hand (goal INTEGER, activity INTEGER, amount REAL, "
        "PRIMARY KEY (goal, activity)) WITHOUT ROWID"
    )
    for index, goal in enumerate(all_goals):
        conditions, values = ["1"], []
        for side, sign in (("startDate", ">="), ("targetDate", "<=")):
            if side in goal:
                conditions.append(f"day_key {sign} ?")
                values.append(goal[side])
        unit = goal["measurementUnit"]
        if unit in ("minutes", "hours"):
            divisor = 60_000.0 if unit == "minutes" else 3_600_000.0
            amount = f"(end_at - start_at) / {divisor}"
            source = "activities"
            conditions.append("end_at IS NOT NULL")
        else:
            amount = "amount"
            source = "measurements JOIN activities ON pk = activity_pk"
            conditions.append("unit = ?")
            values.append(unit)
        if "howGoalIsActionable" in goal:
            words = json.loads(goal["howGoalIsActionable"])["keywords"]
            conditions.append("(" + " OR ".join("text LIKE ?" for _ in words) + ")")
            values += [f"%{word}%" for word in words]
        connection.execute(
            f"INSERT INTO by_hand SELECT {index}, pk, {amount} FROM {source} "
            f"WHERE {' AND '.join(conditions)}",
            values,
        )
    connection.commit()
    seconds = time.monotonic() - begin
    rows = connection.execute("SELECT count(*) FROM by_hand").fetchone()[0]
    connection.execute("DROP TABLE by_hand")
    connection.commit()
    connection.close()
    return {"seconds": seconds, "rows": rows}


def measure(workplace: Workplace, archive: Archive, runs: int) -> dict[str, Any]:
    folder = archive.folder
    figures: dict[str, Any] = {"activities": archive.life.activities}
    plain = Sample()
    for index in range(runs):
        ran = workplace.call(folder, "add", f"rode the bike {index} 12 km", "--json")
        plain.seconds.append(ran.seconds)
    file = workplace.work / "goals.jsonl"
    all_goals = goals()
    file.write_text("".join(json.dumps(goal) + "\n" for goal in all_goals))
    imported = workplace.call(folder, "import", str(file), "--json", keeps_output=True)
    created = json.loads(imported.output)["runs"][0]["created"].get("goal", 0)
    if created != GOALS:
        raise Failed(f"import made {created} goals of {GOALS}")
    figures["set"] = imported.seconds
    forget_matches(folder)
    found = workplace.call(folder, "match", "infer", "--json", keeps_output=True)
    report = json.loads(found.output)
    figures |= {
        "inferred": found.seconds, "added": report["added"], "analysed": report["analysed"],
    }  # fmt: skip
    again = workplace.call(folder, "match", "infer", "--json", keeps_output=True)
    if any(json.loads(again.output)[key] for key in ("added", "changed", "removed")):
        raise Failed("looking for matches again found others")
    figures["again"] = again.seconds
    peak = workplace.peak_memory(folder, "match", "infer", "--json")
    figures["memory"] = peak
    figures["by_hand"] = by_hand(folder, all_goals)
    matched = Sample()
    for index in range(runs):
        ran = workplace.call(folder, "add", f"rode the bike {index} 12 km", "--json")
        matched.seconds.append(ran.seconds)
    board = Sample()
    for _ in range(runs):
        board.seconds.append(workplace.call(folder, "progress", "--all", "--json").seconds)
    figures |= {
        "add_without": quantiles(plain), "add_with": quantiles(matched),
        "progress": quantiles(board),
    }  # fmt: skip
    return figures


class GoalsBench(PartedBench):
    """One run."""

    def acts(self) -> dict[str, Callable[[], Any]]:
        return {"goals": self.goals}

    def goals(self) -> list[dict[str, Any]]:
        found = []
        for size in self.options.sizes:
            try:
                say(f"{size:,} entries …")
                archive = self.workplace.archive(self.workplace.life(size), f"goals-{size}")
                found.append(measure(self.workplace, archive, self.options.runs))
                shutil.rmtree(archive.folder)
            except FAILURES as failure:
                self.failures.append({"part": f"{size:,} entries", "what": str(failure)})
                say(f"{size:,} entries: FAILED: {failure}")
        if not found:
            raise Failed("no size could be measured")
        return found


def page(results: dict[str, Any], found: list[dict[str, str]], command: str) -> str:
    parts = [
        "# Goals: results",
        "A hundred goals (five of them without dates, the others of ten weeks or a year, half of "
        f"them with keywords) in the archive of a life. `{command}`",
        places(results),
    ]
    if "goals" in results:
        rows = []
        for line in results["goals"]["figures"]:
            peer = line["by_hand"]
            rows.append(
                (
                    f"{line['activities']:,}", number(line["set"]), number(line["inferred"]),
                    f"{line['added']:,}", number(line["again"]), number(peer["seconds"]),
                    f"{peer['rows']:,}", f"{line['inferred'] / peer['seconds']:.2f}",
                    f"{line['memory'] / 1e6:.0f}", both(line["add_without"]),
                    both(line["add_with"]), both(line["progress"]),
                )
            )  # fmt: skip
        parts.append(
            grid(
                "Matching and summing",
                [
                    "activities", "set 100 goals, s", "all found anew, s", "matches",
                    "looked at again, s", "SQLite by hand, s", "its rows", "ratio", "memory, MB",
                    "add without goals, ms p50 / p99", "add with 100, ms", "progress, ms",
                ],
                rows,
            )
        )  # fmt: skip
        parts.append(
            "*Set*: `arkived import` of the goals, matched as they come. *All found anew*: every "
            "match was removed, then `arkived match infer`: the whole process, matches written and "
            "flushed. *Again*: the same with nothing to write. *SQLite by hand*: Python's `sqlite3`, "
            "an INSERT … SELECT a goal in one flushed transaction, which converts no unit, finds "
            "keywords by LIKE and keeps no reasons; so its rows differ. *Add* and *progress* are "
            "whole processes."
        )
    if found:
        parts.append(failures(found))
    return "\n\n".join(parts) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="Benchmarks/Goals/run", description=__doc__)
    parser.add_argument("--sizes", type=sizes, help="entries: 10k,100k,1M,1.5M (default)")
    parser.add_argument("--runs", type=positive, help="runs of each whole process (default 20)")
    parser.add_argument("--quick", action="store_true", help="10k and few; figures mean little")
    add_folders(parser, HERE)
    options = parser.parse_args()
    is_usual = not (options.quick or options.sizes or options.runs)
    options.sizes = options.sizes or (SIZES[:1] if options.quick else SIZES)
    options.runs = options.runs or (3 if options.quick else 20)
    options.only = {"goals"}
    bench = GoalsBench(Workplace(options.programs, options.cache), options)
    return bench.finish(
        HERE, ["goals"], is_usual, lambda results, failed: page(results, failed, "Benchmarks/Goals/run"))


if __name__ == "__main__":
    sys.exit(main())
