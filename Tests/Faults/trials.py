"""One fault each: rehearsing a scenario, then disturbing it and judging what is left."""

import copy
import itertools
import os
import random
import re

import shim
from power import POLICIES, Disk
from verdict import (
    Observer,
    Wrong,
    archive_is_private,
    database_is_sound,
    leftovers,
    require,
    snapshots_are_valid,
    told_is_kept,
)

# SPEC's exit codes for what a failing disk may cause: cannot create, input/output.
HONEST = (73, 74)
AGAIN = "again"
# Words that only a program's maker understands.
INNER = re.compile(r"Error\(|ErrorDomain|Optional\(|Domain=|SQLite error|POSIXFailure|Fatal error")


class Rehearsal:
    """A scenario done without a fault: its operations, and the states before and after each act."""

    def __init__(self, workshop, scenario):
        self.scenario = scenario
        self.workshop = workshop
        self.prepared = workshop.prepared(scenario)
        self.names = workshop.names[scenario.name]
        self.observer = Observer(workshop.program)
        self.states = []
        self.known = None
        self.bounds = [0]
        self.mends = False
        log = os.path.join(workshop.folder, f"log-{scenario.name}")
        with workshop.case(scenario.name, self.prepared) as case:
            self.disk = Disk(case)
            self.see(case)
            for number, act in enumerate(scenario.acts):
                settings = self.settings(case, number, log)
                outcome = act.run(workshop.program, case, self.names, settings)
                require(
                    outcome.status == 0 and act.acknowledged(outcome),
                    f"without a fault it ended with {outcome.status}: {outcome.talk.strip()}",
                )
                self.operations = shim.read(log)
                self.bounds.append(len(self.operations))
                self.see(case)
            self.disk.meet(self.operations)
            disk = copy.deepcopy(self.disk)
            for operation in self.operations:
                disk.do(operation)
            require(not disk.difference(), f"the library missed something: {disk.difference()}")
            try:
                self.observer.doctor(case)
            except Wrong:
                # An archive from before the index was kept has to be mended after its migration.
                require(scenario.name == "migration", "doctor finds problems without any fault")
                self.mends = True
        os.remove(log)
        self.count = max((it.number for it in self.operations), default=0)
        self.writes = {
            it.number for it in self.operations if it.kind == shim.WRITE and len(it.data) > 1
        }
        self.answers = [
            next(
                point
                for point in range(begin, end + 1)
                if self.acknowledges(self.scenario.acts[number], self.operations[begin:point])
            )
            for number, (begin, end) in enumerate(itertools.pairwise(self.bounds))
        ]
        names = (shim.CREATE, shim.MAKE_FOLDER, shim.RENAME)
        self.after_names = {it.number + 1 for it in self.operations if it.kind in names}

    @staticmethod
    def acknowledges(act, operations):
        """Whether an act's operations by some moment hold its acknowledgement."""
        return act.acknowledges(b"".join(it.data for it in operations if it.kind == shim.SAID))

    def settings(self, case, number=0, log=None, more=None):
        chance = f"{self.scenario.name}-{number}"
        return self.workshop.shim.settings(case, chance, log, more)

    def see(self, case):
        with self.workshop.case(self.scenario.name, case) as seen:
            look = self.observer.look(seen, self.scenario, self.known)
            self.known = look.identities if self.known is None else self.known
        self.states.append(look)


