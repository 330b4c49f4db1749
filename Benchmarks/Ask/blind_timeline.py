"""Questions over timeline.jsonl, written from its entries alone; no answer of the reader was seen."""

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

from events import Event, Events, month, weekday, year
from families.timeline import NOW, spell
from life import Life

MILE = 1.609344
LONG_RUN = 10
Ask = Callable[..., None]
TODAY = dt.date(2025, 1, 10)


def add(b: Any, l: Life, truth: Path) -> None:
    e = Events(b, l, truth, TODAY, spell)

    def asker(kind: str) -> Ask:
        return lambda question, *answers, form=kind, now=NOW: b.q(kind, f"blind-timeline-{form}", question, *answers, now=now)

    counts(e, asker("count"))
    sums(e, asker("sum"))
    averages(e, asker("average"))
    firsts(e, asker("first"))
    lasts(e, asker("last"))
    extremes(e, asker("longest"))
    tops(e, asker("most"))
    dates(e, asker("when"))
    places(e, asker("where"))
    people(e, asker("who"))
    lists(e, asker("list"))
    yes_or_no(e, asker("list"))
    comparisons(e, asker("compare"))
    nothing(b, asker("none"))


def sport(e: Events, what: str, when: Any = None, **k: Any) -> list[Event]:
    return e.of(when, do="sport", what=what, **k)


def hobby(e: Events, what: str, when: Any = None, **k: Any) -> list[Event]:
    return e.of(when, do="hobby", what=what, **k)


def counts(e: Events, q: Ask) -> None:
    f = e.of
    q("How many times have I been on a date at the ice rink?", e.count(f(do="date", place="the ice rink")))
    q("how often did Pickle get vaccinated", e.count(f(do="pet", what="a vaccination")))
    q("Number of times Emeka rang me in 2021", e.count(f("2021", do="talk", who="Emeka", rang=True)))
    q("How often have I baked soda bread?", e.count(f(do="bake", what="soda bread")))
    rows = sport(e, "row", ("2024-07-10", "2025-01-10"))
    assert not sport(e, "row", "2024-07-10"), "the edge does not matter"
    q("How many times did I go rowing in the last six months?", e.count(rows), form="count-relative")
    q("On how many days in December 2024 did I have breakfast?", e.countdays(f("2024-12", do="eat", meal="breakfast")))
    sights = f(do="visit", city="Split")
    q("how many sights did we see in Split", e.distinct("what", sights, "entries"), e.count(sights))
    far = [t for t in sport(e, "run", "2023") if t["km"] >= LONG_RUN]
    q("How many runs of 10 km or more did I do in 2023?", e.count(far))
    luca = f(do="check-up", who="Luca")
    q("How many check-ups has Luca had?", e.count(luca), e.count([t for t in luca if t["whom"] == "Luca"]))
    q("How many times did I have pizza for dinner in 2022?", e.count(f("2022", do="eat", what="pizza", meal="dinner")))
    q("How many different people have I been running with?", e.distinct("who", [t for t in sport(e, "run") if t["who"]], "people"))
    q("groceries at SuperValu in 2023, how many times?", e.count(f("2023", do="groceries", shop="SuperValu")))
    q("How many chats did I have with Mum this year?", e.count(f(("2024-01-01", "2024-05-20"), do="talk", who="Mum")), e.count(f("2024", do="talk", who="Mum")), now="2024-05-20T20:00:00Z", form="count-relative")


