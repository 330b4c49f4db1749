"""Writes rules.json: recurrence rules with the times that python-dateutil finds for them.

Needs Debian's python3-dateutil. Run it again after changing the rules: python3 make_rules.py
A rule runs on the clocks of its zone, as dateutil runs one without zones; each time is then put into
UTC. A time that the clocks skip is read as on the clocks before it, and one that comes twice is the
first. Where the rule does not fall on its own start, the start counts all the same (RFC 5545
§3.8.5.3), which dateutil leaves to its caller.
"""

from __future__ import annotations

import itertools
import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

NEW_YORK, ROME, LORD_HOWE, KATHMANDU = (
    "America/New_York", "Europe/Rome", "Australia/Lord_Howe", "Asia/Kathmandu",
)  # fmt: skip
# No rule here has more times than are taken of one.
MOST = 3_000


def rules() -> list[tuple[str, str, str]]:
    """Zone (or DATE for whole days), start, rule; UNTIL on the clocks of the zone."""
    found: list[tuple[str, str, str]] = []

    def add(rule: str, start: str = "20200106T090000", zone: str = NEW_YORK) -> None:
        found.append((zone, start, rule))

    # Every n-th day, week, month and year, ended in either way.
    for frequency, interval in itertools.product(
        ("DAILY", "WEEKLY", "MONTHLY", "YEARLY"), (1, 2, 3, 5, 7, 13)
    ):
        add(f"FREQ={frequency};INTERVAL={interval};COUNT=9")
        add(f"FREQ={frequency};INTERVAL={interval};UNTIL=20240106T090000", zone=ROME)
    # Days that not every month or year has.
    for day in (28, 29, 30, 31):
        add(f"FREQ=MONTHLY;BYMONTHDAY={day};COUNT=14", f"202001{day}T120000")
        add(f"FREQ=MONTHLY;COUNT=14;INTERVAL=3", f"202001{day}T120000")
    for last in range(-31, 0, 5):
        add(f"FREQ=MONTHLY;BYMONTHDAY={last};COUNT=20")
        add(f"FREQ=MONTHLY;BYMONTHDAY={last},15;INTERVAL=2;COUNT=20")
    for rule in (
        "FREQ=YEARLY;COUNT=5", "FREQ=YEARLY;INTERVAL=2;COUNT=4", "FREQ=YEARLY;INTERVAL=4;COUNT=4",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1;COUNT=9", "FREQ=YEARLY;BYYEARDAY=60;COUNT=9",
        "FREQ=YEARLY;BYYEARDAY=366;COUNT=4", "FREQ=YEARLY;BYYEARDAY=-366;COUNT=3",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;COUNT=9",
    ):  # fmt: skip
        add(rule, "20000229T100000")
        add(rule, "20000229", "DATE")
    # The n-th weekday of a month, and of a year.
    for place, day in zip((1, 2, 3, 4, 5, -1, -2, -3, -4, -5), ("MO", "TU", "WE", "TH", "FR") * 2):
        add(f"FREQ=MONTHLY;BYDAY={place}{day};COUNT=16", "20200101T093000", ROME)
        add(f"FREQ=MONTHLY;INTERVAL=3;BYDAY={place}{day},1SU;COUNT=16")
        add(f"FREQ=YEARLY;BYMONTH=3,11;BYDAY={place}{day};COUNT=9")
    for place in (1, 2, 10, 26, 52, 53, -1, -2, -30, -53):
        add(f"FREQ=YEARLY;BYDAY={place}WE;COUNT=6", "20150107T080000")
        add(f"FREQ=YEARLY;INTERVAL=2;BYDAY={place}SA,{place}SU;COUNT=7", "20150103", "DATE")
    # Weeks, from different first days.
    for first, days in itertools.product(("MO", "SU", "WE"), ("TU,SU", "SA,MO,WE", "SU")):
        add(f"FREQ=WEEKLY;INTERVAL=2;WKST={first};BYDAY={days};COUNT=11", "20200107T070000")
        add(f"FREQ=WEEKLY;INTERVAL=3;WKST={first};BYDAY={days};UNTIL=20210107T070000")
    for number in (1, 2, 20, 52, 53, -1, -2, -40):
        for first in ("MO", "SU"):
            add(f"FREQ=YEARLY;BYWEEKNO={number};BYDAY=MO;WKST={first};COUNT=8", "20080101T090000")
        add(f"FREQ=YEARLY;BYWEEKNO={number};BYDAY=TH,SU;COUNT=9", "20080103", "DATE")
    # Days of the year.
    for days in ("1", "100,200,300", "-1", "-1,1", "59,60,61", "365", "-365", "182,-182"):
        add(f"FREQ=YEARLY;BYYEARDAY={days};COUNT=9", "20110102T060000")
        add(f"FREQ=YEARLY;INTERVAL=3;BYYEARDAY={days};COUNT=7", "20120101", "DATE")
    # Some of a set.
    for places in ("1", "-1", "2", "1,-1", "-2,2", "3,1"):
        add(f"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS={places};COUNT=14")
        add(f"FREQ=YEARLY;BYMONTH=1,6;BYDAY=SA,SU;BYSETPOS={places};COUNT=8", "20200104", "DATE")
        add(f"FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS={places};COUNT=9")
        add(f"FREQ=DAILY;BYHOUR=8,12,18;BYMINUTE=0,30;BYSETPOS={places};COUNT=9")
        add(f"FREQ=HOURLY;BYMINUTE=0,20,40;BYSETPOS={places};INTERVAL=7;COUNT=9")
        add(f"FREQ=YEARLY;BYWEEKNO=10,20,30;BYDAY=MO,FR;BYSETPOS={places};COUNT=8")
    # What several parts allow together. (Of weekdays with and without a place in one rule dateutil
    # takes those that are both; the standard takes either.)
    for rule in (
        "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=9", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24,31;COUNT=7",
        "FREQ=YEARLY;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8;COUNT=5",
        "FREQ=DAILY;BYMONTH=1,7;COUNT=70", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;COUNT=3",
        "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=30", "FREQ=DAILY;INTERVAL=3;BYDAY=SU;COUNT=9",
        "FREQ=DAILY;BYMONTHDAY=1,-1;COUNT=15", "FREQ=WEEKLY;BYMONTH=6,12;BYDAY=WE;COUNT=15",
        "FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=9,17;COUNT=12", "FREQ=MONTHLY;BYMONTH=3,9;BYMONTHDAY=31,30;COUNT=9",
        "FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=0,23;BYMINUTE=0,59;COUNT=12",
        "FREQ=YEARLY;BYDAY=SU;BYMONTH=5;BYHOUR=10;BYMINUTE=15,45;COUNT=12",
        "FREQ=YEARLY;BYYEARDAY=1,32,60;BYMONTH=2;COUNT=5", "FREQ=YEARLY;BYYEARDAY=1,2,3,4,5,6,7;BYDAY=MO;COUNT=6",
        "FREQ=YEARLY;BYMONTHDAY=29;COUNT=20", "FREQ=YEARLY;BYMONTHDAY=-1;BYDAY=FR;COUNT=8",
        "FREQ=YEARLY;BYDAY=FR;COUNT=60", "FREQ=YEARLY;BYMONTH=4;BYDAY=1MO,-1SA;COUNT=12",
        "FREQ=MONTHLY;BYDAY=2SU,1MO;COUNT=12", "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13;COUNT=8",
    ):  # fmt: skip
        add(rule)
        add(rule, "20230501T183000", LORD_HOWE)
    # Hours, minutes and seconds.
    for rule in (
        "FREQ=HOURLY;COUNT=30", "FREQ=HOURLY;INTERVAL=5;COUNT=20", "FREQ=HOURLY;BYHOUR=9,10,16;COUNT=12",
        "FREQ=HOURLY;INTERVAL=3;BYDAY=MO,FR;COUNT=20", "FREQ=HOURLY;BYMINUTE=0,15,30,45;COUNT=20",
        "FREQ=HOURLY;BYMONTH=3;BYMONTHDAY=-1;COUNT=30", "FREQ=MINUTELY;INTERVAL=90;COUNT=20",
        "FREQ=MINUTELY;BYHOUR=9;BYMINUTE=0,1,2;COUNT=9", "FREQ=MINUTELY;INTERVAL=7;BYDAY=TU;COUNT=20",
        "FREQ=MINUTELY;BYMONTHDAY=29;BYMONTH=2;BYHOUR=0;COUNT=9", "FREQ=MINUTELY;BYSECOND=0,30;COUNT=9",
        "FREQ=SECONDLY;INTERVAL=10;COUNT=20", "FREQ=SECONDLY;BYSECOND=0,20;COUNT=9",
        "FREQ=SECONDLY;INTERVAL=45;BYMINUTE=30;COUNT=9", "FREQ=SECONDLY;INTERVAL=3601;COUNT=15",
        "FREQ=SECONDLY;BYHOUR=9;BYMINUTE=59;BYSECOND=58,59;COUNT=6", "FREQ=SECONDLY;INTERVAL=86401;COUNT=9",
        "FREQ=DAILY;BYHOUR=9,21;BYMINUTE=5;BYSECOND=1,2;COUNT=10",
        "FREQ=MINUTELY;INTERVAL=1441;COUNT=9", "FREQ=HOURLY;INTERVAL=25;COUNT=20",
        "FREQ=HOURLY;BYYEARDAY=1,-1;INTERVAL=6;COUNT=12",
    ):  # fmt: skip
        add(rule)
    # Across the changes of the clocks, also where they change by half an hour, or not at all.
    for zone, start in (
        (NEW_YORK, "20260301T023000"), (NEW_YORK, "20251026T013000"), (ROME, "20260322T023000"),
        (ROME, "20251019T023000"), (LORD_HOWE, "20260329T014500"), (LORD_HOWE, "20250928T021500"),
        (KATHMANDU, "19851225T234500"),
    ):  # fmt: skip
        for rule in (
            "FREQ=DAILY;COUNT=20", "FREQ=WEEKLY;COUNT=4", "FREQ=HOURLY;INTERVAL=12;COUNT=40",
            "FREQ=HOURLY;BYDAY=SU;COUNT=50", "FREQ=MONTHLY;BYDAY=-1SU;COUNT=14",
            "FREQ=DAILY;BYHOUR=1,2,3;COUNT=60",
        ):  # fmt: skip
            add(rule, start, zone)
    # Whole days, and starts on which the rule does not fall.
    for rule in (
        "FREQ=DAILY;COUNT=400", "FREQ=WEEKLY;BYDAY=SA,SU;COUNT=20", "FREQ=MONTHLY;BYDAY=1MO;COUNT=8",
        "FREQ=YEARLY;BYMONTH=1;COUNT=5", "FREQ=MONTHLY;BYMONTHDAY=31;UNTIL=20211231",
        "FREQ=WEEKLY;WKST=SU;INTERVAL=2;BYDAY=FR,SU;UNTIL=20200901", "FREQ=DAILY;BYSETPOS=1;COUNT=5",
        "FREQ=MONTHLY;BYDAY=TU,WE;BYSETPOS=-1;COUNT=6", "FREQ=YEARLY;BYWEEKNO=53;BYDAY=SU;COUNT=4",
    ):  # fmt: skip
        add(rule, "20200102", "DATE")
        add(rule, "20200102T000000", KATHMANDU)
    # One that goes on: only its first times are compared.
    for rule in ("FREQ=WEEKLY;BYDAY=MO,WE", "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=YEARLY;BYYEARDAY=-10"):
        add(rule)
    return found


