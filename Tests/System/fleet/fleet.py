"""Some promods, Debian's nginx as their cache, configured by the example that ships with promod, and the origin behind it."""
import contextlib
import os
import re
import shlex
import signal
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

from support.catalog import small
from support.check import ROOT
from support.claims import Failed, expect
from support.clock import Clock
from support.daemon import Daemon
from support.scripted import ScriptedOrigin
from support.wire import comes

COUNT = 10
VALID, FORGOTTEN, MOMENT = 301, 11, 2  # seconds for which the cache keeps a catalog, a failure, and a reply to no-cache
with open(f"{ROOT}/packaging/nginx.conf", encoding="utf-8") as example:
    EXAMPLE = example.read()


class Publisher(ScriptedOrigin):
    """An origin that counts its requests, and can be slow, refuse, or send what confuses a cache."""

    address = "::"

    def __init__(self, directory):
        super().__init__(directory)
        self.good, self.is_open, self.version = self.context, False, 0
        self.recover()

    def recover(self):
        """Makes it a good origin again."""
        if not self.is_open:
            self.open()
        self.is_open = True
        self.script, self.context, self.status, self.delay, self.extra = None, self.good, "", 0, ""

    def close(self):
        if self.is_open:
            super().close()
        self.is_open = False

    def reply_to(self, request):
        self.requests.append(request)
        time.sleep(self.delay)
        if self.status:
            return f"{self.status}\r\nContent-Length: 6\r\n{self.extra}".encode(), b"Sorry\n"
        tag = f'"v{self.version}"'
        head = f"Content-Type: application/json\r\nETag: {tag}\r\n{self.extra}"
        if f"If-None-Match: {tag}" in request.decode():
            return f"304 Not Modified\r\n{head}".encode(), b""
        return f"200 OK\r\nContent-Length: {len(self.body)}\r\n{head}".encode(), self.body


