"""Prints what words_peer.py and the word index measured: words_report.py FOLDER [PEER …] [--json].

With --json: for each class of queries p50 and p99 in milliseconds, ours and the peers'.
"""

import json
import sys
from pathlib import Path


def quantile(rounds: list[list[float]], share: float) -> float:
    """Each query counts by its median over the rounds, so that a busy moment of the machine does
    not pass for a slow query."""
    queries = sorted(sorted(times)[len(times) // 2] for times in zip(*rounds))
    return queries[min(len(queries) - 1, int(len(queries) * share))]


def main() -> None:
    arguments = [argument for argument in sys.argv[1:] if argument != "--json"]
    folder, *peers = Path(arguments[0]), *(arguments[1:] or ["tantivy", "tantivy-fields"])

    def load(peer: str, kind: str) -> dict[str, list[list[float]]]:
        rounds: dict[str, list[list[float]]] = {}
        for file in sorted(folder.glob(f"{peer}[0-9].json")):
            for name, found in json.loads(file.read_text())[kind].items():
                rounds.setdefault(name, []).extend(found)
        return rounds

    if "--json" in sys.argv:
        found = {who: load(who, "search") for who in ["ours", *peers]}
        figures = {
            name: {
                who: {"p50": quantile(times[name], 0.5), "p99": quantile(times[name], 0.99)}
                for who, times in found.items()
                if name in times
            }
            for name in found["ours"]
        }
        print(json.dumps(figures))
        return
    for kind in ("search", "cpu"):
        print(f"-- {kind} --")
        show(load, kind, peers)


def show(load, kind: str, peers: list[str]) -> None:
    ours = load("ours", kind)
    print("class".ljust(22) + "ours p50/p99".rjust(16) + "".join(f"{p:>16} ratio" + " " * 8 for p in peers))
    for name, rounds in ours.items():
        own = quantile(rounds, 0.5), quantile(rounds, 0.99)
        line = name.ljust(22) + f"{own[0]:.3f}/{own[1]:.3f}".rjust(16)
        for peer in peers:
            other = load(peer, kind).get(name)
            if other:
                theirs = quantile(other, 0.5), quantile(other, 0.99)
                ratios = f"{own[0] / theirs[0]:.2f}/{own[1] / theirs[1]:.2f}"
                line += f"{theirs[0]:.3f}/{theirs[1]:.3f}".rjust(16) + f" {ratios:13}"
        print(line)


if __name__ == "__main__":
    main()
