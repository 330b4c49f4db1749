"""Makes vectors of real sentences for vectors_peer.py.

    sentence_vectors.py PROGRAM TEXTS OUT.npy

TEXTS has a sentence a line; PROGRAM is measure-embedding, which answers `vectors` for JSON strings.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

program, texts, out = sys.argv[1:4]
lines = list(dict.fromkeys(Path(texts).read_text().splitlines()))
output = subprocess.run(
    [program, "vectors"], input="".join(json.dumps(line) + "\n" for line in lines).encode(),
    stdout=subprocess.PIPE, check=True,
).stdout  # fmt: skip
np.save(out, np.frombuffer(output, np.float32).reshape(len(lines), -1))
