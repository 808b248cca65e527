"""The servers that promod is compared with, each in the run's directory."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time

from load import Pair
from wire import PATIENCE, Failed


class Server:
    """A program that answers on a Unix socket, from its start to its end."""

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
        """The line that answers one request on a connection of its own."""
        with self.connect() as connection:
            connection.sendall(request)
            reply = b""
            while not reply.endswith(b"\n"):
                piece = connection.recv(1 << 20)
                if not piece:
                    raise Failed(f"{self.name} does not answer {request[:100]}")
                reply += piece
            return reply

    def connect(self):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(PATIENCE)
        connection.connect(self.socket)
        return connection

    def _accepts(self):
        try:
            self.connect().close()
            return True
        except OSError:
            return False


class Redis(Server):
    """Redis, which keeps everything in memory."""

    name = "redis"

    def command(self):
        return ["redis-server", "--port", "0", "--unixsocket", self.socket, "--save", "", "--maxclients", "19000"]

    def pairs(self, pairs):
        """Stores the replies of these pairs, and returns pairs that get the very same bytes from here."""
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
    """The server in C with one reply for everything."""

    name = "limit"

    def __init__(self, bench, pairs):
        super().__init__(bench)
        self.program = bench.compiled("limit.c")
        # The one whose length is in the middle.
        self.reply = sorted((pair.reply for pair in pairs), key=len)[len(pairs) // 2]

    def command(self):
        return [self.program, self.socket, self.bench.file("reply", self.reply)]

    def pairs(self, pairs):
        return [Pair(pair.request, self.reply) for pair in pairs]


class Watchman(Server):
    """Watchman, which answers lines of JSON too; its version is the least that it can be asked for."""

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
    """mpv, idle; it answers lines of JSON too, with ids."""

    name = "mpv"
    asks = "mpv's get_property"

    def command(self):
        return ["mpv", "--no-config", "--idle", "--vo=null", "--ao=null", f"--input-ipc-server={self.socket}"]

    def pairs(self):
        pairs = []
        for number in range(1, 100):
            request = b'{"command":["get_property","pid"],"request_id":%d}\n' % number
            reply = self.ask(request)
            if json.loads(reply) != {"data": self.pid, "request_id": number, "error": "success"}:
                raise Failed(f"mpv answered {reply}")
            pairs.append(Pair(request, reply))
        return pairs


class Nginx:
    """An HTTPS origin on a port of its own, with a certificate that its clients are told to trust."""

    def __init__(self, bench):
        self.bench = bench
        self.certificate = bench.file("certificate.pem")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"https://127.0.0.1:{self.port}/catalog.json"
        self.published = 0
        self.process = None

    def start(self):
        key = self.bench.file("key.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", self.certificate],
            check=True, capture_output=True)
        os.makedirs(self.bench.file("www"), exist_ok=True)
        configuration = self.bench.file("nginx.conf", self._configuration(key).encode())
        self.process = subprocess.Popen(["nginx", "-p", self.bench.directory, "-c", configuration], stderr=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE
        while socket.socket().connect_ex(("127.0.0.1", self.port)) != 0:
            if self.process.poll() is not None or time.monotonic() > end:
                raise Failed("nginx does not start")
            time.sleep(0.01)

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait()

    def publish(self, content):
        """Serves a catalog at the URL, in one step and with an ETag of its own."""
        path = self.bench.file("www/next", content)
        # nginx makes the ETag of the size and of the time in seconds.
        self.published += 1
        os.utime(path, (self.published, self.published))
        os.rename(path, self.bench.file("www/catalog.json"))

    def _configuration(self, key):
        scratch = "".join(f"{kind}_temp_path {self.bench.file(kind)};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        return f"""
            daemon off; worker_processes 1; pid {self.bench.file("nginx.pid")}; error_log {self.bench.file("error.log")};
            {"user root;" if os.getuid() == 0 else ""}
            events {{ worker_connections 128; }}
            http {{
                access_log off; {scratch}
                server {{
                    listen 127.0.0.1:{self.port} ssl;
                    ssl_certificate {self.certificate}; ssl_certificate_key {key};
                    root {self.bench.file("www")};
                }}
            }}
        """


def version(command):
    """The first number with a dot that a program says about itself."""
    try:
        said = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    match = re.search(r"\d+\.\d+[.\d]*", said.stdout + said.stderr)
    return match and match[0]
