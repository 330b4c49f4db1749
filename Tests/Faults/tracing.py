"""The library's word against the kernel's: strace sees every call, and can kill and fail as well.

`missed` compares what the library wrote down with the calls that strace saw. `compare` lets strace
kill the plain program, or fail its call, where the library would, and compares what is left.
"""

import os
import re
import shutil
import subprocess

import shim
from trials import Trial
from verdict import require

KINDS = {
    **dict.fromkeys(("write", "pwrite64", "writev", "pwritev", "pwritev2"), shim.WRITE),
    **dict.fromkeys(("sendfile", "copy_file_range", "splice"), shim.WRITE),
    # `sync_file_range` is left out: it sends bytes on their way and promises nothing.
    **dict.fromkeys(("fsync", "fdatasync", "syncfs", "msync"), shim.SYNC),
    **dict.fromkeys(("ftruncate", "truncate"), shim.TRUNCATE),
    **dict.fromkeys(("rename", "renameat", "renameat2"), shim.RENAME),
    **dict.fromkeys(("mkdir", "mkdirat"), shim.MAKE_FOLDER),
    **dict.fromkeys(("chmod", "fchmod", "fchmodat"), shim.MODE),
    **dict.fromkeys(("unlink", "unlinkat", "rmdir"), shim.UNLINK),
    **dict.fromkeys(("link", "linkat"), shim.LINK),
    **dict.fromkeys(("symlink", "symlinkat"), shim.SYMLINK),
    "fallocate": shim.ALLOCATE,
    "sync": shim.SYNC_ALL,
}  # fmt: skip
# The plain program, without the library.
PLAIN = {"SWIFT_DETERMINISTIC_HASHING": "1"}
# Calls that would write past all of these.
BYPASSES = ("mmap", "io_uring_setup", "io_submit", "mknodat", "setxattr", "fsetxattr")
LINE = re.compile(r"(\d+) +(\w+)\((.*)\) += (-?\d+|0x[0-9a-f]+)")


class Call:
    """One call of the kernel; `order` counts the calls of that name by its thread."""

    def __init__(self, thread, name, path, order):
        self.thread = thread
        self.name = name
        self.path = path
        self.order = order


def is_there():
    if not shutil.which("strace"):
        return False
    trial = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True)
    return trial.returncode == 0


def options(log, more=()):
    calls = ",".join((*KINDS, *BYPASSES))
    return ["strace", "-f", "-y", "-s", "0", "-o", log, "-e", f"trace={calls}", *more]


def trace(rehearsal, case, log, settings):
    """Runs a scenario's act under strace."""
    act = rehearsal.scenario.acts[0]
    words = [rehearsal.names.get(it, it).replace("{case}", case) for it in act.arguments]
    return rehearsal.workshop.program.run(
        case, *words, settings=settings, before=options(log[0], log[1:])
    )


def calls(log, case):
    """The calls on files of a case, in their order; those that failed left out."""
    unfinished, orders, found = {}, {}, []
    with open(log, encoding="utf-8", errors="replace") as file:
        for line in file:
            thread = line.split(" ", 1)[0]
            if line.rstrip().endswith("<unfinished ...>"):
                unfinished[thread] = line.rstrip()[: -len("<unfinished ...>")]
                continue
            resumed = re.match(r"\d+ +<\.\.\. \w+ resumed>(.*)", line)
            if resumed:
                line = unfinished.pop(thread, "") + resumed[1]
            match = LINE.match(line)
            if not match:
                continue
            name, words, result = match[2], match[3], match[4]
            order = orders[thread, name] = orders.get((thread, name), 0) + 1
            words = re.sub(r"AT_FDCWD<[^>]*>", "", words)
            paths = re.findall(r'[<"](/[^>"]*)[>"]', words)
            path = next((it for it in paths if f"{it}/".startswith(f"{case}/")), None)
            if path is None or result.startswith("-"):
                continue
            if name in BYPASSES and (name != "mmap" or is_harmless(words, path)):
                require(name == "mmap", f"{name} passes the library by: {line.strip()}")
                continue
            found.append(Call(thread, name, path, order))
    return found


def is_harmless(words, path):
    """Whether a mapping writes into no file, or only into SQLite's shared memory."""
    return "MAP_SHARED" not in words or "PROT_WRITE" not in words or path.endswith("-shm")


def missed(rehearsal):
    """Requires that the library saw all that the kernel saw; returns how many calls."""
    workshop = rehearsal.workshop
    with workshop.case(rehearsal.scenario.name, rehearsal.prepared) as case:
        log = os.path.join(workshop.folder, os.path.basename(case))
        outcome = trace(
            rehearsal, case, [f"{log}.strace"], rehearsal.settings(case, log=f"{log}.log")
        )
        require(outcome.status == 0, f"under strace it ended with {outcome.status}: {outcome.talk}")
        kernel = [(KINDS[it.name], os.path.relpath(it.path, case)) for it in
                  calls(f"{log}.strace", case)]  # fmt: skip
        library = [
            (shim.UNLINK if it.kind == shim.REMOVE_FOLDER else it.kind,
             os.path.relpath(it.path, case))
            for it in shim.read(f"{log}.log")
            if it.kind not in (shim.SAID, shim.CREATE)
        ]  # fmt: skip
        for kind, path in kernel:
            require(kind != shim.SYNC_ALL, f"it flushes the whole system for {path}")
        difference = next(
            (pair for pair in zip(kernel, library, strict=False) if pair[0] != pair[1]), None
        )
        require(
            difference is None and len(kernel) == len(library),
            f"the kernel saw {len(kernel)} calls, the library {len(library)}; "
            f"they part at {difference}",
        )
    return len(kernel)


def compare(trial):
    """Requires that strace's fault leaves what the library's fault of a trial leaves.

    Returns False where the operation makes a file, which strace cannot tell from opening one, and where
    a second thread works beside it, so that the same place was another call this time.
    """
    rehearsal, how, point = trial.rehearsal, trial.how, trial.point
    workshop, name = rehearsal.workshop, rehearsal.scenario.name
    counted = [it for it in rehearsal.operations if it.number]
    wanted = counted[point - 1]
    if wanted.kind == shim.CREATE:
        return False
    place = sum(1 for it in counted[: point - 1] if it.kind != shim.CREATE)
    ours = trial.run()["state"]
    with workshop.case(name, rehearsal.prepared) as case:
        log = os.path.join(workshop.folder, os.path.basename(case) + ".strace")
        trace(rehearsal, case, [log], PLAIN)
        seen = calls(log, case)
    is_alone = all(it.thread == seen[0].thread for it in seen)
    call = seen[place] if place < len(seen) else None
    is_same = call and KINDS[call.name] == wanted.kind and call.thread == seen[0].thread
    if not is_same and not is_alone:
        return False
    require(
        is_same,
        f"at {point} strace saw {call and call.name}, "
        f"the library {wanted.told(rehearsal.disk.root)}",
    )
    fault = "signal=KILL" if how == "before" else f"error={how}"
    inject = ["-e", f"inject={call.name}:{fault}:when={call.order}"]
    with workshop.case(name, rehearsal.prepared) as case:
        outcome = trace(rehearsal, case, [log, *inject], PLAIN)
        acknowledged = rehearsal.scenario.acts[0].acknowledged(outcome)
        if how == "before" and outcome.status == 0 and not is_alone:
            return False
        require(how != "before" or outcome.status != 0, f"strace did not kill at {point}")
        state = Trial(rehearsal, how, point, 0).judge(case, int(acknowledged))["state"]
        require(state == ours, f"the library's fault leaves state {ours}, strace's {state}")
    os.remove(log)
    return True
