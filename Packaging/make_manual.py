#!/usr/bin/env python3
"""Writes the manual page arkived(1) from what the program says of itself.

Usage: make_manual.py PROGRAM [FILE]. Commands, options and their help come from ArgumentParser's dump
(`--experimental-dump-help`), so that the page tells what the program does and nothing else. Its date is
SOURCE_DATE_EPOCH's, else today's.
"""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
from pathlib import Path

# Options that are described once for all commands.
COMMON = {"archive", "json", "help", "version"}
FILES = [
    ("~/.local/share/arkived", "The archive, unless --archive or ARKIVED_HOME names another folder."),
    ("~/.local/share/arkived/models", "The models for search by meaning, for all archives."),
    ("~/.config/systemd/user/arkived.service", "The unit that arkived service install writes."),
]
ENVIRONMENT = [
    ("ARKIVED_HOME", "The archive's folder."),
    ("ARKIVED_TIME_ZONE", "The home time zone, such as Europe/Rome. Default: the one chosen in the web app, otherwise "
     "the system's."),
    ("ARKIVED_LANGUAGE", "en or de, like --language before the command."),
    ("ARKIVED_NOW", "A time in ISO 8601 to use as the present, for trying things out."),
    ("ARKIVED_MODEL", "The folder with the model for search by meaning."),
    ("ARKIVED_DICTIONARY", "The folder with the German-English dictionary and the lists of related words."),
    ("ARKIVED_PLACES", "The folder with the list of towns that imports use to name places."),
    ("ARKIVED_VOICE", "The folder with the program that transcribes recordings."),
    ("ARKIVED_MODEL_KEY", "The key of the language model that arkived assistant use names."),
    ("BROWSER", "The program in which arkived open opens the web app."),
    ("VISUAL, EDITOR", "The editor for entries and notes. VISUAL takes precedence."),
]


def escaped(text: str) -> str:
    """Text that troff takes for nothing but text."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text[:1] in (".", "'") else text


def paragraphs(text: str) -> list[str]:
    """A discussion: blocks of examples keep their lines, the rest flows."""
    lines: list[str] = []
    for block in text.strip("\n").split("\n\n"):
        rows = block.split("\n")
        lines.append(".PP")
        if any(row.startswith((" ", "arkived ")) for row in rows):
            lines += [".nf", *(escaped(row) for row in rows), ".fi"]
        else:
            lines += "\n.br\n".join(escaped(row) for row in rows).split("\n")
    return lines


def name_of(name: dict[str, str]) -> str:
    return f"-{name['name']}" if name["kind"] == "short" else f"--{name['name']}"


def usage_of(argument: dict) -> str:
    if argument["kind"] == "positional":
        text = f"<{argument['valueName']}>"
    else:
        text = name_of(argument["preferredName"])
        if argument["kind"] == "option":
            text += f" <{argument['valueName']}>"
    if argument.get("isRepeating"):
        text += " ..."
    return f"[{text}]" if argument.get("isOptional") else text


def is_common(argument: dict) -> bool:
    return any(name["name"] in COMMON for name in argument.get("names", []))


def entry(term: str, *sentences: str | None) -> list[str]:
    told = [escaped(line) for text in sentences if text for line in text.split("\n")]
    return [".TP", f".B {escaped(term)}", *(told or ["\\&"])]


def argument_lines(argument: dict) -> list[str]:
    if argument["kind"] == "positional":
        term = f"<{argument['valueName']}>"
    else:
        term = ", ".join(name_of(name) for name in argument["names"])
        if argument["kind"] == "option":
            term += f" <{argument['valueName']}>"
    default = argument.get("defaultValue")
    choices = argument.get("allValues") or []
    return entry(
        term, argument.get("abstract"), argument.get("discussion"),
        f"One of: {', '.join(choices)}." if choices else None,
        f"Default: {default}." if default and argument["kind"] != "flag" else None,
    )  # fmt: skip


def command_lines(command: dict, before: list[str]) -> list[str]:
    words = [*before, command["commandName"]]
    arguments = [
        argument for argument in command.get("arguments", [])
        if argument.get("shouldDisplay", True) and not is_common(argument)
    ]  # fmt: skip
    lines = [f".SS {escaped(' '.join(words))}"]
    usage = " ".join([*words, *(usage_of(argument) for argument in arguments)])
    # A command whose work its subcommands do has no usage of its own.
    inner = [it for it in command.get("subcommands", []) if it.get("shouldDisplay", True)]
    if arguments or not inner:
        lines += [f".B {escaped(usage)}", ".PP"]
    if command.get("abstract"):
        lines.append(escaped(command["abstract"]))
    if command.get("discussion"):
        lines += paragraphs(command["discussion"])
    for argument in arguments:
        lines += argument_lines(argument)
    for subcommand in inner:
        lines += command_lines(subcommand, words)
    return lines


def manual(help: dict, version: str) -> str:
    """The page in the man macros of troff (groff_man(7))."""
    root = help["command"]
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    utc = datetime.timezone.utc
    when = datetime.datetime.fromtimestamp(int(seconds), utc) if seconds else datetime.datetime.now(utc)
    commands = [
        command for command in root["subcommands"]
        if command["commandName"] != "help" and command.get("shouldDisplay", True)
    ]  # fmt: skip
    common: dict[str, dict] = {}
    for command in [root, *commands]:
        for argument in command.get("arguments", []):
            if is_common(argument):
                common.setdefault(argument["names"][-1]["name"], argument)
    lines = [
        f'.TH ARKIVED 1 "{when:%Y-%m-%d}" "Arkived {version}" "User Commands"',
        ".nh", ".ad l",
        ".SH NAME", escaped(f"arkived - {root['abstract'].rstrip('.')}"),
        ".SH SYNOPSIS", ".B arkived", "<what you did>", ".br", ".B arkived",
        "<command> [options]",
        ".SH DESCRIPTION", *paragraphs(root.get("discussion", "")),
        ".SH OPTIONS OF EVERY COMMAND",
    ]  # fmt: skip
    for _, argument in sorted(common.items()):
        lines += argument_lines(argument)
    lines.append(".SH COMMANDS")
    for command in commands:
        lines += command_lines(command, ["arkived"])
    for title, rows in (("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)):
        lines.append(f".SH {title}")
        for term, sentence in rows:
            lines += entry(term, sentence)
    lines += [
        ".SH EXIT STATUS", "0 success, 1 failure, 64 incorrect usage, 65 invalid input, 66 input not found, 69 required",
        "service unavailable, 73 can't create file, 74 input/output error, 75 busy, 77 refused.",
        ".SH SEE ALSO", escaped("age(1), systemctl(1), journalctl(1), loginctl(1)"),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def of_program(program: Path | str) -> str:
    def ask(option: str) -> str:
        return subprocess.run([str(program), option], check=True, capture_output=True, text=True).stdout

    return manual(json.loads(ask("--experimental-dump-help")), ask("--version").strip())


def main(arguments: list[str]) -> int:
    if not 1 <= len(arguments) <= 2 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 64
    page = of_program(arguments[0])
    if len(arguments) == 2:
        Path(arguments[1]).write_text(page)
    else:
        sys.stdout.write(page)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
