"""Makes small JPEG pictures, each different, and a file of entries that has them attached."""

from __future__ import annotations

import json
import random
import struct
from datetime import date, timedelta
from pathlib import Path
from typing import Any

WIDTH, HEIGHT = 320, 240
# Only so many pictures are drawn; the others differ in a comment in the file.
DRAWN = 48
# 100,000 pictures cover 25 years.
PER_DAY = 11
PER_ENTRY = 4
PER_FOLDER = 1_000
LAST_DAY = date(2025, 12, 30)
PLACES = (
    ("Hamburg", 53.55, 9.99), ("Hamburg", 53.57, 10.03), ("Lübeck", 53.87, 10.69),
    ("Copenhagen", 55.68, 12.57), ("Lisbon", 38.72, -9.14), ("Kyoto", 35.01, 135.77),
)  # fmt: skip


def write(folder: Path, count: int) -> Path:
    """Writes entries with `count` pictures as JSON Lines, and the pictures beside them.

    The same count gives the same bytes. The newest day is always the same; with fewer pictures,
    the oldest is later.
    """
    files = folder / "attachments"
    drawn = [picture(seed) for seed in range(min(DRAWN, count))]
    for number in range(count):
        path = files / path_of(number)
        if number % PER_FOLDER == 0:
            path.parent.mkdir(parents=True)
        path.write_bytes(with_comment(drawn[number % len(drawn)], f"Picture {number}"))
    lines = folder / "pictures.jsonl"
    with lines.open("w", encoding="utf-8") as out:
        # The oldest come first, as in the archive of somebody who takes pictures.
        for day in range((count - 1) // PER_DAY, -1, -1):
            numbers = range(day * PER_DAY, min(count, (day + 1) * PER_DAY))
            for first in range(0, len(numbers), PER_ENTRY):
                some = numbers[first : first + PER_ENTRY]
                line = entry(LAST_DAY - timedelta(day), 9 + 2 * (first // PER_ENTRY), some)
                out.write(json.dumps(line) + "\n")
    return lines


def path_of(number: int) -> str:
    """Returns the path of a picture in the folder of attachments."""
    return f"{number // PER_FOLDER:03}/{number:06}.jpg"


def entry(day: date, hour: int, numbers: range) -> dict[str, Any]:
    """Returns an entry with some pictures; every tenth week is spent at another place."""
    week = (LAST_DAY - day).days // 7
    place, lat, lon = PLACES[week // 10 % len(PLACES) if week % 10 == 0 else 0]
    return {
        "type": "activity", "startAt": f"{day}T{hour:02}:00:00Z", "text": f"Walk in {place}",
        "locationLabel": place, "lat": lat + week % 7 / 500, "lon": lon + hour / 1000,
        "attachments": [
            {
                "type": "photo", "relativePath": path_of(number), "mediaType": "image/jpeg",
                "originalName": f"IMG_{number:06}.jpg",
            }
            for number in numbers
        ],
    }  # fmt: skip


def with_comment(jpeg: bytes, text: str) -> bytes:
    """Returns a JPEG with a comment after its first marker."""
    return jpeg[:2] + segment(0xFE, text.encode()) + jpeg[2:]


def segment(marker: int, content: bytes) -> bytes:
    return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content


# The symbols of AC coefficients (ITU-T T.81, F.1.2.2). Its Huffman codes are all of eight bits and
# those of DC of four, which takes more room than optimal codes and needs no tree.
AC_SYMBOLS = [0x00, 0xF0, *(run << 4 | size for run in range(16) for size in range(1, 11))]
END_OF_BLOCK = f"{0:08b}"


def picture(seed: int) -> bytes:
    """Returns a baseline JPEG: a gradient between two colours with some texture, so that decoding
    it is work."""
    source = random.Random(seed)
    colours = [[source.randrange(-60, 60) for _ in range(3)] for _ in range(2)]
    columns, rows = WIDTH // 8, HEIGHT // 8
    bits: list[str] = []
    before = [0, 0, 0]
    for row in range(rows):
        for column in range(columns):
            part = (row / rows + column / columns / 3) / (4 / 3)
            for plane in range(3):
                ends = colours[0][plane], colours[1][plane]
                level = round(ends[0] + (ends[1] - ends[0]) * part)
                texture = source.randrange(8) if plane == 0 else 0
                level += texture
                bits.append(dc_bits(level - before[plane]))
                before[plane] = level
                for _ in range(texture):
                    bits.append(ac_bits(source.randrange(4), source.choice((-3, -2, -1, 1, 2, 3))))
                bits.append(END_OF_BLOCK)
    text = "".join(bits)
    text += "1" * (-len(text) % 8)
    scan = int(text, 2).to_bytes(len(text) // 8, "big").replace(b"\xff", b"\xff\x00")
    planes = b"".join(bytes([plane, 0x11, 0]) for plane in (1, 2, 3))
    ac_lengths = bytes([0] * 7 + [len(AC_SYMBOLS)] + [0] * 8)
    return b"".join(
        [
            b"\xff\xd8",
            segment(0xDB, b"\x00" + bytes([12] * 64)),
            segment(0xC0, struct.pack(">BHHB", 8, HEIGHT, WIDTH, 3) + planes),
            segment(0xC4, b"\x00" + bytes([0] * 3 + [12] + [0] * 12) + bytes(range(12))),
            segment(0xC4, b"\x10" + ac_lengths + bytes(AC_SYMBOLS)),
            segment(0xDA, b"\x03" + bytes([1, 0, 2, 0, 3, 0]) + b"\x00\x3f\x00"),
            scan,
            b"\xff\xd9",
        ]
    )


def dc_bits(difference: int) -> str:
    return f"{difference.bit_length():04b}" + magnitude_bits(difference)


def ac_bits(run: int, value: int) -> str:
    """Returns the bits of a coefficient after a run of zeros."""
    symbol = AC_SYMBOLS.index(run << 4 | value.bit_length())
    return f"{symbol:08b}" + magnitude_bits(value)


def magnitude_bits(value: int) -> str:
    """Returns the bits that follow a size: the value, or a negative value less one."""
    size = value.bit_length()
    return f"{value if value > 0 else value + (1 << size) - 1:0{size}b}" if size else ""
