"""What a run measured, as it is kept in results.json."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from measure import Sample


@dataclass
class Times:
    """Milliseconds of the same thing done again and again."""

    p50: float
    p99: float
    runs: int

    @classmethod
    def of(cls, sample: Sample) -> Times:
        return cls(sample.p50 * 1000, sample.p99 * 1000, len(sample.seconds))


@dataclass
class ImportFigure:
    """A bulk import into an empty archive, whole process."""

    size: int
    seconds: float
    rate: float
    cpu_seconds: float
    peak_bytes: int
    disk_bytes: int
    file_bytes: int
    # Activities per second of the kinds of `sqlite_peer.KINDS`.
    sqlite_rates: dict[str, float] = field(default_factory=dict)


@dataclass
class CommandFigure:
    """A command line, whole process, on an archive or journal of so many entries."""

    size: int
    command: str
    program: str
    times: Times
    cpu_ms: float
    peak_bytes: int | None = None
    failed_runs: int = 0


@dataclass
class ServerFigure:
    """`arkived serve` on an archive."""

    size: int
    ready: Times
    rest_bytes: int
    busy_bytes: int
    page: Times
    api_day: Times
    api_search: Times


@dataclass
class WriteFigure:
    """One entry written and flushed: by Arkived, and by SQLite in turn with it."""

    size: int
    # "http" through the running server, "inside" one process.
    way: str
    arkived: Times
    one_table: Times
    same_rows: Times


@dataclass
class WaitFigure:
    """`arkived add` again and again while another process imports."""

    size: int
    imported: int
    import_seconds: float
    adds: int
    p50_ms: float
    longest_ms: float
    refused: int


@dataclass
class Failure:
    """Something that could not be measured."""

    part: str
    size: int
    message: str


@dataclass
class Results:
    machine: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    imports: list[ImportFigure] = field(default_factory=list)
    commands: list[CommandFigure] = field(default_factory=list)
    journals: list[CommandFigure] = field(default_factory=list)
    servers: list[ServerFigure] = field(default_factory=list)
    writes: list[WriteFigure] = field(default_factory=list)
    waits: list[WaitFigure] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    def json(self) -> dict[str, Any]:
        return asdict(self)
