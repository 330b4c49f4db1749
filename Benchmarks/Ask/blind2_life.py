"""A second blind set over the sample life, written from its entries alone; no answer of the reader was seen."""

import re
from collections import Counter
from typing import Any

from families.answers import Answers, mean, month, within
from life import Entry, Life, both, days_between, days_of, minutes, tally, total

MUM, DAD, TOM, JONAS = "Margaret Ashworth", "Peter Ashworth", "Tom Ashworth", "Jonas Brandt"
ALEX, LEYLA, CLARA, AGNES = "Alex Moreau", "Leyla Yıldız", "Clara Weiss", "Agnes Lindholm"
MONTHS = "January February March April May June July August September October November December".split()
MILE = 1.609344


def add(b: Any, l: Life) -> None:
    a = Answers(b, l)

    def asker(kind: str):
        return lambda question, *answers, form=kind, **more: b.q(kind, f"blind2-life-{form}", question, *answers, **more)

    for part, kind in (
        (counts, "count"), (sums, "sum"), (averages, "average"), (firsts, "first"), (lasts, "last"), (extremes, "longest"), (tops, "most"),
        (dates, "when"), (places, "where"), (people, "who"), (lists, "list"), (comparisons, "compare"), (nothing, "none"),
    ):
        part(a, asker(kind))


def told(l: Life, entries: list[Entry]) -> list[Entry]:
    """The notes of the days, which may be cited for the same."""
    return [l.note[d] for d in days_of(entries) if d in l.note]


def shown(a: Answers, entries: list[Entry], optional: list[Entry] = ()) -> dict[str, Any]:
    return a.b.list(entries, [*told(a.l, entries), *optional])


def named(a: Answers, names: list, entries: list[Entry], optional: list = (), also: list[Entry] = ()) -> dict[str, Any]:
    return {**a.b.names(names, entries, optional), "optionalIds": [e.id for e in [*told(a.l, entries), *also, *told(a.l, list(also))]]}


def day(a: Answers, when: Any) -> dict[str, Any]:
    return a.b.list(a.l.a(when=when), a.l.n(when=when))


def counts(a: Answers, q) -> None:
    b, l = a.b, a.l
    q("so how many evenings of soup and gossip have I had with Alex at our place?", b.count(l.a("^Alex came over, .* and gossip", who=ALEX)))
    poorly = l.a(tag="ill", when="2025")
    q("number of sick days I had in 2025", b.countdays(poorly))
    q("how many times was the hardware shop shut when I got there", b.count(l.a("^the hardware shop: closed")))
    q("Chess games against Jonas in 2024: how many?", b.count(l.a("^chess with Jonas", "2024")))
    shed = l.a("^repaired the shed door")
    q("That shed door... how often have I repaired it by now?", b.count(shed))
    mistake = l.a("^Dad rang by mistake")
    q("how many of Dad's calls were by mistake", b.count(mistake))
    sails = l.a(tag="sailing", when=("2024-09-13", "2025-12-31"))
    q("How often have I been sailing since I passed the exam?", b.count(sails), b.count(l.a(tag="sailing", when=("2024-09-12", "2025-12-31"))))
    q("rides over 30 km in 2024, how many were there", b.count([e for e in l.a(tag="cycling", when="2024") if e.measures["km"] > 30]))
    q("How many lunches of soup did I eat on the harbour steps in 2024?", b.count(l.a("on the harbour steps$", "2024", tag="lunch")))
    choir = l.a(tag="choir", when=("2024-01-01", "2024-06-30"))
    q("choir practices in the first half of 2024?", b.count(choir))
    autumn = [l.a(tag="italian", when=w) for w in (("2023-09-01", "2023-11-30"), ("2023-09-23", "2023-12-21"))]
    q("How many Italian lessons did I have in the autumn of 2023?", *[b.count(x) for x in autumn])
    wheel = l.a(tag="pottery", when="2025", weekday=0)
    held = [e for e in wheel if "kiln" not in e.text]
    q("on how many mondays did i do pottery in 2025", b.countdays(wheel), b.countdays(held))
    steps = [m.day for m in l.m("steps", "2024") if m.value > 15000]
    q("How many days in 2024 did I get past fifteen thousand steps?", b.num(len(steps), "days", days=steps), form="count-figures")
    low = [n for n in l.n(when="2025") if n.mood and n.mood <= 2]
    q("days with a mood of 2 or worse in 2025", b.num(len(low), "days", low), form="count-figures")
    bed = l.a("^breakfast in bed", "2024")
    q("Breakfasts in bed so far this year?", b.count(bed), now="2024-12-31T20:00:00Z", form="count-relative")
    cinema = l.a(tag="film", when="2025")
    also = both(cinema, l.a("^a film with Alex", "2025"))
    q("With how many different people did I go to the cinema in 2025?", b.num(len(tally(cinema, "people")), "people", cinema), b.num(len(tally(also, "people")), "people", also))
    q("How many days in June 2024 did I leave the bike at home altogether?", a.without("2024-06", l.a(tag="cycling")))
    met = l.a(tag="people", when="2025-05")
    # Strictly, a chat in the street is not yet a bumping into somebody: both are right.
    strict = [e for e in met if re.search("umped into|[Rr]an into|by chance", e.text)]
    q("on how many days in may 2025 did i bump into someone", b.countdays(met), b.countdays(strict))
    cards = l.a("^(wrote Alex a postcard|postcard to Alex)", "2023", who=ALEX)
    q("How many postcards did Alex get from me in 2023?", b.count(cards))


