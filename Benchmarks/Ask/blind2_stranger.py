"""A second blind set over stranger.jsonl, written from its entries alone; no answer of the reader was seen."""

import datetime as dt
from pathlib import Path
from typing import Any

from events import Events, year
from families.stranger import NOW, spell
from life import Life

TODAY = dt.date(2025, 6, 15)


def add(b: Any, l: Life, truth: Path) -> None:
    e = Events(b, l, truth, TODAY, spell)

    def asker(kind: str):
        return lambda question, *answers, form=kind, now=NOW: b.q(kind, f"blind2-stranger-{form}", question, *answers, now=now)

    figures(e, asker)
    moments(e, asker)
    names(e, asker)
    lists(e, asker)


def figures(e: Events, asker) -> None:
    f = e.of
    q = asker("count")
    q("how many concerts did I hear in St Bavo's?", e.count(f(do="concert")))
    q("Times I've had to mend the gutter?", e.count(f(do="fix", what="the gutter")))
    q("how often did I go climbing in 2024", e.count(f("2024", do="sport", what="climb")))
    q("Phone calls with Dad since New Year 2025, how many?", e.count(f(("2025-01-01", "2025-06-15"), do="call", who="Dad")))
    q = asker("sum")
    km = f(do="walk", city="Kyoto")
    q("How far did I walk in Kyoto?", e.total(km, "km", "km"))
    q("money that went into running shoes, all pairs", e.total(f(do="buy", what="running shoes"), "euros", "EUR"))
    q("how many hours did I practise the cello in April 2025?", e.total(f("2025-04", do="practise"), "minutes", "hours", 1 / 60))
    q = asker("average")
    q("how long are my calls with Mum on average", e.mean(f(do="call", who="Mum"), "minutes", "minutes"))
    q("Typical distance of a swim?", e.mean(f(do="sport", what="swim"), "metres", "m"))
    q = asker("longest")
    q("my longest badminton session", e.extreme(f(do="sport", what="badminton"), "minutes", "minutes"))
    q("what was the most I ever paid for something", e.extreme(f(do="buy"), "euros", "EUR"))
    q("How long was the longest break between two films at the cinema?", e.gap(f(do="film")), e.gap(f(do="film"), 1), form="longest-gap")
    q = asker("compare")
    seen = [len(f(do=d)) for d in ("concert", "exhibition")]
    q("have I been to more concerts or more exhibitions?", e.compare(seen, ["concerts", "exhibitions"]))
    drinks = [len(f(do="drink", what=w)) for w in ("mint tea", "hot chocolate")]
    q("mint tea or hot chocolate, which did I drink more often?", e.compare(drinks, ["mint tea", "hot chocolate"]))


def moments(e: Events, asker) -> None:
    f = e.of
    q = asker("first")
    q("When did I first lend Aoife something?", e.one(f(do="lend", who="Aoife")))
    q("first film I saw with Ana?", e.one(f(do="film", who="Ana")))
    q = asker("last")
    q("last time I had a headache?", e.one(f(do="headache"), last=True))
    q("how many days since I was last at the physio's", e.since(f(do="physio")), form="last-since")
    q("When was I last off work because I'd been coughing?", e.one([t for t in f(do="ill") if "day off" in t["text"]], last=True))
    q = asker("when")
    q("on what day did Lotte and Farid get married", e.dates(f(do="wedding")))
    q("When did I move into my flat?", e.dates(f(do="move")))
    q("when did 3B surprise me with a cake", e.dates(f(do="gift")))
    q("Which days did I go to the dentist in 2024?", e.dates(f("2024", do="dentist")))


def names(e: Events, asker) -> None:
    f = e.of
    q = asker("most")
    q("Who do I call or get called by most?", e.top("who", f(do="call")))
    q("what do i cook for people most often", e.top("what", f(do="cook")))
    q = asker("where")
    q("which shop have I bought kettles in", e.names("shop", f(do="buy", what="a kettle")))
    q("where have I run into Priya", e.names("place", [t for t in f(do="meet", who="Priya") if t.get("chance")]), e.names("place", f(do="meet", who="Priya")))
    q = asker("who")
    q("From whom have I borrowed the good saucepan?", e.names("who", f(do="borrow", what="the good saucepan")))
    q("who went to japan with me", e.names("who", f(do="travel", city="Kyoto", way="out")))
    q("Who helped me fix the doorbell?", e.names("who", [t for t in f(do="fix", what="the doorbell") if t["who"]]))


def lists(e: Events, asker) -> None:
    f = e.of
    q = asker("list")
    q("What have I lent to Aoife?", e.names("what", f(do="lend", who="Aoife")))
    q("things i did on the day of lotte's wedding", e.list(f("2024-09-14")), form="list-join")
    q("Which films did I see in 2024?", e.names("what", f("2024", do="film")))
    q("concerts I went to, year by year", e.groups(f(do="concert"), year, ["2023", "2024", "2025"]), form="list-groups")
    q("did I get my wallet back?", e.yes(f(do="find"), f(do="lose")), form="yes-no")
    q("have I ever climbed with Mum", e.no(f(do="sport", what="climb", who="Mum")), form="yes-no")
    q("Has Priya ever given me a plant?", e.yes(f(do="get", what="a plant", who="Priya")), form="yes-no")
    q("was I ill at all in 2024?", e.yes(f("2024", do="ill"), f("2024", do=lambda d: d in ("headache", "physio"))), form="yes-no")
    q = asker("none")
    for form, question in (
        ("none-unrecorded", "how often have i been ice skating"),
        ("none-unrecorded", "What's the name of my cat?"),
        ("none-person", "When did I have lunch with Ferdinand?"),
        ("none-future", "Where am I going to be next summer?"),
    ):
        q(question, e.b.none(), form=form)
