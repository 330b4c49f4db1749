"""Every command with arguments that do no harm, and the folder states in which they are tried."""

import concurrent.futures
import json
import re

from footprint import Footprint
from trials import INNER
from verdict import require

# A command that only reads the archive, one that changes it, and one that needs no archive at all.
READ, WRITE, FREE = "read", "write", "free"
WORKERS = 2

# What reads its words from a pipe.
PIPED = ("sh", "-c", 'echo "a line from a pipe" | "$@"', "sh")

# An identity of the right form that no entry has.
NOBODY = "00000000-0000-4000-8000-000000000000"
NOWHERE = "http://127.0.0.1:9"
KEY = "age1k3gg82wplzzvp9nx3cpm6knurzy5au9zv0u509d34zglwa5pvess74l8e0"

# Kind and arguments of each command. Drafts lie outside the archive's folder, and are what helps when
# it is lost, so that these need none; {out} is a folder outside the archive, {inputs} one with files.
COMMANDS = {
    "add": (WRITE, "an entry of the torture"),
    "capture": (WRITE,),
    "note": (WRITE, "a note of the torture"),
    "edit": (WRITE, NOBODY, "--text", "edited"),
    "delete": (WRITE, NOBODY, "--yes"),
    "pin": (WRITE, NOBODY),
    "attach": (WRITE, NOBODY, "{inputs}/entries.txt"),
    "tag list": (READ,),
    "tag rename": (WRITE, "sport", "sports"),
    "tag merge": (WRITE, "sport", "friends"),
    "tag duplicates": (READ,),
    "tag colour": (WRITE, "sport", "red"),
    "tag delete": (WRITE, "nothing"),
    "drafts list": (FREE,),
    "drafts show": (FREE,),
    "drafts recover": (FREE,),
    "drafts discard": (FREE,),
    "today": (READ,),
    "day": (READ, "2026-03-14"),
    "on-this-day": (READ,),
    "search": (READ, "swam"),
    "ask": (READ, "how many times did I swim?"),
    "recap": (READ, "2026-03"),
    "insights": (READ,),
    "when": (FREE, "tomorrow"),
    "sql": (READ, "SELECT count(*) FROM activities"),
    "query": (READ, "{inputs}/query.json"),
    "playground": (READ, "--benchmark", "--prompts", "1"),
    "progress": (READ,),
    "goal list": (READ,),
    "goal create": (WRITE, "Run", "12", "km", "--to", "2026-12-31"),
    "goal show": (READ, "Swim"),
    "goal edit": (WRITE, "Swim", "--notes", "slowly"),
    "goal delete": (WRITE, NOBODY),
    "goal progress": (READ, "Swim"),
    "goal actions": (READ, "Swim"),
    "goal pack": (READ, "Swim", "-o", "{out}/goal-pack"),
    "goal unpack": (WRITE, "{inputs}/goal.pack"),
    "action list": (READ,),
    "action create": (WRITE, "swam", "2", "km"),
    "action show": (READ, NOBODY),
    "action edit": (WRITE, NOBODY, "--text", "swam"),
    "action delete": (WRITE, NOBODY),
    "action goals": (READ, NOBODY),
    "value list": (READ,),
    "value create": (WRITE, "Health"),
    "value show": (READ, NOBODY),
    "value edit": (WRITE, NOBODY, "--notes", "yes"),
    "value delete": (WRITE, NOBODY),
    "value goals": (READ, NOBODY),
    "term list": (READ,),
    "term create": (WRITE, "Autumn", "--from", "2026-09-07"),
    "term show": (READ, "1"),
    "term edit": (WRITE, "1", "--notes", "yes"),
    "term delete": (WRITE, NOBODY),
    "term current": (READ,),
    "term add-goal": (WRITE, "1", "Swim"),
    "term remove-goal": (WRITE, "1", "Swim"),
    "term progress": (READ,),
    "match review": (READ, "--list"),
    "match confirm": (WRITE, NOBODY),
    "match reject": (WRITE, NOBODY),
    "match infer": (WRITE,),
    "lifetime show": (READ,),
    "lifetime set": (WRITE, "1985-06-01"),
    "lifetime delete": (WRITE,),
    "meeting list": (READ,),
    "meeting show": (READ, NOBODY),
    "meeting create": (WRITE, "tomorrow 10:00-11:00 with @Sam"),
    "meeting edit": (WRITE, NOBODY, "--title", "Review"),
    "meeting note": (WRITE, NOBODY, "a note"),
    "meeting delete": (WRITE, NOBODY),
    "brief": (READ,),
    "person list": (READ,),
    "person show": (READ, "Sam"),
    "person create": (WRITE, "Ada"),
    "person edit": (WRITE, "Sam", "--relationship", "friend"),
    "person merge": (WRITE, "Sam", "Jana"),
    "person duplicates": (READ,),
    "person delete": (WRITE, NOBODY),
    "notes list": (READ,),
    "notes add": (WRITE, "a note of its own"),
    "notes show": (READ, NOBODY),
    "notes edit": (WRITE, NOBODY, "--title", "Other"),
    "notes delete": (WRITE, NOBODY),
    "backlinks": (READ, "2026-03-14"),
    "templates list": (READ,),
    "templates show": (READ, "Evening"),
    "templates keep": (WRITE, "Morning", "--text", "Slept well?"),
    "templates delete": (WRITE, "Evening"),
    "templates prompts": (READ,),
    "promises list": (READ,),
    "promises done": (WRITE, "3F2A91B0:4"),
    "promises open": (WRITE, "3F2A91B0:4"),
    "promises let-go": (WRITE, "--overdue", "60"),
    "import files": (WRITE, "{inputs}/entries.txt"),
    "import list": (READ,),
    "import show": (READ, NOBODY),
    "import undo": (WRITE, NOBODY),
    "import duplicates": (READ,),
    "import fetch-places": (FREE,),
    "inbox status": (READ,),
    "inbox set": (WRITE, "{out}/inbox"),
    "inbox run": (WRITE,),
    "inbox off": (WRITE,),
    "export": (READ,),
    "backup make": (READ,),
    "backup key": (FREE, "--output", "{out}/another-key.txt"),
    "backup verify": (READ,),
    "backup list": (READ,),
    "backup test": (READ,),
    "backup accept": (WRITE,),
    "backup schedule": (READ,),
    "backup open": (FREE, "{inputs}/none.age", "--output", "{out}/opened"),
    "restore": (WRITE, "{inputs}/none.zip", "--yes"),
    "merge": (WRITE, "{inputs}/life.jsonl"),
    "move pack": (WRITE, "{out}/life.move", "--passphrase-file", "{inputs}/passphrase"),
    "move unpack": (WRITE, "{inputs}/life.move", "--passphrase-file", "{inputs}/passphrase"),
    "move leave": (WRITE, "the new laptop"),
    "move stay": (WRITE,),
    "sync now": (WRITE,),
    "sync folder": (WRITE, "{out}"),
    "sync add-device": (READ, "--wait", "0"),
    "sync join": (WRITE, "{out}", "00000-00000-00000-00000", "--wait", "0"),
    "sync rename-device": (WRITE, "nothing", "laptop"),
    "sync revoke-device": (WRITE, "nothing"),
    "sync leave": (WRITE,),
    "sync link": (WRITE, "{inputs}/calendar.ics"),
    "sync discover": (FREE, NOWHERE),
    "sync status": (READ,),
    "sync unlink": (WRITE, "{inputs}/calendar.ics"),
    "sample": (WRITE, "--from", "2026-03-01", "--through", "2026-03-02"),
    "init": (WRITE,),
    "settings": (READ,),
    "history list": (READ,),
    "history change": (READ, NOBODY),
    "history diff": (READ, NOBODY),
    "history restore": (WRITE, NOBODY),
    "history keep": (READ,),
    "undo": (WRITE,),
    "purge": (WRITE, "--tag", "nothing", "--yes"),
    "doctor": (READ,),
    "index": (WRITE,),
    "assistant show": (READ,),
    "assistant use": (WRITE, NOWHERE + "/v1", "--model", "none"),
    "assistant none": (WRITE,),
    "assistant prompts": (FREE,),
    "assistant voice": (WRITE, NOWHERE + "/v1"),
    "assistant transcribe": (WRITE,),
    "nudge list": (READ,),
    "nudge set": (WRITE, "evening", "--at", "21:00"),
    "nudge off": (WRITE,),
    "nudge next": (READ,),
    "nudge test": (FREE,),
    "nudge snooze": (WRITE,),
    "nudge dismiss": (WRITE,),
    "serve": (READ, "--port", "0", "--json"),
    "open": (FREE, "--print"),
    "service install": (FREE,),
    "service status": (FREE,),
    "service restart": (FREE,),
    "service remove": (FREE,),
    "phone pair": (WRITE, "--address", "127.0.0.1"),
    "phone open": (WRITE, "--address", "127.0.0.1"),
    "phone status": (READ,),
    "phone list": (READ,),
    "phone revoke": (WRITE, "nobody"),
    "phone certificate": (READ, "-o", "{out}/certificate"),
    "phone off": (WRITE,),
    "tool": (READ, "search", '{{"query": "swam"}}'),
    "confirm list": (READ,),
    "confirm yes": (WRITE, NOBODY),
    "confirm no": (WRITE, NOBODY),
    "token list": (READ,),
    "token create": (WRITE, "torture"),
    "token revoke": (WRITE, "torture"),
    "mcp": (READ,),
}  # fmt: skip

