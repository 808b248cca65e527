"""Debian's proxies, in front of an origin."""
import contextlib
import itertools
import shutil
import socket
import subprocess
import tempfile
import time

from support.check import Check
from support.claims import Failed, problem
from support.wire import PATIENCE
from .fetchers import Curl, Promod
from .ground import BEHIND

# The network is this process's own, so these ports are free.
_ports = itertools.count(3000)


class Packaged:
    """A proxy from a package, from the beginning to the end of a block."""

    def __init__(self):
        self.port = next(_ports)
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        self.directory = tempfile.mkdtemp(prefix="promod-test-", dir="/tmp")
        with open(f"{self.directory}/configuration", "w", encoding="ascii") as file:
            file.write(self.configuration)
        with open(f"{self.directory}/output", "wb") as output:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=self.directory)
        end = time.monotonic() + PATIENCE
        while socket.socket().connect_ex(("127.0.0.1", self.port)) != 0:
            if self.process.poll() is not None or time.monotonic() > end:
                with open(f"{self.directory}/output", encoding="utf-8", errors="replace") as output:
                    reason = output.read()
                self.__exit__()
                raise Failed(f"{type(self).__name__} does not start: {reason}")
            time.sleep(0.01)
        return self

    def __exit__(self, *failure):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


class Tinyproxy(Packaged):
    """tinyproxy, which demands a user and a password if there are any."""

    def __init__(self, *credentials):
        super().__init__()
        self.credentials = credentials

    @property
    def command(self):
        return ["tinyproxy", "-d", "-c", f"{self.directory}/configuration"]

    @property
    def configuration(self):
        lines = [f"Port {self.port}", "Listen 127.0.0.1", "MaxClients 100", f'LogFile "{self.directory}/log"', "LogLevel Info"]
        return "\n".join([*lines, *([f"BasicAuth {' '.join(self.credentials)}"] if self.credentials else []), ""])

    @property
    def tunnels(self):
        """How many it has made."""
        with open(f"{self.directory}/log", encoding="utf-8", errors="replace") as file:
            return file.read().count("Established connection to host")


class Squid(Packaged):
    """squid, which knows a name that nobody else does, and refuses another."""

    # It does not run as root, which this process is in its own namespace.
    @property
    def command(self):
        user = ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--"]
        # Its name is also that of its shared memory.
        return [*user, "squid", "-N", "-n", f"proxy{self.port}", "-f", f"{self.directory}/configuration"]

    @property
    def configuration(self):
        with open(f"{self.directory}/hosts", "w", encoding="ascii") as file:
            file.write(f"198.51.100.7 refused.test {BEHIND}\n")
        return f"""
            http_port 127.0.0.1:{self.port}
            acl refused dstdomain refused.test
            http_access deny refused
            http_access allow all
            hosts_file {self.directory}/hosts
            pid_filename none
            access_log none
            cache_log {self.directory}/cache.log
            cache deny all
            netdb_filename none
            coredump_dir {self.directory}
            visible_hostname localhost
            pinger_enable off
        """


def fetches(place, code="", says="", make=Packaged, credentials=""):
    """A check body: one fetch by a proxy, and what comes of it."""
    def body(binary, kind=Promod):
        with contextlib.ExitStack() as stack:
            proxy = stack.enter_context(make())
            written = f"http://{credentials}127.0.0.1:{proxy.port}"
            found, message = stack.enter_context(kind(binary, {"https_proxy": written})).fetch(f"https://{place}/catalog.json")
            is_used = make is Squid or proxy.tunnels or code
        names_it = not code or f"127.0.0.1:{proxy.port}" in message or kind is Curl
        return f"{found}: {message}" if found else "updated", [
            *problem(found != code, f"the code is {found!r}, not {code!r}: {message}"),
            *problem(says not in message, f"the message does not say {says!r}: {message}"),
            *problem(not is_used, "the proxy is not used"),
            *problem(not names_it, f"the message does not name the proxy: {message}"),
        ]
    return body


def locked():
    return Tinyproxy("ana", "hunter2")


BODIES = [
    ("tinyproxy", "tinyproxy leads to the origin", fetches("catalog.test", make=Tinyproxy)),
    ("tinyproxy-password", "tinyproxy is told user and password, percent-decoded",
     fetches("catalog.test", make=locked, credentials="%61na:%68unter2@")),
    ("tinyproxy-no-password", "without a password, tinyproxy's 407 is a failure of the proxy",
     fetches("catalog.test", "proxy", "407", locked)),
    ("tinyproxy-wrong-password", "with a wrong password, tinyproxy's 401 is a failure of the proxy",
     fetches("catalog.test", "proxy", "refuses to connect to", locked, "ana:wrong@")),
    ("tinyproxy-closed-port", "an origin that tinyproxy cannot reach is a failure of the proxy",
     fetches("catalog.test:9", "proxy", "refuses to connect to", Tinyproxy)),
    ("tinyproxy-unknown-name", "an origin that tinyproxy cannot find is a failure of the proxy",
     fetches("unknown.test", "proxy", "refuses to connect to", Tinyproxy)),
    ("squid", "squid leads to an origin whose name only squid can resolve", fetches(BEHIND, make=Squid)),
    ("squid-refuses", "a host that squid refuses is a failure of the proxy", fetches("refused.test", "proxy", "refuses to connect to", Squid)),
]
CHECKS = [Check(name, claim, body) for name, claim, body in BODIES]
CURL_CHECKS = [Check(name, claim, lambda binary, body=body: body(binary, Curl)) for name, claim, body in BODIES]
