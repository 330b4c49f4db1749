#!/usr/bin/env python3
"""Prints the centre of multilingual-e5-small's vectors, as Sources/ArkivedSearch/Embedding/E5Centre.swift has it.

Usage: centre.py E5-FILE. The vectors of all texts share one large part and those of a language another:
two texts of one language are near, whatever they say. Both parts are taken off: the mean vector of queries
and of passages, and the directions from the English to the German mean of either. They are measured on the
program's own sentences, which de.po has in both languages: on no text that anything is judged by.
"""

from __future__ import annotations

import ast
import base64
import re
import sys
from pathlib import Path

from models import E5, numpy

CATALOGUE = Path(__file__).parents[3] / "Sources/ArkivedCore/Resources/de.po"
COUNT = 600


def sentences() -> list[tuple[str, str]]:
    """German and English, without the ones that are mostly markup."""
    pairs = []
    for block in CATALOGUE.read_text("utf-8").split("\n\n"):
        texts, field = {"msgid": "", "msgstr": ""}, ""
        for line in block.splitlines():
            if match := re.fullmatch(r'(msgid|msgstr) (".*")', line):
                field, line = match.groups()
            if field and line.startswith('"'):
                texts[field] += ast.literal_eval(line)
        english, german = texts["msgid"], texts["msgstr"]
        if 20 < len(english) < 160 and german and not re.search(r"[{`]", english):
            pairs.append((german, english))
    step = max(1, len(pairs) // COUNT)
    return pairs[::step][:COUNT]


def main(file: str) -> int:
    model = E5(file)
    german, english = ([pair[side] for pair in sentences()] for side in (0, 1))
    means, ways = [], []
    for query in (True, False):
        left, right = model.vectors(german, query).mean(axis=0), model.vectors(english, query).mean(axis=0)
        means.append((left + right) / 2)
        ways.append(left - right)
    directions = numpy.linalg.qr(numpy.stack(ways).T)[0].T
    numbers = numpy.concatenate([*means, *directions])
    scaled = numpy.rint(numbers * 32767).astype("<i2")
    text = base64.b64encode(scaled.tobytes()).decode()
    for start in range(0, len(text), 92):
        print(f"    {text[start : start + 92]}\\")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
