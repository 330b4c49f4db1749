"""What is done to an archive while faults come: each scenario with its acts and its views."""

import hashlib
import json
import os
import sqlite3
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
CALENDAR_EVENTS = 24
LINES = 60
PHOTOS = 4


class Command:
    """An act at the command line: acknowledged by its JSON document."""

    def __init__(self, *arguments):
        self.arguments = arguments

    def run(self, program, case, names, settings=None):
        words = [names.get(word, word).replace("{case}", case) for word in self.arguments]
        return program.run(case, *words, settings=settings)

    def acknowledged(self, outcome):
        return self.acknowledges(outcome.told.encode())

    def acknowledges(self, said):
        """Whether what the program had said by some moment acknowledges the act."""
        try:
            found = json.loads(said)
        except ValueError:
            return False
        return "error" not in found


class Post:
    """An act over HTTP, repeatable by its key: acknowledged by its answer."""

    def __init__(self, body, key, path="/api/v1/activities"):
        self.body = body
        self.key = key
        self.path = path

    def run(self, program, case, names, settings=None):
        return program.post(case, self.path, self.body, self.key, settings)

    def acknowledged(self, outcome):
        return outcome.answered in (200, 201)

    def acknowledges(self, said):
        head, _, body = said.partition(b"HTTP/1.1 20")[2].partition(b"\r\n\r\n")
        try:
            return bool(head and json.loads(body))
        except ValueError:
            return False


def form(*paths):
    """Files as a browser sends them, with their media type."""
    parts = []
    for path in paths:
        with open(path, "rb") as file:
            content = file.read()
        head = f'Content-Disposition: form-data; name="files"; filename="{os.path.basename(path)}"'
        parts += [b"--edge", head.encode(), b"Content-Type: application/octet-stream", b"", content]
    return b"\r\n".join([*parts, b"--edge--", b""]), "multipart/form-data; boundary=edge"


class Scenario:
    """One row of the table.

    - prepare: makes the archive it begins with in a case's folder (by default the base archive);
      what it returns are names that stand for words of the acts.
    - acts: what is done; several only where the power fails between them.
    - views: commands whose output, besides the export's, must show one of the states.
    - repeats: doing the last act again afterwards leaves the same entries as doing it once.
    - weight: how large a share of the faults it gets.
    """

    def __init__(self, name, acts, prepare=None, views=(), repeats=False, weight=1.0):
        self.name = name
        self.acts = acts
        self.prepare = prepare or (lambda workshop, case: workshop.fill(case))
        self.views = views
        self.repeats = repeats
        self.weight = weight

    @property
    def is_session(self):
        return len(self.acts) > 1

    @property
    def is_traceable(self):
        """One command of which every run does the same operations, whatever its identities."""
        return isinstance(self.acts[0], Command) and not self.is_session and self.weight > 0.25


