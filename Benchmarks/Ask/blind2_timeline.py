"""A second blind set over timeline.jsonl, written from its entries alone; no answer of the reader was seen."""

import datetime as dt
from pathlib import Path
from typing import Any

from events import MONTHS, Event, Events, month, weekday, year
from families.timeline import NOW, spell
from life import Life

MILE = 1.609344
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
TODAY = dt.date(2025, 1, 10)


def add(b: Any, l: Life, truth: Path) -> None:
    e = Events(b, l, truth, TODAY, spell)

    def asker(kind: str):
        return lambda question, *answers, form=kind, now=NOW: b.q(kind, f"blind2-timeline-{form}", question, *answers, now=now)

    for part, kind in (
        (counts, "count"), (sums, "sum"), (averages, "average"), (firsts, "first"), (lasts, "last"), (extremes, "longest"), (tops, "most"),
        (dates, "when"), (places, "where"), (people, "who"), (lists, "list"), (yes_or_no, "list"), (comparisons, "compare"), (nothing, "none"),
    ):
        part(e, asker(kind))


def sport(e: Events, what: str, when: Any = None, **k: Any) -> list[Event]:
    return e.of(when, do="sport", what=what, **k)


def hobby(e: Events, what: str, when: Any = None, **k: Any) -> list[Event]:
    return e.of(when, do="hobby", what=what, **k)


def counts(e: Events, q) -> None:
    f = e.of
    q("so how many times did Mum ring me up in 2023", e.count(f("2023", do="talk", who="Mum", rang=True)))
    q("Chats with Zofia that were about money, how many?", e.count(f(do="talk", who="Zofia", what="money")))
    q("how many dates did paulo and i have in 2022", e.count(f("2022", do="date", who="Paulo")))
    q("How many grocery orders did I place online in 2024?", e.count(f("2024", do="groceries", online=True)))
    alone = f(do="trip", who=lambda w: not w)
    q("On how many trips did I travel all alone?", e.count(alone))
    q("how often has the dog had her nails trimmed", e.count(f(do="pet", what="a nail trim")))
    short = [t for t in sport(e, "run", "2022") if t["km"] < 5]
    q("Runs of less than 5 km in 2022, number of?", e.count(short))
    far = [t for t in sport(e, "swim", "2024") if t["metres"] >= 1000]
    q("swims of a kilometre or more in 2024: how many", e.count(far))
    q("How many times did Ines and I play chess?", e.count(hobby(e, "chess", who="Ines")))
    q("On how many days did I read a novel in 2022?", e.countdays(f("2022", do="read", what="a novel")))
    teeth = f(do="check-up", what="dental check-up", whom=lambda w: w in ("Bridie", "Luca", "the kids"))
    q("How many times have I taken one of the children, or both, to the dentist?", e.count(teeth))
    q("How many days in October 2024 did I do no sport at all?", e.without("2024-10", f("2024-10", do="sport")))
    long = [t for t in f("2023", do="talk") if t["minutes"] >= 60]
    q("conversations of an hour or longer in 2023?", e.count(long))
    q("number of chats late in the evening, 2024", e.count(f("2024", do="talk", part="late in the evening")))
    week = f(("2024-06-10", "2024-06-16"), do="eat", meal="breakfast")
    q("how many breakfasts did I note last week", e.count(week), e.countdays(week), now="2024-06-18T09:00:00Z", form="count-relative")
    q("How many different hobbies did I spend time on in 2024?", e.distinct("what", f("2024", do="hobby"), "entries"))


def sums(e: Events, q) -> None:
    f = e.of
    q("What have I spent at the Aldi in 2022?", e.total(f("2022", do="groceries", shop="the Aldi"), "euros", "euros"))
    q("all my travel souvenirs together, how many euros were they", e.total(f(do="souvenir"), "euros", "euros"))
    q("hours of tennis in 2023", e.total(sport(e, "tennis", "2023"), "minutes", "hours", 1 / 60))
    q("how many km did I run in september 2022?", e.total(sport(e, "run", "2022-09"), "km", "km"))
    q("How far have Paulo and I cycled together, in miles?", e.total(sport(e, "cycle", who="Paulo"), "km", "miles", 1 / MILE), e.total(sport(e, "cycle", who="Paulo"), "km", "km"))
    q("yoga in november 2024, total minutes", e.total(sport(e, "yoga", "2024-11"), "minutes", "minutes"))
    q("how many hours have I talked to Dmitri altogether", e.total(f(do="talk", who="Dmitri"), "minutes", "hours", 1 / 60))
    q("How many days have Paulo and I been on trips together?", e.total(f(do="trip", who="Paulo"), "days", "days"))
    q("groceries in the first quarter of 2022: what did I pay in total?", e.total(f(("2022-01-01", "2022-03-31"), do="groceries"), "euros", "euros"))


