#!/usr/bin/env python3
"""Makes the German-English dictionary by which questions and entries meet in two languages; silent when it is there.

Usage: make_dictionary.py [FOLDER]. The folder is, without one, ARKIVED_DICTIONARY, else arkived/dictionary in
XDG_DATA_HOME or ~/.local/share. The words are those of Ding (Frank Richter, TU Chemnitz, GPL 2 or later), which
Debian's package trans-de-en installs as /usr/share/trans/de-en; ARKIVED_DING names another place. Arkived reads
the two files that this writes:

- german-english.tsv: a lower-case German word, then its English meanings, best first. A meaning is a kind and a
  phrase of up to three words: n and N nouns, singular and plural, a adjectives and adverbs, v infinitives, p
  participles, f past forms, g present forms; a verb has its stem and its past form, separated by a slash.
- english-german.tsv: a lower-case English phrase of up to two words, then German words, best first.

Both are sorted by bytes. Exits 0 when they are there, 69 when the words cannot be had, 73 when the folder cannot
be written. Arkived works without them; a German question about English entries then finds fewer of them.
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

HEAD = "#! Arkived dictionary 1, of Ding by Frank Richter, GPL 2 or later\n"
FILES = ("german-english.tsv", "english-german.tsv")
MEANINGS = 10
VERBS = {"v", "vt", "vi", "vr"}
OBJECTS = re.compile(r"^(?:(?:etw|jdn|jdm|jds|jd)\.(?:/(?:etw|jdn|jdm)\.)?|sich|an|auf|in|von|mit|zu|bei|für|um|über|nach)\s+")
OBJECTS_AFTER = re.compile(r"\s+(?:(?:sb|sth|sb/sth|oneself|one’s)\.?(?:/(?:sb|sth)\.?)?|<>)(?=\s|$)")
MARKS = re.compile(r"\[[^\]]*\]|\([^)]*\)|<[^>]*>|/[^/]*/|\{[^}]*\}")
GERMAN = re.compile(r"[A-Za-zÄÖÜäöüß][A-Za-zÄÖÜäöüßé-]{1,30}")
ENGLISH = re.compile(r"[A-Za-z][A-Za-z'-]*(?: [A-Za-z'-]+){0,2}")
# What marks a word of a trade or a time, which a diary seldom means.
RARE = re.compile(r"\[(?:mil|jur|techn|bot|zool|chem|math|phys|naut|geol|comp|electr|textil|biochem|pol|adm|relig|hist|obs"
                  r"|veraltet|veraltend|dated|archaic|rare|poet|geh|min|constr|mach|agr|envir|philos|ling|econ)\.?\]")


def pieces(column: str) -> list[str]:
    """A column's alternatives; semicolons within marks don't part them."""
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(column):
        if sign in "([{<":
            depth += 1
        elif sign in ")]}>":
            depth = max(0, depth - 1)
        elif sign == ";" and depth == 0:
            parts.append(column[start:place])
            start = place + 1
    return [*parts, column[start:]]


def german(text: str) -> str | None:
    plain = " ".join(MARKS.sub(" ", text).split())
    while (cut := OBJECTS.sub("", plain)) != plain:
        plain = cut
    return plain if GERMAN.fullmatch(plain) else None


def english(text: str) -> str | None:
    plain = " ".join(MARKS.sub(" ", text).replace("’", "'").split())
    plain = OBJECTS_AFTER.sub(" ", plain).strip()
    plain = plain.removeprefix("to ").strip()
    return plain if ENGLISH.fullmatch(plain) else None


def kind_of(left: str) -> str | None:
    marks = [one for group in re.findall(r"\{([^}]*)\}", left) for one in re.split(r"[,; ]+", group)]
    if any(one in VERBS for one in marks):
        return "v"
    if any(one in ("m", "f", "n", "pl") for one in marks):
        return "n"
    if any(one in ("adj", "adv") for one in marks):
        return "a"
    return None


def meanings(source: Path) -> dict[str, dict[str, float]]:
    """The weight of each meaning of each German word."""
    found: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    with source.open(encoding="utf-8") as file:
        for line in file:
            if line.startswith("#") or " :: " not in line:
                continue
            left, right = line.rstrip("\n").split(" :: ", 1)
            german_columns, english_columns = left.split(" | "), right.split(" | ")
            kind = kind_of(german_columns[0])
            if kind is None:
                continue
            stems = [english(piece) for piece in pieces(english_columns[0])]
            weight = 0.4 if RARE.search(left) or RARE.search(right) else 1.0
            for column, (told, meant) in enumerate(zip(german_columns, english_columns)):
                if kind == "v" and column > 4:
                    break
                # Behind the plural stand related words and examples.
                share = weight if column < 2 or kind == "v" else 0.6 * weight
                add(found, kind, column, told, meant, stems, share)
                if kind == "n" and column > 1:
                    # A kind of what the line is about.
                    add(found, kind, column, told, english_columns[0], stems, 0.25 * weight)
    return found


def add(found, kind: str, column: int, told: str, meant: str, stems: list[str | None], weight: float) -> None:
    targets = [english(piece) for piece in pieces(meant)]
    for place, piece in enumerate(pieces(told)):
        word = german(piece)
        if word is None or (kind == "n") != word[0].isupper():
            continue
        # The first words of a line are what it is about.
        share = weight / (1 + 0.3 * place)
        for rank, target in enumerate(targets):
            if target is None:
                continue
            form = form_of(kind, column, piece, target, stems[rank] if rank < len(stems) else None)
            if form:
                found[word.lower()][form] += share / (1 + 0.5 * rank)


def form_of(kind: str, column: int, told: str, target: str, stem: str | None) -> str | None:
    if kind == "n":
        return ("N " if "{pl}" in told else "n ") + target
    if kind == "a":
        return "a " + target
    if column == 0:
        return f"v {target}"
    if column == 1 or stem is None:
        return None
    letter = {2: "p", 3: "g", 4: "f"}[column]
    return f"{letter} {stem}/{target}" if letter != "g" else f"g {stem}"


def with_pasts(found: dict[str, dict[str, float]]) -> None:
    """Gives infinitives the past forms of their participles."""
    pasts: dict[str, str] = {}
    for forms in found.values():
        for form in forms:
            if form.startswith("p "):
                stem, past = form[2:].split("/", 1)
                pasts.setdefault(stem, past)
    for word, forms in found.items():
        new: dict[str, float] = defaultdict(float)
        for form, weight in forms.items():
            if form[0] in "vg" and "/" not in form:
                stem = form[2:]
                form = f"{form[0]} {stem}/{pasts.get(stem, stem)}"
            new[form] += weight
        found[word] = new


def lines(found: dict[str, dict[str, float]]) -> list[bytes]:
    rows = []
    for word, forms in found.items():
        best = sorted(forms, key=lambda form: (-forms[form], form))[:MEANINGS]
        rows.append("\t".join([word, *best]).encode() + b"\n")
    return sorted(rows)


def turned(found: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """German words by their English meanings."""
    back: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for word, forms in found.items():
        for form, weight in forms.items():
            for phrase in form[2:].split("/"):
                if phrase.count(" ") < 2:
                    back[phrase.lower()][word] += weight
    return back


def write(folder: Path, name: str, rows: list[bytes]) -> None:
    temporary = folder / (name + ".part")
    with temporary.open("wb") as file:
        file.write(HEAD.encode())
        file.writelines(rows)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(folder / name)


def is_there(folder: Path) -> bool:
    try:
        return all((folder / name).open("rb").read(len(HEAD)) == HEAD.encode() for name in FILES)
    except OSError:
        return False


def make(folder: Path) -> None:
    source = Path(os.environ.get("ARKIVED_DING", "/usr/share/trans/de-en"))
    if not source.is_file():
        raise Failed(NOT_TO_BE_HAD, "the German-English words are missing. Install trans-de-en")
    say(f"writing a German-English dictionary (15 MB) to {folder}")
    found = meanings(source)
    with_pasts(found)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write(folder, FILES[0], lines(found))
        write(folder, FILES[1], lines(turned(found)))
    except OSError as error:
        raise not_writable(folder, error) from error


def main(arguments: list[str]) -> int:
    return ended(
        arguments, __doc__, lambda: usual_folder("ARKIVED_DICTIONARY", "dictionary"), is_there, make,
        "questions in one language find fewer entries in the other")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
