#!/usr/bin/env python3
"""Writes stranger.jsonl: two years of a made-up person in Ghent, one sentence an entry.

Every sentence is made from an event (what, whom with, where, how much), which stranger_truth.jsonl
keeps under the same id, so that answers are computed from the events and never from the sentences.
The lines carry text, startAt, timeZone and tags alone: no people, no measurements, no places.

    make_stranger.py        writes both files beside itself; the same every time
"""

from __future__ import annotations

import datetime as dt
import json
import random
import uuid
from pathlib import Path
from zoneinfo import ZoneInfo

SEED = 20250615
FIRST, LAST = dt.date(2023, 6, 1), dt.date(2025, 5, 31)
HOME = "Europe/Brussels"

FRIENDS = ["Kenji", "Ana", "Wout", "Priya", "Benedikt", "Aoife", "Farid", "Lotte"]
KIN = ["Mum", "Dad", "my sister Lotte"]
SMALL = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def said(minutes: int, r: random.Random) -> str:
    """A length of time in words or figures."""
    words = {10: ["ten minutes", "10 minutes", "10 min"], 15: ["a quarter of an hour", "15 minutes"],
             20: ["twenty minutes", "20 minutes"], 25: ["25 minutes"], 30: ["half an hour", "30 minutes", "thirty minutes"],
             40: ["forty minutes", "40 minutes"], 45: ["three quarters of an hour", "45 minutes"],
             60: ["an hour", "one hour", "60 minutes"], 75: ["an hour and a quarter", "75 minutes"],
             90: ["an hour and a half", "90 minutes", "1.5 hours"], 120: ["two hours", "2 hours"], 150: ["two and a half hours"]}
    return r.choice(words[minutes])


def distance(r: random.Random) -> tuple[float, str]:
    """Kilometres, and how they are told; now and then in miles."""
    if r.random() < 0.2:
        miles = r.choice([2, 3, 4, 5, 6])
        return round(miles * 1.609344, 4), r.choice([f"{miles} miles", f"{SMALL[miles]} miles"])
    km = r.choice([3, 4, 5, 5, 6, 7, 7.5, 8, 10, 12, 14.5])
    text = f"{km:g} km"
    if km == int(km) and km <= 12 and r.random() < 0.35:
        text = r.choice([f"{SMALL[int(km)]} kilometres", f"{km:g} kilometres", f"{km:g}k"])
    return float(km), text


