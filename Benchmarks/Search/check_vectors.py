"""Compares Arkived's vectors with sentence-transformers' on many texts, real and nasty.

Usage: check_vectors.py PROGRAM MODEL-FOLDER [HOW-MANY]. PROGRAM answers `vectors` for JSON strings,
one a line, with all the vectors' floats. Needs PyPI's sentence-transformers and numpy. Exits 0 when
every cosine is at least 0.9999.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

from check_tokenizer import ODD, WORDS, texts
from embedding_peer import sentences


def main(program: str, folder: str, count: int) -> int:
    os.environ["HF_HUB_OFFLINE"] = "1"
    import numpy
    from sentence_transformers import SentenceTransformer

    nasty = texts(count)[-count:]
    strings = sentences(count) + ODD + WORDS + nasty
    strings += [" ".join(sentences(40)[start:]) for start in range(0, 40, 5)]
    lines = "".join(json.dumps(text) + "\n" for text in strings)
    output = subprocess.run(
        [program, "vectors"], input=lines.encode(), stdout=subprocess.PIPE, check=True
    ).stdout
    ours = numpy.frombuffer(output, dtype=numpy.float32).reshape(len(strings), -1)
    model = SentenceTransformer(folder, device="cpu")
    peer = model.encode(strings, normalize_embeddings=True, batch_size=32)
    cosines = (ours.astype(float) * peer).sum(axis=1)
    lengths = numpy.linalg.norm(ours, axis=1)
    worst = int(cosines.argmin())
    print(
        f"{len(strings)} texts: smallest cosine {cosines[worst]:.7f} ({strings[worst][:60]!r}), "
        f"largest difference {abs(ours - peer).max():.2e}, lengths {lengths.min():.6f} to "
        f"{lengths.max():.6f}"
    )
    return 0 if cosines[worst] >= 0.9999 else 1


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if len(arguments) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(arguments[0], arguments[1], int(arguments[2]) if arguments[2:] else 1500))
