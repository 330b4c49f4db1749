"""Further questions over the sample life: most, least and the first few, first and last, longest and gaps."""

import datetime as dt
import re
from collections import Counter

from families.answers import MILE, MONTHS, TODAY, WEEKDAYS, YEARS, Answers, mean, month, weekday, year
from life import Life, both, days_of, tally, total

GAMES = "chess|backgammon|rummy|dominoes|the card game nobody can explain|the word game in two languages|the ferry game"
PIECE = r"(Bach chorale|Brahms|Estonian piece|Fauré|Monteverdi|Purcell|Rheinberger|Schütz motet|Swedish evening hymn|Vaughan Williams|sea shanty)"
BOUGHT = r"^market: ([\w ]+?)(?:, bread, flowers)?$|^([\w ]+?) and cheese from the market$"


def add(b, l: Life, a: Answers) -> None:
    most(b, l, a)
    least(b, l, a)
    top(b, l, a)
    ends(b, l, a)
    longest(b, l, a)


def most(b, l: Life, a: Answers) -> None:
    def q(form, question, answer, *accept, **more):
        b.q("most", form, question, answer, *accept, **more)

    per_day = lambda es: Counter(e.day for e in es)
    key = lambda es, k, measure=None: sum((Counter({k(e): e.measures.get(measure, 0) if measure else 1}) for e in es), Counter())
    q("more-most-day", "busiest day of 2024", a.day(per_day(l.a(when="2024")), "entries"), a.day(sum((Counter({e.day: e.minutes or 0}) for e in l.a(when="2024")), Counter()), "minutes"))
    q("more-most-day", "Which day in 2025 had the most meetings?", a.day(per_day(l.a(tag="meeting", when="2025")), "entries"))
    q("more-most-month", "What was my busiest month of 2025, going by the number of entries?", a.top(key(l.a(when="2025"), month)), a.top(key([*l.a(when="2025"), *l.n(when="2025")], month)))
    q("more-most-people", "Who crops up most in my day notes of 2023?", a.top(a.ppl(l.n(when="2023")), people=True))
    hours = Counter()
    for e in l.a(tag="sailing"):
        for p in e.people:
            hours[p] += e.minutes or 0
    q("more-most-people", "With whom have I spent most time on the water?", a.top(hours, people=True), a.top(a.ppl(l.a(tag="sailing")), people=True))
    q("more-most-people", "who did i speak to on the phone with the most in 2023", a.top(a.ppl(l.a(tag="call", when="2023")), people=True))
    q("more-most-people", "Which colleague did I sit in the most retros with in 2025?", a.top(a.ppl(l.a(tag="retro", when="2025")), people=True))
    q("more-most-people", "who's been to the Volkspark with me the most?", *[a.top(a.ppl(x), people=True) for x in (l.a(place="^the Volkspark$"), both(l.a(place="Volkspark"), l.a("Volkspark")))])
    q("more-most-people", "Who was it I had most one-to-ones with in 2024?", a.top(a.ppl(l.a(tag="1:1", when="2024")), people=True))
    q("more-most-place", "Where do Nils and I meet most?", a.top(tally(l.a(who="Nils Grabow"), "place")))
    where = tally(l.a(when="2025"), "place")
    q("more-most-place", "Apart from the office, what place was I at most in 2025?", a.top(Counter({k: v for k, v in where.items() if k != "the office"})))
    q("more-most-frame", "What did we sing most at choir in 2025?", a.top(tally(l.a(PIECE, "2025", tag="choir"), PIECE)))
    q("more-most-frame", "Which bit of grammar came up most often in the Italian class?", a.top(tally(l.a("^Italian(?: with Silvia)?:"), "^Italian(?: with Silvia)?: (.*)$")))
    goods = Counter((m := re.search(BOUGHT, e.text))[1] or m[2] for e in l.a(BOUGHT))
    q("more-most-frame", "the vegetable or fruit I've come home from the market with most", a.top(goods), a.top(tally(l.a("^market:"), r"^market: ([\w ]+?)(?:, bread, flowers)?$")))
    q("more-most-frame", "Which plants get watered by me most often?", a.top(tally(l.a("^watered the"), "^watered the (.*)$")), b.names(["everything"]) | {"top": 1})
    q("more-most-day-of-week", "On which weekday are most of my meetings?", a.top(key(l.a(tag="meeting"), weekday)))
    q("more-most-day-of-week", "what day do i usually phone mum on", a.top(key(l.a(tag="call", who="Margaret Ashworth"), weekday)), a.top(key(l.a("^(rang Mum|call with Mum|Sunday call)"), weekday)))
    sleep = {d: mean(m.value for m in l.m("sleepMinutes") if dt.date.fromisoformat(m.day).weekday() == i) for i, d in enumerate(WEEKDAYS)}
    q("more-most-day-of-week", "Which day of the week do I sleep longest on, on average?", a.top(Counter(sleep)))
    q("more-most-month", "What month do I read most in, adding up pages over all the years?", a.top(key(l.a(tag="reading"), month, "pages")))
    q("more-most-year", "In which year did I walk the most steps?", a.top(Counter({y: sum(m.value for m in l.m("steps", y)) for y in YEARS})))
    q("more-most-year", "which year did I see Clara most", a.top(key(l.a(who="Clara Weiss"), year)), a.top(key(both(l.a(who="Clara Weiss"), l.n(who="Clara Weiss")), year)), a.top(Counter(d[:4] for d in days_of(both(l.a(who="Clara Weiss"), l.n(who="Clara Weiss"))))))
    about = r"^film about (.*), with"
    seen = Counter(tally(l.a(about), about))
    days = {t: set(days_of(l.a(rf"^film about {t}, with"))) | set(days_of(l.n(t))) for t in seen}
    q("more-most-frame", "Which film have I watched most often?", a.top(seen), a.top(Counter({t: len(d) for t, d in days.items()})))
    left = r"^(.*)'s leftover"
    q("more-most-frame", "Whose leftover cake have I eaten most?", a.top(tally(l.a(left), left)))
    early = r"^(?:cleaned: )?(?:the )?(.*) before breakfast$"
    q("more-most-frame", "Which chore gets done before breakfast most often?", a.top(tally(l.a(early), early)))
    third = r"^the (.*), third time lucky"
    q("more-most-frame", "Which errand did I need three goes at most often?", a.top(tally(l.a(third), third)))
    q("more-most-now", "who have i met for lunch most this month?", a.top(a.ppl(l.a(tag="lunch", when=("2025-05-01", "2025-05-28"))), people=True), now="2025-05-28T18:00:00Z")
    weeks = [("2025-09-27", "2025-10-10"), ("2025-09-26", "2025-10-10"), ("2025-09-27", "2025-10-11"), ("2025-09-28", "2025-10-11")]
    q("more-nested-time", "Who did I see most in the fortnight before I flew to Japan?", *[a.top(a.ppl(l.a(when=w)), people=True) for w in weeks])
    q("more-most-people", "By whom was I rung up most often in 2025?", *[a.top(a.ppl(l.a(x, "2025")), people=True) for x in (r"^\w+ rang\b", r"^\w+ (rang|on the phone)")], a.top(a.ppl(l.a(tag="call", when="2025")), people=True))
    q("more-typo", "which persn did I go on outngs with most?", a.top(a.ppl(l.a(tag="outing")), people=True))


