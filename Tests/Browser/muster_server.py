"""The real server as the browser tests use it: `muster serve` on a free port, with a database of its own."""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

#: The maximum start time of a server, in seconds; the first start creates a database cluster.
START = 60
#: The maximum time of a drain, in seconds.
STOP = 30


def binary():
    """The built `muster`: MUSTER_BINARY, or the newest of what `swift build` has made here."""
    if chosen := os.environ.get("MUSTER_BINARY"):
        return Path(chosen)
    built = [path for path in (ROOT / ".build" / kind / "muster" for kind in ("debug", "release")) if path.exists()]
    if not built:
        raise FileNotFoundError("there is no built muster: run `swift build --product muster`, or set MUSTER_BINARY")
    return max(built, key=lambda path: path.stat().st_mtime)


class MusterServer:
    """One server that can be stopped, killed, and started again on the same port with the same data.

    `options` are more of what `muster serve` understands. Without `guesses` it guesses no position by an address. It serves
    the modules of `public` one by one, or the page that `scripts/bundle` has made in `bundle`.
    """

    def __init__(self, *options, guesses=True, public=ROOT / "public", bundle=None):
        self.binary = binary()
        self._options = options
        self._guesses = guesses
        self.public = public
        self.bundle = bundle
        self.folder = Path(tempfile.mkdtemp(prefix="muster-browser-"))
        # A server that is started as root runs PostgreSQL as another user, who needs access to this folder.
        self.folder.chmod(0o755)
        self.log = self.folder / "server.log"
        self.url = None
        self._listen = "127.0.0.1:0"
        self._process = None

    def _addresses(self):
        """A database of network addresses in which this machine lies in Helsinki."""
        path = self.folder / "addresses.mmdb"
        if not path.exists():
            subprocess.run([sys.executable, ROOT / "Tests/StandIns/addresses.py", path, "60.17", "24.94", "5", "127.0.0.0/8"], check=True)
            path.chmod(0o644)
        return path

    def start(self):
        """Starts it and waits until it serves."""
        command = [self.binary, "serve", "--listen", self._listen, "--data-dir", self.folder / "data",
                   "--public-dir", self.public, "--bundle-dir", self.bundle or "none", "--sql-dir", ROOT / "sql", "--places-dir", "none",
                   *(["--geoip", self._addresses()] if self._guesses else []), *self._options]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=log,
                                             env={"MUSTER_PASSWORD_COST": "minimal", **os.environ})
        line = self._first_line()
        if not line:
            self.kill()
            raise AssertionError(f"the server did not start; its log:\n{self.tail()}")
        self.url = json.loads(line)["listening"]
        self._listen = self.url.removeprefix("http://")

    def kill(self):
        """Ends it as a crash would."""
        self._process.kill()
        self._process.wait(STOP)
        self._process.stdout.close()

    def stop(self):
        """Drains it; gives its exit status."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        try:
            status = self._process.wait(STOP)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"the server did not drain in {STOP} s; its log:\n{self.tail()}") from None
        self._process.stdout.close()
        return status

    @property
    def _socket(self):
        """The folder of its database's socket: the fifth line of PostgreSQL's record."""
        return next(self.folder.rglob("postmaster.pid")).read_text(encoding="utf-8").splitlines()[4]

    def import_places(self, *files):
        """Imports places while it serves."""
        database = f"host={self._socket} user=muster dbname=muster"
        done = subprocess.run([self.binary, "import", "places", *files, "--database-url", database],
                              capture_output=True, text=True, timeout=START, check=False)
        assert done.returncode == 0, done.stderr

    def import_map(self, file):
        """Imports a part of the map while it serves, and lets the server look at it at once."""
        done = subprocess.run([self.binary, "import", "map", file, "--data-dir", self.folder / "data", "--sql-dir", ROOT / "sql"],
                              capture_output=True, text=True, timeout=START, check=False)
        assert done.returncode == 0, done.stderr
        self._process.send_signal(signal.SIGHUP)

    def sql(self, script, **values):
        """Runs SQL in the server's own database; `:name` stands for a value. Gives what it selects, a tuple a row."""
        command = ["psql", "-X", "-q", "-A", "-t", "-F", "\x1f", "-v", "ON_ERROR_STOP=1", "-h", self._socket, "-U", "muster", "-d", "muster"]
        for name, value in values.items():
            command += ["-v", f"{name}={value}"]
        done = subprocess.run(command, input=script, capture_output=True, text=True, timeout=STOP, check=False)
        assert done.returncode == 0, done.stderr
        return [tuple(line.split("\x1f")) for line in done.stdout.splitlines()]

    def tail(self, lines=40):
        """The end of its log."""
        return "\n".join(self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])

    def problems(self):
        """What it logged as an error."""
        entries = []
        for line in self.log.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("{"):
                entries.append(json.loads(line))
            elif line:
                entries.append({"level": "error", "message": line})
        return [entry for entry in entries if entry.get("level") == "error"]

    def remove(self):
        """Deletes its data."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _first_line(self):
        deadline = time.monotonic() + START
        while self._process.poll() is None and (left := deadline - time.monotonic()) > 0:
            ready, _, _ = select.select([self._process.stdout], [], [], min(left, 1))
            if ready:
                return self._process.stdout.readline().decode()
        return None