def sums(e: Events, q: Ask) -> None:
    f = e.of
    q("total km cycled in 2024", e.total(sport(e, "cycle", "2024"), "km", "km"))
    q("How many hours of chess have I played?", e.total(hobby(e, "chess"), "minutes", "hours", 1 / 60))
    q("miles hiked in 2023", e.total(sport(e, "hike", "2023"), "km", "miles", 1 / MILE))
    q("I wonder how much I spent at the English Market back in 2022", e.total(f("2022", do="groceries", shop="the English Market"), "euros", "euros"))
    q("How long did Orla and I talk in November 2024, all together?", e.total(f("2024-11", do="talk", who="Orla"), "minutes", "minutes"))
    summers = [("2022-06-01", "2022-08-31"), ("2022-06-21", "2022-09-22")]
    q("how far did i swim in the summer of 2022?", *[e.total(sport(e, "swim", s), "metres", "m") for s in summers])
    q("hours spent reading comics in 2021", e.total(f("2021", do="read", what="comics"), "minutes", "hours", 1 / 60))
    q("How many days was I away on trips in 2024?", e.total(f("2024", do="trip"), "days", "days"))
    q("How many minutes did I watch the football last month?", e.total(f("2024-12", do="watch", what="the football"), "minutes", "minutes"), form="sum-relative")


def averages(e: Events, q: Ask) -> None:
    f = e.of
    q("average grocery bill at the Aldi?", e.mean(f(do="groceries", shop="the Aldi"), "euros", "euros"))
    q("How long do I row on average?", e.mean(sport(e, "row"), "minutes", "minutes"))
    q("avg heart rate when cycling", e.mean(sport(e, "cycle"), "bpm", None))
    q("How many minutes do I usually spend watching the football?", e.mean(f(do="watch", what="the football"), "minutes", "minutes"))
    q("Average distance of a swim in 2024", e.mean(sport(e, "swim", "2024"), "metres", "m"))
    bakes = f("2023", do="bake")
    q("How many times a month did I bake in 2023 on average?", e.b.num(round(len(bakes) / 12, 4), None, e.entries(bakes)))


def firsts(e: Events, q: Ask) -> None:
    f = e.of
    q("hey, can you tell me when I first talked to Harriet?", e.one(f(do="talk", who="Harriet")))
    q("When did I go birdwatching for the very first time?", e.one(hobby(e, "birdwatching")))
    meal = f(do="eat", city="Kyoto")[:1]
    q("What's the first thing I ate in Kyoto?", e.one(meal), e.names("what", meal))
    q("first time I baked scones?", e.one(f(do="bake", what="scones")))
    journey = f(do="trip", who="Paulo")[:1]
    q("Where did Paulo and I go on our first trip?", e.names("city", journey), e.one(journey))


def lasts(e: Events, q: Ask) -> None:
    f = e.of
    pet = f(do="pet")
    q("last vet visit?", e.one([t for t in pet if "vet" in t["text"].split()], last=True), e.one(pet, last=True), form="last-terse")
    q("when did i last eat haggis", e.one(f(do="eat", what="haggis"), last=True))
    q("How long ago did I last play the acordion?", e.since(hobby(e, "the accordion")), form="last-misspelt")
    q("remind me when I was last on a date with Paulo", e.one(f(do="date", who="Paulo"), last=True))
    q("When did Mum last have a physical?", e.one(f(do="check-up", what="physical", whom="Mum"), last=True))
    cooked = f(do="cook", who="Harriet")
    q("What's the most recent dish I cooked with Harriet?", e.one(cooked, last=True))
    q("how many days since my last rowing session", e.since(sport(e, "row")), form="last-since")


def extremes(e: Events, q: Ask) -> None:
    f = e.of
    q("longest bike ride", e.extreme(sport(e, "cycle"), "km", "km"))
    q("My longest session at the pottery wheel?", e.extreme(hobby(e, "pottery"), "minutes", "minutes"))
    q("What's the biggest grocery bill I ever paid?", e.extreme(f(do="groceries"), "euros", "euros"))
    moves = f("2024", do="sport")
    q("longest stretch without any exercise in 2024", e.gap(moves, 1), e.gap(moves), form="longest-gap")
    q("How many days in a row did I read at most in 2021?", e.streak(f("2021", do="read")), form="longest-streak")
    q("my shortest trip?", e.extreme(f(do="trip"), "days", "days", low=True))
    q("highest heart rate playing tennis", e.extreme(sport(e, "tennis"), "bpm", None))
    q("longest phone call from Zofia", e.extreme(f(do="talk", who="Zofia", rang=True), "minutes", "minutes"))