def averages(e: Events, q) -> None:
    f = e.of
    q("How long do Rukmini and I usually talk?", e.mean(f(do="talk", who="Rukmini"), "minutes", "minutes"))
    q("mean distance of my runs in 2024", e.mean(sport(e, "run", "2024"), "km", "km"))
    q("what do i pay for groceries on average, in 2023", e.mean(f("2023", do="groceries"), "euros", "euros"))
    q("How many days does a trip of mine last on average?", e.mean(f(do="trip"), "days", "days"))
    talks = f("2022", do="talk", who="Orla")
    q("talks with Orla per week in 2022", *[e.b.num(round(len(talks) / w, 4), None, e.entries(talks)) for w in (365 / 7, 52, 53)])
    q("typical time in front of a crime series?", e.mean(f(do="watch", what="a crime series"), "minutes", "minutes"))
    dates_ = f("2023", do="date")
    q("on average how many dates a month did I go on in 2023", e.b.num(round(len(dates_) / 12, 4), None, e.entries(dates_)))


def firsts(e: Events, q) -> None:
    f = e.of
    q("when was my very first date with Paulo", e.one(f(do="date", who="Paulo")))
    baked = f("2024", do="bake")[:1]
    q("What did I bake first in 2024?", e.names("what", baked), e.one(baked))
    q("my first run of 2024, when was it", e.one(sport(e, "run", "2024")))
    meal = f(do="eat", city="Split")[:1]
    q("What was the first thing we had to eat in Split?", e.names("what", meal), e.one(meal))
    q("When did I first talk politics with Harriet?", e.one(f(do="talk", who="Harriet", what="politics")))
    q("first vaccination for the dog?", e.one(f(do="pet", what="a vaccination")))


def lasts(e: Events, q) -> None:
    f = e.of
    q("when did i last make gumbo", e.one(f(do="cook", what="gumbo"), last=True))
    q("most recent run with Callum?", e.one(sport(e, "run", who="Callum"), last=True))
    q("How many days has it been since my last date?", e.since(f(do="date")), form="last-since")
    q("When did Luca last get his eyes tested?", e.one(f(do="check-up", what="eye test", who="Luca"), last=True))
    q("last flea treatment of Pickle", e.one(f(do="pet", what="a flea treatment"), last=True))
    q("how long since I last went swiming", e.since(sport(e, "swim")), form="last-misspelt")
    q("when have I last been to the dentist myself", e.one(f(do="check-up", what="dental check-up", whom="me"), last=True))
    trip = f(do="trip")[-1:]
    q("Where did my last trip take me?", e.names("city", trip), e.one(trip))


def extremes(e: Events, q) -> None:
    f = e.of
    q("whats the furthest i ever hiked", e.extreme(sport(e, "hike"), "km", "km"))
    q("cheapest shop at SuperValu?", e.extreme(f(do="groceries", shop="SuperValu"), "euros", "euros", low=True))
    q("What was the longest time between two dates with Paulo?", e.gap(f(do="date", who="Paulo")), e.gap(f(do="date", who="Paulo"), 1), form="longest-gap")
    q("How many days on end did I talk to somebody, at the most, in 2022?", e.streak(f("2022", do="talk")), form="longest-streak")
    q("lowest heart rate I noted for a bike ride", e.extreme(sport(e, "cycle"), "bpm", None, low=True))
    q("longest spell in 2023 without baking or cooking anything", e.gap(f("2023", do=lambda d: d in ("bake", "cook")), 1), e.gap(f("2023", do=lambda d: d in ("bake", "cook"))), form="longest-gap")
    q("my longest journey in days, and where to?", e.extreme(f(do="trip"), "days", "days"))
    q("Longest rowing session in 2024?", e.extreme(sport(e, "row", "2024"), "minutes", "minutes"))


