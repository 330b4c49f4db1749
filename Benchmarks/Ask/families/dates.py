"""When: one day, several days, stays."""

from life import Life, both, days_between, days_of


def add(b, l: Life) -> None:
    def when(form, question, entries, *others, **more):
        b.q("when", form, question, b.dates(days_of(entries), entries), *[b.dates(days_of(o), o) for o in others if o], **more)

    def stay(question, first, last, entries=(), *accept):
        days = days_between((first, last))
        b.q("when", "when-stay", question, {**b.dates(days, list(entries)), "from": first, "to": last, "span": True, "slack": 2}, *accept)

    when("when-event", "When did I pass the sailing exam?", l.a("passed the sailing exam"))
    when("when-event", "when was the wisdom tooth taken out", l.a("wisdom tooth out"))
    when("when-event", "What day did Compass go live?", l.a("Compass goes live"))
    when("when-event", "Northlight launch date?", l.a("Northlight goes live"), both(l.a("Northlight goes live"), l.a(tag="launch", rx="Northlight")))
    when("when-event", "When did Kittiwake go live", l.a("Kittiwake goes live"))
    when("when-event", "When did I capsize?", l.a("capsized"))
    when("when-event", "When did the heating come back?", l.a("heating back"))
    when("when-event", "date of Ella's school concert", l.a("Ella's concert"))
    when("when-event", "When did Clara teach me to knit?", l.a("Clara teaches me to knit"))
    when("when-event", "when was the blue jumper finished?", l.a("blue jumper is finished"))
    when("when-event", "When were there mice in the bread bin?", l.a("mice in the bread bin"), both(l.a("mice in the bread bin"), l.n("[Mm]ice.*bread bin|In the bread bin")))
    when("when-event", "When did Dad name the boat?", l.a("Dad names the boat"))
    when("when-event", "When did Katrin's own practice open?", l.a("Katrin's own practice opens"))
    when("when-event", "When did Lamplight go live in two districts?", l.a("Lamplight has gone live"), both(l.a("Lamplight has gone live"), l.a("Lamplight goes live")), l.a("Lamplight goes live"))
    when("when-event", "When was the Edith launched?", l.a("launch of the Edith"))

    when("frame-when", "When did I finish \"The Patient House\"?", l.a(r"^finished \"The Patient House\""))
    when("frame-when", "when did i start reading Innkeeper and Ledger", l.a(r"^began \"Innkeeper and Ledger\""))
    when("frame-when", "When did I repair the toaster?", l.a("repaired the toaster"))
    when("frame-when", "When did I mend a dressing gown?", l.a("mended a dressing gown"))
    when("frame-when", "When did Thea have tickets for the photography museum?", l.a("Thea had tickets"))
    when("frame-when", "On which days did I play backgammon with Jonas?", l.a(r"^backgammon with Jonas"))
    when("frame-when", "When did I buy theatre tickets for a birthday?", l.a("bought theatre tickets"))
    when("frame-when", "when did I eat fried squid at the taverna?", l.a("fried squid at the beach taverna"))
    when("frame-when", "When did I ring about the parking fine?", l.a("rang about the parking fine"))
    when("frame-when", "When did Katrin come for cheesecake?", l.a("Katrin came for cheesecake"))
    when("frame-when", "When did I cook fishcakes for Amara?", l.a("cooked for Amara, fishcakes"))
    when("frame-when", "When did I go to a talk on paper boats?", l.a("a talk on paper boats"))
    when("frame-when", "When did I knit a hat for Maisie?", l.a("knitted the hat for Maisie"))
    when("frame-when", "When did Carla and I talk about her sister's wedding at lunch?", l.a(r"with Carla, talked about her sister's wedding"), both(l.a(r"with Carla, talked about her sister's wedding"), l.n(r"Carla[^.]*sister's wedding|sister's wedding[^.]*Carla")))
    when("frame-when", "Which day did I see baseball with Dana?", l.a("baseball with Dana"))
    when("frame-when", "When did I lose an umbrella? (day notes)", l.n(r"Lost: one umbrella|Lost my umbrella"), l.n(r"Lost: one umbrella"))
    when("frame-when", "When did Frau Kruse give me seedlings over the fence in 2025?", l.n(r"Frau Kruse gave me half a tray of seedlings", when="2025"))
    when("frame-when", "On what day did the knees of \"Sarah's mother\" come up at lunch in 2025?".replace('the knees of "Sarah\'s mother"', "Sarah's mother's knees"), l.a(r"with Sarah, talked about her mother's knees", when="2025"), both(l.a(r"with Sarah, talked about her mother's knees", when="2025"), l.n(r"Sarah.*mother's knees", when="2025"))) if l.a(r"with Sarah, talked about her mother's knees", when="2025") else None
    when("frame-when", "When did I re-pot Gerald?", l.n(r"Re-potted Gerald"))
    when("when-person", "On which days did I have lunch with Lukas in March 2025?", l.a(tag="lunch", who="Lukas Hoffmann", when="2025-03")) if l.a(tag="lunch", who="Lukas Hoffmann", when="2025-03") else None
    when("when-person", "When did I see Yusuf in 2024?", l.a(who="Yusuf Demir", when="2024"), both(l.a(who="Yusuf Demir", when="2024"), l.n(who="Yusuf Demir", when="2024")))
    when("when-person", "Dates I met Thea in 2023", l.a(who="Thea Martens", when="2023"), both(l.a(who="Thea Martens", when="2023"), l.n(who="Thea Martens", when="2023")))
    when("when-person", "When did I talk to Giulia on the phone?", l.a(r"(call with Giulia|Giulia on the phone)"))
    when("when-tag", "Which days was I ill in September 2024?", l.a(tag="ill", when="2024-09")) if l.a(tag="ill", when="2024-09") else None
    when("when-tag", "On which days did I bake in November 2024?", l.a(tag="baking", when="2024-11"), both(l.a(tag="baking", when="2024-11"), l.n(r"(?i)\bbaked\b", when="2024-11")))
    when("when-tag", "when did I have retros in October 2025", l.a(tag="retro", when="2025-10")) if l.a(tag="retro", when="2025-10") else None
    when("when-tag", "Which days did I weigh myself in 2025?", l.a(measure="kg", when="2025"))
    stay("When was I in Rome?", "2024-10-03", "2024-10-07", l.a(tag="rome"))
    stay("when were we on Bornholm?", "2024-07-13", "2024-07-27", l.a(tag="bornholm"))
    stay("Dates of the New York trip", "2023-10-10", "2023-10-17", l.a(tag="newyork"))
    stay("When did I go to Lisbon?", "2024-03-28", "2024-04-02", l.a(tag="lisbon"))
    stay("When was the trip to Japan in 2025?", "2025-10-11", "2025-10-26", l.a(tag="japan"))
    when("when-stay", "When did I fly to Lisbon?", l.a("Flight Hamburg–Lisbon"))
    when("when-stay", "when did we take the ferry to Rønne", l.a("ferry to Rønne"))
    when("join-when", "On which choir days in 2024 did I also have lunch with Carla?", [e for e in l.a(tag="choir", when="2024") if e.day in days_of(l.a(tag="lunch", who="Carla Fontana"))])
    when("join-when", "When did I cycle to work and go to pottery on the same day?", [e for e in l.a(tag="commute") if e.day in days_of(l.a(tag="pottery", kind="learning"))], [e for e in l.a(tag="commute") if e.day in days_of(l.a(tag="pottery"))])
    quiet = [d for d in days_between(("2024-08-01", "2024-08-10")) if d not in days_of(l.a(tag="reading"))]
    b.q("when", "negation", "On which days between 1 and 10 August 2024 did I not read?", b.dates(quiet), b.dates([d for d in quiet if d not in days_of(l.n(r"(?i)\bread\b|chapter|pages"))]))
    quiet = [d for d in days_between(("2025-03-03", "2025-03-07")) if d not in days_of(l.a(tag="commute"))]
    b.q("when", "negation", "On which days from 3 to 7 March 2025 did I not cycle to work?", b.dates(quiet))
    when("when-relative", "When did I go to choir last month?", l.a(tag="choir", when="2025-12"))
    when("when-relative", "which days did i cycle to work two weeks ago", l.a(tag="commute", when=("2025-08-04", "2025-08-10")), now="2025-08-20T16:00:00Z") if l.a(tag="commute", when=("2025-08-04", "2025-08-10")) else None
    when("when-relative", "On which day this week did I have lunch with Stefan?", l.a(tag="lunch", who="Stefan Ruge", when=("2024-11-04", "2024-11-10")), now="2024-11-08T17:00:00Z") if l.a(tag="lunch", who="Stefan Ruge", when=("2024-11-04", "2024-11-10")) else None
    best = [m for m in l.m("steps", "2025-05") if m.value > 12000]
    b.q("when", "when-threshold", "On which days in May 2025 did I take more than 12,000 steps?", b.dates([m.day for m in best]))
    far = [e for e in l.a(tag="cycling", measure="km") if e.measures["km"] > 50]
    when("when-threshold", "When did I ride more than 50 km?", far)
    when("when-threshold", "which days in 2025 was my mood 2 or below?", [e for e in l.n(when="2025") if e.mood and e.mood <= 2])