def tops(e: Events, q: Ask) -> None:
    f = e.of
    q("What did I bake most often in 2022?", e.top("what", f("2022", do="bake")))
    q("With whom did I spend the most time talking in 2023?", e.top("who", f("2023", do="talk"), by="minutes"))
    q("wich day of the week do I bake most", e.top(weekday, f(do="bake")))
    q("In which year did I run the most kilometres?", e.top(year, sport(e, "run"), by="km"))
    q("my top 3 lunch dishes in 2024", e.top("what", f("2024", do="eat", meal="lunch"), 3))
    reads = f(do="read")
    q("What do I read least?", e.top("what", reads, least=True), e.top("what", reads, by="minutes", least=True), form="most-least")
    q("Which drink do I buy most often?", e.top("drinks", f(do="groceries")))
    q("Which month of 2023 did I spend the most on groceries?", e.top(month, f("2023", do="groceries"), by="euros"))
    q("What does Pickle need most often?", e.top("what", f(do="pet")))


def dates(e: Events, q: Ask) -> None:
    f = e.of
    lido = sport(e, "swim", "2024", text=lambda t: "Lido" in t)
    q("On which days in 2024 did I swim at the Lido?", e.dates(lido))
    q("When did I visit the Lello bookshop?", e.dates(f(do="visit", what="the Lello bookshop")))
    q("Which days did I eat custard tarts?", e.dates(f(do="eat", what="custard tarts")))
    q("When were we in Split?", e.stay("2024-08-03", "2024-08-12"), form="when-stay")
    q("When did I get through my driving test, finally?", e.dates(f(do="driving test")))


def places(e: Events, q: Ask) -> None:
    f = e.of
    q("Where did I have oysters?", e.names("place", f(do="eat", what="oysters")), e.names("city", f(do="eat", what="oysters")))
    q("Where did I go for my physical in 2023?", e.names("place", f("2023", do="check-up", what="physical", whom="me")))
    q("Which city did Harriet and I travel to?", e.names("city", f(do="trip", who="Harriet")))
    q("where did i move in 2020?", e.names("city", f("2020", do="move")))
    q("Where have I bought a print of the harbour?", e.names("city", f(do="souvenir", what="a print of the harbour")))


def people(e: Events, q: Ask) -> None:
    f = e.of
    q("Who have I been birdwatching with in 2022?", e.names("who", [t for t in hobby(e, "birdwatching", "2022") if t["who"]]))
    seen = [t for t in f(do="groceries", shop="the English Market") if t.get("saw")]
    q("who did I run into at the English Market?", e.names("saw", seen))
    q("Who was on the Lisbon trip in 2024?", e.names("who", f("2024", do="trip", city="Lisbon")))
    q("Who did I go rowing with in 2023?", e.names("who", [t for t in sport(e, "row", "2023") if t["who"]]))
    q("Who did I watch cartoons with in 2024?", e.names("who", [t for t in f("2024", do="watch", what="cartoons") if t["who"]]))
    q("who rang me yesterday?", e.names("who", f("2023-08-24", do="talk", rang=True)), now="2023-08-25T09:00:00Z", form="who-relative")


