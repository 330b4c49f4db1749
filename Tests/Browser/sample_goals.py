"""Fills an archive with goals, values, terms and actions through the forms of the pages."""

import http.cookiejar
import re
import urllib.parse
import urllib.request


class Forms:
    """Sends forms as a signed-in browser does."""

    def __init__(self, server, login):
        self.url = server.url
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        )
        self.opener.open(login).read()

    def get(self, path):
        return self.opener.open(self.url + path).read().decode()

    def post(self, path, fields):
        """Returns the path that the server leads to."""
        request = urllib.request.Request(
            self.url + path,
            urllib.parse.urlencode(fields, doseq=True).encode(),
            {"Origin": self.url},
        )
        answer = self.opener.open(request)
        answer.read()
        return answer.geturl()[len(self.url) :]

    def made(self, path, fields):
        """The identity of what a form makes, told by the page that follows."""
        place = self.post(path, fields)
        return re.search(r"[0-9A-F]{8}-[0-9A-F-]{27}", place.split("?")[0]).group()


def fill(server):
    """A spring with three goals in a term, two values, and actions that count and that wait."""
    # A login link works once, so the browser that follows takes another.
    forms = Forms(server, server.login_again() if hasattr(server, "login_again") else server.login)
    for title, sort, words in (
        ("Health", "major", "To be well enough for everything else."),
        ("Curiosity", "general", ""),
        ("Patience", "general", ""),
        ("Home", "life_area", ""),
    ):
        forms.post("/values", {"title": title, "incentiveType": sort, "description": words})
    values = re.findall(r'id="value-([0-9A-F-]{36})"', forms.get("/values"))
    forms.post(
        "/terms", {"termNumber": "1", "startDate": "2025-11-03", "targetDate": "2026-01-11",
                   "theme": "Winter"}
    )
    term = forms.made(
        "/terms", {"termNumber": "2", "startDate": "2026-01-26", "theme": "Out of doors"}
    )
    forms.post(
        "/terms", {"termNumber": "3", "startDate": "2026-04-07", "theme": "Writing"}
    )
    run = forms.made(
        "/goals",
        {
            "title": "Run 120 km", "goalType": "SmartGoal", "measurementTarget": "120",
            "measurementUnit": "km", "startDate": "2026-01-26", "targetDate": "2026-04-06",
            "keywords": "run", "howGoalIsRelevant": "Running clears the head.",
            "value": values[0], "term": term,
        },
    )
    read = forms.made(
        "/goals",
        {
            "title": "Read 900 pages", "measurementTarget": "900", "measurementUnit": "pages",
            "startDate": "2026-01-26", "targetDate": "2026-04-06", "value": values[1],
            "term": term,
        },
    )
    forms.made(
        "/goals",
        {"title": "Meditate on most days", "measurementTarget": "600",
         "measurementUnit": "minutes", "keywords": "meditate", "startDate": "2026-02-01",
         "targetDate": "2026-06-30", "value": values[:2], "term": term},
    )
    forms.made(
        "/goals",
        {"title": "Cycle", "measurementTarget": "1000", "measurementUnit": "km",
         "keywords": "cycle, rode", "startDate": "2026-03-01", "targetDate": "2026-09-30"},
    )
    forms.made("/goals", {"title": "Hand in the plan", "goalType": "Milestone",
                          "targetDate": "2026-03-31"})
    swim = forms.made("/goals", {"title": "Swim", "measurementUnit": "km", "startDate": "2026-03-01",
                                 "measurementTarget": "10", "targetDate": "2026-05-31"})
    forms.made("/goals", {"title": "Walk 50 km", "measurementTarget": "50", "measurementUnit": "km",
                          "keywords": "walk", "startDate": "2025-11-03",
                          "targetDate": "2026-01-11"})
    days = [f"2026-{month:02}-{day:02}" for month, day in (
        [(1, d) for d in range(26, 32)] + [(2, d) for d in range(1, 29)]
        + [(3, d) for d in range(1, 15)])]
    for index, day in enumerate(days):
        if index % 4 == 0:
            action(forms, f"run along the river {index}", day, 3 + index % 5 / 2, "km")
        if index % 3 == 0:
            action(forms, "read in bed", day, 12 + index % 30, "pages")
        if index % 2 == 0 and index > 5:
            action(forms, "meditate before work", day, 15, "minutes")
    action(forms, "walk to the lake", "2025-12-01", 12, "km")
    action(forms, "rode to the market", "2026-03-07", 23, "km")
    action(forms, "baked a cake", "2026-03-08", 1.2, "kg")
    for day, amount in (("2026-03-09", 1.4), ("2026-03-10", 0.8), ("2026-03-11", 1)):
        action(forms, "swam in the lake", day, amount, "lake_km")
    forms.post("/life", {"birthDate": "1986-05-04"})
    return {"run": run, "read": read, "swim": swim, "term": term, "value": values[0]}


def action(forms, text, day, amount, unit):
    forms.post("/actions", {"text": text, "day": day, "amount1": amount, "unit1": unit})