def least(b, l: Life, a: Answers) -> None:
    def q(form, question, answer, *accept, **more):
        b.q("most", form, question, answer, *accept, **more)

    q("more-least", "my least visited cinema", a.top(tally(l.a(tag="film"), "place"), least=True))
    lunch = a.ppl(l.a(tag="lunch", when="2025"))
    work = a.ppl(l.a(kind="work"))
    q("more-least", "Which colleague did I lunch with least in 2025?", a.top(Counter({k: v for k, v in lunch.items() if k in work}), people=True, least=True), a.top(lunch, people=True, least=True))
    choir = Counter({m: sum(month(e) == m for e in l.a(tag="choir", when="2025")) for m in MONTHS})
    q("more-least", "Which month of 2025 had the fewest choir evenings?", a.top(choir, least=True), a.top(Counter({k: v for k, v in choir.items() if v}), least=True))
    pages = Counter({d: total([e for e in l.a(tag="reading", when="2024") if weekday(e) == d], "pages") for d in WEEKDAYS})
    q("more-least", "weekday I read the fewest pages on, 2024", a.top(pages, least=True))
    three = Counter({w: len(l.a(who=w)) for w in ("Nils Grabow", "Jan Overbeck", "Yusuf Demir")})
    q("more-least", "Out of Nils, Jan Overbeck and Yusuf, who have I seen least?", a.top(three, people=True, least=True), a.top(Counter({w: len(days_of(both(l.a(who=w), l.n(who=w)))) for w in three}), people=True, least=True))
    q("more-least", "Which day in 2025 did I walk least?", a.peak("steps", "2025", "steps", low=True))
    q("more-least", "worst night's sleep of 2023?", a.peak("sleepMinutes", "2023", "minutes", low=True))
    games = rf"^({GAMES}) with Jonas$"
    q("more-least", "which game do Jonas and I play least", a.top(tally(l.a(games), games), least=True))
    q("more-least", "In which year did I see the fewest films?", *[a.top(Counter(year(e) for e in x), least=True) for x in (l.a(tag="film"), both(l.a(tag="film"), l.a(r"\bfilms?\b")))])
    q("more-least", "Who did I phone or talk to on the phone least often in 2024, of those I did talk to?", a.top(a.ppl(l.a(tag="call", when="2024")), people=True, least=True), a.top(a.ppl([e for e in l.a(tag="call", when="2024") if not re.search("letter|parcel|message", e.text)]), people=True, least=True))
    km = Counter({m: total([e for e in l.a(tag="cycling", when="2024") if month(e) == m], "km") for m in MONTHS})
    q("more-least", "month with the lowest cycling mileage in 2024", a.top(km, least=True), a.top(Counter({k: v for k, v in km.items() if v}), least=True))
    q("more-least", "the colleague I've had the fewest tea breaks with", a.top(a.ppl(l.a("^tea break")), people=True, least=True))
    q("more-least", "Which piece have we practised least at choir over the years?", a.top(tally(l.a(PIECE, tag="choir"), PIECE), least=True))


