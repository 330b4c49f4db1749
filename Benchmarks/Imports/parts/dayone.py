"""Day One's export to JSON with its photos: as many entries as a size allows, half with a photo.

As Day One 2024 writes it: a zip archive with Journal.json, indented, beside photos/MD5.jpeg, stored
without packing; punctuation behind backslashes. The photos are noise behind the head of a JPEG, since
what is in them is not looked at. They lie beside the archive too, so that copying them can be timed.
"""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import zipfile
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from imports_bench import ImportsBench

NAME = "dayone"
ABOUT = "Day One, entries and photos"
FILE = "Journal.zip"
SIZE = 1_000_000_000
SECONDS, MEGABYTES = 20.0, 150.0
# Entries a second, beside the time that copying the photos takes.
RATE = 2_000.0

ENTRIES = 10_000
PHOTO_BYTES = 198_000
HEAD = bytes.fromhex("ffd8ffe000104a46494600010100000100010000")
# The benchmarks' clock stands on the day after.
LAST = datetime(2025, 12, 30, 21, tzinfo=timezone.utc)
WORDS = (
    "the garden was full of bees and nobody minded we walked along the river until it got dark soup "
    "with too much pepper a letter from Ann the train stood for an hour near Fulda rain all day long "
    "finished the book at last slept badly coffee on the roof with Sam new shoes that hurt"
).split()
TAGS = ["family", "work", "garden", "travel", "music", "cooking"]


def write(file: Path, size: int) -> dict[str, int]:
    """Writes an export of about so many bytes; the same bytes each time."""
    count = max(2, round(ENTRIES * size / SIZE))
    photos = file.parent / "photos"
    shutil.rmtree(photos, ignore_errors=True)
    photos.mkdir()
    entries = [entry(number, count, photos) for number in range(count)]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as out:
        document = {"metadata": {"version": "1.0"}, "entries": entries}
        out.writestr(
            zipfile.ZipInfo("Journal.json", (2025, 12, 30, 22, 0, 0)),
            json.dumps(document, indent=2, ensure_ascii=False),
        )
        for photo in sorted(photos.iterdir()):
            out.write(photo, f"photos/{photo.name}")
    return {"entries": count, "photos": sum(1 for _ in photos.iterdir())}


def entry(number: int, count: int, photos: Path) -> dict[str, Any]:
    """The entry of a number, and its photo where it has one."""
    draw = random.Random(number)
    moment = LAST - timedelta(minutes=(count - number) * 524)
    stamp = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    sentences = [
        " ".join(draw.choices(WORDS, k=draw.randrange(6, 16))).capitalize() + "\\."
        for _ in range(draw.randrange(3, 9))
    ]
    text = f"{sentences[0]}\n\n{' '.join(sentences[1:])}"
    made: dict[str, Any] = {
        "uuid": hashlib.md5(f"entry {number}".encode()).hexdigest().upper(),
        "creationDate": stamp, "modifiedDate": stamp, "timeZone": "Europe/Berlin",
        "starred": number % 50 == 0, "isPinned": False, "isAllDay": False,
        "tags": draw.sample(TAGS, k=number % 3), "creationDevice": "Ada’s iPhone",
        "location": {
            "placeName": "Gartenweg 3", "localityName": "Berlin", "country": "Germany",
            "latitude": 52.5 + draw.uniform(-0.1, 0.1), "longitude": 13.4 + draw.uniform(-0.1, 0.1),
        },
        "weather": {"temperatureCelsius": draw.randrange(-5, 30), "conditionsDescription": "Rain"},
    }  # fmt: skip
    if number % 2 == 0:
        content = HEAD + draw.randbytes(PHOTO_BYTES)
        name = hashlib.md5(content).hexdigest()
        (photos / f"{name}.jpeg").write_bytes(content)
        identifier = hashlib.md5(f"photo {number}".encode()).hexdigest().upper()
        made["photos"] = [
            {"identifier": identifier, "md5": name, "type": "jpeg", "orderInEntry": 0}
        ]
        text += f"\n\n![](dayone-moment://{identifier})"
    return made | {"text": text}


def peers(bench: ImportsBench) -> list[Any]:
    """What the disk can do: the photos copied and flushed."""
    from imports_peers import Peer

    def copying(file: Path, out: Path) -> list[str | Path]:
        script = 'cp -r "$1" "$2" && sync -f "$2"'
        return ["sh", "-c", script, "sh", file.parent / "photos", out]

    return [Peer("cp and sync of its photos", copying, least_ratio=0.0)]