def times(zone: str, start: str, rule: str) -> list[datetime]:
    """The local times, the start among them."""
    begin = datetime.strptime(start, "%Y%m%d" if zone == "DATE" else "%Y%m%dT%H%M%S")
    if "BYWEEKNO" in rule and "WKST" not in rule and "BYSETPOS" not in rule:
        return by_week(begin, rule)
    limit = None if "COUNT" in rule or "UNTIL" in rule else 60
    found = list(itertools.islice(rrulestr(rule, dtstart=begin), limit))
    if begin not in found:
        found = [begin, *found]
        if "COUNT=" in rule:
            found = found[: int(rule.split("COUNT=")[1].split(";")[0])]
    assert len(found) <= MOST, rule
    return found


def by_week(begin: datetime, rule: str) -> list[datetime]:
    """As `times`, for weeks that begin on Monday, which Python itself numbers: dateutil takes days of
    January that belong to the last week of the year before by a wrong number."""
    parts = dict(part.split("=") for part in rule.split(";"))
    assert parts.keys() == {"FREQ", "BYWEEKNO", "BYDAY", "COUNT"}, rule
    numbers = [int(number) for number in parts["BYWEEKNO"].split(",")]
    weekdays = [("MO", "TU", "WE", "TH", "FR", "SA", "SU").index(d) for d in parts["BYDAY"].split(",")]
    found = [begin]
    day = begin
    while len(found) < int(parts["COUNT"]):
        day += timedelta(days=1)
        year, week, _ = day.isocalendar()
        weeks = date(year, 12, 28).isocalendar().week
        if day.weekday() in weekdays and (week in numbers or week - weeks - 1 in numbers):
            found.append(day)
    return found


