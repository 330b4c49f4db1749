"""What a person would find in an archive after a fault, and whether that is right."""

import collections
import hashlib
import json
import os
import re
import sqlite3
import zipfile

from program import document

IDENTITY = re.compile(r"[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}")


class Wrong(Exception):
    """A promise that was not kept, in a sentence."""


def require(condition, sentence):
    if not condition:
        raise Wrong(sentence)


class Look:
    """An archive as its program shows it: comparable, whatever identities new entries got."""

    def __init__(self, identities, exported, entries, views):
        self.identities = identities
        self.exported = exported
        self.entries = entries
        self.views = views

    def differs(self, other, with_views=True):
        """Where two looks differ first, or None."""
        if self.entries != other.entries:
            mine, theirs = collections.Counter(self.entries), collections.Counter(other.entries)
            more, less = (mine - theirs).total(), (theirs - mine).total()
            example = sorted((mine - theirs) or (theirs - mine))[0]
            return f"{more} lines too many and {less} missing, such as {example[:200]}"
        for name in sorted(set(self.views) | set(other.views)):
            mine, theirs = self.views.get(name), other.views.get(name)
            if with_views and mine != theirs:
                return f"“{name}” shows {str(mine)[:300]} instead of {str(theirs)[:300]}"
        return None


class Observer:
    """Looks at archives with the plain program."""

    def __init__(self, program):
        self.program = program

    def ask(self, case, *arguments):
        outcome = self.program.run(case, *arguments)
        require(
            outcome.status == 0,
            f"“arkived {' '.join(arguments)}” ended with {outcome.status}: "
            f"{outcome.talk.strip() or outcome.told[:300]}",
        )
        return outcome

    def look(self, case, scenario, known=None):
        """What an archive holds, and what it shows in the views of a scenario (none without one).

        `known` are the identities that were there before; all others count as new and alike.
        """
        text = self.ask(case, "export").told
        exported = [json.loads(line) for line in text.splitlines()]
        identities = set(IDENTITY.findall(text))
        known = identities if known is None else known

        def alike(text):
            return IDENTITY.sub(lambda it: it[0] if it[0] in known else "<new>", text)

        asked = (("history", "--limit", "10000", "--json"), *scenario.views) if scenario else ()
        views = {" ".join(view): alike(stable(self.ask(case, *view).json)) for view in asked}
        older = os.path.join(case, "out", "life.jsonl")
        if os.path.exists(older):
            with open(older, encoding="utf-8") as file:
                content = file.read()
            views["the exported file"] = alike(content)
            attachments_of(
                [json.loads(line) for line in content.splitlines()],
                os.path.join(case, "out", "attachments"), "the export",
            )  # fmt: skip
        backup = os.path.join(case, "out", "life.zip")
        if os.path.exists(backup):
            views["the backup"] = alike(backup_lines(backup))
        attachments_of(exported, os.path.join(case, "archive", "attachments"), "the archive")
        return Look(identities, exported, sorted(alike(line) for line in text.splitlines()), views)

    def doctor(self, case, mends=False):
        outcome = self.program.run(case, "doctor", *(["--mend"] if mends else []), "--json")
        findings = (outcome.json or {}).get("findings", [])
        problems = [it for it in findings if it["verdict"] == "problem"]
        require(
            outcome.status == 0 and outcome.json and outcome.json["isWell"],
            f"doctor ended with {outcome.status}: {problems or outcome.talk.strip()}",
        )

    def next_write(self, case):
        told = self.ask(case, "add", "and the next day went on", "--json").json
        require(told and told["created"]["text"] == "and the next day went on", "no next write")


def stable(view):
    """A view without what no two runs share."""

    def walk(value):
        if isinstance(value, dict):
            return {
                key: walk(inner) for key, inner in value.items() if key not in ("tookMs", "score")
            }
        return [walk(inner) for inner in value] if isinstance(value, list) else value

    require(view is not None, "a view printed no document")
    return json.dumps(walk(view), sort_keys=True, ensure_ascii=False)


def backup_lines(path):
    """The lines in a backup, which is whole and as its manifest says."""
    try:
        with zipfile.ZipFile(path) as packed:
            manifest = json.loads(packed.read("manifest.json"))
            contents = {file["path"]: packed.read(file["path"]) for file in manifest["files"]}
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise Wrong(f"the backup looks whole and is not: {error}") from error
    for file in manifest["files"]:
        content = contents[file["path"]]
        require(
            len(content) == file["bytes"]
            and hashlib.sha256(content).hexdigest() == file["sha256"],
            f"the backup's file {file['path']} has other bytes",
        )
    lines = [contents[name].decode() for name in sorted(contents) if name.endswith(".jsonl")]
    return "".join(lines)