def top(b, l: Life, a: Answers) -> None:
    def q(form, question, answer, *accept, **more):
        b.q("most", form, question, answer, *accept, **more)

    q("more-top", "top 5 places I went to in 2024", a.top(tally(l.a(when="2024"), "place"), 5))
    steps = sorted(l.m("steps", "2025"), key=lambda m: -m.value)[:3]
    q("more-top", "Which three days of 2025 had the most steps?", b.dates(sorted(m.day for m in steps)))
    rides = sorted(l.a(tag="cycling", measure="km", when="2024"), key=lambda e: -e.measures["km"])
    q("more-top", "the three longest bike rides of 2024", {**b.list(rides[:3]), "values": [e.measures["km"] for e in rides[:3]]})
    q("more-top", "Name the two people I went on outings with most in 2025.", a.top(a.ppl(l.a(tag="outing", when="2025")), 2, people=True))
    q("more-top", "four people I shared the most meetings with in March 2024", a.top(a.ppl(l.a(tag="meeting", when="2024-03")), 4, people=True))
    q("more-top", "Top three choir pieces over all the years?", a.top(tally(l.a(PIECE, tag="choir"), PIECE), 3))
    q("more-top", "the 2 weekdays on which I ride to work most", a.top(Counter(map(weekday, l.a(tag="commute"))), 2))
    km = Counter({m: total([e for e in l.a(tag="cycling", when="2025") if month(e) == m], "km") for m in MONTHS})
    q("more-top", "top 3 months for cycling distance, 2025", a.top(km, 3))
    q("more-top", "What are my ten most used tags?", a.top(Counter(t for e in l.acts for t in e.tags), 10))
    q("more-top", "Give me a ranking of the three colleagues I had lunch with most in 2023, would you?", a.top(a.ppl(l.a(tag="lunch", when="2023")), 3, people=True))
    q("more-top", "top two people for phone calls in 2025", a.top(a.ppl(l.a(tag="call", when="2025")), 2, people=True))
    books = Counter()
    for e in l.a(tag="reading"):
        if m := re.search('"(.*?)"', e.text):
            books[m[1]] += 1
    q("more-top", "Which 3 books turn up most often by name in my reading?", a.top(books, 3))
    q("more-top", "the five people I've seen most, all told", a.top(a.ppl(l.acts), 5, people=True), a.top(Counter(p for p, _ in {(p, e.day) for e in l.acts for p in e.people}), 5, people=True))


