"""The peers of the word index: tantivy, FTS5 and Xapian over the same texts, one thread.

words_peer.py FOLDER build [tantivy xapian]   makes their indexes from corpus.tsv
words_peer.py FOLDER ask [tantivy tantivy-fields fts5 xapian]   writes NAME.json with times in ms

tantivy has two indexes: one with all text in one field (`tantivy`, its fastest), one with three
fields and boosts (`tantivy-fields`, what Arkived answers). Xapian needs Debian's python3-xapian, and
so the system's Python.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROUNDS = 5
FIELDS = {"title": 4.0, "body": 1.0, "names": 2.0}


def lines(folder: Path) -> Iterator[tuple[int, int, str, str, str]]:
    with (folder / "corpus.tsv").open() as texts:
        for line in texts:
            row, day, _, title, body, names = line.rstrip("\n").split("\t")
            yield int(row), int(day), title, body, names


def build_tantivy(folder: Path, in_fields: bool) -> None:
    import tantivy

    target = folder / ("tantivy-fields" if in_fields else "tantivy")
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    schema = tantivy.SchemaBuilder()
    for name in FIELDS if in_fields else ["text"]:
        schema.add_text_field(name, tokenizer_name="en_stem", index_option="position")
    schema.add_integer_field("row", fast=True)
    schema.add_integer_field("day", indexed=True, fast=True)
    index = tantivy.Index(schema.build(), path=str(target))
    writer = index.writer(heap_size=256_000_000, num_threads=1)
    for row, day, title, body, names in lines(folder):
        document = tantivy.Document()
        if in_fields:
            document.add_text("title", title)
            document.add_text("body", body)
            document.add_text("names", names)
        else:
            document.add_text("text", f"{title} {body} {names}")
        document.add_integer("row", row)
        document.add_integer("day", day)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


def build_xapian(folder: Path) -> None:
    import xapian

    target = folder / "xapian"
    shutil.rmtree(target, ignore_errors=True)
    database = xapian.WritableDatabase(str(target), xapian.DB_CREATE_OR_OVERWRITE)
    generator = xapian.TermGenerator()
    generator.set_stemmer(xapian.Stem("en"))
    generator.set_stemming_strategy(xapian.TermGenerator.STEM_ALL)
    for row, day, title, body, names in lines(folder):
        document = xapian.Document()
        document.add_value(0, xapian.sortable_serialise(day))
        generator.set_document(document)
        generator.index_text(title, 4)
        generator.increase_termpos()
        generator.index_text(body, 1)
        generator.increase_termpos()
        generator.index_text(names, 2)
        database.replace_document(row, document)
    database.commit()


def ask_tantivy(folder: Path, in_fields: bool) -> Callable[[str, list[Any]], Callable[[], Any]]:
    import tantivy
    from tantivy import Occur, Query

    index = tantivy.Index.open(str(folder / ("tantivy-fields" if in_fields else "tantivy")))
    index.reload()
    searcher, schema = index.searcher(), index.schema
    print(f"tantivy: {searcher.num_docs} documents, {searcher.num_segments} segments")
    # The tokens of a word are those its tokenizer makes of it; the query parser knows them.
    parser = lambda text, fields: index.parse_query(text, fields)

    def word(text: str) -> Any:
        if not in_fields:
            return parser(f'"{text}"', ["text"])
        return Query.boolean_query(
            [(Occur.Should, Query.boost_query(parser(f'"{text}"', [f]), b)) for f, b in FIELDS.items()]
        )

    def prepare(name: str, words: list[Any]) -> Callable[[], Any]:
        texts = [w for w in words if isinstance(w, str)]
        if name.startswith("phrase"):
            phrase = '"' + " ".join(texts) + '"'
            query = parser(phrase, list(FIELDS) if in_fields else ["text"])
        elif name.startswith("prefix"):
            query = Query.boolean_query(
                [
                    (Occur.Should, Query.regex_query(schema, f, texts[0] + ".*"))
                    for f in (FIELDS if in_fields else ["text"])
                ]
            )
        else:
            occur = Occur.Should if name.startswith("or") else Occur.Must
            parts = [(occur, word(t)) for t in texts]
            for day in (w for w in words if isinstance(w, int)):
                span = Query.range_query(
                    schema, "day", tantivy.FieldType.Integer, day, day + 364
                )
                parts.append((Occur.Must, Query.const_score_query(span, 0.0)))
            query = parts[0][1] if len(parts) == 1 else Query.boolean_query(parts)
        return lambda: searcher.search(query, 20, count=False).hits

    return prepare


def ask_fts5(folder: Path) -> Callable[[str, list[Any]], Callable[[], Any]]:
    database = sqlite3.connect(folder / "words.db")

    def prepare(name: str, words: list[Any]) -> Callable[[], Any]:
        texts = [w for w in words if isinstance(w, str)]
        quoted = [f'"{t}"' for t in texts]
        if name.startswith("phrase"):
            match = '"' + " ".join(texts) + '"'
        elif name.startswith("prefix"):
            match = quoted[0] + "*"
        else:
            match = (" OR " if name.startswith("or") else " AND ").join(quoted)
        days = [w for w in words if isinstance(w, int)]
        join = " JOIN entries ON entries.row = search_words.rowid" if days else ""
        where = f" AND day BETWEEN {days[0]} AND {days[0] + 364}" if days else ""
        sql = (
            f"SELECT search_words.rowid FROM search_words{join} WHERE search_words MATCH ?{where}"
            " ORDER BY bm25(search_words, 4.0, 1.0, 2.0) LIMIT 20"
        )
        if not days:
            sql = (
                "SELECT rowid FROM search_words WHERE search_words MATCH ?"
                " AND rank MATCH 'bm25(4.0, 1.0, 2.0)' ORDER BY rank LIMIT 20"
            )
        return lambda: database.execute(sql, (match,)).fetchall()

    return prepare


def ask_xapian(folder: Path) -> Callable[[str, list[Any]], Callable[[], Any]]:
    import xapian

    database = xapian.Database(str(folder / "xapian"))
    stemmer = xapian.Stem("en")

    def term(text: str) -> str:
        return stemmer(text).decode()

    def prepare(name: str, words: list[Any]) -> Callable[[], Any]:
        texts = [w for w in words if isinstance(w, str)]
        if name.startswith("phrase"):
            query = xapian.Query(xapian.Query.OP_PHRASE, [term(t) for t in texts])
        elif name.startswith("prefix"):
            query = xapian.Query(
                xapian.Query.OP_WILDCARD, texts[0], 64, xapian.Query.WILDCARD_LIMIT_MOST_FREQUENT
            )
        else:
            how = xapian.Query.OP_OR if name.startswith("or") else xapian.Query.OP_AND
            query = xapian.Query(how, [term(t) for t in texts])
        for day in (w for w in words if isinstance(w, int)):
            span = xapian.Query(
                xapian.Query.OP_VALUE_RANGE,
                0,
                xapian.sortable_serialise(day),
                xapian.sortable_serialise(day + 364),
            )
            query = xapian.Query(xapian.Query.OP_FILTER, query, span)

        def run() -> Any:
            enquire = xapian.Enquire(database)
            enquire.set_query(query)
            return [match.docid for match in enquire.get_mset(0, 20)]

        return run

    return prepare


def ask(folder: Path, peer: str) -> None:
    if peer.startswith("tantivy"):
        prepare = ask_tantivy(folder, peer.endswith("fields"))
    else:
        prepare = {"fts5": ask_fts5, "xapian": ask_xapian}[peer](folder)
    classes = json.loads((folder / "queries.json").read_text())["classes"]
    rounds = ROUNDS if peer.startswith("tantivy") else 2
    times: dict[str, list[list[float]]] = {name: [] for name in classes}
    cpu: dict[str, list[list[float]]] = {name: [] for name in classes}
    for turn in range(rounds):
        for name, queries in classes.items():
            taken, used = [], []
            for words in queries if rounds > 2 else queries[:4]:
                run = prepare(name, words)
                before, began = time.thread_time(), time.perf_counter()
                run()
                taken.append((time.perf_counter() - began) * 1000)
                used.append((time.thread_time() - before) * 1000)
            if turn > 0:
                times[name].append(taken)
                cpu[name].append(used)
    name = f"{peer}{os.environ.get('TURN', '')}.json"
    (folder / name).write_text(json.dumps({"search": times, "cpu": cpu}))


def main() -> None:
    folder, what, *peers = Path(sys.argv[1]), *sys.argv[2:]
    for peer in peers:
        began = time.monotonic()
        if what == "ask":
            ask(folder, peer)
        elif peer == "xapian":
            build_xapian(folder)
        else:
            build_tantivy(folder, peer.endswith("fields"))
        print(f"{what} {peer}: {time.monotonic() - began:.1f} s", flush=True)


if __name__ == "__main__":
    main()