def sums(a: Answers, q) -> None:
    b, l = a.b, a.l
    q("Count up the pages for me: how many did I read between 10 and 20 August 2024?", a.sum(l.a(measure="pages", when=("2024-08-10", "2024-08-20")), "pages"))
    q("kilometres pedalled to work in November 2023", a.sum(l.a(tag="commute", when="2023-11"), "km"))
    q("How much did I walk on Bornholm, in km?", a.sum(l.a(tag="walking", when=("2024-07-13", "2024-07-27")), "km"))
    q("Both Sofia trips together, how far did Alex and I walk?", a.sum(both(*[l.a(tag="walking", when=w) for w in (("2023-06-08", "2023-06-12"), ("2025-05-28", "2025-06-01"))]), "km"))
    q("steps on my birthday in 2024?", b.num(l.m("steps", "2024-09-14")[0].value, "steps"), form="sum-figures")
    agnes = l.a(tag="1:1", who=AGNES, when=("2024-01-01", "2024-03-31"))
    q("hours of one-to-ones with Agnes between January and March 2024", a.time(agnes, "hours"))
    q("How long have Tom and I been on the phone in 2024, added up?", a.time(l.a(tag="call", who=TOM, when="2024")), a.time(l.a(tag="call", who=TOM, when="2024"), "hours"))
    week = ("2025-06-02", "2025-06-08")
    q("km on the bike last week?", a.sum(l.a(tag="cycling", when=week), "km"), now="2025-06-10T19:00:00Z", form="sum-relative")
    rome = l.a(tag="walking", when=("2024-10-03", "2024-10-07"))
    q("how many miles did we walk in rome", a.sum(rome, "km", "miles", 1 / MILE), a.sum(rome, "km"))
    choir = l.a(tag="choir", when="2025-12")
    q("total time at choir in december 2025", a.time(choir), a.time(choir, "hours"))


