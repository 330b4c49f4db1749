"""The questions whose times are taken: kinds of questions, each filled differently again and again.

They are worded apart from the labelled ones, for a life of any length: what they ask for lies
within the archive's own days.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

NOW = "2026-01-01T09:00:00Z"
WARM_UP = "What did I read on my birthday?"

# What is done: “how often did I …”.
DEEDS = (
    "go to choir", "cycle to work", "read", "bake", "go to the allotment", "cook", "go shopping",
    "go to the market", "have lunch", "go for a walk", "see a film", "work",
)  # fmt: skip
THINGS = (
    "meetings", "lunches", "phone calls", "bike rides", "choir evenings", "films", "coffees",
    "reviews", "walks", "retros",
)  # fmt: skip
TAGS = (
    "cycling", "reading", "meeting", "trip", "cooking", "family", "garden", "choir", "friends",
    "paperwork", "running", "baking",
)  # fmt: skip
PLACES = (
    "the office", "the allotment", "the market", "the botanical garden", "the city park",
    "the Volkspark", "the boathouse", "the heath", "the canal", "Bar Zentral", "Zur Schleuse",
    "the Heron", "the parish hall", "the pottery",
)  # fmt: skip
# A unit and what is done by it.
MEASURES = (("km", "cycle"), ("pages", "read"), ("miles", "cycle"), ("km", "walk"))
# Words that people type with a slip.
SLIPS = (
    "how mnay {things} did I hav in {month}?", "wen did i last see {person} in {year}?",
    "how many kilometers did i cicle in {month}?", "who did i have luch with in {month}?",
    "what did i do wiht {person} in {month}?", "how oftn did I see {person} in {year}?",
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
# Words of the day notes and hardly of any entry.
NOTED = (
    "gulls", "sheep", "snow", "creak", "radiator", "drizzle", "holiday", "puddles", "frost",
    "washing", "wedding", "lightning",
)  # fmt: skip
UNKNOWN = ("skydiving", "a submarine", "Zebulon Xu", "parachutes", "a volcano", "Ulaanbaatar",
           "archery", "a helicopter", "curling", "the opera in Sydney", "Quentin Vandermeer",
           "ice climbing")  # fmt: skip

# Kinds by name; a template's words in braces are drawn anew for each question.
KINDS: dict[str, tuple[str, ...]] = {
    "list, person and time": (
        "what did I do with {person} in {month}?",
        "what did {person} and I do in {month}?",
    ),
    "list, a day": ("what did I do on {day}?", "what happened on the evening of {day}?"),
    "count": (
        "how many {things} did I have with {person} in {year}?",
        "how often did I {deed} in {month}?",
    ),
    # More than 100,000 entries each in a life of 1.5 million.
    "count of very many": (
        "how many meetings did I have?",
        "how often was I at the office?",
        "how often did I read?",
        "how often did I see Jonas?",
        "how often did I see Alex Kim?",
        "how often did I have lunch?",
        "how often was I at home?",
        "how often did I work?",
        "how many lunches have I had in all?",
        "how many meetings have I been to since 1950?",
        "how often did I do anything at work?",
        "how many times have I read a book?",
    ),
    "days": (
        "on how many days did I {deed} in {year}?",
        "how many days did I see {person} in {year}?",
    ),
    "sum": (
        "how many {unit} did I {by} in {month}?",
        "how many {unit} did I {by} on {weekday}s in {year}?",
    ),
    "sum by year": (
        "how many {unit} did I {by} each year?",
        "how many {unit} did I {by} per year since {year}?",
        "how many {unit} did I {by} per year on {weekday}s?",
    ),
    "average": (
        "average mood in {month}?",
        "how many pages did I read a day on average in {month}?",
        "how long were my meetings with {person} on average in {year}?",
        "average km of a bike ride in {month}?",
    ),
    "per week": (
        "how many {unit} a week did I {by} in {month}?",
        "how many {things} a week did I have in {month}?",
    ),
    "first": ("when did I first {deed} in {year}?", "when did I first see {person} in {year}?"),
    "last": ("when did I last {deed} on a {weekday}?", "when was I last at {place}?"),
    "longest": (
        "what was my longest bike ride in {month}?",
        "longest meeting with {person} in {year}?",
        "on which day in {month} did I read most pages?",
    ),
    "streak": (
        "longest streak of days on which I {deed_past} in {year}?",
        "most days in a row with {person}?",
    ),
    "gap": (
        "what was the longest gap between two {things} in {year}?",
        "what is the longest I went without seeing {person}?",
    ),
    "most, person": (
        "who did I see most in {month}?",
        "who did I have lunch with most often in {year}?",
        "who was I with most at {place}?",
    ),
    "most, place": (
        "where did I go with {person} most often?",
        "which place did I go to most in {month}?",
    ),
    "most, tag": (
        "which tag did I use most in {month}?",
        "which tag did I use most with {person}?",
    ),
    "most, thing": (
        "what did I eat most often in {month}?",
        "which book did I read most in {year}?",
        "what did I do most with {person}?",
    ),
    "most, weekday": (
        "on which weekday do I {deed} most?",
        "on which weekday did I see {person} most?",
    ),
    "most, month": (
        "in which month of {year} did I {deed} most?",
        "in which month did I see {person} most?",
    ),
    "top 5": (
        "top 5 people in {month}",
        "my five most frequent places with {person}",
        "top five tags in {month}",
    ),
    "when": ("when did I see {person} in {month}?", "when did I {deed} in {month}?"),
    "where": ("where did I see {person} in {month}?", "where was I on {day}?"),
    "who": ("who did I have lunch with in {month}?", "who was I at {place} with in {year}?"),
    "how long since": (
        "how long since I saw {person}?",
        "how many days since I last was at {place}?",
    ),
    "compare two periods": (
        "did I {deed} more in {month} or in {other_month}?",
        "did I see {person} more in {month} or in {other_month}?",
    ),
    "compare two things": (
        "did I see {person} or {other_person} more often in {year}?",
        "more {things} or {other_things} in {month}?",
    ),
    "yes or no": ("did I see {person} in {month}?", "did I {deed} on {day}?"),
    "days without": (
        "how many days in {month} did I not {deed}?",
        "average mood on days without {tag} in {year}?",
        "what did I do in {month} without {person}?",
    ),
    "joined over the day": (
        "what did I eat on days I went to choir in {month}?",
        "who did I have lunch with on the days I saw {person} in {month}?",
        "how many pages did I read on days when I {deed_past} in {month}?",
    ),
    "mood on days": (
        "what was my mood on days with {person} in {year}?",
        "average mood on days when I {deed_past}?",
    ),
    "notes only": (
        "what did I write about {noted} in my notes?",
        "when did I note something about {noted}?",
    ),
    "nothing recorded": (
        "when did I see {unknown}?",
        "how often did I have anything to do with {unknown}?",
    ),
    "misspelt": SLIPS,
}

PAST = {
    "go": "went", "cycle": "cycled", "read": "read", "bake": "baked", "cook": "cooked",
    "have": "had", "see": "saw", "work": "worked",
}  # fmt: skip


@dataclass(frozen=True)
class Question:
    kind: str
    text: str


class Filling:
    """Draws what questions are filled with, for a life of these days and people."""

    def __init__(self, first: str, last: str, people: list[str], seed: int) -> None:
        self.people = people
        self.draw = random.Random(seed)
        self.first, self.last = date.fromisoformat(first), date.fromisoformat(last)
        self.months = whole_months(self.first, self.last)

    def text(self, template: str) -> str:
        unit, by = self.draw.choice(MEASURES)
        deed = self.draw.choice(DEEDS)
        verb, _, rest = deed.partition(" ")
        person, other_person = self.draw.sample(self.people, 2)
        things, other_things = self.draw.sample(THINGS, 2)
        month, other_month = self.draw.sample(self.months, 2)
        day = self.first + timedelta(self.draw.randrange((self.last - self.first).days + 1))
        return template.format(
            person=person, other_person=other_person, things=things, other_things=other_things,
            deed=deed, deed_past=f"{PAST[verb]} {rest}".strip(), unit=unit, by=by,
            tag=self.draw.choice(TAGS), place=self.draw.choice(PLACES),
            noted=self.draw.choice(NOTED), unknown=self.draw.choice(UNKNOWN),
            weekday=self.draw.choice(WEEKDAYS), month=month, other_month=other_month,
            day=f"{day.day} {day:%B %Y}", year=day.year,
        )  # fmt: skip

    def distinct(self, templates: tuple[str, ...], count: int) -> list[str]:
        """So many different questions, the templates in turn."""
        found: dict[str, None] = {}
        for turn in range(100 * count):
            found[self.text(templates[turn % len(templates)])] = None
            if len(found) == count:
                return list(found)
        raise ValueError(f"“{templates[0]}” cannot be filled in {count} ways")


def whole_months(first: date, last: date) -> list[str]:
    """The months that lie wholly between two days; the last two that are touched where none do."""
    months, day = [], first.replace(day=1)
    while day <= last:
        months.append((day, (day + timedelta(31)).replace(day=1)))
        day = months[-1][1]
    whole = [begin for begin, end in months if begin >= first and end - timedelta(1) <= last]
    if len(whole) < 2:
        whole = [(last.replace(day=1) - timedelta(1)).replace(day=1), last.replace(day=1)]
    return [f"{month:%B %Y}" for month in whole]


def questions(
    first: str, last: str, people: list[str], each: int, seed: int = 2016
) -> list[Question]:
    """So many questions of each kind, in a shuffled order that is always the same."""
    filling = Filling(first, last, people, seed)
    found = [
        Question(kind, text)
        for kind, templates in KINDS.items()
        for text in filling.distinct(templates, each)
    ]
    filling.draw.shuffle(found)
    return found


def of_kind(asked: list[Question], kind: str) -> Callable[[int], str]:
    """The questions of a kind again and again, by the number of the run."""
    texts = [question.text for question in asked if question.kind == kind]
    return lambda number: texts[number % len(texts)]
