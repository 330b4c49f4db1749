#!/usr/bin/env python3
"""syncthing.py ARKIVED [ROUNDS]: lets two archives sync through a folder that two real Syncthing instances carry
between each other on this computer's loopback (Debian's `syncthing`), and prints how long an entry takes to arrive."""
import contextlib
import json
import os
import pathlib
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Instance:
    """A Syncthing with one folder, which talks to nobody but the other one."""

    def __init__(self, root, name):
        self.home, self.folder, self.port = root / f"{name}-home", root / f"{name}-folder", free_port()
        self.folder.mkdir()
        subprocess.run(["syncthing", "generate", f"--home={self.home}", "--no-default-folder"],
                       check=True, capture_output=True)
        told = subprocess.run(["syncthing", f"--home={self.home}", "--device-id"], check=True,
                              capture_output=True, text=True).stdout
        self.id = re.search(r"[A-Z2-7]{7}(-[A-Z2-7]{7}){7}", told)[0]

    def configure(self, other):
        (self.folder / ".stfolder").mkdir(exist_ok=True)
        (self.home / "config.xml").write_text(f"""<configuration version="35">
<folder id="arkived" label="arkived" path="{self.folder}" type="sendreceive" rescanIntervalS="10"
  fsWatcherEnabled="true" fsWatcherDelayS="1" ignorePerms="false" autoNormalize="true">
<device id="{self.id}"></device><device id="{other.id}"></device></folder>
<device id="{self.id}" name="own"><address>dynamic</address></device>
<device id="{other.id}" name="other"><address>tcp://127.0.0.1:{other.port}</address></device>
<gui enabled="false"></gui>
<options><listenAddress>tcp://127.0.0.1:{self.port}</listenAddress>
<globalAnnounceEnabled>false</globalAnnounceEnabled><localAnnounceEnabled>false</localAnnounceEnabled>
<relaysEnabled>false</relaysEnabled><natEnabled>false</natEnabled><urAccepted>-1</urAccepted>
<crashReportingEnabled>false</crashReportingEnabled><reconnectionIntervalS>1</reconnectionIntervalS>
<startBrowser>false</startBrowser><autoUpgradeIntervalH>0</autoUpgradeIntervalH></options></configuration>""")

    def start(self):
        return subprocess.Popen(["syncthing", f"--home={self.home}", "--no-browser", "--no-restart"],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                env={**os.environ, "STNOUPGRADE": "1", "STNORESTART": "1"})


class Archive:
    def __init__(self, program, root, name):
        self.program, self.name = program, name
        self.environment = {**os.environ, "ARKIVED_HOME": str(root / f"{name}-archive"),
                            "ARKIVED_MODEL": "/nonexistent", "HOME": str(root)}

    def run(self, *words):
        done = subprocess.run([self.program, *words], env=self.environment, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{self.name}: {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout

    def start(self, *words):
        return subprocess.Popen([self.program, *words], env=self.environment, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True)

    def texts(self):
        return {row[0] for row in json.loads(self.run("sql", "SELECT text FROM activities", "--json"))["rows"]}


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 64
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    with contextlib.ExitStack() as stack:
        root = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arkived-syncthing-")))
        one, two = Instance(root, "one"), Instance(root, "two")
        one.configure(two)
        two.configure(one)
        for instance in (one, two):
            process = instance.start()
            stack.callback(process.wait)
            stack.callback(process.terminate)
        desk, laptop = (Archive(sys.argv[1], root, name) for name in ("desk", "laptop"))
        desk.run("add", "written on the desk")
        laptop.run("add", "written on the laptop")
        desk.run("sync", "folder", str(one.folder), "--name", "desk")
        adding = desk.start("sync", "add-device", "--yes", "--json")
        code = json.loads(adding.stdout.readline())["code"]
        end = time.time() + 60
        while time.time() < end:
            joining = subprocess.run(
                [laptop.program, "sync", "join", str(two.folder), code, "--name", "laptop"],
                env=laptop.environment, capture_output=True, text=True)
            if joining.returncode == 0:
                break
            time.sleep(1)
        else:
            raise SystemExit(f"the laptop could not join: {joining.stderr.strip()}")
        adding.wait()
        for archive in (desk, laptop):
            server = archive.start("serve", "--port", "0", "--json")
            stack.callback(server.wait)
            stack.callback(server.terminate)
        time.sleep(5)
        times = []
        for number in range(rounds):
            source, target = ((desk, laptop), (laptop, desk))[number % 2]
            text = f"measured {uuid.uuid4()}"
            source.run("add", text)
            begin = time.time()
            while text not in target.texts():
                if time.time() - begin > 120:
                    raise SystemExit(f"“{text}” did not arrive within two minutes")
                time.sleep(0.1)
            times.append(time.time() - begin)
        if desk.texts() != laptop.texts() or len(desk.texts()) != rounds + 2:
            raise SystemExit("the archives differ")
        readable = [it for it in root.glob("*-folder/**/*") if it.is_file() and b"measured" in it.read_bytes()]
        if readable:
            raise SystemExit(f"{readable[0]} can be read")
        print(f"{rounds} entries arrived, after {statistics.median(times):.1f} s in the median, "
              f"{max(times):.1f} s at most; both archives are equal, nothing in the folder can be read")
    return 0


if __name__ == "__main__":
    sys.exit(main())
