"""The servers that promod is compared with."""
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time

from support.claims import Failed
from support.wire import PATIENCE, connected, read_line
from .load import Pair


class Server:
    """A server on a Unix socket, from its start to its end."""

    name = None

    def __init__(self, bench):
        self.bench = bench
        self.environment = {"PATH": os.environ["PATH"], "HOME": bench.directory, "LANG": "C"}
        self.socket = bench.file(f"{self.name}.sock")
        self.process = None

    def command(self):
        raise NotImplementedError

    def start(self):
        """Returns when it accepts connections."""
        with open(self.bench.file(f"{self.name}.log"), "wb") as log:
            self.process = subprocess.Popen(
                self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.bench.directory, env=self.environment)
        end = time.monotonic() + PATIENCE
        while not self._accepts():
            if self.process.poll() is not None or time.monotonic() > end:
                with open(self.bench.file(f"{self.name}.log"), encoding="utf-8", errors="replace") as log:
                    raise Failed(f"{self.name} does not start: {log.read()[-2000:]}")
            time.sleep(0.005)

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait()
            self.process = None
        if os.path.exists(self.socket):
            os.unlink(self.socket)

    @property
    def is_installed(self):
        return shutil.which(self.command()[0]) is not None

    @property
    def pid(self):
        return self.process.pid

    def ask(self, request):
        """The reply to one request on a connection of its own, up to a line feed."""
        with self.connect() as connection:
            connection.sendall(request)
            return read_line(connection)

    def connect(self):
        return connected(self.socket)

    def _accepts(self):
        try:
            self.connect().close()
            return True
        except OSError:
            return False


class Redis(Server):
    """Redis, without persistence."""

    name = "redis"

    def command(self):
        return ["redis-server", "--port", "0", "--unixsocket", self.socket, "--save", "", "--maxclients", "19000"]

    def pairs(self, pairs):
        """Stores the replies of these pairs, and returns pairs that GET the same bytes."""
        for number, pair in enumerate(pairs):
            if self.ask(_resp(b"SET", b"%d" % number, pair.reply)) != b"+OK\r\n":
                raise Failed("redis does not store a reply")
        return [
            Pair(_resp(b"GET", b"%d" % number), b"$%d\r\n%s\r\n" % (len(pair.reply), pair.reply))
            for number, pair in enumerate(pairs)
        ]


def _resp(*words):
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)


class Limit(Server):
    """The C server with one fixed reply."""

    name = "limit"

    def __init__(self, bench, pairs):
        super().__init__(bench)
        self.program = bench.compiled("limit.c")
        # A reply of median length.
        self.reply = sorted((pair.reply for pair in pairs), key=len)[len(pairs) // 2]

    def command(self):
        return [self.program, self.socket, self.bench.file("reply", self.reply)]

    def pairs(self, pairs):
        return [Pair(pair.request, self.reply) for pair in pairs]


class Watchman(Server):
    """Watchman, which also speaks line-delimited JSON; its simplest request asks for the version."""

    name = "watchman"
    asks = "watchman's version"

    def command(self):
        return ["watchman", "--foreground", "--no-save-state", "--logfile", self.bench.file("watchman.log"),
                "--sockname", self.socket]

    def pairs(self):
        request = b'["version"]\n'
        reply = self.ask(request)
        if "version" not in json.loads(reply):
            raise Failed(f"watchman answered {reply}")
        return [Pair(request, reply)]


class Mpv(Server):
    """An idle mpv, which also speaks line-delimited JSON, with ids."""

    name = "mpv"
    asks = "mpv's get_property"

    def command(self):
        return ["mpv", "--no-config", "--idle", "--vo=null", "--ao=null", f"--input-ipc-server={self.socket}"]

    def start(self):
        super().start()
        # When its start is complete, it sends an event to every connection, unless that was before this one.
        with self.connect() as connection, contextlib.suppress(TimeoutError):
            connection.settimeout(1)
            connection.recv(65536)

    def pairs(self):
        pairs = []
        for number in range(1, 100):
            request = b'{"command":["get_property","pid"],"request_id":%d}\n' % number
            reply = self.ask(request)
            if json.loads(reply) != {"data": self.pid, "request_id": number, "error": "success"}:
                raise Failed(f"mpv answered {reply}")
            pairs.append(Pair(request, reply))
        return pairs


def version(command):
    """The version that a program prints."""
    try:
        said = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    match = re.search(r"\d+\.\d+[.\d]*", said.stdout + said.stderr)
    return match and match[0]
