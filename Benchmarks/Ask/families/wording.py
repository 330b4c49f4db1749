"""The same sorts of question as others would type them: misspelt, American, clipped, with odder times."""

from collections import Counter

from life import Life, both, days_between, days_of, minutes, tally, total
from families.count import SOUPNOTE
from families.numbers import MILE


def add(b, l: Life) -> None:
    read = lambda w=None: l.a(tag="reading", when=w)
    ride = lambda w=None: l.a(tag="cycling", measure="km", when=w)
    pages = lambda es: b.num(total(es, "pages"), "pages", es)
    km = lambda es: b.num(total(es, "km"), "km", es)

    def last(kind, form, question, es, *others, first=False, **more):
        def one(x):
            day = days_of(x)[0 if first else -1]
            return b.entry([e for e in x if e.day == day])
        b.q(kind, form, question, one(es), *[one(o) for o in others], **more)

    # Misspelt
    b.q("count", "typo", "how mnay times did I cycle to work in 2023", b.count(l.a(tag="commute", when="2023")))
    b.q("count", "typo", "How often did I go to chior in 2025?", b.count(l.a(tag="choir", when="2025")))
    b.q("sum", "typo", "totl pages read in Febuary 2024", pages(read("2024-02")))
    b.q("sum", "typo", "how many killometres did i cycle in 2025", km(ride("2025")))
    last("last", "typo", "when did i last go too the botanical gardn?", both(l.a(place="the botanical garden"), l.a("the botanical garden")))
    b.q("when", "typo", "when did i pass teh sailing exam", b.dates(["2024-09-12"], l.a("passed the sailing exam")))
    b.q("who", "typo", "who did i have luch with on 5 june 2024", b.people(sorted({p for e in l.a(tag="lunch", when="2024-06-05") for p in e.people}), l.a(tag="lunch", when="2024-06-05"))) if any(e.people for e in l.a(tag="lunch", when="2024-06-05")) else None
    b.q("average", "typo", "averge steps per day in septmber 2024", b.num(mean([m.value for m in l.m("steps", "2024-09")]), "steps"))
    b.q("most", "typo", "who did i have lunch with most oftn in 2023?", top(b, l, tally(l.a(tag="lunch", when="2023"), "people")))
    b.q("list", "typo", "What did I do with Leyla in Novmber 2024?", b.list(l.a(who="Leyla Yıldız", when="2024-11"), l.n(when="2024-11", who="Leyla Yıldız"))) if l.a(who="Leyla Yıldız", when="2024-11") else None
    b.q("where", "typo", "whre did I swim in august 2023", *[b.names([[p] for p in sorted({e.place for e in x if e.place})], x) for x in (l.a(r"\bswam|swim", when="2023-08"), l.a(r"\bswam|swim|snorkel", when="2023-08"))])

    # American
    movies = l.a(tag="film", when="2024")
    b.q("count", "american", "How many movies did I watch in 2024?", b.count(movies), b.count(both(movies, l.a(r"\bfilms?\b", when="2024"))), b.count(both(movies, l.a(r"\bfilms?\b|cinema", when="2024"))))
    b.q("count", "american", "How many times did I talk to Mom on the phone in 2023?", b.count(l.a(tag="call", who="Margaret Ashworth", when="2023")))
    b.q("most", "american", "What's my favorite movie theater, going by visits?", top(b, l, tally(l.a(tag="film"), "place"), people=False))
    last("last", "american", "When did I last call my dad?", l.a(r"^(rang Dad|call with Dad)"), l.a(tag="call", who="Peter Ashworth"), l.a(r"^rang Dad"))
    b.q("sum", "american", "How many miles did I bike in the fall of 2024?", *[b.num(round(total(ride(w), "km") / MILE, 3), "miles", ride(w)) for w in (("2024-09-01", "2024-11-30"), ("2024-09-22", "2024-12-20"))])
    b.q("when", "american", "When was my vacation in Greece in 2023?", {**b.dates(days_between(("2023-08-05", "2023-08-19")), l.a(tag="greece", when="2023")), "from": "2023-08-05", "to": "2023-08-19", "span": True, "slack": 2})
    b.q("average", "american", "What did I weigh on average in 2025, in pounds?", b.num(round(total(l.a(measure="kg", when="2025"), "kg") / len(l.a(measure="kg", when="2025")) / 0.45359237, 3), "lb"))
    b.q("who", "american", "Who did I see movies with in 2025?", b.people(sorted({p for e in l.a(tag="film", when="2025") for p in e.people}), l.a(tag="film", when="2025")), b.people(sorted({p for e in both(l.a(tag="film", when="2025"), l.a(r"\bfilm\b", when="2025")) for p in e.people}), l.a(tag="film", when="2025")))

    # Times of many sorts
    b.q("sum", "time-phrase", "How many pages did I read in Q3 2024?", pages(read(("2024-07-01", "2024-09-30"))))
    b.q("count", "time-phrase", "How many times have I cycled to work since Easter 2025?", b.count(l.a(tag="commute", when=("2025-04-20", "2025-12-31"))))
    b.q("count", "time-phrase", "Standups on Mondays in 2024: how many?", b.count(l.a(r"(?i)stand-?up", when="2024", weekday=0)))
    b.q("sum", "time-phrase", "pages in the past 30 days", *[pages(read((d, "2026-01-01"))) for d in ("2025-12-02", "2025-12-03", "2025-12-01")])
    b.q("count", "time-phrase", "how many lunches with Noah between 1 Feb and 31 May 2024", b.count(l.a(tag="lunch", who="Noah Adeyemi", when=("2024-02-01", "2024-05-31"))))
    b.q("sum", "time-phrase", "How far did I cycle before Easter in 2024?", km(ride(("2024-01-01", "2024-03-30"))), km(ride(("2024-01-01", "2024-03-31"))))
    b.q("sum", "time-phrase", "how many pages this month", pages(read(("2025-08-01", "2025-08-20"))), pages(read("2025-08")), now="2025-08-20T20:00:00Z")
    b.q("count", "time-phrase", "How many meetings did I have this week?", *[b.count(l.a(tag="meeting", when=w)) for w in (("2024-11-04", "2024-11-08"), ("2024-11-04", "2024-11-10"))], now="2024-11-08T18:00:00Z")
    b.q("sum", "time-phrase", "km by bike the year before last", km(ride("2024")), now="2026-01-01T09:00:00Z")
    b.q("average", "time-phrase", "average sleep on weekends in 2025", *[b.num(round(mean([m.value for m in l.m("sleepMinutes", "2025") if weekday(m.day) in d]), 3), "minutes") for d in ((5, 6), (4, 5), (4, 5, 6))])
    b.q("average", "time-phrase", "Average steps on Sundays in 2024?", b.num(round(mean([m.value for m in l.m("steps", "2024") if weekday(m.day) == 6]), 2), "steps"))
    b.q("count", "time-phrase", "how many books did I finish while I was on Bornholm", b.count(l.a(r"^finished", when=("2024-07-13", "2024-07-27")))) if l.a(r"^finished", when=("2024-07-13", "2024-07-27")) else None
    b.q("count", "time-phrase", "How often did I go to choir after the summer of 2024, until the end of that year?", b.count(l.a(tag="choir", when=("2024-09-01", "2024-12-31"))), b.count(l.a(tag="choir", when=("2024-09-23", "2024-12-31"))))
    b.q("compare", "time-phrase", "more choir evenings in the first or the second half of 2025?", cmp([len(l.a(tag="choir", when=w)) for w in (("2025-01-01", "2025-06-30"), ("2025-07-01", "2025-12-31"))], ["first half", "second half"]))
    b.q("compare", "typo", "pages 2023 vrs 2025", cmp([total(read(y), "pages") for y in ("2023", "2025")], ["2023", "2025"], "pages"))
    b.q("compare", "american", "Did I bike more miles in 2023 or in 2024?", cmp([round(total(ride(y), "km") / MILE, 3) for y in ("2023", "2024")], ["2023", "2024"], "miles"))
    soups = [l.a(rx, tag="lunch", when="2024") for rx in (r"\bsoup\b", r"\bsoup\b|minestrone")]
    told = [n for n in l.n(SOUPNOTE, when="2024") if n.day not in days_of(soups[1])]
    sushi = [l.a(r"\bsushi\b", tag="lunch", when="2024"), l.n(r"I had sushi", when="2024")]
    b.q("compare", "compare-things", "soup or sushi for lunch in 2024, which more often?",
        *[cmp([x, y], ["soup", "sushi"]) for x, y in (
            (len(soups[0]) + len(told), len(sushi[0]) + len(sushi[1])), (len(soups[0]), len(sushi[0])),
            (len(soups[1]) + len(told), len(sushi[0]) + len(sushi[1])), (len(soups[1]), len(sushi[0])))])
    b.q("compare", "compare-weekday", "Do I cycle to work more on Tuesdays or on Fridays?", cmp([len(l.a(tag="commute", weekday=d)) for d in (1, 4)], ["Tuesdays", "Fridays"]))

    # Other days to ask on; the archive goes on after them
    april, november = "2025-04-02T19:00:00Z", "2024-11-15T10:00:00Z"
    def daylist(question, day, now, kind="list"):
        b.q(kind, "now", question, b.list(l.a(when=day), l.n(when=day)), now=now)
    daylist("What did I do the day before yesterday?", "2025-03-31", april)
    daylist("and what did i do on monday", "2024-11-11", november)
    daylist("Three days ago, what did I do?", "2024-11-12", november)
    b.q("sum", "now", "how many pages did I read last month", pages(read("2025-03")), now=april)
    b.q("sum", "now", "km cycled last summer", *[km(ride(w)) for w in (("2024-06-01", "2024-08-31"), ("2024-06-21", "2024-09-22"))], now=april)
    b.q("count", "now", "How many times have I been to choir since New Year?", b.count(l.a(tag="choir", when=("2025-01-01", "2025-04-02"))), now=april)
    b.q("count", "now", "how many books did I finish last month?", b.count(l.a(r"^finished", when="2023-09")), now="2023-10-05T18:00:00Z")
    b.q("list", "now", "Did I go to choir yesterday?", b.no(), now="2024-07-02T08:00:00Z")
    b.q("list", "now", "did I go to choir on tuesday", b.yes(l.a(tag="choir", when="2024-11-12"), l.n(when="2024-11-12")), now=november)
    b.q("average", "now", "average steps last week", *[b.num(round(mean([m.value for m in l.m("steps", w)]), 3), "steps") for w in (("2024-11-04", "2024-11-10"), ("2024-11-08", "2024-11-14"), ("2024-11-03", "2024-11-09"), ("2024-11-09", "2024-11-15"))], now=november)
    b.q("compare", "now", "Have I read more pages this month than last month?", cmp([total(read(m), "pages") for m in ("2024-11", "2024-10")], ["this month", "last month"], "pages"), now="2024-11-30T22:00:00Z")
    far = max(ride("2024"), key=lambda e: e.measures["km"])
    b.q("longest", "now", "longest ride this year", {**b.entry([far]), "values": [far.measures["km"]], "unit": "km"}, now="2024-12-31T20:00:00Z")
    b.q("most", "now", "Who did I have lunch with most last month?", top(b, l, tally(l.a(tag="lunch", when="2024-11"), "people")), now="2024-12-05T12:00:00Z")
    b.q("first", "now", "first bike ride this month", b.entry(ride("2025-03")[:1]), now="2025-03-30T18:00:00Z")
    b.q("who", "now", "Who did I have lunch with last week?", *[b.people(sorted({p for e in l.a(tag="lunch", when=w) for p in e.people}), l.a(tag="lunch", when=w)) for w in (("2025-03-24", "2025-03-30"), ("2025-03-26", "2025-04-01"))], now=april)
    b.q("when", "now", "On which days did I cycle to work last week?", b.dates(days_of(l.a(tag="commute", when=("2025-03-24", "2025-03-30"))), l.a(tag="commute", when=("2025-03-24", "2025-03-30"))), now=april)
    b.q("where", "now", "Where did I watch a film last month?", b.names([[p, p.removeprefix("the ")] for p in sorted({e.place for e in l.a(tag="film", when="2024-11") if e.place})] or [["-"]], l.a(tag="film", when="2024-11")), now="2024-12-05T12:00:00Z") if l.a(tag="film", when="2024-11") else None
    b.q("where", "now", "in which cinema was I last month", b.names([[p, p.removeprefix("the ")] for p in sorted({e.place for e in l.a(tag="film", when="2025-10") if e.place})], l.a(tag="film", when="2025-10")), now="2025-11-05T12:00:00Z")
    b.q("none", "now", "What did I do tomorrow?", b.none(), now="2026-01-01T09:00:00Z")
    b.q("last", "now", "When did I last bake in 2023?", b.entry([l.a(tag="baking", when="2023")[-1]]), now=november)

    # How long, at what time
    b.q("sum", "how-long", "How long did I sleep in the night to 5 March 2024?", *[b.num(m.value, "minutes") for d in ("2024-03-05", "2024-03-04") for m in l.m("sleepMinutes", d)])
    b.q("sum", "how-long", "How long was I on the water on the day of the sailing exam?", b.num(minutes(l.a("passed the sailing exam")), "minutes", l.a("passed the sailing exam")))
    b.q("sum", "how-long", "How long did I stay in Lisbon in 2024?", b.num(6, "days", l.a(tag="lisbon")), b.num(5, "days"), b.num(5, "nights"))
    b.q("sum", "how-long", "how long did the New York trip last", b.num(8, "days", l.a(tag="newyork")), b.num(7, "days"), b.num(6, "days"), b.num(6, "nights"))
    b.q("sum", "how-long", "How long did I talk to Dad on the phone in 2025 altogether?", b.num(minutes(l.a(tag="call", who="Peter Ashworth", when="2025")), "minutes", l.a(tag="call", who="Peter Ashworth", when="2025")))
    def clock(question, es):
        e = [x for x in es if x.start][0]
        b.q("when", "when-time", question, b.clock([f"{e.start:%H:%M}"], [e]))
    clock("At what time did choir start on 10 January 2023?", l.a(tag="choir", when="2023-01-10"))
    clock("What time was the standup on 2 January 2023?", l.a(r"(?i)standup", when="2023-01-02"))
    clock("when exactly did I ring or get rung by Mum on 8 January 2023", l.a(r"^Mum rang", when="2023-01-08"))

    # More that only the text tells
    f = lambda rx, w=None, **k: l.a(rx, when=w, **k)
    b.q("count", "frame-count", "How many postcards did I write under the fig tree in 2025?", b.num(8, "postcards", l.n("Wrote eight postcards", when="2025")), b.count(f(r"wrote postcards under the fig tree", "2025")))
    b.q("count", "frame-count", "How often did I photograph the ferry timetable on Naxos?", b.count(l.n("photographed the ferry timetable")), b.count(f("ferry timetable, studied")))
    b.q("most", "frame-most", "Which lunch dish do I eat most often at my desk?", top(b, l, tally(f(r"at my desk$", tag="lunch"), r"^(?:an? |the )?(.*) at my desk$"), people=False))
    b.q("most", "frame-most", "Who did I drink beer with most?", top(b, l, tally(f(r"\bbeers?\b"), "people")))
    b.q("most", "frame-most", "What did Jonas cook most often?", top(b, l, tally(f(r"^Jonas cooked"), r"^Jonas cooked (?:an? )?(.*)$"), people=False), top(b, l, tally(f(r"^(?:Jonas cooked|cooked with Jonas:)"), r"^(?:Jonas cooked|cooked with Jonas:) (?:an? )?(.*)$"), people=False), top(b, l, tally(f(r"^(?:Jonas cooked|Jonas made|cooked with Jonas:)"), r"^(?:Jonas cooked|Jonas made|cooked with Jonas:) (?:an? )?(.*)$"), people=False))
    b.q("longest", "frame-longest", "What was the longest time I spent weeding?", extreme(b, f(r"^weeded")))
    b.q("longest", "frame-longest", "longest call in which Dad rang by mistake", extreme(b, f(r"^Dad rang by mistake")))
    b.q("longest", "frame-longest", "Which chess game with Jonas took longest?", extreme(b, f(r"^chess with Jonas"))) if any(e.minutes for e in f(r"^chess with Jonas")) else None
    b.q("longest", "frame-longest", "What was the longest walk up the abbey steps with Dad?", extreme(b, f(r"abbey steps with Dad")))
    b.q("longest", "frame-longest", "my longest ride with a headwind home", {**b.entry([max(f(r"headwind home"), key=lambda e: e.measures["km"])]), "values": [max(e.measures["km"] for e in f(r"headwind home"))], "unit": "km"})
    b.q("average", "frame-average", "On average, how long does Dad stay on when he rings by mistake?", b.num(round(mean([e.minutes for e in f(r"^Dad rang by mistake") if e.minutes is not None]), 3), "minutes"))
    b.q("average", "frame-average", "Average pages when I read on the sofa?", b.num(round(total(f(r"on the sofa", tag="reading"), "pages") / len(f(r"on the sofa", tag="reading")), 4), "pages"))
    b.q("compare", "frame-compare", "Do I read more pages per sitting on the sofa or in bed?", cmp([round(total(f(x, tag="reading"), "pages") / len(f(x, tag="reading")), 3) for x in (r"on the sofa", r"\bin bed\b")], ["sofa", "bed"], "pages"), cmp([total(f(x, tag="reading"), "pages") for x in (r"on the sofa", r"\bin bed\b")], ["sofa", "bed"], "pages"))
    b.q("compare", "frame-compare", "courgettes or peas: which bed did I dig over more often?", cmp([len(f(rf"^dug over the bed for {x}$")) for x in ("courgettes", "peas")], ["courgettes", "peas"]))
    b.q("compare", "frame-compare", "Did Mum talk more about the new vicar or about the church fête?", cmp([len(f(rf"Mum.*{x}")) for x in ("the new vicar", "the church fête")], ["the new vicar", "the church fête"]))
    b.q("compare", "frame-compare", "hot chocolate or cider with Alex by the canal, what have we had more of?", cmp([len(f(rf"^{x} with Alex by the canal")) for x in ("hot chocolate", "cider")], ["hot chocolate", "cider"]))
    b.q("sum", "frame-sum", "Total kilometres with cake at the far end?", km(f("cake at the far end")))
    b.q("sum", "frame-sum", "How many minutes did I spend with Frau Kruse over the fence in 2023?", b.num(minutes(f("coffee over the fence with Frau Kruse", "2023")), "minutes", f("coffee over the fence with Frau Kruse", "2023")))
    last("first", "frame-first", "first time we had cinnamon buns at Clara's shop", f(r"cinnamon buns with Alex at Clara's"), first=True)
    last("last", "frame-last", "When did I last sort photographs?", f(r"sorted photographs"), f("photographs"))
    b.q("where", "frame-where", "Where did Alex and I drink two small beers?", b.names([["the canal", "canal"]], f("two small beers with Alex")))
    b.q("where", "frame-where", "Where did I have two small lunches with Alex, that is, at which cafés did I lunch with Alex in 2025?".replace("Where did I have two small lunches with Alex, that is, at which cafés did I lunch with Alex in 2025?", "At which cafés did Alex and I have lunch in 2025?"), *[b.names([[p, p.removeprefix("the ")] for p in sorted({e.place for e in x if e.place})], x) for x in (f(r"^lunch with Alex at", "2025"), l.a(tag="lunch", who="Alex Moreau", when="2025"))])


def mean(values):
    return sum(values) / len(values)


def weekday(day):
    import datetime as dt
    return dt.date.fromisoformat(day).weekday()


def cmp(values, labels, unit=None):
    winner = labels[max(range(len(values)), key=lambda i: values[i])] if len(set(values)) > 1 else None
    return {"type": "compare", "values": values, "unit": unit, "labels": labels, "winner": winner, "ids": []}


def top(b, l: Life, counts: Counter, people=True):
    best = max(counts.values())
    names = [k for k, v in counts.items() if v == best]
    a = b.names([l.spellings(n) if people else [n, n.removeprefix("the ")] for n in names])
    return {**a, "top": 1, "people": people, "counts": {n: best for n in names}, **({"anyOf": True} if len(names) > 1 else {})}


def extreme(b, es):
    es = [e for e in es if e.minutes is not None]
    most = max(e.minutes for e in es)
    return b.entry([e for e in es if e.minutes == most], most, "minutes")
