#!/usr/bin/env python3
"""Makes labelled questions of the wordings in data/.

    generate.py [COUNT] [SEED]        prints some, a token and its role each

A wording is a line of words with choices, "(a|b|)", and slots, "{n}"; a heading says what its lines ask:
"@ FOLD TARGET [m=MEASURE] [g=GROUP] [o=ORDER] [er=EVENT] [c=alone] [d=1]", where "f=" and "t=" on a line
take the place of the first two. README.md lists slots and roles.
"""

from __future__ import annotations

import random
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

DATA = Path(__file__).parent / "data"
ROLES = ["O", "C", "K", "E", "F", "X", "A", "B", "M"]
HEADS = {
    "fold": ["list", "count", "distinct", "sum", "mean", "median", "highest", "lowest", "first", "last",
             "nth", "span", "gap", "run", "trend", "compare", "share", "world"],
    "target": ["entry", "day", "clock", "person", "place", "thing", "amount", "reason", "yesNo", "name",
               "tag"],
    "group": ["none", "day", "week", "month", "year", "weekday", "hour", "person", "place", "thing", "tag"],
    "order": ["none", "most", "least"],
    "measure": ["none", "time", "money", "distance", "unit"],
    "event": ["none", "on", "before", "after", "since", "between"],
    "company": ["any", "alone"],
    "days": ["entries", "days"],
}
TARGETS = {"week": "day", "month": "day", "year": "day", "weekday": "day", "hour": "clock"}


@dataclass
class Wording:
    language: str
    parts: list
    label: dict[str, str]
    line: str
    held: bool = False


@dataclass
class Example:
    tokens: list[str] = field(default_factory=list)
    roles: list[str] = field(default_factory=list)
    label: dict[str, str] = field(default_factory=dict)
    language: str = "en"
    # A word of a list that teaching never fills a slot with.
    strange: bool = False
    # Of the wording, by which kept wordings are halved.
    half: int = 0


def is_strange(word: str) -> bool:
    """If a word is kept from the slots of teaching: one in fifteen."""
    value = 0
    for sign in word:
        value = (value * 31 + ord(sign)) & 0xFFFFFF
    return value % 15 == 7 and len(word) > 2


def parse(line: str) -> list:
    """A tree of words, slots and choices."""
    def sequence(position: int, closing: bool) -> tuple[list, int]:
        choices, current, word = [], [], ""
        def flush():
            nonlocal word
            if word.strip():
                current.append(word.strip())
            word = ""
        while position < len(line):
            sign = line[position]
            if sign == "(":
                flush()
                inner, position = sequence(position + 1, True)
                current.append(inner)
                continue
            if closing and sign == "|":
                flush()
                choices.append(current)
                current = []
            elif closing and sign == ")":
                flush()
                choices.append(current)
                return choices, position + 1
            else:
                word += sign
                if sign == " " and "{" not in word[word.rfind("}") + 1:]:
                    flush()
            position += 1
        flush()
        return [current], position
    return sequence(0, False)[0][0]


def lines_of(kind: str, language: str) -> list[str]:
    """The lines of every file of one kind, "questions.en.txt" and "questions.en-idioms.txt"."""
    return [line for path in sorted(DATA.glob(f"{kind}.{language}*.txt")) for line in path.read_text().splitlines()]


def read_lists(kind: str, language: str) -> dict[str, list[str]]:
    lists: dict[str, list[str]] = {}
    current: list[str] = []
    for line in lines_of(kind, language):
        if line.startswith("@"):
            current = lists.setdefault(line[1:].strip(), [])
        elif line.strip() and not line.startswith("#"):
            current.append(line.strip())
    return lists


