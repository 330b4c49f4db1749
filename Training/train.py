#!/usr/bin/env python3
"""Teaches the reader of questions and writes its weights.

    train.py WEIGHTS REPORT [--steps N] [--check READINGS]
    train.py WEIGHTS REPORT --measure            measures weights that are there, and calibrates them again

The network: a word is a learnt projection of its static vector beside its hashed self and trigrams; convolutions
over the words with an attention between; a role for each word, and one choice for each head over the whole question.
Same seed, same figures.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import json
import re
import struct
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from generate import HEADS, ROLES, Example, Generator
from words import Words, fnv

BUCKETS, WIDTH, HIDDEN, POOLED, ATTENDING = 16384, 48, 128, 64, 32
# Of the convolutions; 0 is the attention.
LAYERS = (1, 2, 4, 0, 1, 2)
SEED = 20260314
# How often a word is its vector alone, and how often it has no vector.
WITHOUT_HASH, WITHOUT_VECTOR = 0.35, 0.08


class Vocabulary:
    """Each word once: the buckets of its hash and trigrams, and its vector."""

    def __init__(self) -> None:
        self.words = Words()
        self.places: dict[str, int] = {}
        self.buckets: list[list[int]] = []
        self.vectors = np.zeros((1024, self.words.width), np.float32)

    def place(self, word: str) -> int:
        place = self.places.get(word)
        if place is None:
            place = self.places[word] = len(self.buckets)
            framed = f"^{word}$"
            grams = [] if word.startswith("<") else [framed[i:i + 3] for i in range(len(framed) - 2)]
            self.buckets.append([fnv(("=" + word).encode()) % BUCKETS] + [fnv(g.encode()) % BUCKETS for g in grams])
            if place == len(self.vectors):
                self.vectors = np.concatenate([self.vectors, np.zeros_like(self.vectors)])
            found = None if word.startswith("<") else self.words.vector(word)
            if found is not None:
                self.vectors[place] = found
        return place


VOCABULARY = Vocabulary()


class Drop(nn.Module):
    """Drops channels of whole questions, which costs less than drawing for each word."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share

    def forward(self, x):
        if not self.training:
            return x
        kept = torch.rand(x.shape[0], *[1] * (x.dim() - 2), x.shape[-1]) >= self.share
        return x * (kept / (1 - self.share))


class Convolution(nn.Module):
    """Over three words, as one product, which is quicker here than PyTorch's own."""

    def __init__(self, dilation: int) -> None:
        super().__init__()
        self.dilation = dilation
        self.inner = nn.Linear(3 * HIDDEN, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN)
        self.drop = Drop(0.15)

    def forward(self, x, mask):
        length, far = x.shape[1], self.dilation
        padded = F.pad(self.drop(x), (0, 0, far, far))
        windows = torch.cat([padded[:, i * far:i * far + length] for i in range(3)], 2)
        return self.norm(x + F.relu(self.inner(windows))) * mask


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(HIDDEN, 3 * HIDDEN)
        self.outer = nn.Linear(HIDDEN, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN)
        self.drop = Drop(0.15)

    def forward(self, x, mask):
        rows, length, _ = x.shape
        q, k, v = (part.view(rows, length, -1, ATTENDING).transpose(1, 2)
                   for part in self.inner(self.drop(x)).split(HIDDEN, 2))
        scores = q @ k.transpose(2, 3) / ATTENDING ** 0.5
        scores = scores.masked_fill(mask[:, None, None, :, 0] == 0, -1e4)
        context = (scores.softmax(3) @ v).transpose(1, 2).reshape(rows, length, HIDDEN)
        return self.norm(x + self.outer(context)) * mask