def averages(a: Answers, q) -> None:
    b, l = a.b, a.l
    q("hours of sleep per night in February 2024, average", a.metric("sleepMinutes", "hours", "2024-02", None, 1 / 60), form="average-figures")
    summers = ["2024-06-01", "2024-08-31"], ["2024-06-20", "2024-09-21"], ["2024-06-21", "2024-09-22"]
    q("what was my mean resting pulse in the summer of 2024?", *[a.metric("restingHeartRate", "bpm", tuple(s)) for s in summers], form="average-figures")
    q("how long is a phone call with Mum usually, going by 2024", a.length(l.a(tag="call", who=MUM, when="2024")))
    reads = l.a(measure="pages", when="2025")
    q("Pages at one sitting in 2025, on average", a.per(total(reads, "pages"), len(reads), "pages", reads))
    commutes = l.a(tag="commute", when="2024")
    q("how many times a week did I cycle to work in 2024?", *[a.per(len(commutes), w, None, commutes) for w in (366 / 7, 52, 53)])
    naxos = l.n(when=("2025-08-02", "2025-08-16"))
    q("How was my mood on average while we were on Naxos in 2025?", a.feeling(naxos), a.feeling(within(l.days, days_of(l.a(tag="greece", when="2025")))), form="average-join")
    choir = within(l.n(when="2025"), days_of(l.a(tag="choir", when="2025")))
    q("energy on choir days in 2025, on average?", a.feeling(choir, "energy"), form="average-join")
    rode = days_of(l.a(tag="commute", when="2025"))
    q("Average number of steps on days I biked to the office, 2025", a.metric("steps", "steps", "2025", rode), form="average-join")
    free = [e for e in l.a(tag="cycling", when="2025") if "commute" not in e.tags]
    q("average length of a bike tour in 2025 if you leave out the commute", a.per(total(free, "km"), len(free), "km", free))
    scales = l.a(measure="kg", when=("2024-07-01", "2024-12-31"))
    q("My average weight in the second half of 2024?", a.per(total(scales, "kg"), len(scales), "kg", scales), form="average-figures")
    done = l.a("^finished", "2025")
    q("how many books do i finish a month, taking 2025", a.per(len(done), 12, None, done))


def firsts(a: Answers, q) -> None:
    b, l = a.b, a.l
    knit = l.a(tag="knitting")
    q("When did I take up knitting?", a.one(knit), a.one(l.a("^cast on")))
    q("when did i start with pottery", a.one(l.a(tag="pottery")))
    q("first time I ever ate at the Georgian cellar?", a.one(l.a(place="the Georgian cellar")))
    q("When did I write to Eleni for the first time, a proper letter I mean?", a.one(l.a("^a long letter to Eleni")))
    q("first visit to the market in 2025?", a.one(l.a(tag="shopping", place="the market", when="2025")))
    q("The first time Alex and I played rummy, when was that", a.one(l.a("^rummy with Alex")))
    q("when did Jack and I first look for fossils?", a.one(l.a("^fossils with Jack")))


def lasts(a: Answers, q) -> None:
    b, l = a.b, a.l
    q("last time i was in leeds?", a.one(l.a(place="Leeds"), last=True))
    q("When did Kenji and I last meet in person?", a.one(l.a(tag="trip", who="Kenji Mori"), last=True))
    q("when did i get on the bike last", a.one(l.a(tag="cycling"), last=True))
    q("When did Dad and I last fix the gate together?", a.one(l.a("^fixed the gate"), last=True))
    q("last ironing session, when?", a.one(l.a("ironing", tag="home"), last=True))
    q("Days since my last sail?", a.since(l.a(tag="sailing")), form="last-since")
    jonas = l.a(place="Meze Haus", who=JONAS) + l.a("^Meze Haus, just the two of us")
    q("When was the last dinner with Jonas at Meze Haus?", a.one(jonas, last=True))
    q("when was the last pub quiz", a.one(l.a("^pub quiz"), last=True))
    q("How long is it since Jonas and I last played chess?", a.since(l.a("^chess with Jonas")), form="last-since")


def extremes(a: Answers, q) -> None:
    b, l = a.b, a.l
    q("my furthest ride of 2024", a.extreme(l.a(tag="cycling", when="2024"), lambda e: e.measures["km"], "km"))
    q("longest call with Dana", a.extreme(l.a("^call with Dana|^Dana on the phone"), lambda e: e.minutes, "minutes"))
    q("What's the longest gap between two of my letters to Inês?", *a.gap(l.a("^a long letter to Inês"))[::-1], form="longest-gap")
    q("lowest resting heart rate in 2024, and when", a.peak("restingHeartRate", "2024", "bpm", low=True), form="longest-figures")
    q("What's the longest I stayed away from choir?", *a.gap(l.a(tag="choir")), form="longest-gap")
    q("lightest I've been in 2025", a.extreme(l.a(measure="kg", when="2025"), lambda e: e.measures["kg"], "kg", low=True), form="longest-figures")
    q("the day with the most steps in October 2025", a.peak("steps", "2025-10", "steps"), form="longest-figures")
    q("Longest time out on the water in a single go?", a.extreme(l.a(tag="sailing"), lambda e: e.minutes, "minutes"))
    q("longest stretch of 2025 in which I never got on the bike, in days", *a.gap(l.a(tag="cycling", when="2025")), form="longest-gap")


