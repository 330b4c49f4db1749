"""How long an entry waits while another process imports."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

from commands import added_line
from measure import Failed, Sample, run
from results import Results, WaitFigure
from workplace import TODAY, Archive, Life, Workplace


def measure_waiting(
    workplace: Workplace, archive: Archive, further: Life, results: Results
) -> None:
    """Imports another life into an archive and adds entries until it is in.

    Every entry that was said to be written must be there afterwards.
    """
    folder = archive.folder
    written_before = entries_of_today(workplace, archive)
    sample = Sample()
    refused = 0
    with ThreadPoolExecutor(max_workers=1) as beside:
        importing = beside.submit(
            workplace.call, folder, "import", str(further.file), "--json", keeps_output=True
        )
        while not importing.done():
            line = added_line(len(sample.seconds))
            added = run([workplace.arkived, *line], workplace.environment(folder), may_fail=True)
            sample.seconds.append(added.seconds)
            refused += added.status != 0
        imported = importing.result()
    created = json.loads(imported.output)["runs"][0]["created"]
    if created.get("activity") != further.activities:
        raise Failed(f"the import made {created} of {further.activities} activities")
    written = entries_of_today(workplace, archive) - written_before
    acknowledged = len(sample.seconds) - refused
    if written != acknowledged:
        raise Failed(f"{acknowledged} entries were acknowledged and {written} are there")
    results.waits.append(
        WaitFigure(
            size=archive.life.activities,
            imported=further.activities,
            import_seconds=imported.seconds,
            adds=len(sample.seconds),
            p50_ms=sample.p50 * 1000,
            longest_ms=max(sample.seconds) * 1000,
            refused=refused,
        )
    )


def entries_of_today(workplace: Workplace, archive: Archive) -> int:
    """How many entries of today were typed by hand as `added_line` types them."""
    day = workplace.call(archive.folder, "day", TODAY, "--json", keeps_output=True)
    activities = json.loads(day.output)["activities"]
    return sum(
        activity["text"].startswith("lunch with Alex Kim at the harbour") for activity in activities
    )
