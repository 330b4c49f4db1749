#!/usr/bin/env python3
"""Installs what tests ask of PyPI, each tool by itself; silent when it is there.

Usage: fetch_test_tools.py NAME... (mcp: the official client of the Model Context Protocol;
schemathesis: a fuzzer of APIs; webdav: WsgiDAV, a server of folders). A tool goes into a virtual
environment at Tests/.cache/NAME, by pip with whatever index that is set up for. Exits 0 when all are
there, 69 when one cannot be had; the test that needs it then says so and is left out.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

CACHE = Path(__file__).resolve().parent.parent / "Tests" / ".cache"
# What pip installs, and what can be imported once it did.
TOOLS = {
    "mcp": ("mcp>=1.12,<2", "mcp.client.streamable_http"),
    "schemathesis": ("schemathesis==4.32.5", "schemathesis"),
    "webdav": ("WsgiDAV==4.4.0 cheroot==11.1.2", "cheroot.wsgi, wsgidav.wsgidav_app"),
}


def ran(*command: str) -> str | None:
    """Returns why a command failed; None when it did not."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = done.stdout.strip().splitlines()
    return None if done.returncode == 0 else (lines[-1] if lines else "no reason")


def fetch(name: str) -> bool:
    """Whether the tool is there in the end."""
    package, module = TOOLS[name]
    place = CACHE / name
    python = place / "bin" / "python"
    if python.exists() and ran(str(python), "-c", f"import {module}") is None:
        return True
    print(f"setup: installing {name} for its test", file=sys.stderr)
    shutil.rmtree(place, ignore_errors=True)
    problem = ran(sys.executable, "-m", "venv", str(place)) or ran(
        str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *package.split()
    )
    if problem:
        shutil.rmtree(place, ignore_errors=True)
        print(f"setup: the test with {name} will be skipped: {problem}", file=sys.stderr)
    return problem is None


def main() -> int:
    return 0 if all([fetch(name) for name in sys.argv[1:]]) else 69


if __name__ == "__main__":
    sys.exit(main())
