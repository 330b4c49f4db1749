#!/usr/bin/env python3
"""Writes down what a recording says, for Arkived: transcribe.py MODEL_FOLDER RECORDING.

Standard output gets one JSON object a line: {"progress": 0.4} while it works, at last {"text": "…"},
or {"error": "…"}, which fits into a sentence, and the exit code 1. It runs in a process of its own with
no input. It opens no connection: whatever tries is refused. `./setup --voice` puts it beside what it
needs; Arkived starts it for one recording and ends it when that takes too long.
"""

import json
import os
import resource
import sys

# A recording may last an hour; its sound is decoded into memory, 16,000 samples a second.
PROCESSOR_SECONDS = 3 * 3600
LONGEST = 4 * 3600
BLOCKED = (
    "socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname",
    "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty",
)


def tell(**said):
    print(json.dumps(said), flush=True)


def refuse(event, arguments):
    if event in BLOCKED:
        raise PermissionError(f"{event} is not allowed here")


def write_down(model_class, folder, recording):
    model = model_class(
        folder, device="cpu", compute_type="int8", cpu_threads=max(1, (os.cpu_count() or 2) - 1),
        local_files_only=True)
    segments, info = model.transcribe(recording, beam_size=5, condition_on_previous_text=False)
    if info.duration > LONGEST:
        raise ValueError("it is longer than four hours")
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
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        from faster_whisper import WhisperModel

        # From here on it is what a recording holds that decides what happens.
        sys.addaudithook(refuse)
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
