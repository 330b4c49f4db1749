"""Further questions over the sample life, as other people type them: how many, how much, how these compare."""

import datetime as dt
import re
from collections import Counter

from families import more_lists, more_names
from families.answers import MILE, WEEKDAYS, YEARS, Answers, mean, month, weekday, within, year
from families.numbers import season
from life import Life, both, days_between, days_of, minutes, tally, total


def add(b, l: Life) -> None:
    a = Answers(b, l)
    counts(b, l, a)
    sums(b, l, a)
    averages(b, l, a)
    compare(b, l, a)
    more_names.add(b, l, a)
    more_lists.add(b, l, a)


def counts(b, l: Life, a: Answers) -> None:
    def q(form, question, answer, *accept, **more):
        b.q("count", form, question, answer, *accept, **more)

    n = lambda *groups: [b.count(g) for g in groups]
    q("more-count", "How many times did I fly to Manchester?", *n(l.a("Flight Hamburg–Manchester")))
    q("more-count", "flights taken 2024", *n(l.a("(?i)flight", "2024")))
    ironing, told = l.a("ironing"), l.n("(?i)ironing")
    q("more-count", "Do I ever iron, and if so, how often have I done it?", b.count(ironing), b.countdays(both(ironing, told)))
    q("more-count", "How many times was I surprised by somebody I know in 2025 — bumped into, ran into, met by chance and so on?", *n(l.a(tag="people", when="2025"), l.a(r"^(bumped|ran) into|by chance$", "2025")))
    q("more-count-person", "no. of one-to-ones with Agnes in 2023", *n(l.a(tag="1:1", who="Agnes Lindholm", when="2023")))
    q("more-count-person", "How many times was it Wiebke I lunched with in 2024?", *n(l.a(tag="lunch", who="Wiebke Jansen", when="2024")))
    q("more-count", "How many times was the shed door repaired in 2024?", *n(l.a("repaired the shed door", "2024")))
    q("more-count-person", "how many dinners with Jonas in 2025, going out", *n(l.a(tag="dinner", tags=["jonas"], when="2025"), l.a(tag="dinner", who="Jonas Brandt", when="2025"), [e for e in l.a(tag="dinner", tags=["jonas"], when="2025") if e.place]))
    crime = l.a("crime series with Jonas")
    q("more-count", "How many evenings went on crime series with Jonas?", b.count(crime), b.num(len(set(days_of(both(crime, l.n("(?i)crime series"))))), "days"))
    lorry = l.a("two brothers and a lorry")
    q("more-count", "How often have I seen the film about the two brothers and the lorry?", b.count(lorry), b.countdays(both(lorry, l.n("two brothers and a lorry"))))
    q("more-count", "count my visits to Dr Şahin", *n(l.a("Dr. Şahin"), l.a(who="Dr. Ömer Şahin")))
    q("more-count-time", "standups in Q1 2025?", *n(l.a("(?i)stand-?up", ("2025-01-01", "2025-03-31"))))
    q("more-count-days", "how many days was I poorly in 2024", b.countdays(l.a(tag="ill", when="2024")))
    q("more-count-days", "How many day notes did I write in the whole of 2024?", *n(l.n(when="2024"), [x for x in l.n(when="2024") if x.text]))
    q("more-negation", "On how many days in February 2024 did I not write a note for the day?", a.without("2024-02", l.n(when="2024-02")))
    q("more-count-time", "How many Mondays in 2025 did I bike in to work?", *n(l.a(tag="commute", when="2025", weekday=0)))
    q("more-threshold", "how many lunches in 2025 went on for more than three quarters of an hour", b.count([e for e in l.a(tag="lunch", when="2025") if (e.minutes or 0) > 45]))
    q("more-threshold", "number of phone calls under 20 min in 2024", b.count([e for e in l.a(tag="call", when="2024") if e.minutes is not None and e.minutes < 20]))
    nights = [m.day for m in l.m("sleepMinutes", "2025") if m.value >= 480]
    q("more-threshold", "On how many nights did I get at least eight hours' sleep in 2025?", b.num(len(nights), "days", days=nights))
    lazy = [m.day for m in l.m("steps", "2025-12") if m.value < 8000]
    q("more-threshold", "days with fewer than 8,000 steps in Dec 2025", b.num(len(lazy), "days", days=lazy))
    q("more-count-person", "How many times did I see Thea or Amara in 2025?", *n([e for e in l.a(when="2025") if {"Thea Martens", "Amara Diallo"} & set(e.people)]))
    q("more-count-person", "In 2025, how many meetings had both Sarah and Hanna in them?", *n([e for e in l.a(tag="meeting", when="2025") if {"Sarah Okafor", "Hanna Koskinen"} <= set(e.people)]))
    q("more-count-distinct", "How many different cinemas have I been to?", b.num(len({e.place for e in l.a(tag="film") if e.place}), "places", l.a(tag="film")))
    titles = tally(l.a('^finished "'), r'^finished "(.*?)"')
    q("more-count-distinct", "how many diffrent books have i finished since 2023", b.num(len(titles), "entries", l.a('^finished "')), b.count(l.a('^finished "')))
    letters = l.a("^a long letter to")
    q("more-count-distinct", "To how many people have I written long letters?", b.num(len(tally(letters, "people")), "people", letters))
    q("more-group", "lunches per weekday in 2024", a.groups(l.a(tag="lunch", when="2024"), weekday, WEEKDAYS))
    q("more-group", "calls with Dad broken down by year", a.groups(l.a(tag="call", who="Peter Ashworth"), year, YEARS))
    q("more-group", "How often did I go sailing in each month of 2025?", a.groups(l.a(tag="sailing", when="2025"), month, "April May June July August September October".split()))
    q("more-count-now", "how many times have I been to the pottery this year", *n(l.a(tag="pottery", when=("2025-01-01", "2025-06-30")), l.a(tag="pottery", kind="learning", when=("2025-01-01", "2025-06-30"))), now="2025-06-30T20:00:00Z")
    q("more-count-time", "How many times did I bake on a Sunday in 2024?", *n(l.a(tag="baking", when="2024", weekday=6), both(l.a(tag="baking", when="2024", weekday=6), l.a("^baked", "2024", weekday=6))))
    q("more-typo", "how mny times did i go to teh allotmnt in 2025", b.count(l.a(place="^the allotment$", when="2025")), b.countdays(l.a(place="^the allotment$", when="2025")))
    q("more-count", "How many times did the bank turn out to be shut?", *n(l.a("^the bank: closed")))
    q("more-nested-time", "How many meetings did I have in the week after Easter Monday 2025?", *n(*[l.a(tag="meeting", when=w) for w in (("2025-04-22", "2025-04-27"), ("2025-04-22", "2025-04-28"), ("2025-04-28", "2025-05-04"))]))
    q("more-nested-time", "lunches with Carla in the first ten days of April 2024", *n(l.a(tag="lunch", who="Carla Fontana", when=("2024-04-01", "2024-04-10"))))
    q("more-nested-time", "how often did I bake in the twelve months up to the end of June 2025", *n(l.a(tag="baking", when=("2024-07-01", "2025-06-30")), both(l.a(tag="baking", when=("2024-07-01", "2025-06-30")), l.a("^baked", ("2024-07-01", "2025-06-30")))))
    q("more-count", "How many books were finished in 2023?", *n(l.a('^finished "', "2023")))
    q("more-join-day", "On how many choir days in 2025 did I also ride my bike to the office?", b.num(len(set(days_of(l.a(tag="choir", when="2025"))) & set(days_of(l.a(tag="commute")))), "days"))


