"""Sums, averages, comparisons."""

from life import Life, both, days_between, days_of, minutes, total

MILE = 1.609344
POUND = 0.45359237


def season(year: int, name: str):
    """A season by whole months, and by the sun."""
    months = {"spring": (3, 5, 31, "03-20", "06-20"), "summer": (6, 8, 31, "06-21", "09-22"), "autumn": (9, 11, 30, "09-22", "12-20")}
    a, z, last, sun, end = months[name]
    return (f"{year}-{a:02d}-01", f"{year}-{z:02d}-{last}"), (f"{year}-{sun}", f"{year}-{end}")


def add(b, l: Life) -> None:
    def km(entries, unit="km"):
        t = total(entries, "km")
        return b.num(round(t if unit == "km" else t / MILE, 3), unit, entries)

    def pages(entries):
        return b.num(total(entries, "pages"), "pages", entries)

    def time(entries, unit="minutes"):
        return b.num(round(minutes(entries) / {"minutes": 1, "hours": 60}[unit], 4), unit, entries)

    def q(form, question, answer, *accept, **more):
        b.q("sum", form, question, answer, *accept, **more)

    ride = lambda when=None: l.a(tag="cycling", measure="km", when=when)
    tour = lambda when=None: [e for e in ride(when) if "commute" not in e.tags]
    read = lambda when=None: l.a(tag="reading", when=when)
    foot = lambda when=None: l.a(tag="walking", measure="km", when=when)

    q("sum-measure", "km cycled 2024", km(ride("2024")))
    q("sum-measure", "How many pages did I read in 2025?", pages(read("2025")))
    q("sum-measure", "total pages read last month", pages(read("2025-12")))
    q("sum-measure", "How many kilometres did I walk in Japan?", km(foot(("2025-10-11", "2025-10-26"))))
    q("sum-measure", "how many kilometers did I cycle in July 2023", km(ride("2023-07")))
    q("sum-measure", "What distance did I cover by bike in the second quarter of 2025?", km(ride(("2025-04-01", "2025-06-30"))))
    q("sum-measure", "pages i read last week", pages(read(("2025-12-22", "2025-12-28"))), pages(read(("2025-12-25", "2025-12-31"))), pages(read(("2025-12-21", "2025-12-27"))))
    q("sum-measure", "How many kilometres have I cycled with Jonas?", km(l.a(tag="cycling", who="Jonas Brandt", measure="km")))
    a, z = season(2025, "spring")
    q("sum-measure", "how far did I ride last spring?", km(ride(a)), km(ride(z)), km(tour(a)), km(tour(z)))
    a, z = season(2024, "summer")
    q("sum-measure", "Pages in summer 2024", pages(read(a)), pages(read(z)))

    q("sum-unit-converted", "How many miles did I cycle in 2024?", km(ride("2024"), "miles"))
    q("sum-unit-converted", "miles ridden to work in 2025", km(l.a(tag="commute", when="2025"), "miles"))
    q("sum-unit-converted", "How many miles did I walk on Naxos in August 2023?", km(foot("2023-08"), "miles"))
    q("sum-unit-converted", "how many metres did I cycle on 7 january 2023 to 31 january 2023", b.num(total(ride(("2023-01-07", "2023-01-31")), "km") * 1000, "m"), km(ride(("2023-01-07", "2023-01-31"))))
    q("sum-unit-converted", "How many hours did I spend at choir in 2024?", time(l.a(tag="choir", when="2024"), "hours"))
    q("sum-unit-converted", "hours of Italian in 2023", time(l.a(tag="italian", when="2023"), "hours"))
    q("sum-unit-converted", "How many minutes did I talk to Mum on the phone in 2024?", time(l.a(tag="call", who="Margaret Ashworth", when="2024")))
    q("sum-unit-converted", "How many hours did I sleep last week?", *[b.num(round(sum(m.value for m in l.m("sleepMinutes", w)) / 60, 3), "hours") for w in (("2025-12-22", "2025-12-28"), ("2025-12-25", "2025-12-31"), ("2025-12-21", "2025-12-27"))])
    q("sum-unit-converted", "miles on foot in Rome?", km(foot(("2024-10-03", "2024-10-07")), "miles"))

    q("sum-time", "How much time did I spend sailing in 2024?", time(l.a(tag="sailing", when="2024")))
    q("sum-time", "How long did I spend in meetings in May 2025?", time(l.a(tag="meeting", when="2025-05")))
    q("sum-time", "total time reading in March 2025", time(read("2025-03")))
    q("sum-time", "how much time did I spend at the allotment in spring 2023", *[time(l.a(place="^the allotment$", when=w)) for w in season(2023, "spring")])
    q("sum-time", "How long did the reviews take altogether in October 2024?", time(l.a(tag="review", when="2024-10")), time(l.a(r"(?i)\breview\b", tag="meeting", when="2024-10")))

    def steps(when):
        return b.num(sum(m.value for m in l.m("steps", when)), "steps")
    q("sum-metric", "How many steps did I take in June 2025?", steps("2025-06"))
    q("sum-metric", "steps yesterday", steps("2025-12-31"))
    q("sum-metric", "total steps in 2023", steps("2023"))
    q("sum-metric", "How many steps between 3 and 7 October 2024?", steps(("2024-10-03", "2024-10-07")))

    # Figures read from a sentence
    book = lambda title: l.a(f"\"{title}\"")
    patient = l.a(tag="reading", when=("2024-08-29", "2024-09-11"))
    named = both(book("The Patient House"), l.a(r"Leo Castellane"))
    q("frame-sum", "How many pages of \"The Patient House\" did I note down?", pages(book("The Patient House")), pages(named), pages(patient))
    q("frame-sum", "how many pages by Oona Winterbourne in March 2023?", pages(l.a("Oona Winterbourne", when="2023-03")), pages([e for e in both(l.a("Oona Winterbourne", when="2023-03"), book("The Ledger at Kirkwall"))]), pages(l.a(tag="reading", when=("2023-03-02", "2023-03-15"))))
    q("frame-sum", "How many kilometres of cobbles did I walk in 2025?", km(l.a(r"km of cobbles", when="2025")))
    q("frame-sum", "How many km did I cycle through the marsh in 2023?", km(l.a(r"^cycled .* through the marsh", when="2023")))
    q("frame-sum", "how many pages have I read in bed in 2025", pages(l.a(r"\bin bed\b", tag="reading", when="2025")))
    q("frame-sum", "How many pages did I read with tea in 2024?", pages(l.a(r"with tea", tag="reading", when="2024")))
    q("frame-sum", "seedlings pricked out in 2023, all told", b.num(55, "seedlings", l.n("Pricked out", when="2023")))
    months = [f"2024-{m:02d}" for m in range(1, 13)]
    q("group-month", "Pages read by month in 2024", b.nums([total(read(m), "pages") for m in months], "pages", months, read("2024")))
    q("group-month", "km on the bike each month of 2025", b.nums([total(ride(f"2025-{m:02d}"), "km") for m in range(1, 13)], "km", [f"2025-{m:02d}" for m in range(1, 13)]))
    q("group-year", "kilometres cycled per year", b.nums([total(ride(y), "km") for y in ("2023", "2024", "2025")], "km", ["2023", "2024", "2025"]))
    days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    q("group-weekday", "pages by weekday in 2025", b.nums([total([e for e in read("2025") if e.date.weekday() == d], "pages") for d in range(7)], "pages", days))
    q("join-day", "How many pages did I read on the days I went to choir in 2024?", pages(on(l, read("2024"), l.a(tag="choir", when="2024"))))
    q("join-day", "How many steps did I take on the day I passed the sailing exam?", steps("2024-09-12"))
    q("join-day", "how many km did I cycle on days with pottery", km(on(l, ride(), l.a(tag="pottery"))), km(on(l, ride(), l.a(tag="pottery", kind="learning"))))

    # Averages
    def avg(form, question, answer, *accept, **more):
        b.q("average", form, question, answer, *accept, **more)

    def per(value, count, unit, entries=()):
        return b.num(round(value / count, 4), unit, entries)

    def metric(name, when, unit, factor=1.0):
        m = l.m(name, when)
        return b.num(round(sum(x.value for x in m) / len(m) * factor, 3), unit)

    def mood(entries, field="mood"):
        v = [getattr(e, field) for e in entries if getattr(e, field)]
        return b.num(round(sum(v) / len(v), 3), field, [e for e in entries if getattr(e, field)])

    avg("average-metric", "What was my average number of steps per day in June 2025?", metric("steps", "2025-06", "steps"))
    avg("average-metric", "average sleep in January 2024", metric("sleepMinutes", "2024-01", "minutes"))
    avg("average-metric", "How many hours a night did I sleep on average in 2023?", metric("sleepMinutes", "2023", "hours", 1 / 60))
    avg("average-metric", "mean resting heart rate 2025", metric("restingHeartRate", "2025", "bpm"))
    avg("average-metric", "avg steps last month", metric("steps", "2025-12", "steps"))
    avg("average-metric", "What's my average resting heart rate since September 2025?", metric("restingHeartRate", ("2025-09-01", "2025-12-31"), "bpm"))

    avg("average-mood", "What was my average mood in March 2024?", mood(l.n(when="2024-03")))
    avg("average-mood", "average energy 2025", mood(l.n(when="2025"), "energy"))
    avg("average-mood", "how was my mood on average in autumn 2023?", *[mood(l.n(when=w)) for w in season(2023, "autumn")])
    avg("average-mood", "mean mood on Naxos in August 2025", mood(l.n(when=("2025-08-02", "2025-08-16"))), mood(l.n(when=("2025-08-03", "2025-08-15"))))

    avg("average-per-time", "How many pages do I read per sitting on average?", per(total(read(), "pages"), len(read()), "pages"))
    avg("average-per-time", "average length of a bike ride in 2025, commuting left out", per(total(tour("2025"), "km"), len(tour("2025")), "km"))
    avg("average-per-time", "What was the average distance of my rides to the dyke?", per(total(l.a(r"^ride to the dyke"), "km"), len(l.a(r"^ride to the dyke")), "km"))
    avg("average-per-time", "how long is choir on average", per(minutes(l.a(tag="choir")), sum(e.minutes is not None for e in l.a(tag="choir")), "minutes"))
    avg("average-per-time", "Average length of a standup in minutes, 2024", per(minutes(l.a(r"(?i)standup", when="2024")), sum(e.minutes is not None for e in l.a(r"(?i)standup", when="2024")), "minutes"))
    mum = l.a(tag="call", who="Margaret Ashworth", when="2025")
    avg("average-per-time", "How long were my calls with Mum on average in 2025?", per(minutes(mum), sum(e.minutes is not None for e in mum), "minutes"))
    avg("average-per-time", "How many kilometres did I walk on average on a walking day in Japan?", per(total(foot(("2025-10-11", "2025-10-26")), "km"), len(foot(("2025-10-11", "2025-10-26"))), "km"))
    avg("average-per-time", "average miles per ride to the dyke", per(total(l.a(r"^ride to the dyke"), "km") / MILE, len(l.a(r"^ride to the dyke")), "miles"))

    def each(question, form, value, unit, when, period):
        n = len(days_between(when))
        denominators = {"day": [n], "week": [n / 7, round(n / 7), weeks(when)], "month": [12 if len(when) == 4 else 1]}[period]
        avg(form, question, *[per(value, d, unit) for d in denominators])

    avg("average-per-day", "How many pages a day did I read on average in 2024?", per(total(read("2024"), "pages"), 366, "pages"), per(total(read("2024"), "pages"), len(days_of(read("2024"))), "pages"))
    avg("average-per-day", "average pages per day in Nov 2025", per(total(read("2025-11"), "pages"), 30, "pages"), per(total(read("2025-11"), "pages"), len(days_of(read("2025-11"))), "pages"))
    avg("average-per-day", "meetings per working day in June 2025?", *[per(len(l.a(tag="meeting", when="2025-06")), d, None) for d in (len(days_of(l.a(kind="work", when="2025-06"))), len(days_of(l.a(tag="meeting", when="2025-06"))), 21, 20)])
    each("How many km a week did I cycle in 2024?", "average-per-week", total(ride("2024"), "km"), "km", "2024", "week")
    each("pages per week in 2025 on average", "average-per-week", total(read("2025"), "pages"), "pages", "2025", "week")
    each("How often per week did I cycle to work in 2025?", "average-per-week", len(l.a(tag="commute", when="2025")), None, "2025", "week")
    each("on average how many lunches with colleagues or friends a week in 2023", "average-per-week", len([e for e in l.a(tag="lunch", when="2023") if e.people]), None, "2023", "week")
    each("How many books did I finish per month in 2024?", "average-per-month", len(l.a(r"^finished \"", when="2024")), None, "2024", "month")
    each("avg km cycled per month 2023", "average-per-month", total(ride("2023"), "km"), "km", "2023", "month")
    each("how many phone calls a month with Mum on average in 2024", "average-per-month", len(l.a(tag="call", who="Margaret Ashworth", when="2024")), None, "2024", "month")
    kg = l.a(measure="kg", when="2024")
    avg("average-measure", "What did I weigh on average in 2024?", per(total(kg, "kg"), len(kg), "kg"))
    kg = l.a(measure="kg", when="2023")
    avg("average-measure", "average weight in pounds, 2023", per(total(kg, "kg") / POUND, len(kg), "lb"))
    avg("join-day", "What was my mood on days I cycled to work in 2024?", mood([e for e in l.n(when="2024") if e.day in days_of(l.a(tag="commute", when="2024"))]))
    avg("join-day", "Average mood on choir days?", mood([e for e in l.n() if e.day in days_of(l.a(tag="choir"))]))
    ridden = set(days_of(ride("2025")))
    s = [m.value for m in l.m("steps", "2025") if m.day in ridden]
    avg("join-day", "how many steps on average on days I cycled in 2025?", b.num(round(sum(s) / len(s), 3), "steps"))
    ill = set(days_of(l.a(tag="ill")))
    s = [m.value for m in l.m("sleepMinutes") if m.day in ill]
    avg("join-day", "How long did I sleep on average on days I was ill?", b.num(round(sum(s) / len(s), 3), "minutes"))
    s = [m.value for m in l.m("restingHeartRate") if m.day in ill]
    avg("join-day", "average resting heart rate on days when I was ill", b.num(round(sum(s) / len(s), 3), "bpm"))
    avg("negation", "Average mood on days without work in 2025?", *[mood([e for e in l.n(when="2025") if e.day not in days_of(x)]) for x in (l.a(kind="work", when="2025"), l.a(tag="work", when="2025"))])
    avg("frame-average", "How many seedlings did I prick out per go, on average?", per(31 + 24 + 22 + 47, 4, "seedlings"))
    avg("frame-average", "average number of mince pies Mum made", per(59 + 76, 2, "pies"))
    marsh = l.a(r"^cycled .* through the marsh")
    avg("frame-average", "How far do I cycle through the marsh on average?", per(total(marsh, "km"), len(marsh), "km"))
    head = l.a(r"headwind home", when="2024")
    avg("frame-average", "average km when there was a headwind home in 2024", per(total(head, "km"), len(head), "km"))
    end = l.a(r"before the light went out", when="2025")
    avg("frame-average", "How many pages did I manage on average before the light went out, in 2025?", per(total(end, "pages"), len(end), "pages"))

    # Comparisons
    def cmp(form, question, values, unit=None, labels=(), entries=(), *accept, **more):
        def answer(v):
            winner = labels[max(range(len(v)), key=lambda i: v[i])] if labels and len(set(v)) > 1 else None
            return {"type": "compare", "values": list(v), "unit": unit, "labels": list(labels), "winner": winner, "ids": [e.id for e in entries]}
        b.q("compare", form, question, answer(values), *[answer(a) for a in accept], **more)

    y = ["2023", "2024"]
    cmp("compare-periods", "Did I read more pages in 2023 or 2024?", [total(read(x), "pages") for x in y], "pages", y)
    cmp("compare-periods", "compare cycling in 2024 and 2025", [total(ride(x), "km") for x in ("2024", "2025")], "km", ["2024", "2025"], (), [len(l.a(tag="cycling", when=x)) for x in ("2024", "2025")],
        [round(minutes(l.a(tag="cycling", when=x)), 3) for x in ("2024", "2025")])
    cmp("compare-periods", "km cycled: 2023 vs 2025", [total(ride(x), "km") for x in ("2023", "2025")], "km", ["2023", "2025"])
    cmp("compare-periods", "Did I sleep better in June or in December 2025?", [round(sum(m.value for m in l.m("sleepMinutes", x)) / len(l.m("sleepMinutes", x)), 3) for x in ("2025-06", "2025-12")], "minutes", ["June", "December"], (),
        [sum(m.value for m in l.m("sleepMinutes", x)) for x in ("2025-06", "2025-12")])
    cmp("compare-periods", "Was I in a better mood in spring 2024 than in autumn 2024?", [round(avgmood(l, season(2024, s)[0]), 3) for s in ("spring", "autumn")], None, ["spring", "autumn"], (), [round(avgmood(l, season(2024, s)[1]), 3) for s in ("spring", "autumn")])
    cmp("compare-periods", "more steps in July 2024 or July 2025?", [sum(m.value for m in l.m("steps", x)) for x in ("2024-07", "2025-07")], "steps", ["July 2024", "July 2025"], (),
        [round(sum(m.value for m in l.m("steps", x)) / 31, 3) for x in ("2024-07", "2025-07")])
    cmp("compare-periods", "How many books did I finish in 2024 compared with 2025?", [len(l.a(r"^finished \"", when=x)) for x in ("2024", "2025")], None, ["2024", "2025"])
    cmp("compare-periods", "choir 2023 versus 2024", [len(l.a(tag="choir", when=x)) for x in y], None, y, (), [round(minutes(l.a(tag="choir", when=x)), 2) for x in y])
    cmp("compare-periods", "Did I go to more meetings in the first or the second half of 2024?", [len(l.a(tag="meeting", when=x)) for x in (("2024-01-01", "2024-06-30"), ("2024-07-01", "2024-12-31"))], None, ["first half", "second half"])
    cmp("compare-periods", "pages: last month against November", [total(read(x), "pages") for x in ("2025-12", "2025-11")], "pages", ["December", "November"])
    cmp("compare-periods", "did i call Mum more often in 2024 or 2025", [len(l.a(tag="call", who="Margaret Ashworth", when=x)) for x in ("2024", "2025")], None, ["2024", "2025"], (),
        [len(l.a(r"^(rang Mum|call with Mum|Sunday call with Mum)", when=x)) for x in ("2024", "2025")])
    cmp("compare-periods", "Did I walk more kilometres in Rome or in Lisbon?", [total(foot(x), "km") for x in (("2024-10-03", "2024-10-07"), ("2024-03-28", "2024-04-02"))], "km", ["Rome", "Lisbon"])
    cmp("compare-periods", "weekends or weekdays: when do I read more pages in 2025?", [total([e for e in read("2025") if (e.date.weekday() > 4) == w], "pages") for w in (True, False)], "pages", ["weekends", "weekdays"], (),
        [round(total([e for e in read("2025") if (e.date.weekday() > 4) == w], "pages") / n, 3) for w, n in ((True, 104), (False, 261))])

    def pair(form, question, a, c, labels, unit=None, *accept):
        cmp(form, question, [len(a), len(c)], unit, labels, [*a, *c], *accept)

    def together(who, when):
        return l.a(who=who, when=when)
    pair("compare-people", "Who did I see more often in 2024, Leyla or Clara?", together("Leyla Yıldız", "2024"), together("Clara Weiss", "2024"), ["Leyla", "Clara"], None,
         *[[len(l.a(who="Leyla Yıldız", when="2024", not_=x)), len(l.a(who="Clara Weiss", when="2024", not_=y))]
           for x in ("birthday", "(?!)") for y in ("Clara's shop", "(?!)")])
    pair("compare-people", "lunch with Carla or with Hanna, which was more frequent in 2025?", l.a(tag="lunch", who="Carla Fontana", when="2025"), l.a(tag="lunch", who="Hanna Koskinen", when="2025"), ["Carla", "Hanna"])
    pair("compare-people", "Did I talk to Mum or Dad on the phone more often in 2023?", l.a(tag="call", who="Margaret Ashworth", when="2023"), l.a(tag="call", who="Peter Ashworth", when="2023"), ["Mum", "Dad"])
    pair("compare-people", "sailing: more often with Philipp or with Eva?", l.a(tag="sailing", who="Philipp Nagel"), l.a(tag="sailing", who="Eva Thorn"), ["Philipp", "Eva"])
    pair("compare-things", "Do I go to choir or to pottery more often? (2025)", l.a(tag="choir", when="2025"), l.a(tag="pottery", when="2025"), ["choir", "pottery"], None, [len(l.a(tag="choir", when="2025")), len(l.a(tag="pottery", when="2025", kind="learning"))])
    pair("compare-things", "Was I at Zur Schleuse or at Bar Zentral more often?", l.a(place="^Zur Schleuse$"), l.a(place="^Bar Zentral$"), ["Zur Schleuse", "Bar Zentral"])
    pair("compare-things", "museum or concert with Alex, what was more often?", l.a(r"^museum with Alex"), l.a(r"^concert with Alex"), ["museum", "concert"])
    pair("compare-things", "sailing against Italian in 2024, number of times", l.a(tag="sailing", when="2024"), l.a(tag="italian", when="2024"), ["sailing", "Italian"])
    pair("compare-things", "Which have I played more often with Jonas, chess or backgammon?", l.a(r"^chess with Jonas"), l.a(r"^backgammon with Jonas"), ["chess", "backgammon"])
    pair("frame-compare", "Did I eat more soup on the harbour steps or at home with bread?", l.a(r"(soup|minestrone) .*on the harbour steps|soup on the harbour steps"), l.a(r"soup.* and bread$"), ["on the harbour steps", "with bread"])
    pair("frame-compare", "dumplings or ramen at my desk: which more often?", l.a(r"^dumplings at my desk"), l.a(r"ramen at my desk"), ["dumplings", "ramen"])
    pair("frame-compare", "Did I ring Mum more often than she rang me in 2025?", l.a(r"^rang Mum", when="2025"), l.a(r"^Mum rang", when="2025"), ["I rang Mum", "Mum rang"], None,
         [len(l.a(r"^(rang Mum|call with Mum|Sunday call)", when="2025")), len(l.a(r"^Mum (rang|on the phone)", when="2025"))], [len(l.a(r"^rang Mum", when="2025")), len(l.a(r"^Mum (rang|on the phone)", when="2025"))])
    pair("frame-compare", "Who left or brought cake to work more often, Hanna or Deniz?", l.a(r"(cake|tart|parkin|drizzle|buns) from Hanna|Hanna's leftover"), l.a(r"(cake|tart|parkin|drizzle|buns) from Deniz|Deniz's leftover"), ["Hanna", "Deniz"])
    pair("frame-compare", "did we watch more films at the Metropol or the Atlas", l.a(place="^the Metropol$"), l.a(place="^the Atlas$"), ["the Metropol", "the Atlas"], None, [len(l.a(place="^the Metropol$", tag="film")), len(l.a(place="^the Atlas$", tag="film"))])
    pair("frame-compare", "mussels or green curry: which have I cooked more often?", l.a(r"mussels", tag="cooking"), l.a(r"green curry", tag="cooking"), ["mussels", "green curry"], None,
         *[[len(l.a(x % "mussels")), len(l.a(x % "green curry"))] for x in (r"\b%s\b", r"^(cooked|made|tried|cooked with Jonas:).*%s")])


def on(l: Life, entries, others):
    days = {e.day for e in others}
    return [e for e in entries if e.day in days]


def avgmood(l: Life, when):
    v = [e.mood for e in l.n(when=when) if e.mood]
    return sum(v) / len(v)


def weeks(when):
    import datetime as dt
    return len({dt.date.fromisoformat(d).isocalendar()[:2] for d in days_between(when)})