def ends(b, l: Life, a: Answers) -> None:
    first = lambda question, *groups, form="more-first", **more: b.q("first", form, question, *[a.one(g) for g in groups if g], **more)
    last = lambda question, *groups, form="more-last", **more: b.q("last", form, question, *[a.one(g, last=True) for g in groups if g], **more)
    since = lambda question, *groups, now=TODAY, **more: b.q("last", "more-since", question, *[a.since(g, now) for g in groups if g], **more)
    first("When was the very first time I sailed with Katrin?", l.a(tag="sailing", who="Katrin Ebert"))
    first("when did i first set foot in the Georgian cellar?", l.a("Georgian cellar"), both(l.a("Georgian cellar"), l.n("Georgian cellar")))
    first("Remind me when I first played dominoes with Mum and Dad.", l.a("dominoes with Mum and Dad"), both(l.a("dominoes with Mum and Dad"), l.n("dominoes")))
    first("first time shepherd's pie was on the table", l.a("shepherd's pie"), both(l.a("shepherd's pie"), l.n("shepherd's pie")))
    first("When did the first bowls of mine come out of the kiln?", l.a("first bowls from the kiln"))
    first("first day I was ill in 2025", l.a(tag="ill", when="2025"))
    first("What was the first film I saw with Anna?", l.a(tag="film", who="Anna Bielski"))
    first("Who was the first parcel I sent for?", l.a("^a parcel for"))
    first("earliest mention of mice in the house", l.a(tag="mice"), l.a("mice in"), both(l.a(tag="mice"), l.n("(?i)mice|mouse")), both(l.a("mice"), l.n("(?i)mice|mouse")))
    first("Which project was the first to go live?", l.a("goes live"))
    first("first lunch this month?", sorted(l.a(tag="lunch", when="2024-09"), key=lambda e: e.day)[:1], form="more-now", now="2024-09-20T12:00:00Z")
    big = sorted(m.day for m in l.m("steps") if m.value > 22000) or sorted(m.day for m in l.m("steps") if m.value > 20000)
    value = 22000 if any(m.value > 22000 for m in l.m("steps")) else 20000
    b.q("first", "more-first", f"What was the first day I walked more than {value:,} steps?", {"type": "entry", "values": [], "unit": None, "days": big[:1], "names": [], "ids": []})

    last("When did I last see the inside of the Little Orion?", l.a(place="^the Little Orion$"))
    last("last time Deniz and I had lunch", l.a(tag="lunch", who="Deniz Aksoy"))
    last("who did i last bump into?", l.a("^bumped into"), l.a(tag="people"), l.a("^(bumped|ran) into|by chance$"))
    last("When was the last time that something was repaired by me at home?", *[l.a(x) for x in ("^repaired", "^(repaired|mended|fixed)")], l.a(tag="repairs"), l.a("^(repaired|mended|painted|hung|put up)"))
    last("what was the last thing that i knitted", l.a(tag="knitting"), l.a("knit"), l.a("^knitted"))
    last("When was I last on a plane?", l.a("(?i)flight"))
    last("most recent letter to Dana", l.a("long letter to Dana"))
    last("Which book did I finish last in 2023?", l.a('^finished "', "2023"))
    last("my last early night", l.a("early night"), l.a("^early night$"))
    last("When did my mood last hit 5?", l.n(mood=5))
    since("How long is it since I last had anything to do with Kenji?", l.a(who="Kenji Mori"), both(l.a(who="Kenji Mori"), l.n(who="Kenji Mori")))
    since("days since i last baked sourdough", l.a("sourdough"), both(l.a("sourdough"), l.n("(?i)sourdough")))
    since("How many days has it been since I was last at the allotment?", l.a(place="^the allotment$"), both(l.a(place="^the allotment$"), l.a("(?i)allotment")))
    since("how long ago did Compass go live", l.a("Compass goes live"))
    since("How long since we last played backgammon?", l.a("backgammon"), l.a("^backgammon with Jonas"), both(l.a("backgammon"), l.n("backgammon")))


