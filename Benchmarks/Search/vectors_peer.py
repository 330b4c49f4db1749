"""Compares the vector index with faiss Flat: time of a search by one thread, and recall.

    vectors_peer.py PROGRAM VECTORS.npy FOLDER [--sizes 10000,100000] [--queries 200]

PROGRAM is the built `vectors`; VECTORS.npy holds vectors of real sentences, of which the first are
the queries. Where more rows are wanted than there are, the rest are mixtures of two of them with a
little noise. The two take turns in one run, so a slow moment of the machine meets both.
"""

import argparse
import json
import os
import statistics
import subprocess
import time

import faiss
import numpy as np


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def enlarged(real, count, seed=1):
    """The real rows first, then mixtures of pairs."""
    if count <= len(real):
        return real[:count]
    random = np.random.default_rng(seed)
    rows = np.empty((count, real.shape[1]), np.float32)
    rows[: len(real)] = real
    for start in range(len(real), count, 50_000):
        size = min(50_000, count - start)
        first = real[random.integers(0, len(real), size)]
        second = real[random.integers(0, len(real), size)]
        share = random.uniform(0.5, 0.95, (size, 1)).astype(np.float32)
        noise = random.standard_normal((size, real.shape[1]), np.float32) * np.float32(0.01)
        rows[start : start + size] = unit(share * first + (1 - share) * second + noise)
    return rows


def ours(program, *arguments):
    output = subprocess.run(
        [program, *map(str, arguments)], check=True, capture_output=True, text=True
    ).stdout
    return json.loads(output)


def recall(found, expected):
    return statistics.mean(
        len(set(a) & set(b)) / max(1, len(b)) for a, b in zip(found, expected)
    )


def compare(program, folder, queries, rows, limit, turns):
    count, dimensions = rows.shape
    rows_file = os.path.join(folder, "rows.f32")
    query_file = os.path.join(folder, "queries.f32")
    index_file = os.path.join(folder, f"vectors-{count}")
    rows.tofile(rows_file)
    queries.tofile(query_file)
    built = ours(program, "build", index_file, rows_file, dimensions, count)
    os.remove(rows_file)
    flat = faiss.IndexFlatIP(dimensions)
    flat.add(rows)
    for query in queries[:20]:
        flat.search(query[None], limit)
    theirs, their_work, mine, my_work, expected = [], [], [], [], []
    for turn in range(turns):
        part = queries if turn == 0 else queries[:20]
        for query in part:
            start, work = time.perf_counter(), time.thread_time()
            _, numbers = flat.search(query[None], limit)
            theirs.append(time.perf_counter() - start)
            their_work.append(time.thread_time() - work)
            if turn == 0:
                expected.append([int(n) * 8 for n in numbers[0]])
        answer = ours(program, "search", index_file, query_file, dimensions, limit, 1)
        mine.append(answer["median"])
        my_work.append(answer["work"])
        if turn == 0:
            found, p99, memory = answer["found"], answer["p99"], answer["memoryKB"]
    os.remove(index_file)
    their_median, my_median = statistics.median(theirs), statistics.median(mine)
    return {
        "rows": count,
        "faissFlatMs": round(their_median * 1000, 3),
        "arkivedMs": round(my_median * 1000, 3),
        "arkivedP99Ms": round(p99 * 1000, 3),
        "timesFaster": round(their_median / my_median, 1),
        # Processor time of the searching thread, which others on the machine disturb less.
        "faissFlatWorkMs": round(statistics.median(their_work) * 1000, 3),
        "arkivedWorkMs": round(statistics.median(my_work) * 1000, 3),
        "timesLessWork": round(statistics.median(their_work) / statistics.median(my_work), 1),
        f"recallAt{limit}": round(recall(found, expected), 4),
        "memoryMB": round(memory / 1024, 1),
        "buildSeconds": round(built["seconds"], 1),
        "openMs": round(built["openSeconds"] * 1000, 2),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("vectors")
    parser.add_argument("folder")
    parser.add_argument("--sizes", default="10000,100000,1000000,1500000")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--limit", type=int, default=20)
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    faiss.omp_set_num_threads(1)
    vectors = np.load(options.vectors).astype(np.float32)
    vectors = unit(vectors[np.linalg.norm(vectors, axis=1) > 0.5])
    queries = np.ascontiguousarray(vectors[: options.queries])
    real = vectors[options.queries :]
    print(json.dumps({"realRows": len(real), "queries": len(queries), "faiss": faiss.__version__}))
    for size in map(int, options.sizes.split(",")):
        rows = np.ascontiguousarray(enlarged(real, size))
        result = compare(options.program, options.folder, queries, rows, options.limit, options.turns)
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
