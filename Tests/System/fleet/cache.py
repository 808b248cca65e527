"""Debian's nginx as the cache in front of the origin, configured by the example that ships with promod."""
import http.client
import json
import os
import re
import shlex
import signal
import socket
import ssl
import subprocess
import time

from support.claims import Failed, expect
from support.clock import Clock
from support.network import FAR
from support.wire import PATIENCE

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
EXAMPLE = f"{ROOT}/packaging/nginx.conf"
NAME = "apps.test"
FIELDS = {
    "cache": "upstream_cache_status", "status": "status", "encoding": "sent_http_content_encoding", "tag": "sent_http_etag",
    "if_none_match": "http_if_none_match", "if_modified_since": "http_if_modified_since", "agent": "http_user_agent"}


class Cache:
    """nginx at the far end of the cable, where the origin is too."""

    def __init__(self, net, directory, authority, origin):
        self.net, self.directory, self.authority, self.origin = net, directory, authority, origin
        self.clock, self.offset = Clock(directory), 0
        self.chain = authority.certify(NAME)
        self.url = f"https://{NAME}/catalog.json"
        self.process = None
        self._seen = 0

    def start(self):
        configuration = f"{self.directory}/nginx.conf"
        with open(configuration, "w", encoding="utf-8") as file:
            file.write(self._configuration())
        # The names are those at home, and the network that at the far end.
        launcher = [*self.net.launcher, "nsenter", f"--net=/run/netns/{self.net.far}"]
        self.process = subprocess.Popen(
            [*launcher, "nginx", "-p", self.directory, "-c", configuration], env={**os.environ, **self.clock.variables},
            stderr=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE
        while self._connect() is None:
            if self.process.poll() is not None or time.monotonic() > end:
                raise Failed(f"nginx does not start: {self.end_of_log}")
            time.sleep(0.02)

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait()
            self.clock.forget(self.process.pid)

    def pass_time(self, seconds):
        """Sets the clock of nginx, and of nothing else, ahead."""
        self.offset += seconds
        self.clock.set(self.offset)

    def new_responses(self, count):
        """The responses since the last call, which must be so many."""
        end = time.monotonic() + PATIENCE
        while len(lines := self._log()) < self._seen + count and time.monotonic() < end:
            time.sleep(0.02)
        responses = [json.loads(line) for line in lines[self._seen:]]
        self._seen = len(lines)
        expect(len(responses) == count, f"the cache sent {len(responses)} responses, not {count}")
        return responses

    def skip_responses(self):
        """Looks away from what a check has left."""
        self._seen = len(self._log())

    def get(self, query="", method="GET", **headers):
        """The response to a request of a client that is not promod, with its body."""
        response = self._get(query, method, headers)
        self.new_responses(1)
        return response

    def get_at_once(self, pool, count, **headers):
        """The responses to so many such requests at once."""
        responses = list(pool.map(lambda _: self._get("", "GET", headers), range(count)))
        self.new_responses(count)
        return responses

    def ask_origin(self):
        """Runs the command for publishers that the example has, and returns its exit code."""
        command, = re.findall("^# +(curl .*)$", _example(), re.MULTILINE)
        words = [self.url if word.startswith("https:") else word for word in shlex.split(command)]
        result = subprocess.run(
            [*self.net.launcher, *words, "--noproxy", "*", "--cacert", self.authority.certificate], stderr=subprocess.DEVNULL)
        self.new_responses(1)
        return result.returncode

    def empty(self):
        """Removes what is stored."""
        for name in os.listdir(self._stored):
            os.remove(f"{self._stored}/{name}")

    @property
    def _stored(self):
        return f"{self.directory}/stored"

    def _get(self, query, method, headers):
        connection = http.client.HTTPConnection(NAME)
        context = ssl.create_default_context(cafile=self.authority.certificate)
        connection.sock = context.wrap_socket(self._connect(), server_hostname=NAME)
        connection.request(method, f"/catalog.json{query}", headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        response.body = response.read()
        connection.close()
        return response

    @property
    def logged(self):
        """What it has logged since the last call of `new_responses`, so far."""
        return "".join(self._log()[self._seen:])

    @property
    def end_of_log(self):
        with open(f"{self.directory}/error.log", encoding="utf-8") as file:
            return "".join(file.readlines()[-5:])

    def _log(self):
        with open(f"{self.directory}/access.log", encoding="utf-8") as file:
            return [line for line in file if line.endswith("\n")]

    def _connect(self):
        """A connection from the far end itself, which the meter does not see; None if nginx does not listen."""
        with self.net.from_far():
            connection = socket.socket()
        connection.settimeout(PATIENCE)
        if connection.connect_ex((FAR[4], 443)) == 0:
            return connection
        connection.close()
        return None

    def _configuration(self):
        """The example, with other names and paths, within a minimum of what Debian's nginx.conf has."""
        example = _example()
        for old, new in {
            "https://origin.example.com/": f"https://{self.origin.name}:{self.origin.port}/",
            "apps.example.com;": f"{NAME};",
            "/etc/letsencrypt/live/apps.example.com/fullchain.pem": self.chain.certificates,
            "/etc/letsencrypt/live/apps.example.com/privkey.pem": self.chain.key,
            "/etc/ssl/certs/ca-certificates.crt": self.authority.certificate,
            "/var/cache/nginx-promod": self._stored,
        }.items():
            if example.count(old) != 1:
                raise Failed(f"{EXAMPLE} should have {old} once")
            example = example.replace(old, new)
        # libfaketime reads its variables in each process.
        environment = "".join(f"env {name};" for name in self.clock.variables)
        form = ",".join(f'"{name}":"${variable}"' for name, variable in FIELDS.items())
        scratch = "".join(f"{kind}_temp_path {self.directory}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        return f"""
            daemon off; user root; worker_processes auto; {environment}
            pid {self.directory}/nginx.pid; error_log {self.directory}/error.log;
            events {{ worker_connections 768; }}
            http {{
                log_format fields escape=json '{{{form}}}'; access_log {self.directory}/access.log fields; {scratch}
                {example}
            }}
        """


def _example():
    with open(EXAMPLE, encoding="utf-8") as file:
        return file.read()