def tops(a: Answers, q) -> None:
    b, l = a.b, a.l
    lunch = l.a(tag="lunch")
    q("whom do I have lunch with the most", a.top(a.ppl(lunch), people=True))
    q("Which weekday do we mostly go to the cinema?", a.top(Counter(e.date.strftime("%A") for e in l.a(tag="film"))))
    out = [e for e in l.a(tag="jonas") if "dinner" in e.tags or "birthday" in e.tags]
    q("Where do Jonas and I eat out most?", a.top(tally(out, "place")))
    q("who have i bumped into most often in the street or anywhere", a.top(a.ppl(l.a(tag="people")), people=True))
    pages: Counter[str] = Counter()
    for e in l.a(measure="pages", when="2024"):
        pages[month(e)] += e.measures["pages"]
    q("In what month of 2024 did I get through the most pages?", a.top(pages))
    q("Who have I sat in 1:1s with most in 2025?", a.top(a.ppl(l.a(tag="1:1", when="2025")), people=True))
    q("What grammar did we do most often in Italian?", a.top(tally(l.a(tag="italian"), r": (.*)$")))
    q("who goes to exhibitions with me the most?", a.top(a.ppl(l.a("exhibition")), people=True))
    q("top three mates for lunch in 2023", a.top(a.ppl(l.a(tag="lunch", when="2023")), 3, people=True))


def dates(a: Answers, q) -> None:
    b, l = a.b, a.l
    mice = l.a(tag="mice")
    q("When did we have mice?", b.dates(days_of(mice), mice), a.stay("2023-02-01", "2023-02-12", mice), form="when-span")
    q("On what day did Mum manage to walk without her sticks again?", a.dates(l.a("^Mum walks without sticks")))
    q("what day did Northlight go live", a.dates(l.a("^Northlight goes live")))
    q("From when until when was I in Whitby in November 2023?", a.stay("2023-11-16", "2023-11-21", l.a(tag="england", when="2023-11")), form="when-stay")
    q("When did Katrin open her practice?", a.dates(l.a("practice opens")))
    q("when did they take my wisdom tooth out", a.dates(l.a("^wisdom tooth out")))
    q("what time did my flight to Rome go?", b.clock(["09:40", "9:40"], l.a("^Flight Hamburg–Rome")), form="when-clock")
    q("Which days did I help Alex with moving her bookshelf", a.dates(l.a("^helped Alex move her bookshelf")))
    q("When have I been to Dr Sahin's?", a.dates(l.a(who="Dr. Ömer Şahin")))
    q("when did Jonas and me go to that Persian restaurant", a.dates(l.a(place="the Persian place with the fish tank")))


def places(a: Answers, q) -> None:
    b, l = a.b, a.l
    q("where have I seen exhibitions about moths", a.places(l.a("exhibition about moths")))
    q("Where did we cycle to on Bornholm?", a.places(l.a("^cycled", tag="bornholm")))
    q("Where was the concert we heard on Bornholm", b.names([["Østerlars", "church", "concert in the church"]], l.a("^concert in the church", tag="bornholm")))
    q("at which places have Alex and I lunched together in 2024", a.places(l.a(tags=("alex", "lunch"), when="2024")))
    # Of the two outings one tells of a coffee and says nothing of walking: with it or without.
    walks = l.a("walk", tag="outing", who=CLARA, when="2023")
    q("Where have Clara and I been for a walk in 2023?", a.places(l.a(tag="outing", who=CLARA, when="2023")), a.places(walks))


def people(a: Answers, q) -> None:
    b, l = a.b, a.l
    q("Who went to Sofia with me?", a.people([e for e in l.a("Hamburg–Sofia")], optional=["Vesela Ivanova"]))
    q("who did we watch baseball with in new york?", a.people(l.a("^baseball with"), drop=[JONAS], optional=[JONAS]))
    q("Who came round for cake in 2023?", a.people(l.a("^[A-Z][a-z]+ came for .*(cake|parkin)", "2023")))
    q("Who's my Italian teacher?", a.people(l.a("^Italian with")))
    q("who got us tickets for the photography museum?", a.people(l.a("had tickets for the photography museum")))
    q("To whom did I write long letters in 2025?", a.people(l.a("^a long letter", "2025")))
    q("Who was there when Lamplight went live?", a.people(l.a("^Lamplight goes live")))
    q("Who did I speak to on the phone yesterday?", a.people(l.a(tag="call", when="2025-12-30")), now="2025-12-31T12:00:00Z", form="who-relative")
    q("who have i met at the Heron in 2024", a.people(l.a(place="the Heron", when="2024")))
    q("Who had dinner with me for my birthday in 2024?", a.people(l.a("^my birthday dinner", "2024")))