def sums(b, l: Life, a: Answers) -> None:
    def q(form, question, answer, *accept, **more):
        b.q("sum", form, question, answer, *accept, **more)

    ride = lambda when=None, **k: l.a(tag="cycling", measure="km", when=when, **k)
    read = lambda when=None: l.a(tag="reading", when=when)
    foot = lambda when: l.a(tag="walking", measure="km", when=when)
    q("more-sum", "bike march 2025 total km", a.sum(ride("2025-03"), "km"))
    q("more-sum", "Could you please tell me how many pages I managed to read altogether between the beginning of April and the end of June 2023?", a.sum(read(("2023-04-01", "2023-06-30")), "pages"))
    q("more-sum", "how far did i walk in lisbon and rome together", a.sum(both(foot(("2024-03-28", "2024-04-02")), foot(("2024-10-03", "2024-10-07"))), "km"))
    q("more-sum-metric", "total hours slept in February 2024", b.num(round(sum(m.value for m in l.m("sleepMinutes", "2024-02")) / 60, 4), "hours"))
    q("more-sum-time", "How many hours were swallowed up by one-to-ones in 2025?", a.time(l.a(tag="1:1", when="2025"), "hours"))
    q("more-sum-time", "hours of paperwork last year", a.time(l.a(tag="paperwork", when="2025"), "hours"))
    q("more-sum-time", "minutes on the phone in May 2024 all told", a.time(l.a(tag="call", when="2024-05")), a.time([e for e in l.a(tag="call", when="2024-05") if not re.search("letter|parcel", e.text)]))
    q("more-sum-time", "How long have I spent at the wheel (pottery) altogether, in hours?", a.time(l.a("^at the wheel"), "hours"), a.time(l.a(tag="pottery"), "hours"), a.time(l.a(tag="pottery", kind="learning"), "hours"))
    q("more-sum-metric", "steps on Christmas Day, all three years added up", b.num(sum(m.value for y in YEARS for m in l.m("steps", f"{y}-12-25")), "steps"))
    q("more-sum", "How many pages did I get through while I was in Japan?", *[a.sum(read(w), "pages") for w in (("2025-10-11", "2025-10-26"), ("2025-10-12", "2025-10-25"), ("2025-10-12", "2025-10-26"), ("2025-10-11", "2025-10-25"))])
    q("more-sum", "pages read on Sundays in 2024", a.sum(l.a(tag="reading", when="2024", weekday=6), "pages"))
    q("more-sum", "miles cycled with Jonas in 2025", a.sum(l.a(tag="cycling", who="Jonas Brandt", measure="km", when="2025"), "km", "miles", 1 / MILE))
    tours = [e for e in ride(("2023-10-01", "2023-12-31")) if "commute" not in e.tags]
    q("more-negation", "How many kilometres did I ride in the last quarter of 2023 if you leave out the rides to work?", a.sum(tours, "km"))
    weekend = [e for e in ride("2024") if e.date.weekday() > 4]
    q("more-sum", "What's my total distance on the bike at weekends in 2024?", a.sum(weekend, "km"))
    choir = within(l.a(tag="choir", when="2025"), days_of(l.a(tag="commute")))
    q("more-join-day", "How much time did I spend at choir in 2025 on days I had also cycled to work?", a.time(choir))
    q("more-group", "pages in each quarter of 2025", a.groups(read("2025"), lambda e: f"Q{(e.date.month + 2) // 3}", ["Q1", "Q2", "Q3", "Q4"], "pages", "pages"))
    q("more-group", "steps per month in 2023",
      b.nums([sum(m.value for m in l.m("steps", f"2023-{i:02d}")) for i in range(1, 13)], "steps", [f"2023-{i:02d}" for i in range(1, 13)]))
    q("more-sum-now", "pages so far this year?", a.sum(read(("2024-01-01", "2024-05-15")), "pages"), now="2024-05-15T20:00:00Z")
    christmas = [(f"2023-12-{d}", z) for d in (25, 26, 27) for z in ("2023-12-30", "2023-12-31", "2024-01-01")]
    q("more-nested-time", "pages between Christmas and New Year 2023", *[a.sum(read(w), "pages") for w in christmas])
    q("more-nested-time", "How many km did I cycle in the month before last?", a.sum(ride("2024-09"), "km"), now="2024-11-15T10:00:00Z")
    title = tally(l.a('^began ".*" by Oona Farthing'), r'^began "(.*?)"')
    named = l.a("Oona Farthing", tag="reading")
    q("more-sum", "How many pages of Oona Farthing have I noted?", a.sum(named, "pages"), a.sum(both(named, *[l.a(f'"{t}"', tag="reading") for t in title]), "pages"))
    q("more-sum", "kms on the dyke rides in 2024", a.sum(l.a("^ride to the dyke", "2024"), "km"))
    q("more-typo", "hwo many pges did I read on the sofa in 2023", a.sum(l.a("on the sofa", "2023", tag="reading"), "pages"))


