"""How many, how often, on how many days, not on how many days."""

from life import Life, both, days_between, days_of, tally

SOUP = r"\bsoup\b|minestrone"
SOUPNOTE = r"soup.* for lunch, with|Lunch was [^.;]*soup|Lunch with \w+: [^.]*soup|over [a-z ]*soup, in coats|I had [a-z ]*soup|met me for [a-z ]*soup"
CAKE = r"cake|parkin|tart|lemon drizzle|cinnamon buns"


def add(b, l: Life) -> None:
    def q(form, question, answer, *accept, **more):
        b.q("count", form, question, answer, *accept, **more)

    # Entries by tag, person, place and time
    q("count-tag", "How many times did I cycle to work in March 2024?", b.count(l.a(tag="commute", when="2024-03")))
    q("count-tag", "how often did I go to choir in 2024", b.count(l.a(tag="choir", when="2024")))
    q("count-tag", "number of Italian classes 2023", b.count(l.a(tag="italian", when="2023")))
    q("count-tag", "How many pottery evenings have I had in total?", b.count(l.a(tag="pottery")), b.count(l.a(tag="pottery", kind="learning")), b.count(l.a(tag="pottery", not_="first")))
    q("count-tag", "how many times did I go sailing last year?", b.count(l.a(tag="sailing", when="2025")))
    q("count-tag", "how many retros were there between April and June 2025", b.count(l.a(tag="retro", when=("2025-04-01", "2025-06-30"))))

    q("count-person", "How many lunches did I have with Hanna in 2025?", b.count(l.a(tag="lunch", who="Hanna Koskinen", when="2025")))
    q("count-person", "How often did I see Leyla in 2025?", b.count(l.a(who="Leyla Yıldız", when="2025")),
      b.countdays(l.a(who="Leyla Yıldız", when="2025")))
    q("count-person", "how many phone calls with Mum in 2024?", b.count(l.a(tag="call", who="Margaret Ashworth", when="2024")))
    q("count-person", "How many meetings did I have with Agnes in June 2025?", b.count(l.a(tag="meeting", who="Agnes Lindholm", when="2025-06")))
    q("count-person", "times I met up with Clara Weiss, all time", b.count(l.a(who="Clara Weiss")), b.count(l.a(who="Clara Weiss", not_="Clara's shop")))
    ak = l.a(tag="lunch", who="Alex Kim", when="2024")
    q("count-person", "how many lunches with AK in 2024", b.count(ak))
    q("count-person", "How many calls did I have with Dad in the first half of 2025?", b.count(l.a(tag="call", who="Peter Ashworth", when=("2025-01-01", "2025-06-30"))))

    q("count-place", "How many times was I at the allotment in 2023?", b.count(l.a(place="^the allotment$", when="2023")), b.countdays(l.a(place="^the allotment$", when="2023")))
    q("count-place", "How often have I been to Zur Schleuse?", b.count(l.a(place="^Zur Schleuse$")))
    q("count-place", "visits to Bar Zentral", b.count(l.a(place="^Bar Zentral$")))
    q("count-place", "how many times did I go to the botanical garden?", b.count(both(l.a(place="the botanical garden"), l.a("the botanical garden"))))

    # Text of the sentences
    q("frame-count", "How many times did I play chess with Jonas?", b.count(l.a(r"^chess with Jonas")))
    dad = l.a(r"^Dad rang by mistake")
    q("frame-count", "How often has Dad rung by mistake?", b.count(dad))
    q("frame-count", "how many books did I finish in 2024?", b.count(l.a(r"^finished \"", when="2024")))
    lunchsoup = [e for e in l.a(when="2025", tag="lunch") if "soup" in e.text]
    lunchsoups = [e for e in l.a(SOUP, when="2025", tag="lunch")]
    # Some days only the note tells what was eaten at a lunch.
    toldsoup = l.n(SOUPNOTE, when="2025")
    toldsoup = [n for n in toldsoup if n.day not in days_of(lunchsoups)]
    q("frame-count", "How many times did I have soup for lunch in 2025?", b.count(both(lunchsoup, toldsoup)), b.count(lunchsoup), b.count(lunchsoups), b.count(both(lunchsoups, toldsoup)))
    sushi = l.a(r"\bsushi\b", when="2024")
    q("frame-count", "how often did I eat sushi in 2024", b.count(both(sushi, l.n(r"I had sushi", when="2024"))), b.count(sushi))
    bring = l.a(rf"({CAKE}).* from Noah$")
    left = l.a(rf"^Noah's leftover .*({CAKE})")
    q("frame-count", "How many times did Noah bring cake to the office?", b.count(both(bring, left)), b.count(bring), b.count(left))
    q("frame-count", "how many parcels did I pick up in 2025?", b.count(l.a(r"^picked up a parcel", when="2025")))
    bought = l.a(r"^bought .* for a birthday", when="2023")
    gifts = l.a(r"^a .* for \S+ birthday$", when="2023")
    q("frame-count", "How many birthday presents did I buy in 2023?", b.count(bought), b.count(both(bought, gifts)))
    q("frame-count", "How many times did I find the hardware shop closed?", b.count(l.a(r"^the hardware shop: closed")))
    q("frame-count", "How many times did I repair the shed door?", b.count(l.a(r"^repaired the shed door")))
    q("frame-count", "how often did I weed the dill", b.count(l.a(r"^weeded the dill")))
    q("frame-count", "How many times did I help Alex move her bookshelf?", b.count(l.a(r"^helped Alex move her bookshelf")))
    q("frame-count", "How many Japanese films did I watch?", b.count(l.a(r"Japanese film")),
      b.count(both(l.a(r"Japanese film"), l.n(r"Japanese film"))), b.num(len(days_of(both(l.a(r"Japanese film"), l.n(r"Japanese film")))), "films"))
    q("frame-count", "How many rolls did I eat walking round the block in 2023?", b.count(l.a(r"^walked round the block with a roll", when="2023")))
    q("frame-count", "How many times did Jonas cook in 2024?", b.count(l.a(r"^Jonas cooked", when="2024")),
      b.count(l.a(r"^Jonas (cooked|made)", when="2024")), b.count(l.a(r"^(Jonas cooked|Jonas made|cooked with Jonas)", when="2024")), b.count(l.a(r"^(Jonas cooked|cooked with Jonas)", when="2024")))
    q("frame-count", "how many times did we have fish and chips on the pier", b.count(l.a(r"^fish and chips on the pier")))

    # Figures that only a sentence tells
    q("frame-quantity", "How many mince pies did Mum make for Christmas 2025?", b.num(76, "pies", l.n("76 mince pies")))
    q("frame-quantity", "How many seedlings did I prick out on 18 May 2025?", b.num(47, "seedlings", l.n("Pricked out 47 seedlings")))
    q("frame-quantity", "how many unread messages did I count on %s" % unread(l)[0], b.num(unread(l)[1], "messages", unread(l)[2]))

    # Different people, different days
    lunch25 = l.a(tag="lunch", when="2025")
    q("count-people", "How many different people did I have lunch with in 2025?", b.num(len(tally(lunch25, "people")), "people", lunch25))
    bump = l.a(tag="people", when="2024")
    strict = l.a(r"^(bumped|ran) into|by chance$", tag="people", when="2024")
    only = l.a(r"^bumped into", when="2024")
    q("count-people", "How many people did I bump into in 2024?", *[b.num(len(tally(x, "people")), "people", x) for x in (bump, strict, only)])
    sail = l.a(tag="sailing")
    q("count-people", "with how many different people have I gone sailing?", b.num(len(tally(sail, "people")), "people", sail))

    ill = l.a(tag="ill", when="2025")
    q("count-days", "On how many days was I ill in 2025?", b.countdays(ill))
    q("count-days", "how many days did I read in June 2024", b.countdays(l.a(tag="reading", when="2024-06")))
    sofia = l.a(zone="Europe/Sofia", when="2023")
    q("count-days", "How many days did I spend in Sofia in 2023?", b.countdays(sofia), b.num(4, "days"), b.countdays(l.a(tag="sofia", when="2023")))
    naxos = days_between(("2025-08-02", "2025-08-16"))
    q("count-days", "How many days was I in Greece in 2025?", b.num(len(naxos), "days", l.a(tag="greece", when="2025"), days=naxos), b.num(14, "nights"),
      b.countdays(l.a(tag="greece", when="2025")))
    q("count-days", "on how many days in 2024 was my mood 5?", b.countdays(l.n(when="2024", mood=5)))
    q("count-days", "days with energy 2 or lower in 2025?", b.countdays([e for e in l.n(when="2025") if e.energy and e.energy <= 2]))
    big = [m for m in l.m("steps", "2025-06") if m.value > 10000]
    q("count-threshold", "On how many days in June 2025 did I walk more than 10,000 steps?", b.num(len(big), "days", days=[m.day for m in big]))
    short = [m for m in l.m("sleepMinutes", "2024-11") if m.value < 420]
    q("count-threshold", "How many nights in November 2024 did I sleep less than 7 hours?", b.num(len(short), "days", days=[m.day for m in short]))
    far = [e for e in l.a(tag="cycling", measure="km") if e.measures["km"] > 40]
    q("count-threshold", "how many rides over 40 km", b.count(far))
    far25 = [e for e in l.a(tag="cycling", measure="km", when="2024") if e.measures["km"] > 25 / 0.621371]
    q("count-threshold", "How many bike rides longer than 25 miles did I do in 2024?", b.count(far25))
    long = [e for e in l.a(tag="reading", measure="pages", when="2024") if e.measures["pages"] >= 50]
    q("count-threshold", "How many times did I read at least 50 pages in one go in 2024?", b.count(long))

    # Not
    def without(entries, when):
        return b.num(len(days := [d for d in days_between(when) if d not in set(days_of(entries))]), "days", days=days)
    coffee = r"\bcoffee\b"
    may = l.a(coffee, "2024-05")
    q("negation", "How many days without coffee in May 2024?", without(may, "2024-05"), without(both(may, l.n(coffee, "2024-05")), "2024-05"),
      without(both(may, l.a(tag="coffee", when="2024-05")), "2024-05"), without(both(may, l.a(tag="coffee", when="2024-05"), l.n(coffee, "2024-05")), "2024-05"), without(both(may, l.n("(?i)coffee", "2024-05")), "2024-05"))
    q("negation", "on how many days in October 2024 did I not read?", without(l.a(tag="reading", when="2024-10"), "2024-10"), without(both(l.a(tag="reading", when="2024-10"), l.n(r"(?i)\bread\b|chapter|pages|book", when="2024-10")), "2024-10"))
    jonas = l.a(who="Jonas Brandt", when="2025-02")
    q("negation", "days without Jonas in Feb 2025, how many?", without(jonas, "2025-02"), without(both(jonas, l.n(who="Jonas Brandt", when="2025-02")), "2025-02"), without(both(jonas, l.a(tag="jonas", when="2025-02")), "2025-02"), without(both(jonas, l.a(tag="jonas", when="2025-02"), l.n(who="Jonas Brandt", when="2025-02")), "2025-02"))
    noride = l.a(tag="cycling", when="2025-09")
    q("negation", "how many days last September did I not cycle", without(noride, "2025-09"))
    q("negation", "How many lunches did I have without any colleague or friend in 2023?", b.count([e for e in l.a(tag="lunch", when="2023") if not e.people]))
    q("negation", "How many bike rides in 2024 were not to work?", b.count([e for e in l.a(tag="cycling", when="2024") if "commute" not in e.tags]),
      b.count(both([e for e in l.a(tag="cycling", when="2024") if "commute" not in e.tags], l.a(r"^cycled (to Svaneke|through Almindingen)", when="2024"))))

    # By group
    months = [f"2024-{m:02d}" for m in range(1, 13)]
    def bygroup(entries, groups, unit="entries"):
        return b.nums([sum(e.day.startswith(g) for e in entries) for g in groups], unit, groups, entries)
    q("group-month", "choir evenings by month in 2024", bygroup(l.a(tag="choir", when="2024"), months))
    q("group-month", "How many books did I finish each month of 2025?", bygroup(l.a(r"^finished \"", when="2025"), [f"2025-{m:02d}" for m in range(1, 13)]))
    q("group-year", "how many times did I cycle to work per year?", bygroup(l.a(tag="commute"), ["2023", "2024", "2025"]))
    q("group-year", "films per year", *[bygroup(x, ["2023", "2024", "2025"]) for x in (
        l.a(tag="film"), both(l.a(tag="film"), l.a(r"\bfilms?\b")), l.a(r"\bfilms?\b"), both(l.a(tag="film"), l.a(r"\bfilms?\b|cinema")))])
    commute = l.a(tag="commute", when="2025")
    q("group-weekday", "On which weekdays did I cycle to work in 2025, and how often each?",
      b.nums([sum(e.date.weekday() == d for e in commute) for d in range(5)], "entries", ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"], commute))


def unread(l: Life):
    import re
    for e in l.n(r"I counted: \d+ unread messages"):
        n = int(re.search(r"I counted: (\d+) unread", e.text)[1])
        if n > 3:
            return f"{e.date.day} {e.date:%B %Y}", n, [e]
