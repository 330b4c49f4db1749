"""Apple Health's export.xml: ten years of a phone and a watch, or as much of them as a size allows.

The order, the attributes and their lengths are those of real exports: one type after the other, one
record a line, the device in every line of a watch, a metadata entry in every reading of the heart.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from imports_peers import Peer

if TYPE_CHECKING:
    from imports_bench import ImportsBench

NAME = "applehealth"
ABOUT = "Apple Health, export.xml"
FILE = "export.xml"
SIZE = 1_000_000_000
SECONDS, MEGABYTES = 60.0, 150.0

# The benchmarks' clock stands on the day after.
LAST = datetime(2025, 12, 30)
WATCH = (
    "sourceName=\"Ada’s Apple\u00a0Watch\" sourceVersion=\"8.3\" device=\"&lt;&lt;HKDevice: "
    "0x282c8a3a0&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, "
    "hardware:Watch6,2, software:8.3&gt;\""
)
PHONE = (
    "sourceName=\"Ada’s iPhone\" sourceVersion=\"15.2\" device=\"&lt;&lt;HKDevice: "
    "0x282c8b110&gt;, name:iPhone, manufacturer:Apple Inc., model:iPhone, "
    "hardware:iPhone13,2, software:15.2&gt;\""
)
HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 11 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
<!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
<!ATTLIST Record
  type          CDATA #REQUIRED
  unit          CDATA #IMPLIED
  value         CDATA #IMPLIED
  sourceName    CDATA #REQUIRED
  sourceVersion CDATA #IMPLIED
  device        CDATA #IMPLIED
  creationDate  CDATA #IMPLIED
  startDate     CDATA #REQUIRED
  endDate       CDATA #REQUIRED
>
]>
<HealthData locale="en_GB">
 <ExportDate value="2025-12-31 10:00:00 +0100"/>
 <Me HKCharacteristicTypeIdentifierDateOfBirth="1980-01-01"/>
"""
# Type, unit, device, records a day, seconds each, least and most.
QUANTITIES = [
    ("StepCount", "count", PHONE, 30, 500, 20, 600, "d"),
    ("StepCount", "count", WATCH, 45, 400, 20, 600, "d"),
    ("DistanceWalkingRunning", "km", PHONE, 30, 500, 0.01, 0.5, "f"),
    ("DistanceWalkingRunning", "km", WATCH, 45, 400, 0.01, 0.5, "f"),
    ("ActiveEnergyBurned", "kcal", WATCH, 180, 60, 0.1, 4.0, "f"),
    ("BasalEnergyBurned", "kcal", WATCH, 70, 900, 10.0, 25.0, "f"),
    ("FlightsClimbed", "count", PHONE, 6, 60, 1, 3, "d"),
    ("AppleExerciseTime", "min", WATCH, 30, 60, 1, 1, "d"),
    ("AppleStandTime", "min", WATCH, 40, 300, 1, 5, "d"),
    ("OxygenSaturation", "%", WATCH, 10, 15, 0.92, 1.0, "f"),
    ("RespiratoryRate", "count/min", WATCH, 20, 60, 12.0, 18.0, "f"),
    ("HeartRateVariabilitySDNN", "ms", WATCH, 5, 60, 20.0, 90.0, "f"),
    ("RestingHeartRate", "count/min", WATCH, 1, 60, 50, 64, "d"),
    ("BodyMass", "kg", PHONE, 1, 0, 70.0, 74.0, "f"),
    ("WalkingSpeed", "km/hr", PHONE, 8, 60, 3.0, 6.0, "f"),
    ("EnvironmentalAudioExposure", "dBASPL", WATCH, 20, 1800, 40.0, 80.0, "f"),
]  # fmt: skip
STAGES = ["Core", "Deep", "Core", "REM", "Core", "Awake"]


def write(file: Path, size: int) -> dict[str, int]:
    """Writes an export of about so many bytes; the same bytes each time."""
    share = sum(len(line.encode()) for line in lines(20)) / 20
    days = max(1, round(size / share))
    counts = {"days": days, "records": 0, "workouts": 0}
    with file.open("w", encoding="utf-8", newline="\n") as out:
        out.write(HEAD)
        for line in lines(days):
            out.write(line)
            counts["records"] += line.startswith(" <Record")
            counts["workouts"] += line.startswith(" <Workout")
        out.write("</HealthData>\n")
    return counts


def stamp(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} +0100"


def first(days: int) -> datetime:
    return LAST - timedelta(days=days - 1)


