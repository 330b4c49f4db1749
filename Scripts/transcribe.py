#!/usr/bin/env python3
"""Writes down what a recording says, for Arkived: transcribe.py MODEL_FOLDER RECORDING.

Standard output gets one JSON object a line: {"progress": 0.4} while it works, at last {"text": "…"},
or {"error": "…"}, which fits into a sentence, and the exit code 1. It runs in a process of its own with
no input. It opens no connection, starts no process and writes no file: whatever tries is refused, on
Linux by the system, whose refusals also hold for the decoders. `./setup --voice` puts it beside what
it needs; Arkived starts it for one recording and ends it when that takes too long.
"""

import ctypes
import errno
import json
import os
import platform
import resource
import struct
import sys

# A recording may last an hour; its sound is decoded into memory, 16,000 samples a second.
PROCESSOR_SECONDS = 3 * 3600
LONGEST = 4 * 3600
RATE = 16_000
# A small file can hold hours of silence. An hour of sound needs 3 GiB.
LEAST_MEMORY = 3 << 30
BLOCKED = (
    "socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname",
    "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty",
)


# The calls of the system that are refused, with their numbers on x86_64 and aarch64.
CALLS = {
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200),
    "listen": (50, 201), "accept": (43, 202), "accept4": (288, 242), "execve": (59, 221),
    "execveat": (322, 281), "fork": (57, None), "vfork": (58, None), "ptrace": (101, 117),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kill": (62, 129),
    "tkill": (200, 130), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424), "bpf": (321, 280), "userfaultfd": (323, 282),
    "perf_event_open": (298, 241), "add_key": (248, 217), "request_key": (249, 218),
    "keyctl": (250, 219), "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40),
    "io_uring_setup": (425, 425),
}
# linux/audit.h; and the numbers of clone, clone3, ioctl and prlimit64.
ARCHITECTURES = {
    "x86_64": (0, 0xC000003E, 56, 435, 16, 302), "aarch64": (1, 0xC00000B7, 220, 435, 29, 261),
}


def tell(**said):
    print(json.dumps(said), flush=True)


def refuse(event, arguments):
    if event in BLOCKED:
        raise PermissionError(f"{event} is not allowed here")


def lower(kind, most):
    """Lowers a limit for good."""
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(kind, (most, most))