class Inputs:
    """The files that are imported and attached, made once; `many` is how long the long one is."""

    def __init__(self, folder, many):
        self.folder = folder
        self.photo = self.file("photo.jpg", bytes(range(256)) * 300)
        self.letter = self.file("letter.txt", b"Dear Jana,\n" * 40)
        self.lines = self.json_lines("life.jsonl", LINES, 3)
        self.many_lines = self.json_lines("long-life.jsonl", many, 0)
        self.calendar = self.file("calendar.ics", calendar(CALENDAR_EVENTS))
        self.journal = self.day_one("journal.zip", PHOTOS)

    def file(self, name, content):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        return path

    def day_one(self, name, count):
        """Day One's export: a zip archive of a journal and photos, which are unpacked."""
        entries, photos = [], {}
        for number in range(count):
            content = b"\xff\xd8\xff\xe0" + bytes([number]) * (30_000 + number)
            md5 = hashlib.md5(content).hexdigest()
            photos[f"photos/{md5}.jpeg"] = content
            entries.append(
                {
                    "uuid": f"{number:032X}",
                    "creationDate": f"2025-06-{number + 1:02}T09:00:00Z",
                    "modifiedDate": f"2025-06-{number + 1:02}T09:00:00Z",
                    "timeZone": "Europe/Berlin",
                    "text": f"quillwort {number}: a photo of it\n\n![](dayone-moment://P{number})",
                    "photos": [
                        {"identifier": f"P{number}", "md5": md5, "type": "jpeg", "orderInEntry": 0}
                    ],
                }
            )
        path = self.file(name, b"")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as file:
            document = {"metadata": {"version": "1.0"}, "entries": entries}
            file.writestr("Journal.json", json.dumps(document, indent=2))
            for photo, content in photos.items():
                file.writestr(photo, content)
        return path

    def json_lines(self, name, count, files):
        lines = [{"type": "arkived", "version": 1}]
        lines.append({"type": "person", "name": "Quill Wortmann", "email": "quill@example.org"})
        for number in range(count):
            day = f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}"
            line = {
                "type": "activity",
                "text": f"quillwort {number}: pressed a leaf from the moor, sheet {number * 7}",
                "startAt": f"{day}T09:{number % 60:02}:00Z",
                "provider": "herbarium",
                "externalId": f"{name}-{number}",
                "tags": ["herbarium"],
                "people": ["Quill Wortmann"] if number % 5 == 0 else [],
                "measurements": {"leaves": number % 9 + 1},
            }
            if number < files:
                path = f"{number}0/leaf-{number}.bin"
                self.file(f"attachments/{path}", bytes([number + 1]) * (20_000 + number))
                line["attachments"] = [
                    {"type": "photo", "relativePath": path, "originalName": f"leaf-{number}.bin"}
                ]
            lines.append(line)
        lines.append({"type": "day", "dayKey": "2025-06-01", "note": "A quillwort day.", "mood": 4})
        text = "".join(json.dumps(line) + "\n" for line in lines)
        return self.file(name, text.encode())


def calendar(count):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Faults//EN"]
    for number in range(count):
        lines += [
            "BEGIN:VEVENT",
            f"UID:fault-{number}@example.org",
            "DTSTAMP:20260101T000000Z",
            f"DTSTART:202602{number % 28 + 1:02}T1{number % 10}0000Z",
            f"DTEND:202602{number % 28 + 1:02}T1{number % 10}3000Z",
            f"SUMMARY:quillwort council {number}",
            "ATTENDEE;CN=Quill Wortmann:mailto:quill@example.org",
            "END:VEVENT",
        ]
    return "\r\n".join([*lines, "END:VCALENDAR", ""]).encode()


def older_archive(workshop, case):
    """The archive of an older program, from the text of its database.

    Where the program under test is that program, the schema's last step is taken back, so that
    there is one to take.
    """
    folder = os.path.join(case, "archive")
    os.mkdir(folder, 0o700)
    file = os.path.join(folder, "archive.sqlite")
    with open(os.path.join(HERE, "archive-002.sql"), encoding="utf-8") as text:
        content = text.read()
    database = sqlite3.connect(file, isolation_level=None)
    database.executescript(content)
    database.execute("PRAGMA journal_mode = WAL")
    if not workshop.migrates(case):
        database.execute("DROP TABLE search_words")
        database.execute("DELETE FROM grdb_migrations WHERE identifier = '002-search-words'")
    database.close()
    os.chmod(file, 0o600)


def exported_before(workshop, case):
    """An export that is older than the archive."""
    workshop.fill(case)
    workshop.do(case, "export", "-o", os.path.join(case, "out", "life.jsonl"), "--json")
    workshop.do(case, "add", "a later line with a photo", "--attach", workshop.inputs.photo)


def backed_up_before(workshop, case):
    """A backup that is older than the archive."""
    workshop.fill(case)
    file = os.path.join(case, "out", "life.zip")
    workshop.do(case, "backup", file, "--unencrypted", "--json")
    workshop.do(case, "add", "a later line with a photo", "--attach", workshop.inputs.photo)


