#!/usr/bin/env python3
"""Lists the twenty tests and suites of logs of `swift test` that took longest: slowest_tests.py LOG….

Tests run side by side, so the times add up to more than the run, and each holds what others took meanwhile.
"""

import re
import sys

ENDED = re.compile(r"^. (Test|Suite) (.+?)(?: with \d+ test cases?)? (?:passed|failed) after ([\d.]+) seconds")
COUNT = 20


def main():
    ended = {"Test": [], "Suite": []}
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8", errors="replace") as log:
            for line in log:
                found = ENDED.match(line)
                if found and not found[2].startswith(("case", "run")):
                    ended[found[1]].append((float(found[3]), found[2]))
    for kind, found in ended.items():
        if len(found) > COUNT:
            print(f"\nSlowest of {len(found)} {kind.lower()}s:")
            for seconds, name in sorted(found, reverse=True)[:COUNT]:
                print(f"  {seconds:6.1f} s  {name}")


if __name__ == "__main__":
    main()
