#!/usr/bin/env python3
"""Makes the data of ICU that Arkived's program needs, as an object that takes the place of Foundation's own.

Usage: icu_data.py [--output FILE] [--list]. Prints the path of the object (.build/package/icu_data.o), a
space and the symbol that the linker is to wrap with it; with --list the items and their sizes in bytes.
Foundation brings the calendars, names and sort orders of 300 languages and the code pages of old computers,
34 MB; Arkived speaks two languages. Time zones, calendars, characters and rules that hang on no language
are all kept.
"""

from __future__ import annotations

import argparse
import json
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
LANGUAGES = ("en", "de")
LOCALE = re.compile(r"([a-z]{2,3})(?:_\w*)?\.res")
# Code pages, word lists of scripts without spaces, transliterations, and the characters' names.
UNUSED = re.compile(r".*\.cnv|.*\.dict|translit/.*|unames\.icu")
MAGIC = b"\xda\x27"


def run(*words: str | Path, **settings: object) -> bytes:
    try:
        return subprocess.run([str(word) for word in words], check=True, capture_output=True, **settings).stdout
    except FileNotFoundError:
        sys.exit(f"icu_data: {words[0]} is missing; run ./setup --package")
    except subprocess.CalledProcessError as error:
        sys.exit(f"icu_data: {words[0]} ended with {error.returncode}: {error.stderr.decode().strip()}")


def is_kept(item: str) -> bool:
    """If the program needs an item, such as `zone/de_AT.res`."""
    locale = LOCALE.fullmatch(item.rpartition("/")[2])
    return not UNUSED.fullmatch(item) and (locale is None or locale[1] in LANGUAGES)


def items(data: bytes) -> tuple[bytes, dict[str, bytes]]:
    """The header and the items of a package of ICU data: a table of offsets, then names, then contents."""
    size = struct.unpack_from("<H", data)[0]
    if data[2:4] != MAGIC or data[8] != 0 or data[12:16] != b"CmnD":
        raise ValueError("it isn't a little-endian package of data")
    body = data[size:]
    (count,) = struct.unpack_from("<I", body)
    table = [struct.unpack_from("<II", body, 4 + 8 * index) for index in range(count)]
    ends = [start for _, start in table[1:]] + [len(body)]
    found = {}
    for (name, start), end in zip(table, ends, strict=True):
        if not start < end <= len(body):
            raise ValueError("its table of contents is damaged")
        found[body[name : body.index(b"\0", name)].decode()] = body[start:end]
    return data[:size], found


def package(header: bytes, content: dict[str, bytes]) -> bytes:
    """The same form, with each item at a multiple of 16 bytes, as ICU asks for."""
    names = b""
    offsets = []
    first_name = 4 + 8 * len(content)
    for name in sorted(content):
        offsets.append(first_name + len(names))
        names += name.encode() + b"\0"
    place = -(-(first_name + len(names)) // 16) * 16
    table = struct.pack("<I", len(content))
    blocks = b""
    for offset, name in zip(offsets, sorted(content), strict=True):
        table += struct.pack("<II", offset, place + len(blocks))
        blocks += content[name] + bytes(-len(content[name]) % 16)
    front = header + bytes(-len(header) % 16)
    if len(front) != len(header):
        raise ValueError("its header isn't a multiple of 16 bytes")
    return front + (table + names).ljust(place, b"\0") + blocks


def of_toolchain(work: Path) -> tuple[str, bytes]:
    """The symbol and the data in Swift's static library of ICU."""
    info = json.loads(run("swiftc", "-static-stdlib", "-print-target-info"))
    library = Path(info["paths"]["runtimeResourcePath"]) / "linux/lib_FoundationICU.a"
    member = next((it for it in run("ar", "t", library).decode().split() if "packaged_data" in it), None)
    if member is None:
        raise ValueError(f"{library} has no data")
    whole = work / "whole.o"
    whole.write_bytes(run("ar", "p", library, member))
    found = re.search(r"^([0-9a-f]+) ([0-9a-f]+) R (icudt\d+_dat)$", run("nm", "-S", whole).decode(), re.M)
    if found is None:
        raise ValueError(f"{library} has no data of the known name")
    bare = work / "whole.dat"
    run("objcopy", "-O", "binary", "--only-section=.rodata", whole, bare)
    start, size = int(found[1], 16), int(found[2], 16)
    return found[3], bare.read_bytes()[start : start + size]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=PROJECT / ".build/package/icu_data.o")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        try:
            symbol, data = of_toolchain(work)
            header, all_items = items(data)
            kept = {name: it for name, it in all_items.items() if is_kept(name.partition("/")[2])}
            small = package(header, kept)
        except (ValueError, KeyError, struct.error) as error:
            sys.exit(f"icu_data: Swift's data of ICU can't be read: {error}")
        if options.list:
            for name, item in kept.items():
                print(len(item), name)
            return
        (work / "small.dat").write_bytes(small)
        options.output.parent.mkdir(parents=True, exist_ok=True)
        source = f"""
            .section .rodata
            .balign 16
            .globl __wrap_{symbol}
            .type __wrap_{symbol}, @object
            __wrap_{symbol}: .incbin "{work / "small.dat"}"
            .size __wrap_{symbol}, {len(small)}
            .section .note.GNU-stack, "", @progbits
        """
        run("as", "-o", options.output, "-", input=source.encode())
        print(options.output.absolute(), symbol)


if __name__ == "__main__":
    main()