def longest(b, l: Life, a: Answers) -> None:
    def q(form, question, answer, *accept, **more):
        b.q("longest", form, question, answer, *accept, **more)

    mins, km, pages = (lambda e: e.minutes), (lambda e: e.measures.get("km")), (lambda e: e.measures.get("pages"))
    q("more-longest", "What's the longest I've ever spent at the wheel in one evening?", a.extreme(l.a("^at the wheel"), mins, "minutes"), a.extreme(l.a(tag="pottery"), mins, "minutes"))
    q("more-longest", "longest lunch with Hanna, ever", a.extreme(l.a(tag="lunch", who="Hanna Koskinen"), mins, "minutes"))
    q("more-longest", "Which planning dragged on the longest in 2024?", a.extreme(l.a(tag="planning", when="2024"), mins, "minutes"))
    q("more-longest", "furthest ride of autumn 2023 in miles", *[a.extreme(l.a(tag="cycling", measure="km", when=w), lambda e: e.measures["km"] / MILE, "miles") for w in (("2023-09-01", "2023-11-30"), ("2023-09-22", "2023-12-20"))])
    q("more-longest", "biggest reading session of 2025 by pages", a.extreme(l.a(tag="reading", when="2025"), pages, "pages"))
    q("more-shortest", "What was the shortest phone call with Dad?", a.extreme(l.a(tag="call", who="Peter Ashworth"), mins, "minutes", low=True))
    q("more-shortest", "shortest bike ride of 2025, not counting the ones to work", a.extreme([e for e in l.a(tag="cycling", measure="km", when="2025") if "commute" not in e.tags], km, "km", low=True))
    q("more-longest", "the heaviest I've ever been", a.extreme(l.a(measure="kg"), lambda e: e.measures["kg"], "kg"))
    choir = l.a(tag="choir", when="2025")
    q("more-gap", "longest break between choir evenings in 2025", *a.gap(choir))
    q("more-gap", "Longest stretch without a single meeting in 2024?", *a.gap(l.a(tag="meeting", when="2024")))
    q("more-gap", "longest I went without getting on a bike in 2025", *a.gap(l.a(tag="cycling", when="2025")))
    mum = l.a(tag="call", who="Margaret Ashworth")
    q("more-gap", "What's the longest Mum and I went without talking on the phone in 2023?", *a.gap([e for e in mum if e.day[:4] == "2023"]))
    q("more-gap", "longest gap between two films", *a.gap(l.a(tag="film")), *a.gap(both(l.a(tag="film"), l.a(r"\bfilms?\b"))))
    q("more-streak", "What's the most days running that I've read?", a.streak(days_of(l.a(tag="reading"))))
    steps = sorted(m.day for m in l.m("steps", "2025") if m.value > 8000)
    q("more-streak", "longest streak of days over 8,000 steps in 2025", a.streak(steps))
    busy = days_of(l.a(tag="meeting"))
    q("more-streak", "How many days in a row with at least one meeting, at most?", a.streak(busy))
    note = sorted(x.day for x in l.n())
    q("more-streak", "longest run of days with a day note", a.streak(note), a.streak([x.day for x in l.n() if x.text]))
    ill = days_of(l.a(tag="ill"))
    q("more-streak", "For how many days running was I ill at the longest?", a.streak(ill))
