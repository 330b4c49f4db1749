"""Questions about timeline.jsonl that ask for names, days and places, and comparisons."""

import datetime as dt

from events import MONTHS, Events, told, weekday, year

SUMMER24 = ("2024-06-01", "2024-08-31")


def add(b, e: Events, q) -> None:
    f = e.of
    talk = lambda when=None, **k: f(when, do="talk", **k)
    eat = lambda when=None, **k: f(when, do="eat", **k)
    sport = lambda what, when=None, **k: f(when, do="sport", what=what, **k)
    hobby = lambda what, when=None, **k: f(when, do="hobby", what=what, **k)
    shop = lambda when=None, **k: f(when, do="groceries", **k)
    made = lambda when=None, **k: f(when, do=lambda d: d in ("cook", "bake"), **k)
    trip = lambda when=None, **k: f(when, do="trip", **k)
    visit = lambda when=None, **k: f(when, do="visit", **k)
    away = lambda city, when=None, **k: eat(when, city=city, **k)
    moment = lambda t: f"{MONTHS[int(t['day'][5:7]) - 1]} {t['day'][:4]}"

    # Most, least, the first few
    most = lambda question, *answers: q("most", "timeline-most", question, *answers)
    most("Who did I talk to the most in June 2021?", e.top("who", talk("2021-06"), by="minutes"), e.top("who", talk("2021-06")))
    most("Who have I talked to most often over the years?", e.top("who", talk()))
    most("Who rings me most?", e.top("who", talk(rang=True)))
    most("What exercise did I do the most in October 2023?", e.top("what", f("2023-10", do="sport")))
    most("Which sport did I do most last summer?", e.top("what", f(SUMMER24, do="sport")))
    most("Which month of which year did I swim the most?", {**e.top(moment, sport("swim"))})
    most("In which year have I watched the most documentaries?", e.top(year, f(do="watch", what="a documentary")))
    most("What do I bake or cook the most often?", e.top("what", made()))
    most("In what year did I buy face wash the most?", e.top(year, shop(toiletries=lambda x: "face wash" in (x or []))))
    most("What fruit do I buy the most often?", e.top("fruits", shop()))
    most("which drink did I buy most in 2023", e.top("drinks", shop("2023")))
    most("Who do I play board games with the most?", e.top("who", hobby("board games")))
    most("What was my favourite hobby in 2022, going by how often I did it?", e.top("what", f("2022", do="hobby")))
    most("what did I mostly read in 2024?", e.top("what", f("2024", do="read")), e.top("what", f("2024", do="read"), by="minutes"))
    most("Which dinner dish have I had most often?", e.top("what", eat(meal="dinner")))
    most("Who joined me for lunch most frequently in 2022?", e.top("who", eat("2022", meal="lunch")))
    most("Where do Paulo and I go on dates most?", e.top("place", f(do="date", who="Paulo")))
    most("Which shop do I buy my groceries at most?", e.top("shop", shop()))
    most("On which weekday do I run most?", e.top(weekday, sport("run")))
    most("What do I talk about most with Ines?", e.top("what", talk(who="Ines")))
    most("Which town have I travelled to most often?", e.top("city", trip()))
    most("which restaurant in Lisbon did we eat at most", e.top("place", away("Lisbon")))
    top = lambda question, *answers: q("most", "timeline-top", question, *answers)
    top("what are the five most common foods I eat when I travel?", e.top("what", eat(away=True), 5))
    top("Top 3 dishes I ate in Kyoto", e.top("what", away("Kyoto"), 3))
    top("What are my top 2 destinations?", e.top("city", trip(), 2))
    top("Name the three people I talked to most in 2023.", e.top("who", talk("2023"), 3), e.top("who", talk("2023"), 3, by="minutes"))
    top("top three hobbies by time spent", e.top("what", f(do="hobby"), 3, by="minutes"), e.top("what", f(do="hobby"), 3))
    top("The 4 sports I did most often in 2021", e.top("what", f("2021", do="sport"), 4))
    least = lambda question, *answers: q("most", "timeline-least", question, *answers)
    least("Which of my sports did I do least in 2022?", e.top("what", f("2022", do="sport"), least=True))
    least("What hobby have I spent the fewest sessions on?", e.top("what", f(do="hobby"), least=True))
    least("Which fruit do I buy least?", e.top("fruits", shop(), least=True))
    least("Who of my friends Ines, Callum, Dmitri and Emeka did I talk to least in 2024?", e.top("who", [{**t, "who": [n for n in t["who"] if n in ("Ines", "Callum", "Dmitri", "Emeka")]} for t in talk("2024")], least=True, among=["Ines", "Callum", "Dmitri", "Emeka"]))
    least("Which year had the fewest runs?", e.top(year, sport("run"), least=True))

    # When
    for question, ts in (
        ("When was I born?", f(do="born", child="me")), ("when was Luca born", f(do="born", child="Luca")), ("When did I graduate from the University of Galway?", f(do="graduate", what="the University of Galway")),
        ("When did I finish my master's?", f(do="graduate", what="Heriot-Watt")), ("When did Gareth and I get married?", f(do="marry", who="Gareth")), ("when did I move to Bristol", f(do="move", city="Bristol")),
        ("When did I visit Nijo castle?", visit(what="Nijo castle")), ("When did we visit the Klis fortress?", visit(what="the Klis fortress")), ("Remind me when I passed my driving test.", f(do="driving test")),
        ("When did Pickle come to live with us?", f(do="pet arrives")), ("On which days did I see the oceanarium in Lisbon?", visit(what="the oceanarium")), ("When did I go to Edinburgh with Paulo?", trip(city="Edinburgh")),
        ("on which dates did I take Bridie for an eye test in 2022?", f("2022", do="check-up", what="eye test", who="Bridie")), ("When did we eat takoyaki?", eat(what="takoyaki")),
        ("When did I get divorced?", f(do="divorce")), ("On what days in December 2023 did I go hiking or rowing?", f("2023-12", do="sport", what=lambda w: w in ("hike", "row"))),
    ):
        q("when", "timeline-when", question, e.dates(ts))
    for city, when in (("Kyoto", "2023"), ("Porto", "2023"), ("Split", "2024")):
        t = trip(when, city=city)[0]
        q("when", "timeline-stay", f"When was I in {city}?", e.stay(t["day"], t["last"]))

    # Where
    for question, key, ts in (
        ("Where was I born?", "city", f(do="born", child="me")), ("Where did Paulo and I get married?", "place", f(do="marry", who="Paulo")), ("where did I move to for my studies?", "city", f(do="move", why="study")),
        ("Where did I move on 18 February 2023?", "city", f("2023-02-18", do="move")), ("Where did we eat okonomiyaki?", "place", eat(what="okonomiyaki")), ("Where did I have pierogi in Kraków?", "place", away("Kraków", what="pierogi")),
        ("Where did Marcus and I go on dates?", "place", f(do="date", who="Marcus")), ("Where did I take the kids for dental check-ups in 2024?", "place", f("2024", do="check-up", what="dental check-up", who=lambda w: "Bridie" in w or "Luca" in w)),
        ("Where did I travel by myself?", "city", trip(who=lambda w: not w)), ("Where have I been with Harriet on holiday?", "city", trip(who="Harriet")), ("Where did we eat in Vienna in 2022?", "place", away("Vienna", "2022")),
        ("Where did I buy a wooden bird?", "city", f(do="souvenir", what="a wooden bird")), ("where was my flu jab in 2023 done", "place", f("2023", do="check-up", what="flu jab", whom="me")), ("Where did I go on 11 February 2022?", "city", trip("2022-02-11")),
    ):
        q("where", "timeline-where", question, e.names(key, ts))

    # Who
    for question, ts in (
        ("Who are my parents?", f(do="born", child="me")), ("Who helped me move to Galway?", f(do="move", city="Galway")), ("Who did I go to Vienna with in March 2024?", trip("2024", city="Vienna")),
        ("Who did I go on dates with in 2021?", f("2021", do="date")), ("Who have I been married to?", f(do="marry")), ("Who did I move to Kinsale with?", f(do="move", city="Kinsale")),
        ("Who went with me to visit Menlo castle?", visit(what="Menlo castle")), ("With whom did I play chess in 2022?", hobby("chess", "2022")), ("Who did I bake brownies with?", f(do="bake", what="brownies")),
        ("who came along birdwatching", hobby("birdwatching")), ("Whom did I see at the shops in 2024, without going there together?", shop("2024", saw=lambda s: s)), ("Who did I talk to about politics in August 2022?", talk("2022-08", what="politics")),
        ("Who did I have sushi for dinner with in 2024?", eat("2024", what="sushi", meal="dinner")), ("Who travelled to Lisbon with me over the years?", trip(city="Lisbon")),
    ):
        q("who", "timeline-who", question, e.names("who", [t for t in ts if t["who"]]))
    t = next(t for t in eat("2022-11", meal="dinner") if t["who"])
    q("who", "timeline-who", f"With whom did I have dinner on {told(t['day'])}?", e.names("who", [t]))
    t = next(t for t in talk("2021-10") if len(talk(t["day"])) == 1)
    q("who", "timeline-who", f"who did I talk to on {told(t['day'])}?", e.names("who", [t]))

    # What: dishes, sights, goods
    things = lambda form, question, key, ts, *others, also=(): q("list", form, question, e.names(key, ts, also=also), *[e.names(key, o, also=[*ts, *also]) for o in others])
    things("timeline-list", "List all the lunch dishes that Zofia and I had in May of 2023.", "what", eat("2023-05", meal="lunch", who="Zofia"))
    things("timeline-list", "What did I eat in Kraków?", "what", away("Kraków"))
    things("timeline-list", "what did we eat in Split", "what", away("Split"))
    things("timeline-list", "What did I have to eat during my stay in Lisbon with Tobias and Zofia?", "what", away("Lisbon", "2024"), away("Lisbon", "2024", who=lambda w: "Tobias" in w))
    things("timeline-list", "Which places in Vienna did I visit with Harriet?", "what", visit(city="Vienna", who="Harriet"))
    things("timeline-list", "Which sights did Paulo and I see in Kyoto?", "what", visit(city="Kyoto", who="Paulo"))
    things("timeline-list", "What did I visit in Porto?", "what", visit(city="Porto"))
    things("timeline-list", "Which castles have I visited?", "what", visit(what=lambda x: x and "castle" in x), visit(what=lambda x: x and any(k in x for k in ("castle", "palace", "fortress"))))
    things("timeline-list", "Which hobbies have I done with Bridie?", "what", f(do="hobby", who="Bridie"))
    things("timeline-list", "What did I bake in July 2022?", "what", f("2022-07", do="bake"))
    things("timeline-list", "what have I cooked for or with rukmini", "what", f(do="cook", who="Rukmini"), made(who="Rukmini"))
    q("list", "timeline-list", "Which souvenirs did I bring home?", e.names("what", f(do="souvenir"), ["a postcard"], also=visit(action="bought a postcard there")))
    things("timeline-list", "What was Pickle taken to the vet for in 2022?", "what", f("2022", do="pet"))
    things("timeline-list", "Which cities did I travel to in 2023?", "city", trip("2023"))
    t = next(t for t in shop("2022-03") if len(t["what"]) > 2)
    things("timeline-list", f"What did I buy from the grocery store on {told(t['day'])}?", "what", [t])
    t = next(t for t in shop("2023-03") if len(shop(t["day"])) == 1)
    things("timeline-list", f"what fruit did I buy on {told(t['day'])}?", "fruits", [t])
    t = next(t for t in eat("2024-02", meal="lunch"))
    things("timeline-list", f"What did I eat for lunch on {told(t['day'])}?", "what", [t])
    t = next(t for t in f("2021-11", do="sport") if len(f(t["day"], do="sport")) == 1)
    things("timeline-list", f"which exercise did I do on {told(t['day'])}", "what", [t])
    q("list", "timeline-why", "Why did I move to Cork?", {**b.names([["a new job", "new job", "job"]], e.entries(f(do="move", city="Cork")))})
    q("list", "timeline-why", "why did i move to Edinburgh", {**b.names([["master's", "my master's at Heriot-Watt", "to start my master's at Heriot-Watt"]], e.entries(f(do="move", city="Edinburgh")))})
    t = f("2023", do="pet")[1]
    things("timeline-list", f"What did I take Pickle for on {told(t['day'])}?", "what", [t])
    t = next(t for t in f("2022-05", do="hobby") if len(f(t["day"], do="hobby")) == 1)
    things("timeline-list", f"On {told(t['day'])}, which hobby did I spend time on?", "what", [t])
    q("list", "timeline-list", "What did I do on 30 June 2024?", e.list(f("2024-06-30")))
    studies = [f(do="move", city="Edinburgh")[0], f(do="graduate", what="Heriot-Watt")[0]]
    span = (dt.date.fromisoformat(studies[1]["day"]) - dt.date.fromisoformat(studies[0]["day"])).days
    q("sum", "timeline-how-long", "How many days passed between my move to Edinburgh and finishing my master's?", b.num(span, "days", e.entries(studies)))
    q("list", "timeline-list", "All my talks with Callum in September 2022", e.list(talk("2022-09", who="Callum")))
    q("list", "timeline-list", "Show me every date I went on in 2021 before I met Paulo", e.list(f("2021", do="date", who=lambda w: "Paulo" not in w)))
    q("list", "timeline-list", "trips with the children", e.list(trip(who=lambda w: "Bridie" in w or "Luca" in w)))
    q("list", "timeline-negation", "Which trips did I take without Paulo from 2022 to 2024?", e.list(trip(("2022-01-01", "2024-12-31"), who=lambda w: "Paulo" not in w)), e.names("city", trip(("2022-01-01", "2024-12-31"), who=lambda w: "Paulo" not in w)))
    q("list", "timeline-negation", "Dinners in May 2024 without anybody else", e.list(eat("2024-05", meal="dinner", who=lambda w: not w)))

    # Joins over the day
    def join(question, key, city, sight):
        visits = visit(city=city, what=sight)
        things("timeline-join-day", question, key, e.on(e.days(visits), do="eat"), also=visits)

    join("What did I eat on the day that I visited Wawel castle?", "what", "Kraków", "Wawel castle")
    join("what did i have on the day i went to Kazimierz?", "what", "Kraków", "Kazimierz")
    join("What was eaten on the day we visited the castle of São Jorge?", "what", "Lisbon", "the castle of São Jorge")
    join("Which dishes did we have the day we were on the island of Brač?", "what", "Split", "the island of Brač")
    join("Where did we eat on the day of the Golden Pavilion?", "place", "Kyoto", "the Golden Pavilion")
    join("What did Paulo and I eat on the day we went to Schönbrunn?", "what", "Vienna", "Schönbrunn palace")
    day = f(do="marry", who="Paulo")[0]["day"]
    q("list", "timeline-join-day", "What else did I do on the day I married Paulo?", e.list([t for t in f(day) if t["do"] != "marry"], f(day)))
    day = f(do="driving test")[0]["day"]
    q("who", "timeline-join-day", "Who did I talk to on the day I passed my driving test?", e.names("who", talk(day)))
    q("list", "timeline-join-day", "What did I do on the day Pickle came to live with us?", e.list([t for t in f("2021-08-21") if t["do"] != "pet arrives"], f("2021-08-21")))
    days = e.days(hobby("pottery", "2024"))
    q("count", "timeline-join-day", "On days with pottery in 2024, how often did I also exercise?", b.countdays(e.entries(e.on(days, do="sport"))), e.count(e.on(days, do="sport")))
    days = e.days(sport("tennis", "2023"))
    q("most", "timeline-join-day", "Who did I talk to most on days I played tennis in 2023?", e.top("who", e.on(days, do="talk")), e.top("who", e.on(days, do="talk"), by="minutes"))
    q("sum", "timeline-join-day", "How many kilometres did I run on days when I also talked to Mum in 2022?", e.total([t for t in sport("run", "2022") if t["day"] in e.days(talk("2022", who="Mum"))], "km", "km"))
    day = dt.date(2023, 4, 2)
    q("list", "timeline-join-day", "What did I do the day before we left for Kyoto?", e.list(f((day - dt.timedelta(1)).isoformat())))

    # Yes and no
    t = talk("2023-06")[0]
    q("list", "timeline-yes-no", f"Did I talk to {t['who'][0]} on {told(t['day'])}?", e.yes([t]))
    q("list", "timeline-yes-no", "Did I watch TV on 3 October 2022?", e.no(f("2022-10-03", do="watch")))
    q("list", "timeline-yes-no", "Have I ever been to Porto?", e.yes([*trip(city="Porto"), *visit(city="Porto")], [t for t in f(("2023-11-04", "2023-11-09"))]))
    q("list", "timeline-yes-no", "Did I ever visit the salt mine?", e.no(visit(what="the salt mine")))
    q("list", "timeline-yes-no", "Did I go rowing with Dad?", e.yes(sport("row", who="Dad")))
    q("list", "timeline-yes-no", "did bridie have a flu jab in 2023?", e.no(f("2023", do="check-up", what="flu jab", who="Bridie")))
    q("list", "timeline-yes-no", "Was I in Lisbon in 2023?", e.no(f("2023", city="Lisbon")))
    q("list", "timeline-yes-no", "Have I baked scones with Harriet in 2022?", e.no(f("2022", do="bake", what="scones", who="Harriet")))

    # Compare
    versus = lambda question, *pairs: q("compare", "timeline-compare", question, *pairs)
    n = lambda *groups: [len(g) for g in groups]
    s = lambda key, *groups: [sum(t.get(key, 0) for t in g) for g in groups]
    years = ["2023", "2024"]
    versus("Did I run more often in 2023 or in 2024?", e.compare(n(*[sport("run", y) for y in years]), years))
    versus("Am I cycling more kilometres in 2024 than in 2023?", e.compare(s("km", *[sport("cycle", y) for y in years]), years, "km"))
    versus("Do I talk to Mum or Dad more often?", e.compare(n(talk(who="Mum"), talk(who="Dad")), ["Mum", "Dad"]))
    versus("who did i talk to longer in total in 2022, ines or orla?", e.compare(s("minutes", talk("2022", who="Ines"), talk("2022", who="Orla")), ["Ines", "Orla"], "minutes"))
    versus("pancakes or porridge: which did I have for breakfast more often?", e.compare(n(eat(what="pancakes", meal="breakfast"), eat(what="porridge", meal="breakfast")), ["pancakes", "porridge"]))
    versus("Did I bake more in 2021 than in 2022?", e.compare(n(f("2021", do="bake"), f("2022", do="bake")), ["2021", "2022"]))
    versus("Do I cook or bake more?", e.compare(n(f(do="cook"), f(do="bake")), ["cook", "bake"]))
    versus("Were there more trips in 2022 or 2024?", e.compare(n(trip("2022"), trip("2024")), ["2022", "2024"]))
    versus("Which trip lasted longer, Kyoto or Split?", e.compare([12, 10], ["Kyoto", "Split"], "days"))
    versus("Did I spend more on groceries in the first or the second half of 2024?", e.compare(s("euros", shop(("2024-01-01", "2024-06-30")), shop(("2024-07-01", "2024-12-31"))), ["first half", "second half"], "EUR"))
    swims = lambda test: [t for t in sport("swim") if test(t["day"][5:])]
    versus("Do I swim more in summer or in winter?", e.compare(n(swims(lambda d: d[:2] in ("06", "07", "08")), swims(lambda d: d[:2] in ("12", "01", "02"))), ["summer", "winter"]),
           e.compare(n(swims(lambda d: "06-21" <= d <= "09-22"), swims(lambda d: d >= "12-21" or d <= "03-20")), ["summer", "winter"]))
    versus("Did I read the news more than I watched it in 2023?", e.compare(n(f("2023", do="read", what="the news"), f("2023", do="watch", what="the news")), ["read", "watched"]), e.compare(s("minutes", f("2023", do="read", what="the news"), f("2023", do="watch", what="the news")), ["read", "watched"], "minutes"))
    versus("Have I been to the dentist with Bridie or with Luca more often?", e.compare(n(*[f(do="check-up", what="dental check-up", who=k) for k in ("Bridie", "Luca")]), ["Bridie", "Luca"]), e.compare(n(*[f(do="check-up", what="dental check-up", whom=k) for k in ("Bridie", "Luca")]), ["Bridie", "Luca"]))
    versus("Do I exercise more at weekends or on weekdays?", e.compare(n(*[[t for t in f(do="sport") if (dt.date.fromisoformat(t["day"]).weekday() > 4) == w] for w in (True, False)]), ["weekends", "weekdays"]))
    versus("gardening vs pottery in 2023, what took more of my time?", e.compare(s("minutes", hobby("gardening", "2023"), hobby("pottery", "2023")), ["gardening", "pottery"], "minutes"))
    versus("Was my average run longer in 2021 or in 2024?", e.compare([sum(t["km"] for t in r) / len(r) for r in (sport("run", "2021"), sport("run", "2024"))], ["2021", "2024"], "km"))

    # Nothing of it is recorded
    for form, question in (
        ("none-unrecorded", "How many times did I go skiing in 2022?"), ("none-unrecorded", "What did I eat in Berlin?"), ("none-person", "When did I last talk to Aurelio?"), ("none-time", "How many times did I run in 2016?"),
        ("none-future", "Where will I travel in June 2026?"), ("none-order", "Delete my trips to Lisbon"), ("none-order", "Book a table at Tasca da Lua for tomorrow"), ("none-unrecorded", "How many cigars did Tobias and I smoke?"),
        ("none-unrecorded", "Which opera did I see in Vienna?"), ("none-world", "What is the population of Lisbon?"),
    ):
        q("none", f"timeline-{form}", question, b.none())
    join("what did we eat on the day we saw the castle in Lisbon?", "what", "Lisbon", "the castle of São Jorge")
    join("Where did we eat on the day we were up at the Klis fortress?", "place", "Split", "the Klis fortress")