def tops(e: Events, q) -> None:
    f = e.of
    q("the two places where Paulo and I have had the most dates", e.top("place", f(do="date", who="Paulo"), 2))
    q("My brother and I, what do we mostly talk about?", e.top("what", [t for t in f(do="talk", who="Fintan") if t["what"]]))
    q("my most frequent breakfast in 2023", e.top("what", f("2023", do="eat", meal="breakfast")))
    q("Who joins me on runs the most?", e.top("who", [t for t in sport(e, "run") if t["who"]]))
    q("which supermarket or shop do I use most for groceries", e.top("shop", [t for t in f(do="groceries") if t.get("shop")]))
    q("in which month of 2024 did I swim most often", e.top(month, sport(e, "swim", "2024")))
    q("Which hobby took up most of my hours in 2022?", e.top("what", f("2022", do="hobby"), by="minutes"))
    q("What fruit did I buy most in 2022?", e.top("fruits", f("2022", do="groceries")))
    q("year with the most baking", e.top(year, f(do="bake")))


def dates(e: Events, q) -> None:
    f = e.of
    q("what day did we move to kinsale", e.dates(f(do="move", city="Kinsale")))
    q("When did Gareth and I sign the divorce papers?", e.dates(f(do="divorce")))
    q("Since when have we had the dog?", e.dates(f(do="pet arrives")))
    q("when did I see the Golden Pavilion?", e.dates(f(do="visit", what="the Golden Pavilion")))
    q("which days in 2024 was I on a date in the botanic garden", e.dates(f("2024", do="date", place="the botanic garden")))
    q("Dates of my stay in Kraków, please", e.stay("2021-09-18", "2021-09-22"), form="when-stay")
    q("when did mum get her flu jab in 2024", e.dates(f("2024", do="check-up", what="flu jab", whom="Mum")))
    q("On which days did I eat Sachertorte?", e.dates(f(do="eat", what="Sachertorte")))


def places(e: Events, q) -> None:
    f = e.of
    q("where did gareth and i get married?", e.names("place", f(do="marry", who="Gareth")))
    q("Where was Luca born?", e.names("city", f(do="born", child="Luca")))
    q("in which cities have I been on my own", e.names("city", f(do="trip", who=lambda w: not w)))
    q("Where did I get my flu jab in 2024?", e.names("place", f("2024", do="check-up", what="flu jab", whom="me")))
    q("where have i eaten schnitzel", e.names("place", f(do="eat", what="schnitzel")), e.names("city", f(do="eat", what="schnitzel")))
    q("Where was that tea towel from?", e.names("city", f(do="souvenir", what="a tea towel")))


def people(e: Events, q) -> None:
    f = e.of
    q("who helped me when I moved to Galway", e.names("who", f(do="move", city="Galway")))
    q("Who did I play tennis with in 2024?", e.names("who", [t for t in sport(e, "tennis", "2024") if t["who"]]))
    q("With whom did I bake scones?", e.names("who", [t for t in f(do="bake", what="scones") if t["who"]]))
    q("who did I talk to about the school play in 2024?", e.names("who", f("2024", do="talk", what="the school play")))
    q("Whom did I bump into while shopping in 2024?", e.names("saw", [t for t in f("2024", do="groceries") if t.get("saw")]))
    q("who did i see the oceanarium with", e.names("who", f(do="visit", what="the oceanarium")))
    q("Who did I go to Porto with? Or was I alone?", e.names("who", f(do="trip", city="Porto")) if f(do="trip", city="Porto")[0]["who"] else e.list(f(do="trip", city="Porto")), e.b.none(), form="who-alone")
    q("Who did I have on the line yesterday evening?", e.names("who", f("2024-11-14", do="talk", part="in the evening")), now="2024-11-15T09:00:00Z", form="who-relative")


def lists(e: Events, q) -> None:
    f = e.of
    q("what did i do on the day of my second wedding", e.list(f("2022-09-24")), form="list-join")
    q("everything from the day Pickle arrived", e.list(f("2021-08-21")), form="list-join")
    q("What dishes did I eat in Porto?", e.names("what", f(do="eat", city="Porto")))
    q("which sights did the kids and I see in Galway", e.names("what", f(do="visit", city="Galway")))
    talks = f("2024", do="talk", who="Harriet")
    q("topics I discussed with Harriet in 2024", e.names("what", [t for t in talks if t["what"]], also=talks))
    q("Which toiletries did I buy in February 2022?", e.names("toiletries", f("2022-02", do="groceries")), )
    q("list the towns I've travelled to", e.names("city", f(do="trip"), ["Galway", "Bristol", "Cork", "Kinsale", "Edinburgh"], also=f(do="move")))
    q("My sketching sessions in 2021", e.list(hobby(e, "sketching", "2021")))
    q("swims together with Paulo, show them all", e.list(sport(e, "swim", who="Paulo")))
    q("Which places did I draw in my notebook?", e.names("what", f(do="visit", action="drew it in my notebook")))
    q("which sights made me feel happy", e.names("what", f(do="visit", feeling="happy")))
    q("what was I up to yesterday?", e.list(f("2023-03-14")), now="2023-03-15T08:00:00Z", form="list-relative")
    q("km run per year", e.groups(sport(e, "run"), year, ["2021", "2022", "2023", "2024"], "km", "km"), form="list-groups")
    q("How many times did I bake on each day of the week in 2023?", e.groups(f("2023", do="bake"), weekday, WEEKDAYS), form="list-groups")
    q("dates by month in 2022", e.groups(f("2022", do="date"), month, MONTHS), form="list-groups")


