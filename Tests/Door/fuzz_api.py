#!/usr/bin/env python3
"""Fuzzes the JSON API by its own description: whatever comes, no answer is the server's failure.

Usage: fuzz_api.py PATH-OF-ARKIVED [--seconds N | --examples N] [--seed N]

Schemathesis (which ./setup --test installs into Tests/.cache) goes through its phases: the
description's examples, the edges of every schema, random requests, and chains of requests where one
uses what another made. The short run takes the seconds that it is given; --examples 200 is the long
one. Prints what it found and exits 1 when an answer was a server error or the archive is not whole
afterwards, 69 where Schemathesis is missing.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

from serving import Server, environment

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FUZZER = os.path.join(PROJECT, "Tests", ".cache", "schemathesis", "bin", "schemathesis")
DESCRIPTION = os.path.join(PROJECT, "Sources", "ArkivedWeb", "Resources", "openapi.json")
# A stream that never ends; what asks other servers, whose failures are told as 502 and 504; what writes into any
# folder of this computer; and what closes the archive or the server for the requests that follow.
LEFT_OUT = (
    r"^/(events|syncs|links/\{id\}/sync|(calendars|address-books)/discover|backups/(plan|once)|move/(pack|leave)"
    r"|time-zone)$"
)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("binary", type=os.path.abspath, help="the program")
    parser.add_argument("--seconds", type=int, default=40, help="how long (40)")
    parser.add_argument("--examples", type=int, help="so many of each, however long it takes")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not os.access(FUZZER, os.X_OK):
        print("Schemathesis is missing; run ./setup --test.", file=sys.stderr)
        return 69
    home = tempfile.mkdtemp(prefix="arkived-fuzz-")
    try:
        return fuzz(options, home)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def fuzz(options, home):
    settings = environment(home)
    subprocess.run(
        [options.binary, "sample", "--from", "2026-03-01", "--through", "2026-03-14"],
        env=settings, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    server = Server(options.binary, home, os.path.join(home, "talk"))
    extent = (
        ["--max-examples", str(options.examples)]
        if options.examples
        else ["--max-time", str(options.seconds)]
    )
    try:
        done = subprocess.run(
            [
                *(FUZZER, "run", DESCRIPTION, "--url", f"{server.url}/api/v1", *extent),
                *("--header", f"Authorization: Bearer {server.token}", "--no-color"),
                *("--phases", "examples,coverage,fuzzing,stateful", "--seed", str(options.seed)),
                *("--checks", "not_a_server_error", "--continue-on-failure", "--warnings", "off"),
                *("--exclude-path-regex", LEFT_OUT, "--request-timeout", "600"),
                *("--suppress-health-check", "all"),
            ],
            cwd=home, env={**os.environ, "HOME": home},
        )  # fmt: skip
    finally:
        status = server.stop()
    with open(os.path.join(home, "talk"), encoding="utf-8", errors="replace") as file:
        talk = file.read().strip()
    if status != 0 or talk:
        print(f"The server ended with {status} and said: {talk[-2000:]}")
    doctor = subprocess.run(
        [options.binary, "doctor"], env=settings, capture_output=True, text=True
    )
    if doctor.returncode != 0:
        print(f"The archive is not whole afterwards:\n{doctor.stdout}{doctor.stderr}")
    return 1 if done.returncode or status or talk or doctor.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
