"""Questions over the sample life, written from its texts alone; no answer of the reader was seen."""

import datetime as dt
from collections import Counter
from collections.abc import Callable
from typing import Any

from families.answers import Answers, mean, month, weekday
from life import Entry, Life, both, days_of, tally, total

MUM, DAD, JONAS = "Margaret Ashworth", "Peter Ashworth", "Jonas Brandt"
ALEX, LEYLA = "Alex Moreau", "Leyla Yıldız"
Ask = Callable[..., None]
Rides = Callable[..., list[Entry]]

HOUR, FULL_NIGHT, FEW_STEPS, MANY_STEPS = 60, 480, 5000, 10000


def add(b: Any, l: Life) -> None:
    a = Answers(b, l)

    def asker(kind: str) -> Ask:
        return lambda question, *answers, form=kind, **more: b.q(kind, f"blind-life-{form}", question, *answers, **more)

    def listed(entries: list[Entry], optional: list[Entry] = ()) -> dict[str, Any]:
        return b.list(entries, [*told_days(l, entries), *optional])

    def named(names: list, entries: list[Entry], optional: list = ()) -> dict[str, Any]:
        return {**b.names(names, entries, optional), "optionalIds": [n.id for n in told_days(l, entries)]}

    def rides(when: Any = None, **k: Any) -> list[Entry]:
        return l.a(tag="cycling", when=when, **k)

    def with_jonas(when: Any = None) -> list[Entry]:
        return rides(when, rx=r"^[\d.]+ km with Jonas")

    counts(a, asker("count"))
    sums(a, asker("sum"), rides, with_jonas)
    averages(a, asker("average"), with_jonas)
    firsts(a, asker("first"))
    lasts(a, asker("last"))
    extremes(a, asker("longest"), rides)
    tops(a, asker("most"), rides)
    dates(a, asker("when"))
    places(a, asker("where"))
    people(a, asker("who"))
    lists(a, asker("list"), listed, named)
    comparisons(a, asker("compare"), with_jonas)
    nothing(b, asker("none"))


def metric_days(l: Life, name: str, when: str, test: Callable[[float], bool]) -> list[str]:
    return [m.day for m in l.m(name, when) if test(m.value)]


def counts(a: Answers, q: Ask) -> None:
    b, l = a.b, a.l
    q("How many parcels did I pick up in 2024?", b.count(l.a("^picked up a parcel", "2024")))
    q("how many letters have I written to Dana", b.count(l.a("^a long letter to Dana")))
    q("How many flea markets have I been to?", b.count(l.a("[Ff]lea market")))
    q("How many concerts have I been to with Alex?", b.count(l.a("^concert with Alex", who=ALEX)))
    few = metric_days(l, "steps", "2025", lambda v: v < FEW_STEPS)
    q("On how many days in 2025 did I take fewer than 5,000 steps?", b.num(len(few), "days", days=few), form="count-figures")
    long_nights = metric_days(l, "sleepMinutes", "2024", lambda v: v > FULL_NIGHT)
    q("nights with more than 8 hours of sleep in 2024?", b.num(len(long_nights), "days", days=long_nights), form="count-figures")
    best = l.n(mood=5, when="2023")
    q("How many days in 2023 did I rate my mood a 5?", b.num(len(best), "days", best), form="count-figures")
    q("how many new recipes did I try last year?", b.count(l.a("^tried a new recipe", "2024")), now="2025-06-10T18:00:00Z", form="count-relative")
    cards = l.a("^the card game nobody can explain")
    q("number of times Jonas and i played that card game nobody can explain", b.count(cards))
    series = l.a("^crime series with Jonas", "2023")
    q("How many evenings did Jonas and I spend on the crime series in 2023?", b.count(series), b.countdays(series))
    market = l.a(tag="shopping", place="the market", when="2025", weekday=5)
    q("On how many Saturdays in 2025 did I go to the market?", b.countdays(market), b.count(market))
    bulbs = l.a("^new lightbulbs", ("2025-01-01", "2025-06-30"))
    standups = l.a("[Ss]tandup", ("2025-03-03", "2025-03-09"))
    q("How many standups were there in the week of 3 March 2025?", b.count(standups))
    visits = l.a("^Alex came over", ("2024-09-01", "2025-09-01"), who=ALEX)
    q("How often did Alex come over in the past 12 months?", b.count(visits), now="2025-09-01T18:00:00Z", form="count-relative")
    q("How many times have I had to buy lightbulbs so far this year?", b.count(bulbs), now="2025-06-30T20:00:00Z", form="count-relative")


