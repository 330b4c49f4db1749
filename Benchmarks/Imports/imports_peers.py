"""Programs that read the same exports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Peer:
    """A program that reads the export and keeps what is in it."""

    name: str
    # The export and a place for what the peer makes of it, as the command to run.
    arguments: Callable[[Path, Path], list[str | Path]]
    # How many times as fast Arkived is to be.
    least_ratio: float = 1.0
