"""The door to the home network on this computer's loopback interface, and a phone's Chromium that
trusts it as a phone with its certificate does."""

import base64
import hashlib
import json
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request

from browser import chromium

ADDRESS = "127.0.0.1"


def free_port():
    with socket.socket() as probe:
        probe.bind((ADDRESS, 0))
        return probe.getsockname()[1]


def public_key_hash(port):
    """The hash of the public key of what listens on the port, as Chromium wants to be told it."""
    certificate = ssl.get_server_certificate((ADDRESS, port))
    key = subprocess.run(
        ["openssl", "x509", "-pubkey", "-noout"], input=certificate.encode(), check=True,
        capture_output=True).stdout
    der = subprocess.run(
        ["openssl", "pkey", "-pubin", "-outform", "der"], input=key, check=True,
        capture_output=True).stdout
    return base64.b64encode(hashlib.sha256(der).digest()).decode()


class Door:
    """The door of a server, open on a port of its own."""

    def __init__(self, server):
        self.server = server
        self.port = free_port()
        self.url = f"https://{ADDRESS}:{self.port}"
        self.pair()
        self.key = public_key_hash(self.port)

    def pair(self):
        """Opens the door where it is shut, and makes a code.

        Returns its link and the code alone.
        """
        answer = json.loads(self.server.run(
            "phone", "pair", "--address", ADDRESS, "--port", str(self.port), "--json"))
        assert answer["isAnswering"], answer
        return answer["url"], answer["code"]

    def phone(self, **options):
        """A phone's browser, to which the server's certificate is good."""
        more = (f"--ignore-certificate-errors-spki-list={self.key}",)
        return chromium(390, 844, more=more, **options)

    def wait_until_open(self):
        """Waits until the door answers, for what follows a start of the server."""
        end = time.monotonic() + 300
        while time.monotonic() < end:
            try:
                with socket.create_connection((ADDRESS, self.port), timeout=5):
                    return
            except OSError:
                time.sleep(0.02)
        raise TimeoutError("the door did not open")


def ask(url, context, headers=None):
    """The status and text of an answer over TLS; the certificate must be good by `context`."""
    request = urllib.request.Request(url, headers=headers or {})
    try:
        with urllib.request.urlopen(request, context=context) as answer:
            return answer.status, answer.read().decode(errors="replace")
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(errors="replace")
