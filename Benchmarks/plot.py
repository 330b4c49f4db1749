"""Draws time against size: plot.py RESULTS.json TARGET writes TARGET.svg and TARGET.png.

A program of its own, so that matplotlib is not in the memory of the one that measures.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
# The same figures give the same file.
matplotlib.rcParams["svg.hashsalt"] = "arkived"
matplotlib.rcParams["svg.fonttype"] = "none"

import matplotlib.pyplot as plt  # noqa: E402

Points = list[tuple[int, float]]
ARKIVED = {
    "add": ("arkived add", "#c0392b"),
    "search, common word": ("arkived search, common word", "#2471a3"),
    "today": ("arkived today", "#7d3c98"),
}
JRNL = {"add": ("jrnl add", "#c0392b"), "search, common word": ("jrnl search", "#2471a3")}


def series(results: dict[str, Any]) -> list[tuple[str, str, str, Points]]:
    """Label, colour, line style and points (entries, p50 in milliseconds) of each line."""
    lines = []
    # Where both measured a size, the archive with all parts counts.
    ours = results["journals"] + results["commands"]
    for command, (label, colour) in ARKIVED.items():
        lines.append((label, colour, "-o", points(ours, "arkived", command)))
    pages = [(server["size"], server["page"]["p50"]) for server in results["servers"]]
    lines.append(("day page over HTTP", "#1e8449", "-o", sorted(pages)))
    for command, (label, colour) in JRNL.items():
        lines.append((label, colour, "--s", points(results["journals"], "jrnl", command)))
    return [line for line in lines if line[3]]


def points(figures: list[dict[str, Any]], program: str, command: str) -> Points:
    found = {
        figure["size"]: figure["times"]["p50"]
        for figure in figures
        if figure["program"] == program and figure["command"] == command
    }
    return sorted(found.items())


def main(source: Path, target: Path) -> None:
    results = json.loads(source.read_text())
    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    for label, colour, style, found in series(results):
        sizes, times = zip(*found, strict=True)
        axes.plot(sizes, times, style, color=colour, label=label, markersize=4, linewidth=1.4)
    axes.set(
        xscale="log", yscale="log", xlabel="entries", ylabel="ms, middle of all runs",
        title="Time against size",
    )  # fmt: skip
    axes.grid(True, which="major", color="#dddddd", linewidth=0.6)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False, fontsize=8)
    figure.savefig(target.with_suffix(".svg"), metadata={"Date": None})
    figure.savefig(target.with_suffix(".png"), dpi=150)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
