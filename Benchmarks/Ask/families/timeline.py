"""Questions about timeline.jsonl, answered from the events its sentences were made of."""

import datetime as dt
from pathlib import Path

from events import MONTHS, Events, month, told, year
from families import timeline_more
from life import Life

NOW = "2025-01-10T09:00:00Z"
MILE = 1.609344
YEARS = ["2021", "2022", "2023", "2024"]
SUMMER24 = ("2024-06-01", "2024-08-31")
DENSE = (dt.date(2024, 12, 31) - dt.date(2020, 12, 31)).days


def add(b, l: Life) -> None:
    e = Events(b, l, Path(__file__).parent.parent / "timeline_truth.jsonl", dt.date(2025, 1, 10), spell)
    f = e.of

    def q(kind, form, question, answer, *accept):
        b.q(kind, form, question, answer, *accept, now=NOW)

    def long(n):
        return lambda minutes: minutes is not None and minutes > n

    alone = lambda who: not who
    inside = lambda *names: lambda who: all(n in who for n in names)
    kids = lambda who: "Bridie" in who or "Luca" in who
    talk = lambda when=None, **k: f(when, do="talk", **k)
    eat = lambda when=None, **k: f(when, do="eat", **k)
    sport = lambda what, when=None, **k: f(when, do="sport", what=what, **k)
    shop = lambda when=None, **k: f(when, do="groceries", **k)
    made = lambda when=None, **k: f(when, do=lambda d: d in ("cook", "bake"), **k)
    trip = lambda when=None, **k: f(when, do="trip", **k)
    has = lambda thing: lambda things: thing in (things or [])
    eyes = lambda when=None: f(when, do="check-up", what="eye test", who=kids)
    teeth = lambda when=None: f(when, do="check-up", what="dental check-up", who=kids)

    # How many: talks
    q("count", "timeline-count", "How many times did I talk to Ines in March 2022?", e.count(talk("2022-03", who="Ines")))
    q("count", "timeline-count-more", "how many times did I talk to my sister for more than 20 minutes", e.count(talk(who="Orla", minutes=long(20))))
    q("count", "timeline-count-more", "How many conversations with Mum lasted over an hour in 2023?", e.count(talk("2023", who="Mum", minutes=long(60))))
    q("count", "timeline-count", "how often did zofia ring me in 2024", e.count(talk("2024", who="Zofia", rang=True)))
    q("count", "timeline-count-distinct", "How many different people did I talk to in May 2021?", e.distinct("who", talk("2021-05"), "people"))
    q("count", "timeline-count", "talks with Rukmini late in the evening, how many all together?", e.count(talk(who="Rukmini", part="late in the evening")))
    q("count", "timeline-count", "How many times did my brother and I chat about money?", e.count(talk(who="Fintan", what="money")))
    # meals
    q("count", "timeline-count", "How many times did I have porridge for breakfast in January 2023?", e.count(eat("2023-01", what="porridge", meal="breakfast")))
    q("count", "timeline-count", "how often was lentil soup eaten for lunch in 2024?", e.count(eat("2024", what="lentil soup", meal="lunch")))
    q("count", "timeline-count", "How many times have Harriet and Emeka both been at dinner with me?", e.count(eat(meal="dinner", who=inside("Harriet", "Emeka"))), e.count(eat(who=inside("Harriet", "Emeka"))))
    q("count", "timeline-negation", "How many breakfasts did I have without company in June 2024?", e.count(eat("2024-06", meal="breakfast", who=alone)))
    q("count", "timeline-count", "sushi dinners in 2021 or 2022, how many", e.count(eat(("2021-01-01", "2022-12-31"), meal="dinner", what="sushi")))
    # exercise
    q("count", "timeline-count", "How many times did I run in June 2022?", e.count(sport("run", "2022-06")))
    q("count", "timeline-count", "How often did I go swimming last summer?", e.count(sport("swim", SUMMER24)), e.count(sport("swim", ("2024-06-20", "2024-09-22"))))
    q("count", "timeline-count-more", "how many runs longer than 8 km have I done", e.count([t for t in sport("run") if t["km"] > 8]))
    q("count", "timeline-count-more", "Number of tennis sessions of at least 90 minutes in 2023", e.count([t for t in sport("tennis", "2023") if t["minutes"] >= 90]))
    q("count", "timeline-count", "How many times did I play badminton with Callum?", e.count(sport("badminton", who="Callum")))
    both = set(e.days(sport("run", "2023-05"))) & set(e.days(f("2023-05", do="read")))
    q("count", "timeline-join-day", "On how many days in May 2023 did I both run and read something?", b.num(len(both), "days", days=sorted(both)))
    q("count", "timeline-negation", "How many days in April 2022 did I do no exercise at all?", e.without("2022-04", f("2022-04", do="sport")))
    # reading, television, cooking, groceries, hobbies
    q("count", "timeline-count", "How many times did I read poetry in 2022?", e.count(f("2022", do="read", what="poetry")))
    q("count", "timeline-count", "How many times have I watched a documentary in total since 2023?", e.count(f(("2023-01-01", "2025-01-10"), do="watch", what="a documentary")))
    q("count", "timeline-count", "how often did I watch the news, not read it, in 2024?", e.count(f("2024", do="watch", what="the news")))
    q("count", "timeline-count", "How many times did I make gnocchi after 2022?", e.count(made(("2023-01-01", "2025-01-10"), what="gnocchi")))
    q("count", "timeline-count", "how many times have I baked with my daughter?", e.count(f(do="bake", who="Bridie")))
    q("count", "timeline-count", "How many times did I go grocery shopping in 2022?", e.count(shop("2022", online=False)), e.count(shop("2022")))
    q("count", "timeline-count", "How often did I order groceries online?", e.count(shop(online=True)))
    q("count", "timeline-count", "How many times did I buy sun cream in 2024?", e.count(shop("2024", toiletries=has("sun cream"))))
    q("count", "timeline-count", "How many times have I played chess with Callum?", e.count(f(do="hobby", what="chess", who="Callum")))
    q("count", "timeline-count-days", "on how many days did I practise or play the accordion in 2021?", e.countdays(f("2021", do="hobby", what="the accordion")))
    q("count", "timeline-count", "how many times did pickle have a nail trim?", e.count(f(do="pet", what="a nail trim")))
    # check-ups
    q("count", "timeline-count", "How many times did I take my kids to an optician in 2022?", e.count(eyes("2022")))
    q("count", "timeline-count", "How many times did I take my kids to the dentist in 2023?", e.count(teeth("2023")))
    q("count", "timeline-count", "How many flu jabs have I had myself?", e.count(f(do="check-up", what="flu jab", whom="me")))
    # trips and a life
    q("count", "timeline-count", "How many times did I travel to Lisbon?", e.count(trip(city="Lisbon")))
    q("count", "timeline-count", "How many times did I travel to Vienna in the year 2022?", e.count(trip("2022", city="Vienna")))
    q("count", "timeline-count-distinct", "How many places did I visit in Kyoto?", e.distinct("what", f(do="visit", city="Kyoto"), "places"), e.count(f(do="visit", city="Kyoto")))
    q("count", "timeline-count", "How many times did I visit the oceanarium?", e.count(f(do="visit", what="the oceanarium")))
    q("count", "timeline-count", "How many trips did I take in 2024?", e.count(trip("2024")))
    q("count", "timeline-stay", "For how many days was I in Split?", b.num(10, "days", e.entries(trip(city="Split"))), b.num(9, "nights"))
    q("count", "timeline-count", "How many times did I get married?", e.count(f(do="marry")))
    q("count", "timeline-count", "How many times did I move in my life?", e.count(f(do="move")))
    q("count", "timeline-count", "How many times did I move for a job?", e.count(f(do="move", why="job")))
    q("count", "timeline-group", "runs per year?", e.groups(sport("run"), year, YEARS))
    q("count", "timeline-group", "How many trips did I make each year, 2021 to 2024?", e.groups(trip(), year, YEARS))
    q("count", "timeline-group", "how often did I swim in each month of 2024", e.groups(sport("swim", "2024"), month, MONTHS))

    # Sums
    q("sum", "timeline-sum", "How many kilometres did I run in 2022?", e.total(sport("run", "2022"), "km", "km"))
    q("sum", "timeline-sum", "miles run in 2024 total", e.total(sport("run", "2024"), "km", "miles", 1 / MILE))
    q("sum", "timeline-sum", "How long did I talk to Mum altogether in 2023?", e.total(talk("2023", who="Mum"), "minutes", "minutes"))
    q("sum", "timeline-sum", "How many hours did I spend reading novels in 2021?", e.total(f("2021", do="read", what="a novel"), "minutes", "hours", 1 / 60))
    q("sum", "timeline-sum", "How much did I spend on groceries in 2023, as far as I wrote down what I paid?", e.total(shop("2023"), "euros", "EUR"))
    q("sum", "timeline-sum", "metres swum in July 2023", e.total(sport("swim", "2023-07"), "metres", "m"))
    q("sum", "timeline-sum", "total time on the tennis court in summer 2023", e.total(sport("tennis", ("2023-06-01", "2023-08-31")), "minutes", "minutes"), e.total(sport("tennis", ("2023-06-21", "2023-09-22")), "minutes", "minutes"))
    q("sum", "timeline-sum", "hours of telly in december 2022?", e.total(f("2022-12", do="watch"), "minutes", "hours", 1 / 60))
    q("sum", "timeline-sum", "What did all the souvenirs cost me in euros?", e.total(f(do="souvenir"), "euros", "EUR"))
    q("sum", "timeline-sum", "How many euros went on souvenirs in Lisbon?", e.total(f(do="souvenir", city="Lisbon"), "euros", "EUR"))
    q("sum", "timeline-sum", "How many days did I travel in 2022 in total?", b.num(20, "days", e.entries(trip("2022"))))
    q("sum", "timeline-sum", "How far have I cycled with Paulo?", e.total(sport("cycle", who="Paulo"), "km", "km"))
    q("sum", "timeline-sum", "kilometres hiked since moving to Kinsale", e.total(sport("hike", ("2023-02-18", "2025-01-10")), "km", "km"), e.total(sport("hike", ("2023-02-19", "2025-01-10")), "km", "km"))
    q("sum", "timeline-sum", "Time spent watching the football with Tobias?", e.total(f(do="watch", what="the football", who="Tobias"), "minutes", "minutes"))
    once = [t for t in talk("2022") if len(talk(t["day"])) == 1]
    t = once[10]
    q("sum", "timeline-how-long", f"How long did I talk to {t['who'][0]} on {told(t['day'])}?", e.total([t], "minutes", "minutes"))
    t = next(t for t in f("2023-09", do="read") if len(f(t["day"], do="read")) == 1)
    q("sum", "timeline-how-long", f"how long did I spend reading on {told(t['day'])}", e.total([t], "minutes", "minutes"))
    t = next(t for t in f("2024-04", do="watch") if len(f(t["day"], do="watch")) == 1)
    q("sum", "timeline-how-long", f"How long was I watching tv on {told(t['day'])}?", e.total([t], "minutes", "minutes"))
    q("sum", "timeline-group", "kilometres on the bike per year", e.groups(sport("cycle"), year, YEARS, "km", "km"))
    q("sum", "timeline-how-long", "How long did I stay in Kraków?", b.num(5, "days", e.entries(trip(city="Kraków"))), b.num(4, "nights"))

    # Averages
    spent = talk(who=lambda who: who)
    q("average", "timeline-per-day", "How long do I spend on average each day talking to people?", e.mean(spent, "minutes", "minutes", len(e.days(spent))), e.mean(spent, "minutes", "minutes", DENSE), e.mean(spent, "minutes", "minutes", DENSE + 10), e.mean(spent, "minutes", "minutes"))
    q("average", "timeline-average", "How long is a chat with Dad on average?", e.mean(talk(who="Dad"), "minutes", "minutes"))
    novel = f(do="read", what="a novel")
    q("average", "timeline-per-day", "How much time on average do I spend on novels each day I read one?", e.mean(novel, "minutes", "minutes", len(e.days(novel))), e.mean(novel, "minutes", "minutes"))
    q("average", "timeline-per-year", "What is the average number of times I took my kids for their eye test each year?", *[b.num(round(len(eyes()) / n, 4), "entries", e.entries(eyes())) for n in (4, len({year(t) for t in eyes()}))])
    q("average", "timeline-per-day", "How many dishes did I cook or bake a day on average in March 2023?", b.num(round(len(made("2023-03")) / 31, 4), "entries", e.entries(made("2023-03"))))
    q("average", "timeline-average", "average distance of a run in 2021", e.mean(sport("run", "2021"), "km", "km"))
    q("average", "timeline-average", "What's my average heart rate when I run?", e.mean(sport("run"), "bpm", "bpm"))
    q("average", "timeline-average", "what do i pay for groceries on average", e.mean(shop(), "euros", "EUR"))
    q("average", "timeline-per-year", "On average, how many trips a year did I take from 2021 to 2024?", b.num(len(trip()) / 4, "entries", e.entries(trip())))
    q("average", "timeline-average", "Average number of metres per swim in 2024?", e.mean(sport("swim", "2024"), "metres", "m"))
    q("average", "timeline-average", "How long do I sit at the pottery wheel on average, in minutes?", e.mean(f(do="hobby", what="pottery"), "minutes", "minutes"))
    q("average", "timeline-average", "mean length of my tennis matches with Ines", e.mean(sport("tennis", who="Ines"), "minutes", "minutes"))
    q("average", "timeline-per-week", "How many times a week did I exercise in 2023 on average?", *[b.num(round(n / d, 4), "entries") for n in (len(f("2023", do="sport")), len(e.days(f("2023", do="sport")))) for d in (365 / 7, 52, 53)])
    q("average", "timeline-average", "How long were the trips on average, in days?", e.mean(trip(), "days", "days"))

    # First and last
    for question, ts in (
        ("When was the first time I travelled to Lisbon?", trip(city="Lisbon")), ("When did I first get married?", f(do="marry")), ("When did I first go on a date with Paulo?", f(do="date", who="Paulo")),
        ("first time i had bibimbap with Dmitri", eat(what="bibimbap", who="Dmitri")), ("When did I first play chess with Emeka?", f(do="hobby", what="chess", who="Emeka")),
        ("What was the first thing I baked in 2024?", f("2024", do="bake")), ("Which sight did I see first in Vienna with Paulo?", f("2022", do="visit", city="Vienna")),
        ("earliest talk with Orla in 2023?", talk("2023", who="Orla")), ("When did I first take Luca to the dentist?", f(do="check-up", what="dental check-up", who="Luca")),
        ("When did we first eat tempura?", eat(what="tempura")),
    ):
        q("first", "timeline-first", question, e.one(ts))
    for question, ts, *others in (
        ("When was the date of my most recent marriage?", f(do="marry")), ("When was my most recent move?", f(do="move")), ("When did I last go and get groceries with Emeka?", shop(who="Emeka", saw=None), shop(who="Emeka")),
        ("last time I talked to Fintan", talk(who="Fintan")), ("When did I last go rowing?", sport("row")), ("What did I cook last?", f(do="cook"), made()),
        ("Where did I last travel to?", trip()), ("When was Pickle last vaccinated?", f(do="pet", what="a vaccination")), ("last date with Paulo at the ice rink", f(do="date", who="Paulo", place="the ice rink")),
        ("When did I last buy mangoes?", shop(fruits=has("mangoes"))), ("When did I last have a physical?", f(do="check-up", what="physical", whom="me")),
        ("when was the last time mum had her eyes tested", f(do="check-up", what="eye test", who="Mum")),
    ):
        assert ts, question
        q("last", "timeline-last", question, e.one(ts, last=True), *[e.one(o, last=True) for o in others])
    for question, ts in (
        ("How long since I last played the accordion?", f(do="hobby", what="the accordion")), ("how many days ago did I last go for a hike?", sport("hike")), ("How long has it been since I talked to Tobias?", talk(who="Tobias")),
        ("How long is it since our holiday in Kyoto began?", trip(city="Kyoto")), ("days since I last had pancakes", eat(what="pancakes")), ("How long have I been married to Paulo?", f(do="marry", who="Paulo")),
    ):
        q("last", "timeline-since", question, e.since(ts))

    # Longest and other extremes
    for question, ts, key, unit in (
        ("What was my longest run?", sport("run"), "km", "km"), ("longest bike ride in 2023", sport("cycle", "2023"), "km", "km"), ("What was the longest talk I had with my sister in 2024?", talk("2024", who="Orla"), "minutes", "minutes"),
        ("the farthest I hiked with Ines", sport("hike", who="Ines"), "km", "km"),
        ("Which trip was the longest?", trip(), "days", "days"), ("most expensive grocery shop of 2022", shop("2022"), "euros", "EUR"), ("longest time at the pottery wheel", f(do="hobby", what="pottery"), "minutes", "minutes"),
        ("What was my highest average heart rate during exercise?", f(do="sport"), "bpm", "bpm"), ("Longest stretch of reading in one go in November 2024?", f("2024-11", do="read"), "minutes", "minutes"),
        ("the dearest souvenir I ever bought", f(do="souvenir"), "euros", "EUR"),
    ):
        q("longest", "timeline-longest", question, e.extreme(ts, key, unit))
    q("longest", "timeline-shortest", "What was the shortest trip I took?", e.extreme(trip(), "days", "days", low=True))
    q("longest", "timeline-shortest", "shortest talk with Mum in February 2021", e.extreme(talk("2021-02", who="Mum"), "minutes", "minutes", low=True))
    q("longest", "timeline-gap", "What is the longest I went without talking to Zofia?", e.gap(talk(who="Zofia")), e.gap(talk(who="Zofia"), 1))
    q("longest", "timeline-gap", "longest break between two swims in 2024?", e.gap(sport("swim", "2024")), e.gap(sport("swim", "2024"), 1))
    q("longest", "timeline-streak", "What's my longest run of consecutive days with exercise?", e.streak(f(do="sport")))
    q("longest", "timeline-streak", "most days in a row that I read something in 2023", e.streak(f("2023", do="read")))

    timeline_more.add(b, e, q)


