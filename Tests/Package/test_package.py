#!/usr/bin/env python3
"""Installs the Debian package in a bare Debian 12 without Swift, uses it, and takes it away again.

Also makes the sample life, and starts what its service's unit starts, without a manager of services.

Usage, as root: test_package.py [--deb FILE] [--root DIR]. Without --deb it is built by Scripts/package.
DIR is a bare root that debootstrap made (it is changed), or where one is to be made; without it one is
made and thrown away. Needs what ./setup --package installs. Says what it saw; exits 1 where something
was not as it should be.
"""

import argparse
import contextlib
import json
import pathlib
import shlex
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from bare_root import BareRoot

PROJECT = pathlib.Path(__file__).resolve().parents[2]
OLD_SCHEMA = PROJECT / "Tests/Faults/archive-002.sql"
HOME = "/home/owner/.local/share/arkived"


class Checks:
    def __init__(self):
        self.failed = 0

    def check(self, what, holds, seen=""):
        print(f"{'ok  ' if holds else 'FAIL'} {what}" + ("" if holds else f": {seen}"), flush=True)
        self.failed += not holds


def repacked(deb, folder, version, schema):
    """The package as another version of itself, unpressed."""
    tree = folder / f"tree-{version}"
    subprocess.run(["dpkg-deb", "-R", deb, tree], check=True)
    control = tree / "DEBIAN/control"
    lines = control.read_text().splitlines()
    control.write_text(
        "".join(f"Version: {version}\n" if it.startswith("Version:") else it + "\n" for it in lines))
    own = (tree / "usr/share/arkived/schema").read_text().strip()
    (tree / "usr/share/arkived/schema").write_text(f"{schema}\n")
    preinst = tree / "DEBIAN/preinst"
    preinst.write_text(preinst.read_text().replace(f"schema={own}", f"schema={schema}"))
    target = folder / f"arkived_{version}.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Znone", "-b", tree, target], check=True,
        stdout=subprocess.DEVNULL)
    shutil.rmtree(tree)
    return target