class Reader(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.EmbeddingBag(BUCKETS, WIDTH, mode="sum")
        nn.init.normal_(self.table.weight, std=0.1)
        self.input = nn.Linear(WIDTH + VOCABULARY.words.width, HIDDEN)
        self.layers = nn.ModuleList(Convolution(d) if d else Attention() for d in LAYERS)
        self.pool = nn.Linear(2 * HIDDEN, POOLED)
        self.roles = nn.Linear(HIDDEN + POOLED, len(ROLES))
        self.heads = nn.ModuleDict({k: nn.Linear(2 * HIDDEN, len(v)) for k, v in HEADS.items()})
        self.drop = Drop(0.2)

    def forward(self, indices, offsets, weights, vectors, mask):
        rows, length = mask.shape
        hashed = self.table(indices, offsets, per_sample_weights=weights).view(rows, length, WIDTH)
        mask = mask[..., None]
        # Vectors of length 1 have small values.
        x = F.relu(self.input(torch.cat([hashed, 4 * vectors], 2))) * mask
        for layer in self.layers:
            x = layer(x, mask)
        top = x.masked_fill(mask == 0, -1e4).amax(1)
        mean = x.sum(1) / mask.sum(1)
        whole = torch.cat([top, mean], 1)
        pooled = F.relu(self.pool(whole))
        words = torch.cat([x, pooled[:, None, :].expand(-1, length, -1)], 2)
        whole = self.drop(whole)
        return self.roles(self.drop(words)), {k: head(whole) for k, head in self.heads.items()}


def inputs_of(texts: list[list[str]], random: np.random.Generator | None):
    length = max(map(len, texts))
    indices, offsets, weights = [], [], []
    mask = torch.zeros(len(texts), length)
    places = np.zeros((len(texts), length), np.int64)
    known = np.zeros((len(texts), length, 1), np.float32)
    for row, tokens in enumerate(texts):
        mask[row, :len(tokens)] = 1
        for column in range(length):
            offsets.append(len(indices))
            if column >= len(tokens):
                continue
            place = VOCABULARY.place(tokens[column])
            found = VOCABULARY.buckets[place]
            places[row, column], known[row, column] = place, 1
            own = 1.0
            if random is not None and len(found) > 1:
                roll = random.random()
                if roll < WITHOUT_HASH and VOCABULARY.vectors[place, 0] != 0:
                    continue
                if roll > 1 - WITHOUT_VECTOR:
                    known[row, column] = 0
                # A word that was never seen is its trigrams alone.
                own = 0.0 if random.random() < 0.15 else 1.0
            indices += found
            weights += [own] + [1 / max(1, len(found) - 1)] * (len(found) - 1)
    vectors = torch.from_numpy(VOCABULARY.vectors[places] * known)
    return torch.tensor(indices), torch.tensor(offsets), torch.tensor(weights), vectors, mask


def batch(examples: list[Example], random: np.random.Generator | None):
    inputs = inputs_of([e.tokens for e in examples], random)
    roles = torch.full(inputs[-1].shape, -100)
    labels = {k: torch.tensor([v.index(e.label[k]) for e in examples]) for k, v in HEADS.items()}
    for row, example in enumerate(examples):
        if example.label["fold"] == "world":
            # Nothing of the owner's is asked for, so nothing but that counts.
            for name in HEADS:
                if name != "fold":
                    labels[name][row] = -100
        else:
            roles[row, :len(example.roles)] = torch.tensor([ROLES.index(r) for r in example.roles])
    return inputs, roles, labels


class Told:
    """What the network says of examples, and what is right."""

    def __init__(self, model: Reader, examples: list[Example]) -> None:
        model.eval()
        self.examples = examples
        heads: dict[str, list] = {k: [] for k in HEADS}
        labels: dict[str, list] = {k: [] for k in HEADS}
        self.roles, self.role_labels = [], []
        with torch.no_grad():
            for start in range(0, len(examples), 256):
                inputs, roles, right = batch(examples[start:start + 256], None)
                told, scores = model(*inputs)
                for k in HEADS:
                    heads[k].append(scores[k])
                    labels[k].append(right[k])
                for row in range(len(roles)):
                    fine = int(inputs[-1][row].sum())
                    self.roles.append(told[row, :fine])
                    self.role_labels.append(roles[row, :fine])
        self.heads = {k: torch.cat(v) for k, v in heads.items()}
        self.labels = {k: torch.cat(v) for k, v in labels.items()}
        self.right = {k: (self.heads[k].argmax(1) == v) | (v == -100) for k, v in self.labels.items()}
        self.all_right = torch.stack(list(self.right.values())).all(0)
        self.roles_right = torch.tensor([bool(((t.argmax(1) == r) | (r == -100)).all())
                                         for t, r in zip(self.roles, self.role_labels)])

    def figures(self, chosen: torch.Tensor | None = None) -> dict[str, float]:
        rows = torch.ones(len(self.examples), dtype=torch.bool) if chosen is None else chosen
        if not rows.any():
            return {}
        result = {k: float(v[rows & (self.labels[k] != -100)].float().mean()) for k, v in self.right.items()}
        words = [((t.argmax(1) == r) & (r != -100), r != -100)
                 for t, r, fine in zip(self.roles, self.role_labels, rows) if fine]
        result["all heads"] = float(self.all_right[rows].float().mean())
        result["roles of words"] = sum(int(a.sum()) for a, _ in words) / max(1, sum(int(b.sum()) for _, b in words))
        result["heads and roles"] = float((self.all_right & self.roles_right)[rows].float().mean())
        return result

    def of(self, language: str) -> torch.Tensor:
        return torch.tensor([e.language == language for e in self.examples])


class Calibration:
    """A temperature for each head and the roles, and the probability that all heads are right.

    That is the logistic function of weights times the features: 1, the logits of the heads' best choices together, of
    the least sure head, and of the mean over the words of their best roles, and the logarithm of the count of words."""

    def __init__(self, told: Told) -> None:
        self.temperatures = {k: self.temperature(told.heads[k], told.labels[k]) for k in HEADS}
        self.role = self.temperature(torch.cat(told.roles), torch.cat(told.role_labels))
        features, right = self.features(told), told.all_right.double()
        middle, spread = features[:, 1:].mean(0), features[:, 1:].std(0) + 1e-6
        even = torch.cat([features[:, :1], (features[:, 1:] - middle) / spread], 1)
        weights = torch.zeros(features.shape[1], dtype=torch.double, requires_grad=True)
        optimizer = torch.optim.LBFGS([weights], max_iter=300, line_search_fn="strong_wolfe")
        def closure():
            optimizer.zero_grad()
            loss = F.binary_cross_entropy_with_logits(even @ weights, right) + 1e-3 * weights[1:].pow(2).sum()
            loss.backward()
            return loss
        optimizer.step(closure)
        self.weights = weights.detach().clone()
        self.weights[1:] /= spread
        self.weights[0] -= (self.weights[1:] * middle).sum()

    @staticmethod
    def temperature(scores: torch.Tensor, labels: torch.Tensor) -> float:
        grid = [float(np.exp(x)) for x in np.linspace(np.log(0.5), np.log(5), 60)]
        return min(grid, key=lambda t: float(F.cross_entropy(scores / t, labels, ignore_index=-100)))

    def features(self, told: Told) -> torch.Tensor:
        best = {k: (told.heads[k] / t).log_softmax(1).amax(1) for k, t in self.temperatures.items()}
        # Of a question about the world, the fold alone counts.
        world = told.heads["fold"].argmax(1) == HEADS["fold"].index("world")
        none = torch.zeros(len(world))
        stacked = torch.stack([v if k == "fold" else torch.where(world, none, v) for k, v in best.items()])
        words = torch.stack([(r / self.role).log_softmax(1).amax(1).mean() for r in told.roles])
        count = torch.tensor([float(len(r)) for r in told.roles])
        return torch.stack([torch.ones(len(world)), self.logit(stacked.sum(0)), self.logit(stacked.amin(0)),
                            self.logit(torch.where(world, none, words)), count.log()], 1).double()

    @staticmethod
    def logit(logarithm: torch.Tensor) -> torch.Tensor:
        return logarithm - torch.log1p(-logarithm.exp().clamp(max=1 - 1e-4))

    def probabilities(self, told: Told) -> torch.Tensor:
        return torch.sigmoid(self.features(told) @ self.weights)


def write(model: Reader, calibration: Calibration, path: Path) -> None:
    """Little-endian: "AQR2", the length of a JSON heading, the heading, then the arrays in its order."""
    arrays = {"table": model.table.weight, "input.weight": model.input.weight, "input.bias": model.input.bias}
    for index, layer in enumerate(model.layers):
        name = f"layer{index}."
        arrays[name + "inner.weight"], arrays[name + "inner.bias"] = layer.inner.weight, layer.inner.bias
        if isinstance(layer, Attention):
            arrays[name + "outer.weight"], arrays[name + "outer.bias"] = layer.outer.weight, layer.outer.bias
        arrays[name + "norm.weight"], arrays[name + "norm.bias"] = layer.norm.weight, layer.norm.bias
    for name in ("pool", "roles"):
        arrays[f"{name}.weight"], arrays[f"{name}.bias"] = getattr(model, name).weight, getattr(model, name).bias
    for name, head in model.heads.items():
        arrays[f"{name}.weight"], arrays[f"{name}.bias"] = head.weight, head.bias
    heading, body = [], b""
    for name, tensor in arrays.items():
        values = tensor.detach().numpy().astype(np.float32).ravel()
        if name == "table":
            scale = float(np.abs(values).max() / 127)
            body += np.clip(np.round(values / scale), -127, 127).astype(np.int8).tobytes()
            heading.append({"name": name, "type": "int8", "scale": scale, "count": len(values)})
        else:
            body += values.astype("<f4").tobytes()
            heading.append({"name": name, "type": "float32", "count": len(values)})
    told = json.dumps({
        "buckets": BUCKETS, "width": WIDTH, "vector": VOCABULARY.words.width, "hidden": HIDDEN,
        "attending": ATTENDING, "layers": LAYERS, "roles": ROLES, "roleTemperature": calibration.role,
        "heads": [{"name": k, "values": v, "temperature": calibration.temperatures[k]} for k, v in HEADS.items()],
        "confidence": calibration.weights.tolist(), "arrays": heading}, separators=(",", ":")).encode()
    told += b" " * (-len(told) % 8)
    path.write_bytes(b"AQR2" + struct.pack("<I", len(told)) + told + body)


def read(path: Path) -> Reader:
    """The network of weights that were written."""
    data = path.read_bytes()
    length = struct.unpack("<I", data[4:8])[0]
    told = json.loads(data[8:8 + length])
    offset, model = 8 + length, Reader().eval()
    state = model.state_dict()
    for array in told["arrays"]:
        kind, name = np.int8 if array["type"] == "int8" else "<f4", array["name"]
        values = np.frombuffer(data, kind, array["count"], offset).astype(np.float32) * array.get("scale", 1)
        offset += array["count"] * np.dtype(kind).itemsize
        # "layer3.inner.bias" is "layers.3.inner.bias"; the heads are together.
        name = re.sub(r"^layer(\d)", r"layers.\1", name)
        name = "table.weight" if name == "table" else name if name in state else "heads." + name
        state[name].copy_(torch.from_numpy(values).view(state[name].shape))
    return model


def rounded(model: Reader) -> Reader:
    """The network with its table in the 8 bits that are written."""
    copied = copy.deepcopy(model)
    with torch.no_grad():
        scale = copied.table.weight.abs().max() / 127
        copied.table.weight.copy_((copied.table.weight / scale).round() * scale)
    return copied.eval()


def learnt(generator: Generator, tested: list[Example], steps: int, size: int, rate: float = 3e-3) -> Reader:
    """The mean of the network over its last steps, each counting a little less than the next."""
    random = np.random.default_rng(SEED)
    model = Reader()
    mean = copy.deepcopy(model).eval()
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=1e-2, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps, pct_start=0.1)
    start = time.time()
    waiting: list[list[Example]] = []
    for step in range(steps):
        if not waiting:
            # Questions of about one length go together: there is less to fill up.
            some = sorted((generator.example() for _ in range(8 * size)), key=lambda e: len(e.tokens))
            waiting = [some[i * size:(i + 1) * size] for i in random.permutation(8)]
        model.train()
        inputs, roles, labels = batch(waiting.pop(), random)
        told, heads = model(*inputs)
        loss = 2 * F.cross_entropy(told.flatten(0, 1), roles.flatten(), ignore_index=-100, label_smoothing=0.02)
        for name, head in heads.items():
            loss = loss + F.cross_entropy(head, labels[name], ignore_index=-100, label_smoothing=0.05)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        with torch.no_grad():
            keep = min(0.998, (step + 1) / (step + 10))
            for old, new in zip(mean.parameters(), model.parameters()):
                old.lerp_(new, 1 - keep)
        if (step + 1) % 500 == 0:
            figures = Told(mean, tested[:1000]).figures()
            print(f"{step + 1}: loss {loss.item():.3f}, heads {figures['all heads']:.3f}, "
                  f"with roles {figures['heads and roles']:.3f}, {time.time() - start:.0f} s", flush=True)
    return rounded(mean)


