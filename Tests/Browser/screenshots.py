"""Takes pictures of the sample life's pages, for the documentation and for looking at.

Usage: screenshots.py PATH-OF-ARKIVED FOLDER
"""

import os
import sys

from browser import Server, chromium
from sample_goals import fill

PAGES = {
    "today": "/",
    "note-edit": "/day/2026-03-14/note/edit",
    "search": "/search?query=castle",
    "ask": "/ask?question=what+did+I+do+with+Alex+last+month%3F",
    "ask-series": "/ask?question=how+many+km+did+I+cycle+by+month+in+2025%3F",
    "recap-week": "/recap?of=week&day=2025-08-13",
    "recap-year": "/recap?of=year&day=2025-01-01",
    "insights": "/insights",
    "habits": "/insights/habits?span=365",
    "time": "/insights/time?span=365",
    "measures": "/insights/measures?of=metric:sleepMinutes&span=365",
    "places": "/insights/places",
    "mood": "/insights/mood",
    "compare": "/insights/compare?a=2025&b=2024",
    "map": "/map?span=2025",
    "photos": "/photos",
    "empty": "/day/2030-01-01",
    "goals": "/goals",
    "review": "/goals/review",
    "actions": "/actions",
    "action-new": "/actions/new",
    "values": "/values",
    "terms": "/terms",
    "life": "/life",
    "settings-tags": "/settings/tags",
    "settings-imports": "/settings/imports",
    "settings-history": "/settings/history",
    "settings-storage": "/settings/storage",
    "settings-assistant": "/settings/assistant",
    "settings-programs": "/settings/programs",
    "settings-capture": "/settings/capture",
    "pending": "/pending",
    "settings-backup": "/settings/backup",
    "settings-nudges": "/settings/nudges",
    "settings-templates": "/settings/templates",
}


def main(arkived, folder):
    os.makedirs(folder, exist_ok=True)
    home = os.path.join(folder, "archive")
    is_new = not os.path.exists(home)
    server = Server(arkived, home)
    if is_new:
        server.run("sample")
        with server:
            fill(server)
    for width, dark in ((1280, False), (1280, True), (390, False), (390, True)):
        with server, chromium(width, 844 if width < 600 else 900, dark) as browser:
            browser.get(server.login)
            for name, path in PAGES.items():
                browser.get(server.url + path)
                theme = "dark" if dark else "light"
                browser.save_screenshot(os.path.join(folder, f"{name}-{width}-{theme}.png"))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
