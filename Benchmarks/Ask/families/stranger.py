"""Questions about stranger.jsonl, answered from the events its sentences were made of."""

import datetime as dt
import json
from collections import Counter
from pathlib import Path

from life import Life, days_of

NOW = "2025-06-15T09:00:00Z"
MILE = 1.609344


def add(b, l: Life) -> None:
    file = Path(__file__).parent.parent / "stranger_truth.jsonl"
    truth = [json.loads(x) for x in file.read_text(encoding="utf-8").splitlines()]
    entry = {e.id: e for e in l.acts}
    for t in truth:
        assert entry[t["id"]].text == t["text"] and entry[t["id"]].day == t["day"], t

    def q(kind, form, question, answer, *accept):
        b.q(kind, form, question, answer, *accept, now=NOW)

    def f(when=None, **fields):
        """Events with all of the fields; a callable tests one, `who` means being there."""
        first, last = ("0", "9") if when is None else when if isinstance(when, tuple) else (when, when + "~")
        found = []
        for t in truth:
            if not first <= t["day"] <= last:
                continue
            if all(
                (v in t["who"]) if k == "who" else v(t.get(k)) if callable(v) else t.get(k) == v
                for k, v in fields.items()
            ):
                found.append(t)
        return found

    def es(ts):
        return [entry[t["id"]] for t in ts]

    def count(ts):
        return b.count(es(ts))

    def names(key, ts, optional=()):
        values = sorted({v for t in ts for v in (t[key] if isinstance(t.get(key), list) else [t.get(key)]) if v})
        return {**b.names([spell(v) for v in values], es(ts), [spell(o) for o in optional]), "optionalIds": []}

    def dates(ts):
        return b.dates(days_of(es(ts)), es(ts))

    def one(ts, last=False):
        day = days_of(es(ts))[-1 if last else 0]
        return b.entry([e for e in es(ts) if e.day == day])

    def top(key, ts, n=1):
        counts = Counter(v for t in ts for v in (t[key] if isinstance(t.get(key), list) else [t.get(key)]) if v)
        ranks = counts.most_common()
        edge = ranks[n - 1][1]
        sure, tied = [k for k, v in ranks if v > edge], [k for k, v in ranks if v == edge]
        if n == 1:
            a = {**b.names([spell(k) for k in tied]), "anyOf": len(tied) > 1}
        elif len(sure) + len(tied) == n:
            a = b.names([spell(k) for k in sure + tied])
        else:
            a = b.names([spell(k) for k in sure], [], [spell(k) for k in tied])
        return {**a, "top": n, "counts": dict(ranks[: n + 2])}

    def total(ts, key, unit):
        return b.num(round(sum(t.get(key, 0) for t in ts), 3), unit, es(ts))

    def mean(ts, key, unit):
        v = [t[key] for t in ts if key in t]
        return b.num(round(sum(v) / len(v), 4), unit, es(ts))

    def most(ts, key, unit, low=False):
        pick = (min if low else max)(t[key] for t in ts)
        return {**b.entry(es([t for t in ts if t[key] == pick])), "values": [pick], "unit": unit}

    def since(ts):
        day = days_of(es(ts))[-1]
        return {**one(ts, last=True), "values": [(dt.date(2025, 6, 15) - dt.date.fromisoformat(day)).days], "unit": "days"}

    def cmp(values, labels, unit=None):
        winner = labels[max(range(len(values)), key=lambda i: values[i])] if len(set(values)) > 1 else None
        return {"type": "compare", "values": values, "unit": unit, "labels": labels, "winner": winner, "ids": []}

    run = lambda w=None, **k: f(w, do="sport", what="run", **k)
    kyoto, edinburgh = ("2024-04-05", "2024-04-13"), ("2024-10-25", "2024-10-30")
    spring25, summer24 = ("2025-03-01", "2025-05-31"), ("2024-06-01", "2024-08-31")

    # count
    q("count", "count-tag", "How many times did I play badminton in 2024?", count(f("2024", what="badminton")))
    q("count", "frame-count", "how often have I eaten ramen", count(f(do="eat", what="ramen")))
    q("count", "frame-count", "How many films did I see in 2024?", count(f("2024", do="film")))
    q("count", "frame-count", "How often did Mum phone me in 2024, rather than me phoning her?", count(f("2024", do="call", who="Mum", made=False)))
    q("count", "frame-count", "how many phone calls with Dad since January 2024?", count(f(("2024-01-01", "2025-06-15"), do="call", who="Dad")))
    q("count", "frame-count", "How many times did I go climbing with Priya?", count(f(what="climb", who="Priya")))
    q("count", "frame-count", "How many times did I teach 5C?", count(f(do="teach", group="5C")))
    q("count", "frame-count", "days with cello practice in March 2025", b.countdays(es(f("2025-03", do="practise"))))
    sporty = set(days_of(es(f("2024-05", tags=lambda t: "sport" in t))))
    q("count", "negation", "How many days in May 2024 did I do no sport?", b.num(31 - len(sporty), "days"))

    # sum
    q("sum", "frame-sum", "How many kilometres did I run in 2024?", total(run("2024"), "km", "km"))
    q("sum", "sum-unit-converted", "miles run last year", b.num(round(sum(t["km"] for t in run("2024")) / MILE, 3), "miles", es(run("2024"))))
    q("sum", "frame-sum", "How much did I spend on shopping in 2024?", total(f("2024", do="buy"), "euros", "EUR"), total(f("2024", do="buy", tags=["shopping"]), "euros", "EUR"))
    q("sum", "frame-sum", "how many euros have I spent on cheese", total(f(do="buy", what="cheese"), "euros", "EUR"))
    q("sum", "frame-sum", "How long did I talk to Mum on the phone in 2024?", total(f("2024", do="call", who="Mum"), "minutes", "minutes"))
    q("sum", "sum-unit-converted", "hours of badminton in 2024", b.num(round(sum(t["minutes"] for t in f("2024", what="badminton")) / 60, 4), "hours", es(f("2024", what="badminton"))))
    q("sum", "frame-sum", "How many metres did I swim in 2024?", total(f("2024", what="swim"), "metres", "m"))
    q("sum", "frame-sum", "total time practising the cello in autumn 2024", total(f(("2024-09-01", "2024-11-30"), do="practise"), "minutes", "minutes"), total(f(("2024-09-22", "2024-12-20"), do="practise"), "minutes", "minutes"))
    q("sum", "frame-sum", "How many kilometres did I walk in Kyoto?", total(f(kyoto, do="walk"), "km", "km")) if f(kyoto, do="walk") else None

    # average
    q("average", "frame-average", "How far do I run on average?", mean(run(), "km", "km"))
    q("average", "frame-average", "average length of a call with Aoife in minutes", mean(f(do="call", who="Aoife"), "minutes", "minutes"))
    q("average", "frame-average", "How long do I practise the cello per session on average?", mean(f(do="practise"), "minutes", "minutes"))
    q("average", "frame-average", "What do I pay for tulips on average?", mean(f(do="buy", what="tulips"), "euros", "EUR")) if f(do="buy", what="tulips") else None
    q("average", "average-per-week", "How many km a week did I run in 2024?", *[b.num(round(sum(t["km"] for t in run("2024")) / d, 4), "km") for d in (366 / 7, 52, 53)])
    q("average", "frame-average", "average minutes of yoga per time in 2024", mean(f("2024", what="yoga"), "minutes", "minutes"))

    # first, last, longest
    q("first", "frame-first", "When did I first go climbing?", one(f(what="climb")))
    q("first", "frame-first", "first time I ate moules-frites", one(f(do="eat", what="moules-frites")))
    q("first", "frame-first", "What was the first film I saw in 2025?", one(f("2025", do="film")))
    q("first", "frame-first", "When did I first cook risotto?", one(f(do="cook", what="risotto")))
    q("last", "frame-last", "When did I last see Wout?", one(f(who="Wout"), last=True), one(f(who="Wout", do=lambda d: d != "call"), last=True))
    q("last", "frame-last", "last time I talked to the landlord", one(f(do="call", who="the landlord"), last=True))
    q("last", "frame-last", "When was I last at the dentist?", one(f(do="dentist"), last=True))
    q("last", "how-long-since", "How long since I last swam?", since(f(what="swim")))
    q("last", "how-long-since", "how many days ago did I last bake something", since(f(do="bake")))
    q("last", "frame-last", "What did I plant last?", one(f(do="plant"), last=True))
    q("longest", "frame-longest", "What was my longest run?", most(run(), "km", "km"))
    q("longest", "frame-longest", "longest run in 2023", most(run("2023"), "km", "km"))
    q("longest", "frame-longest", "Which was the longest phone call with Lotte?", most(f(do="call", who="Lotte"), "minutes", "minutes"))
    q("longest", "frame-longest", "the farthest I swam in one go", most(f(what="swim"), "metres", "m"))
    q("longest", "frame-longest", "What's the most I paid for one thing?", most(f(do="buy"), "euros", "EUR"))
    q("longest", "frame-longest", "longest staff meeting", most(f(do="meeting"), "minutes", "minutes"))

    # most
    q("most", "frame-most", "Who did I phone most often in 2024?", top("who", f("2024", do="call", made=True)), top("who", f("2024", do="call")))
    q("most", "frame-most", "Who have I eaten with most?", top("who", f(do="eat")))
    q("most", "frame-most", "Which sport did I do most last summer?", top("what", f(summer24, do="sport")))
    q("most", "frame-most", "What did I eat most often in 2024?", top("what", f("2024", do="eat")))
    q("most", "frame-most", "with whom did I play badminton most", top("who", f(what="badminton")))
    q("most", "top-n", "My top 3 sports by number of times", top("what", f(do="sport"), 3))
    q("most", "frame-most", "What have I fixed most often?", top("what", f(do="fix")))
    weekday = Counter(dt.date.fromisoformat(t["day"]).strftime("%A") for t in f(do="practise"))
    best = [k for k, v in weekday.items() if v == max(weekday.values())]
    q("most", "group-weekday", "On which weekday do I practise the cello most?", {**b.names(best), "top": 1, "anyOf": len(best) > 1})
    q("most", "frame-most", "Which cinema did I go to most?", top("place", f(do="film")))

    # when
    q("when", "frame-when", "When did Lotte get married?", dates(f(do="wedding")))
    q("when", "frame-when", "when did I lose my wallet", dates(f(do="lose")))
    q("when", "frame-when", "When did I move into the flat in Brabantdam?", dates(f(do="move")))
    q("when", "frame-when", "When did I play the Elgar at the school concert?", dates(f(do="perform")))
    q("when", "frame-when", "On which days did I see Past Lives?", dates(f(do="film", what="Past Lives")))
    q("when", "when-stay", "When was I in Kyoto?", {**b.dates([kyoto[0], kyoto[1]]), "from": kyoto[0], "to": kyoto[1], "span": True, "slack": 1})
    q("when", "when-stay", "When was I in Edinburgh?", {**b.dates([*edinburgh]), "from": edinburgh[0], "to": edinburgh[1], "span": True, "slack": 1})
    q("when", "frame-when", "Which days in 2024 was I ill?", dates(f("2024", do="ill"))) if f("2024", do="ill") else None
    q("when", "frame-when", "When did we see the castle in Edinburgh?", dates(f(edinburgh, what="we saw the castle with Ana")))

    # where
    q("where", "frame-where", "Where did I eat moules-frites?", names("place", f(do="eat", what="moules-frites")))
    q("where", "frame-where", "where have i met Kenji", names("place", f(do="meet", who="Kenji")), names("place", f(who="Kenji")))
    q("where", "frame-where", "In which cinemas did I see films?", names("place", f(do="film")))
    q("where", "frame-where", "Where did I hear the Ghent Chamber Choir?", names("place", f(do="concert", what="the Ghent Chamber Choir")))
    told = [t for t in f(do="buy", what=lambda w: w and "shirts" in w) if t["shop"] in t["text"]]
    q("where", "frame-where", "Where did I buy shirts?", names("shop", told))
    q("where", "frame-where", "Where did I lose my wallet?", b.names([["tram 1"]], es(f(do="lose"))))

    # who
    q("who", "frame-who", "Who have I cooked for?", names("who", f(do="cook")), names("who", [*f(do="cook"), *f(do="bake")]))
    q("who", "frame-who", "Who did I go to Kyoto with?", names("who", f(do="travel", city="Kyoto", way="out")))
    q("who", "frame-who", "who did I play badminton with in 2023", names("who", f("2023", what="badminton")))
    q("who", "frame-who", "Who did I lend something to?", names("who", f(do="lend")))
    q("who", "frame-who", "Who did I borrow things from?", names("who", f(do="borrow")))
    q("who", "frame-who", "With whom did I see Uncle Vanya?", names("who", f(do="play", what="Uncle Vanya")))
    q("who", "frame-who", "Whom did I bump into?", names("who", f(do="meet", chance=True)), names("who", f(do="meet")))
    q("who", "frame-who", "Who did Lotte marry?", b.names([["Farid"]], es(f(do="wedding"))))

    # list
    q("list", "frame-eat", "What did I eat in Kyoto?", names("what", f(kyoto, do="eat")), names("what", f(kyoto, do="eat", told=True)))
    q("list", "frame-eat", "what did we eat in Edinburgh", names("what", f(edinburgh, do="eat")), names("what", f(edinburgh, do="eat", told=True)))
    d = f(edinburgh, what="we saw the castle with Ana")[0]["day"]
    q("list", "join-day", "What did I eat on the day we saw the castle?", names("what", f(d, do="eat")))
    q("list", "frame-what", "What have I planted?", names("what", f(do="plant")))
    q("list", "frame-what", "Which films have I seen with Ana?", names("what", f(do="film", who="Ana")))
    q("list", "frame-what", "What did I bake in 2024?", names("what", f("2024", do="bake")))
    q("list", "frame-what", "what did I buy last spring", names("what", f(spring25, do="buy")), names("what", f(("2025-03-20", "2025-06-20"), do="buy")))
    q("list", "frame-what", "What have I repaired with Wout?", names("what", f(do="fix", who="Wout")))
    q("list", "frame-what", "What things did I lend?", names("what", f(do="lend")))
    q("list", "list-person", "What did I do with Benedikt in February 2024?", b.list(es(f("2024-02", who="Benedikt"))))
    q("list", "frame-what", "Which exhibitions did I visit?", names("what", f(do="exhibition")))
    q("list", "yes-no", "Did I go climbing in 2025?", b.yes(es(f("2025", what="climb"))) if f("2025", what="climb") else b.no())
    q("list", "yes-no", "Have I ever eaten haggis?", b.yes(es(f(do="eat", what="haggis"))))

    # compare
    q("compare", "compare-periods", "Did I run more kilometres in 2023 or 2024?", cmp([round(sum(t["km"] for t in run(y)), 3) for y in ("2023", "2024")], ["2023", "2024"], "km"))
    q("compare", "frame-compare", "Do I phone Mum or Dad more often?", cmp([len(f(do="call", who=w, made=True)) for w in ("Mum", "Dad")], ["Mum", "Dad"]), cmp([len(f(do="call", who=w)) for w in ("Mum", "Dad")], ["Mum", "Dad"]))
    q("compare", "frame-compare", "yoga or badminton, which did I do more often in 2024?", cmp([len(f("2024", what=w)) for w in ("yoga", "badminton")], ["yoga", "badminton"]))
    q("compare", "frame-compare", "Did I spend more on running shoes or on raincoats?", cmp([sum(t["euros"] for t in f(do="buy", what=w)) for w in ("running shoes", "a raincoat")], ["running shoes", "raincoats"], "EUR"))
    q("compare", "frame-compare", "Did I see more films with Ana or with Wout?", cmp([len(f(do="film", who=w)) for w in ("Ana", "Wout")], ["Ana", "Wout"]))
    q("compare", "frame-compare", "pancakes versus falafel: which have I eaten more often?", cmp([len(f(do="eat", what=w)) for w in ("pancakes", "falafel")], ["pancakes", "falafel"]))

    # none
    for form, question in (
        ("none-unrecorded", "How many times did I go skiing?"), ("none-person", "When did I last see Zebulon?"), ("none-time", "What did I eat in 2017?"),
        ("none-unrecorded", "How much did I spend on petrol in 2024?"), ("none-order", "Delete all entries with Kenji"), ("none-future", "What will I eat tomorrow?"),
        ("none-unrecorded", "what did I eat in Lisbon"), ("none-language", "Hoe vaak ben ik vorig jaar gaan skiën?"),
    ):
        q("none", form, question, b.none())


def spell(name: str) -> list[str]:
    """A name with and without what stands before it."""
    forms = [name]
    for lead in ("at the ", "at ", "in the ", "in ", "on the ", "on ", "by the ", "near the ", "the ", "a ", "an ", "two ", "three "):
        if name.startswith(lead):
            forms.append(name.removeprefix(lead))
    other = {"Mum": ["Mom", "Mother"], "climb": ["climbing"], "run": ["running", "ran"], "swim": ["swimming"]}
    return [*forms, *other.get(name, [])]
