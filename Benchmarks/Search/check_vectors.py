"""Compares Arkived's pieces and vectors with the model's formulas in numpy on many texts, real and nasty.

Usage: check_vectors.py PROGRAM E5-FILE [HOW-MANY]. PROGRAM answers `tokens` and `vectors` for JSON strings,
one a line. Needs PyPI's numpy. Exits 0 when all pieces are equal and every cosine is at least 0.999.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "languages"))

from check_tokenizer import ODD, WORDS, texts  # noqa: E402
from embedding_peer import sentences  # noqa: E402
from measure import lives  # noqa: E402
from models import CentredE5, numpy  # noqa: E402


def main(program: str, file: str, count: int) -> int:
    strings = sentences(count) + [text for row in lives() for text in row][:count] + ODD + WORDS
    strings += texts(count)[-count:] + [" ".join(sentences(40)[start:]) for start in range(0, 40, 5)]
    lines = "".join(json.dumps(text) + "\n" for text in strings).encode()

    def ask(what: str) -> bytes:
        return subprocess.run([program, what], input=lines, stdout=subprocess.PIPE, check=True).stdout

    model = CentredE5(file)
    pieces = [[int(number) for number in line.split()] for line in ask("tokens").decode().splitlines()]
    other = [text for text, found in zip(strings, pieces) if found != model.tokens(text, query=False)]
    ours = numpy.frombuffer(ask("vectors"), numpy.float32).reshape(len(strings), -1)
    cosines = (ours.astype(float) * model.vectors(strings)).sum(axis=1)
    worst = int(cosines.argmin())
    print(
        f"{len(strings)} texts: {len(other)} in other pieces {[text[:40] for text in other[:3]]}, "
        f"smallest cosine {cosines[worst]:.7f} ({strings[worst][:60]!r})"
    )
    return 0 if not other and cosines[worst] >= 0.999 else 1


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if len(arguments) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(arguments[0], arguments[1], int(arguments[2]) if arguments[2:] else 300))
