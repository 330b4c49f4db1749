"""Measures how fast and how rightly `ask` answers, and writes the results. Started by
Benchmarks/Ask/run.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from ask_report import page  # noqa: E402
from bench import SIZES, positive, say, sizes  # noqa: E402
from measure import Failed  # noqa: E402
from parted import FAILURES, PartedBench, add_folders, some_of  # noqa: E402
from quality import measure_quality  # noqa: E402
from speed import measure_speed  # noqa: E402
from workplace import Workplace  # noqa: E402

PARTS = {
    "quality": "right answers to the labelled questions, by kind",
    "speed": "questions over HTTP and as a process, over a life; beside SQLite asked by hand",
}


class AskBench(PartedBench):
    """One run."""

    def acts(self) -> dict[str, Callable[[], Any]]:
        return {"quality": self.quality, "speed": self.speed}

    def quality(self) -> list[dict[str, Any]]:
        return measure_quality(self.workplace)

    def speed(self) -> list[dict[str, Any]]:
        found = []
        for size in self.options.sizes:
            try:
                found.append(self.speed_of(size))
            except FAILURES as failure:
                self.failures.append({"part": f"speed, {size:,} entries", "what": str(failure)})
                say(f"speed, {size:,} entries: FAILED: {failure}")
        if not found:
            raise Failed("no size could be measured")
        return found

    def speed_of(self, size: int) -> dict[str, Any]:
        say(f"speed, {size:,} entries …")
        archive = self.workplace.archive(self.workplace.life(size), f"ask-{size}")
        figures = measure_speed(self.workplace, archive, self.options.questions, self.options.runs)
        shutil.rmtree(archive.folder)
        return figures


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="Benchmarks/Ask/run",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="parts:\n" + "\n".join(f"  {name:10}{what}" for name, what in PARTS.items()),
    )
    parser.add_argument("--sizes", type=sizes, help="entries: 10k,100k,1M,1.5M (default)")
    parser.add_argument("--only", type=some_of(PARTS), default=set(PARTS), help="speed or quality")
    parser.add_argument("--runs", type=positive, help="runs of each whole process (default 20)")
    parser.add_argument("--questions", type=positive, help="questions of each kind (default 10)")
    parser.add_argument("--quick", action="store_true", help="10k and few; figures mean little")
    add_folders(parser, HERE)
    options = parser.parse_args()
    is_usual = not (options.quick or options.sizes or options.runs or options.questions)
    options.sizes = options.sizes or (SIZES[:1] if options.quick else SIZES)
    options.runs = options.runs or (3 if options.quick else 20)
    options.questions = options.questions or (2 if options.quick else 10)
    command = " ".join(["Benchmarks/Ask/run", *shown(sys.argv[1:])])
    bench = AskBench(Workplace(options.programs, options.cache), options)
    return bench.finish(
        HERE, PARTS, is_usual, lambda results, failed: page(results, failed, command))


def shown(arguments: list[str]) -> list[str]:
    """The arguments of a run without its folders."""
    hidden = ("--programs", "--cache", "--results")
    found, skips = [], False
    for argument in arguments:
        if not skips and not argument.startswith(hidden):
            found.append(argument)
        skips = argument in hidden
    return found


if __name__ == "__main__":
    sys.exit(main())
