"""Proof that nothing acknowledged is ever lost: faults in the midst of the program's writing.

Usage: faults.py PATH-OF-ARKIVED [--kills N] [--seed N] [--scenario NAME [--how HOW --point N]]

Runs the program and kills it at its N-th file operation, or makes that operation fail, or plays a
power failure at it, and looks what is in the archive then. Beside N kills it makes a proportionate
number of failing operations and power failures. Prints a table and exits 1 when a promise was
broken, with the command that repeats it; exits 69 where there is no C compiler.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import shutil
import sys
import tempfile
import time

import shim
import tracing
from places import places
from power import POLICIES
from trials import AGAIN, Rehearsal, Trial
from verdict import Wrong
from workshop import Workshop

# Per kill.
ERROR_SHARE, POWER_SHARE, AGAIN_SHARE = 0.3, 0.3, 0.1
# Lines of the long import in a short and a long run.
LONG, LONGER = 700, 3000
HOWS = (*shim.KILLS, *shim.ERRORS, *POLICIES, AGAIN)


def main():
    options = read_options()
    if not shim.compiler():
        print("A C compiler (clang, gcc or cc) is missing; no fault was tried.", file=sys.stderr)
        return 69
    folder = tempfile.mkdtemp(prefix="arkived-faults-", dir=options.folder or roomy_folder())
    try:
        return Run(options, folder).main()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("binary", type=os.path.abspath, help="the program")
    parser.add_argument("--kills", type=int, default=200, help="how many kills (200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--scenario", action="append", help="only this one; may be repeated")
    parser.add_argument("--how", choices=HOWS, help="one fault: what happens")
    parser.add_argument("--point", type=int, help="one fault: at which operation")
    parser.add_argument(
        "--strace", type=int, metavar="N", default=0,
        help="also compare the library with strace, at N operations",
    )  # fmt: skip
    parser.add_argument("--list", action="store_true", help="list the scenarios' operations")
    parser.add_argument("--folder", help="where to work; shared memory by default, if it has room")
    options = parser.parse_args()
    if (options.how is None) != (options.point is None):
        parser.error("--how and --point go together")
    return options


def roomy_folder():
    """Memory where there is enough, since every case copies an archive; else the usual place."""
    shared = "/dev/shm"
    if os.access(shared, os.W_OK) and shutil.disk_usage(shared).free > 256 << 20:
        return shared
    return None


class Run:
    def __init__(self, options, folder):
        self.options = options
        self.workshop = Workshop(options.binary, folder, LONG if options.kills < 500 else LONGER)
        self.pool = concurrent.futures.ThreadPoolExecutor(options.workers)
        self.failures = []
        self.notes = collections.defaultdict(list)

    def main(self):
        started = time.monotonic()
        wanted = self.options.scenario
        chosen = [it for it in self.workshop.scenarios if not wanted or it.name in wanted]
        rehearsals = [it for it in self.pool.map(self.rehearse, chosen) if it]
        if self.options.list:
            for rehearsal in rehearsals:
                print(f"\n{rehearsal.scenario.name}")
                lines = [it.told(rehearsal.disk.root) for it in rehearsal.operations if it.number]
                print("\n".join(f"  {line}" for line in lines))
            return 0
        if self.options.how:
            trials = [
                Trial(it, self.options.how, self.options.point, self.options.seed)
                for it in rehearsals
            ]
        else:
            trials = draw(rehearsals, self.options.kills, self.options.seed)
        for trial, notes in zip(trials, self.pool.map(self.try_out, trials), strict=True):
            self.notes[trial.scenario.name].append((trial, notes))
        self.show(rehearsals)
        if not self.options.how and not wanted:
            for line, problem in places(self.workshop):
                print(line)
                if problem:
                    self.failures.append((problem, None))
        if self.options.strace:
            self.compare_with_strace(rehearsals)
        self.show_failures()
        print(
            f"\n{len(trials)} faults, {len(self.failures)} failures, "
            f"{time.monotonic() - started:.0f} s"
        )
        return 1 if self.failures else 0

    def rehearse(self, scenario):
        try:
            return Rehearsal(self.workshop, scenario)
        except Wrong as wrong:
            self.failures.append((f"{scenario.name}: {wrong}", None))
            return None

    def try_out(self, trial):
        try:
            return trial.run()
        except Wrong as wrong:
            self.failures.append((str(wrong), trial))
            return trial.notes

    def show_leftovers(self):
        seen = [notes for trials in self.notes.values() for _, notes in trials]
        for key, title in (
            ("orphans", "attached files of an act that did not come to be"),
            ("temporaries", "temporary files"),
        ):
            kinds = collections.Counter(
                re.sub(r"[0-9a-fA-F-]{16,}|[0-9]{8}T[0-9]+Z", "…", os.path.basename(name))
                for notes in seen
                for name in notes.get(key, [])
            )
            if kinds:
                count = sum(bool(notes.get(key)) for notes in seen)
                names = ", ".join(f"{name} {number}×" for name, number in kinds.most_common(6))
                print(f"  {count} cases leave {title}: {names}")

    def compare_with_strace(self, rehearsals):
        """Whether the kernel saw what the library saw, and strace's faults do the same."""
        if not tracing.is_there():
            print("strace: left out, it is missing or may not trace")
            return
        chance = random.Random(self.options.seed)
        commands = [it for it in rehearsals if it.scenario.is_traceable]
        seen, compared = 0, 0
        for rehearsal in commands:
            try:
                seen += tracing.missed(rehearsal)
            except Wrong as wrong:
                self.failures.append((f"{rehearsal.scenario.name} under strace: {wrong}", None))
        for number in range(self.options.strace):
            rehearsal = commands[number % len(commands)]
            how = ("before", "ENOSPC", "before", "EIO")[number % 4]
            point = chance.randint(1, rehearsal.count)
            trial = Trial(rehearsal, how, point, self.options.seed)
            try:
                compared += tracing.compare(trial)
            except Wrong as wrong:
                self.failures.append((f"strace's fault: {wrong}", trial))
        print(
            f"strace: of {len(commands)} scenarios it saw {seen} calls, all of which the library "
            f"saw; {compared} of its faults left what the library's leave"
        )

    def bare(self, sentence):
        """A sentence without the case's folder."""
        return re.sub(rf"{re.escape(self.workshop.folder)}/case-[^/]*", "…", sentence)

    def show_failures(self):
        """Every failure's command; a sentence that many have only once."""
        alike = collections.defaultdict(list)
        for sentence, trial in self.failures:
            sentence = self.bare(sentence)
            name = f"{trial.scenario.name}: " if trial else ""
            alike[f"{name}{sentence}"].append(trial)
        for sentence, trials in alike.items():
            print(f"\nFAIL {sentence}")
            for trial in filter(None, trials):
                print(f"  repeat: {self.command(trial)}")

    def command(self, trial):
        return (
            f"python3 {os.path.relpath(__file__)} {os.path.relpath(self.options.binary)} "
            f"--scenario {trial.scenario.name} --how {trial.how} --point {trial.point} "
            f"--seed {trial.seed} --kills {self.options.kills}"
        )

    def show(self, rehearsals):
        head = ("scenario", "operations", "kills", "none", "all", "told", "errors", "told done")
        head += ("told not", "though there", "power", "again", "files left", "FAILED")
        table = [head]
        sentences = collections.Counter()
        for rehearsal in rehearsals:
            seen = self.notes[rehearsal.scenario.name]
            failed = {id(trial) for _, trial in self.failures if trial}
            count = collections.Counter()
            for trial, notes in seen:
                kind = group(trial.how)
                count[kind] += 1
                count["failed"] += id(trial) in failed
                left = notes.get("orphans", []) + notes.get("temporaries", [])
                count["left"] += bool(left)
                state, acknowledged = notes.get("state"), notes.get("acknowledged")
                if kind == "kills" and state is not None:
                    count["told" if acknowledged else "all" if state else "none"] += 1
                if kind == "errors" and "told" in notes:
                    done = notes["told"] == "done"
                    count["told done" if done else "told not"] += 1
                    count["though there"] += bool(not done and state)
                    sentences[self.bare(notes["told"])] += 1
            table.append(
                (
                    rehearsal.scenario.name,
                    sum(1 for it in rehearsal.operations if it.number),
                    *(count[key] for key in ("kills", "none", "all", "told", "errors")),
                    *(count[key] for key in ("told done", "told not", "though there")),
                    *(count[key] for key in ("power", "again", "left", "failed")),
                )
            )
        columns = range(1, len(head))
        table.append(("together", *(sum(row[it] for row in table[1:]) for it in columns)))
        widths = [max(len(str(row[it])) for row in table) for it in range(len(head))]
        for row in table:
            cells = (str(cell).rjust(width) for cell, width in zip(row, widths, strict=True))
            print("  ".join(cells))
        print(EXPLANATION)
        self.show_leftovers()
        print("What the program said after errors:")
        for sentence, number in sentences.most_common():
            print(f"  {number:4}  {sentence}")