def sums(a: Answers, q: Ask, rides: Rides, with_jonas: Rides) -> None:
    b, l = a.b, a.l
    q("How far did we walk in Tokyo, all together?", a.sum(l.a(tag="walking", when="2025-10"), "km"))
    q("total km cycled with Jonas in 2023", a.sum(with_jonas("2023"), "km"))
    sails = l.a(tag="sailing", when="2024")
    on_water = [e for e in sails if "exam" not in e.tags]
    q("How many hours did I spend sailing in 2024, all told?", a.time(sails, "hours"), a.time(on_water, "hours"))
    steps = l.m("steps", "2024-12-25")[0].value
    q("How many steps did I do on Christmas Day 2024?", b.num(steps, "steps"), form="sum-figures")
    half = ("2025-01-01", "2025-06-30")
    mile = 1 / 1.609344
    q("How many miles have I biked this year?", a.sum(rides(half), "km", "miles", mile), a.sum(rides("2025"), "km", "miles", mile), now="2025-06-30T21:00:00Z", form="sum-relative")
    q("Time on the phone with Mum in 2025, in hours", a.time(l.a(tag="call", who=MUM, when="2025"), "hours"))
    kitchen = l.a("^cooked with Alex at hers", who=ALEX)
    q("How long have Alex and I spent cooking at her place in total?", a.time(kitchen), a.time(kitchen, "hours"))
    q("how many kilometers did i cylce in febuary 2025", a.sum(rides("2025-02"), "km"), form="sum-misspelt")
    q("km by bike in May and June 2025 together", a.sum(rides(("2025-05-01", "2025-06-30")), "km"))


def averages(a: Answers, q: Ask, with_jonas: Rides) -> None:
    b, l = a.b, a.l
    q("average resting heart rate in December 2025?", a.metric("restingHeartRate", "bpm", "2025-12"), form="average-figures")
    sundays = [n for n in l.n(when="2025") if weekday(n) == "Sunday"]
    q("How was my mood on Sundays in 2025, on average?", a.feeling(sundays), form="average-figures")
    q("mean energy level in July 2024", a.feeling(l.n(when="2024-07"), "energy"), form="average-figures")
    q("How long does choir practise usualy last?", a.length(l.a(tag="choir")))
    saturday = lambda d: dt.date.fromisoformat(d).weekday() == 5
    q("Average number of steps on a Saturday in 2024", a.metric("steps", "steps", "2024", saturday), form="average-figures")
    scales = l.a(measure="kg", when="2023")
    q("How heavy was I on average in 2023?", a.per(total(scales, "kg"), len(scales), "kg", scales), form="average-figures")
    weekend = lambda d: dt.date.fromisoformat(d).weekday() > 4
    q("how many hours do I sleep on average at the weekend, 2025", a.metric("sleepMinutes", "hours", "2025", weekend, 1 / HOUR), form="average-figures")
    tours = with_jonas()
    q("Average distance of my bike rides with Jonas", a.per(total(tours, "km"), len(tours), "km", tours))
    hanna = l.a(tag="lunch", who="Hanna Koskinen", when="2024")
    q("How many lunches a month did I have with Hanna in 2024 on average?", a.per(len(hanna), 12, None, hanna))


def firsts(a: Answers, q: Ask) -> None:
    b, l = a.b, a.l
    q("When did I bake my first sourdough loaf?", a.one(l.a("^sourdough")))
    q("When did Alex and I go to a concert for the first time?", a.one(l.a("^concert with Alex", who=ALEX)))
    q("First time I drank rakia?", a.one(l.a("^rakia")))
    q("When did I first try mussels at home?", a.one(l.a("mussels", tag="cooking")))
    q("When did we first go to the Persian place with the fish tank?", a.one(l.a(place="the Persian place with the fish tank")))
    q("First time I went swimming with Alex?", a.one(l.a("^swimming with Alex", who=ALEX)))


