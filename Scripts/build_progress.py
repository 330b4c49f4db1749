#!/usr/bin/env python3
"""Shows how far a build is, from what `swift build` prints: `swift build … 2>&1 | Scripts/build_progress.py LOG`.

Everything goes into LOG; a terminal sees one line that changes, anything else a line every half minute.
"""

import re
import sys
import time

STEP = re.compile(r"^\[(\d+)/(\d+)\] (.*)")
PAUSE = 30


def duration(seconds):
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def main():
    is_terminal = sys.stderr.isatty()
    started = told = time.monotonic()
    first = None
    with open(sys.argv[1], "w", encoding="utf-8") as log:
        for line in sys.stdin:
            log.write(line)
            step = STEP.match(line)
            if not step:
                continue
            done, total, what = int(step[1]), int(step[2]), step[3].strip()
            now = time.monotonic()
            first = first or (now, done)
            if not is_terminal and now - told < PAUSE:
                continue
            told = now
            left = ""
            if done > first[1] + 50 and now - first[0] > 10:
                rate = (now - first[0]) / (done - first[1])
                left = f", about {duration(rate * (total - done))} left"
            text = f"run: {done} of {total} steps in {duration(now - started)}{left}: {what}"
            print(f"\r\x1b[K{text[:100]}" if is_terminal else text[:100], end="" if is_terminal else "\n",
                  file=sys.stderr, flush=True)
    if is_terminal:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
