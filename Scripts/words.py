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
FACES = {
    "web": ["ArkivedWeb"], "refusals": ["ArkivedWeb"], "core": ["ArkivedCore"],
    "assistant": ["ArkivedAssistant"],
    "terminal": ["ArkivedCommands"],
    "library": ["ArkivedKit"],
}

# What is kept or handed on in English, and said again where it is shown, stands in kept.txt.
FACES = {"kept": [], "jobs": ["ArkivedEngine"], **FACES}


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
        if text.startswith("<"):
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

class Literal:
    """A string literal of a source: its raw text and its place."""

    def __init__(self, text, start):
        self.start, self.isLong = start, text.startswith('"""', start)
        position = start + (3 if self.isLong else 1)
        begin = position
        while True:
            if text.startswith("\\(", position):
                position = bracket_end(text, position + 2)
            elif text[position] == "\\":
                position += 2
            elif text.startswith('"""' if self.isLong else '"', position):
                break
            else:
                position += 1
        self.raw = text[begin:position]
        self.end = position + (3 if self.isLong else 1)


def bracket_end(text, position):
    """The place behind the bracket that closes what was opened before a position."""
    depth = 1
    while depth:
        if text[position] == '"':
            position = Literal(text, position).end
            continue
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        position += 1
    return position


def all_literals(text):
    position = text.find('"')
    while position >= 0:
        found = Literal(text, position)
        yield found
        position = text.find('"', found.end)


# What takes a Phrase: a function or an initialiser, and which of its arguments.
SAYS = re.compile(r"\b(?:said|Phrase|Notice|FormField|ImportService)\(")
# What is refused is said in English to programs and looked up whole for pages.
REFUSES = re.compile(r"\b(?:WebFailure|self\.init)\(")


def literals(text, start):
    """The literals of the call whose opening bracket stands before `start`, with their places."""
    depth, position, found = 1, start, []
    while depth and position < len(text):
        if text[position] == '"':
            match = Literal(text, position)
            found.append((position, depth, match))
            position = match.end
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
    raw = match.raw
    if match.isLong:
        lines = raw.split("\n")[1:]
        indent = len(lines[-1])
        raw = "\n".join(line[indent:] for line in lines[:-1]).replace("\\\n", "")
    result, position, number = "", 0, 0
    while position < len(raw):
        if raw.startswith("\\(", position):
            number += 1
            result += "{%d}" % number
            position = bracket_end(raw, position + 2)
        elif raw[position] == "\\":
            result += {"n": "\n", '"': '"', "\\": "\\", "t": "\t"}.get(raw[position + 1], "")
            position += 2
        else:
            result += raw[position]
            position += 1
    return result


def calls(text, said):
    """The texts of a source that are said by some calls: (key, plural or None)."""
    found = []
    text = re.sub(r"(?m)^\s*///.*$", "", text)
    for match in said.finditer(text):
        inside, end = literals(text, match.end())
        name = match[0][:-1]
        body = text[match.end():end]
        top = joined([(p, m) for p, depth, m in inside if depth == 1], text)
        if name == "said" and re.match(r"[^\"]*?,\s*one:", body) and len(top) == 2:
            found.append((top[0], top[1]))
        elif name == "said":
            found += [(k, None) for k in top]
        elif "said(" not in body:
            every = joined([(p, m) for p, depth, m in inside], text)
            if name == "FormField":
                every = every[1:] if re.match(r'\s*"', body) else every
            found += [(k, None) for k in every if is_words(k) and "{1}" not in k]
    if said is REFUSES:
        return found
    for comment in re.findall(r"// words: (.*)", text):
        for word in comment.split(" | "):
            one, _, many = word.strip().partition(" / ")
            found.append((one, many or None))
    for match in re.finditer(r'\bcount\((?:[^()"]|\((?:[^()]|\([^()]*\))*\))*?, "([^"]+)"(?:, "([^"]+)")?\)', text):
        found.append(("{1} " + match[1], "{1} " + (match[2] or match[1] + "s")))
    for match in re.finditer(r'Self\.every\([^"]*"([a-z]+)"\)', text):
        found.append(("{1} " + match[1], "{1} " + match[1] + "s"))
    return [(k, p) for k, p in found if re.search(r"[^\W\d_]", re.sub(r"\{\d+\}", "", k))]