def read_wordings(language: str) -> list[Wording]:
    wordings, heading = [], {}
    for line in lines_of("questions", language):
        if not line.strip() or line.startswith("#"):
            continue
        keys = {"m": "measure", "g": "group", "o": "order", "er": "event", "c": "company", "d": "days",
                "f": "fold", "t": "target"}
        if line.startswith("@"):
            fold, target, *rest = line[1:].split()
            heading = {"fold": fold, "target": TARGETS.get(target, target)}
            for part in rest:
                key, value = part.split("=")
                if key in keys:
                    heading[keys[key]] = value
            continue
        label = dict(heading)
        words = []
        for word in line.split(" "):
            match = re.fullmatch(r"(m|g|o|er|c|d|f|f2|t)=(\w+)", word)
            if match is None:
                words.append(word)
            elif match[1] in keys:
                label[keys[match[1]]] = match[2]
        if label.get("days") == "1":
            label["days"] = "days"
        text = " ".join(words).strip()
        wordings.append(Wording(language, parse(text), label, text))
    return wordings


def wordnet(kind: str) -> list[str]:
    """Common words of WordNet where it is installed (wordnet-base); none elsewhere."""
    path = Path(f"/usr/share/wordnet/index.{kind}")
    if not path.exists():
        return []
    found = []
    for line in path.read_text().splitlines():
        if line.startswith(" "):
            continue
        parts = line.split(" ")
        if re.fullmatch(r"[a-z]{3,10}(_[a-z]{3,8})?", parts[0]) and int(parts[2]) >= (1 if kind == "noun" else 2):
            # The count of senses that are tagged in texts.
            pointers = int(parts[3])
            if int(parts[5 + pointers]) > 0:
                found.append(parts[0].replace("_", " "))
    return found


def german_nouns() -> list[str]:
    path = Path("/usr/share/mythes/th_de_DE_v2.dat")
    if not path.exists():
        return []
    found = set()
    for match in re.finditer(r"\|([A-ZÄÖÜ][a-zäöüß]{3,12})\b", path.read_text(encoding="utf-8", errors="ignore")):
        found.add(match[1].lower())
    return sorted(found)


SYLLABLES = ("ba be bo da de di do fa fe go ha he hu ja jo ka ke ki la le li lo lu ma me mi mo na ne ni no "
             "pa pe po ra re ri ro ru sa se si so ta te ti to va ve vi wa we ya za ze zo sha tri bra kle "
             "gre stei nor lan der ton ville berg heim wick ford ham").split()


