"""Starts `arkived serve` on a sample life, loads Today, a search and an answer, and judges them.

Usage: check_server.py PATH-OF-ARKIVED. Exits 0 when all of them are right.
"""

import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.parse


def main(arkived):
    home = tempfile.mkdtemp(prefix="arkived-check-")
    environment = dict(
        os.environ,
        ARKIVED_HOME=home,
        ARKIVED_TIME_ZONE="Europe/Lisbon",
        ARKIVED_NOW="2026-03-14T20:00:00Z",
    )
    server = None
    try:
        subprocess.run([arkived, "sample"], env=environment, check=True, stdout=subprocess.DEVNULL)
        server = subprocess.Popen(
            [arkived, "serve", "--port", "0", "--json"], env=environment, stdout=subprocess.PIPE
        )
        first = json.loads(server.stdout.readline())
        address = urllib.parse.urlsplit(first["url"])
        failures = 0
        for name, verdict in checks(address.netloc, first["token"], first["login"]):
            print(f"{'ok  ' if verdict else 'FAIL'} {name}")
            failures += not verdict
        return 1 if failures else 0
    finally:
        if server:
            server.terminate()
            server.wait(timeout=600)
        shutil.rmtree(home, ignore_errors=True)


def checks(host, token, login):
    def ask(method, path, headers=None, body=None):
        connection = http.client.HTTPConnection(host, timeout=600)
        connection.request(method, path, body=body, headers=headers or {})
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        return response, text

    bearer = {"Authorization": f"Bearer {token}"}
    path = urllib.parse.urlsplit(login).path
    response, _ = ask("GET", path)
    cookie = (response.getheader("Set-Cookie") or "").split(";")[0]
    yield "the login link signs in", response.status == 303 and cookie != ""
    response, _ = ask("GET", path)
    yield "the login link works once only", response.status == 403

    response, text = ask("GET", "/", {"Cookie": cookie})
    yield "Today is served", response.status == 200 and "14 March" in text
    response, _ = ask("GET", "/")
    yield "Today is closed to others", response.status == 401

    response, text = ask("GET", "/api/v1/search?query=coffee&limit=5", bearer)
    results = json.loads(text)["results"] if response.status == 200 else []
    yield "a search finds entries", len(results) == 5
    response, text = ask("GET", "/search?query=coffee", {"Cookie": cookie})
    yield "the search page marks what it found", response.status == 200 and "<mark>" in text

    question = {"question": "what did I do with Alex last month?"}
    headers = dict(bearer, **{"Content-Type": "application/json"})
    response, text = ask("POST", "/api/v1/ask", headers, json.dumps(question))
    answer = json.loads(text) if response.status == 200 else {}
    yield "an answer cites its entries", answer.get("citationCount", 0) > 0 and all(
        citation["dayKey"].startswith("2026-02") for citation in answer["citations"]
    )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
