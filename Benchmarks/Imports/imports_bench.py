"""Measures how fast large exports of other programs come in, and writes the results. Started by
Benchmarks/Imports/run.

Each file of parts/ is one format: it writes an export of any size and names the peers.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from bench import positive, say  # noqa: E402
from imports_peers import Peer  # noqa: E402
from imports_report import page  # noqa: E402
from measure import Failed, MemoryWatch, run  # noqa: E402
from parted import PartedBench, add_folders, some_of  # noqa: E402
from workplace import Workplace, disk_bytes  # noqa: E402

QUICK = 5_000_000


def parts() -> dict[str, ModuleType]:
    """The formats, by their names: what lies in parts/."""
    found = {}
    for file in sorted((HERE / "parts").glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"imports_{file.stem}", file)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found[module.NAME] = module
    return found


class ImportsBench(PartedBench):
    """One run."""

    def __init__(self, workplace: Workplace, options: argparse.Namespace) -> None:
        super().__init__(workplace, options)
        self.parts = parts()

    def acts(self) -> dict[str, Callable[[], Any]]:
        return {
            name: lambda part=part: self.part(part) for name, part in self.parts.items()
        }

    def peer(self, name: str) -> Path:
        """A program of a peer."""
        program: Path = self.options.cache / "import-peers" / "bin" / name
        if not program.exists():
            raise Failed(f"{name} is not installed; start Benchmarks/Imports/run")
        return program

    # The exports

    def export(self, part: ModuleType, size: int) -> tuple[Path, dict[str, int]]:
        """An export of about so many bytes, written once and again when its writer changed."""
        assert part.__file__
        mark = hashlib.sha256(Path(part.__file__).read_bytes()).hexdigest()[:12]
        folder = self.workplace.data / f"{part.NAME}-{size}-{mark}"
        account = folder / "account.json"
        if not account.exists():
            for old in self.workplace.data.glob(f"{part.NAME}-{size}-*"):
                shutil.rmtree(old)
            folder.mkdir()
            counts = part.write(folder / part.FILE, size)
            account.write_text(json.dumps(counts))
        return folder / part.FILE, json.loads(account.read_text())

    # Measuring

    def imported(self, archive: Path, file: Path) -> dict[str, Any]:
        """One `arkived import`: its time, its memory, and what it says it did."""
        memory = MemoryWatch(every=0.01)
        ran = run(
            [self.workplace.arkived, "import", file, "--json"],
            self.workplace.environment(archive), keeps_output=True, memory=memory,
        )  # fmt: skip
        report = json.loads(ran.output)["runs"]
        return {
            "seconds": ran.seconds, "cpu": ran.cpu_seconds, "memory": memory.peak_bytes,
            "created": sum(sum(one["created"].values()) for one in report),
            "updated": sum(one["updated"] for one in report),
            "unchanged": sum(one["unchanged"] for one in report),
            "skipped": sum(one["skipped"] for one in report),
        }  # fmt: skip

    def part(self, part: ModuleType) -> dict[str, Any]:
        size = self.options.size or (QUICK if self.options.quick else part.SIZE)
        # ext4 looks at each file that was deleted a while ago before it makes another one there, so
        # that nothing is removed before all has been measured, and both exports are written first.
        archive = self.workplace.work / part.NAME
        half, _ = self.export(part, size // 2)
        file, counts = self.export(part, size)
        os.sync()
        halved = self.imported(self.workplace.work / f"{part.NAME}-half", half)
        first = self.imported(archive, file)
        if not first["created"]:
            raise Failed(f"nothing came in of {counts}")
        again = self.imported(archive, file)
        if again["created"] or again["updated"]:
            raise Failed(f"the second import made {again['created']} and {again['updated']}")
        figures = {
            "about": part.ABOUT, "bytes": file.stat().st_size, "counts": counts,
            "half": {"bytes": half.stat().st_size, **halved}, "first": first, "again": again,
            "disk": disk_bytes(archive),
            "limits": {"seconds": part.SECONDS, "megabytes": part.MEGABYTES, "size": part.SIZE},
            "rate": getattr(part, "RATE", None),
            "peers": [],
        }  # fmt: skip
        if not self.options.without_peers:
            for peer in part.peers(self):
                self.attempt(figures, peer, file)
        return figures

    def attempt(self, figures: dict[str, Any], peer: Peer, file: Path) -> None:
        """A peer that fails takes nothing from the figures beside it."""
        out = self.workplace.work / f"peer-{len(list(self.workplace.work.iterdir()))}"
        try:
            memory = MemoryWatch(every=0.01)
            ran = run(
                peer.arguments(file, out), self.workplace.environment(self.workplace.work),
                memory=memory,
            )  # fmt: skip
            figures["peers"].append(
                {
                    "name": peer.name, "seconds": ran.seconds, "memory": memory.peak_bytes,
                    "least": peer.least_ratio,
                }
            )  # fmt: skip
        except (Failed, OSError) as failure:
            self.failures.append({"part": peer.name, "what": str(failure)})
            say(f"{peer.name}: FAILED: {failure}")


def main() -> int:
    known = parts()
    parser = argparse.ArgumentParser(
        prog="Benchmarks/Imports/run", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="parts:\n" + "\n".join(f"  {n:14}{part.ABOUT}" for n, part in known.items()),
    )  # fmt: skip
    parser.add_argument("--size", type=positive, help="bytes of each export (default: its target's)")
    parser.add_argument("--only", type=some_of(known), default=set(known), help="parts")
    parser.add_argument("--without-peers", action="store_true", help="leaves the peers out")
    parser.add_argument("--quick", action="store_true", help="5 MB each; figures mean little")
    add_folders(parser, HERE)
    options = parser.parse_args()
    is_usual = not (options.quick or options.size or options.without_peers)
    bench = ImportsBench(Workplace(options.programs, options.cache), options)
    return bench.finish(
        HERE, known, is_usual, lambda results, failed: page(results, failed, "Benchmarks/Imports/run"))


if __name__ == "__main__":
    sys.exit(main())