def averages(b, l: Life, a: Answers) -> None:
    def q(form, question, answer, *accept, **more):
        b.q("average", form, question, answer, *accept, **more)

    workday = lambda d: dt.date.fromisoformat(d).weekday() < 5
    q("more-average-metric", "How much do I sleep on average on workdays?", a.metric("sleepMinutes", "minutes", days=workday), a.metric("sleepMinutes", "minutes", days=days_of(l.a(kind="work"))), a.metric("sleepMinutes", "minutes", days=days_of(l.a(tag="work"))))
    q("more-average-metric", "average steps on days I went sailing", a.metric("steps", "steps", days=days_of(l.a(tag="sailing"))))
    bed = l.a(r"\bin bed\b", tag="reading")
    q("more-average", "when I read in bed, how many pages is it on average?", a.per(total(bed, "pages"), len(bed), "pages", bed))
    kg = l.a(measure="kg", when="2025")
    q("more-average", "how heavy am i on average this year", a.per(total(kg, "kg"), len(kg), "kg", kg), now="2025-12-31T20:00:00Z")
    q("more-average", "typical length of a lunch with Carla, in minutes", a.length(l.a(tag="lunch", who="Carla Fontana")))
    q("more-average", "How long does a retro take on average?", a.length(l.a(tag="retro")), a.length(l.a("(?i)retro", tag="meeting")))
    q("more-average-metric", "average resting heart rate from 2 to 16 August 2025", a.metric("restingHeartRate", "bpm", ("2025-08-02", "2025-08-16")))
    films = l.a(tag="film", when="2023")
    q("more-average-per", "How many times a month did I go to the cinema on average in 2023?", a.per(len(films), 12), a.per(len(both(films, l.a(r"\bfilm\b", "2023"))), 12))
    mum = l.a(tag="call", who="Margaret Ashworth", when="2025")
    q("more-average-per", "how often per week was Mum on the phone in 2025, on average?", *[a.per(len(mum), d) for d in (365 / 7, 52, 53)])
    q("more-average-mood", "avg energy on Mondays in 2024", a.feeling([x for x in l.n(when="2024") if x.date.weekday() == 0], "energy"))
    alex = "Alex Moreau"
    q("more-join-day", "What's my mood like, on average, on days when I see Alex Moreau?", a.feeling(within(l.n(), days_of(l.a(who=alex)))), a.feeling(within(l.n(), days_of(both(l.a(who=alex), l.n(who=alex))))))
    q("more-average-per", "Average number of meetings a week, 2024?", *[a.per(len(l.a(tag="meeting", when="2024")), d) for d in (366 / 7, 52, 53)])
    short = {m.day for m in l.m("sleepMinutes") if m.value < 390}
    if any(x.mood for x in l.n() if x.day in short):
        q("more-join-day", "How is my mood on average on days when I slept less than six and a half hours?", a.feeling(within(l.n(), short)))
    still = set(days_between("2024")) - set(days_of(l.a(tag="cycling")))
    q("more-negation", "average steps on days without a bike ride in 2024", a.metric("steps", "steps", "2024", still))
    q("more-average", "Mean distance of a weekend ride in 2025?", *[a.per(total(x, "km"), len(x), "km", x) for x in ([e for e in l.a(tag="cycling", measure="km", when="2025") if e.date.weekday() > 4],)])
    day = [dt.date.fromisoformat(d) for d in days_of(l.a(tag="choir", when="2024"))]
    q("more-nested-time", "mean steps a day in the three weeks up to 21 June 2025", *[a.metric("steps", "steps", (d, "2025-06-21")) for d in ("2025-06-01", "2025-05-31")], a.metric("steps", "steps", ("2025-05-31", "2025-06-20")))
    q("more-average", "On average, how many days lie between one choir evening and the next in 2024?", a.per((day[-1] - day[0]).days, len(day) - 1, "days"))
    q("more-average", "average length of a trip on the water with Philipp, in hours", a.length(l.a(tag="sailing", who="Philipp Nagel"), "hours"))


