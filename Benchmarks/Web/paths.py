"""The paths of the pages that every archive has, for benchmarks and for Tests/Browser/test_accessibility.py."""

from __future__ import annotations

FIXED = (
    "/", *(f"/calendar?of={unit}" for unit in ("week", "month", "year", "years")),
    "/calendar/poster", "/search", "/ask", "/threads", "/pending", "/goals", "/goals/new",
    "/goals/review", "/terms", "/terms/new", "/values", "/values/new", "/actions", "/actions/new",
    "/life", "/sync", "/meetings", "/meetings?show=past", "/meetings/new", "/people", "/people/new",
    "/notes", "/notes/new", "/promises", "/calendars", "/recap", "/map", "/map/days?span=all",
    "/photos", "/capture", "/go", "/go?q=goals", "/more", "/design", "/welcome/sample",
    "/linked?name=nobody", "/settings", *(
        f"/settings/{name}"
        for name in (
            "templates", "nudges", "tags", "imports", "imports/services", "imports/duplicates",
            "capture", "history", "storage", "forget", "backup", "backup/restore", "backup/move",
            "backup/merge", "assistant", "programs", "phone", "sync", "service", "news", "linked",
            "address-books",
        )
    ),
)  # fmt: skip
