#!/usr/bin/env python3
"""Measures the processor time that each test suite takes by itself, so that the dearest can be found.

  Benchmarks/Build/suites.py                      all suites of the built tests, most first
  Benchmarks/Build/suites.py ArkivedEngineTests   those of one module, or of several

Run `swift build --build-tests` first. Each suite runs in a process of its own, one after another; the time includes
that of the programs it starts, and about 0.2 s for starting the tests."""

import collections
import os
import re
import subprocess
import sys
import tempfile
import time

TEST = re.compile(r"(\w+Tests)\.([^/]+)/")
PASSED = re.compile(r"Test (\S+?\(.*?\)|\".*?\") .*passed after ([\d.]+) seconds")


def suites(modules):
    """Returns the suites as pairs of module and name, each with its number of tests."""
    listed = subprocess.run(["swift", "test", "list", "--skip-build"], check=True, capture_output=True, text=True)
    found = collections.Counter()
    for line in listed.stdout.splitlines():
        match = TEST.match(line)
        if match and (not modules or match[1] in modules):
            found[match.groups()] += 1
    return found


def main():
    if "-h" in sys.argv or "--help" in sys.argv:
        print(__doc__)
        return
    place = subprocess.run(["swift", "build", "--show-bin-path"], check=True, capture_output=True, text=True)
    program = os.path.join(place.stdout.strip(), "ArkivedPackageTests.xctest")
    measured = []
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        for (module, name), count in suites(set(sys.argv[1:])).items():
            before, begin = os.times(), time.monotonic()
            done = subprocess.run(
                [program, "--testing-library", "swift-testing", "--experimental-maximum-parallelization-width", "4",
                 "--filter", rf"^{module}\.{re.escape(name)}/"],
                env={**os.environ, "TMPDIR": folder}, capture_output=True, text=True, errors="replace")
            after = os.times()
            used = (after.children_user + after.children_system) - (before.children_user + before.children_system)
            slowest = max(((float(s), test) for test, s in PASSED.findall(done.stdout + done.stderr)), default=(0, ""))
            measured.append((used, time.monotonic() - begin, count, module, name, slowest[1]))
            if done.returncode:
                print(f"{module}.{name} failed", file=sys.stderr)
    measured.sort(reverse=True)
    print(f"{sum(each[0] for each in measured):.0f} s of processor in {len(measured)} suites")
    print("processor s, wall s, tests, suite, its slowest test")
    for used, wall, count, module, name, slowest in measured[:40]:
        print(f"{used:8.1f} {wall:8.1f} {count:5}  {module}.{name}  {slowest}")


if __name__ == "__main__":
    main()
