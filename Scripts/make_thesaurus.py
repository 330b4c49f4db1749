#!/usr/bin/env python3
"""Makes the lists of related words by which a search finds entries in other words; silent when they are there.

Usage: make_thesaurus.py [FOLDER]. The folder is, without one, ARKIVED_DICTIONARY, else arkived/dictionary in
XDG_DATA_HOME or ~/.local/share. English words are those of WordNet (Princeton University, its own free licence), which
Debian's package wordnet-base installs in /usr/share/wordnet; German ones those of OpenThesaurus (LGPL 2.1 or later),
which mythes-de installs as /usr/share/mythes/th_de_DE_v2.dat. ARKIVED_WORDNET and ARKIVED_OPENTHESAURUS name other
places. Arkived reads the two files that this writes:

- english-related.tsv: a lower-case base form, then related words and phrases of two words, closest first, each after a
  digit that says how close it is: 9 is the same in its usual sense, 1 has little to do with it.
- german-related.tsv: the same for German.

Both are sorted by bytes. Exits 0 when they are there, 69 when the words cannot be had, 73 when the folder cannot
be written. Arkived works without them; a search then finds fewer entries that say the same in other words.
"""

from __future__ import annotations

import os
import re
import sys
from collections import defaultdict
from pathlib import Path

# The folder of an installed program is no place for compiled copies.
sys.dont_write_bytecode = True

from fetching import NOT_TO_BE_HAD, Failed, ended, not_writable, say, usual_folder  # noqa: E402

HEAD = "#! Arkived related words 1, {}\n"
FILES = {
    "english-related.tsv": "of WordNet 3.0 by Princeton University, WordNet licence",
    "german-related.tsv": "of OpenThesaurus, LGPL 2.1 or later",
}
# The most related words of a word.
MOST = 40
LEAST = 0.1
WORD = re.compile(r"[^\W\d_][\w'’-]*(?: [^\W\d_][\w'’-]*)?")

# MARK: English

# How close a word of a synset is to one of another, by the kind of pointer between them (wninput(5WN)).
POINTERS = {
    "@": 0.55, "@i": 0.55, "~": 0.5, "~i": 0.4, "+": 0.85, "&": 0.7, "\\": 0.7, "$": 0.7, "*": 0.4, ">": 0.4, "^": 0.4,
    "%p": 0.35, "#p": 0.35, "%m": 0.3, "#m": 0.3, "%s": 0.3, "#s": 0.3, "=": 0.3,
}
# The files of the parts of speech, by the letter that stands for each.
PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
# Verbs and nouns have many senses, of which a diary means the commonest.
SENSES = 5


def synsets(folder: Path) -> tuple[dict, dict]:
    """Synsets by part of speech and offset, each with its words and pointers, and the senses of words in order."""
    found, senses = {}, {}
    for letter, name in PARTS.items():
        with (folder / f"data.{name}").open(encoding="utf-8") as file:
            for line in file:
                # The licence stands before the data, each line after a blank.
                if line[0].isspace():
                    continue
                fields = line.split("|", 1)[0].split()
                count = int(fields[3], 16)
                words = [re.sub(r"\([a-z]+\)$", "", fields[4 + 2 * place]).replace("_", " ") for place in range(count)]
                start = 5 + 2 * count
                pointers = [
                    (fields[start + 4 * place], fields[start + 4 * place + 1], fields[start + 4 * place + 2],
                     int(fields[start + 4 * place + 3][:2], 16), int(fields[start + 4 * place + 3][2:], 16))
                    for place in range(int(fields[4 + 2 * count]))]
                found[letter, fields[0]] = (words, pointers)
        with (folder / f"index.{name}").open(encoding="utf-8") as file:
            for line in file:
                # The licence stands before the data, each line after a blank.
                if line[0].isspace():
                    continue
                fields = line.split()
                count = int(fields[2])
                senses[letter, fields[0].replace("_", " ")] = fields[-count:]
    return found, senses


