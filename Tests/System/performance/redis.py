"""Redis, with which promod is compared."""
import os
import signal
import subprocess

from support.claims import Failed, expect
from support.wire import comes, connected, read_line
from .load import Pair


class Redis:
    """Redis on a Unix socket, without persistence."""

    def __init__(self, bench):
        self.environment = {"PATH": os.environ["PATH"], "HOME": bench.directory, "LANG": "C"}
        self.socket = bench.file("redis.sock")
        self.command = ["redis-server", "--port", "0", "--unixsocket", self.socket, "--save", "", "--maxclients", "19000", "--dir", bench.directory]
        self.process = None

    def start(self):
        """Returns when it accepts connections."""
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=self.environment)
        expect(comes(self._accepts), "redis does not start")

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait()

    @property
    def pid(self):
        return self.process.pid

    def connect(self):
        return connected(self.socket)

    def pairs(self, pairs):
        """Stores the replies of these pairs, and returns pairs that GET the same bytes."""
        with self.connect() as connection:
            for number, pair in enumerate(pairs):
                connection.sendall(command(b"SET", b"%d" % number, pair.reply))
                if read_line(connection) != b"+OK\r\n":
                    raise Failed("redis does not store a reply")
        return [
            Pair(command(b"GET", b"%d" % number), b"$%d\r\n%s\r\n" % (len(pair.reply), pair.reply)) for number, pair in enumerate(pairs)]

    def _accepts(self):
        try:
            self.connect().close()
            return True
        except OSError:
            return False


def command(*words):
    """A command to Redis."""
    words = [word if isinstance(word, bytes) else str(word).encode() for word in words]
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)
