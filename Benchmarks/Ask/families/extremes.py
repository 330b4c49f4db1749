"""First, last, how long since, longest, shortest, most and least, top N."""

import datetime as dt
import re
from collections import Counter

from families.count import SOUPNOTE
from life import Life, both, days_between, days_of, minutes, tally, total

WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def add(b, l: Life) -> None:
    today = dt.date(2026, 1, 1)

    def first(form, question, entries, *others, **more):
        def one(es):
            day = days_of(es)[0]
            return b.entry([e for e in es if e.day == day])
        b.q("first", form, question, one(entries), *[one(o) for o in others if o], **more)

    def last(form, question, entries, *others, **more):
        def one(es):
            day = days_of(es)[-1]
            return b.entry([e for e in es if e.day == day])
        b.q("last", form, question, one(entries), *[one(o) for o in others if o], **more)

    def since(question, entries, *others, now=today):
        def one(es):
            day = days_of(es)[-1]
            return {**b.entry([e for e in es if e.day == day]), "values": [(now - dt.date.fromisoformat(day)).days], "unit": "days"}
        b.q("last", "how-long-since", question, one(entries), *[one(o) for o in others if o])

    # First
    first("first-person", "When did I first meet Anna Bielski in this archive?", l.a(who="Anna Bielski"), both(l.a(who="Anna Bielski"), l.n(who="Anna Bielski")))
    first("first-person", "first entry with Yusuf", l.a(who="Yusuf Demir"), both(l.a(who="Yusuf Demir"), l.n(who="Yusuf Demir")))
    first("first-person", "When was my first lunch with Lukas in 2024?", l.a(tag="lunch", who="Lukas Hoffmann", when="2024"))
    first("first-person", "first call with Tom in 2025?", l.a(tag="call", who="Tom Ashworth", when="2025"))
    first("first-person", "Who knows: the first time I went sailing with Philipp?", l.a(tag="sailing", who="Philipp Nagel"))
    first("first-tag", "When was my first pottery evening?", l.a(tag="pottery"))
    first("first-tag", "first sailing lesson", l.a(tag="sailing"))
    first("first-tag", "What was the first film I saw in 2024?", l.a(tag="film", when="2024"), l.a(r"\bfilm\b|cinema", when="2024"), both(l.a(tag="film", when="2024"), l.a(r"\bfilms?\b|cinema", when="2024")), both(l.a(tag="film", when="2024"), l.n(r"\bfilm\b", when="2024")))
    first("first-tag", "first bike ride of 2025", l.a(tag="cycling", when="2025"), [e for e in l.a(tag="cycling", when="2025") if "commute" not in e.tags])
    first("first-tag", "When did I first go to choir in 2023?", l.a(tag="choir", when="2023"))
    first("first-tag", "the earliest Italian class in the archive", l.a(tag="italian"))
    first("first-place", "When was I at Bar Zentral for the first time?", l.a(place="^Bar Zentral$"))
    first("first-place", "first visit to the Little Orion", l.a(place="^the Little Orion$"))
    first("first-place", "When did I first go to the Volkspark in 2025?", both(l.a(place="Volkspark", when="2025"), l.a("Volkspark", when="2025")))
    first("first-place", "first time in Lisbon?", l.a(zone="Europe/Lisbon"), l.a("Hamburg–Lisbon"))
    first("frame-first", "When did I first bake a carrot cake?", l.a(r"carrot cake", tag="baking"), l.a(r"baked carrot cake"), l.a(r"carrot cake"), l.n(r"(?i)baked carrot cake"), both(l.a(r"carrot cake", tag="baking"), l.n(r"(?i)carrot cake")))
    first("frame-first", "first time I ate dumplings on a bench", l.a(r"dumplings on a bench"))
    first("frame-first", "What was the first book I finished in 2025?", l.a(r"^finished", when="2025"))
    first("frame-first", "When did I first play rummy with Jonas?", l.a(r"rummy with Jonas"))
    first("frame-first", "first time Jonas made soup when I was ill", l.a(r"Jonas made .*soup", tag="ill"))
    first("frame-first", "When did I swim for the first time in August 2025?", l.a(r"\bsw[aiu]m|snorkel", when="2025-08"), l.a(r"\bsw[aiu]m", when="2025-08"))
    first("frame-first", "first postcard I sent Alex", l.a(r"postcard to Alex|wrote Alex a postcard"), l.a(tag="postcards"), l.a("[Pp]ostcard"))
    first("frame-first", "When did I first repair something at home?", l.a(r"^repaired", tag="home"), l.a(r"^repaired"), l.a(tag="repairs"), l.a(r"^(repaired|mended)"), l.a("^(repaired|mended|fixed)"))
    first("frame-first", "when did carla and i first share dumplings", l.a(r"Carla and I shared dumplings"))
    first("frame-first", "Which cake was the first that Wiebke or Stefan brought to work?", l.a(r"(cake|buns|tart) from (Wiebke|Stefan)"), l.a(r"(cake|buns|tart) from (Wiebke|Stefan)|(Wiebke|Stefan)'s leftover"))
    first("join-first", "What was the first thing I did on the day after I came home from Rome?", sorted([e for e in l.a(when="2024-10-08") if e.start], key=lambda e: e.start)[:1])
    first("first-month", "first lunch in March 2024", sorted([e for e in l.a(tag="lunch", when="2024-03")], key=lambda e: e.day)[:1])
    first("first-month", "my first meeting in September 2025?", sorted([e for e in l.a(tag="meeting", when="2025-09") if e.start], key=lambda e: e.start)[:1])
    first("first-month", "When did I first cycle to work in April 2025?", l.a(tag="commute", when="2025-04"))
    first("first-month", "first day of 2024 with mood 5", l.n(when="2024", mood=5))

    # Last
    last("last-person", "When did I last see Leyla?", l.a(who="Leyla Yıldız"))
    last("last-person", "last lunch with AK", l.a(tag="lunch", who="Alex Kim"))
    last("last-person", "When did I last speak to Dad on the phone?", l.a(tag="call", who="Peter Ashworth"))
    last("last-person", "last time with Clara Weiss in 2024", l.a(who="Clara Weiss", when="2024"), both(l.a(who="Clara Weiss", when="2024"), l.n(who="Clara Weiss", when="2024")))
    last("last-person", "When was the last 1:1 with Agnes in 2024?", l.a(tag="1:1", who="Agnes Lindholm", when="2024"))
    last("last-person", "most recent contact with Kenji", l.a(who="Kenji Mori"), both(l.a(who="Kenji Mori"), l.n(who="Kenji Mori")))
    last("last-person", "When did I see Priya last?", l.a(who="Priya Raman"), both(l.a(who="Priya Raman"), l.n(who="Priya Raman")))
    last("last-tag", "last choir rehearsal of 2024", l.a(tag="choir", when="2024"))
    last("last-tag", "When did I last go to the cinema?", l.a(tag="film"), both(l.a(tag="film"), l.a(r"\bfilm\b")), l.a(r"cinema"))
    last("last-tag", "When was the last time I cycled to work in 2023?", l.a(tag="commute", when="2023"))
    last("last-tag", "last Italian class ever", l.a(tag="italian"))
    last("last-tag", "What was the last thing I did at the pottery?", l.a(tag="pottery"), l.a(tag="pottery", kind="learning"))
    last("last-place", "When was I last at Zur Schleuse?", l.a(place="^Zur Schleuse$"))
    last("last-place", "last time at the allotment in 2024", l.a(place="^the allotment$", when="2024"))
    last("last-place", "when were we last on the Alster with the boat", l.a(r"out on the Alster"), l.a(tag="sailing"), l.a(r"Alster"))
    last("frame-last", "When did I last eat mussels?", l.a(r"\bmussels\b"))
    last("frame-last", "Last time Jonas cooked fish pie", l.a(r"^Jonas cooked fish pie"), l.a(r"^(Jonas (cooked|made)|cooked with Jonas:) fish pie"))
    last("frame-last", "What was the last book I finished?", l.a(r"^finished"))
    last("frame-last", "when did i last repair the shed door?", l.a(r"repaired the shed door"))
    last("frame-last", "When did Dad last ring by mistake?", l.a(r"^Dad rang by mistake"))
    last("frame-last", "last time I watched people use something at work", l.a(r"^watched people use"))
    last("frame-last", "When did I last bump into Martin?", l.a(r"(?i)Martin", tag="people"))
    last("frame-last", "When did we last have the card game nobody can explain?", l.a(r"card game nobody can explain"))
    last("frame-last", "What cake did I bake last?", l.a(r"cake", tag="baking"), l.a(r"^baked .*cake"), l.a(r"cake|tart|drizzle", tag="baking"), l.a(r"^baked .*(cake|tart)"))
    last("frame-last", "last time I wrote Dana a long letter", l.a(r"long letter to Dana"))
    last("last-measure", "What did I last weigh?", l.a(measure="kg"))
    last("last-measure", "last ride over 30 km", [e for e in l.a(tag="cycling", measure="km") if e.measures["km"] > 30])
    last("join-last", "When did I last read on a choir day in 2024?", [e for e in l.a(tag="reading", when="2024") if e.day in days_of(l.a(tag="choir"))])

    since("How long since I last saw Anna Bielski?", l.a(who="Anna Bielski"))
    since("how long is it since I went sailing?", l.a(tag="sailing"))
    since("How many days ago did I last bake a cake?", l.a(r"cake", tag="baking"), l.a(r"^baked .*cake"), l.a(r"cake|tart|drizzle", tag="baking"), l.a(tag="baking"), both(l.a(r"cake", tag="baking"), l.n(r"[Bb]aked .*cake")))
    since("How long has it been since the wisdom tooth came out?", l.a(r"wisdom tooth out"))
    since("days since the last swim", l.a(r"\bswam|swim\b"), l.a(r"\bswam|swim|snorkel"))
    since("How long ago was I in Rome?", l.a(zone="Europe/Rome"))
    since("how long since i rang Mum", l.a(r"^rang Mum"), l.a(tag="call", who="Margaret Ashworth"), l.a(r"^(rang Mum|call with Mum|Sunday call)"))

    # Longest and other extremes
    def extreme(form, question, entries, value, unit, low=False, accept=(), **more):
        def one(es):
            pick = (min if low else max)(value(e) for e in es)
            return b.entry([e for e in es if value(e) == pick], round(pick, 4), unit)
        b.q("longest", form, question, one([e for e in entries if value(e) is not None]), *[one([e for e in o if value(e) is not None]) for o in accept], **more)

    kms = lambda e: e.measures.get("km")
    pgs = lambda e: e.measures.get("pages")
    kg = lambda e: e.measures.get("kg")
    mins = lambda e: e.minutes
    ride = l.a(tag="cycling", measure="km")
    within = lambda es, y: [e for e in es if e.day.startswith(y)]
    extreme("longest-measure", "What was my longest bike ride?", ride, kms, "km", accept=())
    extreme("longest-measure", "longest ride 2024", within(ride, "2024"), kms, "km")
    extreme("longest-measure", "Which was the longest ride with Jonas?", l.a(tag="cycling", who="Jonas Brandt"), kms, "km")
    extreme("longest-measure", "furthest I walked in a day in Japan", l.a(tag="walking", when="2025-10"), kms, "km")
    extreme("longest-measure", "Shortest ride to the dyke?", l.a(r"^ride to the dyke"), kms, "km", low=True)
    extreme("longest-measure", "most pages in one sitting in 2023", l.a(tag="reading", when="2023"), pgs, "pages")
    extreme("longest-measure", "What's the most pages I read in one go last month?", l.a(tag="reading", when="2025-12"), pgs, "pages")
    extreme("longest-measure", "longest walk in Lisbon", l.a(tag="walking", when=("2024-03-28", "2024-04-02")), kms, "km")
    extreme("longest-measure", "longest ride in miles in 2025", [e for e in ride if e.day[:4] == "2025"], lambda e: e.measures["km"] / 1.609344, "miles")
    extreme("longest-measure", "My lowest weight?", l.a(measure="kg"), kg, "kg", low=True)
    extreme("longest-measure", "highest weight in 2024", l.a(measure="kg", when="2024"), kg, "kg")
    extreme("longest-measure", "longest ride through the marsh", l.a(r"^cycled .* through the marsh"), kms, "km")
    extreme("longest-time", "What was the longest meeting in June 2025?", l.a(tag="meeting", when="2025-06"), mins, "minutes")
    extreme("longest-time", "longest phone call with Mum", l.a(tag="call", who="Margaret Ashworth"), mins, "minutes")
    extreme("longest-time", "How long was my longest call with Dad in 2024?", l.a(tag="call", who="Peter Ashworth", when="2024"), mins, "minutes")
    extreme("longest-time", "longest time on the water with Eva", l.a(tag="sailing", who="Eva Thorn"), mins, "minutes")
    extreme("longest-time", "Shortest lunch with Stefan?", l.a(tag="lunch", who="Stefan Ruge"), mins, "minutes", low=True)
    extreme("longest-time", "longest afternoon at the allotment in 2025", l.a(place="^the allotment$", when="2025"), mins, "minutes", accept=([e for e in l.a(place="^the allotment$", when="2025") if e.start and 12 <= e.start.hour < 18],))
    extreme("longest-time", "What was the longest evening with Anna Bielski?", l.a(who="Anna Bielski"), mins, "minutes", accept=(l.a(r"^an evening with Anna"),))
    extreme("longest-time", "longest reading session in 2024, in minutes", l.a(tag="reading", when="2024"), mins, "minutes")
    extreme("frame-longest", "What was the longest game night of dominoes with Mum and Dad?", l.a(r"dominoes with Mum and Dad"), mins, "minutes")
    extreme("frame-longest", "longest ironing session", l.a(r"^(cleaned: )?ironing"), mins, "minutes")
    extreme("frame-longest", "Which chat in the street took longest?", l.a(r"^a chat with .* in the street"), mins, "minutes")
    extreme("frame-longest", "the longest long bath", l.a(r"^long bath"), mins, "minutes")
    extreme("frame-longest", "How long did I spend on the tax return at most in one go?", l.a(r"tax return", tag="paperwork"), mins, "minutes")

    def topmetric(form, question, name, when, unit, low=False, kind="most"):
        ms = l.m(name, when)
        pick = (min if low else max)(m.value for m in ms)
        b.q(kind, form, question, {"type": "entry", "values": [pick], "unit": unit, "days": [m.day for m in ms if m.value == pick], "names": [], "ids": []})
    topmetric("longest-metric", "What was my longest night's sleep in 2024?", "sleepMinutes", "2024", "minutes", kind="longest")
    topmetric("longest-metric", "shortest night of 2025", "sleepMinutes", "2025", "minutes", low=True, kind="longest")
    topmetric("longest-metric", "highest step count in a day in 2023", "steps", "2023", "steps", kind="longest")
    topmetric("longest-metric", "day with the lowest resting pulse in 2025", "restingHeartRate", "2025", "bpm", low=True, kind="longest")

    def gap(es, when=None):
        days = [dt.date.fromisoformat(d) for d in days_of(es)]
        return max((z - a).days for a, z in zip(days, days[1:]))
    g = gap(l.a(tag="choir", when="2024"))
    b.q("longest", "longest-gap", "What was the longest gap between two choir evenings in 2024?", b.num(g, "days"), b.num(g - 1, "days"))
    g = gap(l.a(tag="italian"))
    b.q("longest", "longest-gap", "longest break between Italian classes?", b.num(g, "days"), b.num(g - 1, "days"))
    leyla = l.a(who="Leyla Yıldız")
    gaps = [gap(x) for x in (l.a(who="Leyla Yıldız", not_="birthday"), leyla, both(leyla, l.n(who="Leyla Yıldız")))]
    b.q("longest", "longest-gap", "What is the longest I went without seeing Leyla?", *[b.num(g - i, "days") for g in gaps for i in (0, 1)])
    s = streak(days_of(l.a(tag="reading", when="2025")))
    b.q("longest", "longest-streak", "What's my longest streak of reading days in 2025?", b.num(s, "days"))
    s = streak(days_of(l.a(tag="commute")))
    b.q("longest", "longest-streak", "most days in a row on which I cycled to work", b.num(s, "days"))

    # Most
    def most(form, question, counts: Counter, *others, n=1, entries=(), people=True, least=False, **more):
        def one(c, more_names=()):
            ordered = sorted(set(c.values()), reverse=not least)
            taken = [k for k, v in c.most_common() if v in ordered[:1]] if n == 1 else None
            if n > 1:
                ranks = sorted(c.items(), key=lambda kv: (-kv[1], kv[0]))
                edge = ranks[n - 1][1]
                sure = [k for k, v in ranks if v > edge]
                tied = [k for k, v in ranks if v == edge]
                taken, free = (sure + tied, []) if len(sure) + len(tied) == n else (sure, tied)
            else:
                free = []
            spell = l.spellings if people else (lambda k: [k])
            a = b.names([spell(k) for k in taken], entries, [spell(k) for k in free])
            a["top"] = n
            a["people"] = people
            a["counts"] = {k: c[k] for k in taken + free}
            if n == 1 and len(taken) > 1:
                a["anyOf"] = True  # a tie: any one of them, or all
            return a
        b.q("most", form, question, one(counts), *[one(o) for o in others], **more)

    def ppl(es, drop=()):
        return Counter({k: v for k, v in tally(es, "people").items() if k not in drop})

    J = ("Jonas Brandt",)
    lunch = lambda w: l.a(tag="lunch", when=w)
    most("most-people", "Who did I have lunch with most often in 2024?", ppl(lunch("2024")), entries=lunch("2024"))
    most("most-people", "Whom did I call most last spring?", ppl(l.a(tag="call", when=("2025-03-01", "2025-05-31"))), ppl(l.a(tag="call", when=("2025-03-20", "2025-06-20"))))
    most("most-people", "who did i sail with most", ppl(l.a(tag="sailing")))
    most("most-people", "Which person did I go to the cinema with most in 2023?", ppl(l.a(tag="film", when="2023")))
    most("most-people", "Most frequent companion at exhibitions and concerts (culture tag)?", ppl(l.a(tag="culture")))
    most("most-people", "With whom was I at Zur Schleuse most often?", ppl(l.a(place="^Zur Schleuse$")))
    most("most-people", "Who did I meet most in meetings in November 2024?", ppl(l.a(tag="meeting", when="2024-11")))
    most("frame-most", "Who did I drink coffee with most at work in 2023?", ppl(l.a(r"coffee", tag="coffee", when="2023")), ppl(l.a(tag="coffee", when="2023")))
    most("frame-most", "Who did I sit on the roof with most?", ppl(l.a(r"on the roof")))
    most("frame-most", "Which game did I play most with Jonas?", tally(l.a(r"^(chess|backgammon|rummy|dominoes|the card game nobody can explain|the word game in two languages|the ferry game) with Jonas"), r"^(.*) with Jonas"), people=False)
    most("frame-most", "Who brought or left cake at work most often?", tally(l.a(r"(cake|parkin|tart|drizzle|buns) from |'s leftover", kind="work"), "people"), tally(l.a(r"(cake|parkin|tart|drizzle|buns) from ", kind="work"), "people"))
    about = r"^(?:call with Mum about|Mum rang:|Mum on the phone:|call with Mum,) (.*?)(?: again)?$"
    most("frame-most", "What did Mum talk about most on the phone?", tally(l.a(about), about), topics(l, l.a(about), about), people=False)
    most("frame-most", "What did Mum ring about most often in 2024?", tally(l.a(about, when="2024"), about), tally(l.a(r"^Mum rang:", when="2024"), r"^Mum rang: (.*)$"), people=False)
    talked = r"talked about (.*)$"
    closed = r"^(.*): closed, of course"
    most("frame-most", "Which shop did I find closed most often?", tally(l.a(closed), closed), people=False)
    most("frame-most", "Which present did I buy most often for birthdays?", tally(l.a(r"^bought (.*) for a birthday"), r"^bought (.*) for a birthday"), tally(l.a(r"^bought (.*) for a birthday|^(?:a card and )?(a .*) for .*birthday"), r"^bought (.*) for a birthday"), people=False)
    soup = r"^(?:lunch: )?(.*?(?:soup(?: with dill| with too much ginger)?|minestrone))(?: for lunch with .*| on the harbour steps)?$"
    most("frame-most", "Which soup did I have most often for lunch?", tally(l.a(soup, tag="lunch"), soup), soups(l, tally(l.a(soup, tag="lunch"), soup)), people=False)
    weed = r"^weeded the (.*)$"
    most("frame-most", "What did I weed most?", tally(l.a(weed), weed), people=False)
    most("frame-most", "Which bed did I dig over most often?", tally(l.a(r"^dug over"), r"^dug over the bed for (.*)$"), people=False)
    clean = r"^cleaned: (.*)$"
    every = r"^(?:cleaned: )?(ironing|laundry|the (?:bathroom|bedding|bicycle chain|bookshelves|cellar|fridge|kitchen drawers|oven|wardrobe|windows))\b"
    most("frame-most", "Which chore turns up most often at home?", tally(l.a(every, tag="home"), every), tally(l.a(clean), clean), people=False)
    most("most-place", "Where did I eat dinner with Jonas most often?", tally(l.a(tag="dinner", tags=["jonas"]), "place"), tally(l.a(tag="dinner", who="Jonas Brandt"), "place"), people=False)
    most("most-place", "favourite cinema by number of visits", tally(l.a(tag="film"), "place"), people=False)
    most("most-place", "Which pub or bar did I go to most with friends?", tally(l.a(tag="friends", place="Schleuse|Zentral|Mast|pub with the dog|Heron"), "place"), people=False)
    most("most-place", "which place did Jonas and I walk to most (outings)?", tally(l.a(tag="outing", who="Jonas Brandt"), "place"), tally(both(l.a(tag="outing", who="Jonas Brandt"), l.a(tag="walk", who="Jonas Brandt")), "place"), people=False)
    piece = r"(Bach chorale|Brahms|Estonian piece|Fauré|Monteverdi|Purcell|Rheinberger|Schütz motet|Swedish evening hymn|Vaughan Williams|sea shanty)"
    most("frame-most", "Which piece did we sing most at choir in 2024?", tally(l.a(piece, tag="choir", when="2024"), piece), people=False)
    def weekdays(es):
        return Counter(WEEKDAYS[e.date.weekday()] for e in es)
    most("group-weekday", "On which weekday do I go to choir most?", weekdays(l.a(tag="choir")), people=False)
    most("group-weekday", "which weekday do i bake on most", weekdays(l.a(tag="baking")), people=False)
    most("group-weekday", "On what day of the week did I go to the market most often?", weekdays(l.a(place="^the market$", tag="shopping")), people=False)
    MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
    def months(es, measure=None):
        c = Counter()
        for e in es:
            c[MONTHS[e.date.month - 1]] += e.measures.get(measure, 0) if measure else 1
        return c
    most("group-month", "In which month of 2024 did I read the most pages?", months(l.a(tag="reading", when="2024"), "pages"), people=False)
    most("group-month", "Which month of 2025 had the most kilometres on the bike?", months(l.a(tag="cycling", when="2025"), "km"), people=False)
    most("group-month", "month with the fewest meetings in 2024", months(l.a(tag="meeting", when="2024")), people=False, least=True)
    years = lambda es, measure=None: Counter({y: sum(e.measures.get(measure, 0) if measure else 1 for e in es if e.day.startswith(y)) for y in ("2023", "2024", "2025")})
    most("group-year", "In which year did I cycle to work most?", years(l.a(tag="commute")), people=False)
    most("top-n", "Top 3 people I had lunch with in 2025", ppl(lunch("2025")), n=3)
    most("top-n", "My five most frequent lunch companions ever?", ppl(l.a(tag="lunch")), n=5)
    most("top-n", "top 2 cinemas", tally(l.a(tag="film"), "place"), n=2, people=False)
    most("top-n", "three people I called most in 2024", ppl(l.a(tag="call", when="2024")), n=3)
    most("top-n", "Top three tags in January 2024?", Counter(t for e in l.a(when="2024-01") for t in e.tags), n=3, people=False)
    most("top-n", "the two colleagues I had 1:1s with most often in 2025", ppl(l.a(tag="1:1", when="2025")), n=2)
    most("least", "Who did I have lunch with least often in 2024, of those I had lunch with?", ppl(lunch("2024")), least=True)
    most("least", "Which of Eva, Philipp and Katrin did I sail with least?", ppl(l.a(tag="sailing")), least=True)
    sport = {"cycling": len(l.a(tag="cycling", when=("2025-06-01", "2025-08-31"))), "sailing": len(l.a(tag="sailing", when=("2025-06-01", "2025-08-31")))}
    most("frame-most", "Which sport did I do most last summer?", Counter(sport), people=False)
    topmetric("most-metric", "Which day in 2024 had the most steps?", "steps", "2024", "steps")
    topmetric("most-metric", "on which day of 2023 did I sleep longest", "sleepMinutes", "2023", "minutes")


def soups(l: Life, counts: Counter) -> Counter:
    """Soups of lunches that only the day's note tells, added to those of the activities."""
    counts = Counter(counts)
    lunches = set(days_of(l.a(r"soup|minestrone", tag="lunch")))
    for n in l.n(SOUPNOTE):
        if n.day in lunches:
            continue
        for name in counts:
            if name != "lentil soup" and re.search(rf"(?i)\b{name}\b", n.text):
                counts[name] += 1
    return counts


def topics(l: Life, entries, rx) -> Counter:
    """Days on which Mum's topic is told by a call or by the day's note."""
    found = {(e.day, re.search(rx, e.text)[1]) for e in entries}
    names = {name for _, name in found}
    found |= {(n.day, name) for n in l.n("Mum") for name in names if name in n.text}
    return Counter(name for _, name in found)


def streak(days):
    best = run = 1
    for a, z in zip(days, days[1:]):
        run = run + 1 if dt.date.fromisoformat(z) - dt.date.fromisoformat(a) == dt.timedelta(1) else 1
        best = max(best, run)
    return best