def lasts(a: Answers, q: Ask) -> None:
    b, l = a.b, a.l
    q("last dentist?", a.one(l.a("^(toothache|wisdom tooth)"), last=True), form="last-terse")
    friend = [e for e in l.a(tag="alex", who=ALEX) if "postcards" not in e.tags]
    others = [l.a(who=w) for w in ("Alex Kim", "Alex Petersen")]
    q("remind me when I last saw Alex", a.one(friend, last=True), *[a.one(o, last=True) for o in others])
    q("when was i last ill", a.one(l.a(tag="ill"), last=True))
    scales = l.a(measure="kg")
    q("What did I weigh when I last stepped on the scales?", b.entry(scales[-1:], scales[-1].measures["kg"], "kg"), form="last-figures")
    q("Last time Jonas cooked gnocchi?", a.one(l.a("^Jonas cooked gnocchi"), last=True))
    q("When did I last write Lars a letter?", a.one(l.a("^a long letter to Lars"), last=True))
    church = l.a("^church with Mum")
    q("when did I last sing in church with Mum?", a.one(church, last=True), a.one([*church, *l.a("carols in the church")], last=True))
    q("How long since my last letter to Inês?", a.since(l.a("^a long letter to Inês")), form="last-since")
    eyes = l.a("optician")
    q("when was I last at the optitian", a.one([e for e in eyes if "closed" not in e.text], last=True), a.one(eyes, last=True), form="last-misspelt")
    q("How many days ago did I last go to choir?", a.since(l.a(tag="choir")), form="last-since")


def extremes(a: Answers, q: Ask, rides: Rides) -> None:
    b, l = a.b, a.l
    naxos = l.a(tag="walking", when="2025-08")
    q("What's the furthest I walked in a day on Naxos in 2025?", a.extreme(naxos, lambda e: e.measures["km"], "km"))
    dad = both(l.a(tag="call", who=DAD), l.a("^call with Dad", who=DAD))
    q("longest phone call with Dad", a.extreme(dad, lambda e: e.minutes, "minutes"))
    q("What was my highest resting heart rate in 2025?", a.peak("restingHeartRate", "2025", "bpm"), form="longest-figures")
    q("Which night did I sleep the longest in 2025?", a.peak("sleepMinutes", "2025", "minutes"), form="longest-figures")
    q("What's the longest I've sat in a cinema?", a.extreme(l.a(tag="film"), lambda e: e.minutes, "minutes"))
    private = [e for e in rides() if "commute" not in e.tags]
    q("Shortest bike ride that wasn't a commute?", a.extreme(private, lambda e: e.measures["km"], "km", low=True))
    ovens = l.a(tag="baking")
    wide = both(ovens, l.a(r"^baked ", not_="^baked fennel"))
    q("What was the longest I went without baking anything?", *a.gap(wide), *a.gap(ovens), form="longest-gap")
    active = metric_days(l, "steps", "2025", lambda v: v >= MANY_STEPS)
    q("most days in a row with at least 10,000 steps in 2025", a.streak(active), form="longest-streak")
    q("When was I at my heaviest?", a.extreme(l.a(measure="kg"), lambda e: e.measures["kg"], "kg"), form="longest-figures")
    q("Day with the fewest steps in 2024?", a.peak("steps", "2024", "steps", low=True), form="longest-figures")


