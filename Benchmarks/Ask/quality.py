"""How many of the labelled questions Arkived answers rightly: `judge_ask.py` with the program."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measure import run
from speed_questions import NOW
from workplace import Workplace

HERE = Path(__file__).resolve().parent
VERDICTS = ("right", "signed", "WRONG", "none")


@dataclass(frozen=True)
class QuestionSet:
    """Labelled questions, and the archive they were labelled over."""

    name: str
    questions: str
    zone: str
    # A file of entries beside the questions; None for three years of the sample life.
    entries: str | None = None
    # In which its owner asks.
    language: str = "en"


SETS = (
    QuestionSet("life", "questions.jsonl", "Europe/Berlin"),
    QuestionSet("more", "more_questions.jsonl", "Europe/Berlin"),
    QuestionSet("stranger", "stranger_questions.jsonl", "Europe/Brussels", "stranger.jsonl"),
    QuestionSet("timeline", "timeline_questions.jsonl", "Europe/Dublin", "timeline.jsonl"),
    QuestionSet("fresh", "fresh_questions.jsonl", "Europe/Berlin"),
    QuestionSet("unseen", "unseen_questions.jsonl", "Europe/Dublin", "timeline.jsonl"),
    QuestionSet("blind life", "blind_life.jsonl", "Europe/Berlin"),
    QuestionSet("blind timeline", "blind_timeline.jsonl", "Europe/Dublin", "timeline.jsonl"),
    QuestionSet("blind stranger", "blind_stranger.jsonl", "Europe/Brussels", "stranger.jsonl"),
    QuestionSet("blind2 life", "blind2_life.jsonl", "Europe/Berlin"),
    QuestionSet("blind2 timeline", "blind2_timeline.jsonl", "Europe/Dublin", "timeline.jsonl"),
    QuestionSet("blind2 stranger", "blind2_stranger.jsonl", "Europe/Brussels", "stranger.jsonl"),
    QuestionSet("german life", "german_life.jsonl", "Europe/Berlin", language="de"),
)


def measure_quality(workplace: Workplace) -> list[dict[str, Any]]:
    """The verdicts of all sets that lie here, by half and by kind."""
    return [judged(workplace, chosen) for chosen in SETS if (HERE / chosen.questions).exists()]


def judged(workplace: Workplace, chosen: QuestionSet) -> dict[str, Any]:
    archive = made(workplace, chosen)
    verdicts = workplace.work / f"{chosen.name.replace(' ', '-')}-verdicts.jsonl"
    subprocess.run(
        [
            sys.executable, str(HERE / "judge_ask.py"), "--program", str(workplace.arkived),
            "--archive", str(archive), "--questions", str(HERE / chosen.questions),
            "--zone", chosen.zone, "--language", chosen.language, "--json", str(verdicts),
        ],
        check=True, capture_output=True, text=True,
        env=environment(workplace, archive, chosen.zone),
    )  # fmt: skip
    labels = {label["id"]: label for label in lines(HERE / chosen.questions)}
    halves: dict[str, dict[str, Counter[str]]] = {}
    for row in lines(verdicts):
        label = labels[row["id"]]
        groups = ["all", label["kind"]] + (["(in sentences)"] if label.get("frame") else [])
        for group in groups:
            halves.setdefault(label["set"], {}).setdefault(group, Counter())[row["verdict"]] += 1
    return {
        "name": chosen.name,
        "halves": {
            half: {
                kind: {verdict: found[verdict] for verdict in VERDICTS}
                for kind, found in sorted(kinds.items())
            }
            for half, kinds in halves.items()
        },
    }


def made(workplace: Workplace, chosen: QuestionSet) -> Path:
    """The archive of a set, made once a run."""
    archive = workplace.work / (chosen.entries or "life").removesuffix(".jsonl")
    if not archive.exists():
        fixed = environment(workplace, archive, chosen.zone)
        if chosen.entries:
            run([workplace.arkived, "import", HERE / chosen.entries], fixed)
        else:
            days = ["--from", "2023-01-01", "--through", "2025-12-31"]
            run([workplace.arkived, "sample", *days], fixed)
        run([workplace.arkived, "index"], fixed)
    return archive


def environment(workplace: Workplace, archive: Path, zone: str) -> dict[str, str]:
    """The clock and the zone in which the questions were labelled."""
    return {
        **workplace.environment(archive),
        "ARKIVED_NOW": NOW, "ARKIVED_TIME_ZONE": zone, "TZ": zone,
    }  # fmt: skip


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]
