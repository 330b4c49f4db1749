"""Everything in a folder, so that two moments of it can be compared."""

import hashlib
import os
import stat


class Footprint:
    """Names, kinds, rights, sizes, times and contents of everything below a folder."""

    def __init__(self, folder):
        self.entries = {}
        if not os.path.isdir(folder):
            return
        self.entries["."] = described(folder)
        for path, folders, files in os.walk(folder):
            for name in (*folders, *files):
                whole = os.path.join(path, name)
                try:
                    self.entries[os.path.relpath(whole, folder)] = described(whole)
                except FileNotFoundError:
                    self.entries[os.path.relpath(whole, folder)] = ("vanished while it was read",)

    def names(self):
        return set(self.entries)

    def contents(self, below=""):
        """The hashes of the regular files whose path begins so, by path."""
        return {
            name: entry[-1]
            for name, entry in self.entries.items()
            if name.startswith(below) and entry[0] == "file"
        }

    def difference(self, later, ignoring=()):
        """A line for each path that differs in a later footprint; an empty list if none does."""
        lines = []
        for name in sorted(self.names() | later.names()):
            before, after = self.entries.get(name), later.entries.get(name)
            if before == after or name in ignoring:
                continue
            if before is None:
                lines.append(f"{name} was created")
            elif after is None:
                lines.append(f"{name} was removed")
            else:
                changed = [
                    what
                    for what, old, new in zip(PARTS, before, after, strict=False)
                    if old != new
                ]
                lines.append(f"{name}: other {', '.join(changed)}")
        return lines


PARTS = ("kind", "rights", "size", "time", "content")


def described(path):
    status = os.lstat(path)
    rights, time = stat.S_IMODE(status.st_mode), status.st_mtime_ns
    if stat.S_ISDIR(status.st_mode):
        return ("folder", rights, 0, time, "")
    if stat.S_ISLNK(status.st_mode):
        return ("link", rights, 0, time, os.readlink(path))
    if not stat.S_ISREG(status.st_mode):
        return ("other", rights, 0, time, "")
    return ("file", rights, status.st_size, time, digest(path))


def digest(path):
    """The SHA-256 of a file; what the system says where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except PermissionError as error:
        return str(error)
