"""A home on a machine without promod, an origin, and apps that bring it."""
import contextlib
import os
import re
import shutil
import socket
import struct
import subprocess
import tempfile

from support import catalog
from support.check import DEBUG, Check
from support.claims import Failed
from support.files import write
from support.shop import CATALOG, Shelf
from support.wire import PATIENCE, Connection, asked, comes

# A program with the library, as an app that waits for what changes in its list.
PROBE = f"{DEBUG}/LibraryProbe"
# An app in another language. It looks for its promod where its package has put it.
APP = '''\
import json, os, socket, subprocess, sys

here = os.path.dirname(os.path.abspath(__file__))
promod = os.environ.get("PROMOD_PROGRAM") or os.path.join(here, {program!r})
subprocess.run([promod, "--background", "--app=app-7", "--catalog-url=" + sys.argv[1]], check=True)
runtime = os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{{os.getuid()}}"
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect(runtime + "/promod/promod.sock")
    connection.sendall(json.dumps(dict(method="list", host="app-7", wait=True)).encode() + b"\\n")
    print(len(json.loads(connection.makefile().readline())["result"]["apps"]), flush=True)
    sys.stdin.read()
'''


class Machine:
    """A home on a machine without promod, and an origin."""

    def __init__(self, binary):
        self.binary = os.path.abspath(binary)
        self.directory = tempfile.mkdtemp(prefix="promod-shipping-")
        self.origin = Shelf(self.directory)
        self.publish(catalog.small())
        self.origin.open()
        self.environment = {
            "HOME": self.directory, "XDG_RUNTIME_DIR": f"{self.directory}/run", "PATH": os.environ["PATH"], "LANG": "en",
            "LLVM_PROFILE_FILE": "/dev/null"}
        self.programs = []
        os.mkdir(f"{self.directory}/run", 0o700)
        self.configure(f"{self.directory}/.config")

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        for program in self.programs:
            if program.poll() is None:
                program.kill()
                program.communicate()
        with contextlib.suppress(OSError):
            os.kill(self.promod(), 9)
        self.origin.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def configure(self, place):
        """Writes a home's configuration, which trusts the origin."""
        write(f"{place}/promod/config.toml", f'network.ca-file = "{self.origin.certificate}"\n')

    def publish(self, content):
        """Puts a catalog at the origin."""
        self.content = content
        self.origin.files[CATALOG] = content.bytes

    @property
    def socket(self):
        return f"{self.environment['XDG_RUNTIME_DIR']}/promod/promod.sock"

    def connect(self):
        return Connection(self.socket)

    def ask(self, method, **params):
        """The result of one request on a connection of its own."""
        return asked(self.socket, method, **params)

    def promod(self, path=""):
        """The process that listens, which may be in another namespace."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(path or self.socket)
            return struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]

    def kill_promod(self, path=""):
        """Kills it, and waits until its socket is closed."""
        pid = self.promod(path)
        os.kill(pid, 9)

        def is_closed():
            try:
                return self.promod(path) != pid
            except ConnectionRefusedError:
                return True
        if not comes(is_closed):
            raise Failed(f"promod ({pid}) survives a SIGKILL")

    def promods(self):
        """The processes of this home that an app has started."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            # One may end meanwhile.
            with contextlib.suppress(OSError):
                with open(f"/proc/{pid}/cmdline", "rb") as command, open(f"/proc/{pid}/environ", "rb") as environment:
                    if command.read().startswith(b"promod-background\0") and f"HOME={self.directory}\0".encode() in environment.read():
                        found.append(int(pid))
        return found

    def run(self, *command, env=None, timeout=PATIENCE, **more):
        """Runs a command to its end, with further variables."""
        done = subprocess.run(
            command, env={**self.environment, **(env or {})}, capture_output=True, text=True, check=False, timeout=timeout, **more)
        if done.returncode:
            raise Failed(f"{' '.join(command)} ends with {done.returncode}: {done.stderr}")
        return done.stdout

    def open(self, *command, **variables):
        """Starts a program, which stays until its input ends or it is killed."""
        program = subprocess.Popen(command, env={**self.environment, **variables}, text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        self.programs.append(program)
        return program

    def start(self, *command, **variables):
        """Starts an app in another language; returns it when it has its list."""
        app = self.open(*command, self.origin.url, **variables)
        shown = app.stdout.readline()
        if shown != f"{len(self.content.apps) - 1}\n":
            app.kill()
            raise Failed(f"the app shows {shown!r}: {app.communicate()[1]}")
        return app

    def library(self, *words, command=(), **variables):
        """Starts an app with the library."""
        return self.open(*command, PROBE, *words, PROMOD_PROGRAM=self.binary, **variables)

    def shown(self, app):
        """The apps of the list that an app with the library shows."""
        line = app.stdout.readline()
        error = app.stdout.readline()
        if not line.startswith("own ") or error != "error \n":
            raise Failed(f"the app shows {line!r}, {error!r}")
        return line.split()[1:]


def write_app(path, program):
    """Writes the app in another language, which finds its promod beside it."""
    write(path, APP.format(program=program))


def other_libraries(*programs):
    """The directories of the libraries that a program is linked with and the system does not have, as a debug build's."""
    linked = "".join(subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout for program in programs)
    return sorted({os.path.dirname(path) for path in re.findall(r"=> (/\S+)", linked) if not path.startswith(("/lib", "/usr/lib/"))})


def check(name, claim, body, alone=False):
    """A check on a machine of its own."""
    def run(binary):
        with Machine(binary) as machine:
            try:
                return body(machine) or "", []
            except Failed as error:
                return "", [str(error)]
    return Check(name, claim, run, alone)