def attachments_of(lines, folder, whose):
    """Every attachment that is named is there with its own bytes."""
    for line in lines:
        if line["type"] != "attachment" or not line.get("relativePath"):
            continue
        path = os.path.join(folder, line["relativePath"])
        require(os.path.exists(path), f"{whose} names {line['relativePath']}, which is missing")
        with open(path, "rb") as file:
            content = file.read()
        require(
            len(content) == line["byteCount"]
            and hashlib.sha256(content).hexdigest() == line["contentHash"],
            f"{whose}'s file {line['relativePath']} has other bytes",
        )


def database_is_sound(case):
    """SQLite's own verdict, from another program."""
    database = sqlite3.connect(os.path.join(case, "archive", "archive.sqlite"))
    try:
        verdict = [row[0] for row in database.execute("PRAGMA integrity_check")]
        require(verdict == ["ok"], f"integrity_check says {verdict[:3]}")
        broken = database.execute("PRAGMA foreign_key_check").fetchall()
        require(not broken, f"foreign_key_check says {broken[:3]}")
    except sqlite3.Error as error:
        raise Wrong(f"SQLite says {error}") from error
    finally:
        database.close()


def told_is_kept(outcome_told, look):
    """An entry whose JSON was printed is in the archive with equal content."""
    told = document(outcome_told) or {}
    entry = told.get("created") or told.get("updated") or (told if "text" in told else None)
    if not isinstance(entry, dict) or "id" not in entry:
        return
    found = [line for line in look.exported if line.get("id") == entry["id"]]
    require(len(found) == 1, f"the acknowledged entry {entry['id']} is there {len(found)} times")
    for key, value in entry.items():
        # A duration that follows from start and end is told, and not kept beside them.
        is_derived = key == "durationMinutes" and found[0].get(key) is None
        require(
            is_derived or key not in found[0] or found[0][key] == value,
            f"the acknowledged entry's {key} is {found[0].get(key)!r}, not {value!r}",
        )


def rows(file):
    """Everything a database holds but its derived index."""
    database = sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)
    try:
        tables = [
            row[0]
            for row in database.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search_%'"
                " AND name NOT LIKE 'sqlite_%' ORDER BY name"
            )
        ]
        verdict = [row[0] for row in database.execute("PRAGMA integrity_check")]
        require(verdict == ["ok"], f"{os.path.basename(file)}: integrity_check says {verdict[:3]}")
        return {name: database.execute(f'SELECT * FROM "{name}"').fetchall() for name in tables}
    except sqlite3.Error as error:
        raise Wrong(f"{os.path.basename(file)}: SQLite says {error}") from error
    finally:
        database.close()


def snapshots_are_valid(case, prepared):
    """After a migration there is a snapshot of what was before; none is half."""
    folder = os.path.join(case, "archive", "snapshots")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    found = [rows(os.path.join(folder, name)) for name in names if not name.startswith(".")]
    before = rows(os.path.join(prepared, "archive", "archive.sqlite"))
    now = rows(os.path.join(case, "archive", "archive.sqlite"))
    if now["grdb_migrations"] != before["grdb_migrations"]:
        require(found, "the archive was migrated without a snapshot")
    require(not found or found[0] == before, "the snapshot holds something else than the archive")


def archive_is_private(case):
    """Whatever was stopped when: only the owner may read what is in the archive's folder."""
    folder = os.path.join(case, "archive")
    for entry in os.scandir(folder) if os.path.isdir(folder) else ():
        mode = entry.stat(follow_symlinks=False).st_mode & 0o777
        require(mode & 0o077 == 0, f"{entry.name} may be read by others ({mode:o})")


def leftovers(case):
    """Files of a case that nothing names: kept names and temporary ones."""
    folder = os.path.join(case, "archive")
    named = set()
    file = os.path.join(folder, "archive.sqlite")
    if os.path.exists(file):
        database = sqlite3.connect(file)
        named = {row[0] for row in database.execute("SELECT relative_path FROM attachments")}
        # What was removed may be restored with its file.
        for (record,) in database.execute("SELECT record FROM history"):
            attachments = json.loads(record).get("attachments") or []
            named |= {it.get("relativePath") for it in attachments}
        database.close()
    orphans, temporaries = [], []
    for path, _, files in os.walk(case):
        for name in files:
            inside = os.path.relpath(os.path.join(path, name), os.path.join(folder, "attachments"))
            if name.startswith("."):
                temporaries.append(os.path.relpath(os.path.join(path, name), case))
            elif not inside.startswith("..") and inside not in named:
                orphans.append(os.path.relpath(os.path.join(path, name), case))
    return orphans, temporaries
