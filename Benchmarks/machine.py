"""What a run was made on, as far as it explains the figures."""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
import time
from datetime import date
from pathlib import Path
from typing import Any

from measure import Sample
from workplace import Workplace


def describe(workplace: Workplace) -> dict[str, Any]:
    return {
        "date": date.today().isoformat(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": f"{distribution()}, Linux {'.'.join(platform.release().split('.')[:2])}",
        "file_system": said("findmnt", "-n", "-o", "FSTYPE", "-T", str(workplace.work)),
        "load": round(os.getloadavg()[0], 2),
        "flush_ms": flush_milliseconds(workplace.work),
        "sqlite": sqlite3.sqlite_version,
        "python": platform.python_version(),
        "swift": said("swift", "--version").splitlines()[0],
        "commit": commit(),
    }


def said(*arguments: str) -> str:
    """What a program prints; "unknown" when it is missing or fails."""
    try:
        answer = subprocess.run(arguments, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return answer.stdout.strip() or "unknown"


def commit() -> str:
    """The commit that was measured, and whether its files had been changed since."""
    here = str(Path(__file__).parent)
    head = said("git", "-C", here, "rev-parse", "--short=12", "HEAD")
    changes = said("git", "-C", here, "status", "--porcelain", "--untracked-files=no")
    return head if changes == "unknown" else f"{head} with changes"


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def distribution() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return "unknown system"


def flush_milliseconds(folder: Path) -> float:
    """The middle time of appending 4 KiB to a file and flushing them: no synced write is faster."""
    sample = Sample()
    file = folder / "flush"
    with file.open("wb", buffering=0) as handle:
        for _ in range(100):
            begin = time.perf_counter()
            handle.write(b"\0" * 4096)
            os.fdatasync(handle.fileno())
            sample.seconds.append(time.perf_counter() - begin)
    file.unlink()
    return round(sample.p50 * 1000, 3)