def lists(a: Answers, q) -> None:
    b, l = a.b, a.l
    q("What did I do the day after the sailing exam?", day(a, "2024-09-13"), form="list-join")
    q("show me 18 july 2025", day(a, "2025-07-18"), form="list-day")
    q("what did I do this day last year", day(a, "2024-11-20"), now="2025-11-20T18:00:00Z", form="list-relative")
    q("which talks have I gone to in the evening?", named(a, ["paper boats", ["ship's cats", "ships cats"], "women who photographed factories", "shop signs"], l.a("^a talk on", tag="culture"), also=l.a("lecture hall|conference")))
    summers = [l.a("^finished", w) for w in (("2023-06-01", "2023-08-31"), ("2023-06-21", "2023-09-22"))]
    q("Books finished in the summer of 2023", *[named(a, sorted(tally(s, '"(.*?)"')), s) for s in summers])
    q("list my visits to the market in December 2024", shown(a, l.a(tag="shopping", place="the market", when="2024-12")))
    jonas = l.a("^Jonas cooked", "2024")
    dishes = sorted({e.text.removeprefix("Jonas cooked ") for e in jonas})
    soups = l.a("^(mushroom|leek and potato) soup from Jonas", "2024")
    q("what has Jonas cooked in 2024", named(a, [[d, d.removeprefix("a ")] for d in dishes], jonas, ["mushroom soup", "leek and potato soup", "soup"], also=[*soups, *l.n("Jonas made soup", "2024")]))
    q("Show all my evenings at the Heron", shown(a, l.a(place="the Heron"), l.n("the Heron")))
    q("when and what: calls with Priya", shown(a, l.a(who="Priya Raman")))
    q("List everything I did with Frieda.", shown(a, l.a(who="Frieda Brandt"), l.n(who="Frieda Brandt")))
    q("Which exhibitions did I go to with Leyla?", shown(a, l.a("exhibition", who=LEYLA)), named(a, [["ship's cats", "an exhibition about ship's cats"], ["moths", "exhibition about moths"], ["concrete churches", "an exhibition about concrete churches"]], l.a("exhibition", who=LEYLA)))
    q("choir evenings per month in the second half of 2025", a.groups(l.a(tag="choir", when=("2025-07-01", "2025-12-31")), month, MONTHS[6:]), form="list-groups")
    q("How many times did I go to the cinema, by year?", a.groups(l.a(tag="film"), lambda e: e.day[:4], ["2023", "2024", "2025"]), a.groups(both(l.a(tag="film"), l.a("^a film with Alex")), lambda e: e.day[:4], ["2023", "2024", "2025"]), form="list-groups")
    q("km cycled month by month in 2025", a.groups(l.a(tag="cycling", when="2025"), month, MONTHS, "km", "km"), form="list-groups")

    away = l.a(tag="choir", when="2025")
    free = [m for m in MONTHS if m not in {month(e) for e in away}]
    q("In which months of 2025 was there no choir at all?", b.names(free), form="list-without")

    assert not {e.day for e in l.a(tag="choir")} & {e.day for e in l.a(tag="sailing")}
    q("Did I ever have choir and sailing on one and the same day?", b.no(), form="yes-no")
    lisbon = l.a(tag="lisbon")
    q("have i ever been to lisbon", b.yes(lisbon, [*told(l, lisbon), *l.n("Lisbon")]), form="yes-no")
    assert not [e for e in l.a(tag="sailing") if e.date.month in (12, 1, 2)]
    q("Have I ever gone sailing in January?", b.no(), form="yes-no")
    assert not [e for e in l.a("Rome|^", tag="rome") if JONAS in e.people]
    q("was jonas with me in rome?", b.no(), form="yes-no")
    assert not l.a(tag="dentist", when="2025") and not l.a("[Dd]entist|Dr. Bach", "2025", tag="health")
    assert not l.a(who="Dr. Susanne Bach", when="2025")
    q("Did I have to go to Dr. Bach in 2025?", b.no(), form="yes-no")
    scarf = l.a("scarf", "2024", who=LEYLA)
    q("did leyla get a scarf for her birthday in 2024?", b.yes(scarf, told(l, scarf)), form="yes-no")
    light = [e for e in l.a(measure="kg", when="2025") if e.measures["kg"] < 65]
    q("Did I ever weigh less than 65 kilos in 2025?", b.yes(light, [*l.a(measure="kg", when="2025"), *told(l, light)]), form="yes-no")
    emil = l.a(who="Emil Brandt", when="2023")
    q("Did I have coffee with Emil in 2023?", b.yes(emil, told(l, emil)), form="yes-no")
    assert not l.a(who="Priya Raman", when="2025") and not l.n("Priya", "2025")
    q("any word from Priya in 2025?", b.no(), form="yes-no")
    assert not l.a("Ingrid came for parkin")
    q("Has Ingrid ever come round for parkin?", b.no(), form="yes-no")