class Fleet:
    """All of them, from the beginning to the end of a block."""

    def __init__(self, binary):
        self.daemons = [Daemon(binary) for _ in range(COUNT)]
        self.directory = self.daemons[0].directory
        self.origin = Publisher(self.directory)
        self.clock, self.offset = Clock(self.directory), 0
        with socket.create_server(("127.0.0.1", 0)) as front, socket.create_server(("127.0.0.1", 0)) as back:
            self.ports = [one.getsockname()[1] for one in (front, back)]
        self.url = f"https://localhost:{self.ports[0]}/catalog.json"

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            for daemon in self.daemons:
                stack.callback(daemon.stop)
                daemon.configure(catalog__url=self.url, catalog__ca_file=self.origin.certificate, retry__base="1h")
            stack.callback(self.origin.close)
            with open(f"{self.directory}/nginx.conf", "w", encoding="utf-8") as file:
                file.write(self._configuration())
            self.cache = subprocess.Popen(
                ["nginx", "-p", self.directory, "-c", file.name], env={**os.environ, **self.clock.variables}, stderr=subprocess.DEVNULL)
            stack.callback(self._stop)
            expect(comes(lambda: socket.socket().connect_ex(("127.0.0.1", self.ports[0])) == 0), f"nginx does not start: {self._errors}")
            self.pool = stack.enter_context(ThreadPoolExecutor(COUNT))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *failure):
        self._stack.close()

    def _stop(self):
        self.cache.send_signal(signal.SIGTERM)
        self.cache.wait()
        self.clock.forget(self.cache.pid)

    def start(self):
        """Starts all daemons at once, and returns what each lists when it has fetched, or failed to."""
        def start(daemon):
            daemon.start()
            return daemon.ask("list", wait=True)
        return list(self.pool.map(start, self.daemons))

    def publish(self):
        """Publishes another catalog, and returns it."""
        self.origin.version += 1
        edition = small(self.origin.version)
        self.origin.body = edition.bytes
        return edition

    def settle(self):
        """Publishes another catalog, which the cache and one daemon then have."""
        edition = self.publish()
        self.pass_time(VALID)
        self.refresh("updated", 1)
        self.asked()
        return edition

    def pass_time(self, seconds):
        """Sets the clock of nginx, and of nothing else, ahead."""
        self.offset += seconds
        self.clock.set(self.offset)

    def refresh(self, outcome=None, count=COUNT):
        """Refreshes so many daemons at once, each of which must come to this outcome if one is given."""
        results = list(self.pool.map(Daemon.refresh, self.daemons[:count]))
        if wrong := [result for result in results if outcome not in (None, result["outcome"])]:
            raise Failed(f"a refresh is answered {wrong[0]}, not {outcome}; {self._errors}")

    def statuses(self):
        """That of each response of the cache."""
        with open(f"{self.directory}/access.log", encoding="ascii") as file:
            return [line.strip() for line in file if line.endswith("\n")]

    def start_over(self, edition):
        """A daemon without a catalog gets this one."""
        self.daemons[0].ask("clear", force=True)
        # The fetch that follows the clear, or one that a pause after a failure would delay.
        self.daemons[0].refresh()
        expect(self.daemons[0].ask("list")["generation"] == edition.generation, "a cleared daemon does not get the last good catalog")

    def asked(self):
        """The heads of the requests that the origin has got since the last call, in lower case."""
        requests, self.origin.requests = self.origin.requests, []
        return [request.decode().lower() for request in requests]

    def expect_asked(self, count):
        expect(len(requests := self.asked()) == count, f"the origin was asked {len(requests)} times, not {count}: {requests}")

    def get(self, query="", method="GET", **headers):
        """The response to a request of a client that is not promod."""
        request = urllib.request.Request(
            self.url + query, method=method, headers={name.replace("_", "-"): value for name, value in headers.items()})
        try:
            response = urllib.request.urlopen(request, context=ssl.create_default_context(cafile=self.origin.certificate))
        except urllib.error.HTTPError as error:
            response = error
        response.content = response.read()
        return response

    def ask_origin(self):
        """Runs the command for publishers that the example has, and returns its exit code."""
        command, = re.findall("^# +(curl .*)$", EXAMPLE, re.MULTILINE)
        words = [self.url if word.startswith("https:") else word for word in shlex.split(command)]
        return subprocess.run(
            [*words, "--noproxy", "*", "--cacert", self.origin.certificate], stderr=subprocess.DEVNULL, check=False).returncode

    @property
    def _errors(self):
        with open(f"{self.directory}/error.log", encoding="utf-8") as file:
            return file.read()[-2000:]

    def _configuration(self):
        """The example, with other names, ports and paths, within a minimum of what Debian's nginx.conf has."""
        text = EXAMPLE
        for old, new in {
            "origin.example.com/": f"localhost:{self.origin.port}/", "listen 443": f"listen 127.0.0.1:{self.ports[0]}",
            "listen [::]:443 ssl;": "", "apps.example.com;": "localhost;", "127.0.0.1:8480": f"127.0.0.1:{self.ports[1]}",
            "/etc/letsencrypt/live/apps.example.com/fullchain.pem": self.origin.certificate,
            "/etc/letsencrypt/live/apps.example.com/privkey.pem": f"{self.directory}/key.pem",
            "/etc/ssl/certs/ca-certificates.crt": self.origin.certificate, "/var/cache/nginx-promod": f"{self.directory}/stored",
        }.items():
            expect(old in text, f"packaging/nginx.conf should have {old}")
            text = text.replace(old, new)
        # libfaketime reads its variables in each process.
        environment = "".join(f"env {name};" for name in self.clock.variables)
        scratch = "".join(f"{kind}_temp_path {self.directory}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        return f"""
            daemon off; {"user root;" if os.getuid() == 0 else ""} worker_processes auto; {environment}
            pid {self.directory}/nginx.pid; error_log {self.directory}/error.log; events {{ }}
            http {{
                log_format status $status; access_log {self.directory}/access.log status; {scratch}
                {text}
            }}
        """
