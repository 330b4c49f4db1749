#!/usr/bin/env python3
"""Makes Sources/ArkivedWeb/Resources/codemirror.js, the editor library of the pages.

  Scripts/bundle_editor.py             writes the file anew; the program embeds it
  Scripts/bundle_editor.py --check     exits with 1 if the file would be another one

The file holds those parts of CodeMirror 6 and Lezer that Resources/editor.js uses, in one minified module.
The packages come unchanged out of the source map of a wheel that pip downloads with whatever index it is
set up for; the wheel's sum is checked. esbuild (Debian: `apt-get install esbuild`) leaves out what isn't
used. Exits with 69 if pip or esbuild cannot be had.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

RESOURCES = Path(__file__).resolve().parent.parent / "Sources" / "ArkivedWeb" / "Resources"
TARGET = RESOURCES / "codemirror.js"
LICENCE = RESOURCES / "codemirror.LICENSE"
PACKAGE = "spaday-codemirror==0.2.0"
SUM = "9c231940bb815c41dc536f4a4c0b921e55ad4e5c71ba61f63377171e16142fcd"
MAP = "spaday_codemirror/extension/cdn/index.js.map"
NAMES = re.compile(r"node_modules/\.pnpm/.+@([\d.]+)/node_modules/((?:@[^/]+/)?[^/]+)/(.+)$")

# Pages forbid style elements. Constructed style sheets are allowed, and the library uses them for a root
# without a head.
ENTRY = """
import { StyleModule } from "style-mod";
const root = {
  ownerDocument: document,
  get adoptedStyleSheets() { return document.adoptedStyleSheets; },
  set adoptedStyleSheets(sheets) { document.adoptedStyleSheets = sheets; },
};
const mount = StyleModule.mount;
StyleModule.mount = (given, ...rest) => mount.call(StyleModule, given === document ? root : given, ...rest);
export {
  Annotation, Compartment, EditorSelection, EditorState, Prec, StateEffect, StateField,
} from "@codemirror/state";
export { Decoration, EditorView, ViewPlugin, WidgetType, keymap, placeholder } from "@codemirror/view";
export {
  history, historyKeymap, indentLess, indentMore, isolateHistory, moveLineDown, moveLineUp, redo, redoDepth,
  standardKeymap, undo, undoDepth,
} from "@codemirror/commands";
export { Language, syntaxHighlighting, syntaxTree } from "@codemirror/language";
export { Strikethrough, TaskList } from "@lezer/markdown";
export { tagHighlighter, tags } from "@lezer/highlight";
export {
  acceptCompletion, autocompletion, closeCompletion, completionKeymap, completionStatus, startCompletion,
} from "@codemirror/autocomplete";
export { commonmarkLanguage, deleteMarkupBackward, insertNewlineContinueMarkup } from "@codemirror/lang-markdown";
"""


class Failed(Exception):
    pass


def run(*command: str, cwd: Path) -> None:
    try:
        done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except FileNotFoundError:
        raise Failed(f"{command[0]} is missing") from None
    if done.returncode != 0:
        raise Failed(f"{command[0]} failed:\n{done.stdout.strip()}")


def unpack(folder: Path) -> dict[str, str]:
    """Lays the packages out as node_modules; returns their versions by their names."""
    run(
        sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check",
        "--only-binary", ":all:", "--dest", ".", PACKAGE, cwd=folder,
    )
    wheel = next(folder.glob("*.whl"))
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != SUM:
        raise Failed(f"{wheel.name} is another file than the one whose sum is known")
    with zipfile.ZipFile(wheel) as archive:
        sources = json.loads(archive.read(MAP))
    versions = {}
    for name, text in zip(sources["sources"], sources["sourcesContent"], strict=True):
        if not (parts := NAMES.search(name)):
            continue
        version, package, path = parts.groups()
        versions[package] = version
        lay(folder, package, path, text)
    # Only the library's dialogs use it, which the pages don't.
    lay(folder, "crelt", "index.js", "export default () => { throw new Error('crelt is not bundled'); };\n")
    return versions


def lay(folder: Path, package: str, path: str, text: str) -> None:
    place = folder / "node_modules" / package
    (place / path).parent.mkdir(parents=True, exist_ok=True)
    (place / path).write_text(text, encoding="utf-8")
    description = {"name": package, "type": "module", "main": path, "sideEffects": False}
    (place / "package.json").write_text(json.dumps(description), encoding="utf-8")


def bundle() -> bytes:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        versions = unpack(folder)
        (folder / "entry.js").write_text(ENTRY, encoding="utf-8")
        run(
            "esbuild", "entry.js", "--bundle", "--minify", "--format=esm", "--target=es2022",
            "--legal-comments=none", "--outfile=made.js", "--metafile=made.json", "--log-level=warning",
            cwd=folder,
        )
        made = (folder / "made.js").read_text(encoding="utf-8")
        (output,) = json.loads((folder / "made.json").read_text())["outputs"].values()
        used = [one.split("node_modules/")[1] for one, part in output["inputs"].items()
                if "node_modules/" in one and part["bytesInOutput"] > 0]  # fmt: skip
    if "crelt is not bundled" in made:
        raise Failed("the bundle uses crelt, which it does not have")
    lines = sorted(f"{package} {version}" for package, version in versions.items()
                   if any(one.startswith(f"{package}/") for one in used))  # fmt: skip
    licence = LICENCE.read_text(encoding="utf-8").strip()
    head = f"Made by Scripts/bundle_editor.py from {', '.join(lines)}.\n\n{licence}"
    return f"/*!\n{head}\n*/\n{made}".encode()


def main() -> int:
    try:
        made = bundle()
    except Failed as problem:
        print(f"bundle_editor: {problem}", file=sys.stderr)
        return 69
    if "--check" in sys.argv[1:]:
        return 0 if TARGET.exists() and TARGET.read_bytes() == made else 1
    TARGET.write_bytes(made)
    print(f"{TARGET.name}: {len(made):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
