#!/usr/bin/env python3
"""Makes the list of first names by which quick add recognises people: Sources/ArkivedCore/Resources/names.txt.

Usage: make_names.py. It is run when the list is to grow; the result is part of the repository. The names are those of
Faker's locales (MIT licence) and, if they are no words, their short forms in nicknames (Apache licence 2.0); pip
downloads both. Debian's packages wordnet-base, trans-de-en and mythes-de say which of them are
words as well, and the time zone database which are places.

A line is a name in lower case without accents, then, after a tab, letters for what else it is: e an English word,
g a German word, p a place. Lines are sorted by bytes.
"""

from __future__ import annotations

import ast
import csv
import re
import subprocess
import sys
import tempfile
import unicodedata
import zipfile
import zoneinfo
from pathlib import Path

RESULT = Path(__file__).resolve().parent.parent / "Sources/ArkivedCore/Resources/names.txt"
FAKER = "faker==40.63.0"
NICKNAMES = "nicknames==1.0.1"
LOCALES = """
cs_CZ da_DK de_AT de_CH de_DE de_LI en_GB en_IE en_IN en_KE en_NG en_NZ en_PK en_US es_AR es_ES es_MX et_EE fi_FI fr_BE
fr_CH fr_FR ga_IE hr_HR hu_HU it_IT lt_LT lv_LV nl_BE nl_NL no_NO pl_PL pt_BR pt_PT ro_RO sk_SK sl_SI sv_SE tr_TR
""".split()
NAME = re.compile(r"[A-ZÀ-Ž][a-zß-žı’'-]{2,14}")
WORDNET = Path("/usr/share/wordnet")
DICTIONARY = Path("/usr/share/trans/de-en")
THESAURUS = Path("/usr/share/mythes/th_de_DE_v2.dat")
# Places that bear first names and no time zone.
PLACES = """
asia africa austin brooklyn california carolina chelsea chester dakota dallas devon florence georgia holland india ireland
israel italia jordan kent kenya lincoln lorraine lourdes madison medina milan montana odessa paris petra savannah siena
sierra sydney texas troy valencia verona victoria vienna virginia washington york
""".split()


def folded(name: str) -> str:
    """Returns a name in lower case without accents."""
    plain = unicodedata.normalize("NFKD", name.replace("ı", "i").replace("ß", "ss"))
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).lower()


def first_names(wheel: Path) -> set[str]:
    """Returns the first names of a wheel of Faker."""
    found = set()
    with zipfile.ZipFile(wheel) as files:
        for locale in LOCALES:
            source = files.read(f"faker/providers/person/{locale}/__init__.py").decode()
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.Assign) and any(
                        isinstance(target, ast.Name) and target.id.startswith("first_names") for target in node.targets):
                    found |= {part.value.strip() for part in ast.walk(node.value)
                              if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    return {name for name in found if NAME.fullmatch(name)}


def short_forms(wheel: Path, names: set[str]) -> set[str]:
    """Returns the short forms of names in a wheel of nicknames."""
    with zipfile.ZipFile(wheel) as files:
        rows = list(csv.reader(files.read("nicknames/names.csv").decode().splitlines()))[1:]
    short = {row[2].strip().capitalize() for row in rows if row[0].strip().capitalize() in names}
    # Many Germans and Swiss say thanks with it.
    return {name for name in short if NAME.fullmatch(name)} - {"Merci"}


def english_words() -> set[str]:
    """Returns the words of WordNet that are written in lower case."""
    words = set()
    for file in WORDNET.glob("data.*"):
        for line in file.read_text(encoding="utf-8").splitlines():
            if not line[0].isspace():
                fields = line.split()
                words |= {re.sub(r"\(.*\)", "", word) for word in fields[4:4 + 2 * int(fields[3], 16):2]}
    return {word for word in words if word.islower()}


def dictionary_words() -> tuple[set[str], set[str]]:
    """Returns the German words, with nouns in lower case, and the English ones of trans-de-en."""
    german, english = set(), set()
    for line in DICTIONARY.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("#") or "::" not in line:
            continue
        left, right = line.split("::", 1)
        german |= {noun.lower() for noun in re.findall(r"([A-ZÄÖÜ][a-zäöüß]+) \{(?:[mfn]|pl)\b", left)}
        german |= set(re.findall(r"\b[a-zäöüß]+\b", left))
        english |= set(re.findall(r"\b[a-z]+\b", right))
    # Names are nouns of the dictionary as well, but hardly ones of the thesaurus.
    known = set(re.findall(r"[^\W\d_]+", THESAURUS.read_text(encoding="utf-8", errors="replace").lower()))
    plurals = {noun for noun in german if noun.endswith(("e", "en", "er", "n", "s"))}
    return {word for word in german if word in known or word in plurals and word.rstrip("ens") in known}, english


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", folder, FAKER, NICKNAMES], check=True)
        names = first_names(next(Path(folder).glob("[fF]aker*.whl")))
        short = short_forms(next(Path(folder).glob("nicknames*.whl")), names)
    german, english = dictionary_words()
    words = {"e": english | english_words(), "g": {folded(word) for word in german}}
    words["p"] = {zone.rsplit("/", 1)[-1].lower() for zone in zoneinfo.available_timezones()} | set(PLACES)
    # A short form that is also a word, such as "Ant", would be taken for a person too often.
    words_of_all = set().union(*words.values())
    lines = []
    for name in {folded(name) for name in names} | {folded(name) for name in short} - words_of_all:
        if not name.isascii() or not name.isalpha():
            continue
        kinds = "".join(letter for letter, members in words.items() if name in members)
        lines.append(f"{name}\t{kinds}" if kinds else name)
    RESULT.write_text("\n".join(sorted(lines)) + "\n", encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