# The same commands in other ways.
VARIANTS = (
    (WRITE, "backup", "{out}/by-hand.zip", "--unencrypted"),
    (READ, "backup", "--plain", "{out}/plain"),
    (WRITE, "backup", "schedule", "--folder", "{out}/others", "--to", KEY),
    (WRITE, "doctor", "--mend"),
    (READ, "doctor", "--json"),
    (READ, "export", "--format", "markdown", "-o", "{out}/life"),
    (WRITE, "history", "keep", "--versions", "365"),
    (WRITE, "words that are no command"),
    (READ, "today", "--json"),
    (WRITE, "add", "with a file", "--attach", "{inputs}/letter.txt"),
)  # fmt: skip

# What has to work on any archive that can be read, and is enough to see that it does.
READINGS = (
    ("today",), ("day", "2026-03-14"), ("search", "swam"), ("ask", "how many times did I swim?"),
    ("export",), ("doctor",), ("goal", "list"), ("sql", "SELECT count(*) FROM activities"),
)  # fmt: skip
WRITINGS = (
    ("add", "not to be kept"), ("note", "not to be kept"), ("tag", "rename", "sport", "sports"),
    ("goal", "create", "Run", "12", "km", "--to", "2026-12-31"), ("undo",), ("notes", "add", "not kept"),
)  # fmt: skip


