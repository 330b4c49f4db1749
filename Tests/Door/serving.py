"""A server on an archive of its own, for the programs beside this one."""

import json
import os
import signal
import subprocess
import urllib.parse


def environment(home):
    return {
        "ARKIVED_HOME": os.path.join(home, "archive"),
        "ARKIVED_NOW": "2026-03-14T20:00:00Z",
        "ARKIVED_TIME_ZONE": "Europe/Berlin",
        "ARKIVED_MODEL": os.path.join(home, "none"),
        "HOME": home,
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
    }


class Server:
    """`arkived serve`; `before` is a command that runs it, `talk` a file for what it says."""

    def __init__(self, binary, home, talk, before=()):
        with open(talk, "wb") as file:
            self.process = subprocess.Popen(
                [*before, binary, "serve", "--port", "0", "--json"],
                env=environment(home), cwd=home,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=file,
            )  # fmt: skip
        said = json.loads(self.process.stdout.readline())
        self.url = said["url"].rstrip("/")
        self.port = urllib.parse.urlsplit(said["url"]).port
        self.token = said["token"]
        self.login = said["login"]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=300)
        return self.process.returncode
