"""A reader's home, with a shell, and the web that the documents' addresses lead to."""
import contextlib
import email.utils
import gzip
import json
import os
import re
import select
import shutil
import signal
import subprocess
import tempfile

from support import namespaces
from support.check import ROOT
from support.claims import Failed
from support.daemon import Daemon
from support.files import write
from support.origin import Origin
from support.pictures import png
from support.wire import comes

WEB = ["example.com", "acme.example", "apps.example.com", "www.example.com"]
CERTIFICATES = "/etc/ssl/certs"
SAMPLE = f"{ROOT}/Sources/PromoCore/Catalog/sample.json"
LONGEST = 20  # seconds that an example may take
ACME = 'url = "https://acme.example/apps.json"\n'
# Runs one command after another, which it reads from a descriptor, and writes the exit code of each to another.
SHELL = 'set -o pipefail; code=0; while IFS= read -r -d "" -u {} command; do (exit $code); eval "$command"; code=$?; echo $code >&{}; done'


def sample(count=5, is_linux=True):
    """The first apps of the sample, with or without their pages for Linux."""
    with open(SAMPLE, encoding="utf-8") as file:
        catalog = json.load(file)
    del catalog["apps"][count:]
    ids = [app["id"] for app in catalog["apps"]]
    catalog["promoRules"] = {host: apps for host, apps in catalog["promoRules"].items() if host in ids}
    for app in catalog["apps"]:
        app["iconURL"] = f"https://example.com/icons/{app['id']}.png"
        if not is_linux:
            del app["storeURLs"], app["reviewURLs"]
    return json.dumps(catalog, ensure_ascii=False, indent=2).encode() + b"\n"


class Web(Origin):
    """The servers of the documents' addresses."""

    names = ",".join(f"DNS:{name}" for name in WEB)
    # The only ones.
    it = None

    @classmethod
    @contextlib.contextmanager
    def opened(cls):
        """Serves until the end of the block, to this process and its children."""
        with tempfile.TemporaryDirectory(prefix="promod-test-") as directory:
            cls.it = cls(directory)
            # Trusted by programs that read the directory, and by those that read the file in it.
            os.mkdir(f"{directory}/certs")
            shutil.copy(cls.it.certificate, f"{directory}/certs/ca-certificates.crt")
            namespaces.run("openssl", "rehash", f"{directory}/certs")
            namespaces.run("mount", "--bind", f"{directory}/certs", CERTIFICATES)
            cls.it.port = 443
            cls.it.open()
            try:
                yield
            finally:
                cls.it.close()

    def reply_to(self, request):
        """The catalog, compressed, or an icon."""
        if not request.split()[1].endswith(b".json"):
            return b"200 OK\r\nContent-Length: %d\r\n" % len(png()), png()
        head, body = super().reply_to(request)
        head += b"Date: %s\r\n" % email.utils.formatdate(usegmt=True).encode()
        if not body:
            return head, body
        packed = gzip.compress(body)
        return head.replace(b"Content-Length: %d" % len(body), b"Content-Encoding: gzip\r\nContent-Length: %d" % len(packed)), packed


def enter():
    """Moves this process into namespaces in which the documents' addresses lead to it."""
    namespaces.enter()
    namespaces.replace("/etc/hosts", f"127.0.0.1 localhost {' '.join(WEB)}\n")
    namespaces.run("ip", "route", "add", "local", "0.0.0.0/0", "dev", "lo")