def lists(e: Events, q: Ask) -> None:
    f = e.of
    q("What did I do on my 35th birthday?", e.list(f("2024-03-14")), form="list-join")
    q("What did we see in Edinburgh?", e.names("what", f(do="visit", city="Edinburgh")))
    castles = f(do="visit", what=lambda w: "castle" in w)
    q("Which castles have I seen?", e.names("what", castles, ["the Klis fortress", "Schönbrunn palace", "Diocletian's palace"]))
    q("everything i ate in Galway", e.names("what", f(do="eat", city="Galway")))
    q("Show my rowing sessions in 2022", e.list(sport(e, "row", "2022")))
    q("What did I do last Sunday?", e.list(f("2024-05-19")), now="2024-05-22T19:00:00Z", form="list-relative")
    talks = f("2022", do="talk", who="Zofia")
    q("Tell me what Zofia and I talked about in 2022, just the topics", e.names("what", [t for t in talks if t["what"]], also=talks))
    q("Which fruit did I buy in January 2024?", e.names("fruits", f("2024-01", do="groceries")))
    q("What have I cooked with Callum?", e.names("what", f(do="cook", who="Callum")), e.names("what", f(do=lambda d: d in ("cook", "bake"), who="Callum")))
    q("Sights in Kyoto where I bought a postcard", e.names("what", f(do="visit", city="Kyoto", action="bought a postcard there")))


def yes_or_no(e: Events, q: Ask) -> None:
    f = e.of

    def ask(question: str, ts: list[Event], optional: list[Event] = (), **more: Any) -> None:
        q(question, e.yes(ts, list(optional)) if ts else e.no(ts), form="yes-no", **more)

    ask("Have I ever eaten tripe?", f(do="eat", what="tripe"))
    ask("Did the kids come along to Split?", f(city="Split", who="Bridie"), f(city="Split"))
    ask("did I ever go to Paris?", f(text=lambda t: "Paris" in t))
    ask("Did Mum get a flu jab in 2023?", f("2023", do="check-up", what="flu jab", whom="Mum"))
    ask("Have I ever gone rowing with Fintan?", sport(e, "row", who="Fintan"))
    ask("did i speak to dmitri in december 2024?", f("2024-12", do="talk", who="Dmitri"))
    ask("Have I had a flu jab this year?", f(("2022-01-01", "2022-10-01"), do="check-up", what="flu jab", whom="me"), now="2022-10-01T10:00:00Z")


def comparisons(e: Events, q: Ask) -> None:
    f = e.of

    def n(*groups: list[Event]) -> list[float]:
        return [len(g) for g in groups]

    def amount(key: str, *groups: list[Event]) -> list[float]:
        return [sum(t.get(key, 0) for t in g) for g in groups]

    years = ["2022", "2024"]
    q("Did I bake more often in 2022 or in 2024?", e.compare(n(*[f(y, do="bake") for y in years]), years))
    q("tennis vs badminton: which have I played more?", e.compare(n(sport(e, "tennis"), sport(e, "badminton")), ["tennis", "badminton"]), e.compare(amount("minutes", sport(e, "tennis"), sport(e, "badminton")), ["tennis", "badminton"], "minutes"))
    q("Did I spend more time reading in 2021 or in 2024?", e.compare(amount("minutes", f("2021", do="read"), f("2024", do="read")), ["2021", "2024"], "minutes"), e.compare([m / 60 for m in amount("minutes", f("2021", do="read"), f("2024", do="read"))], ["2021", "2024"], "hours"))
    spots = ["the botanic garden", "the ice rink"]
    q("More dates in the botanic garden or at the ice rink?", e.compare(n(*[f(do="date", place=p) for p in spots]), spots))
    q("Did I cover more kilometres cycling or running in 2024?", e.compare(amount("km", sport(e, "cycle", "2024"), sport(e, "run", "2024")), ["cycling", "running"], "km"))


def nothing(b: Any, q: Ask) -> None:
    for form, question in (
        ("none-unrecorded", "How often did I go fishing?"),
        ("none-unrecorded", "When did I last ride a horse?"),
        ("none-unrecorded", "What did I eat in Rome?"),
        ("none-unrecorded", "How much did our wedding cost?"),
        ("none-person", "What did I talk about with Cornelius?"),
        ("none-time", "How many km did I run in 1997?"),
        ("none-future", "When is Mum's next eye test?"),
        ("none-order", "Delete all my dates with Steffen"),
        ("none-world", "What is the longest river in Ireland?"),
        ("none-language", "Ile razy byłam na nartach?"),
    ):
        q(question, b.none(), form=form)
