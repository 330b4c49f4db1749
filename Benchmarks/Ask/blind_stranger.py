"""Questions over stranger.jsonl, written from its entries alone; no answer of the reader was seen."""

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

from events import Events
from families.stranger import NOW, spell
from life import Life

Ask = Callable[..., None]
TODAY = dt.date(2025, 6, 15)


def add(b: Any, l: Life, truth: Path) -> None:
    e = Events(b, l, truth, TODAY, spell)

    def asker(kind: str) -> Ask:
        return lambda question, *answers, form=kind, now=NOW: b.q(kind, f"blind-stranger-{form}", question, *answers, now=now)

    figures(e, asker)
    moments(e, asker)
    names(e, asker)
    lists(e, asker)


def figures(e: Events, asker: Callable[[str], Ask]) -> None:
    f = e.of
    q = asker("count")
    q("How many times did Mum call me in 2024?", e.count(f("2024", do="call", who="Mum", made=False)))
    q("how often have i planted a fig tree", e.count(f(do="plant", what="a fig tree")))
    q("How many times have I cleaned something with the radio on?", e.count(f(do="clean", text=lambda t: "radio" in t)))
    q("How many headakes did I have in 2024?", e.count(f("2024", do="headache")))
    q = asker("sum")
    q("total spent on cello strings", e.total(f(do="buy", what="strings for the cello"), "euros", "EUR"))
    q("How many metres have I swum so far this year?", e.total(f("2025", do="sport", what="swim"), "metres", "m"), form="sum-relative")
    q("How many hours have I sat in staff meetings with Mr Okoro?", e.total(f(do="meeting", who="Mr Okoro"), "minutes", "hours", 1 / 60))
    q = asker("average")
    q("What do I pay for three notebooks on average?", e.mean(f(do="buy", what="three notebooks"), "euros", "EUR"))
    q("How long do Farid and I practice on average, in minutes?", e.mean(f(do="practise", who="Farid"), "minutes", "minutes"))
    q = asker("longest")
    q("longest phone call with Dad", e.extreme(f(do="call", who="Dad"), "minutes", "minutes"))
    q("What was my longest session of marking tests?", e.extreme(f(do="mark"), "minutes", "minutes"))
    q = asker("compare")
    cinemas = ["at Studio Skoop", "at the Sphinx"]
    q("Studio Skoop or the Sphinx: where have I seen more films?", e.compare([len(f(do="film", place=p)) for p in cinemas], cinemas))
    calls = [f("2024", do="call", who=w) for w in ("Mum", "Aoife")]
    q("Who did I spend longer on the phone with in 2024, Mum or Aoife?", e.compare([sum(t["minutes"] for t in c) for c in calls], ["Mum", "Aoife"], "minutes"))


def moments(e: Events, asker: Callable[[str], Ask]) -> None:
    f = e.of
    q = asker("first")
    q("when was the first time i had sushi at that new place on the quay", e.one(f(do="eat", what="sushi")))
    q = asker("last")
    q("last physio appointment?", e.one(f(do="physio"), last=True), form="last-terse")
    q("How long is it since I was last at the theatre?", e.since(f(do="play")), form="last-since")
    q = asker("when")
    q("When did I get my wallet back?", e.dates(f(do="find")))
    off = [t for t in f(do="ill") if "day off" in t["text"]]
    q("Which days did I take off work because of a cough?", e.dates(off))


def names(e: Events, asker: Callable[[str], Ask]) -> None:
    f = e.of
    q = asker("most")
    q("Who have I cooked for most often?", e.top("who", f(do="cook")), e.top("who", f(do=lambda d: d in ("cook", "bake"))))
    q("Which class do I teach the most?", e.top("group", f(do="teach")))
    q = asker("where")
    q("Where did I get my running shoes?", e.names("shop", f(do="buy", what="running shoes")))
    wedding = e.entries(f(do="wedding"))
    q("where did Lotte's wedding take place?", e.b.names([["the town hall", "town hall"]], wedding))
    q = asker("who")
    q("Who has given me an umbrella?", e.names("who", f(do="get", what="an umbrella")))
    q("Who went to the theater with me in 2024?", e.names("who", f("2024", do="play")))
    q("Who have I been climbing with?", e.names("who", [t for t in f(do="sport", what="climb") if t["who"]]))


def lists(e: Events, asker: Callable[[str], Ask]) -> None:
    f = e.of
    q = asker("list")
    q("What did I do with Benedikt in December 2023?", e.list(f("2023-12", who="Benedikt")))
    q("what did i get up to at the weekend?", e.list(f(("2024-09-14", "2024-09-15"))), now="2024-09-16T18:00:00Z", form="list-relative")
    q("Which dishes have I cooked for Benedikt?", e.names("what", f(do="cook", who="Benedikt")))
    q("Have I ever lent Farid anything?", e.no(f(do="lend", who="Farid")), form="yes-no")
    q("did i see the dentist in 2025", e.no(f("2025", do="dentist")), form="yes-no")
    q("Did I run at all last month?", e.yes(f("2025-05", do="sport", what="run")), form="yes-no")
    q = asker("none")
    for form, question in (
        ("none-unrecorded", "How often did I go horse riding?"),
        ("none-unrecorded", "How much is my rent?"),
        ("none-order", "Remind me to call Mum tomorrow"),
    ):
        q(question, e.b.none(), form=form)
