"""Connections by the thousand that say nothing, and requests whose headers lie about where they go."""

import contextlib
import os
import resource
import socket
import threading
import time

from absence import Life
from commands import require_none
from verdict import require

DAY = "/api/v1/days/2026-03-14"
# Beside other work it takes what it takes, and how long is a benchmark's (Benchmarks/Crowd): whoever is shut out
# waits a minute.
LIMIT = 30.0


def raise_limit(count):
    """Lets this program, and what it starts, hold so many connections; returns how many it may."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + 200
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    return min(count, wanted - 100)


def connected(server, stack):
    link = socket.create_connection((server.address.hostname, server.address.port), timeout=5)
    stack.enter_context(link)
    return link


def answer(server, text, timeout=10):
    """The status of the answer to a raw request; None where the connection ended without one."""
    try:
        with socket.create_connection((server.address.hostname, server.address.port), timeout=timeout) as it:
            it.sendall(text)
            it.settimeout(timeout)
            line = b""
            while b"\r\n" not in line:
                piece = it.recv(4096)
                if not piece:
                    return None
                line += piece
    except OSError:
        return None
    words = line.split(b" ", 2)
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else None


def request(server, *headers, method="GET", target=DAY, version="HTTP/1.1", body=b""):
    """A request of the owner, with just these headers besides the token."""
    lines = [f"{method} {target} {version}", *headers, f"Authorization: Bearer {server.token}"]
    lines += ["Connection: close"]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def owner_waits(server):
    """How long the owner waits for a day, in seconds, and the status."""
    started = time.monotonic()
    status = answer(server, request(server, host(server)), timeout=20)
    return time.monotonic() - started, status


def host(server):
    return f"Host: {server.address.netloc}"


def silent(server):
    """Says nothing at all."""
    return b""


def half_a_header(server):
    """Begins a request and never ends its headers."""
    return f"GET {DAY} HTTP/1.1\r\n{host(server)}\r\nX-Slow: ".encode()


def half_a_body(server):
    """Announces a body as the owner, and sends a byte of it."""
    lines = (
        "POST /api/v1/activities HTTP/1.1", host(server), f"Authorization: Bearer {server.token}",
        "Content-Type: application/json", "Content-Length: 5000",
    )  # fmt: skip
    return "\r\n".join(lines).encode() + b"\r\n\r\n{"


def stranger_body(server):
    """The same without a token."""
    lines = (
        "POST /api/v1/activities HTTP/1.1", host(server), "Content-Type: application/json",
        "Content-Length: 5000",
    )  # fmt: skip
    return "\r\n".join(lines).encode() + b"\r\n\r\n{"


FLOODS = (silent, half_a_header, stranger_body, half_a_body)


def floods(bench):
    """A thousand connections of each kind: the owner is answered within two seconds."""
    count = raise_limit(1_000)
    problems, told = [], []
    with bench.workshop.case("floods") as case, Life(bench, case, backups=0) as life:
        life.serve(2)
        server = life.server
        calm, status = owner_waits(server)
        require(status == 200, f"without a flood the owner is answered {status}")
        told.append(f"calm {calm * 1000:.0f} ms")
        for flood in FLOODS:
            with contextlib.ExitStack() as stack:
                opened = 0
                for _ in range(count):
                    try:
                        link = connected(server, stack)
                        link.sendall(flood(server))
                        opened += 1
                    except OSError:
                        # Refused or closed again: also a way to bear it.
                        continue
                waits, statuses = [], set()
                for _ in range(bench.amount(3, 30)):
                    wait, status = owner_waits(server)
                    waits.append(wait)
                    statuses.add(status)
                    if wait > 10:
                        break
                started = time.monotonic()
                life.attempts += 1
                text = f"in the midst of {flood.__name__}"
                is_done, said = server.add(text)
                took = time.monotonic() - started
                if is_done:
                    life.acknowledged.append(text)
                line = (
                    f"{opened} {flood.__name__}: day {max(waits) * 1000:.0f} ms, entry {took * 1000:.0f} ms, "
                    f"{open_files(server)} files open"
                )
                told.append(line)
                if max(*waits, took) > LIMIT or statuses != {200} or not is_done:
                    problems.append(f"{line}; answered {sorted(map(str, statuses))}, {said!r}")
        time.sleep(1)
        wait, status = owner_waits(server)
        told.append(f"afterwards {wait * 1000:.0f} ms, {open_files(server)} files open")
        if status != 200 or wait > LIMIT:
            problems.append(f"after the floods the owner is answered {status} in {wait:.1f} s")
        life.stop()
        lost = life.lost()
        told.append(f"{len(life.acknowledged)} acknowledged, lost = {len(lost)}")
        require_none(problems, "; ".join(told))
        require(not lost, f"{len(lost)} acknowledged entries lost")
        return "; ".join(told)


def a_storm_of_requests(bench):
    """Many strangers who ask all the time: the owner is answered within two seconds all the same."""
    seconds = bench.amount(2, 30)
    with bench.workshop.case("strangers") as case, Life(bench, case, backups=0) as life:
        life.serve(1)
        server = life.server
        asked, is_over = [0] * 16, threading.Event()
        text = f"GET {DAY} HTTP/1.1\r\n{host(server)}\r\nConnection: close\r\n\r\n".encode()

        def stranger(number):
            while not is_over.is_set():
                asked[number] += answer(server, text) is not None

        threads = [threading.Thread(target=stranger, args=(it,)) for it in range(len(asked))]
        for thread in threads:
            thread.start()
        waits, statuses, end = [], set(), time.monotonic() + seconds
        while time.monotonic() < end:
            wait, status = owner_waits(server)
            waits.append(wait)
            statuses.add(status)
        is_over.set()
        for thread in threads:
            thread.join()
        line = f"{sum(asked)} requests of strangers in {seconds} s, the owner waits {max(waits) * 1000:.0f} ms at most"
        require(max(waits) <= LIMIT and statuses == {200}, f"{line}, answered {statuses}")
        return line


def open_files(server):
    """How many files and connections the server has open."""
    try:
        return len(os.listdir(f"/proc/{server.process.pid}/fd"))
    except OSError:
        return -1


def headers(bench):
    """Requests that name another host than this server, or two, or none: refused, even to the owner."""
    with bench.workshop.case("headers") as case, Life(bench, case, backups=0) as life:
        life.serve(1)
        server = life.server
        own, port = host(server), server.address.port
        entry = b'{"text": "written by a trick"}'
        tricks = {
            "two Host headers": request(server, own, "Host: evil.example"),
            "two Host headers, the own last": request(server, "Host: evil.example", own),
            "the own Host twice": request(server, own, own),
            "Host of another": request(server, "Host: evil.example"),
            "Host with a user": request(server, f"Host: x@{server.address.netloc}"),
            "Host with two ports": request(server, own + ":1"),
            "Host with another port": request(server, "Host: 127.0.0.1:1"),
            "Host with no port": request(server, "Host: 127.0.0.1"),
            "empty Host": request(server, "Host:"),
            "Host with a list": request(server, own + ", evil.example"),
            "Host folded": request(server, own, " evil.example"),
            "Host of 127.1": request(server, f"Host: 127.1:{port}"),
            "Host of 0.0.0.0": request(server, f"Host: 0.0.0.0:{port}"),
            "Host localhost": request(server, f"Host: localhost:{port}"),
            "Host localhost, no port": request(server, "Host: localhost"),
            "Host localhost with a dot": request(server, f"Host: localhost.:{port}"),
            "space before the colon": request(server, own.replace("Host:", "Host :")),
            "no Host": request(server),
            "no Host, HTTP/1.0": request(server, version="HTTP/1.0"),
            "absolute form, another authority": request(server, own, target=f"http://evil.example{DAY}"),
            "absolute form, the own authority, another Host": request(
                server, "Host: evil.example", target=f"http://{server.address.netloc}{DAY}"
            ),
            "absolute form with a user": request(
                server, own, target=f"http://x@{server.address.netloc}{DAY}"
            ),
            "absolute form, https": request(server, own, target=f"https://{server.address.netloc}{DAY}"),
            "network path": request(server, own, target=f"//evil.example{DAY}"),
            "foreign Origin, GET": request(server, own, "Origin: https://evil.example"),
            "foreign Origin, POST": request(
                server, own, "Origin: https://evil.example", method="POST",
                target="/api/v1/activities", body=entry,
            ),
            "Origin null, POST": request(
                server, own, "Origin: null", method="POST", target="/api/v1/activities", body=entry
            ),
            "two Origins, POST": request(
                server, own, f"Origin: http://{server.address.netloc}", "Origin: https://evil.example",
                method="POST", target="/api/v1/activities", body=entry,
            ),
            "X-Forwarded-Host beside another Host": request(
                server, "Host: evil.example", f"X-Forwarded-Host: {server.address.netloc}"
            ),
            "two lengths": request(
                server, own, "Content-Length: 0", method="POST", target="/api/v1/activities", body=entry
            ),
            "length and chunks": request(
                server, own, "Transfer-Encoding: chunked", method="POST", target="/api/v1/activities",
                body=entry,
            ),
            "1 MB of headers": request(server, own, *(f"X-{it}: {'x' * 1000}" for it in range(1000))),
            "20,000 headers": request(server, own, *(f"X-{it}: x" for it in range(20_000))),
        }  # fmt: skip
        problems = []
        for name, text in tricks.items():
            status = answer(server, text)
            # A connection that is closed without an answer is refused too.
            if status is not None and not 400 <= status < 500:
                problems.append(f"{name}: {status}")
            wait, fine = owner_waits(server)
            if fine != 200 or wait > LIMIT:
                problems.append(f"after “{name}” the owner is answered {fine} in {wait:.1f} s")
        good = answer(server, request(server, own, f"Origin: http://{server.address.netloc}"))
        if good != 200:
            problems.append(f"the own Origin is answered with {good}")
        life.stop()
        lost = life.lost()
        counts = bench.program.run(case, "export").told.count("written by a trick")
        if counts:
            problems.append(f"{counts} entries were written by tricks")
        require_none(problems, f"{len(tricks)} tricks")
        require(not lost, f"{len(lost)} acknowledged entries lost")
        return f"{len(tricks)} tricks refused"
