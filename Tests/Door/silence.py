#!/usr/bin/env python3
"""Shows that nothing leaves the computer: arkived in a network namespace with nothing in it.

Usage: silence.py PATH-OF-ARKIVED. Runs commands and the server inside an empty network namespace, under
strace, which sees every socket and every address that is asked for. Prints a line for each check and
exits 1 when something wanted to leave, 69 where the system allows no namespace or strace is missing.
"""

import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from serving import Server, environment

COMMANDS = (
    ["add", "lunch with @Sam 12:30-13:15 #food", "--json"],
    ["note", "A quiet day.", "--mood", "4", "--json"],
    ["today", "--json"],
    ["search", "lunch", "--json"],
    ["ask", "what did I do with Sam last month?", "--json"],
    ["index", "--json"],
    ["insights", "habits", "--json"],
    ["import", "letters.jsonl", "--json"],
    ["export", "-o", "life.jsonl", "--json"],
    ["backup", "life.zip", "--unencrypted", "--json"],
    ["doctor", "--json"],
)
PAGES = (
    "/", "/day/2026-03-14", "/calendar", "/search?query=lunch", "/ask?question=when+was+lunch",
    "/goals", "/meetings", "/people", "/insights", "/settings", "/settings/backup",
    "/settings/storage", "/api/v1/search?query=lunch", "/api/v1/openapi.json",
)  # fmt: skip
# Families of sockets that stay on the computer by themselves.
HOME = ("AF_UNIX", "AF_NETLINK", "AF_LOCAL")
LOOPBACK = re.compile(r'inet_addr\("127\.|inet_pton\(AF_INET6, "::1"|sin_addr=INADDR_LOOPBACK')
TALK = re.compile(r"\b(connect|sendto|sendmsg|sendmmsg|bind)\(")


def main():
    binary = os.path.abspath(sys.argv[1])
    if not is_allowed():
        print("An empty network namespace or strace is not to be had here.", file=sys.stderr)
        return 69
    if os.environ.get("ARKIVED_SILENCE") != "inside":
        inside = {**os.environ, "ARKIVED_SILENCE": "inside"}
        return subprocess.run(
            ["unshare", "-rn", sys.executable, "-B", os.path.abspath(__file__), binary], env=inside
        ).returncode
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    home = tempfile.mkdtemp(prefix="arkived-silence-")
    try:
        return look(binary, home)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def is_allowed():
    if not all(shutil.which(it) for it in ("unshare", "strace", "ip")):
        return False
    return all(
        subprocess.run(command, capture_output=True).returncode == 0
        for command in (
            ["unshare", "-rn", "ip", "link", "set", "lo", "up"],
            ["strace", "-o", "/dev/null", "true"],
        )
    )


def look(binary, home):
    failures = 0

    def check(name, holds, told=""):
        nonlocal failures
        print(("ok    " if holds else "FAIL  ") + name + ("" if holds else f": {told}"), flush=True)
        failures += not holds

    with open(os.path.join(home, "letters.jsonl"), "w", encoding="utf-8") as file:
        for number in range(20):
            line = {"type": "activity", "dayKey": f"2026-02-{number + 1:02}", "text": "a letter"}
            file.write(json.dumps(line) + "\n")
    log = os.path.join(home, "calls")
    tracer = ["strace", "-f", "-qq", "-o", log, "-e", "trace=%network"]
    for words in COMMANDS:
        done = subprocess.run(
            [*tracer, binary, *words], env=environment(home), cwd=home, capture_output=True, text=True
        )
        check(f"{words[0]} works without a network", done.returncode == 0, done.stderr[-300:])
        check(f"{words[0]} asks for no address", not outward(log), outward(log))
    server = Server(binary, home, os.path.join(home, "talk"), before=[*tracer, "-D"])
    answers = {path: status(server, path) for path in PAGES}
    wrong = {path: code for path, code in answers.items() if code != 200}
    check(f"{len(PAGES)} pages are served without a network", not wrong, wrong)
    # With -D the program is the child that is told to stop, and strace ends with it.
    server.stop()
    with open(log, encoding="utf-8", errors="replace") as file:
        check("what it does with sockets is seen", "bind(" in file.read(), "no socket of its own")
    check("the server asks for no address", not outward(log), outward(log))
    sent = packets()
    check("no packet left by any interface but the loopback's", not sent, sent)
    return 1 if failures else 0


def status(server, path):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=600)
    connection.request("GET", path, headers={"Authorization": f"Bearer {server.token}"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def outward(log):
    """Calls that name another computer."""
    with open(log, encoding="utf-8", errors="replace") as file:
        lines = [line.strip() for line in file if TALK.search(line)]
    return [
        line
        for line in lines
        if "sa_family=" in line and not LOOPBACK.search(line)
        and not any(f"sa_family={family}" in line for family in HOME)
    ]  # fmt: skip


def packets():
    """Interfaces besides the loopback's that sent something, by the kernel's own count."""
    found = {}
    with open("/proc/net/dev", encoding="utf-8") as file:
        for line in file:
            name, _, numbers = line.partition(":")
            if numbers and name.strip() != "lo" and int(numbers.split()[9]) > 0:
                found[name.strip()] = int(numbers.split()[9])
    return found


if __name__ == "__main__":
    sys.exit(main())
