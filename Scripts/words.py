#!/usr/bin/env python3
"""Looks after the catalogues of words: which texts each face says, and how far a language is.

  Scripts/words.py                 counts per face and language, and what is missing
  Scripts/words.py --list web      the texts of a face that a language lacks
  Scripts/words.py --update        adds new texts to the catalogues, empty; marks what is gone

The rules by which texts are found in templates are those of TemplateWords.swift, which reads the
templates when the program starts; a test holds the two against each other.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CATALOGUES = ROOT / "Sources/ArkivedCore/Resources"
TEMPLATES = ROOT / "Sources/ArkivedWeb/Resources/templates"

INLINE = {
    "a", "abbr", "b", "bdi", "br", "cite", "code", "em", "i", "kbd", "mark", "q", "small", "span",
    "strong", "sub", "sup", "time", "wbr",
}
VOID = {"br", "wbr"}
SPOKEN = ["aria-label", "title", "placeholder", "alt"]
# Folders of sources by face; in all of them a text is said by `said(…)` or as a Phrase.
FACES = {"web": ["ArkivedWeb"], "core": ["ArkivedCore"], "terminal": ["ArkivedCommands"]}


# Templates

def pieces(source):
    """Cuts a template into (kind, text): text, var, section, tag, break."""
    found, position = [], 0
    while position < len(source):
        if source.startswith("{{", position):
            triple = source.startswith("{{{", position)
            close = "}}}" if triple else "}}"
            end = source.index(close, position) + len(close)
            text = source[position:end]
            name = text.strip("{}")
            found.append(("var" if triple or name[:1] not in "#^/>!%$<=&" else "break", text))
        elif source.startswith("<", position):
            end = tag_end(source, position)
            text = source[position:end]
            name = re.match(r"</?([A-Za-z0-9]*)", text)[1].lower()
            if name == "svg" and not text.startswith("</"):
                end = source.index("</svg>", position) + len("</svg>")
                found.append(("opaque", source[position:end]))
            elif name in INLINE:
                found.append(("tag", text))
            else:
                found.append(("break", text))
        else:
            ends = [e for e in (source.find("{{", position), source.find("<", position)) if e >= 0]
            end = min(ends, default=len(source))
            found.append(("text", source[position:end]))
        position = end
    return found


def tag_end(source, position):
    quote = None
    while position < len(source):
        character = source[position]
        if quote:
            if character == quote:
                quote = None
        elif character == '"':
            quote = character
        elif character == ">":
            return position + 1
        position += 1
    return position


def variable(text):
    name = text.strip("{}").strip()
    return "{it}" if name == "." else "{" + name + "}"


def has_letters(text):
    return any(c.isalpha() for c in re.sub(r"&[A-Za-z#0-9]+;", "", text))


def messages_of_run(run, found):
    """The messages of a stretch without breaks."""
    partner, open_tags = {}, []
    for index, (kind, text) in enumerate(run):
        if kind != "tag":
            continue
        name = re.match(r"</?([A-Za-z0-9]*)", text)[1].lower()
        if name in VOID:
            continue
        if not text.startswith("</"):
            open_tags.append((name, index))
        elif open_tags and open_tags[-1][0] == name:
            start = open_tags.pop()[1]
            partner[start], partner[index] = index, start
    start = 0
    for index, (kind, text) in enumerate(run):
        name = re.match(r"</?([A-Za-z0-9]*)", text)[1].lower() if kind == "tag" else ""
        if kind == "tag" and name not in VOID and index not in partner:
            balanced(run, partner, start, index, found)
            start = index + 1
    balanced(run, partner, start, len(run), found)


def balanced(run, partner, start, end, found):
    def skip(index):
        return partner.get(index, index) + 1

    index, direct = start, False
    while index < end:
        kind, text = run[index]
        if kind == "text" and has_letters(text):
            direct = True
        index = skip(index)
    if not direct:
        index = start
        while index < end:
            if index in partner:
                balanced(run, partner, index + 1, partner[index], found)
            index = skip(index)
        return
    while start < end and is_edge(run[start]):
        start += 1
    while end > start and is_edge(run[end - 1]):
        end -= 1
    found.append(key(run[start:end]))


def is_edge(piece):
    return piece[0] == "opaque" or piece[0] == "text" and not piece[1].strip()


def key(run):
    words, number, names = "", 0, []
    for kind, text in run:
        if kind == "text":
            words += text
        elif kind == "var":
            words += variable(text)
        elif kind == "opaque" or re.match(r"<(br|wbr)\b", text):
            number += 1
            words += f"<{number}/>"
        elif text.startswith("</"):
            words += f"</{names.pop()}>"
        else:
            number += 1
            names.append(number)
            words += f"<{number}>"
    return re.sub(r"\s+", " ", words).strip()


def template_messages(source):
    found, run = [], []
    for kind, text in pieces(source):
        if text.startswith("<") and kind != "opaque":
            for match in re.finditer(r"\s(" + "|".join(SPOKEN) + r')="([^"]*)"', text):
                attribute_messages(match[2], found)
            if re.match(r"<input\b", text) and re.search(r'\stype="(submit|button)"', text):
                for match in re.finditer(r'\svalue="([^"]*)"', text):
                    attribute_messages(match[1], found)
        if kind == "break":
            messages_of_run(run, found)
            run = []
        else:
            run.append((kind, text))
    messages_of_run(run, found)
    return found


def attribute_messages(value, found):
    run = []
    for kind, text in pieces(value) + [("break", "")]:
        if kind == "break":
            if any(k == "text" and has_letters(t) for k, t in run):
                found.append(key(run))
            run = []
        else:
            run.append((kind, text))


# Sources

LITERAL = re.compile(r'"""\n(?P<long>.*?)\n\s*"""|"(?P<short>(?:[^"\\\n]|\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\\.)*)"', re.S)
# What takes a Phrase: a function or an initialiser, and which of its arguments.
SAYS = re.compile(r"\b(?:said|Phrase|Notice|FormField|WebFailure)\(")


def literals(text, start):
    """The literals of the call whose opening bracket stands before `start`, with their places."""
    depth, position, found = 1, start, []
    while depth and position < len(text):
        match = LITERAL.match(text, position)
        if match:
            found.append((position, depth, match))
            position = match.end()
            continue
        character = text[position]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        position += 1
    return found, position


def swift_key(match):
    """The key that a literal's Phrase has: its text with numbered places."""
    raw = match["short"]
    if raw is None:
        lines = match["long"].split("\n")
        tail = match[0].rsplit("\n", 1)[1]
        indent = len(tail) - len(tail.lstrip())
        raw = "\n".join(line[indent:] for line in lines).replace("\\\n", "")
    result, position, number = "", 0, 0
    while position < len(raw):
        if raw.startswith("\\(", position):
            depth, end = 1, position + 2
            while depth:
                depth += {"(": 1, ")": -1}.get(raw[end], 0)
                end += 1
            number += 1
            result += "{%d}" % number
            position = end
        elif raw[position] == "\\":
            result += {"n": "\n", '"': '"', "\\": "\\", "t": "\t"}.get(raw[position + 1], "")
            position += 2
        else:
            result += raw[position]
            position += 1
    return result
