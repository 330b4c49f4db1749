"""The preloaded library: building it, choosing what it does, reading what it wrote down."""

import errno
import os
import random
import shutil
import struct
import tempfile
import subprocess

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "faults.c")
SAID, CREATE, WRITE, TRUNCATE, SYNC, SYNC_ALL, RENAME, UNLINK = range(1, 9)
MAKE_FOLDER, REMOVE_FOLDER, LINK, SYMLINK, MODE, ALLOCATE = range(9, 15)
NAMES = (
    "", "said", "create", "write", "truncate", "sync", "sync all", "rename", "unlink",
    "make folder", "remove folder", "link", "symlink", "mode", "allocate",
)  # fmt: skip
HEAD = struct.Struct("<IIQQqIIII")

# What a fault is called on the command line, and what it asks of the library.
KILLS = ("before", "after", "torn")
ERRORS = (
    "ENOSPC", "ENOSPC-lasting", "EIO", "EIO-lasting", "EDQUOT-lasting", "EINTR", "short",
)  # fmt: skip


class Operation:
    """One recorded operation; `number` counts from 1, what was said has 0."""

    __slots__ = ("kind", "number", "file", "offset", "path", "second", "data")

    def __init__(self, kind, number, file, offset, path, second, data):
        self.kind = kind
        self.number = number
        self.file = file
        self.offset = offset
        self.path = path
        self.second = second
        self.data = data

    def told(self, root):
        """The operation in a line, its path from a root."""
        extent = f" {len(self.data)} bytes at {self.offset}" if self.kind == WRITE else ""
        return f"{self.number}: {NAMES[self.kind]} {os.path.relpath(self.path, root)}{extent}"


def compiler():
    """A C compiler, or None."""
    for name in (os.environ.get("CC"), "clang", "gcc", "cc"):
        if name and shutil.which(name):
            return name
    return None


def build(folder):
    """Builds the library into a folder and returns its path."""
    library = os.path.join(folder, "faults.so")
    subprocess.run(
        [compiler(), "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library]
        + [SOURCE, "-ldl", "-lpthread"],
        check=True,
    )
    return library


def fault(how, point):
    """The library's settings for a fault at an operation."""
    if how in KILLS or how == "short":
        return {"FAULTS_AT": str(point), "FAULTS_HOW": how}
    name, _, lasting = how.partition("-")
    return {
        "FAULTS_AT": str(point),
        "FAULTS_HOW": "lasting" if lasting else "fail",
        "FAULTS_ERRNO": str(getattr(errno, name)),
    }


class Shim:
    """The built library and the randomness that makes runs alike."""

    def __init__(self, folder):
        self.folder = folder
        self.library = build(folder)

    def settings(self, root, chance, log=None, more=None):
        """The environment of a program whose files below `root` are watched.

        `chance` names the randomness: equal names make equal identities.
        """
        settings = {
            "LD_PRELOAD": self.library,
            "FAULTS_ROOT": root,
            "FAULTS_RANDOM": self.chance(chance),
            "SWIFT_DETERMINISTIC_HASHING": "1",
        }
        if log:
            settings["FAULTS_LOG"] = log
        settings.update(more or {})
        return settings

    def chance(self, name):
        path = os.path.join(self.folder, f"random-{name}")
        if not os.path.exists(path):
            # Trials run side by side and may ask for the same name, so each writes a file of its own.
            with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as file:
                file.write(random.Random(f"arkived {name}").randbytes(2 << 20))
            os.rename(file.name, path)
        return path


def read(log):
    """The operations of a log, in the order they were done."""
    operations = []
    with open(log, "rb") as file:
        content = file.read()
    position = 0
    while position < len(content):
        size, kind, number, node, offset, first, second, data, _ = HEAD.unpack_from(
            content, position
        )
        body = position + HEAD.size
        operations.append(
            Operation(
                kind,
                number,
                node,
                offset,
                os.fsdecode(content[body : body + first]),
                os.fsdecode(content[body + first : body + first + second]),
                content[body + first + second : body + first + second + data],
            )
        )
        position += size
    return operations