def yes_or_no(e: Events, q) -> None:
    f = e.of

    def ask(question: str, ts: list[Event], optional: list[Event] = (), **more: Any) -> None:
        q(question, e.yes(ts, list(optional)) if ts else e.no(ts), form="yes-no", **more)

    ask("was I ever in Athens?", f(text=lambda t: "Athens" in t))
    ask("Did Harriet come along to Vienna?", f(do="trip", city="Vienna", who="Harriet"), f(city="Vienna", who="Harriet"))
    ask("did mum have a physical in 2022?", f("2022", do="check-up", what="physical", whom="Mum"))
    ask("Have I ever rowed with Dad?", sport(e, "row", who="Dad"))
    ask("was paulo with us in Galway in 2023?", f(("2023-07-15", "2023-07-19"), who="Paulo"))
    ask("Did I ever go out with Steffen after April 2021?", f(("2021-05-01", "2025-01-10"), do="date", who="Steffen"))
    ask("Did I bake anything with Dmitri in 2023?", f("2023", do="bake", who="Dmitri"))
    ask("Have Dad and I ever talked politics?", f(do="talk", who="Dad", what="politics"))
    ask("did I pass my driving test?", f(do="driving test"))
    ask("was I on a trip in December of any year", [t for t in f(do="trip") if t["day"][5:7] == "12"])


def comparisons(e: Events, q) -> None:
    f = e.of

    def n(*groups: list[Event]) -> list[float]:
        return [len(g) for g in groups]

    def amount(key: str, *groups: list[Event]) -> list[float]:
        return [sum(t.get(key, 0) for t in g) for g in groups]

    q("did i swim or run more often in 2022", e.compare(n(sport(e, "swim", "2022"), sport(e, "run", "2022")), ["swim", "run"]))
    kin = [f(do="talk", who=w) for w in ("Orla", "Fintan")]
    q("My sister or my brother: whom do I talk to more?", e.compare(n(*kin), ["Orla", "Fintan"]), e.compare(amount("minutes", *kin), ["Orla", "Fintan"], "minutes"))
    shops = ["the Aldi", "SuperValu"]
    bills = [f(do="groceries", shop=s) for s in shops]
    q("Where have I left more money, at the Aldi or at SuperValu?", e.compare(amount("euros", *bills), shops, "euros"))
    pizza = [f(do="eat", what="pizza", meal=m) for m in ("lunch", "dinner")]
    q("pizza: more often for lunch or for dinner?", e.compare(n(*pizza), ["lunch", "dinner"]))
    games = [hobby(e, w) for w in ("chess", "board games")]
    q("Have I played chess more often than board games?", e.compare(n(*games), ["chess", "board games"]))
    years = ["2021", "2023"]
    q("Was it 2021 or 2023 that I hiked more kilometres?", e.compare(amount("km", *[sport(e, "hike", y) for y in years]), years, "km"))


def nothing(e: Events, q) -> None:
    for form, question in (
        ("none-unrecorded", "how often did i go bowling"),
        ("none-unrecorded", "How tall is Luca?"),
        ("none-unrecorded", "What's my boss called?"),
        ("none-unrecorded", "when did I last see a whale?"),
        ("none-person", "Who is Bartholomew and when did we meet?"),
        ("none-time", "what did I have for lunch in 1995"),
        ("none-future", "What will I cook next Christmas?"),
        ("none-order", "Order milk and oranges online for me"),
        ("none-world", "who wrote Ulysses?"),
        ("none-language", "Quante volte sono andata a sciare?"),
    ):
        q(question, e.b.none(), form=form)
