"""jrnl, the journal of the command line, on a text file with the same entries."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from measure import Failed, Ran, run
from workplace import ZONE, Life, Workplace

CONFIGURATION = """\
version: v4.6
journals:
  default:
    journal: {journal}
editor: ''
encrypt: false
template: false
default_hour: 9
default_minute: 0
timeformat: '%F %R'
tagsymbols: '#@'
highlight: false
linewrap: 79
indent_character: '|'
colors:
  body: none
  date: none
  tags: none
  title: none
"""


class Journal:
    """A jrnl journal with the last entries of a life, unencrypted, which is its fastest form."""

    def __init__(self, workplace: Workplace, life: Life, name: str) -> None:
        self.program = workplace.peers / "bin" / "jrnl"
        if not self.program.exists():
            raise Failed("jrnl is not installed; Benchmarks/run installs it from PyPI")
        self.folder = workplace.work / name
        self.folder.mkdir(parents=True)
        self.environment = workplace.environment(self.folder)
        journal = self.folder / "journal.txt"
        with journal.open("w", encoding="utf-8") as file:
            for entry in life.entries():
                file.write(as_text(entry))
        self.configuration = self.folder / "jrnl.yaml"
        self.configuration.write_text(CONFIGURATION.format(journal=journal))
        listed = self.call("-to", "2999-01-01", "--format", "json", keeps_output=True)
        found = listed.output.count('"title":')
        if found != life.activities:
            raise Failed(f"jrnl reads {found} of {life.activities} entries")

    def call(self, *arguments: str, keeps_output: bool = False) -> Ran:
        return run(
            [self.program, "--config-file", self.configuration, *arguments],
            self.environment,
            keeps_output=keeps_output,
        )

    def add(self, number: int) -> Ran:
        return self.call(
            "2025-12-31", "at", "12:30:", "lunch", "with", "Alex", "Kim", "at", "the", "harbour",
            str(number), "#food", "@Alex.Kim",
        )  # fmt: skip

    def search(self, word: str) -> Ran:
        """The newest twenty entries with a word, one a line, which is what Arkived shows."""
        return self.call("-contains", word, "-n", "20", "--short")


def as_text(entry: dict[str, Any]) -> str:
    """An entry in jrnl's own format: `[date time] title #tags`."""
    if start := entry["startAt"]:
        local = datetime.fromisoformat(start).astimezone(ZoneInfo(ZONE)).strftime("%Y-%m-%d %H:%M")
    else:
        local = f"{entry['dayKey']} 09:00"
    title = " ".join(entry["text"].split())
    tags = "".join(f" #{tag}" for tag in entry["tags"])
    return f"[{local}] {title}{tags}\n\n"
