"""What is left on the disk when the power fails: a model of files and folders.

The model knows of every file what was flushed and what was only written, and of every folder which
names were flushed. It is stricter than most file systems: flushing a file says nothing about its
name, which counts as there only after its folder was flushed; and what was not flushed may be lost
in any part. Only the names of one folder keep their order, as every journalling file system does.
"""

import os
import shutil

import shim

SECTOR = 512
# Where imports are unpacked.
SCRATCH = ".importing"
POLICIES = ("power-none", "power-some", "power-names", "power-data")


class NotModelled(Exception):
    """An operation that the model does not know."""


class Unseen(Exception):
    """A path below a folder that the library did not see being made."""


class File:
    def __init__(self, content=b""):
        self.durable = content
        self.pending = []

    def whole(self):
        return self.content(lambda: True)

    def content(self, keeps):
        """What the file holds when `keeps` decides about each part that was not flushed."""
        content = bytearray(self.durable)
        for offset, data in self.pending:
            if data is None:
                if keeps():
                    del content[offset:]
                    content.extend(bytes(offset - len(content)))
                continue
            start = 0
            while start < len(data):
                end = min(len(data), start + SECTOR - (offset + start) % SECTOR)
                if keeps():
                    content.extend(bytes(max(0, offset + end - len(content))))
                    content[offset + start : offset + end] = data[start:end]
                start = end
        return bytes(content)

    def flush(self):
        self.durable = self.whole()
        self.pending = []


class Link:
    """A symbolic link: a name that leads elsewhere, there when its folder is flushed."""

    def __init__(self, target):
        self.target = target


class Folder:
    def __init__(self):
        self.durable = {}
        self.names = {}
        self.pending = []

    def change(self, *changes):
        """Names that appear (with their node) or go (with None), in one step."""
        self.pending.append(changes)
        Folder.make(self.names, changes)

    @staticmethod
    def make(names, changes):
        for name, node in changes:
            if node is None:
                names.pop(name, None)
            else:
                names[name] = node

    def content(self, count):
        """The names that are there when the first `count` changes reached the disk."""
        names = dict(self.durable)
        for changes in self.pending[:count]:
            Folder.make(names, changes)
        return names

    def flush(self):
        self.durable = dict(self.names)
        self.pending = []