class Writer:
    def __init__(self) -> None:
        self.r = random.Random(SEED)
        self.lines: list[dict] = []
        self.truth: list[dict] = []

    def add(self, day: dt.date, hour: float, zone: str, tags: list[str], text: str, **event) -> None:
        minute = self.r.choice([0, 5, 10, 15, 20, 30, 40, 45, 50, 55])
        moment = dt.datetime(day.year, day.month, day.day, int(hour), minute, tzinfo=ZoneInfo(zone))
        stamp = moment.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        id = str(uuid.uuid5(uuid.NAMESPACE_URL, f"stranger {len(self.lines)} {text}")).upper()
        text = text[0].upper() + text[1:]
        self.lines.append({"type": "activity", "id": id, "text": text, "startAt": stamp, "timeZone": zone, "tags": tags})
        self.truth.append({"id": id, "day": day.isoformat(), "text": text, "tags": tags, **event})

    def pick(self, *choices):
        return self.r.choice(choices)

    # Events

    def eat(self, day, hour, zone=HOME, city=None, food=None, who=None):
        r = self.r
        foods = [("ramen", ["at the station", "near the station"]), ("moules-frites", ["at Café Klok"]), ("falafel", ["on a bench by the canal", "at Abu's"]),
                 ("lasagne", ["at home", "in the staff room"]), ("waffles", ["at the Friday market"]), ("stoemp", ["at home", "at Café Klok"]),
                 ("sushi", ["at the new place on the quay"]), ("a cheese toastie", ["in the staff room", "at home"]), ("lentil curry", ["at home"]),
                 ("pancakes", ["at home"]), ("goulash", ["at Benedikt's flat"]), ("tomato salad", ["on the balcony"])]
        food, places = (food, [""]) if food else r.choice(foods)
        place = r.choice(places)
        if who is None and r.random() < 0.55:
            who = r.choice(FRIENDS)
        meal = r.choice(["lunch", "dinner"]) if hour > 11 else "breakfast"
        at = f" {place}" if place else ""
        town = f" in {city}" if city and r.random() < 0.5 else ""
        wi = f" with {who}" if who else ""
        forms = [f"had {food}{wi}{at}{town}", f"ate {food}{at}{wi}{town}", f"I ate {food} for {meal}{wi}{at}{town}", f"{food} for {meal}{wi}{at}{town}"]
        if who:
            forms += [f"{who} and I had {food}{at}{town}", f"{who} and I shared {food}{at}{town}", f"we ate {food}{at}, {who} and I{town}"]
        self.add(day, hour, zone, ["food"], r.choice(forms), do="eat", what=food, who=[who] if who else [], place=place, city=city, told=bool(town))

    def drink(self, day, hour, zone=HOME):
        r = self.r
        what = r.choice(["a coffee", "mint tea", "a beer", "two beers", "a glass of cider", "hot chocolate"])
        who = r.choice([*FRIENDS, None])
        place = r.choice(["at Café Klok", "at the Opatuur", "by the canal", "in the staff room"])
        wi = f" with {who}" if who else ""
        self.add(day, hour, zone, ["food"], r.choice([f"drank {what}{wi} {place}", f"had {what} {place}{wi}", f"{what}{wi} {place}"]),
                 do="drink", what=what, who=[who] if who else [], place=place)

    def call(self, day, hour, zone=HOME):
        r = self.r
        who = r.choices([*KIN, "Kenji", "Aoife", "Priya", "the landlord"], [9, 4, 6, 2, 4, 2, 2])[0]
        minutes = r.choice([10, 15, 20, 20, 30, 30, 40, 45, 60, 75])
        long = said(minutes, r)
        topic = r.choice(["the leaking roof", "her knee", "the garden", "Christmas", "the new job", "money", "the cat"])
        if r.random() < 0.4:
            text = r.choice([f"{who} rang and we talked for {long}", f"{who} phoned me about {topic} for {long}", f"got a call from {who} that went on for {long}"])
            made = False
        else:
            text = r.choice([f"phoned {who} for {long}", f"I phoned {who} for {long}", f"rang {who} about {topic}, {long}", f"called {who} for {long}", f"talked to {who} on the phone for {long}", f"spoke to {who} for {long} about {topic}"])
            made = True
        name = "Lotte" if "Lotte" in who else who
        self.add(day, hour, zone, ["call"], text, do="call", who=[name], minutes=minutes, made=made, topic=topic if topic in text else None, phone=True)

    def sport(self, day, hour, zone=HOME):
        r = self.r
        kind = r.choices(["run", "swim", "badminton", "yoga", "climb"], [6, 2.2, 4, 2.5, 1.5])[0]
        who = r.choice(FRIENDS) if r.random() < 0.35 else None
        wi = f" with {who}" if who else ""
        event = {"do": "sport", "what": kind, "who": [who] if who else []}
        if kind == "run":
            km, told = distance(r)
            place = r.choice(["by the river", "along the canal", "in the rain", "through the Citadel park", "round the lake"])
            text = r.choice([f"ran {told} {place}{wi}", f"jogged {told} {place}{wi}", f"went for a run{wi}, {told} {place}", f"{told} run {place}{wi}", f"I ran {told}{wi}"])
            event |= {"km": km}
        elif kind == "swim":
            metres = r.choice([500, 800, 1000, 1200, 1500, 2000])
            text = r.choice([f"swam {metres} metres at the Van Eyck pool{wi}", f"swam {metres} m{wi}", f"went swimming{wi} at the Van Eyck pool, {metres} m"])
            event |= {"metres": metres}
        else:
            minutes = r.choice([45, 60, 60, 75, 90, 120] if kind != "yoga" else [20, 30, 40, 45, 60])
            long = said(minutes, r)
            text = {"badminton": [f"played badminton{wi} for {long}", f"badminton{wi}, {long}", f"lost at badminton to {who} after {long}" if who else f"played badminton for {long} at the hall"],
                    "yoga": [f"did yoga for {long}{wi}", f"{long} of yoga{wi}", f"stretched and did {long} of yoga in the bedroom"] if not who else [f"did yoga for {long}{wi}", f"{long} of yoga{wi}"],
                    "climb": [f"went climbing{wi} for {long}", f"climbed at the Bleau hall{wi}, {long}"]}[kind]
            text = r.choice(text)
            event |= {"minutes": minutes}
        self.add(day, hour, zone, ["sport"], text, **event)

    def buy(self, day, hour, zone=HOME):
        r = self.r
        item, euros, shop = r.choice([("two shirts", 40, "at the Zeeman"), ("a second-hand bike lamp", 8, "at the flea market"), ("strings for the cello", 55, "at Dehaene's"),
                                      ("a raincoat", 79, "in the sale"), ("tulips", 6, "at the Friday market"), ("a kettle", 35, "at the Fnac"), ("three notebooks", 12, "at the stationer's"),
                                      ("running shoes", 110, "in Veldstraat"), ("a birthday present for Dad", 25, "at the bookshop"), ("cheese", 14, "at the Friday market"), ("a ladder", 60, "at the Brico"), ("badminton shuttles", 18, "at the Decathlon")])
        euros += r.choice([0, 0, 1, 2, 5])
        who = r.choice([None, None, None, "Ana", "Priya"])
        price = r.choice([f"for {euros} euros", f"for €{euros}", f"and paid {euros} euros"])
        wi = f" with {who}" if who else ""
        self.add(day, hour, zone, ["shopping"], r.choice([f"bought {item} {price} {shop}{wi}", f"bought {item} {shop}{wi} {price}", f"I bought {item} {price}{wi}", f"got {item} {shop} {price}{wi}"]),
                 do="buy", what=item, euros=euros, who=[who] if who else [], shop=shop)

    def culture(self, day, hour, zone=HOME):
        r = self.r
        what, name = r.choice([("film", "Anora"), ("film", "Perfect Days"), ("film", "The Holdovers"), ("film", "Past Lives"), ("film", "Close"), ("concert", "the Ghent Chamber Choir"), ("concert", "a brass band"), ("play", "Uncle Vanya"), ("exhibition", "Flemish tapestries"), ("exhibition", "old bicycles")])
        who = r.choice([*FRIENDS, None])
        wi = f" with {who}" if who else ""
        place = {"film": r.choice(["at the Sphinx", "at Studio Skoop"]), "concert": "in St Bavo's", "play": "at the NTGent", "exhibition": r.choice(["at the STAM", "at the design museum"])}[what]
        texts = {"film": [f"saw {name} {place}{wi}", f"watched {name}{wi} {place}", f"went to the cinema{wi} and saw {name} {place}", f"we watched the film {name} {place}" + (f", {who} and I" if who else "")],
                 "concert": [f"heard {name} {place}{wi}", f"went to a concert by {name} {place}{wi}", f"listened to {name}{wi} {place}"],
                 "play": [f"saw {name} {place}{wi}", f"went to the theatre{wi} to see {name} {place}"],
                 "exhibition": [f"visited an exhibition about {name} {place}{wi}", f"looked at {name} {place}{wi}", f"went to the exhibition on {name}{wi} {place}"]}[what]
        self.add(day, hour, zone, ["culture"], r.choice(texts), do=what, what=name, who=[who] if who else [], place=place)

    def home(self, day, hour, zone=HOME):
        r = self.r
        kind = r.choice(["cook", "cook", "fix", "plant", "clean", "bake"])
        who = r.choice(FRIENDS)
        if kind == "cook":
            dish = r.choice(["risotto", "vegetable soup", "waterzooi", "a quiche", "dal", "mussels", "chilli"])
            text = r.choice([f"cooked {dish} for {who}", f"made {dish} for {who} and me", f"I cooked {dish} for {who}, who brought wine", f"{who} came round and I made {dish}"])
            event = {"what": dish, "who": [who]}
        elif kind == "bake":
            cake = r.choice(["banana bread", "an apple cake", "a lemon tart", "rye bread", "speculoos"])
            text = r.choice([f"baked {cake}", f"baked {cake} for {who}", f"I baked {cake} and burned the edges"])
            event = {"what": cake, "who": [who] if f"for {who}" in text else []}
        elif kind == "fix":
            thing = r.choice(["the kitchen tap", "a puncture", "the doorbell", "the wobbly chair", "the cello case", "the gutter"])
            helper = r.choice([None, None, "Wout", "Dad"])
            text = r.choice([f"fixed {thing}", f"repaired {thing}", f"mended {thing}", f"finally fixed {thing}"]) + (f" with {helper}" if helper else "")
            event = {"what": thing, "who": [helper] if helper else []}
        elif kind == "plant":
            plant = r.choice(["leeks", "sweet peas", "garlic", "tomatoes", "a fig tree", "beans"])
            text = r.choice([f"planted {plant} on the balcony", f"planted {plant} in the back yard", f"sowed {plant}" if plant != "a fig tree" else "planted a fig tree by the wall"])
            event = {"what": plant, "who": []}
        else:
            thing = r.choice(["the windows", "the oven", "the fridge", "the bike"])
            text = r.choice([f"cleaned {thing}", f"scrubbed {thing}", f"cleaned {thing} while listening to the radio"])
            event = {"what": thing, "who": []}
        self.add(day, hour, zone, ["home"], text, do=kind, **event)

    def work(self, day, hour, zone=HOME):
        r = self.r
        minutes = r.choice([30, 45, 60, 90, 120])
        long = said(minutes, r)
        group = r.choice(["3B", "4A", "5C"])
        topic = r.choice(["fractions", "vectors", "probability", "circles", "proofs"])
        text, event = r.choice([
            (f"taught {group} {topic}", {"do": "teach", "what": topic, "group": group}),
            (f"taught {topic} to {group}, who laughed a lot", {"do": "teach", "what": topic, "group": group}),
            (f"marked tests for {long}", {"do": "mark", "minutes": minutes}),
            (f"staff meeting, {long}", {"do": "meeting", "minutes": minutes}),
            (f"sat in a staff meeting for {long} with Mr Okoro", {"do": "meeting", "minutes": minutes, "who": ["Mr Okoro"]}),
            (f"marked a pile of {group}'s tests, {long}", {"do": "mark", "minutes": minutes}),
        ])
        self.add(day, hour, zone, ["work"], text, **{"who": [], **event})

    def music(self, day, hour, zone=HOME):
        r = self.r
        minutes = r.choice([20, 30, 30, 40, 45, 60])
        long = said(minutes, r)
        piece = r.choice(["the Elgar", "scales", "a Bach suite", "the duet"])
        who = r.choice([None, None, "Farid"])
        text = r.choice([f"practised the cello for {long}", f"practised {piece} for {long}", f"played {piece} on the cello for {long}", f"{long} of cello practice"]) + (f" with {who}" if who else "")
        self.add(day, hour, zone, ["music"], text, do="practise", what=piece if piece in text else None, minutes=minutes, who=[who] if who else [])

    def people(self, day, hour, zone=HOME):
        r = self.r
        who = r.choice(FRIENDS)
        place = r.choice(["at Café Klok", "in the Citadel park", "on the tram", "at the Friday market", "in front of the school"])
        item = r.choice(["a drill", "an umbrella", "a novel", "20 euros", "the good saucepan"])
        text, event = r.choice([
            (f"met {who} {place}", {"do": "meet", "place": place}),
            (f"bumped into {who} {place}", {"do": "meet", "place": place, "chance": True}),
            (f"walked home with {who}", {"do": "walk"}),
            (f"lent {who} {item}", {"do": "lend", "what": item}),
            (f"borrowed {item} from {who}", {"do": "borrow", "what": item}),
            (f"{who} gave me {item.replace('20 euros', 'a plant')}", {"do": "get", "what": item.replace("20 euros", "a plant")}),
        ])
        self.add(day, hour, zone, ["friends"], text, who=[who], **event)

    def health(self, day, hour, zone=HOME):
        r = self.r
        text, event = r.choice([("went to the dentist for a check-up", {"do": "dentist"}), ("stayed in bed with a cold", {"do": "ill"}), ("had a headache all afternoon", {"do": "headache"}),
                                ("saw the physio about my shoulder", {"do": "physio"}), ("coughed all night and took a day off", {"do": "ill"})])
        self.add(day, hour, zone, ["health"], text, who=[], **event)

    def trip(self) -> set[dt.date]:
        """Two journeys, told day by day; both have a day with a castle or temple and a meal."""
        away = set()
        plans = [
            (dt.date(2024, 4, 5), "Asia/Tokyo", "Kyoto", "flew to Kyoto with Priya", "flew home from Kyoto",
             [["saw the golden temple with Priya", "had okonomiyaki"], ["walked through the bamboo grove", "had soba with Priya"], ["visited Nijo castle with Priya", "had unagi"],
              ["met Kenji's parents in Kyoto", "had yudofu"], ["rented bicycles and rode along the Kamo", "had matcha ice cream with Priya"], ["sat in a moss garden for an hour", "had udon"], ["bought two tea bowls for 90 euros", "had tempura with Priya"]]),
            (dt.date(2024, 10, 25), "Europe/London", "Edinburgh", "took the train to Edinburgh with Ana", "came home from Edinburgh by train",
             [["we saw the castle with Ana", "had haggis"], ["climbed Arthur's Seat with Ana in the fog", "had fish and chips"], ["visited the museum of childhood", "had cullen skink with Ana"], ["listened to a fiddler in a pub", "had shortbread"]]),
        ]
        for start, zone, city, out, back, days in plans:
            day = start
            self.add(day, 8, HOME, ["travel"], out, do="travel", city=city, who=[out.split("with ")[1]], way="out")
            away.add(day)
            for sight, meal in days:
                day += dt.timedelta(1)
                away.add(day)
                who = [n for n in ("Priya", "Ana") if n in sight]
                event = {"do": "buy", "what": "two tea bowls", "euros": 90} if "bought" in sight else {"do": "see", "what": sight}
                self.add(day, 11, zone, ["travel"], sight, city=city, who=who, **event)
                food = meal.removeprefix("had ").split(" with ")[0]
                companion = [n for n in ("Priya", "Ana") if n in meal]
                town = self.r.random() < 0.5
                self.add(day, 19, zone, ["food"], meal + (f" in {city}" if town else ""), do="eat", what=food, who=companion, city=city, place="", told=town)
                if self.r.random() < 0.6:
                    km, told = distance(self.r)
                    self.add(day, 16, zone, ["sport"], f"walked {told} through {city}", do="walk", km=km, who=[], city=city)
            day += dt.timedelta(1)
            away.add(day)
            self.add(day, 9, zone, ["travel"], back, do="travel", city=city, who=[], way="back")
        return away

    def year(self) -> None:
        away = self.trip()
        day = FIRST
        once = {
            dt.date(2023, 9, 2): ("moved into the flat in Brabantdam", {"do": "move"}),
            dt.date(2023, 12, 16): ("played the Elgar at the school concert and only shook a little", {"do": "perform"}),
            dt.date(2024, 6, 28): ("3B gave me a cake shaped like a pi", {"do": "gift"}),
            dt.date(2024, 9, 14): ("Lotte married Farid in the town hall", {"do": "wedding", "who": ["Lotte", "Farid"]}),
            dt.date(2025, 2, 8): ("lost my wallet on tram 1", {"do": "lose", "what": "wallet"}),
            dt.date(2025, 2, 10): ("got my wallet back from the lost property office", {"do": "find", "what": "wallet"}),
            dt.date(2025, 4, 27): ("ran the Antwerp ten miles in an hour and a half", {"do": "sport", "what": "run", "km": round(16.09344, 4)}),
        }
        r = self.r
        while day <= LAST:
            if day in once:
                text, event = once[day]
                self.add(day, 15, HOME, ["event"] if event["do"] != "sport" else ["sport"], text, **{"who": [], **event})
            if day not in away:
                for make, chance, hours in ((self.work, 0.16 if day.weekday() < 5 and day.month not in (7, 8) else 0, (9, 16)), (self.eat, 0.2, (12, 20)), (self.drink, 0.08, (10, 22)),
                                            (self.call, 0.13, (18, 21)), (self.sport, 0.19, (7, 20)), (self.buy, 0.07, (10, 17)), (self.culture, 0.06, (19, 21)),
                                            (self.home, 0.11, (10, 19)), (self.music, 0.1, (17, 20)), (self.people, 0.07, (9, 18)), (self.health, 0.02, (8, 15))):
                    if r.random() < chance:
                        make(day, r.randint(*hours))
            day += dt.timedelta(1)


def main() -> None:
    w = Writer()
    w.year()
    here = Path(__file__).parent
    order = sorted(range(len(w.lines)), key=lambda i: w.lines[i]["startAt"])
    (here / "stranger.jsonl").write_text("".join(json.dumps(w.lines[i], ensure_ascii=False) + "\n" for i in order), encoding="utf-8")
    (here / "stranger_truth.jsonl").write_text("".join(json.dumps(w.truth[i], ensure_ascii=False) + "\n" for i in order), encoding="utf-8")
    print(len(w.lines), "entries")


if __name__ == "__main__":
    main()
