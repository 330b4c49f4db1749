"""What no archive should have to bear, and must: storms of writers, failing disks, damaged files.

Usage: torture.py PATH-OF-ARKIVED [--short] [--only NAME]… [--seed N] [--list]

Each trial tortures the real program (`lifetime` is taken from the same folder), and then looks:
SQLite's own integrity check, `arkived doctor`, every acknowledged entry in the export, nothing half,
and a sentence for a person wherever something was refused. Prints a line for each trial and exits 1
when a promise was broken, 69 where there is no C compiler. The long run also runs Tests/Faults, whose
parts this borrows.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
FAULTS = os.path.join(os.path.dirname(HERE), "Faults")
sys.path.insert(0, FAULTS)

import shim  # noqa: E402
from faults import roomy_folder  # noqa: E402
from verdict import Wrong  # noqa: E402
from workshop import Workshop  # noqa: E402

import absence  # noqa: E402
import copies  # noqa: E402
import damage  # noqa: E402
import failing  # noqa: E402
import floods  # noqa: E402
import rights  # noqa: E402
import storms  # noqa: E402

TRIALS = {
    "writers": storms.four_writers,
    "reader": storms.a_reader_that_stays,
    "disk": failing.disk_by_kind_of_file,
    "index": failing.disk_under_the_indexes,
    "log deleted": damage.the_log_is_deleted,
    "log lost": damage.the_log_is_lost_after_a_kill,
    "replaced": damage.the_file_is_replaced,
    "header": damage.the_header_is_altered,
    "pages": damage.pages_are_altered,
    "clock": damage.the_clock_goes_back,
    "absence": absence.the_database_is_away,
    "signs": absence.each_sign_is_enough,
    "older copy": absence.an_older_copy_is_put_in,
    "no attachments": absence.the_attachments_vanish,
    "way out": absence.the_way_out,
    "newer": copies.a_newer_archive,
    "reading": copies.reading_alters_nothing,
    "torn": copies.torn_copies,
    "copied": copies.copies_while_writing,
    "plain": copies.plain_copies,
    "same file": copies.a_copy_takes_its_place,
    "rights": rights.rights,
    "full": rights.full_disk,
    "floods": floods.floods,
    "strangers": floods.a_storm_of_requests,
    "headers": floods.headers,
    "every kill": failing.every_kill,
}
# What only the long run has: thousands of runs of the program.
LONG = {"every kill"}


class Bench:
    """What a trial works with."""

    def __init__(self, binary, folder, seed, is_short):
        self.is_short = is_short
        self.chance = random.Random(seed)
        self.workshop = Workshop(binary, folder, 700 if is_short else 3000)
        self.program = self.workshop.program
        self.lifetime = os.path.join(os.path.dirname(binary), "lifetime")

    def amount(self, short, long):
        return short if self.is_short else long


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("binary", type=os.path.abspath, help="the program")
    parser.add_argument("--short", action="store_true", help="within a minute, as the tests do")
    parser.add_argument("--only", action="append", choices=TRIALS, help="only this; may be repeated")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="list the trials")
    options = parser.parse_args()
    if options.list:
        print("\n".join(TRIALS))
        return 0
    if not shim.compiler():
        print("A C compiler (clang, gcc or cc) is missing; nothing was tried.", file=sys.stderr)
        return 69
    beside = os.path.join(os.path.dirname(options.binary), "lifetime")
    if not os.path.exists(beside):
        print(f"{beside} is missing (swift build --product lifetime); nothing was tried.",
              file=sys.stderr)
        return 69
    names = options.only or [it for it in TRIALS if not (options.short and it in LONG)]
    folder = tempfile.mkdtemp(prefix="arkived-torture-", dir=roomy_folder())
    failures = 0
    try:
        bench = Bench(options.binary, folder, options.seed, options.short)
        for name in names:
            failures += not passes(name, bench)
        if not options.short and not options.only:
            failures += not faults_pass(options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(names)} trials, {failures} failed")
    return 1 if failures else 0


def passes(name, bench):
    started = time.monotonic()
    try:
        found = TRIALS[name](bench)
        verdict, is_right = f"ok    {name}: {found}", True
    except Wrong as wrong:
        verdict, is_right = f"FAIL  {name}: {wrong}", False
    except Exception:
        verdict, is_right = f"FAIL  {name}: {traceback.format_exc()}", False
    print(f"{verdict} ({time.monotonic() - started:.0f} s)", flush=True)
    return is_right


def faults_pass(options):
    """The kills, failing calls and power failures of Tests/Faults, and its full and fixed disks."""
    done = subprocess.run(
        [
            *(sys.executable, "-B", os.path.join(FAULTS, "faults.py"), options.binary),
            *("--kills", "1000", "--strace", "40", "--seed", str(options.seed)),
        ]
    )
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
