"""Where archives are made ready, and where each case finds its own copy."""

import os
import shutil
import tempfile
import threading

from program import Program
from scenarios import Inputs, scenarios
from shim import Shim


class Workshop:
    """The folder of a run of the harness.

    Identities made here come from the library's randomness, so that every run of the harness works
    on the same archives and a fault can be repeated by its number. `lines` is how long the long
    import is.
    """

    def __init__(self, binary, folder, lines):
        self.folder = folder
        self.program = Program(binary)
        self.shim = Shim(folder)
        self.lock = threading.Lock()
        self.steps = 0
        self.inputs = Inputs(self.subfolder("inputs"), lines)
        self.base = self.subfolder("base")
        self.entries = self.write_base(self.base)
        self.scenarios = scenarios(self)
        self.known = {}
        self.names = {}

    def subfolder(self, *parts):
        path = os.path.join(self.folder, *parts)
        os.makedirs(path, exist_ok=True)
        return path

    def settings(self, case):
        """The settings of a step of the preparation."""
        self.steps += 1
        return self.shim.settings(case, f"step-{self.steps}")

    def do(self, case, *arguments):
        """A step of the preparation; returns its document."""
        outcome = self.program.run(case, *arguments, settings=self.settings(case))
        if outcome.status != 0:
            raise RuntimeError(f"{arguments} ended with {outcome.status}: {outcome.talk}")
        return outcome.json

    def write_base(self, case):
        """A small archive of every kind of thing; returns the identities of its entries."""
        made = [
            self.do(case, "add", *words, "--json")["created"]["id"]
            for words in (
                ["swam 1 km with @Jana 07:00-07:40 #sport", "--attach", self.inputs.letter],
                ["lunch with @Sam at Joe's 12:30-13:15 #friends"],
                ["yesterday at 9am: wrote the report for 90 min (work)"],
                ["on 3 march: dentist #health"],
            )
        ]
        self.do(case, "note", "Rain all day. Jana called.", "--mood", "3", "--json")
        self.do(case, "delete", made[3], "--yes", "--json")
        self.do(case, "edit", made[2], "--text", "wrote half of the report", "--json")
        return made

    def fill(self, case):
        """Puts the base archive into a case's folder."""
        shutil.copytree(self.base, case, dirs_exist_ok=True)

    def migrates(self, case):
        """Whether the program under test has to migrate a case's archive."""
        with self.case("probe") as probe:
            shutil.copytree(case, probe, dirs_exist_ok=True)
            self.program.run(probe, "day", "--json")
            return os.path.isdir(os.path.join(probe, "archive", "snapshots"))

    def prepared(self, scenario):
        """The folder that a scenario's cases are copies of."""
        path = os.path.join(self.folder, "prepared", scenario.name)
        with self.lock:
            if not os.path.isdir(path):
                os.makedirs(path)
                # Steps count anew, so that a scenario alone makes the same identities.
                self.steps = 1000
                self.names[scenario.name] = scenario.prepare(self, path) or {}
        return path

    def case(self, name, copy_of=None):
        """A folder for one case, removed at its end."""
        return Case(tempfile.mkdtemp(prefix=f"case-{name}-", dir=self.folder), copy_of)


class Case:
    def __init__(self, path, copy_of):
        self.path = path
        if copy_of:
            shutil.copytree(copy_of, self.path, dirs_exist_ok=True, symlinks=True)

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)
