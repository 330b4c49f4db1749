"""A corpus of short journal entries for the word searches, the same for every peer.

Words follow Zipf and Mandelbrot's law over an English head, an English word list and made-up
surnames; a fifth of the titles are routines that come again and again, as in a real journal.

words_corpus.py FOLDER [ENTRIES] writes corpus.tsv (row, day, order, title, body, names), words.db
(the same in FTS5, as the archive keeps it) and queries.json.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sys
import time
from pathlib import Path

import numpy

SEED = 20251231
FIRST_DAY = -8766  # 1946-01-01, in days since 1970
DAYS = 29_220
TOKENIZER = "porter unicode61 remove_diacritics 2"
HEAD = """the and to a of with in at for on my we it was i from by had then after home before some
about up out into very good new but not our all her his they he she this that as is be were so more
lunch dinner coffee walk run meeting call work read book train bus garden kitchen morning evening
night day week friend mother father sister brother dog cat doctor school office park river city
market shop music film game swim yoga bike ride drive flight hotel dinner breakfast tea cake bread
cook clean wash repair write letter email phone talk plan project review report draft budget paper
class lesson study practice piano guitar paint draw photo picture birthday party wedding visit trip
holiday beach mountain lake forest rain snow sun wind cold warm tired happy sad calm busy quiet long
short early late again first last next old big small great little better best hard easy slow quick
sleep nap rest wake stretch weight press squat row climb hike camp tent boat sail fish boil bake
salad soup rice pasta cheese apple orange banana potato tomato onion garlic pepper salt sugar milk
water juice wine beer doctor dentist nurse clinic test result blood pressure heart knee back head
shoulder pain better medicine pill bank money bill rent house flat roof door window wall floor table
chair lamp bed sofa car tyre engine oil fuel road bridge station ticket seat gate airport""".split()
ROUTINES = """morning run by the river|lunch with the team|weekly planning meeting|read before bed
|walk with the dog|coffee and email|yoga class at home|dinner at home|call with mother|gym and swim
|train to work|train home|piano practice|wash and clean the kitchen|review of the project plan
|stretch and breakfast|garden and rain|long walk in the park|tea and cake with a friend|early night"""


def vocabulary() -> tuple[list[str], list[str]]:
    """Words by rank, and surnames by rank."""
    chance = random.Random(SEED)
    head = list(dict.fromkeys(HEAD))
    listed = Path("/usr/share/dict/words")
    tail = [w for w in listed.read_text().split() if w.isalpha() and w.islower() and len(w) > 2]
    tail = sorted(set(tail) - set(head))
    chance.shuffle(tail)
    syllables = "ba be bo da de do fa ga go ha he ka ke ko la le lo ma me mo na ne no pa ra re ro".split()
    syllables += "sa se so ta te to va ve vo wa we wo za ze zo shi chi ri li mi ni".split()
    names: dict[str, None] = {}
    while len(names) < 40_000:
        name = "".join(chance.choice(syllables) for _ in range(chance.choice((2, 3, 3, 4))))
        names[name + chance.choice(("", "n", "r", "s", "l", "k", "nd", "rt"))] = None
    return head + tail[:60_000], list(names)


class Zipf:
    """Draws ranks with chances falling as 1 / (rank + shift)."""

    def __init__(self, count: int, shift: float, chance: numpy.random.Generator) -> None:
        weights = 1.0 / (numpy.arange(count) + shift)
        self.edges = numpy.cumsum(weights) / weights.sum()
        self.chance = chance

    def draw(self, count: int) -> list[int]:
        return numpy.searchsorted(self.edges, self.chance.random(count)).tolist()


def entries(count: int):
    """Yields (row, day, order, title, body, names)."""
    words, surnames = vocabulary()
    routines = [" ".join(r.split()) for r in ROUTINES.split("|")]
    numbers = numpy.random.default_rng(SEED)
    zipf, people = Zipf(len(words), 3.7, numbers), Zipf(len(surnames), 30, numbers)
    done = 0
    while done < count:
        size = min(50_000, count - done)
        lengths = numbers.integers(3, 10, size).tolist()
        bodies = (numbers.integers(5, 26, size) * (numbers.random(size) < 0.4)).tolist()
        named = numbers.choice(3, size, p=(0.5, 0.35, 0.15)).tolist()
        routine = numbers.random(size).tolist()
        which = Zipf(len(routines), 3, numbers).draw(size)
        late = numbers.random(size).tolist()
        drawn = [words[i] for i in zipf.draw(sum(lengths) + sum(bodies))]
        known = [surnames[i] for i in people.draw(sum(named))]
        at = who = 0
        for i in range(size):
            pk = done + i + 1
            title = drawn[at : at + lengths[i]]
            at += lengths[i]
            body = drawn[at : at + bodies[i]]
            at += bodies[i]
            names = known[who : who + named[i]]
            who += named[i]
            if routine[i] < 0.2:
                title = routines[which[i]].split()
            if names and routine[i] < 0.6:
                title = title + ["with", names[0]]
            # A tenth was brought in later than it happened.
            place = pk if late[i] > 0.1 else int(late[i] * 10 * count)
            day = FIRST_DAY + place * DAYS // count
            yield (pk * 8, day, pk, " ".join(title), " ".join(body), " ".join(names))
        done += size


def stems(words: list[str]) -> dict[str, str]:
    """The tokens that the archive's tokenizer makes of single words."""
    with sqlite3.connect(":memory:") as db:
        db.execute(f"CREATE VIRTUAL TABLE t USING fts5(w, tokenize='{TOKENIZER}')")
        db.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)")
        db.executemany("INSERT INTO t(rowid, w) VALUES (?, ?)", enumerate(words))
        return {words[doc]: term for term, doc in db.execute("SELECT term, doc FROM v")}