def served_before(workshop, case):
    """An archive that has its token."""
    workshop.fill(case)
    Post({"text": "the first from the phone"}, "0001").run(
        workshop.program, case, {}, workshop.settings(case)
    )


def imported_before(workshop, case):
    workshop.fill(case)
    runs = workshop.do(case, "import", workshop.inputs.lines, "--json")["runs"]
    return {"{run}": runs[0]["id"]}


def linked_before(workshop, case):
    """An archive that is to be kept in line with a calendar, and never was yet."""
    workshop.fill(case)
    workshop.do(case, "sync", "link", workshop.inputs.calendar, "--json")


def scenarios(workshop):
    """All scenarios. `workshop` knows the inputs and the entries of the base archive."""
    inputs = workshop.inputs
    first, second = workshop.entries[0], workshop.entries[1]
    looks_imported = (
        ("import", "list", "--json"),
        ("search", "quillwort", "--limit", "200", "--json"),
        ("day", "2025-06-01", "--json"),
        ("day", "2026-02-03", "--json"),
        ("tag", "--json"),
        ("ask", "how many times did I meet Quill Wortmann?", "--json"),
    )
    add = Command("add", "climbed the Kofel with Jana 10:00-12:30 #alps", "--json")
    attach = Command("add", "a photo of it #alps", "--attach", inputs.photo, "--json")
    note = Command("note", "A long day. " * 1500, "--mood", "4", "--json")
    edit = Command("edit", first, "--text", "swam 2 km", "--place", "Walchensee", "--json")
    delete = Command("delete", second, "--yes", "--json")
    undo = Command("undo", "--json")
    return [
        Scenario("first", [add], lambda workshop, case: None, weight=0.5),
        Scenario("add", [add], weight=1.5),
        Scenario("attach", [attach], weight=1.5),
        Scenario("edit", [edit]),
        Scenario("note", [note]),
        Scenario("delete", [delete]),
        Scenario("undo", [undo]),
        Scenario("tag", [Command("tag", first, "--add", "lakes", "--remove", "sport", "--json")]),
        Scenario(
            "import", [Command("import", inputs.lines, "--json")],
            views=looks_imported, repeats=True, weight=1.5,
        ),
        Scenario(
            "import-long", [Command("import", inputs.many_lines, "--json")],
            views=looks_imported, repeats=True, weight=0.25,
        ),
        Scenario(
            "import-unpacked", [Command("import", inputs.journal, "--json")],
            views=looks_imported, repeats=True, weight=0.25,
        ),
        Scenario(
            "calendar", [Command("import", inputs.calendar, "--json")],
            views=looks_imported, repeats=True,
        ),
        Scenario(
            "calendar-sync", [Command("sync", "--json")],
            linked_before, views=looks_imported, repeats=True,
        ),
        Scenario(
            "import-undo", [Command("import", "undo", "{run}", "--json")],
            imported_before, views=looks_imported,
        ),
        Scenario(
            "merge", [Command("merge", inputs.lines, "--json")],
            views=looks_imported, repeats=True, weight=0.5,
        ),
        Scenario("migration", [add], older_archive),
        Scenario(
            "export", [Command("export", "-o", "{case}/out/life.jsonl", "--json")],
            exported_before, repeats=True,
        ),
        Scenario(
            "backup", [Command("backup", "{case}/out/life.zip", "--unencrypted", "--json")],
            backed_up_before, repeats=True,
        ),
        Scenario(
            "serve",
            [Post({"text": "written from the phone", "tags": ["phone"]}, "7c9e-first-try")],
            served_before, repeats=True, weight=1.5,
        ),
        Scenario(
            "serve-attach",
            [
                Post(
                    form(inputs.photo, inputs.letter), "51f0-two-files",
                    f"/api/v1/activities/{second}/attachments",
                )
            ],
            served_before,
        ),
        Scenario(
            "session", [add, attach, note, edit, delete, undo, add],
        ),
    ]  # fmt: skip