def all_commands(kinds=(READ, WRITE)):
    """The words of every command of these kinds, with placeholders."""
    table = [(it[0], *name.split(), *it[1:]) for name, it in COMMANDS.items()]
    return [words for kind, *words in (*table, *VARIANTS) if kind in kinds]


# SPEC's exit codes of a command that could not do what it was asked.
USUAL = (1, 64, 65, 66, 69, 73, 74, 75, 77)
FREE_COMMANDS = {tuple(it) for it in all_commands((FREE,))}


def filled(words, case):
    return [it.format(out=f"{case}/out", inputs=f"{case}/inputs") for it in words]


def missing_commands(program, case):
    """Which commands the program has and the table lacks, and the other way round."""
    told = program.run(case, "--experimental-dump-help").told
    known = set()

    def walk(command, path):
        inner = [it for it in command.get("subcommands", ()) if it["commandName"] != "help"]
        for it in inner:
            walk(it, [*path, it["commandName"]])
        if not inner:
            known.add(" ".join(path))

    walk(json.loads(told)["command"], [])
    # What the help of a person lists must be the same: two spaces, a name, its aliases, an abstract.
    shown = program.run(case, "--help").told
    listed = set(re.findall(r"^  ([a-z][a-z-]+)(?:, [a-z-]+)*(?:  +[A-Z]|$)", shown, re.MULTILINE))
    tops = {it.split()[0] for it in COMMANDS}
    return (known ^ set(COMMANDS)) | {it for it in listed ^ tops if it != "arkived"}


