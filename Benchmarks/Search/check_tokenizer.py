"""Compares Arkived's tokenizer with the reference on many strings, real and nasty.

Usage: check_tokenizer.py PROGRAM TOKENIZER.JSON [HOW-MANY]. PROGRAM answers `tokens` for JSON
strings, one a line, with the numbers of their pieces. Needs PyPI's tokenizers. The strings are the
same on every run. Exits 0 when no text differs.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import unicodedata

WORDS = (
    "lunch with Sam at Joe's, ran 5.2 km by the river; couldn't sleep — felt anxious about work "
    "Müller café naïve Ångström Straße GROẞ İstanbul ıspanak Ελληνικά ΟΔΥΣΣΕΥΣ Привет мир Ёлка "
    "שלום עולם مرحبا بالعالم नमस्ते दुनिया สวัสดี 你好世界 東京タワー こんにちは 안녕하세요 "
    "e-mail user@example.org https://example.org/a?b=c#d #tag @Sam 12:30-13:15 £3.50 50% 2026-03-14 "
    "[CLS] [SEP] [MASK] [UNK] [PAD] [cls] [SEP [[SEP]] ##ing ... !!! ?! (x) «oui» “quoted” ‘it’ "
    "👩‍👩‍👧‍👦 🇵🇹 👍🏽 ☕️ ❤️ ½ ² ﬁ Ⅷ ①  ＡＢＣ ｶﾞ Zürich coöperate résumé đ ø ł ß"
).split()

ODD = [
    "", " ", "\t\n\r", "\0", "a\0b", "\ufffd", "a\ufffdb", "\u200b", "a\u200bb", "\u200d", "\ufeffbom",
    "e\u0301", "\u0301e", "a\u0301\u0323\u0300", "\u1e9b\u0323", "\u0344", "\u212b", "\u2126", "\u1fef",
    "\u037e", "\u2260", "\u226e", "\uac00", "\ud7a3", "\u1112\u1161\u11ab", "\u0f73", "\u0958", "\ufb1d",
    "\U0002f800", "\uf900", "\u0130", "I\u0307", "\u01c5", "\u1e9e", "\u03a3\u03a3", "\u0345", "\u1f80",
    "x" * 99, "x" * 100, "x" * 101, "é" * 100, "é" * 101, "e\u0301" * 100, "好" * 300, "a." * 300,
    "x" * 5000, "a " * 300, "\u0300" * 50, "a" + "\u0300" * 200 + "b", "\u202eabc\u202c", "\u2066x\u2069",
    "\u0085x\u0085y", "a\u2028b\u2029c", "a\u3000b", "a\u00a0b", "a\u180eb", "a\u00adb", "\U000e0041\U000e007f",
    "\ue000a", "\U0010ffff", "\ufdd0", "\uffff", "\U0001f9d1\u200d\U0001f4bb", "a\u1680b", "\x1c\x1d\x1e\x1fz",
    "\x7fdel", "$+<=>^`|~", "_a_b_", "don't", "rock'n'roll", "C++", "a\u0378b", "\u0df4", "\u1b4e", "\U00010eadx",
]


def texts(count: int) -> list[str]:
    draw = random.Random(2016)
    scalars = [point for point in range(0x110000) if not 0xD800 <= point < 0xE000]
    assigned = [point for point in scalars if unicodedata.category(chr(point)) not in ("Cn", "Co")]
    blocks = [assigned[start : start + 64] for start in range(0, len(assigned), 64)]
    everything = ODD + WORDS
    # Every character alone between two letters, many to a line; spaces keep them apart.
    for start in range(0, len(scalars), 60):
        everything.append(" ".join(f"a{chr(point)}b" for point in scalars[start : start + 60]))
    for start in range(0, len(assigned), 60):
        everything.append(" ".join(chr(point) for point in assigned[start : start + 60]))
    for _ in range(count):
        kind = draw.randrange(6)
        if kind == 0:
            text = " ".join(draw.choices(WORDS, k=draw.randint(1, 30)))
        elif kind == 1:
            text = "".join(draw.choices(WORDS, k=draw.randint(1, 12)))
        elif kind == 2:
            text = "".join(chr(draw.choice(assigned)) for _ in range(draw.randint(1, 60)))
        elif kind == 3:
            block = draw.choice(blocks)
            text = "".join(chr(draw.choice(block)) for _ in range(draw.randint(1, 60)))
        elif kind == 4:
            text = "".join(draw.choice(ODD + WORDS) for _ in range(draw.randint(1, 8)))
        else:
            letters = list(" ".join(draw.choices(WORDS, k=draw.randint(1, 20))))
            for _ in range(draw.randint(1, 6)):
                letters.insert(draw.randrange(len(letters)), chr(draw.choice(assigned)))
            text = unicodedata.normalize(draw.choice(["NFC", "NFD", "NFKC"]), "".join(letters))
        everything.append(text)
    return everything


def main(program: str, file: str, count: int) -> int:
    from tokenizers import Tokenizer

    reference = Tokenizer.from_file(file)
    reference.no_padding()
    reference.enable_truncation(256)
    strings = texts(count)
    lines = "".join(json.dumps(text) + "\n" for text in strings)
    output = subprocess.run(
        [program, "tokens"], input=lines, stdout=subprocess.PIPE, encoding="utf-8", check=True
    ).stdout.splitlines()
    if len(output) != len(strings):
        print(f"{len(strings)} strings and {len(output)} answers", file=sys.stderr)
        return 1
    different = 0
    for text, line, encoding in zip(strings, output, reference.encode_batch(strings)):
        ours = [int(number) for number in line.split()]
        if ours != encoding.ids:
            different += 1
            if different <= 10:
                print(f"{text!r}\n  ours      {ours}\n  reference {encoding.ids}")
    print(f"{len(strings)} strings, {different} differ")
    return 1 if different else 0


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if len(arguments) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(arguments[0], arguments[1], int(arguments[2]) if arguments[2:] else 20000))
