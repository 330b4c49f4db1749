"""A bare Debian 12 in a folder: what debootstrap makes, and nothing of this computer's."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
SOURCES = pathlib.Path("/etc/apt")


def mirror():
    """Where this computer's packages come from."""
    for file in [*SOURCES.glob("sources.list.d/*.sources"), SOURCES / "sources.list"]:
        if not file.exists():
            continue
        for line in file.read_text().splitlines():
            words = line.split()
            if words and words[0] == "URIs:":
                return words[1]
            if len(words) > 1 and words[0] == "deb":
                return next(word for word in words[1:] if "://" in word)
    return "http://deb.debian.org/debian"


class BareRoot:
    """Runs commands in the folder as root or as its owner; one that it made is gone after its `with`."""

    def __init__(self, folder=None):
        self.is_own = folder is None
        self.folder = pathlib.Path(folder or tempfile.mkdtemp(dir="/var/tmp")).resolve()

    def __enter__(self):
        if not (self.folder / "usr/bin/dpkg").exists():
            self.make()
        subprocess.run(["mount", "-t", "proc", "proc", self.folder / "proc"], check=True)
        self.settle()
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", "--lazy", self.folder / "proc"], check=True)
        if self.is_own:
            subprocess.run(["rm", "-rf", "--one-file-system", self.folder], check=True)

    def make(self):
        print(f"     making a bare system in {self.folder}", file=sys.stderr)
        subprocess.run(
            ["debootstrap", "--variant=minbase", "bookworm", self.folder, mirror()], check=True,
            stdout=subprocess.DEVNULL)

    def settle(self):
        """Lets its packages come from where this computer's come from, and gives it an owner."""
        shutil.copytree(
            SOURCES / "sources.list.d", self.folder / "etc/apt/sources.list.d", dirs_exist_ok=True)
        # Proxies and the like; what else is set is this computer's own.
        for file in (SOURCES / "apt.conf.d").iterdir():
            if "Acquire::" in file.read_text(errors="replace"):
                shutil.copy(file, self.folder / "etc/apt/apt.conf.d")
        for name in ("etc/apt/sources.list", "etc/resolv.conf", "etc/hosts"):
            target = self.folder / name
            if os.path.exists(f"/{name}"):
                target.unlink(missing_ok=True)
                shutil.copyfile(f"/{name}", target)
        certificates = "etc/ssl/certs/ca-certificates.crt"
        if os.path.exists(f"/{certificates}"):
            (self.folder / certificates).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(f"/{certificates}", self.folder / certificates)
        if self.run("id", "owner", check=False).returncode != 0:
            self.run("useradd", "--create-home", "--shell", "/bin/bash", "owner")
        self.run("apt-get", "update", "-qq")

    def words(self, words, owner=False, settings=None):
        home = "/home/owner" if owner else "/root"
        told = {"HOME": home, "LANG": "C.UTF-8", "PATH": PATH, "DEBIAN_FRONTEND": "noninteractive"}
        told |= {"ARKIVED_TIME_ZONE": "Europe/Berlin"} | (settings or {})
        return [
            "chroot", *(["--userspec=owner"] if owner else []), str(self.folder), "/usr/bin/env", "-i",
            *(f"{name}={value}" for name, value in told.items()), *map(str, words),
        ]  # fmt: skip

    def run(self, *words, owner=False, check=True, settings=None):
        ran = subprocess.run(
            self.words(words, owner, settings), capture_output=True, text=True,
            stdin=subprocess.DEVNULL)
        if check and ran.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, words))} ended with {ran.returncode}: {ran.stderr}")
        return ran

    def serve(self, *words):
        return subprocess.Popen(
            self.words(["arkived", "serve", "--json", *words], owner=True), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)

    def place(self, name):
        return self.folder / name.lstrip("/")
