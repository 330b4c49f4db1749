"""What the installed program takes up, and what its service takes while nobody asks anything."""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
# Until then it reads the archive for its indexes and makes thumbnails.
SETTLE_SECONDS = 45
SAMPLE_SECONDS = 5


class Resting:
    """What a process takes over a time: of the processor, of memory, and how often it wakes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.pid = process.pid
        self.most_resident = self.most_own = 0
        self.begin()

    def begin(self) -> None:
        self.cpu = self.cpu_seconds()
        self.wakes = self.wake_count()
        self.since = time.monotonic()

    def cpu_seconds(self) -> float:
        """By the process's own clock, which counts in nanoseconds (clock_getcpuclockid(3))."""
        return time.clock_gettime(~self.pid << 3 | 2)

    def wake_count(self) -> int:
        total = 0
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            found = re.search(r"^voluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text(), re.M)
            total += int(found[1]) if found else 0
        return total

    def sample(self) -> None:
        told = Path(f"/proc/{self.pid}/status").read_text()

        def bytes_of(name: str) -> int:
            found = re.search(rf"^{name}:\s+(\d+) kB", told, re.M)
            return int(found[1]) * 1024 if found else 0

        self.most_resident = max(self.most_resident, bytes_of("VmRSS"))
        self.most_own = max(self.most_own, bytes_of("RssAnon"))

    def figures(self) -> dict[str, float]:
        seconds = time.monotonic() - self.since
        return {
            "percentOfACore": 100 * (self.cpu_seconds() - self.cpu) / seconds,
            "wakesASecond": (self.wake_count() - self.wakes) / seconds,
            "residentMB": self.most_resident / 1e6, "ownMB": self.most_own / 1e6,
        }  # fmt: skip


def packed(program: Path, work: Path) -> dict[str, float]:
    told = subprocess.run(
        ["/usr/bin/python3", "-B", PROJECT / "Packaging/package.py", "--program", program,
         "--output", work / "package"],
        check=True, capture_output=True, text=True)  # fmt: skip
    made = json.loads(told.stdout)
    return {
        "installedMB": made["installedBytes"] / 1e6,
        "debMB": Path(made["files"][0]).stat().st_size / 1e6,
        "tarballMB": Path(made["files"][1]).stat().st_size / 1e6,
    }


def rested(program: Path, work: Path, minutes: float) -> tuple[dict[str, float], dict[str, float]]:
    """The service and its peer over the same minutes."""
    home = work / "archive"
    environment = {
        **os.environ, "ARKIVED_HOME": str(home), "ARKIVED_TIME_ZONE": "Europe/Berlin",
    }  # fmt: skip
    for words in (["sample"], ["index"]):
        subprocess.run(
            [program, *words], env=environment, check=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
    (work / "empty").mkdir()
    service = subprocess.Popen(
        [program, "serve", "--port", "0", "--no-login", "--json"], env=environment,
        stdout=subprocess.PIPE)
    peer = subprocess.Popen(
        ["/usr/bin/python3", "-m", "http.server", "--bind", "127.0.0.1", "0"], cwd=work / "empty",
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert service.stdout and service.stdout.readline()
        time.sleep(SETTLE_SECONDS)
        watched = [Resting(service), Resting(peer)]
        end = time.monotonic() + minutes * 60
        while time.monotonic() < end:
            for one in watched:
                one.sample()
            time.sleep(min(SAMPLE_SECONDS, max(0.0, end - time.monotonic())))
        return watched[0].figures(), watched[1].figures()
    finally:
        for process in (service, peer):
            process.terminate()
            process.wait(timeout=60)


def table(size: dict[str, float], ours: dict[str, float], peer: dict[str, float], minutes: float) -> str:
    def ratio(name: str) -> str:
        return f"{ours[name] / peer[name]:.1f}" if peer[name] > 0 else "—"

    rows = [
        f"# Installed and at rest\n\n{date.today().isoformat()}, {os.cpu_count()} cores, ten years of the "
        f"sample life, {minutes:g} minutes.\n",
        "| | measured | wanted | met |\n|---|---|---|---|",
    ]
    for name, value, most, unit in targets(size, ours):
        met = "yes" if value < most else "no"
        rows.append(f"| {name} | {value:.3g} {unit} | under {most:g} {unit} | {met} |")
    rows += [
        "\n| at rest | arkived | python3 -m http.server | ratio |\n|---|---|---|---|",
        *(
            f"| {label} | {ours[name]:.3g} | {peer[name]:.3g} | {ratio(name)} |"
            for label, name in (
                ("processor, % of a core", "percentOfACore"), ("wakes a second", "wakesASecond"),
                ("memory, MB", "residentMB"), ("of it its own, MB", "ownMB"),
            )
        ),
        f"\nThe package has {size['debMB']:.1f} MB, the tarball {size['tarballMB']:.1f} MB.",
    ]  # fmt: skip
    return "\n".join(rows) + "\n"


def targets(size: dict[str, float], ours: dict[str, float]) -> list[tuple[str, float, float, str]]:
    return [
        ("installed, without weights of models", size["installedMB"], 150, "MB"),
        ("memory of the service at rest", ours["residentMB"], 100, "MB"),
        ("processor of the service at rest", ours["percentOfACore"], 0.1, "%"),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--minutes", type=float)
    options = parser.parse_args()
    minutes = options.minutes or 10
    with tempfile.TemporaryDirectory(prefix="arkived-installed-") as folder:
        size = packed(options.program.resolve(), Path(folder))
        ours, peer = rested(options.program.resolve(), Path(folder), minutes)
    text = table(size, ours, peer, minutes)
    print(text)
    if options.minutes is None:
        (HERE / "RESULTS.md").write_text(text)
    return 0 if all(value < most for _, value, most, _ in targets(size, ours)) else 1


if __name__ == "__main__":
    sys.exit(main())
