"""Makes vectors of real sentences for vectors_peer.py.

    sentence_vectors.py MODEL-FOLDER TEXTS OUT.npy

TEXTS has a sentence a line; MODEL-FOLDER is one that sentence-transformers reads.
"""

import sys
from pathlib import Path

import numpy as np
from sentence_transformers import SentenceTransformer

folder, texts, out = sys.argv[1:4]
lines = list(dict.fromkeys(Path(texts).read_text().splitlines()))
model = SentenceTransformer(folder, device="cpu")
vectors = model.encode(lines, batch_size=128, normalize_embeddings=True, show_progress_bar=True)
np.save(out, vectors.astype(np.float32))
