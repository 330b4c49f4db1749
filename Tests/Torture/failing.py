"""Disks that fail under each kind of file, and a kill at every operation."""

import concurrent.futures
import os

import shim
from common import HONEST
from trials import Rehearsal, Trial, is_sentence
from verdict import Observer, Wrong, database_is_sound, require

ERRORS = ("ENOSPC", "ENOSPC-lasting", "EIO", "EIO-lasting", "short")
# Kinds of files, by where they lie in a case, with an act that writes them.
KINDS = {
    "database": ("note", "archive/archive.sqlite"),
    "import": ("import", "archive/archive.sqlite"),
    "attachment": ("serve-attach", "archive/attachments/"),
    "export": ("export", "out/"),
    "backup": ("backup", "out/"),
}
WORKERS = 2


def run(trials):
    """Runs trials side by side; raises the first broken promise, with what repeats it."""
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for trial, failure in zip(trials, pool.map(attempted, trials), strict=True):
            require(
                failure is None,
                f"{trial.scenario.name}, {trial.how} at {trial.point}: {failure}",
            )


def attempted(trial):
    try:
        trial.run()
    except Wrong as wrong:
        return str(wrong)
    return None


def disk_by_kind_of_file(bench):
    """ENOSPC, EIO and short writes, while each kind of file is written."""
    scenarios = {it.name: it for it in bench.workshop.scenarios}
    told = []
    for kind, (name, place) in KINDS.items():
        rehearsal = Rehearsal(bench.workshop, scenarios[name])
        root = rehearsal.disk.root
        writes = [
            it.number
            for it in rehearsal.operations
            if it.kind in (shim.WRITE, shim.SYNC, shim.CREATE, shim.RENAME)
            and os.path.relpath(it.path, root).startswith(place)
        ]
        require(writes, f"nothing of a {kind} is written")
        trials = []
        for how in ERRORS:
            fitting = [it for it in writes if how != "short" or it in rehearsal.writes]
            count = min(len(fitting), bench.amount(1, 40))
            trials += [Trial(rehearsal, how, it, 1) for it in bench.chance.sample(fitting, count)]
        run(trials)
        told.append(f"{kind} {len(trials)}")
    return "failing writes survived: " + ", ".join(told)


def disk_under_the_indexes(bench):
    """The indexes of search are derived: whatever fails while they are made, search goes on."""
    program, workshop = bench.program, bench.workshop
    observer = Observer(program)
    away = {"ARKIVED_MODEL": "/nonexistent"}
    with workshop.case("index", workshop.base) as case:
        log = os.path.join(workshop.folder, "index-log")
        outcome = program.run(
            case, "index", "--json", settings=workshop.shim.settings(case, "index", log, away)
        )
        require(outcome.status == 0, f"without a fault it ended with {outcome.status}: {outcome.talk}")
        operations = shim.read(log)
        os.remove(log)
    count = max(it.number for it in operations)
    writes = [it.number for it in operations if it.kind == shim.WRITE and len(it.data) > 1]
    tried = 0
    for how in ("before", "after", "torn", *ERRORS):
        points = writes if how in ("torn", "short") else range(1, count + 1)
        for point in bench.chance.sample(list(points), min(len(points), bench.amount(1, 60))):
            tried += 1
            what = f"index, {how} at {point}"
            with workshop.case("index", workshop.base) as case:
                more = {**away, **shim.fault(how, point)}
                outcome = program.run(
                    case, "index", "--json",
                    settings=workshop.shim.settings(case, "index", None, more),
                )  # fmt: skip
                require(
                    outcome.killed or outcome.status == 0 or outcome.status in (*HONEST, 69),
                    f"{what} ended with {outcome.status}: {outcome.talk.strip()[-300:]}",
                )
                if not outcome.killed and outcome.status != 0:
                    sentence = outcome.talk.strip()
                    require(is_sentence(sentence), f"{what}: no sentence for a person: {sentence!r}")
                for again in (False, True):
                    if again:
                        done = program.run(case, "index", "--json", settings=away)
                        require(done.status == 0, f"{what}, then again: {done.talk.strip()}")
                    found = program.run(case, "search", "report", "--json", settings=away)
                    results = (found.json or {}).get("results", [])
                    require(
                        len(results) == 1, f"{what}: search finds {len(results)} instead of 1 entry"
                    )
                observer.next_write(case)
                observer.doctor(case)
                database_is_sound(case)
    return f"{tried} faults at {count} operations; search finds all the same"


def every_kill(bench):
    """A kill at the N-th operation, for every N from 1 to 1,000, of every act."""
    trials = []
    for scenario in bench.workshop.scenarios:
        if scenario.is_session:
            continue
        rehearsal = Rehearsal(bench.workshop, scenario)
        for point in range(1, min(rehearsal.count, 1_000) + 1):
            how = shim.KILLS[point % len(shim.KILLS)]
            if how == "torn" and point not in rehearsal.writes:
                how = "before"
            trials.append(Trial(rehearsal, how, point, 1))
    run(trials)
    return f"{len(trials)} kills, each operation of each act once"