EXPLANATION = """
Of the kills: none, all = the act was not acknowledged, and nothing or all of it is there;
told = it was acknowledged, and all of it is there. Of the errors: told done or told not = what the
program said; though there = it said that it failed, and the act is there all the same. files left =
cases after which the folder holds a file that nothing names."""


def group(how):
    if how in shim.KILLS:
        return "kills"
    if how in shim.ERRORS:
        return "errors"
    return "again" if how == AGAIN else "power"


def draw(rehearsals, kills, seed):
    """The faults of a run, spread evenly over every scenario's operations; alike for one seed."""
    chance = random.Random(seed)
    single = [it for it in rehearsals if not it.scenario.is_session]
    trials = []

    def spread(total, among, length, hows):
        for rehearsal, count in zip(among, shares(total, among), strict=True):
            turn = chance.randrange(len(hows))
            for number in range(count):
                point = int((number + chance.random()) / count * length(rehearsal)) + 1
                how = hows[(turn + number) % len(hows)]
                if how in ("torn", "short") and point not in rehearsal.writes:
                    how = "before" if how == "torn" else "ENOSPC-lasting"
                trials.append(Trial(rehearsal, how, point, seed))

    spread(kills, single, lambda it: it.count, shim.KILLS)
    spread(round(kills * ERROR_SHARE), single, lambda it: it.count, shim.ERRORS)
    # The moment after an answer is the one that must keep it.
    answers = [(it, point) for it in rehearsals for point in it.answers]
    trials += [Trial(it, "power-none", point, seed) for it, point in answers]
    rest = max(0, round(kills * POWER_SHARE) - len(answers))
    spread(
        rest, rehearsals, lambda it: len(it.operations),
        ("power-some", "power-none", "power-some", "power-names", "power-some", "power-data"),
    )  # fmt: skip
    # What a stopped program owes the disk are names that it did not flush.
    for rehearsal, count in zip(single, shares(round(kills * AGAIN_SHARE), single), strict=True):
        points = sorted(rehearsal.after_names)
        for point in chance.sample(points, min(count, len(points))):
            trials.append(Trial(rehearsal, AGAIN, point, seed))
    return trials


def shares(total, rehearsals):
    """How many faults each scenario gets: half of them by its weight, half by its length too."""
    length = sum(len(it.operations) for it in rehearsals)
    weights = [
        it.scenario.weight * (1 / len(rehearsals) + len(it.operations) / length)
        for it in rehearsals
    ]
    counts, rest = [], 0.0
    for weight in weights:
        rest += total * weight / sum(weights)
        counts.append(round(rest - sum(counts)))
    return counts


if __name__ == "__main__":
    sys.exit(main())