def written(zone: str, start: str, rule: str) -> dict[str, object]:
    found = times(zone, start, rule)
    if zone == "DATE":
        texts = [time.strftime("%Y-%m-%d") for time in found]
    else:
        own = ZoneInfo(zone)
        instants = {time.replace(tzinfo=own).astimezone(UTC) for time in found}
        texts = [f"{instant:%Y-%m-%dT%H:%M:%SZ}" for instant in sorted(instants)]
        if "UNTIL" in rule and "T" in rule.split("UNTIL=")[1]:
            # An event with a zone tells its end in UTC.
            head, local = rule.split("UNTIL=")
            until = datetime.strptime(local, "%Y%m%dT%H%M%S").replace(tzinfo=own)
            rule = f"{head}UNTIL={until.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    is_endless = "COUNT" not in rule and "UNTIL" not in rule
    return {
        "zone": zone, "start": start, "rule": rule, "count": None if is_endless else len(texts),
        "first": texts[:30], "last": texts[-1],
    }  # fmt: skip


def main() -> None:
    all_rules = dict.fromkeys(rules())
    lines = [json.dumps(written(*one)) for one in all_rules]
    file = Path(__file__).with_name("rules.json")
    file.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
    print(f"{len(lines)} rules")


if __name__ == "__main__":
    main()