def tops(a: Answers, q: Ask, rides: Rides) -> None:
    b, l = a.b, a.l
    films = l.a(tag="film")
    q("Who do I go to the movies with most?", a.top(a.ppl(films), people=True))
    topics = Counter(
        t for e in l.a(tag="call", who=MUM)
        for t in ("church fête", "new vicar", "neighbours' extension", "Dad's boat", "lifeboat collection", "garden", "freezer")
        if t in e.text
    )
    q("What does Mum go on about most on the phone?", a.top(topics))
    steps: dict[str, list[float]] = {}
    for m in l.m("steps"):
        steps.setdefault(dt.date.fromisoformat(m.day).strftime("%A"), []).append(m.value)
    q("On which weekday do I walk the most steps?", a.top(Counter({d: round(mean(v)) for d, v in steps.items()})), form="most-figures")
    moods: dict[str, list[int]] = {}
    for n in l.n(when="2025"):
        if n.mood:
            moods.setdefault(month(n), []).append(n.mood)
    q("Which month of 2025 was best for my mood?", a.top(Counter({m: round(mean(v), 4) for m, v in moods.items()})), form="most-figures")
    q("Who have I sat with at the Crooked Mast most often?", a.top(a.ppl(l.a(place="the Crooked Mast")), people=True))
    q("Who came round for cake most often?", a.top(a.ppl(l.a("^[A-Z][a-z]+ came for ")), people=True))
    q("Could you tell me which dish I have tried as a new recipe most often?", a.top(tally(l.a("^tried"), r"^tried a new recipe, (.*)")))
    q("who did i send the most parcels to", a.top(a.ppl(l.a("^a parcel for")), people=True))
    miles: Counter[str] = Counter()
    for e in rides("2023"):
        miles[month(e)] += e.measures["km"]
    q("Which month of 2023 did I cover the most kilometres on the bike?", a.top(miles))


def dates(a: Answers, q: Ask) -> None:
    b, l = a.b, a.l
    off = l.a("^the heating in the house is off")
    q("I'm trying to remember, when was the heating off in our house?", b.dates(days_of(off), off), a.stay("2025-01-14", "2025-01-16", off))
    q("Which days did I go to the pub quiz with Tom?", a.dates(l.a("^pub quiz with Tom")))
    q("When did we look through the keyhole on the Aventine?", a.dates(l.a("^the keyhole on the Aventine")))
    q("what date was the tea ceremony", a.dates(l.a("^tea ceremony")))
    q("When did we go snorkelling in 2025?", a.dates(l.a("^snorkelling", "2025")))
    q("On what date was Dad's boat launched?", a.dates(l.a("^the launch of the Edith")))
    q("When did I lose the blue umbrella?", a.dates(l.n("umbrella, blue")), form="when-note")
    q("When were Jonas and I on Bornholm?", a.stay("2024-07-13", "2024-07-27", l.a(tag="bornholm")), form="when-stay")
    q("On which days was my mood a 1?", a.dates(l.n(mood=1)), form="when-figures")


def places(a: Answers, q: Ask) -> None:
    b, l = a.b, a.l
    q("Where did I have my birthday dinner in 2024?", a.places(l.a("^my birthday", "2024")))
    q("where did Alex & I have lunch in june 2024", a.places(l.a(tags=("alex", "lunch"), when="2024-06")))
    walks = l.a(tag="outing", who=LEYLA, when="2025")
    q("Where did I go walking with Leyla in 2025?", a.places(walks))
    swim = l.a("^swam", tag="bornholm")
    q("where did i swim on bornholm", a.places(swim), b.names([["off the rocks", "the rocks"]], swim))
    shows = l.a("exhibition", "2024")
    maybe = ["the art school's open studios", "the photography museum"]
    q("Where did I see exhibitions in 2024?", a.places(shows, maybe))


def people(a: Answers, q: Ask) -> None:
    b, l = a.b, a.l
    film = l.a(tag="film")[-1:]
    q("oh and who was I last at the cinema with?", a.people(film))
    q("Who climbed the abbey steps with me?", a.people(l.a("abbey steps"), drop=[JONAS], optional=[JONAS]))
    q("Who did I meet at the Heron in 2025?", a.people(l.a(place="the Heron", when="2025")))
    q("Who came to Rome with me?", a.people(l.a("^Flight Hamburg–Rome"), optional=["Giulia Ferri"]))
    eve = l.a("^New Year's Eve: fondue", "2025")
    q("Who did we have fondue with this New Year's Eve?", a.people(eve, optional=[JONAS]), now="2025-12-31T21:30:00Z", form="who-relative")
    q("Who have I sent parcels to?", a.people(l.a("^a parcel for")))
    q("who did I hunt for fossils with", a.people(l.a("^fossils"), drop=[JONAS], optional=[JONAS]))
    q("Who have I been out sailing with in 2025?", a.people(l.a(tag="sailing", when="2025")))
    q("who did I have lunch with the day before yesterday?", a.people(l.a(tag="lunch", when="2025-03-12")), now="2025-03-14T20:00:00Z", form="who-relative")