def lines(days: int) -> Iterator[str]:
    for number, quantity in enumerate(QUANTITIES):
        yield from records(days, number, *quantity)
    yield from heart(days)
    yield from sleep(days)
    yield from workouts(days)
    yield from summaries(days)


def records(
    days: int, number: int, kind: str, unit: str, device: str, count: int, length: int,
    least: float, most: float, form: str,
) -> Iterator[str]:  # fmt: skip
    draw = random.Random(f"{kind} {number}")
    head = f' <Record type="HKQuantityTypeIdentifier{kind}" {device} unit="{unit}"'
    gap = 16 * 3600 // count
    for day in range(days):
        begin = first(days) + timedelta(days=day, hours=7)
        for index in range(count):
            start = begin + timedelta(seconds=index * gap + draw.randrange(60))
            end = stamp(start + timedelta(seconds=min(length, gap)))
            value = draw.randint(int(least), int(most)) if form == "d" else draw.uniform(least, most)
            yield (
                f'{head} creationDate="{end}" startDate="{stamp(start)}" endDate="{end}" '
                f'value="{value:{"d" if form == "d" else ".6g"}}"/>\n'
            )


def heart(days: int) -> Iterator[str]:
    draw = random.Random("heart")
    head = f' <Record type="HKQuantityTypeIdentifierHeartRate" {WATCH} unit="count/min"'
    for day in range(days):
        begin = first(days) + timedelta(days=day)
        for index in range(288):
            moment = stamp(begin + timedelta(seconds=index * 300 + draw.randrange(240)))
            yield (
                f'{head} creationDate="{moment}" startDate="{moment}" endDate="{moment}" '
                f'value="{draw.randint(48, 150)}">\n'
                '  <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" '
                f'value="{index % 3}"/>\n </Record>\n'
            )


def sleep(days: int) -> Iterator[str]:
    draw = random.Random("sleep")
    head = f' <Record type="HKCategoryTypeIdentifierSleepAnalysis" {WATCH}'
    for day in range(days):
        moment = first(days) + timedelta(days=day, hours=23, seconds=draw.randrange(3600))
        for index in range(24):
            end = moment + timedelta(seconds=draw.randint(300, 2000))
            yield (
                f'{head} creationDate="{stamp(end)}" startDate="{stamp(moment)}" '
                f'endDate="{stamp(end)}" '
                f'value="HKCategoryValueSleepAnalysisAsleep{STAGES[index % 5]}">\n'
                '  <MetadataEntry key="HKTimeZone" value="Europe/Berlin"/>\n </Record>\n'
            )
            moment = end


def workouts(days: int) -> Iterator[str]:
    draw = random.Random("workouts")
    for day in range(0, days, 2):
        start = first(days) + timedelta(days=day, hours=18, seconds=draw.randrange(1800))
        minutes = draw.randint(20, 70)
        end = stamp(start + timedelta(minutes=minutes))
        span = f'startDate="{stamp(start)}" endDate="{end}"'
        yield (
            f' <Workout workoutActivityType="HKWorkoutActivityTypeRunning" '
            f'duration="{minutes}" durationUnit="min" {WATCH} creationDate="{end}" {span}>\n'
            '  <MetadataEntry key="HKIndoorWorkout" value="0"/>\n'
            '  <MetadataEntry key="HKTimeZone" value="Europe/Berlin"/>\n'
            f'  <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate" {span} '
            f'average="{draw.randint(120, 160)}" minimum="90" maximum="178" unit="count/min"/>\n'
            f'  <WorkoutStatistics type="HKQuantityTypeIdentifierDistanceWalkingRunning" {span} '
            f'sum="{minutes / 6:.3f}" unit="km"/>\n'
            f'  <WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" {span} '
            f'sum="{minutes * 10}" unit="kcal"/>\n </Workout>\n'
        )


def summaries(days: int) -> Iterator[str]:
    draw = random.Random("summaries")
    for day in range(days):
        yield (
            f' <ActivitySummary dateComponents="{first(days) + timedelta(days=day):%Y-%m-%d}" '
            f'activeEnergyBurned="{draw.uniform(200, 900):.3f}" activeEnergyBurnedGoal="500" '
            f'activeEnergyBurnedUnit="kcal" appleExerciseTime="{draw.randint(0, 90)}" '
            'appleExerciseTimeGoal="30" '
            f'appleStandHours="{draw.randint(6, 16)}" appleStandHoursGoal="12"/>\n'
        )


def peers(bench: ImportsBench) -> list[Peer]:
    program = bench.peer("healthkit-to-sqlite")
    return [
        Peer("healthkit-to-sqlite", lambda file, out: [program, "--xml", file, out], 5.0)
    ]
