#!/usr/bin/env python3
"""Writes timeline.jsonl: a made-up life, dense from 2021 to 2024, one sentence an entry.

Episodes are of the kinds that published benchmarks of questions over a timeline have: talks, meals,
exercise, reading, television, hobbies, groceries, cooking, dates, care of a pet, check-ups, trips with
their sights and restaurants, moves, studies, weddings and births. An event holds what its sentence
tells; timeline_truth.jsonl keeps it under the same id, so that answers come from events alone.
The lines carry text, startAt, timeZone and tags: no people, no measurements, no places.

    make_timeline.py        writes both files beside itself; the same every time
"""

from __future__ import annotations

import datetime as dt
import json
import random
import uuid
from pathlib import Path
from zoneinfo import ZoneInfo

import timeline_words as w

SEED = 19
FIRST, LAST = dt.date(2021, 1, 1), dt.date(2024, 12, 31)
HOME = "Europe/Dublin"
PARTS = [("in the morning", 8, 11), ("during lunch", 12, 13), ("in the afternoon", 14, 17), ("in the evening", 18, 20), ("late in the evening", 21, 22)]


def joined(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


class Writer:
    def __init__(self) -> None:
        self.r = random.Random(SEED)
        self.lines: list[dict] = []
        self.truth: list[dict] = []

    def add(self, day: dt.date, hour: int, tags: list[str], text: str, zone: str = HOME, **event) -> None:
        moment = dt.datetime(day.year, day.month, day.day, hour, self.r.choice(range(0, 60, 5)), tzinfo=ZoneInfo(zone))
        stamp = moment.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        id = str(uuid.uuid5(uuid.NAMESPACE_URL, f"timeline {len(self.lines)} {text}")).upper()
        text = text[0].upper() + text[1:]
        self.lines.append({"type": "activity", "id": id, "text": text, "startAt": stamp, "timeZone": zone, "tags": tags})
        self.truth.append({"id": id, "day": day.isoformat(), "text": text, "tags": tags, **{"who": [], **event}})

    # Parts of sentences

    def one(self, choices: dict[str, int]) -> str:
        return self.r.choices(list(choices), list(choices.values()))[0]

    def long(self, low: int = 5, high: int = 90) -> tuple[int, str]:
        """Minutes, and how they are told."""
        minutes = self.r.choice(range(low, high + 1, 5))
        words = {5: "five minutes", 10: "ten minutes", 15: "a quarter of an hour", 20: "twenty minutes", 30: "half an hour", 45: "three quarters of an hour",
                 60: "an hour", 75: "an hour and a quarter", 90: "an hour and a half", 120: "two hours", 150: "two and a half hours"}
        forms = [f"{minutes} minutes", f"{minutes} minutes", f"{minutes} min"]
        if minutes in words:
            forms += [words[minutes]] * 2
        elif minutes > 60:
            forms += [f"{minutes // 60} h {minutes % 60}", f"{minutes // 60} hour{'s' if minutes > 119 else ''} and {minutes % 60} minutes"] if minutes % 60 else [f"{minutes // 60} hours"]
        return minutes, self.r.choice(forms)

    def company(self, day: dt.date, alone: float) -> list[str]:
        """Nobody, or one to three people; Paulo from the spring of 2021 on."""
        r = self.r
        if r.random() < alone:
            return []
        if r.random() < 0.3 and day >= dt.date(2021, 4, 10):
            return ["Paulo"] if r.random() < 0.7 else ["Paulo", r.choice(w.KIDS)]
        circle = r.choices([w.FRIENDS, w.FAMILY, w.KIDS], [5, 2, 2])[0]
        return r.sample(circle, r.choice([1, 1, 1, 2, 2, 3][: 5 if circle is w.KIDS else 6]))

    def named(self, names: list[str]) -> str:
        return joined([self.r.choice(w.CALLED.get(n, [n])) for n in names])

    # Every day

    def talk(self, day: dt.date) -> None:
        r = self.r
        names = [self.one(w.TALKERS)]
        if r.random() < 0.15:
            names = r.sample(w.FRIENDS, 2)
        who, (minutes, long), (part, low, high) = self.named(names), self.long(5, 75), r.choice(PARTS)
        topic = r.choice(w.TOPICS)
        text = r.choice([
            f"talked to {who} for {long} {part}", f"I talked to {who} about {topic} for {long} {part}", f"spent {long} talking to {who} about {topic} {part}",
            f"{who} rang {part} and we talked for {long}", f"chatted with {who} {part}, {long}", f"{long} on the phone with {who} {part}", f"had a chat with {who} about {topic} {part} for {long}",
        ])
        self.add(day, r.randint(low, high), ["chat"], text, do="talk", who=names, minutes=minutes, part=part, what=topic if topic in text else None, rang=" rang " in text)

    def meal(self, day: dt.date, meal: str) -> None:
        r = self.r
        food = r.choice(w.BREAKFAST if meal == "breakfast" else w.MAINS)
        names = self.company(day, 0.7 if meal == "breakfast" else 0.45)
        forms = [f"ate {food} for {meal}", f"had {food} for {meal}", f"{food} for {meal}", f"had {meal}, I ate {food}", f"I prepared {food} for {meal}", f"{meal} was {food}"]
        if names:
            who = self.named(names)
            forms = [f"had {food} for {meal} with {who}", f"had {meal} with {who}, we ate {food}", f"{who} and I had {food} for {meal}", f"{meal} with {who}: {food}", f"ate {food} with {who} for {meal}"]
        hour = {"breakfast": 8, "lunch": 13, "dinner": 19}[meal]
        self.add(day, hour, ["meal"], r.choice(forms), do="eat", what=food, meal=meal, who=names)

    def sport(self, day: dt.date) -> None:
        r = self.r
        season = 3 if day.month in (6, 7, 8) else 1
        kind = self.one({**w.SPORTS, "swim": w.SPORTS["swim"] * season, "tennis": w.SPORTS["tennis"] * season})
        names = self.company(day, 0.7)
        wi = f" with {self.named(names)}" if names else ""
        minutes, long = self.long(20, 120)
        event = {"do": "sport", "what": kind, "who": names}
        if kind in ("run", "cycle", "hike"):
            km = r.choice([3, 4, 5, 5, 6, 7.5, 8, 10, 12] if kind == "run" else [8, 12, 15, 18, 22, 25, 30, 42] if kind == "cycle" else [7, 9, 11, 14, 16])
            told, event["km"] = f"{km:g} km", float(km)
            if kind != "cycle" and r.random() < 0.15:
                miles = r.choice([2, 3, 4, 5])
                told, event["km"] = f"{miles} miles", round(miles * 1.609344, 4)
            verb, noun = {"run": ("ran", "run"), "cycle": ("cycled", "bike ride"), "hike": ("hiked", "hike")}[kind]
            forms = [f"{verb} {told}{wi}", f"went for a {noun}{wi}, {told}", f"{told} {noun}{wi}", f"{verb} {told}{wi} before the rain came"]
            if r.random() < 0.25:
                text = f"{verb} {told} in {long}{wi}"
                event["minutes"] = minutes
            else:
                text = r.choice(forms)
        elif kind == "swim":
            metres = r.choice([400, 600, 800, 1000, 1200, 1500])
            text = r.choice([f"swam {metres} m{wi}", f"swam {metres} metres at the Lido{wi}", f"went swimming{wi}, {metres} m"])
            event["metres"] = metres
        else:
            text = r.choice({"tennis": [f"played tennis{wi} for {long}", f"tennis{wi}, {long}"], "badminton": [f"played badminton{wi} for {long}", f"{long} of badminton{wi}"],
                             "yoga": [f"did yoga{wi} for {long}", f"{long} of yoga{wi}"], "weights": [f"lifted weights{wi} for {long}", f"lifted weights for {long}{wi} at the gym"],
                             "row": [f"went rowing{wi} for {long}", f"rowed on the Lee{wi} for {long}"]}[kind])
            event["minutes"] = minutes
        if r.random() < 0.15:
            event["bpm"] = r.randint(95, 165)
            text += f", average heart rate {event['bpm']}"
        self.add(day, r.randint(7, 19), ["exercise"], text, **event)

    def read(self, day: dt.date) -> None:
        what, (minutes, long) = self.one(w.READ), self.long(5, 60)
        text = self.r.choice([f"read {what} for {long}", f"spent {long} reading {what}", f"I spent {long} reading {what} today", f"{long} of reading {what}"])
        self.add(day, self.r.randint(7, 22), ["reading"], text, do="read", what=what, minutes=minutes)

    def watch(self, day: dt.date) -> None:
        what, (minutes, long) = self.one(w.WATCHED), self.long(10, 120)
        names = self.company(day, 0.75)
        wi = f" with {self.named(names)}" if names else ""
        text = self.r.choice([f"watched {what}{wi} for {long}", f"spent {long} watching {what} on TV{wi}", f"watched {what} on TV for {long}{wi}", f"{long} of watching {what}{wi}"])
        self.add(day, self.r.randint(18, 22), ["tv"], text, do="watch", what=what, minutes=minutes, who=names)

    # Every week or so

    def hobby(self, day: dt.date) -> None:
        r = self.r
        what, (minutes, long) = self.one(w.HOBBIES), self.long(20, 150)
        names = self.company(day, 0.5)
        if what in ("board games", "chess"):
            names = names or [r.choice(w.FRIENDS)]
        wi = f" with {self.named(names)}" if names else ""
        timed = r.random() < 0.6
        doing = {"board games": "playing board games", "chess": "playing chess", "the accordion": "playing the accordion", "pottery": "at the pottery wheel"}.get(what, what)
        done = {"board games": "played board games", "chess": "played chess", "the accordion": "practised the accordion", "pottery": "did some pottery", "gardening": "worked in the garden",
                "knitting": "knitted", "learning Polish": "learned Polish", "birdwatching": "went birdwatching", "sketching": "sketched"}[what]
        text = r.choice([f"spent {long} {doing}{wi}", f"{done}{wi} for {long}", f"{done} for {long}{wi}"]) if timed else r.choice([f"spent some time {doing}{wi}", f"really enjoyed {doing}{wi}" if what != "pottery" else f"really enjoyed the pottery{wi}", f"{done}{wi}"])
        self.add(day, r.randint(10, 21), ["hobby"], text, do="hobby", what=what, who=names, **({"minutes": minutes} if timed else {}))

    def groceries(self, day: dt.date) -> None:
        r = self.r
        fruits, drinks = r.sample(w.FRUITS, r.choice([1, 1, 2])), r.sample(w.DRINKS, r.choice([1, 1, 2]))
        toiletries = r.sample(w.TOILETRIES, r.choice([0, 1, 1, 1]))
        goods = joined([*fruits, *drinks, *toiletries])
        names, shop = self.company(day, 0.5), r.choice(w.SHOPS)
        form = r.choice(["with", "with", "online", "saw"]) if names else r.choice(["alone", "alone", "alone", "online"])
        euros = r.randint(8, 95)
        paid = r.choice([f", {euros} euros", f" for €{euros}", f" and paid {euros} euros"]) if r.random() < 0.6 else ""
        event = {"fruits": fruits, "drinks": drinks, "toiletries": toiletries, "what": [*fruits, *drinks, *toiletries], "online": form == "online"}
        if paid:
            event["euros"] = euros
        match form:
            case "online":
                text, names = f"ordered {goods} online{paid}", []
            case "saw":
                text = f"bought {goods} at {shop}{paid}; saw {self.named(names)} there"
                event |= {"shop": shop, "saw": names}
            case "with":
                text = r.choice([f"went grocery shopping with {self.named(names)}, bought {goods}{paid}", f"bought {goods} with {self.named(names)} at {shop}{paid}"])
            case _:
                text = r.choice([f"went grocery shopping at {shop}, bought {goods}{paid}", f"bought {goods} at {shop}{paid}", f"did the shopping: {goods}{paid}"])
        if shop in text:
            event["shop"] = shop
        self.add(day, r.randint(10, 18), ["groceries"], text, do="groceries", **event, who=names)

    def kitchen(self, day: dt.date) -> None:
        r = self.r
        bake = r.random() < 0.5
        dish, verb, doing = (r.choice(w.BAKED), "baked", "baking") if bake else (r.choice(w.COOKED), "cooked", "cooking")
        names = self.company(day, 0.45)
        who = self.named(names) if names else ""
        text = r.choice([f"{doing} {dish} with {who}", f"had {who} over and {verb} {dish}", f"really enjoyed {doing} {dish} with {who}", f"{verb} {dish} with {who} at my place"] if names
                        else [f"{verb} {dish} by myself", f"stayed in and {verb} {dish}", f"{verb} {dish}", f"{verb} {dish}, which went a bit wrong"])
        self.add(day, r.randint(11, 19), ["cooking"], text, do="bake" if bake else "cook", what=dish, who=names)

    def date(self, day: dt.date) -> None:
        r = self.r
        who = "Paulo" if day >= dt.date(2021, 4, 10) else r.choice(["Marcus", "Steffen", "a man from the choir"])
        place = r.choice(w.DATE_PLACES)
        text = r.choice([f"went on a date with {who} at {place}", f"took {who} on a date to {place}", f"date with {who} at {place}"])
        self.add(day, 20, ["date"], text, do="date", who=[who], place=place)

    def pet(self, day: dt.date) -> None:
        what = self.r.choice(w.PET_CARE)
        text = self.r.choice([f"took Pickle for {what}", f"took the dog to the vet for {what}", f"Pickle had {what} today"])
        self.add(day, 11, ["pet"], text, do="pet", what=what)

    # Every year

    def checkups(self, year: int) -> None:
        r = self.r
        for what, places in w.CHECKUPS.items():
            for name, chance in (("me", 0.9), ("Bridie", 0.8), ("Luca", 0.8), ("the kids", 0.3), ("Mum", 0.4), ("Dad", 0.5)):
                if r.random() > chance:
                    continue
                day, place = dt.date(year, r.randint(1, 12), r.randint(1, 28)), r.choice(places)
                if any(start <= day <= start + dt.timedelta(length) for start, length, *_ in w.TRIPS):
                    continue
                whose = {"Bridie": "her", "Luca": "his", "the kids": "their", "Mum": "her", "Dad": "his", "me": "my"}[name]
                label = {"Bridie": "my daughter Bridie", "Luca": "my son Luca", "the kids": "my kids Bridie and Luca"}.get(name, name)
                text = f"went for {whose} {what} at {place}" if name == "me" else r.choice([f"took {label} for {whose} {what} at {place}", f"{label} and I went for {whose} {what} at {place}" if name in ("Mum", "Dad") else f"took {label} to {place} for {whose} {what}"])
                who = {"the kids": w.KIDS, "me": []}.get(name, [name])
                self.add(day, r.randint(9, 16), ["health"], text, do="check-up", what=what, whom=name, who=list(who), place=place)

    # Away

    def trip(self, start: dt.date, length: int, city: str, names: list[str]) -> set[dt.date]:
        r = self.r
        zone, sights, tables, dishes = w.TOWNS[city]
        who = joined(names) if names else ""
        text = r.choice([f"{who} and I went to {city} together for {length} days", f"set off for {city} with {who} for {length} days", f"on {start:%Y/%m/%d} I travelled to {city} with {who} for {length} days"] if names
                        else [f"went to {city} by myself for {length} days", f"travelled to {city} on my own for {length} days"])
        last = start + dt.timedelta(length - 1)
        self.add(start, 7, ["travel"], text, do="trip", city=city, who=names, days=length, last=last.isoformat())
        left = list(sights)
        for offset in range(length):
            day = start + dt.timedelta(offset)
            for _ in range(1 if offset else 0):
                if not left or r.random() < 0.15:
                    continue
                sight = left.pop(r.randrange(len(left)))
                action, feeling = r.choice(w.ACTIONS), r.choice(w.FEELINGS)
                wi, we = (f" with {who}", f"{who} and I") if names else ("", "I")
                text = r.choice([f"during my trip to {city}, {we} visited {sight}", f"visited {sight} in {city}{wi} and {action}", f"saw {sight}{wi}, felt {feeling}",
                                 f"{we} visited {sight} on our trip to {city} and {action}" if names else f"visited {sight} in {day:%B %Y}", f"{sight} was visited{wi}; I {action}"])
                self.add(day, r.randint(10, 16), ["travel"], text, zone, do="visit", what=sight, city=city, who=names, told=city in text.replace(sight, ""),
                         action=action if action in text else None, feeling=feeling if f"felt {feeling}" in text else None)
            for hour in (13, 20):
                if r.random() < 0.6:
                    dish, table = r.choice(dishes), r.choice(tables)
                    along = names if names and r.random() < 0.7 else []
                    wi = f" with {joined(along)}" if along else ""
                    text = r.choice([f"ate {dish} at {table}{wi} when I was in {city}", f"had {dish}{wi} at {table} in {city}", f"ate {dish} at {table}{wi}", f"{dish} at {table}{wi}"])
                    self.add(day, hour, ["meal"], text, zone, do="eat", what=dish, place=table, city=city, who=along, told=f"in {city}" in text, away=True)
            if r.random() < 0.12:
                euros, thing = r.randint(3, 40), r.choice(["a fridge magnet", "a painted bowl", "a tea towel", "a print of the harbour", "a wooden bird"])
                text = r.choice([f"bought {thing} in {city} for {euros} euros", f"bought {thing} for €{euros}{' for Mum' if euros % 2 else ''} in {city}"])
                self.add(day, 17, ["travel"], text, zone, do="souvenir", what=thing, euros=euros, city=city, forWhom="Mum" if "for Mum" in text else None)
        return {start + dt.timedelta(i) for i in range(length)}

    def write(self) -> None:
        r = self.r
        away: set[dt.date] = set()
        for trip in w.TRIPS:
            away |= self.trip(*trip)
        for day, zone, tags, text, event in w.MILESTONES:
            self.add(day, 15, tags, text, zone, **event)
        for year in range(FIRST.year, LAST.year + 1):
            self.checkups(year)
        day = FIRST
        while day <= LAST:
            if day not in away:
                paired = day >= dt.date(2021, 4, 10)
                makers = [(self.talk, 0.62), (self.sport, 0.43), (self.read, 0.37), (self.watch, 0.36), (self.hobby, 0.24), (self.groceries, 0.18), (self.kitchen, 0.2),
                          (self.date, 0.03 if paired else 0.12), (self.pet, 0.04 if day > dt.date(2021, 8, 21) else 0)]
                for meal, chance in (("breakfast", 0.5), ("lunch", 0.55), ("dinner", 0.58)):
                    makers.append((lambda d, m=meal: self.meal(d, m), chance))
                for make, chance in makers:
                    if r.random() < chance:
                        make(day)
                if r.random() < 0.18:
                    self.talk(day)
            day += dt.timedelta(1)


def main() -> None:
    writer = Writer()
    writer.write()
    here = Path(__file__).parent
    order = sorted(range(len(writer.lines)), key=lambda i: writer.lines[i]["startAt"])
    for name, rows in (("timeline.jsonl", writer.lines), ("timeline_truth.jsonl", writer.truth)):
        (here / name).write_text("".join(json.dumps(rows[i], ensure_ascii=False) + "\n" for i in order), encoding="utf-8")
    print(len(writer.lines), "entries")


if __name__ == "__main__":
    main()