def older_archive(bare, name):
    """An archive of a program from long ago, in the owner's home."""
    folder = bare.place(f"/home/owner/{name}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    with contextlib.closing(sqlite3.connect(folder / "archive.sqlite")) as database:
        database.executescript(OLD_SCHEMA.read_text())
    bare.run("chown", "-R", "owner:", f"/home/owner/{name}")
    return f"/home/owner/{name}"


def fetched(url, token=None, method="GET"):
    """Status of an answer that leads nowhere else, and its text."""
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_):
            return None

    headers = {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(url, headers=headers, method=method)
    try:
        with urllib.request.build_opener(Stay).open(request, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def installs(checks, bare, older):
    checks.check("there is no Swift", bare.run("sh", "-c", "command -v swift", check=False).returncode != 0)
    shutil.copyfile(older, bare.place("/opt/older.deb"))
    bare.run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "/opt/older.deb")
    told = bare.run("arkived", "--version", owner=True)
    checks.check("it starts", told.stdout.strip() != "", told.stderr)
    for place in (
        "usr/share/man/man1/arkived.1.gz", "usr/share/bash-completion/completions/arkived",
        "usr/share/zsh/vendor-completions/_arkived", "usr/share/fish/vendor_completions.d/arkived.fish",
        "usr/share/applications/arkived.desktop", "usr/share/arkived/fetch_model.py",
        "usr/share/icons/hicolor/scalable/apps/arkived.svg",
    ):  # fmt: skip
        checks.check(f"/{place} is there", bare.place(place).exists())


def is_used(checks, bare):
    def arkived(*words):
        return bare.run("arkived", *words, owner=True, check=False)

    added = arkived("lunch", "with", "Sam", "12:30-13:15", "#friends", "--json")
    checks.check("a line is written", added.returncode == 0, added.stderr)
    arkived("yesterday", "at", "7am:", "ran", "5", "km")
    found = json.loads(arkived("search", "lunch", "--json").stdout)["results"]
    checks.check("and found", len(found) == 1, found)
    answer = json.loads(arkived("ask", "how far did I run this month?", "--json").stdout)
    checks.check("a question is answered", answer["citationCount"] == 1, answer)
    told = arkived("index", "--fetch")
    checks.check(
        "without Python the model is not fetched, and it says what to do",
        told.returncode == 69 and "python3" in told.stderr, told.stderr)
    told = arkived("service", "install")
    checks.check(
        "without systemd no service is installed, and it says so",
        told.returncode == 69 and "systemctl" in told.stderr
        and not bare.place("/home/owner/.config/systemd/user/arkived.service").exists(), told.stderr)
    told = arkived("open")
    checks.check(
        "without a server nothing is opened, and it says what to type",
        told.returncode == 69 and "arkived serve" in told.stderr, told.stderr)


def is_served(checks, bare):
    server = bare.serve("--port", "0")
    try:
        said = json.loads(server.stdout.readline())
        status, text = fetched(said["url"] + "api/v1/search?query=lunch", said["token"])
        checks.check("the API answers", status == 200 and "lunch" in text, text[:200])
        link = bare.run("arkived", "open", "--print", owner=True).stdout.strip()
        checks.check("open prints a link that works", fetched(link)[0] == 303, link)
        checks.check("and works once", fetched(link)[0] == 403, link)
        second = bare.run("arkived", "serve", owner=True, check=False)
        checks.check(
            "a second server finds the first", second.returncode == 75 and said["url"] in second.stderr,
            second.stderr)
    finally:
        server.terminate()
        server.wait(timeout=60)
    checks.check("it ends in good order", server.returncode == 0, server.stderr.read())


def has_a_sample(checks, bare):
    told = bare.run("arkived", "--archive", "/home/owner/sample", "sample", owner=True, check=False)
    found = bare.run(
        "arkived", "--archive", "/home/owner/sample", "search", "--count", owner=True, check=False)
    checks.check(
        "the sample life is made", told.returncode == 0 and found.returncode == 0,
        told.stderr + found.stderr)


def unit_words(unit):
    """What the unit starts, as systemd reads it."""
    line = next(it for it in unit.splitlines() if it.startswith("ExecStart="))
    words = shlex.split(line.removeprefix("ExecStart="))
    return [word.replace("%%", "%").replace("$$", "$") for word in words]


def is_a_service(checks, bare):
    """No manager of services runs here: its checker reads the unit, and what the unit starts is started with
    the two of its protections that need none, no new rights and private files. The others are systemd's
    filters.
    """
    bare.run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "systemd")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    told = bare.run("arkived", "service", "install", "--port", port, owner=True, check=False)
    name = "/home/owner/.config/systemd/user/arkived.service"
    if not bare.place(name).exists():
        checks.check("with systemd the unit is written", False, told.stderr)
        return
    told = bare.run("systemd-analyze", "--user", "verify", "--man=no", name, owner=True, check=False)
    checks.check("systemd finds nothing to say about the unit", "arkived" not in told.stderr, told.stderr)
    words = unit_words(bare.place(name).read_text())
    shell = ["setpriv", "--no-new-privs", "sh", "-c", 'umask 0077; exec "$@"', "sh", *words]
    server = subprocess.Popen(
        bare.words(shell, owner=True), text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 60
        status = None
        while status is None and server.poll() is None and time.monotonic() < end:
            with contextlib.suppress(OSError):
                status, _ = fetched(f"http://127.0.0.1:{port}/api/v1/days/2026-03-14")
            time.sleep(0.1)
        checks.check("what the unit starts answers, to those who may ask", status == 401, status)
        link = bare.run("arkived", "open", "--print", owner=True, check=False).stdout.strip()
        checks.check("and its owner comes in", link != "" and fetched(link)[0] == 303, link)
    finally:
        server.terminate()
        said = server.communicate(timeout=60)[1]
    checks.check("it ends as a service is ended", server.returncode == 0, said)
    open_files = [
        str(path) for path in bare.place(HOME).rglob("*")
        if path.lstat().st_mode & 0o077 and not path.is_symlink()
    ]  # fmt: skip
    checks.check("none of its files is another account's to read", open_files == [], open_files)
    bare.run("arkived", "service", "remove", owner=True, check=False)
    checks.check("the service is removed", not bare.place(name).exists())


def is_upgraded(checks, bare, deb):
    old = older_archive(bare, "old")
    shutil.copyfile(deb, bare.place("/opt/arkived.deb"))
    bare.run("dpkg", "--install", "/opt/arkived.deb")
    found = json.loads(bare.run("arkived", "search", "lunch", "--json", owner=True).stdout)["results"]
    checks.check("after an upgrade everything is there", len(found) == 1, found)
    told = bare.run("arkived", "--archive", old, "search", "--count", owner=True, check=False)
    snapshots = [path.name for path in bare.place(f"{old}/snapshots").glob("before-*.sqlite")]
    checks.check(
        "an old archive is brought up to date, with a snapshot before",
        told.returncode == 0 and len(snapshots) > 0, (told.stderr, snapshots))
    is_left_alone_where_the_disk_is_full(checks, bare)
    for name in snapshots[:1]:
        with contextlib.closing(sqlite3.connect(bare.place(f"{old}/snapshots/{name}"))) as copy:
            verdict = copy.execute("PRAGMA integrity_check").fetchone()[0]
        checks.check("which is whole", verdict == "ok", verdict)


def content(file):
    """What an archive holds, and which steps of the schema it has."""
    with contextlib.closing(sqlite3.connect(file)) as database:
        return [
            database.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
            for table in ("grdb_migrations", "activities", "days", "history")
        ]


def is_left_alone_where_the_disk_is_full(checks, bare):
    folder = bare.place("/home/owner/small")
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", folder], check=True)
    try:
        small = older_archive(bare, "small/life")
        file = bare.place(f"{small}/archive.sqlite")
        before = content(file)
        filler = folder / "filler"
        free = shutil.disk_usage(folder).free
        filler.write_bytes(b"x" * max(0, free - file.stat().st_size // 2 - 65_536))
        told = bare.run("arkived", "--archive", small, "today", owner=True, check=False)
        checks.check(
            "on a full disk the old archive stays as it is, and it says so",
            told.returncode == 74 and "disk" in told.stderr and content(file) == before,
            (told.returncode, told.stderr))
        filler.unlink()
        told = bare.run("arkived", "--archive", small, "today", owner=True, check=False)
        checks.check("and with room it is brought up to date", told.returncode == 0, told.stderr)
    finally:
        subprocess.run(["umount", folder], check=True)


def is_not_downgraded(checks, bare, newer):
    ahead = older_archive(bare, "ahead")
    bare.run("arkived", "--archive", ahead, "today", owner=True)
    with contextlib.closing(sqlite3.connect(bare.place(f"{ahead}/archive.sqlite"))) as database:
        database.execute("INSERT INTO grdb_migrations VALUES ('999-of-a-newer-version')")
        database.commit()
    bare.run("chown", "-R", "owner:", ahead)
    told = bare.run("arkived", "--archive", ahead, "today", owner=True, check=False)
    checks.check(
        "an archive of a newer version is refused politely",
        told.returncode == 77 and "newer Arkived" in told.stderr, told.stderr)
    shutil.copyfile(newer, bare.place("/opt/newer.deb"))
    bare.run("dpkg", "--install", "/opt/newer.deb")
    told = bare.run("dpkg", "--install", "/opt/arkived.deb", check=False)
    checks.check(
        "a downgrade that could not open its archives is refused",
        told.returncode != 0 and "ARKIVED_DOWNGRADE" in told.stderr, told.stderr)
    version = bare.run("dpkg-query", "-W", "-f=${Version} ${db:Status-Abbrev}", "arkived").stdout
    checks.check("and the newer version stays whole", version.split() == ["99.0", "ii"], version)
    told = bare.run(
        "dpkg", "--install", "/opt/arkived.deb", check=False, settings={"ARKIVED_DOWNGRADE": "yes"})
    checks.check("unless its owner insists", told.returncode == 0, told.stderr)


def is_removed(checks, bare):
    before = sorted(str(path) for path in bare.place(HOME).rglob("*"))
    told = bare.run("apt-get", "remove", "-y", "-qq", "arkived")
    checks.check("removal says where archives are", "archives stay" in told.stdout + told.stderr)
    bare.run("dpkg", "--install", "/opt/arkived.deb")
    bare.run("dpkg", "--purge", "arkived")
    left = [
        str(path) for folder in ("usr", "etc", "var/lib/arkived")
        for path in bare.place(folder).rglob("*arkived*")
    ]  # fmt: skip
    checks.check("nothing of the program is left", left == [], left)
    after = sorted(str(path) for path in bare.place(HOME).rglob("*"))
    checks.check("the archive is, whole", before == after and any("sqlite" in it for it in after), after)


def built(deb):
    if deb:
        return pathlib.Path(deb).resolve()
    told = subprocess.run([PROJECT / "Scripts/package"], check=True, capture_output=True, text=True)
    return pathlib.Path(json.loads(told.stdout)["files"][0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deb")
    parser.add_argument("--root")
    options = parser.parse_args()
    checks = Checks()
    begin = time.monotonic()
    with contextlib.ExitStack() as stack:
        work = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/var/tmp")))
        deb = built(options.deb)
        size = deb.stat().st_size
        bare = stack.enter_context(BareRoot(options.root))
        bare.run("apt-get", "purge", "-y", "-qq", "arkived", "systemd", check=False)
        for folder in (HOME, "/home/owner/sample"):
            shutil.rmtree(bare.place(folder), ignore_errors=True)
        installs(checks, bare, repacked(deb, work, "0.0.1", 1))
        is_used(checks, bare)
        has_a_sample(checks, bare)
        is_served(checks, bare)
        is_a_service(checks, bare)
        is_upgraded(checks, bare, deb)
        is_not_downgraded(checks, bare, repacked(deb, work, "99.0", 999))
        is_removed(checks, bare)
    print(f"{deb.name}: {size / 1e6:.0f} MB packed; {time.monotonic() - begin:.0f} s")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