def lists(a: Answers, q: Ask, listed: Callable[..., dict[str, Any]], named: Callable[..., dict[str, Any]]) -> None:
    b, l = a.b, a.l

    def day(when: str | tuple[str, str]) -> dict[str, Any]:
        return b.list(l.a(when=when), l.n(when=when))

    q("What did I do on November 9, 2024?", day("2024-11-09"), form="list-day")
    q("what did i get up to last weekend", day(("2024-06-08", "2024-06-09")), now="2024-06-11T18:00:00Z", form="list-relative")
    q("What was I doing exactly two years ago?", day("2023-11-08"), now="2025-11-08T10:00:00Z", form="list-relative")
    q("Which films did I see with Jonas in 2025?", listed(l.a(tag="film", who=JONAS, when="2025")))
    spring = l.a('^finished "', ("2025-03-01", "2025-05-31"))
    q("Show me the books I finished between March and May 2025", named(sorted(tally(spring, '"(.*?)"')), spring))
    soups = l.a("^Jonas made .*soup", tag="ill")
    bowls = sorted({e.text.removeprefix("Jonas made ") for e in soups})
    others = l.a("soup from Jonas", tag="ill")
    sent = sorted({e.text.removesuffix(" from Jonas") for e in others})
    q("Which soups did Jonas make me when I was ill?", named(sorted({*bowls, *sent}), [*soups, *others]))
    mended = l.a("^mended", "2023")
    things = [["jeans", "a pair of jeans"], ["glove", "a glove"], ["curtain", "a curtain"], ["shutters", "the shutters"]]
    repaired = l.a("^(repaired|fixed)", "2023")
    q("What did I mend in 2023?", may_cite(named(things, mended, ["the shed door", "the gate"]), repaired))
    food = l.a("^(grilled sardines|bifana|soup, caldo verde)", tag="lisbon")
    brandy = l.a("^cherry brandy", tag="lisbon")
    q("what did we eat in Lisbon?", may_cite(named(["grilled sardines", "bifana", "caldo verde"], food, ["cherry brandy"]), brandy))
    museums = l.a("[Mm]useum", "2023")
    q("All my museum visits in 2023", listed(museums, l.a(tag="culture", when="2023")))
    dads = l.a(tag="call", who=DAD, when=("2024-01-01", "2024-03-31"))
    q("list the calls with Dad in the first quarter of 2024", listed(dads))
    presents = l.a("^bought .* for a birthday", "2025")
    goods = sorted({e.text.removeprefix("bought ").removesuffix(" for a birthday") for e in presents})
    gifts = l.a("for .*'s birthday$", "2025")
    bought = named([a_or_not(n) for n in goods], presents, [["a teapot", "teapot"], ["a card", "card"]])
    q("What birthday presents did I buy in 2025?", may_cite(bought, [*gifts, *told_days(l, gifts)]))
    q("Which games have Alex and I played?", named([["the ferry game", "ferry game"], "rummy"], l.a("^(the ferry game|rummy) with Alex")))

    coney = l.a("Coney Island")
    q("Have I ever been to Coney Island?", b.yes(coney, told_days(l, coney)), form="yes-no")
    recent = l.a(tag="cycling", when=("2025-12-25", "2025-12-31"))
    q("Have I been out on the bike in the past week?", b.yes(recent, told_days(l, recent)), form="yes-no")
    octopus = l.a("octopus")
    q("did I ever eat octopus", b.yes(octopus, [*told_days(l, octopus), *l.n("[Oo]ctopus")]), form="yes-no")
    exam = l.a("^passed the sailing exam")
    q("Did I pass my sailing exam?", b.yes(exam, told_days(l, exam)), form="yes-no")
    assert not l.a(who="Priya Raman", when="2024") and not l.n("Priya", "2024")
    q("Was I in touch with Priya in 2024?", b.no(), form="yes-no")
    assert not l.a(measure="kg", when="2025-06") and not l.a(tag="ill", when="2025-06")
    q("Did I weigh myself at all in June 2025?", b.no(), form="yes-no")
    q("was i ill in june 2025?", b.no(), form="yes-no")


