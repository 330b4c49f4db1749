"""Places where an archive cannot grow: a full disk of two megabytes, and a folder that is read-only.

Both need a mount, which a process may make in a namespace of its own. As a program, this file runs
inside one: places.py (full|fixed) PATH-OF-ARKIVED FOLDER LETTER; it prints one JSON document.
"""

import json
import os
import shutil
import subprocess
import sys

from program import Program
from trials import HONEST, is_sentence
from verdict import Observer, Wrong, database_is_sound, require

READINGS = (
    ("day", "--json"), ("search", "lunch", "--json"), ("history", "--json"), ("tag", "--json"),
    ("ask", "how many times did I swim?", "--json"), ("import", "list", "--json"), ("export",),
    ("doctor", "--json"),
)  # fmt: skip


def places(workshop):
    """A line for each place, and the promise that was broken there, or None."""
    if not can_mount():
        yield "full disk, read-only folder: left out, mounting needs user namespaces", None
        return
    for kind, title in (("full", "full disk"), ("fixed", "read-only folder")):
        with workshop.case(kind, workshop.base) as case:
            inside = subprocess.run(
                [
                    *("unshare", "-rm", sys.executable, "-B", __file__, kind),
                    *(workshop.program.binary, case, workshop.inputs.letter),
                ],
                capture_output=True,
                text=True,
            )
        if inside.returncode != 0:
            yield f"{title}: broken", f"{title}: {inside.stderr.strip()[-2000:]}"
            continue
        found = json.loads(inside.stdout)
        yield f"{title}: {found['line']}", found["problem"] and f"{title}: {found['problem']}"


def can_mount():
    if not shutil.which("unshare"):
        return False
    trial = subprocess.run(
        ["unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=64k faults /mnt"],
        capture_output=True,
    )
    return trial.returncode == 0


def mount(*words):
    subprocess.run(["mount", *words], check=True)


def honest(outcome, what):
    """A failure that says so, with a sentence."""
    sentence = outcome.talk.strip()
    require(outcome.status in HONEST, f"{what} ended with {outcome.status}: {sentence}")
    require(is_sentence(sentence), f"{what}: no sentence for a person: {sentence!r}")
    return sentence


def full_disk(program, case, letter):
    """Writes until there is no room, reads then, and makes room again."""
    disk = os.path.join(case, "disk")
    os.mkdir(disk)
    letter = shutil.copy(letter, case)
    mount("-t", "tmpfs", "-o", "size=2m", "faults", disk)
    kept, refused, sentences = [], 0, set()
    for number in range(400):
        words = [f"line {number} {'word ' * 400}"]
        if number % 4 == 0:
            with open(letter, "ab") as file:
                file.write(b"more" * 2000)
            words += ["--attach", letter]
        outcome = program.run(disk, "add", *words, "--json")
        if outcome.status == 0:
            kept.append(outcome.json["created"])
        else:
            sentences.add(honest(outcome, "add"))
            refused += 1
            if refused == 5:
                break
    require(kept and refused == 5, f"{len(kept)} entries kept, {refused} refused")
    readable = sum(program.run(disk, *words).status == 0 for words in READINGS)
    for words in READINGS:
        outcome = program.run(disk, *words)
        if outcome.status != 0:
            sentences.add(honest(outcome, words[0]))
    mount("-o", "remount,size=8m", disk)
    observer = Observer(program)
    look = observer.look(disk, None)
    there = {line["id"]: line for line in look.exported if line["type"] == "activity"}
    require(
        set(there) == {it["id"] for it in kept},
        f"{len(kept)} entries were acknowledged, {len(there)} are there",
    )
    require(
        all(there[it["id"]]["text"] == it["text"] for it in kept),
        "an acknowledged entry has another text",
    )
    observer.next_write(disk)
    observer.doctor(disk)
    database_is_sound(disk)
    return (
        f"{len(kept)} entries kept, {refused} refused, {readable} of {len(READINGS)} reading "
        f"commands work when it is full; said: " + " | ".join(sorted(sentences))
    )


def read_only(program, case, _):
    """Nothing can be written, and what was there stays as it is."""
    observer = Observer(program)
    observer.ask(case, "day")
    mount("--bind", case, case)
    mount("-o", "remount,bind,ro", case)
    sentences, works = set(), []
    for words in READINGS:
        outcome = program.run(case, *words)
        if outcome.status == 0:
            works.append(words[0])
        else:
            sentences.add(honest(outcome, words[0]))
    sentences.add(honest(program.run(case, "add", "something", "--json"), "add"))
    mount("-o", "remount,bind,rw", case)
    observer.next_write(case)
    observer.doctor(case)
    return f"{len(works)} of {len(READINGS)} reading commands work; said: " + " | ".join(
        sorted(sentences)
    )


def main():
    kind, binary, case, letter = sys.argv[1:]
    line, problem = "broken", None
    try:
        line = {"full": full_disk, "fixed": read_only}[kind](Program(binary), case, letter)
    except Wrong as wrong:
        problem = str(wrong)
    json.dump({"line": line.replace(case, "…"), "problem": problem}, sys.stdout)


if __name__ == "__main__":
    main()