def comparisons(a: Answers, q) -> None:
    b, l = a.b, a.l
    years = ["2023", "2025"]
    weights = [l.a(measure="kg", when=y) for y in ("2023", "2025")]
    q("was I heavier in 2023 or in 2025, on average", a.versus([total(w, "kg") / len(w) for w in weights], years, "kg"), form="compare-figures")
    calls = [l.a(tag="call", who=w, when="2024") for w in (MUM, DAD)]
    q("Mum or Dad, whom did I talk to longer on the phone in 2024?", a.versus([minutes(c) for c in calls], ["Mum", "Dad"], "minutes"), a.versus([minutes(c) / 60 for c in calls], ["Mum", "Dad"], "hours"))
    italian = [len(l.a(tag="italian", when=y)) for y in ("2023", "2024")]
    q("more Italian classes in 2023 or 2024?", a.versus(italian, ["2023", "2024"]))
    spots = ["the Heron", "the Crooked Mast"]
    q("am i more often at the Heron or at the Crooked Mast", a.versus([len(l.a(place=p)) for p in spots], spots))
    pulse = [mean(m.value for m in l.m("restingHeartRate", y)) for y in years]
    q("resting pulse 2023 vs 2025", a.versus(pulse, years, "bpm"), form="compare-figures")
    notes = [[n for n in l.n(when="2025") if (n.date.weekday() > 4) == end and n.mood] for end in (False, True)]
    q("In 2025, was my mood better at weekends or on weekdays?", a.versus([mean(n.mood for n in x) for x in notes[::-1]], ["weekends", "weekdays"], "mood"), form="compare-figures")
    films = [len(l.a(tag="film", when=y)) for y in ("2023", "2024")]
    more = [len(both(l.a(tag="film", when=y), l.a("^a film with Alex", y))) for y in ("2023", "2024")]
    q("cinema: 2023 or 2024, when did we go more", a.versus(films, ["2023", "2024"]), a.versus(more, ["2023", "2024"]))


def nothing(a: Answers, q) -> None:
    for form, question in (
        ("none-unrecorded", "how many marathons have i run"),
        ("none-unrecorded", "What did the new sofa cost us?"),
        ("none-unrecorded", "when did I last go skiing with Alex"),
        ("none-unrecorded", "Which gym do I go to?"),
        ("none-unrecorded", "What is Alex's phone number?"),
        ("none-person", "Last time I saw Aunt Mildred?"),
        ("none-person", "what did Mr Pemberton and I have for lunch"),
        ("none-time", "what was I up to in May 2019?"),
        ("none-time", "How many steps did I walk on 30 February 2024?"),
        ("none-future", "where will we go on holiday in 2027"),
        ("none-order", "Please put a dentist appointment into my calendar for Monday"),
        ("none-world", "what's the capital of Bulgaria"),
        ("none-language", "Wie oft war ich 2024 reiten?"),
    ):
        q(question, a.b.none(), form=form)
