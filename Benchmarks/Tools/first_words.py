"""Measures how long after a model's first words the assistant's page has them.

Usage: first_words.py PATH-OF-ARKIVED. A scripted model on this computer notes when it speaks; the page's
own request notes when it hears. Exits 1 where the slowest of twenty is beyond the target.
"""

from __future__ import annotations

import http.client
import http.server
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

TARGET_MS = 50.0
ROUNDS = 20
spoken: list[float] = []


class Model(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        spoken.append(time.perf_counter())
        for words, finish in (("You ran", None), (" once [1].", "stop")):
            event = {"choices": [{"delta": {"content": words}, "finish_reason": finish}]}
            self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
            self.wfile.flush()

    def log_message(self, *_: object) -> None:
        pass


def measure(arkived: str) -> list[float]:
    model = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=model.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as home:
        environment = dict(os.environ, ARKIVED_HOME=home, ARKIVED_MODEL="/nonexistent")
        subprocess.run([arkived, "add", "ran along the canal"], env=environment, check=True,
                       capture_output=True)
        address = f"http://127.0.0.1:{model.server_port}/v1/chat/completions"
        Path(home, "assistant.json").write_text(json.dumps({"address": address, "model": "m"}))
        server = subprocess.Popen([arkived, "serve", "--port", "0", "--json"], env=environment,
                                  stdout=subprocess.PIPE)
        try:
            assert server.stdout is not None
            told = json.loads(server.stdout.readline())
            return [heard(told["url"], cookie, number)
                    for cookie in [sign_in(told["login"])] for number in range(ROUNDS)]
        finally:
            server.terminate()
            server.wait(timeout=30)
            model.shutdown()


def sign_in(link: str) -> str:
    parts = urllib.parse.urlparse(link)
    connection = http.client.HTTPConnection(parts.netloc)
    connection.request("GET", parts.path)
    answer = connection.getresponse()
    answer.read()
    return (answer.getheader("Set-Cookie") or "").split(";")[0]


def heard(url: str, cookie: str, number: int) -> float:
    """Milliseconds from the model's first words to the page's."""
    host = urllib.parse.urlparse(url).netloc
    connection = http.client.HTTPConnection(host)
    connection.request(
        "POST", "/threads", f"idempotencyKey=k{number}&question=How+often+did+I+run%3F",
        {"Cookie": cookie, "Origin": f"http://{host}", "Accept": "text/event-stream",
         "Content-Type": "application/x-www-form-urlencoded"})
    answer = connection.getresponse()
    answer.readline()
    at = time.perf_counter()
    answer.read()
    connection.close()
    return (at - spoken[-1]) * 1_000


def main() -> int:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    took = measure(sys.argv[1])
    slowest = max(took)
    print(f"first words: median {statistics.median(took):.1f} ms, slowest {slowest:.1f} ms, "
          f"target {TARGET_MS:.0f} ms")
    return 0 if slowest <= TARGET_MS else 1


if __name__ == "__main__":
    sys.exit(main())
