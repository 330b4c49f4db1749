"""A Radicale of its own on the loopback address, with one calendar, asked by curl for comparison."""

from __future__ import annotations

import http.client
import shutil
import socket
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from bench import say
from calendar_data import Event, write_folder
from measure import Failed, Ran, run

PASSWORD = "pass word"
SPACES = 'xmlns:D="DAV:" xmlns:CS="http://calendarserver.org/ns/"'
STARTER = """
import os, sys, threading
threading.Thread(target=lambda: (os.read(0, 1), os._exit(0)), daemon=True).start()
from radicale.__main__ import run
sys.argv = ["radicale", "-C", sys.argv[1]]
run()
"""


class RadicaleServer:
    """Debian's Radicale; its files lie where flushing costs nothing. Leave its `with` and it ends."""

    def __init__(self, folder: Path, some: list[Event], cache: Path) -> None:
        """Starts it with some events; `cache` keeps what it has read of them for another time."""
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        self.items = folder / "store" / "collection-root" / "me" / "office"
        content = sha256("".join(event.text() for event in some).encode()).hexdigest()[:16]
        ready = cache / f"radicale-{content}"
        if ready.is_dir():
            shutil.copytree(ready, folder / "store")
        else:
            self.items.mkdir(parents=True)
            (self.items / ".Radicale.props").write_text('{"tag": "VCALENDAR"}')
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        (folder / "users").write_text(f"me:{PASSWORD}\n")
        self.password_file = folder / "password"
        self.password_file.write_text(PASSWORD + "\n")
        (folder / "config").write_text(
            f"[server]\nhosts = 127.0.0.1:{self.port}\n"
            f"[auth]\ntype = htpasswd\nhtpasswd_filename = {folder}/users\n"
            "htpasswd_encryption = plain\ndelay = 0\n"
            f"[storage]\nfilesystem_folder = {folder}/store\n[logging]\nlevel = critical\n"
        )
        # It ends with its standard input, so that it never outlives the benchmark.
        self.process = subprocess.Popen(
            [sys.executable, "-c", STARTER, str(folder / "config")],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            self._wait()
            if not ready.is_dir():
                say(f"Radicale reads {len(some):,} events for the first time …")
                self.put(some)
                # Whole or not at all, should somebody end it now.
                part = ready.with_suffix(".part")
                shutil.rmtree(part, ignore_errors=True)
                shutil.copytree(folder / "store", part)
                part.rename(ready)
        except BaseException:
            self.stop()
            raise

    def _wait(self) -> None:
        deadline = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise Failed("Radicale does not start; is python3-radicale there?") from None
                time.sleep(0.05)

    def __enter__(self) -> RadicaleServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/me/office/"

    def put(self, some: Iterable[Event]) -> None:
        """Lays events into its store, and waits until it has read them: its own work is no part of
        what a client takes."""
        write_folder(self.items, some)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        token = b64encode(f"me:{PASSWORD}".encode()).decode()
        body = f"<D:propfind {SPACES}><D:prop><D:sync-token/></D:prop></D:propfind>"
        headers = {"Authorization": f"Basic {token}", "Depth": "0"}
        connection.request("PROPFIND", "/me/office/", body, headers)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        if answer.status != 207:
            raise Failed(f"Radicale answered {answer.status}")

    def curl(self, method: str, body: str) -> Ran:
        """A question asked by curl, as a whole process."""
        return run(
            ["curl", "--silent", "--fail", "--user", f"me:{PASSWORD}", "--request", method,
             "--header", "Depth: 0", "--data", body, self.address],
            {"PATH": "/usr/bin:/bin"}, keeps_output=True,
        )  # fmt: skip

    def tag(self) -> Ran:
        """Whether anything has changed, as the cheapest question there is."""
        return self.curl(
            "PROPFIND", f"<D:propfind {SPACES}><D:prop><CS:getctag/></D:prop></D:propfind>"
        )

    def changes(self, token: str = "") -> Ran:
        """What has changed since a token."""
        return self.curl(
            "REPORT",
            f"<D:sync-collection {SPACES}><D:sync-token>{token}</D:sync-token>"
            "<D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>",
        )

    def token(self) -> str:
        answer = self.curl(
            "PROPFIND", f"<D:propfind {SPACES}><D:prop><D:sync-token/></D:prop></D:propfind>"
        ).output
        return answer.split("sync-token>")[1].split("<")[0]