def limit():
    lower(resource.RLIMIT_CPU, PROCESSOR_SECONDS)
    lower(resource.RLIMIT_CORE, 0)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    lower(resource.RLIMIT_DATA, max(LEAST_MEMORY, memory * 3 // 4))


def close_inherited():
    """Closes what the program has open: the connections of its server are inherited."""
    most = os.sysconf("SC_OPEN_MAX")
    os.closerange(3, most if 0 < most <= 1 << 20 else 1 << 20)


def fence():
    """Lets this thread and those it starts change no file (Landlock, since Linux 5.13)."""
    if not sys.platform.startswith("linux"):
        return
    libc = ctypes.CDLL(None)
    version = libc.syscall(444, None, ctypes.c_size_t(0), 1)
    if version < 1 or libc.prctl(38, 1, 0, 0, 0) != 0:
        return
    # Writing, and removing and creating entries; then moving and truncating.
    rights = 1 << 1 | 0x1FF << 4 | (1 << 13 if version > 1 else 0) | (1 << 14 if version > 2 else 0)
    rules = ctypes.create_string_buffer(struct.pack("=Q", rights), 8)
    ruleset = libc.syscall(444, rules, ctypes.c_size_t(8), 0)
    if ruleset >= 0:
        libc.syscall(446, ruleset, 0)
        os.close(ruleset)


def program(machine):
    """Returns the filter of system calls (seccomp) for a processor, as instructions."""
    place, architecture, clone, clone3, ioctl, prlimit = ARCHITECTURES[machine]

    def load(offset):
        return struct.pack("=HBBI", 0x20, 0, 0, offset)

    def jump(kind, value, yes, no):
        return struct.pack("=HBBI", 0x05 | kind, yes, no, value)

    def answer(value):
        return struct.pack("=HBBI", 0x06, 0, 0, value)

    equal, at_least, any_bit = 0x10, 0x30, 0x40
    allow, kill, refuse_with = 0x7FFF0000, 0x80000000, 0x00050000
    # struct seccomp_data: the number, the architecture, and the low halves of the arguments.
    filters = [load(4), jump(equal, architecture, 1, 0), answer(kill), load(0)]
    # The processor's other numbers (x32).
    filters += [jump(at_least, 0x40000000, 0, 1), answer(refuse_with | errno.ENOSYS)]
    # Threads are started, but no processes; without the newer call, the C library uses the older.
    filters += [jump(equal, clone3, 0, 1), answer(refuse_with | errno.ENOSYS)]
    for number, offset, kind, value, is_good in (
        (clone, 16, any_bit, 0x10000, True),
        # Of this process only.
        (prlimit, 16, equal, 0, True),
        # Typing into the terminal.
        (ioctl, 24, equal, 0x5412, False),
    ):
        filters += [
            jump(equal, number, 0, 4), load(offset),
            jump(kind, value, *((1, 0) if is_good else (0, 1))),
            answer(refuse_with | errno.EPERM), answer(allow),
        ]
    for numbers in CALLS.values():
        if numbers[place] is not None:
            filters += [jump(equal, numbers[place], 0, 1), answer(refuse_with | errno.EPERM)]
    return filters + [answer(allow)]


def confine():
    """Refuses sockets and other processes to all threads, decoders included."""
    machine = platform.machine()
    if not sys.platform.startswith("linux") or machine not in ARCHITECTURES:
        return
    libc = ctypes.CDLL(None)
    filters = program(machine)
    code = ctypes.create_string_buffer(b"".join(filters))
    head = ctypes.create_string_buffer(struct.pack("@HP", len(filters), ctypes.addressof(code)))
    if libc.prctl(38, 1, 0, 0, 0) == 0:
        # seccomp(2), SECCOMP_SET_MODE_FILTER with SECCOMP_FILTER_FLAG_TSYNC.
        libc.syscall(317 if machine == "x86_64" else 277, 1, 1, head)


def sound_of(recording):
    """Decodes a recording, and no more of it than is written down."""
    import av
    import numpy

    resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
    pieces, length = [], 0
    with av.open(recording, mode="r", metadata_errors="ignore") as container:
        frames = container.decode(audio=0)
        is_over = False
        while not is_over:
            try:
                frame = next(frames, None)
            except av.error.InvalidDataError:
                continue
            is_over = frame is None
            if frame is not None:
                frame.pts = None
            for piece in resampler.resample(frame):
                pieces.append(piece.to_ndarray().reshape(-1))
                length += len(pieces[-1])
            if length > LONGEST * RATE:
                raise ValueError("it is longer than four hours")
    whole = numpy.concatenate(pieces) if pieces else numpy.zeros(0, dtype=numpy.int16)
    return whole.astype(numpy.float32) / 32768.0


def write_down(model_class, folder, recording):
    model = model_class(
        folder, device="cpu", compute_type="int8", cpu_threads=max(1, (os.cpu_count() or 2) - 1),
        local_files_only=True)
    segments, info = model.transcribe(
        sound_of(recording), beam_size=5, condition_on_previous_text=False)
    pieces = []
    for segment in segments:
        pieces.append(segment.text.strip())
        tell(progress=round(min(1.0, segment.end / max(info.duration, 0.1)), 3))
    return " ".join(piece for piece in pieces if piece)


def main(arguments):
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 64
    os.environ["HF_HUB_OFFLINE"] = "1"
    close_inherited()
    limit()
    fence()
    try:
        from faster_whisper import WhisperModel

        # From here on it is what a recording holds that decides what happens.
        sys.addaudithook(refuse)
        confine()
        tell(text=write_down(WhisperModel, arguments[1], arguments[2]))
    except BrokenPipeError:
        return 1
    except Exception as error:
        # The decoder's own words name the file's place.
        if type(error).__module__.split(".")[0] == "av":
            tell(error="it is no sound that can be read")
        else:
            tell(error=f"{type(error).__name__}: {error}"[:300])
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
