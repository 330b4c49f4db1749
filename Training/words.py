"""The words' vectors as the reader of questions finds them: Sources/ArkivedAssistant/Resources/words.bin.

`WordVectors` in the program does the same, and a test holds the two together.
"""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

PATH = Path(__file__).parent.parent / "Sources/ArkivedAssistant/Resources/words.bin"
ENDINGS = ("", "e", "en", "n", "s", "es", "t", "er", "ed", "ing")
SPELT = (("ae", "ä"), ("oe", "ö"), ("ue", "ü"), ("ss", "ß"))
LENGTH = 32


def fnv(data: bytes) -> int:
    value = 0x811C9DC5
    for byte in data:
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


def write(words: list[str], vectors: np.ndarray, path: Path = PATH) -> np.ndarray:
    """Little-endian: "AWV1", count, width, 0; the words' hashes, ascending; rows of 4-bit values plus 8, the first
    of a byte in its low half. A row's length is 1 whatever its scale. Returns the rows as they are read."""
    places: dict[int, int] = {}
    for place, word in enumerate(words):
        places.setdefault(fnv(word.encode()), place)
    hashes = sorted(places)
    rows = vectors[[places[h] for h in hashes]]
    values = np.round(rows / np.abs(rows).max(1, keepdims=True) * 7).astype(np.int8) + 8
    packed = (values[:, 0::2] | values[:, 1::2] << 4).astype(np.uint8)
    path.write_bytes(b"AWV1" + struct.pack("<III", len(hashes), vectors.shape[1], 0)
                     + np.array(hashes, "<u4").tobytes() + packed.tobytes())
    return rows


class Words:
    def __init__(self, path: Path = PATH) -> None:
        data = path.read_bytes()
        assert data[:4] == b"AWV1"
        count, self.width, _ = struct.unpack("<III", data[4:16])
        self.places = {int(h): i for i, h in enumerate(np.frombuffer(data, "<u4", count, 16))}
        packed = np.frombuffer(data, np.uint8, count * self.width // 2, 16 + 4 * count).reshape(count, -1)
        rows = np.empty((count, self.width), np.float32)
        rows[:, 0::2], rows[:, 1::2] = packed & 15, packed >> 4
        rows -= 8
        self.rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        self.known: dict[str, np.ndarray | None] = {}

    def listed(self, word: str) -> np.ndarray | None:
        place = self.places.get(fnv(word.encode()))
        return None if place is None else self.rows[place]

    def vector(self, word: str) -> np.ndarray | None:
        """The word's own vector, or one of words that share its stem or make it up; of length 1."""
        if word not in self.known:
            self.known[word] = self.find(word)
        return self.known[word]

    def find(self, word: str) -> np.ndarray | None:
        if len(word) > LENGTH:
            return None
        word = word.replace("’", "'")
        found = self.listed(word)
        if found is not None:
            return found
        plain = word
        for spelt, sign in SPELT:
            plain = plain.replace(spelt, sign)
            found = self.listed(plain)
            if found is not None:
                return found
        # The last part of what is joined by a hyphen, the first of what ends in an apostrophe.
        for part in (word.split("-")[-1], word.split("'")[0]):
            if part != word and len(part) > 2:
                return self.find(part)
        # An ending off, another on.
        for cut in (1, 2, 3):
            if len(word) - cut >= 4:
                stem = word[:len(word) - cut]
                near = [v for v in (self.listed(stem + e) for e in ENDINGS if stem + e != word) if v is not None]
                if near:
                    return self.mean([(v, 1.0) for v in near])
        # A compound: the longest last part counts twice, beside the longest first one.
        for place in range(3, len(word) - 3):
            head = self.listed(word[place:])
            if head is None:
                continue
            for end in range(place, 2, -1):
                first = self.listed(word[:end]) if end > 3 or place - end < 3 else None
                if first is not None:
                    return self.mean([(head, 2.0), (first, 1.0)])
            if len(word) >= 10 and len(word) - place >= 5:
                return head
        return None

    @staticmethod
    def mean(parts: list[tuple[np.ndarray, float]]) -> np.ndarray | None:
        total = sum(v * np.float32(w) for v, w in parts)
        length = float(np.linalg.norm(total))
        return total / np.float32(length) if length > 1e-6 else None
