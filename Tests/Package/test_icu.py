#!/usr/bin/env python3
"""Compares the answers of Foundation with ICU's whole data to those with the data that is packaged.

Usage: test_icu.py. Compiles icu_answers.swift, links it twice, and exits 1 where a line differs. A minute.
"""

import difflib
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LIBRARIES = (
    "-l_FoundationICU", "-lCoreFoundation", "-l_FoundationCShims", "-l_FoundationCollections",
    "-lFoundationEssentials", "-lFoundationInternationalization",
)  # fmt: skip


def run(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


def main():
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        made = run(HERE.parents[1] / "Packaging/icu_data.py", "--output", work / "icu_data.o")
        data, symbol = made.strip().rsplit(" ", 1)
        run("swiftc", "-static-stdlib", "-c", HERE / "icu_answers.swift", "-o", work / "answers.o")
        answers = []
        for extra in ([], ["-Xlinker", f"--wrap={symbol}", "-Xlinker", data]):
            program = work / f"program-{len(answers)}"
            run(
                "swiftc", "-static-stdlib", "-use-ld=lld", "-Xlinker", "--gc-sections",
                work / "answers.o", "-o", program, *LIBRARIES, *extra)  # fmt: skip
            answers.append(run(program).splitlines())
            print(f"{program.stat().st_size / 1e6:.0f} MB, {len(answers[-1])} lines")
    differences = list(difflib.unified_diff(*answers, "whole", "packaged", n=0, lineterm=""))
    print("\n".join(differences[:40]) or "ok   the same answers")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