# What ArgumentParser is given to tell of commands and options; HelpText.swift says it when it is read.
HELPS = re.compile(
    r'\b(?:abstract|discussion|help):\s*(?=")|\b(?:ArgumentHelp|OptionGroup)\((?:title:)?\s*(?=")'
    r'|\bCommandGroup\(\s*name:\s*(?=")')


def help_texts(text):
    """The texts of a source that stand in the help of commands."""
    text, found = re.sub(r"(?m)^\s*///.*$", "", text), []
    for match in HELPS.finditer(text):
        parts = [Literal(text, match.end())]
        while plus := re.compile(r'\s*\+\s*(?=")').match(text, parts[-1].end):
            parts.append(Literal(text, plus.end()))
        found.append("".join(swift_key(part) for part in parts))
    return found


def joined(places, text):
    """Literals as keys; those that a plus puts together are one."""
    keys, last = [], None
    for position, match in places:
        key_ = swift_key(match)
        if last is not None and text[last:position].strip() == "+":
            keys[-1] += key_
        else:
            keys.append(key_)
        last = match.end
    return keys


def is_words(text):
    """Whether a text in a table is for people, and no name for programs."""
    looks = re.match(r"[A-Z“]", text) or " " in text.strip()
    return bool(looks) and not text.startswith("/") and "charset=" not in text


# Catalogues

def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def read_catalogue(path):
    """Key to (plural, forms)."""
    entries, current, field = {}, None, ""
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        match = re.match(r'(msgid_plural|msgid|msgstr(?:\[\d+\])?)?\s*"(.*)"$', line)
        if not match:
            continue
        value = re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), match[2])
        field = match[1] or field
        if match[1] == "msgid":
            current = {"key": "", "plural": None, "forms": []}
        if match[1] and match[1].startswith("msgstr"):
            current["forms"].append("")
        if field == "msgid":
            current["key"] += value
        elif field == "msgid_plural":
            current["plural"] = (current["plural"] or "") + value
        else:
            current["forms"][-1] += value
        if current["key"]:
            entries[current["key"]] = (current["plural"], current["forms"])
    return entries


def write_catalogue(path, language, texts, known):
    lines = [
        "# The texts of Arkived; Documentation/Translating.md tells how this file is kept.", 'msgid ""',
        'msgstr ""', quoted(f"Language: {language}\n"),
        quoted("Content-Type: text/plain; charset=UTF-8\n"),
        quoted("Plural-Forms: nplurals=2; plural=(n != 1);\n"), "",
    ]
    for text, (plural, places) in texts.items():
        forms = known.get(text, (None, []))[1]
        lines += [f"#: {place}" for place in sorted(set(places))[:3]]
        lines.append("msgid " + quoted(text))
        if plural is None:
            lines.append("msgstr " + quoted(forms[0] if forms else ""))
        else:
            lines.append("msgid_plural " + quoted(plural))
            forms = (forms + ["", ""])[:2]
            lines += [f"msgstr[{i}] " + quoted(form) for i, form in enumerate(forms)]
        lines.append("")
    path.write_text("\n".join(lines), encoding="utf-8")


def collect():
    """Every text by its face: face to {key: (plural, places)}."""
    faces = {face: {} for face in FACES}

    def add(face, text, plural, place):
        known = faces[face].setdefault(text, (plural, []))
        if plural is not None and known[0] is None:
            faces[face][text] = known = (plural, known[1])
        if place not in known[1]:
            known[1].append(place)

    for path in [*sorted(TEMPLATES.glob("*.mustache")), TEMPLATES.parent / "offline.html"]:
        for text in template_messages(path.read_text(encoding="utf-8")):
            add("web", text, None, "templates/" + path.name)
    for path in sorted(TEMPLATES.parent.glob("*.js")):
        for text in re.findall(r'\bword\("([^"]*)"', path.read_text(encoding="utf-8")):
            add("web", text, None, path.name)
    for text in (CATALOGUES / "kept.txt").read_text(encoding="utf-8").splitlines():
        if text.strip() and not text.startswith("## "):
            add("kept", text.replace("*}", "}"), None, "kept.txt")
    kept = ROOT / "Sources/ArkivedCore/Journal/KeptSentences.swift"
    for line in re.search(r'"""\n(.*?)\n *"""', kept.read_text(encoding="utf-8"), re.S)[1].split("\n"):
        add("core", line.strip().replace("*}", "}"), None, "KeptSentences.swift")
    for face, folders in FACES.items():
        for folder in folders:
            for path in sorted((ROOT / "Sources" / folder).rglob("*.swift")):
                if path.parent.name == "Words":
                    continue
                said = REFUSES if face == "refusals" else SAYS
                if face == "terminal":
                    for text in help_texts(path.read_text(encoding="utf-8")):
                        add(face, text, None, str(path.relative_to(ROOT / "Sources")))
                for text, plural in calls(path.read_text(encoding="utf-8"), said):
                    add(face, text, plural, str(path.relative_to(ROOT / "Sources")))
    return faces