def compare(b, l: Life, a: Answers) -> None:
    def q(form, question, answer, *accept, **more):
        b.q("compare", form, question, answer, *accept, **more)

    n = lambda *groups: [len(g) for g in groups]
    ride = lambda when=None, **k: l.a(tag="cycling", measure="km", when=when, **k)
    read = lambda when=None, **k: l.a(tag="reading", when=when, **k)
    pages = lambda *groups: [total(g, "pages") for g in groups]
    km = lambda *groups: [total(g, "km") for g in groups]
    avg = lambda name, *whens, days=lambda d: True: [mean(m.value for m in l.m(name, w) if days(m.day)) for w in whens]
    late = "2025-12-31T20:00:00Z"
    pair = ["2025", "2024"]
    q("more-periods", "am I reading more than last year?", a.versus(pages(*map(read, pair)), pair, "pages"), a.versus(n(*map(read, pair)), pair), a.versus([minutes(read(y)) for y in pair], pair, "minutes"), now=late)
    q("more-periods", "Am I cycling less than I did last year?", a.versus(km(*map(ride, pair)), pair, "km"), a.versus(n(*map(ride, pair)), pair), now=late)
    two = ["January", "July"]
    q("more-periods", "Did I sleep less in January 2025 than in July 2025?", a.versus(avg("sleepMinutes", "2025-01", "2025-07"), two, "minutes"), a.versus([sum(m.value for m in l.m("sleepMinutes", w)) for w in ("2025-01", "2025-07")], two, "minutes"))
    q("more-periods", "is my resting pulse lower in 2025 than it was in 2023?", a.versus(avg("restingHeartRate", "2025", "2023"), ["2025", "2023"], "bpm"))
    kg = {y: [e.measures["kg"] for e in l.a(measure="kg", when=y)] for y in YEARS}
    q("more-periods", "have i put on weight between 2023 and 2025", *[a.versus(v, ["2023", "2025"], "kg") for v in ([mean(kg["2023"]), mean(kg["2025"])], [kg["2023"][0], kg["2025"][-1]], [kg["2023"][-1], kg["2025"][-1]], [kg["2023"][0], kg["2025"][0]])])
    leyla = lambda y: l.a(who="Leyla Yıldız", when=y)
    q("more-periods", "2024 or 2025: in which of them did I see more of Leyla?", *[a.versus(v, ["2024", "2025"]) for v in (n(leyla("2024"), leyla("2025")), n(days_of(leyla("2024")), days_of(leyla("2025"))), n(*[both(leyla(y), l.n(who="Leyla Yıldız", when=y)) for y in ("2024", "2025")]), n(*[days_of(both(leyla(y), l.n(who="Leyla Yıldız", when=y))) for y in ("2024", "2025")]))])
    who = ["Marek Novák", "Amara Diallo"]
    q("more-people", "Marek or Amara, who have I seen more of over the years?", a.versus(n(*[l.a(who=w) for w in who]), ["Marek", "Amara"]), a.versus(n(*[days_of(l.a(who=w)) for w in who]), ["Marek", "Amara"]), a.versus(n(*[days_of(both(l.a(who=w), l.n(who=w))) for w in who]), ["Marek", "Amara"]))
    q("more-frame", "Who rang me more often in 2024, Mum or Dad?", *[a.versus(n(l.a(x, "2024"), l.a(y, "2024")), ["Mum", "Dad"]) for x, y in (("^Mum rang", "^Dad rang"), ("^Mum (rang|on the phone)", "^Dad(,| rang)"), ("^Mum (rang|on the phone)", "^Dad rang"))])
    parks = [("^the heath$", "the heath"), ("^the Volkspark$", "the Volkspark")]
    q("more-places", "the heath vs the Volkspark: which have I been to more often?", a.versus(n(*[l.a(place=p) for p, _ in parks]), ["the heath", "the Volkspark"]), a.versus(n(*[both(l.a(place=p), l.a(t)) for p, t in parks]), ["the heath", "the Volkspark"]))
    q("more-people", "More lunches with Stefan than with Noah in 2024?", a.versus(n(*[l.a(tag="lunch", who=w, when="2024") for w in ("Stefan Ruge", "Noah Adeyemi")]), ["Stefan", "Noah"]))
    q("more-periods", "did i bake more in 2023 than in 2024", *[a.versus(v, ["2023", "2024"]) for v in (n(*[l.a(tag="baking", when=y) for y in ("2023", "2024")]), n(*[l.a("(?i)bak|cake|tart|sourdough", y, tag="baking") for y in ("2023", "2024")]), n(*[both(l.a(tag="baking", when=y), l.a("^baked", y)) for y in ("2023", "2024")]))])
    q("more-periods", "sailing 2024 vs 2025 in hours", a.versus([minutes(l.a(tag="sailing", when=y)) / 60 for y in ("2024", "2025")], ["2024", "2025"], "hours"))
    q("more-periods", "Choir: more evenings in spring or in autumn 2025?", *[a.versus(n(*[l.a(tag="choir", when=season(2025, s)[i]) for s in ("spring", "autumn")]), ["spring", "autumn"]) for i in (0, 1)])
    commute = [e for e in ride("2025") if "commute" in e.tags]
    free = [e for e in ride("2025") if "commute" not in e.tags]
    q("more-things", "Have I done more kilometres to work or for pleasure on the bike in 2025?", a.versus(km(commute, free), ["to work", "for pleasure"], "km"))
    length = lambda es: mean(e.minutes for e in es if e.minutes is not None)
    calls = [l.a(tag="call", who=w) for w in ("Margaret Ashworth", "Peter Ashworth")]
    q("more-people", "Whose calls are longer on average, Mum's or Dad's?", a.versus([length(c) for c in calls], ["Mum", "Dad"], "minutes"), a.versus([length([e for e in c if not re.search("letter|parcel", e.text)]) for c in calls], ["Mum", "Dad"], "minutes"))
    q("more-things", "What took longer in total in 2024, the plannings or the retros?", *[a.versus([minutes(x), minutes(y)], ["planning", "retros"], "minutes") for x, y in ((l.a(tag="planning", when="2024"), l.a(tag="retro", when="2024")), (l.a("(?i)planning", "2024"), l.a("(?i)retro", "2024")))])
    q("more-weekday", "Tuesdays or Thursdays: on which do I read more pages? 2024 please", a.versus(pages(*[read("2024", weekday=d) for d in (1, 3)]), ["Tuesdays", "Thursdays"], "pages"))
    q("more-periods", "Was I in more meetings in January or in February 2025?", a.versus(n(*[l.a(tag="meeting", when=m) for m in ("2025-01", "2025-02")]), ["January", "February"]))
    q("more-frame", "Did Jonas cook by himself more often than we cooked together?", a.versus(n(l.a("^Jonas cooked"), l.a("^cooked with Jonas")), ["Jonas cooked", "cooked with Jonas"]), a.versus(n(l.a("^Jonas (cooked|made)"), l.a("^cooked with Jonas")), ["Jonas cooked", "cooked with Jonas"]))
    q("more-frame", "tea breaks against coffees with colleagues, which come up more at work?", *[a.versus(n(l.a("^tea break"), x), ["tea break", "coffee"]) for x in (l.a("^coffee", tag="coffee"), l.a(r"\bcoffee\b", tag="coffee"), l.a("^coffee with", tag="coffee"), l.a(r"\bcoffee\b", kind="work"))])
    q("more-places", "Did I go to the Metropol more in 2023 than in 2025?", *[a.versus(n(*[l.a(place="^the Metropol$", when=y) for y in ("2023", "2025")]), ["2023", "2025"])])
    mood = lambda d: mean(x.mood for x in l.n(when="2025") if x.mood and x.date.weekday() == d)
    q("more-weekday", "mood, Sundays against Mondays, 2025", a.versus([mood(6), mood(0)], ["Sundays", "Mondays"]))
    weekend = lambda d: dt.date.fromisoformat(d).weekday() > 4
    steps = [[m.value for m in l.m("steps", "2024") if weekend(m.day) == w] for w in (False, True)]
    q("more-weekday", "Do I walk more on weekdays or at weekends (steps a day, 2024)?", a.versus([mean(s) for s in steps], ["weekdays", "weekends"], "steps"))
    q("more-things", "Which was the longer journey in 2025, Japan or Naxos?", *[a.versus(v, ["Japan", "Naxos"], "days") for v in ((16, 15), (15, 14), (14, 14))])
    half = [("2025-01-01", "2025-06-30"), ("2025-07-01", "2025-12-31")]
    q("more-periods", "Were more books finished in the first half of 2025 or in the second?", a.versus(n(*[l.a('^finished "', h) for h in half]), ["first half", "second half"]))
    q("more-periods", "lunches with Hanna, 2023 compared to 2024?", a.versus(n(*[l.a(tag="lunch", who="Hanna Koskinen", when=y) for y in ("2023", "2024")]), ["2023", "2024"]))
    q("more-frame", "flea market or museum with Alex, what have we done more?", a.versus(n(l.a("^flea market with Alex"), l.a("^museum with Alex")), ["flea market", "museum"]))
    bed = lambda m: [e for e in l.a(place="^the allotment$") if e.date.month == m]
    q("more-periods", "Am I at the allotment more in May or in June, all years together?", a.versus(n(bed(5), bed(6)), ["May", "June"]), a.versus(n(days_of(bed(5)), days_of(bed(6))), ["May", "June"]))
    q("more-frame", "sourdough or cake: what do I bake more often?", *[a.versus(n(l.a("sourdough", tag="baking"), l.a(x, tag="baking")), ["sourdough", "cake"]) for x in (r"\bcake\b|cheesecake", r"\bcake\b", "cake|tart|drizzle")],
      *[a.versus(n(l.a("sourdough"), both(l.a("cake", tag="baking"), l.a(f"^baked .*({x})"))), ["sourdough", "cake"]) for x in ("cake", "cake|tart|drizzle|parkin|buns")])
    q("more-things", "Italian or choir: which took up more hours of 2023?", a.versus([minutes(l.a(tag=t, when="2023")) / 60 for t in ("italian", "choir")], ["Italian", "choir"], "hours"))
    q("more-frame", "more pages in bed or on the sofa in 2025", a.versus(pages(*[l.a(x, "2025", tag="reading") for x in (r"\bin bed\b", "on the sofa")]), ["in bed", "on the sofa"], "pages"))
    q("more-typo", "did i cylce more km in jne 2024 or june 2025", a.versus(km(ride("2024-06"), ride("2025-06")), ["June 2024", "June 2025"], "km"))
    foot = lambda w: total(l.a(tag="walking", measure="km", when=w), "km") / MILE
    q("more-american", "Did I walk more miles in Japan or in New York?", a.versus([foot(("2025-10-11", "2025-10-26")), foot(("2023-10-10", "2023-10-17"))], ["Japan", "New York"], "miles"))
    weeks = [("2024-11-04", "2024-11-10"), ("2024-10-28", "2024-11-03")]
    q("more-now", "did I read more last week than the week before?", a.versus(pages(*map(read, weeks)), ["last week", "the week before"], "pages"), a.versus(n(*map(read, weeks)), ["last week", "the week before"]), now="2024-11-15T10:00:00Z")
    ill = [l.a(tag="ill", when=y) for y in ("2025", "2024")]
    q("more-periods", "Compared with the year before, on how many days was I ill in 2025?", a.versus(n(*map(days_of, ill)), ["2025", "2024"], "days"), b.countdays(ill[0]))
    q("more-people", "Who's had more of my lunches, all told: Deniz or Lukas?", a.versus(n(*[l.a(tag="lunch", who=w) for w in ("Deniz Aksoy", "Lukas Hoffmann")]), ["Deniz", "Lukas"]))
    cycling = set(days_of(l.a(tag="cycling", when="2025")))
    moved = [[m.value for m in l.m("steps", "2025") if (m.day in cycling) == w] for w in (True, False)]
    q("more-join-day", "Do I take more steps on days with a bike ride than on days without one? 2025", a.versus([mean(s) for s in moved], ["with a ride", "without"], "steps"))
    names = Counter(w for e in l.a(tag="sailing") for w in e.people)
    q("more-people", "Eva v Katrin in the boat", a.versus([names["Eva Thorn"], names["Katrin Ebert"]], ["Eva", "Katrin"]))
