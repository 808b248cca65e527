"""Sandboxes that bubblewrap makes, with clients of promod inside."""
import json
import os
import re
import socket
import subprocess
import tempfile

from support.claims import Failed
from support.wire import PATIENCE, read_line

HOME, PYTHON, PROMOCTL, INSIDE = "/home/guest", "/usr/bin/python3", "/opt/promoctl", "/opt/inside.py"


def _base():
    """The start of a command line, with the system's programs and nothing else."""
    command = ["bwrap", "--unshare-all", "--unshare-user", "--cap-drop", "ALL", "--die-with-parent", "--new-session"]
    command += ["--ro-bind", "/usr", "/usr"]
    for name in "bin", "sbin", "lib", "lib64":
        if os.path.islink(f"/{name}"):
            command += ["--symlink", os.readlink(f"/{name}"), f"/{name}"]
        elif os.path.isdir(f"/{name}"):
            command += ["--ro-bind", f"/{name}", f"/{name}"]
    own = f"{os.path.dirname(os.path.abspath(__file__))}/inside.py"
    return [*command, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", HOME, "--ro-bind", own, INSIDE]


BASE = _base()


def obstacle():
    """Why no sandbox can be made here; empty if one can."""
    done = subprocess.run([*BASE, "--", PYTHON, "-c", ""], capture_output=True, text=True, check=False)
    return f"bubblewrap cannot make a sandbox here: {done.stderr.strip()}" if done.returncode else ""


def _libraries(program):
    """The directories of its libraries that are not the system's, as a debug build has."""
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    found = {os.path.dirname(path) for path in re.findall(r"=> (/\S+)", linked)}
    return sorted(path for path in found if not path.startswith(("/lib", "/usr/")))


class Sandbox:
    """A sandbox from the beginning to the end of a block. In it are the files and directories in `binds`, outside and inside."""

    def __init__(self, binds, variables, options=(), bind="--ro-bind"):
        libraries = [part for outside, inside in binds.items() if inside == PROMOCTL for path in _libraries(outside)
                     for part in ("--ro-bind", path, path)]
        places = [part for outside, inside in binds.items() for part in (bind, outside, inside)]
        self.command = [*BASE, *libraries, *places, *options, "--"]
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": HOME, "LANG": "C.UTF-8", **variables}

    def __enter__(self):
        self.connection, inside = socket.socketpair()
        self.connection.settimeout(PATIENCE)
        with inside:
            self.process = self.start(PYTHON, "-I", INSIDE, stdin=inside, stdout=inside, stderr=inside)
        return self

    def __exit__(self, *failure):
        self.connection.close()
        self.process.kill()
        self.process.wait()

    def start(self, *program, **streams):
        """Starts a program in another sandbox of the same kind."""
        return subprocess.Popen([*self.command, *program], env=self.environment, **streams)

    def call(self, name, *arguments):
        """Calls a function of inside.py, and returns its result and the name of its error."""
        self.connection.sendall(json.dumps([name, *arguments]).encode() + b"\n")
        line = read_line(self.connection)
        try:
            answer = json.loads(line)
        except ValueError as error:
            raise Failed(f"the sandbox says {line.decode(errors='replace')}") from error
        return answer["result"], answer["error"]

    def attempt(self, name, *arguments):
        """The name of the error with which a function of inside.py fails; None if it succeeds."""
        return self.call(name, *arguments)[1]

    def get(self, name, *arguments):
        """The result of a function of inside.py, which must succeed."""
        result, error = self.call(name, *arguments)
        if error:
            raise Failed(f"in the sandbox {name} {arguments} fails as {error}")
        return result

    def promoctl(self, *arguments):
        """The exit code of promoctl, its output and its errors."""
        return self.get("run", PROMOCTL, *arguments)

    def promoctl_json(self, *arguments):
        """The result of the protocol that promoctl prints."""
        code, output, errors = self.promoctl(*arguments, "--json")
        if code != 0:
            raise Failed(f"in the sandbox promoctl {' '.join(arguments)} ends with {code}: {errors}")
        return json.loads(output)


class Follower:
    """promoctl events in a sandbox, from the beginning to the end of a block."""

    def __init__(self, sandbox, *arguments):
        self.sandbox, self.arguments = sandbox, arguments

    def __enter__(self):
        self.output, self.errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        self.process = self.sandbox.start(
            PROMOCTL, "events", *self.arguments, "--json", stdin=subprocess.DEVNULL, stdout=self.output, stderr=self.errors)
        return self

    def __exit__(self, *failure):
        self.process.kill()
        self.process.wait()
        self.output.close()
        self.errors.close()

    @property
    def events(self):
        """The events that it has printed."""
        return [json.loads(line) for line in _content(self.output).splitlines(keepends=True) if line.endswith("\n")]

    @property
    def notes(self):
        """What it has said beside."""
        return _content(self.errors)


def _content(file):
    return os.pread(file.fileno(), 1 << 20, 0).decode()
