"""What: entries of a time, with people, at places; the things that sentences name; yes and no."""

import re

from life import Life, both, days_between, days_of


def add(b, l: Life) -> None:
    def q(form, question, answer, *accept, **more):
        b.q("list", form, question, answer, *accept, **more)

    def notes(rx=None, when=None, who=None):
        return l.n(rx, when=when, who=who)

    def daynotes(entries):
        return [l.note[d] for d in days_of(entries) if d in l.note]

    def entries(form, question, req, optional=(), *accept, **more):
        q(form, question, b.list(req, optional=list(optional)), *accept, **more)

    # A time
    day = lambda d: l.a(when=d)
    entries("list-day", "What did I do on 12 September 2024?", day("2024-09-12"), daynotes(day("2024-09-12")))
    entries("list-day", "what happened on June 9th, 2023", day("2023-06-09"), daynotes(day("2023-06-09")))
    entries("list-day", "What did I do yesterday?", day("2025-12-31"), daynotes(day("2025-12-31")))
    entries("list-day", "2024-03-05", day("2024-03-05"), daynotes(day("2024-03-05")))
    entries("list-day", "What did I do last Tuesday?", day("2024-11-12"), daynotes(day("2024-11-12")), now="2024-11-15T10:00:00Z")
    weekend = ("2025-05-10", "2025-05-11")
    entries("list-day", "What did I do last weekend?", l.a(when=weekend), daynotes(l.a(when=weekend)), now="2025-05-14T18:00:00Z")
    evening = [e for e in l.a(when="2023-01-04") if e.start and e.start.hour >= 18]
    entries("list-day", "what did I do on the evening of 4 Jan 2023?", evening, [*daynotes(evening), *[e for e in l.a(when="2023-01-04") if not e.start or e.start.hour >= 17]])

    # With somebody
    def withp(question, who, when, form="list-person", spoken="", **more):
        req = l.a(who=who, when=when)
        entries(form, question, req, [*l.n(who=who, when=when), *daynotes(req)], **more)
    withp("What did I do with Clara Weiss in 2024?", "Clara Weiss", "2024")
    withp("What did Yusuf and I do in 2024", "Yusuf Demir", "2024")
    withp("what did i do with lexi in march 2025", "Alex Moreau", "2025-03")
    withp("Everything with Tommy in the first quarter of 2024", "Tom Ashworth", ("2024-01-01", "2024-03-31"))
    withp("What did I do with Thea last year?", "Thea Martens", "2025")
    withp("Activities with Nils Grabow in 2023?", "Nils Grabow", "2023")
    withp("What have Amara and I done since March 2025?", "Amara Diallo", ("2025-03-01", "2025-12-31"))
    withp("what did i do w/ Leyla last month", "Leyla Yıldız", "2025-07", now="2025-08-20T18:00:00Z") if l.a(who="Leyla Yıldız", when="2025-07") else None

    # Fields
    entries("list-tag", "Which films did I see in 2025?", l.a(tag="film", when="2025"), [*l.n(r"\bfilm\b", when="2025"), *l.a(r"\bfilm\b|cinema", when="2025")])
    entries("list-tag", "List my bike tours in July and August 2023, not the commutes", [e for e in l.a(tag="cycling", when=("2023-07-01", "2023-08-31")) if "commute" not in e.tags], l.n(r"km|bike|[Cc]ycl", when=("2023-07-01", "2023-08-31")))
    entries("list-tag", "What did I bake in the first half of 2024?", l.a(tag="baking", when=("2024-01-01", "2024-06-30")), [*l.n(r"[Bb]aked|cake|tart", when=("2024-01-01", "2024-06-30")), *l.a(r"[Bb]ake", when=("2024-01-01", "2024-06-30")), *l.n("(?i)bak", when=("2024-01-01", "2024-06-30"))],
            b.list(l.a(r"^baked", when=("2024-01-01", "2024-06-30")), l.n(r"[Bb]aked", when=("2024-01-01", "2024-06-30"))))
    entries("list-tag", "repairs at home in 2025", l.a(tag="repairs", when="2025"), both(l.a(r"repaired|mended", when="2025"), l.n(r"repair|mend|fix", when="2025")))
    entries("list-tag", "Show me the culture entries of 2024", l.a(tag="culture", when="2024"))
    entries("list-tag", "What sailing did I do in June 2024?", l.a(tag="sailing", when="2024-06"), l.n(r"(?i)sail|jetty|alster|knot", when="2024-06"))
    entries("list-tag", "What did I do at the allotment in May 2024?", l.a(place="the allotment", when="2024-05"), l.n("(?i)allotment|bed|seedling|weed|water|Kruse", when="2024-05"))
    entries("list-tag", "paperwork in February 2025", l.a(tag="paperwork", when="2025-02"), l.n(when="2025-02"))
    entries("list-place", "What did I do at the Heron in 2023 and 2024?", l.a(place="^the Heron$", when=("2023-01-01", "2024-12-31")), l.n("the Heron"))
    entries("list-place", "what have i done at kleine freiheit eck", l.a(place="^Kleine Freiheit Eck$"), l.n("Kleine Freiheit"))
    entries("list-place", "What did we do on Bornholm on 14 July 2024?", l.a(when="2024-07-14"), daynotes(l.a(when="2024-07-14")), b.list(l.a(when="2024-07-14", tag="bornholm"), [*l.a(when="2024-07-14"), *daynotes(l.a(when="2024-07-14"))]))
    entries("list-words", "Everything about the blue jumper", l.a("blue jumper"), [*l.n("jumper"), *l.a("knit|unpicked")])
    entries("list-words", "all entries that mention rakia", l.a("rakia"), l.n("rakia"), b.list(both(l.a("rakia"), l.n("rakia"))))
    entries("list-words", "What do I have about the parking fine in 2025?", l.a("parking fine", when="2025"), l.n("parking fine", when="2025"))

    # Things named in sentences
    def things(form, question, names, req, optional=(), optional_ids=(), *accept, **more):
        answer = {**b.names(list(names), req, list(optional)), "optionalIds": [e.id for e in optional_ids]}
        q(form, question, answer, *accept, **more)

    def cut(rx, es):
        found = {}
        for e in es:
            if m := re.search(rx, e.text):
                found.setdefault(m[1], None)
        return list(found)

    def extract(question, rx, *others, form="frame-what", when=None, optional=(), note=None, also=(), **more):
        """Names are the pattern's first group; others are wider readings."""
        def one(r):
            es = l.a(r, when=when, **more)
            return es, cut(r, es)
        es, names = one(rx)
        stem = re.match(r"\^(\w{4,})", rx)
        loose = l.n(note or (f"(?i){stem[1][:-2]}" if stem else "(?!)"), when=when)
        answers = []
        for r in others:
            o, n = one(r)
            answers.append({**b.names(n, o, list(optional)), "optionalIds": [e.id for e in [*daynotes(o), *loose, *also]]})
        things(form, question, names, es, optional, [*daynotes(es), *loose, *also], *answers)

    extract("What did I mend in 2024?", r"^mended (?:an? )?(.*?)(?: with Jonas)?$", r"^(?:mended|repaired) (?:an? |the )?(.*)$", when="2024")
    extract("What did I repair at home in all these years?", r"^repaired (?:the |a )?(.*)$", r"^(?:mended|repaired) (?:an? |the )?(.*)$", tag="home", optional=["shed door", "bicycle pump", "letter box", "radiator", "hall light", "sewing machine", "picture", "shelf", "window frame"])
    extract("what did jonas cook in 2025", r"^Jonas cooked (.*)$", r"^(?:Jonas cooked|Jonas made|cooked with Jonas:) (.*)$", r"^(?:Jonas cooked|Jonas made) (.*)$", r"^(?:Jonas cooked|cooked with Jonas:) (.*)$", when="2025")
    extract("Which soups did Jonas make when I was ill?", r"^Jonas made (.*)$", r"^(?:Jonas made )?(.*soup.*?)(?: from Jonas)?$", tag="ill")
    extract("What did I buy for birthdays in 2024?", r"^bought (?:an? )?(.*) for a birthday$", r"^(?:bought |a card and )?(?:an? )?(.*?)(?: in the wrong green)? for (?:a|\S+) birthday$", when="2024")
    extract("What did I talk about with Hanna at lunch?", r"^lunch with Hanna, talked about (.*)$", note="Hanna")
    extract("What did Carla and I talk about over lunch?", r"^lunch with Carla, talked about (.*)$", note="Carla")
    extract("What did I discuss with Wiebke at lunch in 2023?", r"^lunch with Wiebke, talked about (.*)$", note="Wiebke", when="2023") if l.a(r"^lunch with Wiebke, talked about", when="2023") else None
    extract("which dishes have I shared with Alex Kim at lunch", r"^Alex Kim and I shared (?:an? )?(.*)$")
    extract("What did Sarah and I share for lunch?", r"^Sarah and I shared (?:an? )?(.*)$")
    extract("What did I get at the market in June 2025?", r"^market: (tomatoes|cherries)", when="2025-06", optional=["bread", "flowers", "coffee", "food"], note="market", also=l.a(place="^the market$", when="2025-06"))
    extract("Which pieces did we sing at choir in January 2024?", r"^choir(?:: first go at|:|,) the (.*?)(?: again)?$", when="2024-01")
    extract("Which grammar topics did Silvia teach in 2024?", r"^Italian(?: with Silvia)?: (.*)$", r"^Italian with Silvia: (.*)$", when="2024")
    extract("What have I weeded?", r"^weeded the (.*)$", optional=[])
    extract("what did i water in the garden", r"^watered the (.*)$", optional=["everything"])
    extract("For which vegetables did I dig over a bed in 2023?", r"^dug over the bed for (.*)$", when="2023")
    extract("Which games have I played with Jonas?", r"^(chess|backgammon|rummy|dominoes|the card game nobody can explain|the word game in two languages|the ferry game) with Jonas$", r"^(chess|backgammon|rummy|dominoes|the card game nobody can explain|the word game in two languages|the ferry game|cards) with Jonas$", optional=["cards"])
    extract("What have I knitted?", r"^knitted (?:the )?(.*?)(?: for Maisie)?$", optional=["the blue jumper", "jumper"], note="(?i)knit|jumper", also=l.a(tag="knitting"))
    extract("Which books did I finish in the first quarter of 2024?", r"^finished \"(.*?)\"", when=("2024-01-01", "2024-03-31"))
    extract("books finished in autumn 2025", r"^finished \"(.*?)\"", when=("2025-09-01", "2025-11-30"))
    extract("Which books did I begin in 2023 between July and September?", r"^began \"(.*?)\"", when=("2023-07-01", "2023-09-30"))
    extract("What did I cook for friends?", r"^cooked for \S+, (.*)$", r"^(?:cooked for \S+,|\S+ for dinner:) (.*)$")
    extract("Which cakes did Alex and I eat at Clara's shop?", r"^(.*) with Alex at Clara's shop$")
    extract("What did I eat at Jonas's parents'?", r"^(.*) at Jonas's parents'$", optional=["orange polenta cake", "bee-sting cake", "ginger cake", "potato salad", "sausages"])
    extract("What cake has Noah brought to work?", r"^((?:.* )?(?:cake|parkin|tart|cheesecake|drizzle|buns)) from Noah$", r"^(?:Noah's leftover )?((?:.*? )?(?:cake|parkin|tart|cheesecake|drizzle|buns))(?: from Noah)?$", kind="work", who="Noah Adeyemi")
    extract("which cakes did colleagues bring in 2025", r"^((?:.* )?(?:cake|parkin|tart|cheesecake|drizzle|buns)) from", r"^(?:\S+'s leftover )?((?:.*? )?(?:cake|parkin|tart|cheesecake|drizzle|buns))(?: from .*)?$", kind="work", when="2025")
    extract("What did I ring up about and get put through four times in 2025?", r"^rang about (?:the )?(.*), was put through", when="2025")
    extract("Which talks did I hear?", r"^a talk on (.*)$", optional=["conference", "conference, morning talks"], note="(?i)\\btalks?\\b|lecture")
    extract("Which exhibitions did I see in 2024?", r"exhibition about (.*?)(?: at .*)?,? with", when="2024", optional=["the art school's open studios", "polar expeditions"], note="(?i)exhibition|museum")
    extract("What was the film about that I saw with Yusuf?", r"^film about (.*), with Yusuf", note="Yusuf", also=l.a(tag="film", who="Yusuf Demir"))
    extract("What did Mum ring about in 2025?", r"^Mum rang: (.*)$", r"^(?:Mum rang:|Mum on the phone:) (.*)$", r"^(?:Mum rang:|Mum on the phone:|call with Mum about|call with Mum,) (.*?)(?: again)?$", when="2025")
    extract("What has Dad talked about on the phone?", r"^Dad, about (?:the |a )?(.*)$", r"^(?:Dad, about|call with Dad:|call with Dad about) (?:the |a )?(.*)$")
    extract("What have I painted, hung or put up at home?", r"^(?:painted|hung|put up) (?:the |a )?(.*?)(?:, twice| with Jonas)?$")

    # Eating on trips: the food is in the sentence, the town in the tag
    def ate(question, names, rx, when, optional=(), note="(?i)eat|ate|food|sardine|pork|ginjinha|octopus|dumpling|lunch|dinner|supper|bread"):
        es = l.a(rx, when=when)
        things("frame-eat", question, names, es, optional, [*l.n(note, when=when), *l.a(rx=r"(?i)coffee|brandy|drink|lunch|dinner|supper|bread|rakia|cooked|fruit|plate|picnic|café|market|bakery|ice cream|beer|izakaya|cards|flea", when=when), *daynotes(es)])
    ate("What did I eat in Lisbon?", ["sardines", "bifana", ["caldo verde", "soup"]], r"sardines|bifana|caldo verde", ("2024-03-28", "2024-04-02"), ["cherry brandy", "ginjinha", "pork rolls", "bread", "coffee"])
    ate("what did we eat in Rome", [["pasta"], ["pizza"], ["suppli"], ["cacio e pepe"], ["ice cream"]], r"pasta|pizza|suppli|cacio|ice cream", ("2024-10-03", "2024-10-07"), ["coffee", "dinner", "beer", "pistachio"])
    ate("What did I eat in New York?", ["dumplings", "pastrami", ["salad"]], r"dumplings|pastrami|salad", ("2023-10-10", "2023-10-16"), ["food cart", "fruit", "lunch", "supper", "dinner", "peaches", "crackers", "leaves", "her one dish"])
    ate("What did I eat in Sofia in 2023?", ["banitsa"], r"banitsa", ("2023-06-08", "2023-06-12"), ["rakia", "lunch", "dinner", "roses and peppers", "peppers", "cooked on two rings", "mineral springs", "pasta"])
    jp = ["okonomiyaki", "sushi", ["curry rice"], "onigiri", "tempura", ["hot pot"], "gyoza", ["curry bread"], "toast", "bento", ["noodles"], "soba", "yakitori"]
    ate("What did I eat in Japan?", jp, r"okonomiyaki|sushi|curry|onigiri|tempura|hot pot|gyoza|toast|bento|noodles|soba|yakitori", ("2025-10-11", "2025-10-26"), ["coffee", "lunch", "dinner", "supper", "fruit", "fish auction", "izakaya", "one plate for two", "picnic", "tea ceremony", "hot pot"])
    ate("What did I have for lunch on 5 January 2023?", [["falafel plate", "falafel"]], r"falafel", "2023-01-05")
    ate("what did I eat at my desk in February 2023?", sorted(cut(r"^(?:an? |the )?(.*) at my desk$", l.a(r"at my desk$", when="2023-02"))), r"at my desk$", "2023-02") if cut(r"^(?:an? |the )?(.*) at my desk$", l.a(r"at my desk$", when="2023-02")) else None
    week = l.a(tag="cooking", when=("2024-01-25", "2024-01-31"))
    things("frame-eat", "What did I cook between 25 and 31 January 2024?", cut(COOKED, week), week, (), daynotes(week))
    ate("What did we have for dinner at home on 11 January 2023?", ["roast squash"], r"roast squash", "2023-01-11")

    # Joins over the day
    def join(question, days, rx=None, else_=None, form="join-day", **more):
        req = [e for d in days for e in l.a(rx, when=d, **more)]
        loose = [*daynotes(req), *[l.note[d] for d in days if d in l.note], *[e for d in days for e in l.a(when=d, tag=more.get("kind", "-"))]]
        event = [e for e in req if else_ and re.search(else_, e.text)]
        q(form, question, b.list([e for e in req if e not in event], [*loose, *event]))
    join("What did I do on the day I passed the sailing exam?", ["2024-09-12"])
    join("What else happened on the day Compass went live?", ["2024-04-24"], else_="Compass goes live")
    d = l.a(r"donkey path", when="2023")[0].day
    q("join-day", "What did we eat on the day we went up the donkey path to the monastery in 2023?", {**b.names(["octopus"], l.a("octopus", when=d)), "optionalIds": [e.id for e in daynotes(l.a(when=d))]})
    d = l.a("stars from the roof", when="2025")[0].day
    q("join-day", "what did i eat on the day we watched the stars from the roof in 2025?", {**b.names([["vine leaves"]], l.a("vine leaves", when=d)), "optionalIds": [e.id for e in daynotes(l.a(when=d))]})
    d = l.a("launch of the Edith")[0].day
    join("What did I do on the day the Edith was launched?", [d])
    q("join-day", "Which book was I reading on the day of my wisdom tooth?", {**b.names([["The Lantern at Low Water"]], reading(l, "2024-01-26")), "optionalIds": [l.note["2024-01-26"].id]}) if reading(l, "2024-01-26") else None
    d = l.a("Ella's concert")[0].day
    join("what did I do at work on the day of Ella's concert", [d], kind="work")
    d = l.a("wisdom tooth out")[0].day
    join("What did I do the day after the wisdom tooth came out?", [days_between((d, "2024-12-31"))[1]])
    d = l.a("capsized")[0].day
    join("what did I do on the day I capsized?", [d])
    req = [e for e in l.a(tag="lunch", when="2025") if e.day in days_of(l.a(tag="pottery", when="2025-03"))]
    q("join-day", "Which lunches did I have on pottery days in March 2025?", b.list(req, daynotes(req)))

    # Not
    req = [e for e in l.a(tag="cycling", when="2023-06") if "commute" not in e.tags]
    entries("negation", "Bike rides in June 2023 that weren't to work", req, l.n("(?i)km|bike|cycl", when="2023-06"))
    req = [e for e in l.a(tag="lunch", when="2024-05") if not e.people]
    entries("negation", "lunches in May 2024 without anybody", req, l.n(when="2024-05"))
    req = [e for e in l.a(when="2025-06-05") if e.kind != "work"]
    entries("negation", "What did I do on 5 June 2025 apart from work?", req, [*daynotes(req)], b.list([e for e in req if "work" not in e.tags], [*req, *daynotes(req)]))
    req = [e for e in l.a(tag="film", when="2023") if "Jonas Brandt" not in e.people]
    entries("negation", "Which films did I see without Jonas in 2023?", req, l.n(r"\bfilm\b", when="2023"), b.list(req, [e for e in l.a(r"\bfilm\b", when="2023") if "Jonas Brandt" not in e.people]))

    # Yes and no
    def yes(question, es, optional=(), **more):
        q("yes-no", question, b.yes(es, list(optional)), **more)

    def no(question, **more):
        q("yes-no", question, b.no(), **more)
    yes("Did I bake anything in November 2024?", l.a(tag="baking", when="2024-11"), both(l.n("(?i)bak|cake", when="2024-11"), l.a(r"baked", when="2024-11")))
    yes("Have I ever eaten ramen with Wiebke?", l.a(r"ramen with Wiebke"), l.n(r"ramen"))
    yes("did i see leyla in december 2025?", l.a(who="Leyla Yıldız", when="2025-12"), l.n(who="Leyla Yıldız", when="2025-12"))
    yes("Was I in Plovdiv in 2025?", l.a("Plovdiv", when="2025"), l.n("Пловдив|Plovdiv", when="2025"))
    yes("Did Jonas ever cook shepherd's pie?", l.a(r"^Jonas cooked shepherd's pie"), l.a("shepherd's pie"))
    no("Did I go to choir on 10 August 2024?")
    no("Did I cycle to work on Christmas Day 2024?")
    no("Have I ever shared dumplings with Stefan?")
    no("Did I go sailing in 2023?")
    no("did I have an Italian class in 2025")
    no("Was I in Lisbon in 2025?")


COOKED = r"^(?:cooked with Jonas:|Jonas cooked|dinner at home:|dinner:|cooked|made|tried a new recipe,)? ?(?:an? )?((?:a )?(?:aubergine stew|baked fennel|barley with mushrooms|bean chilli|beetroot soup|bean soup|big salad with halloumi|cabbage rolls|cauliflower cheese|cauliflower soup|carrot soup with too much ginger|dal and rice|egg curry|fish pie|fishcakes|fried plaice|gnocchi|green curry|kale soup|leek tart|lentil bake|miso soup|mushroom risotto|mushroom soup|mussels|noodles with peanut sauce|okonomiyaki|onion tart|pasta with broad beans|pea soup|potato pancakes|potato soup with dill|pumpkin soup|ratatouille|roast squash|shepherd's pie|spaghetti with sardines|spinach dumplings|spätzle|stuffed peppers|tomato soup))"


def reading(l: Life, day: str):
    """Readings within the fortnight of the book that was open on the day."""
    return [e for e in l.a("Lantern at Low Water", tag="reading")]
