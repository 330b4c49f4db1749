#!/usr/bin/env python3
"""Teaches the reader of questions and writes its weights.

    train.py WEIGHTS REPORT [--steps N]

The network: a word is its hashed self and its hashed trigrams; three convolutions over the words; a
role for each word, and one choice for each head over the whole question. Same seed, same figures.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import struct
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from generate import HEADS, ROLES, Example, Generator

BUCKETS, WIDTH, HIDDEN, POOLED = 16384, 48, 96, 48
DILATIONS = (1, 2, 4)
SEED = 20260314


def fnv(data: bytes) -> int:
    value = 0x811C9DC5
    for byte in data:
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


KNOWN: dict[str, list[int]] = {}


def features(word: str) -> list[int]:
    """The bucket of the word itself, and then those of its trigrams."""
    if word not in KNOWN:
        framed = f"^{word}$"
        grams = [framed[i:i + 3] for i in range(len(framed) - 2)] if not word.startswith("<") else []
        KNOWN[word] = [fnv(("=" + word).encode()) % BUCKETS] + [fnv(g.encode()) % BUCKETS for g in grams]
    return KNOWN[word]


class Reader(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.EmbeddingBag(BUCKETS, WIDTH, mode="sum")
        nn.init.normal_(self.table.weight, std=0.1)
        widths = [WIDTH, HIDDEN, HIDDEN]
        self.layers = nn.ModuleList(
            nn.Conv1d(w, HIDDEN, 3, dilation=d, padding=d) for w, d in zip(widths, DILATIONS))
        self.pool = nn.Linear(2 * HIDDEN, POOLED)
        self.roles = nn.Linear(HIDDEN + POOLED, len(ROLES))
        self.heads = nn.ModuleDict({k: nn.Linear(2 * HIDDEN, len(v)) for k, v in HEADS.items()})
        self.drop = nn.Dropout(0.15)

    def forward(self, indices, offsets, weights, mask):
        rows, length = mask.shape
        x = self.table(indices, offsets, per_sample_weights=weights).view(rows, length, WIDTH)
        x = (x * mask[..., None]).transpose(1, 2)
        inner = mask[:, None, :]
        for index, layer in enumerate(self.layers):
            y = F.relu(layer(self.drop(x))) * inner
            x = y if index == 0 else x + y
        top = x.masked_fill(inner == 0, -1e4).amax(2)
        mean = x.sum(2) / inner.sum(2)
        whole = torch.cat([top, mean], 1)
        pooled = F.relu(self.pool(whole))
        words = torch.cat([x.transpose(1, 2), pooled[:, None, :].expand(-1, length, -1)], 2)
        return self.roles(words), {k: head(whole) for k, head in self.heads.items()}


def batch(examples: list[Example], random: np.random.Generator | None):
    length = max(len(e.tokens) for e in examples)
    indices, offsets, weights = [], [], []
    mask = torch.zeros(len(examples), length)
    roles = torch.full((len(examples), length), -100)
    for row, example in enumerate(examples):
        mask[row, :len(example.tokens)] = 1
        for place in range(length):
            offsets.append(len(indices))
            if place >= len(example.tokens):
                continue
            roles[row, place] = ROLES.index(example.roles[place])
            found = features(example.tokens[place])
            # A word that was never seen is its trigrams alone.
            hidden = random is not None and len(found) > 1 and random.random() < 0.08
            indices += found
            weights += [0.0 if hidden else 1.0] + [1 / max(1, len(found) - 1)] * (len(found) - 1)
    labels = {k: torch.tensor([v.index(e.label[k]) for e in examples]) for k, v in HEADS.items()}
    return (torch.tensor(indices), torch.tensor(offsets), torch.tensor(weights), mask), roles, labels


def measure(model: Reader, examples: list[Example]) -> dict[str, float]:
    model.eval()
    right = {k: 0 for k in HEADS}
    whole = words = all_words = both = 0
    with torch.no_grad():
        for start in range(0, len(examples), 256):
            part = examples[start:start + 256]
            inputs, roles, labels = batch(part, None)
            told, heads = model(*inputs)
            fine = torch.ones(len(part), dtype=torch.bool)
            for k, head in heads.items():
                hit = head.argmax(1) == labels[k]
                right[k] += int(hit.sum())
                fine &= hit
            hits = (told.argmax(2) == roles) | (roles == -100)
            words += int(((told.argmax(2) == roles) & (roles != -100)).sum())
            all_words += int((roles != -100).sum())
            whole += int(fine.sum())
            both += int((fine & hits.all(1)).sum())
    count = len(examples)
    return {**{k: v / count for k, v in right.items()}, "all heads": whole / count,
            "roles of words": words / all_words, "heads and roles": both / count}


def write(model: Reader, path: Path) -> None:
    """Little-endian: "AQR1", the length of a JSON heading, the heading, then the arrays in its order."""
    arrays = {"table": model.table.weight}
    for index, layer in enumerate(model.layers):
        arrays[f"conv{index}.weight"] = layer.weight.permute(2, 0, 1)
        arrays[f"conv{index}.bias"] = layer.bias
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
    told = json.dumps({"buckets": BUCKETS, "width": WIDTH, "hidden": HIDDEN, "pooled": POOLED,
                       "dilations": DILATIONS, "roles": ROLES, "heads": [{"name": k, "values": v} for k, v in HEADS.items()],
                       "arrays": heading}, separators=(",", ":")).encode()
    told += b" " * (-len(told) % 8)
    path.write_bytes(b"AQR1" + struct.pack("<I", len(told)) + told + body)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("weights", type=Path)
    parser.add_argument("report", type=Path)
    parser.add_argument("--steps", type=int, default=4000)
    options = parser.parse_args()
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    random = np.random.default_rng(SEED)
    generator = Generator(SEED)
    held = Generator(SEED + 1)
    tested = [held.example(held=True) for _ in range(4000)]
    seen = [held.example() for _ in range(2000)]
    model = Reader()
    rate = 3e-3
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=options.steps, pct_start=0.1)
    start = time.time()
    for step in range(options.steps):
        model.train()
        inputs, roles, labels = batch([generator.example() for _ in range(64)], random)
        told, heads = model(*inputs)
        loss = 2 * F.cross_entropy(told.flatten(0, 1), roles.flatten(), ignore_index=-100)
        for name, head in heads.items():
            loss = loss + F.cross_entropy(head, labels[name], label_smoothing=0.02)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if (step + 1) % 500 == 0:
            figures = measure(model, tested[:1000])
            print(f"{step + 1}: loss {loss.item():.3f}, heads {figures['all heads']:.3f}, "
                  f"with roles {figures['heads and roles']:.3f}, {time.time() - start:.0f} s", flush=True)
    write(model, options.weights)
    columns = {"kept wordings": measure(model, tested), "taught wordings": measure(model, seen)}
    lines = ["# What the taught reader learnt", "",
             f"{len(generator.wordings)} wordings by hand, {sum(w.held for w in generator.wordings)} of them kept "
             f"from teaching; {options.steps} steps of 64 questions; seed {SEED}. Right in "
             "questions made of them (other words in their slots):", "",
             "| | " + " | ".join(columns) + " |", "|---|" + "--:|" * len(columns)]
    for name in columns["kept wordings"]:
        lines.append(f"| {name} | " + " | ".join(f"{100 * c[name]:.1f} %" for c in columns.values()) + " |")
    size = options.weights.stat().st_size
    digest = hashlib.sha256(options.weights.read_bytes()).hexdigest()[:16]
    lines += ["", f"Weights: {size / 1e6:.2f} MB, SHA-256 {digest}…", ""]
    options.report.write_text("\n".join(lines))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
