"""Many writers that are killed at random, and a reader that stays."""

import os
import queue
import random
import sqlite3
import subprocess
import threading

from common import activities, all_is_there
from verdict import require

WRITERS = 4


def environment(case):
    return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": case}


def writer_process(bench, case):
    return subprocess.Popen(
        [bench.lifetime, "adds", os.path.join(case, "archive")],
        env=environment(case), text=True, bufsize=1,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


class Writer(threading.Thread):
    """Adds so many entries, one after another, by processes that are killed every now and then."""

    def __init__(self, bench, case, name, count, seed):
        super().__init__()
        self.bench, self.case, self.name, self.count = bench, case, name, count
        self.chance = random.Random(seed)
        self.acknowledged, self.perhaps = [], []
        self.kills = 0
        self.problem = None

    def run(self):
        try:
            while self.problem is None and len(self.acknowledged) < self.count:
                self.write_until_killed()
        except Exception as error:  # A thread's error is nobody's otherwise.
            self.problem = repr(error)

    def write_until_killed(self):
        process = writer_process(self.bench, self.case)
        # The deaths come after so many answers; the last process may live.
        death = self.chance.randint(5, max(20, self.count // 12))
        tried = 0
        while len(self.acknowledged) < self.count:
            text = f"{self.name} {len(self.acknowledged)}.{self.kills}"
            process.stdin.write(text + "\n")
            process.stdin.flush()
            tried += 1
            if tried == death:
                # In the midst of a write: at once, or within the time that one takes.
                threading.Event().wait(self.chance.choice((0, 0.0005, 0.001, 0.003)))
                process.kill()
            answer = process.stdout.readline()
            if not answer.endswith("\n"):
                self.perhaps.append(text)
                break
            self.acknowledged.append(text)
            if tried >= death:
                break
        was_killed = tried >= death
        process.stdin.close()
        process.stdout.close()
        said = process.stderr.read()
        process.stderr.close()
        process.wait()
        self.kills += was_killed
        if not was_killed and process.returncode != 0:
            self.problem = f"a writer ended with {process.returncode}: {said[-400:]}"


def four_writers(bench):
    """Four programs write at once and are killed at random; nobody's acknowledged entry is lost."""
    count = bench.amount(150, 10_000)
    with bench.workshop.case("writers", bench.workshop.base) as case:
        before = activities(case)
        writers = [
            Writer(bench, case, f"writer-{number}", count, bench.chance.random())
            for number in range(WRITERS)
        ]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        for writer in writers:
            require(writer.problem is None, f"{writer.name}: {writer.problem}")
        acknowledged = [text for writer in writers for text in writer.acknowledged]
        perhaps = [text for writer in writers for text in writer.perhaps]
        all_is_there(bench, case, [*acknowledged, *before], perhaps)
        strange = set(activities(case)) - set(acknowledged) - set(perhaps) - set(before)
        require(
            strange <= {"and the next day went on"}, f"nobody wrote {sorted(strange)[:3]}"
        )
        kills = sum(writer.kills for writer in writers)
        return f"{len(acknowledged)} entries acknowledged through {kills} kills, all there"


def a_reader_that_stays(bench):
    """A reader that was opened before a thousand writes sees its own moment, and keeps nobody out."""
    count = bench.amount(400, 20_000)
    with bench.workshop.case("reader", bench.workshop.base) as case:
        file = os.path.join(case, "archive", "archive.sqlite")
        # Open before and after, so that the log stays while the reader holds it.
        reader = sqlite3.connect(file, isolation_level=None)
        reader.execute("BEGIN")
        (before,) = reader.execute("SELECT count(*) FROM activities").fetchone()
        process = writer_process(bench, case)
        texts = [f"while somebody reads {number}" for number in range(count)]
        answers = queue.Queue()
        listener = threading.Thread(target=lambda: [answers.put(it) for it in process.stdout])
        listener.start()
        for text in texts:
            process.stdin.write(text + "\n")
        process.stdin.close()
        listener.join()
        said = process.stderr.read()
        process.stdout.close()
        process.stderr.close()
        require(process.wait() == 0, f"the writer ended with {process.returncode}: {said[-400:]}")
        require(answers.qsize() == count, f"{answers.qsize()} of {count} writes were answered")
        (after,) = reader.execute("SELECT count(*) FROM activities").fetchone()
        require(after == before, f"the reader saw {after} entries instead of its {before}")
        size = os.path.getsize(file + "-wal")
        reader.execute("ROLLBACK")
        reader.close()
        all_is_there(bench, case, texts)
        left = os.path.getsize(file + "-wal") if os.path.exists(file + "-wal") else 0
        require(left <= size, f"the log grew from {size} to {left} bytes after the reader went")
        return f"{count} writes beside one reader; its log of {size / 1e6:.1f} MB went with it"
