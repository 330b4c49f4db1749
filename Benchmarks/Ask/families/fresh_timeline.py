"""Questions over timeline.jsonl that were written after the reader and never tuned on."""

import datetime as dt
from pathlib import Path

from events import Events, month, weekday
from families.timeline import NOW, spell
from life import Life

YOGA = 30


def add(b, l: Life) -> None:
    e = Events(b, l, Path(__file__).parent.parent / "timeline_truth.jsonl", dt.date(2025, 1, 10), spell)
    f = e.of
    talk = lambda when=None, **k: f(when, do="talk", **k)
    eat = lambda when=None, **k: f(when, do="eat", **k)
    sport = lambda what, when=None, **k: f(when, do="sport", what=what, **k)
    hobby = lambda what, when=None, **k: f(when, do="hobby", what=what, **k)
    shop = lambda when=None, **k: f(when, do="groceries", **k)
    trip = lambda when=None, **k: f(when, do="trip", **k)
    visit = lambda when=None, **k: f(when, do="visit", **k)
    watch = lambda when=None, **k: f(when, do="watch", **k)
    is_day = lambda number: lambda t: dt.date.fromisoformat(t["day"]).weekday() == number

    def asker(kind):
        return lambda question, *answers: b.q(kind, f"fresh-timeline-{kind}", question, *answers, now=NOW)

    q = asker("count")
    q("How many times did Dad phone me in 2022?", e.count(talk("2022", who="Dad", rang=True)))
    q("number of swims in July 2023", e.count(sport("swim", "2023-07")))
    q("How often have Callum and I played chess?", e.count(hobby("chess", who="Callum")))
    q("how many times did I have pizza in 2023?", e.count(eat("2023", what="pizza")))
    saturdays = [t for t in sport("run", "2024") if is_day(5)(t)]
    q("On how many Saturdays in 2024 did I go for a run?", e.countdays(saturdays), e.count(saturdays))
    q("How many times did I order groceries online in 2023?", e.count(shop("2023", online=True)))
    q("How many days in March 2024 did I not read anything?", e.without("2024-03", f("2024-03", do="read")))
    q("Number of different sights I visited in Vienna", e.distinct("what", visit(city="Vienna"), "entries"), e.count(visit(city="Vienna")))
    q("How many times did I go on a date with Marcus?", e.count(f(do="date", who="Marcus")))
    q("how often have I cooked goulash with somebody", e.count(f(do="cook", what="goulash", who=lambda w: bool(w))))
    tennis = sport("tennis", "2022")
    q("In how many months of 2022 did I play tennis?", b.num(len({t["day"][:7] for t in tennis}), "months", e.entries(tennis)))
    q("How many yoga sessions were shorter than half an hour?", e.count([t for t in sport("yoga") if t["minutes"] < YOGA]))
    q("How many times did I have an eye test myself?", e.count(f(do="check-up", what="eye test", whom="me")))
    q("talks of an hour or more with Orla, how many?", e.count([t for t in talk(who="Orla") if t["minutes"] >= 60]))
    q("How many weekends in 2023 did I go cycling?", b.num(len({dt.date.fromisoformat(t["day"]).isocalendar()[:2] for t in sport("cycle", "2023") if dt.date.fromisoformat(t["day"]).weekday() > 4}), "weekends"))

    q = asker("sum")
    q("total distance hiked in 2022", e.total(sport("hike", "2022"), "km", "km"))
    q("How many hours did I spend gardening in 2023?", e.total(hobby("gardening", "2023"), "minutes", "hours", 1 / 60))
    q("how much money went on groceries in December 2024", e.total(shop("2024-12"), "euros", "euros"))
    q("How many minutes did I talk to Zofia in February 2024?", e.total(talk("2024-02", who="Zofia"), "minutes", "minutes"))
    q("How far did I cycle between April and June 2023?", e.total(sport("cycle", ("2023-04-01", "2023-06-30")), "km", "km"))
    q("metres swum in 2021", e.total(sport("swim", "2021"), "metres", "m"))
    q("What did my souvenirs cost in all?", e.total(f(do="souvenir"), "euros", "euros"))
    q("How long did I watch TV in January 2024, all told?", e.total(watch("2024-01"), "minutes", "minutes"))
    q("how many hours of yoga in 2024", e.total(sport("yoga", "2024"), "minutes", "hours", 1 / 60))
    q("How many kilometres have I run with Paulo?", e.total(sport("run", who="Paulo"), "km", "km"))

    q = asker("average")
    q("How long do I usually talk to Mum?", e.mean(talk(who="Mum"), "minutes", "minutes"))
    q("average length of my runs in 2023, in km", e.mean(sport("run", "2023"), "km", "km"))
    q("What was my mean grocery bill in 2024?", e.mean(shop("2024"), "euros", "euros"))
    exercise = f("2022", do="sport")
    q("How many times a week did I exercise on average in 2022?", b.num(round(len(exercise) / 365 * 7, 4), None, e.entries(exercise)))
    q("average heart rate on my runs", e.mean(sport("run"), "bpm", None))
    q("How long is a yoga session of mine on average?", e.mean(sport("yoga"), "minutes", "minutes"))
    q("On average, how many minutes do I read at a time?", e.mean(f(do="read"), "minutes", "minutes"))

    q = asker("first")
    q("When did I first play the accordion?", e.one(hobby("the accordion")))
    q("first date with Paulo", e.one(f(do="date", who="Paulo")))
    q("Where did I travel to first in 2022?", e.one(trip("2022")), e.names("city", trip("2022-02")))
    q("Which was my first trip with the kids?", e.one(trip(who="Bridie")))
    q("When did I run 12 km for the first time?", e.one([t for t in sport("run") if t["km"] == 12]))
    q("the first thing I ever cooked with Zofia", e.one(f(do="cook", who="Zofia")), e.one(f(do=lambda d: d in ("cook", "bake"), who="Zofia")))

    q = asker("last")
    q("What was the last thing I baked?", e.one(f(do="bake"), last=True))
    q("When did Harriet and I last have dinner together?", e.one(eat(meal="dinner", who="Harriet"), last=True))
    q("how many weeks since I last went to Lisbon?", e.since(trip(city="Lisbon")))
    q("most recent flea treatment for Pickle", e.one(f(do="pet", what="a flea treatment"), last=True))
    q("Last time I had my eyes tested?", e.one(f(do="check-up", what="eye test", whom="me"), last=True))
    q("When did I last lift weights?", e.one(sport("weights"), last=True))
    q("When was the last time Fintan rang?", e.one(talk(who="Fintan", rang=True), last=True))

    q = asker("longest")
    q("my longest hike", e.extreme(sport("hike"), "km", "km"))
    q("longest phone conversation with Rukmini in 2023", e.extreme(talk("2023", who="Rukmini"), "minutes", "minutes"))
    q("Which was my shortest run ever?", e.extreme(sport("run"), "km", "km", low=True))
    q("longest stretch without a run in 2024", e.gap(sport("run", "2024")), e.gap(sport("run", "2024"), 1))
    q("What's the most expensive grocery shop of 2023?", e.extreme(shop("2023"), "euros", "euros"))
    q("How many days in a row did I exercise at most in 2022?", e.streak(exercise))
    q("highest heart rate on a run", e.extreme(sport("run"), "bpm", None))
    q("What was my longest trip?", e.extreme(trip(), "days", "days"))

    q = asker("most")
    q("Who do I watch television with most?", e.top("who", watch()))
    q("What did I watch most in 2022?", e.top("what", watch("2022")), e.top("what", watch("2022"), by="minutes"))
    q("Who's my most frequent running partner?", e.top("who", sport("run")))
    q("Which breakfast do I have most often?", e.top("what", eat(meal="breakfast")))
    q("What do Dad and I mostly talk about?", e.top("what", talk(who="Dad")))
    q("Which month of 2024 had the most swims?", e.top(month, sport("swim", "2024")))
    q("top three fruits I bought in 2022", e.top("fruits", shop("2022"), 3))
    q("At which shop did I spend the most money?", e.top("shop", shop(), by="euros"))
    q("Which toiletry do I buy most?", e.top("toiletries", shop()))
    q("Which dish did I cook least often?", e.top("what", f(do="cook"), least=True))
    q("the two people I had lunch with most in 2024", e.top("who", eat("2024", meal="lunch"), 2))
    q("On which day of the week do I watch the most TV?", e.top(weekday, watch(), by="minutes"), e.top(weekday, watch()))
    q("Who did I go shopping for groceries with most in 2023?", e.top("who", shop("2023")))

    q = asker("when")
    q("When did I marry Paulo?", e.dates(f(do="marry", who="Paulo")))
    q("When was my daughter born?", e.dates(f(do="born", child="Bridie")))
    q("On which days did I visit the tile museum?", e.dates(visit(what="the tile museum")))
    galway = trip(city="Galway")[0]
    q("When did I go to Galway with the kids?", e.dates([galway]), e.stay(galway["day"], galway["last"]))
    q("when did i get my flu jab in 2022", e.dates(f("2022", do="check-up", what="flu jab", whom="me")))
    q("When did I bake cheesecake in 2024?", e.dates(f("2024", do="bake", what="cheesecake")))
    q("Which days in 2023 did I take Luca to the dentist's for a check-up?", e.dates(f("2023", do="check-up", what="dental check-up", who="Luca")))

    q = asker("where")
    q("Where was Bridie born?", e.names("city", f(do="born", child="Bridie")))
    q("In which town did I eat bigos?", e.names("city", eat(what="bigos")))
    q("Where did Steffen and I go for our dates?", e.names("place", f(do="date", who="Steffen")))
    q("Which towns have I been to with Tobias?", e.names("city", trip(who="Tobias")))
    q("Where did we eat grilled squid?", e.names("place", eat(what="grilled squid")))
    mine = f("2024", do="check-up", what="dental check-up", whom="me") or f("2023", do="check-up", what="dental check-up", whom="me")
    q(f"Where did I go for my dental check-up in {mine[0]['day'][:4]}?", e.names("place", mine))

    q = asker("who")
    q("Who have I played tennis with in 2024?", e.names("who", [t for t in sport("tennis", "2024") if t["who"]]))
    q("Who did I marry in 2014?", e.names("who", f("2014", do="marry")))
    q("Who came to Split with me?", e.names("who", trip(city="Split")))
    q("Who was with me at the Golden Pavilion?", e.names("who", visit(what="the Golden Pavilion")))
    q("Who called me in August 2024?", e.names("who", talk("2024-08", rang=True)))
    q("Who did I cook paella with in 2023?", e.names("who", [t for t in f("2023", do="cook", what="paella") if t["who"]]))
    q("Who did I watch the football with in 2022?", e.names("who", [t for t in watch("2022", what="the football") if t["who"]]))

    q = asker("list")
    q("What souvenirs did I buy in Lisbon?", e.names("what", f(do="souvenir", city="Lisbon")))
    q("foods eaten in Edinburgh", e.names("what", eat(city="Edinburgh")))
    q("What did Mum and I talk about in 2024?", e.names("what", [t for t in talk("2024", who="Mum") if t["what"]], also=talk("2024", who="Mum")))
    q("List my hikes in 2023", e.list(sport("hike", "2023")))
    q("What did I do on Christmas Day 2023?", e.list(f("2023-12-25")))
    q("Which sports have I done with Emeka?", e.names("what", f(do="sport", who="Emeka")))
    q("Did I ever eat oysters?", e.yes(eat(what="oysters")))
    dmitri = sport("badminton", who="Dmitri")
    q("Have I ever played badminton with Dmitri?", e.yes(dmitri) if dmitri else e.no(dmitri))
    q("Show my pottery sessions of spring 2024", e.list(hobby("pottery", ("2024-03-01", "2024-05-31"))), e.list(hobby("pottery", ("2024-03-20", "2024-06-19"))), e.list(hobby("pottery", ("2024-03-20", "2024-06-20"))))
    q("What else did I do on the day I moved to Kinsale?", e.list([t for t in f("2023-02-18") if t["do"] != "move"], f("2023-02-18")))
    q("What have I eaten at McGinn's?", e.names("what", eat(place="McGinn's")))
    q("everything I did with Callum in November 2023", e.list(f("2023-11", who="Callum"), [t for t in f("2023-11", do="groceries") if "Callum" in (t.get("saw") or [])]))

    q = asker("compare")
    km = lambda when: sum(t["km"] for t in sport("run", when))
    n = lambda *groups: [len(g) for g in groups]
    long = lambda *groups: [sum(t["minutes"] for t in g) for g in groups]
    q("Did I run more kilometres in 2022 or in 2023?", e.compare([km("2022"), km("2023")], ["2022", "2023"], "km"))
    both = talk("2023", who="Ines"), talk("2023", who="Harriet")
    q("Who did I talk to more in 2023, Ines or Harriet?", e.compare(n(*both), ["Ines", "Harriet"]), e.compare(long(*both), ["Ines", "Harriet"], "minutes"))
    q("yoga or weights in 2024: which more often?", e.compare(n(sport("yoga", "2024"), sport("weights", "2024")), ["yoga", "weights"]))
    q("money spent on groceries, 2023 vs 2024", e.compare([sum(t.get("euros", 0) for t in shop(y)) for y in ("2023", "2024")], ["2023", "2024"], "euros"))
    films = watch("2023", what="a documentary"), watch("2023", what="a comedy")
    q("Did I watch more documentaries or more comedies in 2023?", e.compare(n(*films), ["documentaries", "comedies"]), e.compare(long(*films), ["documentaries", "comedies"], "minutes"))
    q("lunches vs dinners with Orla", e.compare(n(eat(meal="lunch", who="Orla"), eat(meal="dinner", who="Orla")), ["lunches", "dinners"]))
    q("Have I eaten sushi or pizza more often?", e.compare(n(eat(what="sushi"), eat(what="pizza")), ["sushi", "pizza"]))

    q = asker("none")
    for question in (
        "How many times did I go skydiving?", "What did I eat in Berlin?", "Who won the football?", "email Ines that I'm late",
        "What did I do in 1999?", "When will I next see Zofia?", "Wie oft war ich in Wien?",
    ):
        q(question, b.none())
