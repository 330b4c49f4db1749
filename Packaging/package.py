#!/usr/bin/env python3
"""Makes the Debian package and the relocatable tarball of a program that is built.

Usage: package.py --program FILE [--output DIR] [--version V] [--schema N]. Prints the files it made. The
same program and SOURCE_DATE_EPOCH (else the last commit's time) give the same bytes. What
Scripts/package calls.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import make_manual

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
ICONS = PROJECT / "Sources" / "ArkivedWeb" / "Resources"
COMPLETIONS = {
    "bash": "share/bash-completion/completions/arkived",
    "zsh": "share/zsh/vendor-completions/_arkived",
    "fish": "share/fish/vendor_completions.d/arkived.fish",
}
# What ldd does not know: zones of time are data, and the libraries are loaded when they are first needed.
ALSO_NEEDED = ["libarchive13", "libical3", "libssl3", "libstemmer0d", "tzdata"]
RECOMMENDS = ["ca-certificates", "libvips42", "mythes-de", "trans-de-en", "wordnet-base", "xdg-utils"]
SUGGESTS = ["age", "python3", "python3-pip", "python3-venv", "unzip"]


def run(*words: str | Path, **settings: object) -> str:
    ran = subprocess.run([str(word) for word in words], capture_output=True, text=True, **settings)
    if ran.returncode != 0:
        sys.exit(f"package: {Path(str(words[0])).name} ended with {ran.returncode}: {ran.stderr.strip()}")
    return ran.stdout


def epoch() -> int:
    if told := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(told)
    commit = subprocess.run(
        ["git", "-C", str(PROJECT), "log", "-1", "--format=%ct"], capture_output=True, text=True)
    return int(commit.stdout) if commit.returncode == 0 and commit.stdout.strip() else int(time.time())


def schema_of(program: Path, work: Path) -> int:
    """The number of the newest step of the archive's schema that the program knows."""
    home = work / "probe"
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(home), "ARKIVED_HOME": str(home / "archive"),
        "ARKIVED_MODEL": str(home / "none"),
    }  # fmt: skip
    home.mkdir()
    run(program, "add", "a first line", env=environment)
    told = run(program, "backup", home / "a.zip", "--unencrypted", "--json", env=environment)
    found = re.search(r'"schema":\s*"0*(\d+)', told)
    if not found:
        sys.exit("package: the program does not say which schema it has")
    shutil.rmtree(home)
    return int(found[1])


def put(target: Path, content: bytes | str, mode: int = 0o644) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content.encode() if isinstance(content, str) else content)
    target.chmod(mode)


def lay_out(program: Path, root: Path, schema: int) -> None:
    """Everything that is installed, below a prefix."""
    put(root / "bin/arkived", program.read_bytes(), 0o755)
    run("strip", "--strip-unneeded", root / "bin/arkived")
    for shell, place in COMPLETIONS.items():
        put(root / place, run(program, "--generate-completion-script", shell))
    page = make_manual.of_program(program)
    put(root / "share/man/man1/arkived.1.gz", gzip.compress(page.encode(), 9, mtime=0))
    put(root / "share/applications/arkived.desktop", (HERE / "arkived.desktop").read_bytes())
    metainfo = "app.arkived.Arkived.metainfo.xml"
    put(root / "share/metainfo" / metainfo, (HERE / metainfo).read_bytes())
    icons = root / "share/icons/hicolor"
    put(icons / "scalable/apps/arkived.svg", (ICONS / "icon.svg").read_bytes())
    for size in (192, 512):
        put(icons / f"{size}x{size}/apps/arkived.png", (ICONS / f"icon-{size}.png").read_bytes())
    scripts = (
        "fetch_model.py", "fetch_voice.py", "fetch_places.py", "world_map.py", "make_dictionary.py", "make_thesaurus.py",
        "transcribe.py")
    for script in scripts:
        put(root / "share/arkived" / script, (PROJECT / "Scripts" / script).read_bytes())
    put(root / "share/arkived/schema", f"{schema}\n")
    # What the scripts that fetch models import.
    put(root / "share/arkived/fetching.py", (PROJECT / "Scripts/fetching.py").read_bytes())
    put(root / "share/doc/arkived/copyright", (HERE / "copyright").read_bytes())
    for page_name in ("README.md", "PRIVACY.md", "SECURITY.md"):
        put(root / "share/doc/arkived" / page_name, (PROJECT / page_name).read_bytes())


