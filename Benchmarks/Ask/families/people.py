"""Who and where."""

import re

from life import Life, both, days_of, tally


def add(b, l: Life) -> None:
    def who(form, question, entries, *others, optional=(), drop=(), **more):
        def one(es):
            return b.people(sorted({p for e in es for p in e.people} - set(drop)), es, list(optional))
        b.q("who", form, question, one(entries), *[one(o) for o in others if o], **more)

    J = ("Jonas Brandt",)
    who("list-who", "Who have I been sailing with?", l.a(tag="sailing"))
    who("list-who", "Who did I have lunch with in the first week of March 2025?", l.a(tag="lunch", when=("2025-03-01", "2025-03-07")), l.a(tag="lunch", when=("2025-03-03", "2025-03-09")), l.a(tag="lunch", when=("2025-02-24", "2025-03-02")))
    who("list-who", "who came to the retros in June 2025", l.a(tag="retro", when="2025-06"))
    who("list-who", "Whom did I ring or talk to on the phone in May 2025?", l.a(tag="call", when="2025-05"), l.a(tag="call", when="2025-05", not_="letter|parcel"), l.a(r"rang|call|phone|voice", when="2025-05", kind="personal"))
    who("list-who", "Who did I go out with for culture things in 2025?", l.a(tag="culture", when="2025"))
    who("list-who", "Who did I play or practise with at choir by name in 2024?".replace("play or practise with at choir by name", "practise with at choir"), l.a(r"^choir practice with", when="2024"), l.a(tag="choir", when="2024"))
    who("list-who", "who was in the planning on 2 January 2023?", l.a(tag="planning", when="2023-01-02"))
    who("list-who", "with whom did I have 1:1s in January 2024", l.a(tag="1:1", when="2024-01"))
    who("list-who-where", "Who was I with at the Crooked Mast?", l.a(place="^the Crooked Mast$"))
    who("list-who-where", "Who did I meet at the pub with the dog in 2023?", l.a(place="^the pub with the dog$", when="2023"))
    who("list-who-where", "with whom have i been to the Little Orion", l.a(place="^the Little Orion$"))
    who("list-who-where", "Who went to the heath with me?", both(l.a(place="^the heath$"), l.a("the heath")))
    who("list-who-where", "Who was with me at the Elbe path in 2025?", both(l.a(place="^the Elbe path$", when="2025"), l.a("the Elbe path", when="2025")))
    who("list-who-where", "Who did I see a film with at the Atlas?", l.a(place="^the Atlas$", tag="film"))

    who("frame-who", "Who did I drink red wine with?", l.a(r"^red wine with"))
    who("frame-who", "Who have I cooked for? (at my place)", l.a(r"^cooked for"), l.a(r"^cooked for|for dinner:"))
    who("frame-who", "Who did I share dumplings with?", l.a(r"I shared dumplings"))
    who("frame-who", "who gave me orange polenta cake at work", l.a(r"orange polenta cake from"), l.a(r"orange polenta cake from|leftover orange polenta cake"))
    who("frame-who", "Who taught me to knit?", l.a(r"teaches me to knit"))
    who("frame-who", "Who had tickets for the cinema museum?", l.a(r"had tickets for the cinema museum"))
    who("frame-who", "Whose birthday did I buy a scarf for?", l.a(r"a scarf .* birthday"))
    who("frame-who", "For whom did I buy a teapot?", l.a(r"^a teapot for"))
    who("frame-who", "Who did I see the exhibition about moths with?", l.a(r"exhibition about moths"))
    who("frame-who", "Who did I write long letters to?", l.a(r"^a long letter to"))
    who("frame-who", "who did i send parcels to in 2025?", l.a(r"^a parcel for", when="2025"))
    who("frame-who", "Who did I bump into in 2025, literally \"bumped into\"?", l.a(r"^bumped into", when="2025"))
    who("frame-who", "Who did I chat with in the street in 2024?", l.a(r"^a chat with .* in the street", when="2024"))
    who("frame-who", "Who did I run into in 2023?", l.a(r"^ran into", when="2023"), l.a(r"^(ran into|bumped into|met .* by chance)", when="2023"), l.a(tag="people", when="2023"))
    who("frame-who", "Who was at the bus stop in 2025?", l.a(r"at the bus stop$", when="2025"))
    who("frame-who", "With whom did I drink hot chocolate?", l.a(r"^hot chocolate with"), optional=["Thea Martens"])
    who("frame-who", "Who brought cinnamon buns to the office?", l.a(r"^cinnamon buns from"))
    who("frame-who", "Who did I talk about night shifts with at lunch?", l.a(r"talked about night shifts"), optional=told(l, "night shifts"))
    who("frame-who", "Who did I talk about the election with over lunch?", l.a(r"talked about the election"), optional=told(l, "the election"))
    who("frame-who", "Whom did I help to move a bookshelf?", l.a(r"^helped Alex move"))
    who("frame-who", "Who cooked aubergine stew for me?", l.a(r"^Jonas cooked aubergine stew"))
    who("frame-who", "Who read to me when I was ill?", l.a(r"read to me"))
    who("frame-who", "who came for apple cake?", l.a(r"came for apple cake"))
    who("frame-who", "Who left potato soup at the door?", l.a(r"left potato soup"))
    b.q("who", "frame-who", "Who did I eat tempura with in Tokyo?", b.people(["Kenji Mori"], l.a(r"tempura with"), ["Jonas Brandt"]))
    b.q("who", "frame-who", "With whom did I go fossil hunting?", b.people(["Jack Ashworth"], l.a(r"^fossils with"), ["Jonas Brandt"]))
    b.q("who", "frame-who", "Who wrote \"The Last House\"?", b.names([["Leo Okonjo", "Okonjo"]], l.a(r"\"The Last House\" by")))
    b.q("who", "frame-who", "Which author wrote Innkeeper and Ledger?", b.names([["Ruth Nakagawa", "Nakagawa"]], l.a(r"\"Innkeeper and Ledger\" by")))
    b.q("who", "frame-who", "who is the author of Midwife and Garden", b.names([["M. Haddow", "Haddow"]], l.a(r"\"Midwife and Garden\" by")))
    b.q("who", "frame-who", "Who ate a whole lemon at lunch for a bet?", b.people(lemon(l), l.n("ate a whole lemon")))
    who("join-who", "Who did I have lunch with on the day I passed the sailing exam?", [e for e in l.a(tag="lunch", when="2024-09-12")]) if l.a(tag="lunch", when="2024-09-12") and any(e.people for e in l.a(tag="lunch", when="2024-09-12")) else None
    who("join-who", "Who was in meetings on the day Compass went live?", l.a(tag="meeting", when=l.a("Compass goes live")[0].day))
    who("who-day", "Who did I meet on 21 August 2023?", l.a(when="2023-08-21"), both(l.a(when="2023-08-21"), l.n(when="2023-08-21")), l.a(when="2023-08-21", not_="(?i)standup"))
    who("who-day", "who did I see last Saturday", l.a(when="2025-05-10"), both(l.a(when="2025-05-10"), l.n(when="2025-05-10")), now="2025-05-14T18:00:00Z")
    who("who-day", "Who was I with on 5 May 2024?", *[x for x in (l.a(when="2024-05-05"), both(l.a(when="2024-05-05"), l.n(when="2024-05-05")), l.a(when="2024-05-05", not_="phone")) if any(e.people for e in x)])

    # Where
    def where(form, question, entries, *others, more_names=(), optional=(), **more):
        def one(es):
            places = sorted({e.place for e in es if e.place} | set(more_names))
            return b.names([spell(p) for p in places], es, [spell(p) for p in optional])
        b.q("where", form, question, one(entries), *[one(o) for o in others if o], **more)

    where("where-person", "Where did I have lunch with Alex Moreau in 2023?", l.a(r"^lunch with Alex at", when="2023"), l.a(tag="lunch", who="Alex Moreau", when="2023"))
    where("where-person", "Where did Jonas and I have dinner in 2023?", l.a(tag="dinner", tags=["jonas"], when="2023"), l.a(tag="dinner", who="Jonas Brandt", when="2023"), both(l.a(tag="dinner", who="Jonas Brandt", when="2023"), l.a(r"dinner", who="Jonas Brandt", when="2023")), l.a(r"(?i)dinner|Jonas's birthday:|just the two of us|Schmiede|Osteria|cellar with", who="Jonas Brandt", when="2023"), optional=eaten(l, "2023"))
    where("where-person", "Places where I met up with Clara in 2024", l.a(who="Clara Weiss", when="2024"), optional=["Clara's shop"])
    where("where-person", "where did i see Yusuf", l.a(who="Yusuf Demir"), optional=["home"])
    where("where-person", "Where have I been with Amara?", l.a(who="Amara Diallo"), optional=["home"])
    where("where-person", "Where did I go with Thea in 2024?", l.a(who="Thea Martens", when="2024"), optional=["home"])
    where("where-person", "where did Marek and I go in 2025?", l.a(who="Marek Novák", when="2025"))
    where("where-person", "Where did I spend time with Julia Hagedorn in 2023?", l.a(who="Julia Hagedorn", when="2023"))
    where("where-person", "Where did Nils and I see films?", l.a(tag="film", who="Nils Grabow"))
    where("where-tag", "Where did I watch films in 2024?", l.a(tag="film", when="2024"), both(l.a(tag="film", when="2024"), l.a(r"\bfilm", when="2024")))
    where("where-tag", "Where is choir?", l.a(tag="choir"))
    where("where-tag", "Where do my Italian classes take place?", l.a(tag="italian"))
    where("where-tag", "which cinemas did I visit in 2025?", l.a(tag="film", when="2025"))
    where("where-tag", "Where did I go for culture in 2024?", l.a(tag="culture", when="2024"), optional=["the ferry museum"])
    where("frame-where", "Where did I eat fried squid?", l.a("fried squid"), more_names=["the taverna at Plaka"])
    where("frame-where", "Where did I go snorkelling?", l.a("snorkelling"))
    where("frame-where", "Where did I swim in August 2025?", l.a(r"\bswam|swim", when="2025-08"), l.a(r"\bswam|swim|snorkel", when="2025-08"))
    where("frame-where", "Where did I eat pie on the moor?", l.a("pie in a pub on the moor"), optional=["pub on the moor", "the moor", "a pub on the moor"])
    where("frame-where", "Where did I have coffee with the fishermen?", l.a("coffee with the fishermen"))
    where("frame-where", "Where did I drink cherry brandy?", l.a("cherry brandy"), optional=["the square"])
    where("frame-where", "where did I eat fish soup on Bornholm", l.a("fish soup at the harbour"), optional=["the harbour"])
    where("frame-where", "Where did I drink a glass of Riesling with Clara?", l.a("Riesling"))
    where("frame-where", "Where did I see the exhibition about polar expeditions with Anna?", l.a(r"polar expeditions .*Anna"), optional=[])
    where("frame-where", "Where did I drink red wine?", l.a(r"^red wine"))
    where("frame-where", "Where did Leyla have tickets for?", l.a(r"^Leyla had tickets"))
    where("frame-where", "Where did I hear fado?", l.a("fado"), optional=["Lisbon"])
    where("frame-where", "Where did I have an ice cream on the bridge?", l.a("ice cream on the bridge"), optional=["the bridge", "Rome"])
    where("frame-where", "Where did I eat curry rice in a basement?".replace("eat curry rice in a basement", "drink coffee in a kissaten"), l.a("coffee in a kissaten"), optional=["a kissaten", "Tokyo", "Japan"])
    b.q("where", "frame-where", "Where did we celebrate Jonas's birthday in the three years?", b.names([spell(p) for p in ("Kantine Rot", "the Georgian cellar", "the noodle bar by the station")], l.a(r"^Jonas's birthday:")))
    b.q("where", "frame-where", "In which café did I eat chickpea soup with Alex?", b.names([spell("the Reading Room café")], l.a("chickpea soup with Alex")))
    b.q("where", "frame-where", "where did Alex and I eat mushroom soup?", b.names([spell("the Blue Tile")], l.a("mushroom soup with Alex")))
    b.q("where", "frame-where", "Where do I eat soup alone most: on the steps of what?".replace("Where do I eat soup alone most: on the steps of what?", "Where did I have bean soup outdoors?"), b.names([["the harbour steps", "harbour steps"]], l.a(r"^bean soup on the harbour steps")))
    b.q("where", "frame-where", "Where did we go with Katrin's family for orange polenta cake?", b.names([["Lüneburg"]], l.a(r"Lüneburg: .*orange polenta")))
    b.q("where", "where-stay", "Where was I on 5 October 2024?", b.names([["Rome"]], l.a(when="2024-10-05"), [[p] for p in sorted({e.place for e in l.a(when="2024-10-05") if e.place})]),
        b.names([spell(p) for p in sorted({e.place for e in l.a(when="2024-10-05") if e.place})]))
    b.q("where", "where-stay", "Where did I fly in June 2023?", b.names([["Sofia"]], l.a(r"^Flight", when="2023-06"), [["Hamburg"]]))
    b.q("where", "where-stay", "where did I spend Christmas 2023?", b.names([["Whitby"]], l.a(when=("2023-12-24", "2023-12-26")), [[p] for p in ["my parents'", *sorted({e.place for e in l.a(when=("2023-12-22", "2023-12-28")) if e.place}), "England"]]))
    b.q("where", "where-stay", "Which foreign cities did I fly to in 2024?", b.names([["Lisbon"], ["Rome"], ["Manchester"]], l.a(r"^Flight Hamburg", when="2024")), b.names([["Lisbon"], ["Rome"]], l.a(r"^Flight Hamburg", when="2024"), [["Manchester"], ["Hamburg"], ["Whitby"]]))
    where("negation", "Which places other than the office was I at on 14 May 2024?", [e for e in l.a(when="2024-05-14") if e.place != "the office"]) if any(e.place and e.place != "the office" for e in l.a(when="2024-05-14")) else None
    where("join-where", "Where was I with Jonas on the day after the wisdom tooth... came out?".replace("the wisdom tooth... came out", "Rome ended"), []) if False else None
    where("join-where", "Where did we eat on the evening of 4 January 2023?", l.a(tag="dinner", when="2023-01-04"))


def spell(place: str) -> list[str]:
    return [place, place.removeprefix("the ")] if place.startswith("the ") else [place]


def told(l: Life, topic: str) -> list[str]:
    """People of the days whose notes name the topic: some of them talked about it too."""
    return sorted({p for n in l.n(topic) for p in n.people})


def eaten(l: Life, year: str) -> list[str]:
    where = l.a(r"dinner|birthday|two of us", who="Jonas Brandt", when=year, place=".")
    return sorted({e.place for e in where} | {"Kantine Rot"})


def lemon(l: Life) -> list[str]:
    names = {
        m[1] for e in l.n("ate a whole lemon") for m in re.finditer(r"(\w+) ate a whole lemon", e.text)
    }
    studio = {p for e in l.a(kind="work") for p in e.people}
    return sorted(p for p in studio if p.split()[0] in names)