def is_told(text):
    """Words for a person, which may end with a command to type."""
    return re.search(r"[A-Z].{10,}[.!?]( |\n|$)", text) and not INNER.search(text)


class Refusals:
    """Commands that must be refused with one exit code, and must alter nothing in a folder."""

    def __init__(
        self, bench, case, status, says=(), settings=None, before=(), ignoring=(), shared=(), workers=WORKERS
    ):
        self.bench, self.case, self.status, self.says = bench, case, status, says
        self.settings, self.before, self.ignoring = settings, before, ignoring
        # Files that a living server alters too: they count only where a command alters them alone.
        self.shared = shared
        self.home = (settings or {}).get("ARKIVED_HOME", f"{case}/archive")
        self.workers = workers
        self.attempts = 0

    def problem(self, words):
        """Runs a command; returns what is wrong with how it was refused, or None."""
        outcome = self.bench.program.run(
            self.case, *filled(words, self.case), settings=self.settings,
            before=(*self.before, *(PIPED if words[0] == "capture" else ())),
        )  # fmt: skip
        said = outcome.talk.strip() or outcome.told.strip()
        what = f"“arkived {' '.join(words)}” ended with {outcome.status}"
        if tuple(words) in FREE_COMMANDS:
            is_done = outcome.status == 0
            is_honest = outcome.status in USUAL and len(said) > 20 and not INNER.search(said)
            return None if is_done or is_honest else f"{what}: {said[:300]!r}"
        # Some look first at the file they are given, which is missing too; init says that there is an archive.
        first = {"init": 73, "restore": 66, "merge": 66, "move": 66, "goal": 66}.get(words[0])
        if outcome.status not in (self.status, first):
            return f"{what} instead of {self.status}: {said[:300]!r}"
        if not is_told(said):
            return f"{what} without a sentence for a person: {said[:300]!r}"
        lacks = [it for it in self.says if it not in said]
        if lacks and first is None:
            return f"{what} and does not say {lacks[0]!r}: {said[:300]!r}"
        return None

    def expect(self, commands):
        """Runs the commands, several at once; returns everything that is wrong."""
        commands = list(commands)
        before = Footprint(self.home)
        self.attempts += len(commands)
        with concurrent.futures.ThreadPoolExecutor(self.workers) as pool:
            problems = [it for it in pool.map(self.problem, commands) if it]
        altered = self.altered(before)
        if altered:
            culprit = self.culprit(commands)
            if culprit or any(it.split(":")[0] not in self.shared for it in altered):
                problems += [f"altered by {culprit or 'several at once'}: {'; '.join(altered[:4])}"]
        return problems

    def altered(self, before):
        """What is otherwise than before, but for drafts: a text that can't be saved is kept in one."""
        lines = before.difference(Footprint(self.home), (*self.ignoring, "drafts"))
        lines = [it for it in lines if not it.startswith("drafts/")]
        # The folder's own time tells of the drafts too; whatever else is made in it has its own line.
        return [] if lines == [".: other time"] else lines

    def culprit(self, commands):
        """The first of the commands that alters the folder when it runs alone, or None."""
        for words in commands:
            before = Footprint(self.home)
            self.problem(words)
            altered = self.altered(before)
            if altered:
                return f"“arkived {' '.join(words)}” ({'; '.join(altered[:4])})"
        return None


def require_none(problems, what):
    require(
        not problems,
        f"{what}: {len(problems)} promises broken: " + " | ".join(problems[:12]),
    )