def needed(program: Path, work: Path, architecture: str) -> list[str]:
    """The packages of the linked libraries, with the versions that have what is used of them."""
    folder = work / "shlibs" / "debian"
    folder.mkdir(parents=True)
    put(folder / "control", f"Source: arkived\n\nPackage: arkived\nArchitecture: {architecture}\n")
    told = run("dpkg-shlibdeps", "-O", "-e", program, cwd=folder.parent)
    line = next(row for row in told.splitlines() if row.startswith("shlibs:Depends="))
    packages = [item.strip() for item in line.split("=", 1)[1].split(",")]
    return sorted(packages + ALSO_NEEDED)


def control(version: str, architecture: str, depends: list[str], kilobytes: int) -> str:
    return f"""Package: arkived
Version: {version}
Architecture: {architecture}
Maintainer: The authors of Arkived <arkived@localhost>
Installed-Size: {kilobytes}
Depends: {", ".join(depends)}
Recommends: {", ".join(RECOMMENDS)}
Suggests: {", ".join(SUGGESTS)}
Section: misc
Priority: optional
Description: private archive of your life on your own computer
 Keep your days, goals and meetings in one folder. Write plain lines, search by
 words and by meaning, and ask questions in plain language; every answer cites
 the entries that prove it. Arkived has a command line, a web app that only this
 computer can reach, an API and an MCP server. No account, no cloud, no
 telemetry.
 .
 The model for search by meaning isn't included. To download it, run:
 arkived index --fetch
"""


def files_of(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_file())


def settle(root: Path, when: int) -> None:
    """Rights and times that hang on nothing but the content."""
    for path in [root, *root.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)
        os.utime(path, (when, when), follow_symlinks=False)


def make_package(
    tree: Path, work: Path, version: str, architecture: str, depends: list[str], schema: int, when: int
) -> Path:
    root = work / "deb"
    shutil.copytree(tree, root / "usr")
    kilobytes = sum((path.stat().st_size + 1023) // 1024 for path in files_of(root))
    sums = [
        f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n"
        for path in files_of(root)
    ]
    put(root / "DEBIAN/control", control(version, architecture, depends, kilobytes))
    put(root / "DEBIAN/md5sums", "".join(sums))
    for script in ("preinst", "postinst", "prerm"):
        text = (HERE / script).read_text()
        text = text.replace("@SCHEMA@", str(schema)).replace("@VERSION@", version)
        put(root / "DEBIAN" / script, text, 0o755)
    settle(root, when)
    target = work / f"arkived_{version}_{architecture}.deb"
    environment = os.environ | {"SOURCE_DATE_EPOCH": str(when)}
    run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, target, env=environment)
    return target


def make_tarball(tree: Path, work: Path, version: str, depends: list[str], when: int) -> Path:
    name = f"arkived-{version}-linux-{os.uname().machine}"
    shutil.copytree(tree, work / name)
    text = (HERE / "README.tarball").read_text()
    libraries = " ".join(package.split(" ")[0] for package in depends)
    put(work / name / "README", text.replace("@VERSION@", version).replace("@DEPENDS@", libraries))
    put(work / name / "LICENSE", (PROJECT / "LICENSE").read_bytes())
    settle(work / name, when)
    target = work / f"{name}.tar.xz"
    run(
        "tar", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", f"--mtime=@{when}",
        "--use-compress-program=xz -6 -T2", "-C", work, "-cf", target, name)  # fmt: skip
    return target


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True, help="the built program")
    parser.add_argument("--output", type=Path, default=PROJECT / ".build" / "package")
    parser.add_argument("--version", help="another one than the program's own")
    parser.add_argument("--schema", type=int, help="another one than the program's own")
    options = parser.parse_args()
    program = options.program.resolve()
    when = epoch()
    os.environ["SOURCE_DATE_EPOCH"] = str(when)
    version = options.version or run(program, "--version").strip()
    architecture = run("dpkg", "--print-architecture").strip()
    options.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=options.output) as folder:
        work = Path(folder)
        schema = options.schema or schema_of(program, work)
        tree = work / "tree"
        lay_out(program, tree, schema)
        depends = needed(tree / "bin/arkived", work, architecture)
        made = [
            make_package(tree, work, version, architecture, depends, schema, when),
            make_tarball(tree, work, version, depends, when),
        ]
        installed = sum(path.stat().st_size for path in files_of(tree))
        for path in made:
            os.replace(path, options.output / path.name)
    print(json.dumps({
        "files": [str(options.output / path.name) for path in made], "version": version,
        "schema": schema, "depends": depends, "installedBytes": installed,
    }, indent=1))  # fmt: skip


if __name__ == "__main__":
    main()