def places_of(text):
    return set(re.findall(r"\{[A-Za-z0-9]+\}|</?\d+/?>", text))


def problems(known, texts):
    for text, (plural, forms) in known.items():
        wanted = places_of(plural or text)
        for index, form in enumerate(forms):
            if not form:
                continue
            found = places_of(form)
            if not (found <= wanted if plural and index == 0 else found == wanted):
                yield f"{text!r}: {form!r} puts in other things than the English text"


# What the catalogues do not have yet, by the folders that say it. The numbers are estimates.
REST = {
    "other commands and help": "ArkivedCommands", "recaps, insights and answers": "ArkivedAssistant",
    "reports of imports": "ArkivedImport", "jobs": "ArkivedEngine",
    "changes and refusals of the archive": "ArkivedStore", "backups": "ArkivedBackup",
    "search": "ArkivedSearch", "rules and fields": "ArkivedCore", "rest of the pages": "ArkivedWeb",
}


def unsaid(folder, known):
    """Roughly how many sentences a folder has that are said in English alone."""
    found, words_of_all = 0, "\n".join(known)
    for path in sorted((ROOT / "Sources" / folder).rglob("*.swift")):
        if path.parent.name in ("Words", "SampleLife", "Migrations") or "Reading" in path.parts:
            continue
        text = re.sub(r"(?m)^\s*//.*$", "", path.read_text(encoding="utf-8"))
        said = set()
        for match in SAYS.finditer(text):
            said.update(position for position, _, _ in literals(text, match.end())[0])
        for match in all_literals(text):
            key_ = swift_key(match)
            pieces_ = [piece.strip(" .") for piece in re.split(r"\{\d+\}", key_)]
            words = " ".join(pieces_)
            if match.start in said or re.search(r"[<>=_]|SELECT|^/", words):
                continue
            # A sentence that is said again has its words in a form.
            if all(piece in words_of_all for piece in pieces_ if len(piece) > 2):
                continue
            if re.match(r"\s*[A-Z“]?[a-z’]+( [A-Za-z’“”,:;-]+){2,}", words.strip()):
                found += 1
    return found


def main():
    parser = argparse.ArgumentParser(description="Looks after the catalogues of words.")
    parser.add_argument("--list", metavar="FACE", help="what a face lacks: " + ", ".join(FACES))
    parser.add_argument("--update", action="store_true", help="bring the catalogues in line")
    parser.add_argument("--language", default="de")
    choice = parser.parse_args()
    path = CATALOGUES / f"{choice.language}.po"
    known, faces = read_catalogue(path), collect()
    if choice.update:
        texts = {}
        for found in faces.values():
            for text, (plural, places) in found.items():
                texts.setdefault(text, (plural, []))[1].extend(places)
                if plural is not None:
                    texts[text] = (plural, texts[text][1])
        write_catalogue(path, choice.language, texts, known)
        known = read_catalogue(path)
    failed = False
    for face, found in faces.items():
        missing = [t for t in found if not known.get(t) or not all(known[t][1])]
        print(f"{face}: {len(found)} texts, {len(missing)} without {choice.language}")
        failed = failed or bool(missing)
        if choice.list == face:
            print(*missing, sep="\n")
    print("not said yet, in English alone, roughly:")
    for name, folder in REST.items():
        print(f"  {name}: {unsaid(folder, known)}")
    for problem in problems(known, faces):
        print(problem)
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