class Home(Daemon):
    """A promod in a home of its own, and a shell in it, from the beginning to the end of a block."""

    is_sample = False
    # A reader is not root.
    launcher = ("unshare", "--user", "--map-user=1000", "--map-group=1000", "--")

    def __init__(self, binary, catalog):
        super().__init__(binary)
        self.home = f"{self.directory}/home/you"
        self.socket = f"{self.directory}/run/user/1000/promod/promod.sock"
        Web.it.body = catalog
        os.makedirs(self.home)
        os.makedirs(f"{self.directory}/run/user/1000", mode=0o700)
        os.makedirs(f"{self.directory}/tmp")
        os.makedirs(f"{self.directory}/var/lib/prometheus/node-exporter")
        os.makedirs(f"{self.directory}/usr/share")
        self.write("home/you/acme.toml", ACME)
        self.write("home/you/catalog.json", catalog.decode())

    @property
    def environment(self):
        """What a login gives, and what promod-protocol(7) names S."""
        root = self.directory
        path = f"{os.path.dirname(self.binary)}:{os.environ['PATH']}"
        return {
            "HOME": self.home, "PATH": path, "LANG": "C.UTF-8", "TZ": "UTC", "TMPDIR": f"{root}/tmp", "XDG_RUNTIME_DIR": f"{root}/run/user/1000",
            "XDG_CONFIG_DIRS": f"{root}/etc/xdg", "XDG_DATA_DIRS": f"{root}/usr/share", "FLATPAK_SYSTEM_DIR": f"{root}/flatpak",
            "S": self.socket, "LLVM_PROFILE_FILE": "/dev/null"}

    def __enter__(self):
        commands, self._commands = os.pipe()
        self._codes, codes = os.pipe()
        self.output = open(f"{self.directory}/output", "w+b")
        self.shell = subprocess.Popen(
            [*self.launcher, "bash", "-c", SHELL.format(commands, codes)], env=self.environment, cwd=self.home, stdin=subprocess.DEVNULL,
            stdout=self.output, stderr=self.output, pass_fds=(commands, codes), start_new_session=True)
        os.close(commands)
        os.close(codes)
        return self

    def __exit__(self, *failure):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.shell.pid, signal.SIGKILL)
        self.shell.wait()
        for descriptor in self._commands, self._codes:
            os.close(descriptor)
        self.output.close()
        self.stop()

    def stop_daemon(self):
        """Stops promod, but keeps the home."""
        if self.is_alive:
            self.process.terminate()
            self.process.wait(LONGEST)

    @property
    def package(self):
        """The file with which a package brings its catalog."""
        return f"{self.directory}/usr/share/promod/catalogs.d/acme.toml"

    def write(self, name, text):
        """Writes a file below the root."""
        write(f"{self.directory}/{name}", text)

    def run(self, command):
        """Runs a command in the shell, and returns its exit code and what it prints."""
        begin = os.path.getsize(self.output.name)
        os.write(self._commands, self._here(command).encode() + b"\0")
        if not select.select([self._codes], [], [], LONGEST)[0]:
            raise Failed(f"not done within {LONGEST} s: {command}\n{self._printed(begin)}")
        code = os.read(self._codes, 16)
        return int(code or -1), self._printed(begin)

    def follow(self, command, follow):
        """Runs a command that does not end by itself, until it has printed what is awaited, and returns what it has printed."""
        with open(f"{self.directory}/followed", "w+b") as output, subprocess.Popen(
                [*self.launcher, "bash", "-c", self._here(command)], env=self.environment, cwd=self.home, stdin=subprocess.PIPE,
                stdout=output, stderr=output, start_new_session=True) as process:
            try:
                if follow.other:
                    comes(lambda: self.ask("status")["socket"]["subscribers"])
                    self.run(follow.other)
                if not comes(lambda: re.search(f"{follow.awaited}.*\n", self._shown(output.name)), LONGEST):
                    raise Failed(f"it never prints {follow.awaited!r}, but {self._shown(output.name)}")
                return self._shown(output.name)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)

    def _here(self, command):
        """A command with the paths of the system's files below the root, in the clone if it is a program of that."""
        if re.match("(packaging|Tests)/", command):
            return f"(cd '{ROOT}'\n{command}\n)"
        return re.sub(r"(?<![\w.])/(?=var/lib/prometheus/)", f"{self.directory}/", command)

    def _printed(self, begin):
        return self._shown(self.output.name, begin)

    def _shown(self, path, begin=0):
        with open(path, "rb") as file:
            file.seek(begin)
            return file.read().decode(errors="replace").replace(self.directory, "")
