#!/usr/bin/env python3
"""Writes Sources/CWebFiles/web_files.c, which puts the files of Sources/ArkivedWeb/Resources and the changelog into the
program.

  Scripts/embed_web_files.py            writes the list; run it after a file came or went
  Scripts/embed_web_files.py --check    exits with 1 if the list isn't up to date

A changed file needs nothing: the C compiler reads it again.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESOURCES = ROOT / "Sources/ArkivedWeb/Resources"
# Files of other folders, with their names in the program.
OTHERS = {"changelog.md": "../../CHANGELOG.md"}
TARGET = ROOT / "Sources/CWebFiles/web_files.c"


def files():
    found = [it for it in RESOURCES.rglob("*") if it.is_file() and not it.name.startswith(".")]
    return sorted([it.relative_to(RESOURCES).as_posix() for it in found] + list(OTHERS))


def source(names):
    lines = [
        "// Written by Scripts/embed_web_files.py.",
        '#include "web_files.h"',
        "",
        "// The compiler knows `#embed` in every C, and would say that it belongs to C23.",
        '#pragma clang diagnostic ignored "-Wc23-extensions"',
        "",
    ]
    for name in names:
        lines += [
            f"static const unsigned char {variable(name)}[] = {{",
            f'#embed "{OTHERS.get(name, f"../ArkivedWeb/Resources/{name}")}"',
            "};",
        ]
    lines += ["", "// In the order of their names, as strcmp has it.", "static const struct web_file files[] = {"]
    for name in sorted(names, key=str.encode):
        lines.append(f'    {{"{name}", {variable(name)}, sizeof {variable(name)}}},')
    lines += [
        "};",
        "",
        "size_t web_file_count(void) { return sizeof files / sizeof files[0]; }",
        "",
        "struct web_file web_file_at(size_t index) { return files[index]; }",
        "",
    ]
    return "\n".join(lines)


def variable(name):
    return "file_" + re.sub(r"[^a-z0-9]", "_", name)


def main():
    text = source(files())
    if "--check" in sys.argv[1:]:
        if TARGET.read_text(encoding="utf-8") == text:
            return 0
        print("Sources/CWebFiles/web_files.c is out of date; run Scripts/embed_web_files.py", file=sys.stderr)
        return 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