def examples(generator: Generator, count: int, held: bool, strange: bool = False) -> list[Example]:
    found = []
    while len(found) < count:
        example = generator.example(held=held)
        if example.tokens and (example.strange or not strange):
            found.append(example)
    return found


def table(columns: dict[str, dict[str, float]]) -> list[str]:
    names = list(next(iter(columns.values())))
    return ["| | " + " | ".join(columns) + " |", "|---|" + "--:|" * len(columns)] + [
        f"| {name} | " + " | ".join(f"{100 * c[name]:.1f} %" for c in columns.values()) + " |" for name in names]


def honesty(probabilities: torch.Tensor, right: torch.Tensor) -> list[str]:
    lines = ["| said | readings | right | mean said |", "|---|--:|--:|--:|"]
    for low, high in ((0, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 0.95), (0.95, 1.01)):
        rows = (probabilities >= low) & (probabilities < high)
        if rows.any():
            lines.append(f"| {100 * low:.0f}–{min(100, 100 * high):.0f} % | {100 * rows.float().mean():.1f} % | "
                         f"{100 * right[rows].float().mean():.1f} % | {100 * probabilities[rows].mean():.1f} % |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("weights", type=Path)
    parser.add_argument("report", type=Path)
    parser.add_argument("--steps", type=int, default=10000)
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--check", type=Path, help="where to write readings that the program's own are compared with")
    parser.add_argument("--measure", action="store_true")
    options = parser.parse_args()
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    generator = Generator(SEED)
    held, unknown = Generator(SEED + 1), Generator(SEED + 2, strange=True)
    tested = examples(held, 6000, held=True)
    model = read(options.weights) if options.measure else learnt(generator, tested, options.steps, options.size)
    kept = Told(model, tested)
    strange = Told(model, examples(unknown, 3000, held=False, strange=True))
    both = Told(model, examples(unknown, 3000, held=True, strange=True))
    seen = Told(model, examples(held, 2000, held=False))
    # Half the kept wordings, whole wordings each, calibrate; the other half tells how honest that is.
    halves = [[e for e in tested if e.half == half] for half in (0, 1)]
    parts = [Told(model, half) for half in halves]
    calibrations = [Calibration(part) for part in parts]
    crossed = torch.cat([calibrations[1 - i].probabilities(part) for i, part in enumerate(parts)])
    right = torch.cat([part.all_right for part in parts])
    calibration = Calibration(kept)
    # Careful: of what is said with 90 % and more, more than 95 % shall be right.
    while (crossed >= 0.9).any() and right[crossed >= 0.9].float().mean() < 0.955:
        crossed = torch.sigmoid(torch.logit(crossed) - 0.01)
        calibration.weights[0] -= 0.01
    write(model, calibration, options.weights)
    if options.check:
        check(model, calibration, options.check)
    columns = {"kept wordings": kept.figures(), "held-out words": strange.figures(), "both": both.figures(),
               "taught": seen.figures()}
    languages = {"English": kept.figures(kept.of("en")), "German": kept.figures(kept.of("de")),
                 "English, held-out words": strange.figures(strange.of("en")),
                 "German, held-out words": strange.figures(strange.of("de"))}
    size = options.weights.stat().st_size
    digest = hashlib.sha256(options.weights.read_bytes()).hexdigest()[:16]
    sure = crossed >= 0.9
    world = HEADS["fold"].index("world")
    told_world, is_world = kept.heads["fold"].argmax(1) == world, kept.labels["fold"] == world
    lines = ["# What the taught reader learnt", "",
             f"{len(generator.wordings)} wordings by hand, {sum(w.held for w in generator.wordings)} of them kept "
             f"from teaching; {options.steps} steps of {options.size} questions; seed {SEED}. Right in questions made "
             "of kept wordings with taught words in their slots, of taught wordings with words that no slot was taught "
             "with, of both, and of what was taught:", "", *table(columns), "", "By language, in kept wordings and with "
             "held-out words:", "", *table(languages), "",
             "How often all heads are right where the reading says so, in kept wordings; each half of them is "
             "calibrated by the other:", "", *honesty(crossed, right), "",
             f"Said with 90 % and more: {100 * sure.float().mean():.1f} % of readings, "
             f"{100 * right[sure].float().mean():.1f} % right.", "",
             f"Of kept wordings about the world {100 * told_world[is_world].float().mean():.1f} % are read so; of those "
             f"about the owner's life, {100 * told_world[~is_world].float().mean():.1f} %.", "",
             f"Weights: {size / 1e6:.2f} MB, SHA-256 {digest}…", ""]
    options.report.write_text("\n".join(lines))
    print("\n".join(lines))


def check(model: Reader, calibration: Calibration, path: Path) -> None:
    """Writes what the network says of some questions, a line of JSON each."""
    questions = ["how often did i go swimming with <person> <time>", "wie viel geld habe ich <time> verprasst",
                 "what", "wochenendeinkaufszettel zahnarzttermin rückenschmerzbehandlung", "<time> <quote>",
                 "which of the films that i saw <time> without <person> did i like most and why was that so",
                 "who won the world cup", "xqzt’s flumm-brötchen ueber straße 2026"]
    lines = []
    for question in questions:
        told = Told(model, [Example(question.split(), ["O"] * len(question.split()), {k: v[0] for k, v in HEADS.items()})])
        lines.append(json.dumps({
            "tokens": question.split(), "probability": round(float(calibration.probabilities(told)[0]), 6),
            "roles": [[round(float(x), 5) for x in row] for row in (told.roles[0] / calibration.role).log_softmax(1)],
            "heads": {k: [round(float(x), 5) for x in (v[0] / calibration.temperatures[k]).log_softmax(0)]
                      for k, v in told.heads.items()}}, ensure_ascii=False))
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
