#!/usr/bin/env python3
"""Installs the fuzzer of the API for its test; silent when it is there.

Usage: fetch_schemathesis.py. It goes into a virtual environment at Tests/.cache/schemathesis, by pip
with whatever index that is set up for. Exits 0 when it is there, 69 when it cannot be had; the test
that needs it then says so and is left out.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

PACKAGE = "schemathesis==4.32.5"
PLACE = Path(__file__).resolve().parent.parent / "Tests" / ".cache" / "schemathesis"


def ran(*command: str) -> str | None:
    """Returns why a command failed; None when it did not."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = done.stdout.strip().splitlines()
    return None if done.returncode == 0 else (lines[-1] if lines else "no reason")


def is_there() -> bool:
    python = PLACE / "bin" / "python"
    return python.exists() and ran(str(python), "-c", "import schemathesis") is None


def main() -> int:
    if is_there():
        return 0
    print("setup: installing the fuzzer of the API for its test", file=sys.stderr)
    shutil.rmtree(PLACE, ignore_errors=True)
    problem = ran(sys.executable, "-m", "venv", str(PLACE)) or ran(
        str(PLACE / "bin" / "python"), "-m", "pip", "install", "--quiet",
        "--disable-pip-version-check", PACKAGE)
    if problem:
        shutil.rmtree(PLACE, ignore_errors=True)
        print(f"setup: the fuzzing of the API is left out: {problem}", file=sys.stderr)
        return 69
    return 0


if __name__ == "__main__":
    sys.exit(main())
