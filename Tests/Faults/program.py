"""Running the real program on an archive in a case's folder."""

import http.client
import json
import os
import select
import signal
import subprocess
import urllib.parse

NOW = "2026-03-14T20:00:00Z"
ZONE = "Europe/Berlin"
PATIENCE = 300


class Outcome:
    """How one act of the program ended.

    `told` is what the program had said by then: standard output, or the answer over HTTP.
    """

    def __init__(self, status, told, talk):
        self.status = status
        self.told = told
        self.talk = talk
        self.answered = None

    @property
    def killed(self):
        return self.status == -signal.SIGKILL

    @property
    def json(self):
        return document(self.told)


def document(text):
    """The one JSON document of a text; None when it is not whole."""
    try:
        return json.loads(text)
    except ValueError:
        return None


class Program:
    def __init__(self, binary):
        self.binary = binary

    def environment(self, case, settings=None):
        return {
            "ARKIVED_HOME": os.path.join(case, "archive"),
            "ARKIVED_NOW": NOW,
            "ARKIVED_TIME_ZONE": ZONE,
            "HOME": case,
            "NO_COLOR": "1",
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            **(settings or {}),
        }

    def run(self, case, *arguments, settings=None, before=()):
        """Runs a command to its end; `before` is a command that runs it."""
        process = subprocess.Popen(
            [*before, self.binary, *arguments],
            env=self.environment(case, settings),
            cwd=case,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        try:
            output, talk = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            output, talk = process.communicate()
            talk += f"\nThe program hung for {PATIENCE} s.".encode()
        return Outcome(
            process.returncode, output.decode(errors="replace"), talk.decode(errors="replace")
        )

    def post(self, case, path, body, key, settings=None):
        """Serves, posts once with an Idempotency-Key, and stops the server.

        The outcome's `told` is the answer's body, its `answered` the answer's status or None.
        """
        process = subprocess.Popen(
            [self.binary, "serve", "--port", "0", "--json"],
            env=self.environment(case, settings),
            cwd=case,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        answered, told, talk = None, b"", b""
        try:
            line = first_line(process)
            server = document(line)
            if server and "url" in server:
                answered, told = posted(server, path, body, key)
                process.terminate()
            else:
                # It does not serve, and so ends by itself.
                told = line
            rest, talk = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            rest, talk = process.communicate()
            talk += f"\nThe server hung for {PATIENCE} s.".encode()
        outcome = Outcome(
            process.returncode, told.decode(errors="replace"), talk.decode(errors="replace")
        )
        outcome.answered = answered
        return outcome


def first_line(process):
    """The server's first line; what there is of it when the server ends before."""
    ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
    return process.stdout.readline() if ready else b""


def posted(server, path, body, key):
    """The status and body of an answer; no status when it did not come whole.

    A body is a document, or a pair of bytes and their media type.
    """
    content, media = body if isinstance(body, tuple) else (json.dumps(body).encode(), None)
    address = urllib.parse.urlsplit(server["url"])
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=PATIENCE)
    try:
        connection.request(
            "POST",
            path,
            content,
            {
                "Authorization": f"Bearer {server['token']}",
                "Content-Type": media or "application/json",
                "Idempotency-Key": key,
            },
        )
        response = connection.getresponse()
        return response.status, response.read()
    except (OSError, http.client.HTTPException):
        return None, b""
    finally:
        connection.close()
