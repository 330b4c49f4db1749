#!/usr/bin/env python3
"""devices.py TESTS [COUNT] [FIRST]: runs COUNT random histories of several devices (10,000 unless told), from the seed
FIRST on, 250 to a process, and prints those that fail. TESTS is the built test program
(.build/debug/ArkivedPackageTests.xctest). Each history: 2 to 8 devices, wrong clocks, a folder that delays, cuts off,
doubles and loses files, devices that are stopped. A history has 0.7 s of processor time in a debug build."""
import os
import re
import subprocess
import sys

STEP = 250


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__)
        return 64
    tests = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    failed: list[str] = []
    for start in range(first, first + count, STEP):
        some = min(STEP, first + count - start)
        told = subprocess.run(
            [tests, "--testing-library", "swift-testing", "--filter", "DeviceSyncSimulationTests"],
            env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1", "ARKIVED_SYNC_SEED": str(start), "ARKIVED_SYNC_HISTORIES": str(some)},
            capture_output=True, text=True)
        found = re.findall(r"history (\d+): (.*)", told.stdout + told.stderr)
        if told.returncode and not found:
            found = [(str(start), f"the process ended with {told.returncode}")]
        for seed, reason in found:
            failed.append(seed)
            print(f"{seed}: {reason}", flush=True)
        print(f"{start + some - first} of {count}, {len(failed)} failed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