def spell(name: str) -> list[str]:
    """A name with and without what stands before it, and other words for it."""
    forms = [name]
    for lead in ("at the ", "at ", "the ", "a ", "an "):
        if name.startswith(lead):
            forms.append(name.removeprefix(lead))
    other = {
        "Mum": ["Mom", "mother", "Nuala"], "Dad": ["father", "Declan"], "Orla": ["sister"], "Fintan": ["brother"], "Paulo": ["husband"], "run": ["running", "ran"], "swim": ["swimming", "swam"], "row": ["rowing", "rowed"],
        "hike": ["hiking", "hiked"], "cycle": ["cycling", "cycled", "bike ride", "biking"], "weights": ["lifting weights", "lifted weights", "weight lifting"], "the accordion": ["playing the accordion", "practised the accordion"],
        "gardening": ["worked in the garden", "garden"], "learning Polish": ["Polish", "learned Polish"], "knitting": ["knitted"], "sketching": ["sketched"], "the castle of São Jorge": ["São Jorge"],
        "Kraków": ["Krakow"], "Nuala Carrick": ["Nuala", "Mum"], "Declan Carrick": ["Declan", "Dad"], "the optician's on Patrick Street": ["Patrick Street"], "comics": ["comic"],
    }
    return [*forms, *other.get(name, [])]
