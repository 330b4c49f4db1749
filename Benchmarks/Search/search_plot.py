"""Draws time against size: search_plot.py RESULTS.json TARGET writes TARGET.svg and TARGET.png."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
# The same figures give the same file.
matplotlib.rcParams["svg.hashsalt"] = "arkived"
matplotlib.rcParams["svg.fonttype"] = "none"

import matplotlib.pyplot as plt  # noqa: E402

SEARCH = {
    ("hybrid", "p50"): ("both, p50", "#c0392b", "-o"),
    ("hybrid", "p99"): ("both, p99", "#c0392b", ":o"),
    ("words", "p50"): ("words, p50", "#2471a3", "-o"),
    ("keys", "p99"): ("a key, p99", "#7d3c98", ":o"),
}


def main(source: Path, target: Path) -> None:
    measured = json.loads(source.read_text())
    results = {name: part["figures"] for name, part in measured.items()}
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    found = results.get("search", [])
    for (mode, quantile), (label, colour, style) in SEARCH.items():
        points = [(f["size"], f[mode][quantile]) for f in found]
        draw(left, points, label, colour, style)
    left.set(title="Search over HTTP")
    rows = results.get("vectors", [])
    draw(right, [(f["rows"], f["arkivedMs"]) for f in rows], "vectors", "#1e8449", "-o")
    draw(right, [(f["rows"], f["faissFlatMs"]) for f in rows], "faiss Flat", "#1e8449", "--s")
    for name, colour in (("and 2 common", "#2471a3"), ("or 4", "#b9770e")):
        texts = results.get("words", [])
        for key, who, style in (("ours", "words", "-o"), ("tantivy", "tantivy", "--s")):
            points = [(f["size"], f["classes"][name][key]["p50"]) for f in texts]
            draw(right, points, f"{who}: {name}", colour, style)
    right.set(title="The indexes and their peers, p50")
    for axes in (left, right):
        axes.set(xscale="log", yscale="log", xlabel="entries", ylabel="ms")
        axes.grid(True, which="major", color="#dddddd", linewidth=0.6)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(frameon=False, fontsize=8)
    figure.savefig(target.with_suffix(".svg"), metadata={"Date": None})
    figure.savefig(target.with_suffix(".png"), dpi=150)


def draw(axes, points, label, colour, style) -> None:
    if points:
        sizes, times = zip(*points, strict=True)
        axes.plot(sizes, times, style, color=colour, label=label, markersize=4, linewidth=1.4)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