def told_days(l: Life, entries: list[Entry]) -> list[Entry]:
    """The notes of the days, which may be cited for the same."""
    return [l.note[d] for d in days_of(entries) if d in l.note]


def may_cite(answer: dict[str, Any], entries: list[Entry]) -> dict[str, Any]:
    """The answer, of which these entries may be cited too."""
    return {**answer, "optionalIds": [*answer["optionalIds"], *(e.id for e in entries)]}


def a_or_not(name: str) -> list[str]:
    """A thing with and without its article."""
    bare = name.removeprefix("an ").removeprefix("a ")
    return [name] if bare == name else [name, bare]


def comparisons(a: Answers, q: Ask, with_jonas: Rides) -> None:
    b, l = a.b, a.l
    q("Did I cycle further with Jonas in 2023 or in 2024?", a.versus([total(with_jonas(y), "km") for y in ("2023", "2024")], ["2023", "2024"], "km"))
    choir = [l.a(tag="choir", when=y) for y in ("2023", "2025")]
    q("More choir practices in 2023 or 2025?", a.versus([len(c) for c in choir], ["2023", "2025"]))

    def level(name: str, when: str, scale: float = 1) -> float:
        return mean(m.value for m in l.m(name, when)) * scale

    sleep = [level("sleepMinutes", y) for y in ("2024", "2025")]
    q("Did I sleep longer on average in 2024 or in 2025?", a.versus(sleep, ["2024", "2025"], "minutes"), a.versus([s / HOUR for s in sleep], ["2024", "2025"], "hours"), form="compare-figures")
    august = [a.feeling(l.n(when=f"{y}-08"))["values"][0] for y in ("2023", "2025")]
    q("Was my mood better in August 2023 or August 2025?", a.versus(august, ["August 2023", "August 2025"], "mood"), form="compare-figures")
    months = ["2025-01", "2025-07"]
    q("steps per day: January vs July 2025", a.versus([level("steps", w) for w in months], months, "steps"), form="compare-figures")
    films, sails = l.a(tag="film", when="2024"), l.a(tag="sailing", when="2024")
    more = both(films, l.a("^a film with Alex", "2024"))
    q("What did I do more often in 2024, go sailing or go to the cinema?", a.versus([len(sails), len(films)], ["sailing", "cinema"]), a.versus([len(sails), len(more)], ["sailing", "cinema"]))
    pubs = [l.a(place=p) for p in ("Zur Schleuse", "Bar Zentral")]
    q("Zur Schleuse or Bar Zentral: where have I been more often?", a.versus([len(p) for p in pubs], ["Zur Schleuse", "Bar Zentral"]))


def nothing(b: Any, q: Ask) -> None:
    for form, question in (
        ("none-unrecorded", "How many times did I go to the opera in 2024?"),
        ("none-unrecorded", "How much did my wisdom tooth cost?"),
        ("none-unrecorded", "When did I last play tennis with Jonas?"),
        ("none-unrecorded", "who flew the helicopter?"),
        ("none-person", "When did I last see Grandpa Wilfred?"),
        ("none-time", "What did I do on 31 June 2025?"),
        ("none-time", "How many books did I finish in 2016?"),
        ("none-future", "How much will I weigh next month?"),
        ("none-order", "Book a table at Osteria Zwo for Friday please"),
        ("none-world", "How many bones does a cat have?"),
        ("none-unrecorded", "What colour is the car I bought in 2024?"),
        ("none-unrecorded", "What is Jonas's shoe size?"),
        ("none-language", "Combien de fois suis-je allée à l'opéra ?"),
    ):
        q(question, b.none(), form=form)
