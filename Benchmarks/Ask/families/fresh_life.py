"""Questions over the sample life that were written after the reader and never tuned on."""

import datetime as dt
from collections import Counter

from families.answers import Answers, month, weekday
from life import Life, both, days_of, minutes, tally, total

YEAR = 365

def add(b, l: Life) -> None:
    a = Answers(b, l)

    def asker(kind):
        return lambda question, *answers, **more: b.q(kind, f"fresh-life-{kind}", question, *answers, **more)

    km = lambda when=None, **k: l.a(tag="cycling", measure="km", when=when, **k)
    read = lambda when=None, **k: l.a(tag="reading", measure="pages", when=when, **k)

    q = asker("count")
    q("How many times did I run into Max?", b.count(l.a(r"^(bumped|ran) into Max\b")), b.count(l.a(tag="people", who="Max Costa")))
    q("how many retros were there in 2024?", b.count(l.a(tag="retro", when="2024")))
    q("How many days was I ill in 2023?", b.countdays(l.a(tag="ill", when="2023")))
    q("how often did I dig over the bed for onions", b.count(l.a("^dug over the bed for onions")))
    stefan = l.a(tag="coffee", who="Stefan Ruge", when="2025")
    q("coffees with Stefan in 2025", b.count(stefan), b.count([e for e in stefan if "coffee" in e.text]))
    orion = l.a(place="the Little Orion", when="2024")
    q("How many times was I at the Little Orion in 2024?", b.count(orion), b.countdays(orion))
    pottery = l.a(tag="pottery", when="2025")
    q("How many times did I go to pottery in 2025?", b.count(pottery), b.count([e for e in pottery if e.kind == "learning"]), b.countdays(pottery))
    far = [m.day for m in l.m("steps", "2025-07") if m.value > 12000]
    q("How many days in July 2025 did I walk more than 12,000 steps?", b.num(len(far), "days", days=far))
    early = l.a("^early night", "2025")
    q("number of early nights in 2025", b.count(early), b.countdays(early))
    q("How many times did I meet with Agnes one-to-one in 2025?", b.count(l.a(tag="1:1", who="Agnes Lindholm", when="2025")))

    q = asker("sum")
    q("How many kilometres did I cycle in 2024 apart from commuting?", a.sum([e for e in km("2024") if "commute" not in e.tags], "km"))
    q("pages read in March 2025", a.sum(read("2025-03"), "pages"))
    q("How many hours did I spend in meetings in June 2025?", a.time(l.a(tag="meeting", when="2025-06"), "hours"))
    week = l.m("steps", ("2025-11-24", "2025-11-30"))
    q("How many steps did I take from 24 to 30 November 2025?", b.num(sum(m.value for m in week), "steps"))
    q("how long was I out sailing in 2025 in total", a.time(l.a(tag="sailing", when="2025"), "hours"))
    q("How far did I walk in Japan?", a.sum(l.a(tag="walking", measure="km", when=("2025-10-11", "2025-10-26")), "km"))

    q = asker("average")
    q("How many pages a day did I read on average in 2025?", a.per(total(read("2025"), "pages"), YEAR, "pages", read("2025")), a.per(total(read("2025"), "pages"), len(days_of(read("2025"))), "pages"))
    q("What was my average mood in April 2025?", a.feeling(l.n(when="2025-04")))
    q("average length of a call with Dad", a.length(l.a(tag="call", who="Peter Ashworth")))
    q("How much sleep did I get on average in October 2025?", a.metric("sleepMinutes", "hours", "2025-10", scale=1 / 60))
    commute = [e for e in km("2025") if "commute" in e.tags]
    q("mean distance of my rides to work in 2025", a.per(total(commute, "km"), len(commute), "km", commute))
    q("average steps on Sundays in 2024", a.metric("steps", "steps", "2024", days=lambda d: dt.date.fromisoformat(d).weekday() == 6))

    q = asker("first")
    q("When did I first go sailing with Eva?", a.one([e for e in l.a(tag="sailing") if "Eva Thorn" in e.people]))
    q("first time we sang the Rheinberger", a.one(l.a("Rheinberger", tag="choir")))
    q("Which book did I finish first in 2024?", a.one(l.a('^finished "', "2024")))
    q("When did Noah and I first have lunch?", a.one(l.a(tag="lunch", who="Noah Adeyemi")))

    q = asker("last")
    q("When did I last speak to Haruka on the phone?", a.one(l.a(tag="call", who="Haruka Sato"), last=True))
    q("What was the last book I began?", a.one(l.a('^began "'), last=True))
    q("last lunch with Noah", a.one(l.a(tag="lunch", who="Noah Adeyemi"), last=True))
    q("How long is it since I cooked gnocchi with Jonas?", a.since(l.a("^cooked with Jonas: gnocchi")))
    q("When did I last mend something?", a.one(l.a("^(mended|repaired)"), last=True), a.one(l.a("^mended"), last=True), a.one(l.a(tag="repairs"), last=True))

    q = asker("longest")
    q("longest bike ride of 2023", a.extreme(km("2023"), lambda e: e.measures.get("km"), "km"))
    q("most pages I've ever read in one sitting", a.extreme(read(), lambda e: e.measures.get("pages"), "pages"))
    q("my longest one-to-one of 2024", a.extreme(l.a(tag="1:1", when="2024"), lambda e: e.minutes, "minutes"))
    q("longest break from choir in 2025", *a.gap(l.a(tag="choir", when="2025")))
    q("On which day of 2025 did I take the most steps?", a.peak("steps", "2025", "steps"))

    q = asker("most")
    q("Who did I have lunch with most in 2025?", a.top(a.ppl(l.a(tag="lunch", when="2025")), people=True))
    q("Which cinema have I been to most?", a.top(tally(l.a(tag="film"), "place")))
    q("Whom have I bumped into most?", a.top(a.ppl(l.a(tag="people")), people=True), a.top(a.ppl(l.a("^bumped into")), people=True))
    beds = tally(l.a("^dug over the bed for"), r"^dug over the bed for (\w+)")
    q("What have I dug the bed over for most often?", a.top(beds))
    q("On which weekday do most of my calls fall?", a.top(Counter(map(weekday, l.a(tag="call")))))
    rides: Counter[str] = Counter()
    for e in km("2025"):
        rides[month(e)] += e.measures["km"]
    q("In which month of 2025 did I cycle the furthest?", a.top(rides))
    q("top 3 people I had calls with in 2024", a.top(a.ppl(l.a(tag="call", when="2024")), 3, people=True))

    q = asker("when")
    q('When did I finish "The Last Winter"?', a.dates(l.a('^finished "The Last Winter"')))
    q("When was I at the dentist?", a.dates(l.a(tag="dentist")), a.dates(l.a(r"\bdentist\b")), a.dates(both(l.a(tag="dentist"), l.a(r"(?i)\bdentist\b"))))
    q("On what days was there cheesecake?", a.dates(l.a("^cheesecake")), a.dates(l.a("(?i)cheesecake")))
    trips = [e for e in l.a(tag="newyork")]
    q("When was I in New York?", a.stay(days_of(trips)[0], days_of(trips)[-1], trips))

    q = asker("where")
    dinners = [e for e in l.a(tag="dinner", who="Jonas Brandt", when="2025") if e.place]
    q("Where did Jonas and I go for dinner in 2025?", a.places(dinners), a.places([e for e in l.a(tag="dinner", tags=["jonas"], when="2025") if e.place]))
    alex = l.a("^walk with Alex")
    q("Where have I been for walks with Alex?", a.places(alex))
    q("Where do I sing in the choir?", a.places(l.a(tag="choir")))

    q = asker("who")
    q("Who was on the phone in March 2025?", a.people(l.a(tag="call", when="2025-03")), a.people(l.a(r"\b(rang|call|on the phone)\b", "2025-03", tag="call")))
    q("Who did I have coffee with in 2024?", a.people(l.a(tag="coffee", when="2024")), a.people(l.a(r"\bcoffee\b", "2024", tag="coffee")))
    q("Who has come sailing?", a.people(l.a(tag="sailing")))
    q("Who did I see for a 1:1 in May 2025?", a.people(l.a(tag="1:1", when="2025-05")))

    q = asker("list")
    cooked = l.a("^cooked with Jonas", "2024")
    q("What did Jonas and I cook together in 2024?", {**b.names([[x] for x in sorted(tally(cooked, r": (.*)$"))], cooked)})
    done = l.a('^finished "', "2025")
    q("Which books did I finish in 2025?", b.names([[x] for x in sorted(tally(done, r'"(.*?)"'))], done))
    q("What did I do on 14 February 2025?", b.list(l.a(when="2025-02-14"), l.n(when="2025-02-14")))
    q("all my calls with Haruka", b.list(l.a(tag="call", who="Haruka Sato")))
    q("Have I ever been to Rome?", b.yes(l.a(tag="rome"), l.a("Rome")))
    carla = l.a(tag="lunch", who="Carla Fontana", when="2024-05")
    q("Did I have lunch with Carla in May 2024?", b.yes(carla) if carla else b.no())

    q = asker("compare")
    pages = lambda when: total(read(when), "pages")
    q("Did I read more pages in 2024 or in 2025?", a.versus([pages("2024"), pages("2025")], ["2024", "2025"], "pages"))
    n = lambda *groups: [len(g) for g in groups]
    q("Did I go to choir or to pottery more often in 2025?", a.versus(n(*[l.a(tag=t, when="2025") for t in ("choir", "pottery")]), ["choir", "pottery"]))
    q("calls with Mum vs calls with Dad in 2025", a.versus(n(*[l.a(tag="call", who=w, when="2025") for w in ("Margaret Ashworth", "Peter Ashworth")]), ["Mum", "Dad"]))
    q("Was I ill on more days in 2023 or in 2024?", a.versus(n(*[days_of(l.a(tag="ill", when=y)) for y in ("2023", "2024")]), ["2023", "2024"], "days"), a.versus(n(*[l.a(tag="ill", when=y) for y in ("2023", "2024")]), ["2023", "2024"]))
    hours = lambda y: minutes(l.a(tag="meeting", when=y)) / 60
    q("hours in meetings: 2024 vs 2025", a.versus([hours("2024"), hours("2025")], ["2024", "2025"], "hours"))

    q = asker("none")
    for question in ("How many times have I been skiing?", "send a message to Jonas", "What's the capital of Greece?", "How did I feel on 3 March 2031?"):
        q(question, b.none())