class Disk:
    """A folder and all below it, as the operations leave it."""

    def __init__(self, root):
        self.root = root
        self.nodes = {}
        self.unseen = {}
        self.top = self.load(root)

    def load(self, path):
        number = os.lstat(path).st_ino
        if os.path.islink(path):
            return Link(os.readlink(path))
        if os.path.isdir(path):
            node = Folder()
            for name in os.listdir(path):
                node.durable[name] = self.load(os.path.join(path, name))
            node.names = dict(node.durable)
        else:
            with open(path, "rb") as file:
                node = File(file.read())
        self.nodes[number] = node
        return node

    def meet(self, operations):
        """Reads what came under its name by a rename, after the operations.

        The process that reads imports unpacks where the library does not look, since it passes on
        no environment; the model meets its files when they are moved, with nothing flushed.
        """
        numbers = {it.file for it in operations if it.kind == shim.RENAME}
        for folder, _, names in os.walk(self.root):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.isfile(path) and os.lstat(path).st_ino in numbers:
                    with open(path, "rb") as file:
                        self.unseen[os.lstat(path).st_ino] = file.read()

    def place(self, path):
        """The folder of a path, and its name there."""
        folder = self.top
        parts = os.path.relpath(path, self.root).split("/")
        for part in parts[:-1]:
            if part not in folder.names and SCRATCH in parts:
                raise Unseen
            folder = folder.names[part]
        return folder, parts[-1]

    def come(self, operation):
        """Takes in a file of another process, which is moved to where the library looks."""
        node = File()
        # One that is gone by now was a second copy, and nothing is left of it to compare.
        node.pending.append((0, self.unseen.get(operation.file, b"")))
        self.nodes[operation.file] = node
        folder, name = self.place(operation.second)
        folder.change((name, node))

    def node(self, operation):
        found = self.nodes.get(operation.file)
        if found is None:
            raise NotModelled(f"an unknown file: {operation.told(self.root)}")
        return found

    def do(self, operation):
        try:
            self.make(operation)
        except Unseen:
            if operation.kind == shim.RENAME:
                self.come(operation)
            elif operation.kind not in (shim.UNLINK, shim.REMOVE_FOLDER):
                raise NotModelled(operation.told(self.root)) from None

    def make(self, operation):
        kind = operation.kind
        if kind in (shim.SAID, shim.MODE):
            return
        if kind in (shim.WRITE, shim.TRUNCATE):
            data = operation.data if kind == shim.WRITE else None
            self.node(operation).pending.append((operation.offset, data))
        elif kind == shim.SYNC:
            self.node(operation).flush()
        elif kind == shim.SYNC_ALL:
            for node in self.nodes.values():
                node.flush()
        elif kind in (shim.CREATE, shim.MAKE_FOLDER):
            folder, name = self.place(operation.path)
            node = File() if kind == shim.CREATE else Folder()
            self.nodes[operation.file] = node
            folder.change((name, node))
        elif kind == shim.SYMLINK:
            folder, name = self.place(operation.path)
            folder.change((name, Link(operation.second)))
        elif kind in (shim.UNLINK, shim.REMOVE_FOLDER):
            folder, name = self.place(operation.path)
            folder.change((name, None))
        elif kind == shim.RENAME:
            folder, name = self.place(operation.path)
            target, new_name = self.place(operation.second)
            if operation.offset:
                raise NotModelled(operation.told(self.root))
            node = folder.names[name]
            if folder is target:
                folder.change((name, None), (new_name, node))
            else:
                # Each folder is flushed by itself: a file may have both names, or none.
                folder.change((name, None))
                target.change((new_name, node))
        else:
            raise NotModelled(operation.told(self.root))

    def write(self, target, policy, random):
        """Makes a folder that holds what the power left."""

        def rest(node):
            if isinstance(node, Link):
                return node
            if isinstance(node, Folder):
                most = len(node.pending)
                count = {
                    "power-none": 0,
                    "power-data": 0,
                    "power-names": most,
                    "whole": most,
                    "power-some": random.randint(0, most),
                }[policy]
                names = node.content(count)
                return {name: rest(names[name]) for name in sorted(names)}
            if policy in ("power-data", "whole"):
                return node.whole()
            if policy == "power-some" and node.pending:
                share = random.choice((0, 0.1, 0.5, 0.9, 1))
                return node.content(lambda: random.random() < share)
            return node.durable

        def put(path, content):
            if isinstance(content, Link):
                return os.symlink(content.target, path)
            if isinstance(content, bytes):
                with open(path, "wb") as file:
                    file.write(content)
                os.chmod(path, 0o600)
                return
            os.mkdir(path, 0o700)
            for name, inner in content.items():
                # Shared memory is no file's content; SQLite makes it anew after a crash.
                if not name.endswith("-shm"):
                    put(os.path.join(path, name), inner)

        shutil.rmtree(target, ignore_errors=True)
        put(target, rest(self.top))

    def difference(self):
        """Where the model and the real folder differ when nothing is lost; empty when nowhere.

        A difference is an operation that the library did not see, other than where imports are
        unpacked: what a killed one left there stays a while.
        """

        def compare(path, node):
            if os.path.basename(path) == SCRATCH:
                return []
            if isinstance(node, Link):
                same = os.path.islink(path) and os.readlink(path) == node.target
                return [] if same else [f"{path} leads elsewhere"]
            if isinstance(node, Folder):
                names = set(os.listdir(path)) if os.path.isdir(path) else set()
                if names != set(node.names):
                    return [f"{path} holds {sorted(names)}, not {sorted(node.names)}"]
                return [
                    line
                    for name in sorted(names)
                    for line in compare(os.path.join(path, name), node.names[name])
                ]
            with open(path, "rb") as file:
                if path.endswith("-shm") or file.read() == node.whole():
                    return []
            return [f"{path} has other content"]

        return compare(self.root, self.top)