def queries(folder: Path, count: int, per_class: int = 40) -> dict[str, list]:
    """Per class, queries as lists of words; drawn anew from the seed."""
    chance = random.Random(SEED + 1)
    words, surnames = vocabulary()
    common, stop = words[50:250], words[:12]
    with sqlite3.connect(folder / "words.db") as db:
        db.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, search_words, row)")
        frequency = dict(db.execute("SELECT term, doc FROM vocabulary"))
        titles = [
            db.execute("SELECT title FROM search_words WHERE rowid = ?", (8 * pk,)).fetchone()[0]
            for pk in (chance.randrange(1, min(count, 20_000)) for _ in range(per_class * 4))
        ]
    stemmed = stems(surnames[2000:])
    rare = [n for n in surnames[2000:] if 5 <= frequency.get(stemmed.get(n, ""), 0) <= 60]
    drawn = lambda pool, count: chance.sample(pool, count)
    phrases = [t.split()[k : k + 2] for t in titles if len(t.split()) > 4 for k in (2,)]
    result = {
        "and 2 common": [drawn(common, 2) for _ in range(per_class)],
        "and 3 common": [drawn(common, 3) for _ in range(per_class)],
        "and common, rare": [drawn(common, 1) + drawn(rare, 1) for _ in range(per_class)],
        "and 2 stop words": [drawn(stop, 2) for _ in range(per_class)],
        "1 rare name": [drawn(rare, 1) for _ in range(per_class)],
        "1 common": [drawn(common, 1) for _ in range(per_class)],
        "1 stop word": [drawn(stop, 1) for _ in range(per_class)],
        "or 2 common": [drawn(common, 2) for _ in range(per_class)],
        "or 4": [drawn(common, 2) + drawn(words[250:4000], 2) for _ in range(per_class)],
        "or stop word, name": [drawn(stop, 1) + drawn(surnames[:3000], 1) for _ in range(per_class)],
        "or 8 mixed": [drawn(stop, 3) + drawn(common, 3) + drawn(words[250:9000], 2) for _ in range(per_class)],
        "prefix": [[chance.choice(words[60:3000])[:3]] for _ in range(per_class)],
        "phrase": phrases[:per_class],
        "phrase common": [["with", "the"], ["by", "the"], ["morning", "run"], ["train", "home"], ["at", "home"]],
        "1 common, a year": [drawn(common, 1) + [FIRST_DAY + chance.randrange(DAYS - 365)] for _ in range(per_class)],
    }
    return result


def main() -> None:
    folder = Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1_500_000
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "words.db"
    database.unlink(missing_ok=True)
    began = time.monotonic()
    with (folder / "corpus.tsv").open("w") as out:
        for entry in entries(count):
            out.write("\t".join(map(str, entry)) + "\n")
    print(f"texts: {time.monotonic() - began:.1f} s", flush=True)
    began = time.monotonic()
    db = sqlite3.connect(database)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute(
        "CREATE VIRTUAL TABLE search_words USING fts5"
        f" (title, body, names, day_key UNINDEXED, tokenize = '{TOKENIZER}')"
    )
    db.execute("CREATE TABLE entries (row INTEGER PRIMARY KEY, day INTEGER, place INTEGER) STRICT")
    with (folder / "corpus.tsv").open() as texts:
        lines = [line.rstrip("\n").split("\t") for line in texts]
    db.executemany(
        "INSERT INTO search_words (rowid, title, body, names, day_key) VALUES (?, ?, ?, ?, ?)",
        ((int(r), title, body, names, day) for r, day, _, title, body, names in lines),
    )
    db.executemany("INSERT INTO entries VALUES (?, ?, ?)", ((int(l[0]), int(l[1]), int(l[2])) for l in lines))
    db.commit()
    print(f"FTS5: {time.monotonic() - began:.1f} s", flush=True)
    db.close()
    found = queries(folder, count)
    every = sorted({w for group in found.values() for q in group for w in q if isinstance(w, str)})
    (folder / "queries.json").write_text(json.dumps({"classes": found, "stems": stems(every)}))


if __name__ == "__main__":
    main()
