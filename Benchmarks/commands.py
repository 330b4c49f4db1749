"""The command line: whole processes, from their start until they are gone."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

from jrnl_peer import Journal
from measure import Contender, Failed, Ran, Sample, rounds, run
from results import CommandFigure, Failure, Results, Times
from workplace import TODAY, Archive, Life, Workplace

COMMON_WORD = "lunch"
RARE_WORD = "foghorns"

# Command lines by the part of the benchmark they belong to and their name in the tables.
QUERIES: dict[str, dict[str, list[str]]] = {
    "today": {"today": ["today"]},
    "search": {
        "search, common word": ["search", COMMON_WORD],
        "search, rare word": ["search", RARE_WORD],
        "search, two words": ["search", "harbour", "dinner"],
        "search, person": ["search", "Alex", "Kim"],
    },
    "ask": {
        "ask, list": ["ask", "what did I do with Alex Kim last month?"],
        "ask, sum": ["ask", "how many km did I cycle last year?"],
    },
}
# jrnl's side of the target: "ten times faster than jrnl at 2,500 entries".
JOURNAL_SIZE = 2_500
JOURNAL_SIZES = [100, 500, 2_500, 10_000, 30_000, 100_000]


def added_line(number: int) -> list[str]:
    """The words of an entry that has everything a typed line can have."""
    return [
        "add", "12:30-13:15", "lunch", "with", "Alex", "Kim", "at", "the", "harbour", str(number),
        "#food", "@Alex.Kim",
    ]  # fmt: skip


def measure_commands(
    workplace: Workplace, archive: Archive, parts: set[str], runs: int, results: Results
) -> None:
    """Times the commands on an archive, in turn with each other and with jrnl at 2,500 entries."""
    size = archive.life.activities
    folder = archive.folder
    days = archive.life.days()

    def day(number: int) -> Ran:
        return workplace.call(folder, "day", days[(number + 7) * 7919 % len(days)])

    arkived: dict[str, Callable[[int], Ran]] = {}
    if "add" in parts:
        arkived["add"] = lambda number: workplace.call(folder, *added_line(number))
    if "day" in parts:
        arkived["day"] = day
    for part, queries in QUERIES.items():
        for name, words in queries.items() if part in parts else []:
            arkived[name] = repeated(workplace, folder, words)

    jrnl: dict[str, Callable[[int], Ran]] = {}
    if parts & {"add", "search"}:
        try:
            journal = Journal(workplace, workplace.life(JOURNAL_SIZE), f"jrnl-beside-{size}")
            jrnl = jrnl_acts(journal, parts)
        except Failed as failure:
            results.failures.append(Failure("jrnl", JOURNAL_SIZE, str(failure)))

    contenders = [Contender(f"arkived {name}", act) for name, act in arkived.items()]
    contenders += [Contender(f"jrnl {name}", act, 60) for name, act in jrnl.items()]
    nothing = Contender("floor", lambda _: run([Path("/bin/true")], workplace.environment(folder)))
    samples = rounds([*contenders, nothing], runs)

    for name in arkived:
        note(results, results.commands, "arkived", name, size, samples[f"arkived {name}"])
    for name in jrnl:
        note(results, results.commands, "jrnl", name, JOURNAL_SIZE, samples[f"jrnl {name}"], size)
    note(results, results.commands, "true", "start and end of any process", size, samples["floor"])
    for figure in results.commands:
        line = command_line(figure.command)
        if figure.program == "arkived" and figure.size == size and line:
            figure.peak_bytes = workplace.peak_memory(folder, *line)


def repeated(workplace: Workplace, archive: Path, words: list[str]) -> Callable[[int], Ran]:
    return lambda _: workplace.call(archive, *words)


def command_line(name: str) -> list[str] | None:
    """The words of a command whose memory is asked of a run that is not timed."""
    for queries in QUERIES.values():
        if name in queries:
            return queries[name]
    return {"day": ["day", TODAY], "add": added_line(0)}.get(name)


def jrnl_acts(journal: Journal, parts: set[str]) -> dict[str, Callable[[int], Ran]]:
    acts: dict[str, Callable[[int], Ran]] = {}
    if "add" in parts:
        acts["add"] = journal.add
    if "search" in parts:
        acts["search, common word"] = lambda _: journal.search(COMMON_WORD)
        acts["search, rare word"] = lambda _: journal.search(RARE_WORD)
    return acts


def measure_journals(
    workplace: Workplace, runs: int, sizes: list[int], budget: float, results: Results
) -> None:
    """Times Arkived and jrnl in turn on the same entries, more and more of them, until jrnl takes
    longer than the budget allows.
    """
    for size in sizes:
        try:
            slowest = measure_journal(workplace, workplace.life(size), runs, budget, results)
        except Failed as failure:
            results.failures.append(Failure("jrnl", size, str(failure)))
            return
        # The next size takes about four times as long.
        if math.isnan(slowest) or slowest * 4 * 5 > budget:
            return


def measure_journal(
    workplace: Workplace, life: Life, runs: int, budget: float, results: Results
) -> float:
    """Returns the seconds of jrnl's slowest command in the middle."""
    journal = Journal(workplace, life, f"jrnl-{life.activities}")
    archive = workplace.archive(life, f"beside-jrnl-{life.activities}").folder
    ours: dict[str, Callable[[int], Ran]] = {
        "add": lambda number: workplace.call(archive, *added_line(number)),
        "search, common word": lambda _: workplace.call(archive, "search", COMMON_WORD),
        "search, rare word": lambda _: workplace.call(archive, "search", RARE_WORD),
    }
    theirs = jrnl_acts(journal, {"add", "search"})
    samples = rounds(
        [Contender(f"arkived {name}", act) for name, act in ours.items()]
        + [Contender(f"jrnl {name}", act, budget) for name, act in theirs.items()],
        runs,
        warm_up=1,
    )
    for name in ours:
        for program in ("arkived", "jrnl"):
            sample = samples[f"{program} {name}"]
            note(results, results.journals, program, name, life.activities, sample)
    return max(samples[f"jrnl {name}"].p50 for name in theirs)


def note(
    results: Results,
    figures: list[CommandFigure],
    program: str,
    name: str,
    size: int,
    sample: Sample,
    beside: int | None = None,
) -> None:
    """Keeps the figure of a sample, and its failures."""
    if sample.failures:
        times = f"{len(sample.failures)} of {len(sample.failures) + len(sample.seconds)} runs: "
        results.failures.append(Failure(f"{program} {name}", size, times + sample.failures[0]))
    if sample.seconds:
        figures.append(
            CommandFigure(
                size=beside or size,
                command=name if beside is None else f"{name}, {size:,} entries",
                program=program,
                times=Times.of(sample),
                cpu_ms=sample.cpu_p50 * 1000,
                failed_runs=len(sample.failures),
            )
        )