def english(folder: Path) -> dict[str, dict[str, float]]:
    found, senses = synsets(folder)
    related: dict[str, dict[str, float]] = defaultdict(dict)

    def relate(word: str, other: str, weight: float) -> None:
        other = other.lower()
        if other != word and WORD.fullmatch(other) and weight > related[word].get(other, LEAST):
            related[word][other] = weight

    for (part, word), offsets in senses.items():
        if not WORD.fullmatch(word):
            continue
        for rank, offset in enumerate(offsets[:SENSES]):
            synset = found.get((part, offset))
            if synset is None:
                continue
            share = 1 / (1 + 0.4 * rank)
            words, pointers = synset
            lowered = [one.lower() for one in words]
            for other in words:
                relate(word, other, share)
            for kind, target, target_part, source, goal in pointers:
                weight = POINTERS.get(kind)
                # A satellite of an adjective stands among adjectives.
                others = found.get((target_part.replace("s", "a"), target))
                if weight is None or others is None:
                    continue
                if source and lowered[source - 1] != word:
                    continue
                for other in ([others[0][goal - 1]] if goal else others[0]):
                    relate(word, other, share * weight)
    return related


# MARK: German

NOTES = re.compile(r"\s*\([^)]*\)")
# Its phrases describe rather than name.
GERMAN = re.compile(r"[^\W\d_][\w-]*")
LINKS = {"(Oberbegriff)": 0.5, "(Unterbegriff)": 0.5, "(Assoziation)": 0.35, "(Antonym)": 0.2}


def german(source: Path) -> dict[str, dict[str, float]]:
    related: dict[str, dict[str, float]] = defaultdict(dict)

    def relate(word: str, other: str, weight: float) -> None:
        if other != word and weight > related[word].get(other, LEAST):
            related[word][other] = weight

    with source.open(encoding="utf-8") as file:
        next(file)
        for line in file:
            word, _, count = line.rstrip("\n").rpartition("|")
            if not count.isdecimal():
                continue
            rows = [next(file).rstrip("\n") for _ in range(int(count))]
            if not GERMAN.fullmatch(word):
                continue
            key = word.lower()
            for rank, row in enumerate(rows):
                share = 0.9 / (1 + 0.15 * rank)
                for piece in row.split("|")[1:]:
                    weight = share * next((part for link, part in LINKS.items() if link in piece), 1)
                    other = NOTES.sub("", piece).strip().lower()
                    if GERMAN.fullmatch(other):
                        relate(key, other, weight)
                        # Of two words that are written alike, the file has the senses of one only.
                        relate(other, key, 0.9 * weight)
    return related


# MARK: Files


def lines(related: dict[str, dict[str, float]]) -> list[bytes]:
    rows = []
    for word, others in related.items():
        best = sorted(others, key=lambda other: -others[other])[:MOST]
        if best:
            fields = [f"{min(9, max(1, round(10 * others[other])))} {other}" for other in best]
            rows.append("\t".join([word, *fields]).encode() + b"\n")
    return sorted(rows)


def write(folder: Path, name: str, rows: list[bytes]) -> None:
    temporary = folder / (name + ".part")
    with temporary.open("wb") as file:
        file.write(HEAD.format(FILES[name]).encode())
        file.writelines(rows)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(folder / name)


def is_there(folder: Path) -> bool:
    def begins(name: str) -> bool:
        head = HEAD.format(FILES[name]).encode()
        with (folder / name).open("rb") as file:
            return file.read(len(head)) == head

    try:
        return all(begins(name) for name in FILES)
    except OSError:
        return False


def make(folder: Path) -> None:
    wordnet = Path(os.environ.get("ARKIVED_WORDNET", "/usr/share/wordnet"))
    thesaurus = Path(os.environ.get("ARKIVED_OPENTHESAURUS", "/usr/share/mythes/th_de_DE_v2.dat"))
    if not (wordnet / "data.noun").is_file() or not thesaurus.is_file():
        raise Failed(NOT_TO_BE_HAD, "the related words are missing. Install wordnet-base and mythes-de")
    say(f"writing lists of related words (25 MB) to {folder}")
    found = {"english-related.tsv": english(wordnet), "german-related.tsv": german(thesaurus)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, related in found.items():
            write(folder, name, lines(related))
    except OSError as error:
        raise not_writable(folder, error) from error


def main(arguments: list[str]) -> int:
    return ended(
        arguments, __doc__, lambda: usual_folder("ARKIVED_DICTIONARY", "dictionary"), is_there, make,
        "search finds fewer entries that say the same in other words")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