class Generator:
    """Makes examples; of words that teaching never fills slots with where `strange` is set."""

    def __init__(self, seed: int, strange: bool = False) -> None:
        self.random = random.Random(seed)
        self.strange = strange
        self.lists = {language: read_lists("words", language) for language in ("en", "de")}
        self.talk = {language: read_lists("talk", language) for language in ("en", "de")}
        self.wordings = [w for language in ("en", "de") for w in read_wordings(language)]
        self.wild = {"en": wordnet("noun"), "de": german_nouns()}
        self.content = {language: set(lists["content"]) for language, lists in self.lists.items()}
        for language in ("en", "de"):
            for name, entries in [*self.lists[language].items(), ("wild", self.wild[language])]:
                if name == "content":
                    continue
                unknown = [e for e in entries if any(map(is_strange, re.split("[ |]", e)))]
                common = [e for e in entries if not any(map(is_strange, re.split("[ |]", e)))]
                # A list too short to be split is used whole.
                entries[:] = (unknown or entries) if strange else (common or entries)
        # Every twelfth wording of each language is kept for measuring.
        holder = random.Random(17)
        for wording in self.wordings:
            wording.held = holder.random() < 1 / 12 and "{" in wording.line and len(wording.line) > 12
        groups: dict[tuple, list[Wording]] = {}
        for wording in self.wordings:
            label = wording.label
            key = (wording.language, label["fold"], label["target"], label.get("group"), label.get("measure"))
            groups.setdefault(key, []).append(wording)
        self.groups = list(groups.values())

    def name(self) -> str:
        text = "".join(self.random.choice(SYLLABLES) for _ in range(self.random.choice([1, 2, 2, 3])))
        return text

    def slot(self, name: str, language: str, state: dict) -> list[tuple[str, str]]:
        pick, lists = self.random.choice, self.lists[language]
        def words(text: str, role: str) -> list[tuple[str, str]]:
            return [(word, role) for word in text.split(" ")]
        optional = name.endswith("?")
        name = name.rstrip("?")
        if name[1:2] == ":":
            return words(name[2:], name[0])
        role = "C"
        if name[-1:] in "12" and not name.startswith("evn"):
            role = {"1": "A", "2": "B"}[name[-1]]
            name = name[:-1]
        elif name[0] in "xX":
            role, name = "X", name[1:]
        if name == "T":
            if optional and self.random.random() < 0.5:
                return []
            return [("<time>", role)]
        if name == "P":
            roll = self.random.random()
            if roll < 0.55:
                return [("<person>", role)]
            if roll < 0.65:
                return [("<person>", role), ("and" if language == "en" else "und", "O"), ("<person>", role)]
            if roll < 0.8:
                relation = (["my " + r for r in "sister brother dad mum boss neighbour aunt uncle wife husband girlfriend boyfriend flatmate daughter son grandad colleague cousin kids parents".split()]
                            if language == "en" else
                            [f"mein{e} {r}" for e, r in [("e", "schwester"), ("em", "bruder"), ("em", "vater"), ("er", "mutter"), ("em", "chef"), ("er", "nachbarin"), ("er", "tante"), ("em", "onkel"), ("er", "frau"), ("em", "mann"), ("er", "freundin"), ("em", "mitbewohner"), ("er", "tochter"), ("em", "sohn"), ("em", "opa"), ("en", "eltern")]])
                return words(pick(relation), role)
            return words(self.name() + (" " + self.name() if roll > 0.95 else ""), role)
        if name == "L":
            return words(self.name() + (" " + self.name() if self.random.random() < 0.2 else ""), role)
        if name == "N":
            return [("<amount>", role)]
        if name in ("n", "k"):
            role = "K" if name == "k" else role
            roll = self.random.random()
            if roll < 0.3 and self.wild[language]:
                text = pick(self.wild[language])
                if language == "en" and self.random.random() < 0.5:
                    text += "" if text.endswith("s") else "s"
            elif roll < 0.36 and name == "n":
                return [(pick(["<quote>", "<tag>"]), role)]
            else:
                text = pick(lists["nouns" if name == "n" else "kinds"])
            if name == "n" and self.random.random() < 0.12:
                extra = (["vegan", "red", "long", "second-hand", "early", "cold", "emergency", "new", "old", "big", "evening", "outdoor"]
                         if language == "en" else
                         ["vegane", "rote", "lange", "gebrauchte", "frühe", "kalte", "neue", "alte", "große"])
                text = pick(extra) + " " + text
            return words(text, role)
        if name == "mu":
            return words(pick(lists["units"]), "M")
        if name == "mm":
            return words(pick(lists["metrics"]), "M")
        if name in ("ev", "evd"):
            return words(pick(lists["events"]), "E")
        if name == "evn":
            return words(pick(lists["eventnouns"]), "E")
        if name == "evn2":
            return words(pick(lists["eventnouns"]), "F")
        if language == "en":
            if name in ("v0", "vb", "vd0"):
                verb = pick(lists["transitive"]).split("|")
                return words(verb[1 if name == "vd0" else 0], role)
            if self.random.random() < 0.45:
                forms = pick(lists["transitive"]).split("|")
                thing = " ".join(word for word, _ in self.slot("n", language, state))
                if self.random.random() < 0.3:
                    thing = pick(["a", "the", "my", "some", "new"]) + " " + thing
                forms = [f"{form} {thing}" for form in forms]
            else:
                forms = pick(lists["intransitive"]).split("|")
            index = {"v": 0, "vd": pick([1, 1, 2]), "vg": 3}[name]
            return words(forms[index], role)
        # German.
        if name in ("d0",):
            return words(pick(lists["transitive"]).split("|")[1], role)
        if name in ("hab", "habe", "hat", "hats", "haben", "pv", "d", "i", "zi"):
            if role not in state:
                if self.random.random() < 0.45:
                    forms = pick(lists["transitive"]).split("|")
                    thing = " ".join(word for word, _ in self.slot("n", language, state))
                    state[role] = [f"{thing} {forms[0]}", f"{thing} {forms[1]}", forms[2], forms[3]]
                else:
                    state[role] = pick(lists["intransitive"]).split("|")
            is_sein = state[role][2] == "s"
            if name == "hab":
                return [("bin" if is_sein else pick(["habe", "habe", "hab"]), "O")]
            if name == "habe":
                return [("bin" if is_sein else "habe", "O")]
            if name in ("hat", "hats"):
                return [("ist" if is_sein else "hat", "O")]
            if name == "haben":
                return [("sind" if is_sein else "haben", "O")]
            if name == "pv":
                return [(pick(["gehe", "mache", "tue"]), "O")]
            return words(state[role][{"d": 1, "i": 0, "zi": 3}[name]], role)
        raise KeyError(name)

    def expand(self, parts: list, language: str, state: dict, choose: bool = False) -> list[tuple[str, str]]:
        out: list[tuple[str, str]] = []
        for part in parts:
            if isinstance(part, list):
                out += self.expand(self.random.choice(part), language, state)
                continue
            # A slot with signs around it.
            for piece in re.findall(r"\{[^}]+\}|[^{}]+", part):
                if piece.startswith("{"):
                    out += self.slot(piece[1:-1], language, state)
                elif piece.strip() and not (piece in ("'s", "s") and out):
                    content = self.content[language] if state.get("measure") != "money" else ()
                    out += [(word, "C" if word in content else "O") for word in piece.split()]
        return out

    def noisy(self, word: str) -> str:
        if word.startswith("<") or len(word) < 4:
            return word
        place = self.random.randrange(1, len(word) - 1)
        kind = self.random.randrange(4)
        if kind == 0:
            return word[:place] + word[place + 1] + word[place] + word[place + 2:]
        if kind == 1:
            return word[:place] + word[place + 1:]
        if kind == 2:
            return word[:place] + word[place] + word[place:]
        return word[:place] + self.random.choice("aeinrst") + word[place + 1:]

    def example(self, held: bool = False) -> Example:
        while True:
            wording = self.random.choice(self.random.choice(self.groups)) if self.random.random() < 0.5 else self.random.choice(self.wordings)
            if wording.held == held:
                break
        language = wording.language
        pairs = self.expand(wording.parts, language, {"measure": wording.label.get("measure")})
        talk = self.talk[language]
        if self.random.random() < 0.22:
            pairs = [(word, "O") for word in self.random.choice(talk["before"]).split()] + pairs
            if self.random.random() < 0.25:
                pairs = [(word, "O") for word in self.random.choice(talk["before"]).split()] + pairs
        if self.random.random() < 0.12:
            pairs += [(word, "O") for word in self.random.choice(talk["after"]).split()]
        if self.random.random() < 0.1 and pairs[-1][0] != "<time>" and not any(w == "<time>" for w, _ in pairs):
            pairs = [("<time>", "C")] + pairs
        tokens, roles = [], []
        for text, role in pairs:
            for word in cut(text):
                if self.random.random() < 0.025:
                    word = self.noisy(word)
                if language == "de" and self.random.random() < 0.1:
                    for sign, plain in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")):
                        word = word.replace(sign, plain)
                tokens.append(word)
                roles.append(role)
        label = {head: values[0] for head, values in HEADS.items()} | wording.label
        unknown = any(is_strange(token) and token not in wording.line for token in tokens)
        return Example(tokens[:48], roles[:48], label, language, unknown, len(wording.line) % 2)


def cut(text: str) -> list[str]:
    """Words in lower case: letters and digits with apostrophes and hyphens inside; "<time>" and its like."""
    return re.findall(r"<[a-z]+>|[^\W_]+(?:['’\-][^\W_]+)*", text.lower())


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    generator = Generator(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    print(len(generator.wordings), "wordings,", len(generator.groups), "groups,",
          {k: len(v) for k, v in generator.wild.items()}, "wild")
    for _ in range(count):
        example = generator.example()
        print(" ".join(f"{t}/{r}" if r != "O" else t for t, r in zip(example.tokens, example.roles)))
        print("   ", {k: v for k, v in example.label.items() if v != HEADS[k][0]})
