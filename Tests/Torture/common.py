"""What the trials share: looking at an archive, and a server to torture."""

import http.client
import json
import os
import signal
import sqlite3
import subprocess
import urllib.parse

from program import PATIENCE, first_line
from trials import is_sentence
from verdict import Observer, database_is_sound, require

# SPEC's exit codes of an honest failure: failed, bad data, cannot create, input and output, busy.
HONEST = (1, 65, 73, 74, 75)


def activities(case):
    """How often each text is among an archive's activities, read by another program."""
    database = sqlite3.connect(os.path.join(case, "archive", "archive.sqlite"))
    try:
        counts = {}
        for (text,) in database.execute("SELECT text FROM activities"):
            counts[text] = counts.get(text, 0) + 1
        return counts
    finally:
        database.close()


def all_is_there(bench, case, acknowledged, perhaps=()):
    """Every acknowledged text is there once, others at most once; the archive is whole and goes on.

    `perhaps` are texts whose writer was killed before it could answer.
    """
    database_is_sound(case)
    counts = activities(case)
    lost = [text for text in acknowledged if counts.get(text, 0) != 1]
    require(not lost, f"{len(lost)} acknowledged entries are not there once, such as {lost[:3]}")
    twice = [text for text in perhaps if counts.get(text, 0) > 1]
    require(not twice, f"{len(twice)} entries are there twice, such as {twice[:3]}")
    observer = Observer(bench.program)
    exported = observer.ask(case, "export").told.splitlines()
    texts = {it["text"] for it in map(json.loads, exported) if it["type"] == "activity"}
    missing = set(acknowledged) - texts
    require(not missing, f"the export lacks {len(missing)} acknowledged entries")
    observer.next_write(case)
    observer.doctor(case)


def honest(outcome, what):
    """Done, or refused with a sentence; never a crash, never a hang."""
    sentence = outcome.talk.strip()
    require(
        outcome.status == 0 or outcome.status in HONEST,
        f"{what} ended with {outcome.status}: {sentence[-400:]}",
    )
    # Doctor's findings are its sentences.
    if outcome.status != 0 and not outcome.json:
        require(is_sentence(sentence), f"{what}: no sentence for a person: {sentence[-400:]!r}")
    return outcome.status == 0


class Server:
    """`arkived serve` on a case's archive."""

    def __init__(self, bench, case, settings=None, before=()):
        self.process = subprocess.Popen(
            [*before, bench.program.binary, "serve", "--port", "0", "--json"],
            env={**bench.program.environment(case, settings), "ARKIVED_MODEL": "/nonexistent"},
            cwd=case,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        line = first_line(self.process)
        require(line.startswith(b"{"), f"it does not serve: {line!r}")
        said = json.loads(line)
        self.address = urllib.parse.urlsplit(said["url"])
        self.token = said["token"]

    def ask(self, method, path, body=None):
        """The status and the document of an answer; None where none came."""
        connection = http.client.HTTPConnection(
            self.address.hostname, self.address.port, timeout=PATIENCE
        )
        headers = {"Authorization": f"Bearer {self.token}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            response = connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException):
            return None, None
        finally:
            connection.close()
        try:
            return response.status, json.loads(text)
        except ValueError:
            return response.status, None

    def add(self, text):
        """Whether an entry was acknowledged, and what was said where it was not."""
        status, answer = self.ask("POST", "/api/v1/activities", {"text": text})
        is_done = status in (200, 201)
        return is_done, "" if is_done else (answer or {}).get("detail", "")

    def stop(self):
        """Ends it as the system does; returns its exit code and what it said."""
        self.process.send_signal(signal.SIGTERM)
        return self.end()

    def kill(self):
        self.process.kill()
        return self.end()

    def end(self):
        try:
            _, talk = self.process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            _, talk = self.process.communicate()
            require(False, "the server does not end")
        return self.process.returncode, talk.decode(errors="replace")