class Trial:
    """One fault. `run` raises `Wrong` where a promise was not kept, else returns what was seen."""

    def __init__(self, rehearsal, how, point, seed):
        self.rehearsal = rehearsal
        self.scenario = rehearsal.scenario
        self.workshop = rehearsal.workshop
        self.observer = rehearsal.observer
        self.how = how
        self.point = point
        self.seed = seed
        self.notes = {}

    def run(self):
        if self.how in POLICIES:
            return self.lose_power()
        with self.workshop.case(self.scenario.name, self.rehearsal.prepared) as case:
            if self.how == AGAIN:
                return self.lose_power_after_another_kill(case)
            act = self.scenario.acts[0]
            outcome = act.run(
                self.workshop.program, case, self.rehearsal.names,
                self.rehearsal.settings(case, more=shim.fault(self.how, self.point)),
            )  # fmt: skip
            archive_is_private(case)
            if self.how in shim.ERRORS:
                acknowledged = self.judge_error(act, outcome)
            else:
                acknowledged = act.acknowledged(outcome)
                require(
                    outcome.killed or (outcome.status == 0 and acknowledged),
                    f"it ended with {outcome.status}: {outcome.talk.strip()}",
                )
            return self.judge(case, int(acknowledged), outcome.told if acknowledged else "")

    # MARK: Judging

    def judge(self, case, acknowledged, told="", most=None):
        """Whether an archive is in the state after the acknowledged acts, or after one more."""
        states = self.rehearsal.states
        most = acknowledged + 1 if most is None else most
        look = self.observer.look(case, self.scenario, self.rehearsal.known)
        differences = []
        for number in range(acknowledged, min(most + 1, len(states))):
            difference = look.differs(states[number])
            if difference is None:
                self.notes["state"] = number
                break
            differences.append(difference)
        else:
            what = "what was acknowledged is not" if acknowledged else "half of the act is"
            raise Wrong(f"{what} there: " + " / ".join(differences))
        if told:
            told_is_kept(told, look)
        if self.scenario.repeats:
            act = self.scenario.acts[-1]
            outcome = act.run(self.workshop.program, case, self.rehearsal.names)
            require(
                outcome.status == 0 and act.acknowledged(outcome),
                f"doing it again ended with {outcome.status}: {outcome.talk.strip()}",
            )
            look = self.observer.look(case, None, self.rehearsal.known)
            difference = look.differs(states[-1], with_views=False)
            require(difference is None, f"doing it again gives another archive: {difference}")
        else:
            self.observer.next_write(case)
        self.observer.doctor(case, self.rehearsal.mends)
        database_is_sound(case)
        if self.scenario.name == "migration":
            snapshots_are_valid(case, self.rehearsal.prepared)
        self.notes["acknowledged"] = acknowledged
        self.notes["orphans"], self.notes["temporaries"] = leftovers(case)
        return self.notes

    def judge_error(self, act, outcome):
        """A failed operation ends in success or an honest failure; returns whether in success."""
        require(
            outcome.status is not None and outcome.status >= 0,
            f"the program crashed with signal {-outcome.status}: {outcome.talk.strip()[-400:]}",
        )
        if act.acknowledged(outcome):
            require(
                outcome.status == 0 or outcome.answered,
                f"it was acknowledged but ended with {outcome.status}: {outcome.talk.strip()}",
            )
            self.notes["told"] = "done"
            return True
        if outcome.answered:
            problem = outcome.json or {}
            self.notes["told"] = sentence = problem.get("detail", "")
            require(outcome.answered >= 500, f"the answer was {outcome.answered} {outcome.told}")
        else:
            sentence = outcome.talk.strip()
            self.notes["told"] = f"{outcome.status} {sentence}"
            require(
                outcome.status in HONEST,
                f"it ended with {outcome.status}, which is none of {HONEST}: {sentence}",
            )
            require(
                outcome.json is None or outcome.json["error"]["code"] == outcome.status,
                f"the document says otherwise: {outcome.told}",
            )
        require(is_sentence(sentence), f"no sentence for a person: {sentence!r}")
        return False

    # MARK: Power

    def lose_power(self):
        operations = self.rehearsal.operations[: self.point]
        disk = copy.deepcopy(self.rehearsal.disk)
        for operation in operations:
            disk.do(operation)
        chance = random.Random(f"{self.seed} {self.scenario.name} {self.how} {self.point}")
        with self.workshop.case(self.scenario.name) as case:
            disk.write(case, self.how, chance)
            return self.judge(case, self.acknowledged_by(operations))

    def acknowledged_by(self, operations):
        """How many acts the program had acknowledged after some operations."""
        bounds = self.rehearsal.bounds
        return sum(
            self.rehearsal.acknowledges(act, operations[bounds[number] : bounds[number + 1]])
            for number, act in enumerate(self.scenario.acts)
        )

    def lose_power_after_another_kill(self, case):
        """A kill, the same act once more, and then the power fails: what the second run found half
        done must be as safe as if it had done it itself."""
        act = self.scenario.acts[0]
        disk = Disk(case)
        log = os.path.join(self.workshop.folder, os.path.basename(case) + "-log")
        more = shim.fault("before", self.point)
        act.run(
            self.workshop.program, case, self.rehearsal.names,
            self.rehearsal.settings(case, 0, log, more),
        )  # fmt: skip
        outcome = act.run(
            self.workshop.program, case, self.rehearsal.names,
            self.rehearsal.settings(case, AGAIN, log),
        )  # fmt: skip
        operations = shim.read(log)
        disk.meet(operations)
        for operation in operations:
            disk.do(operation)
        os.remove(log)
        require(not disk.difference(), f"the library missed something: {disk.difference()}")
        if not act.acknowledged(outcome):
            return self.notes
        live = self.observer.look(case, self.scenario)
        with self.workshop.case(self.scenario.name) as dark:
            disk.write(dark, "power-none", random)
            left = self.observer.look(dark, self.scenario, live.identities)
            live = self.observer.look(case, self.scenario, live.identities)
            difference = left.differs(live)
            require(difference is None, f"what was acknowledged is not there: {difference}")
            told_is_kept(outcome.told, left)
            self.observer.next_write(dark)
            self.observer.doctor(dark, self.rehearsal.mends)
            database_is_sound(dark)
        return self.notes


def is_sentence(text):
    """Words for a person: whole, and free of a program's inner names."""
    last = text.splitlines()[-1] if text else ""
    return (
        len(last) > 20
        and last[-1] in ".!?"
        and not INNER.search(text)
    )
