"""The examples, and how a test runs them."""
import contextlib
import json
import os
import socket
import subprocess
import threading
from dataclasses import dataclass
from typing import Callable

from support.check import ROOT, LeftOut
from support.claims import expect
from support.network import is_online
from support.programs import missing
from support.running import running
from support.wire import connected

EXAMPLES = f"{ROOT}/packaging/examples"
HOST = "host"  # the app whose list they show
PYTHON = "/usr/bin/python3"  # Debian's own, for which Debian has the bindings of GTK


@contextlib.contextmanager
def display():
    """An X server without a screen; the variables with which programs draw on it, without a graphics card."""
    reads, writes = os.pipe()
    command = ["Xvfb", "-displayfd", str(writes), "-screen", "0", "800x700x24", "-nolisten", "tcp"]
    with subprocess.Popen(
            command, pass_fds=[writes], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server, open(reads, encoding="ascii") as number:
        os.close(writes)
        try:
            yield {"DISPLAY": f":{number.readline().strip()}", "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none",
                   "GSETTINGS_BACKEND": "memory", "DBUS_SESSION_BUS_ADDRESS": "disabled:", "XDG_DATA_DIRS": "/usr/share"}
        finally:
            server.terminate()


@dataclass
class Example:
    """A program, what it needs, and the command that runs it, from a directory for what is built."""

    name: str
    needs: tuple
    command: Callable
    draws: bool = False

    def call(self, shop, *arguments, path=None, host=HOST, **variables):
        """Runs it to its end, with promod's socket or another."""
        variables = {"LANG": "C.UTF-8", **variables, "PROMOD_SOCKET": path or shop.daemon.socket}
        return shop.launch([*self._command(shop)[:-1], host, *arguments], **variables)

    @contextlib.contextmanager
    def run(self, shop):
        """Runs it to the end of a block."""
        command = self._command(shop)
        with display() if self.draws else contextlib.nullcontext({}) as variables:
            with running(shop, self.name, command, {"PYTHONUNBUFFERED": "1", **variables}) as program:
                yield program

    @contextlib.contextmanager
    def speak(self, shop, reader):
        """Runs a reader of what it says to a screen reader, to the end of a block."""
        session = ["dbus-run-session", "--", "sh", "-c", '"$@" & $READER; kill $!; wait', "sh", *self._command(shop)]
        with display() as variables:
            variables |= {"GTK_A11Y": "atspi", "READER": " ".join(reader)}
            with running(shop, self.name, session, variables) as program:
                yield program
                program.process.stdin.close()
                program.process.wait()

    def _command(self, shop):
        require(*self.needs)
        return [*self.command(shop.directory), HOST]


def require(*programs):
    """Leaves the check out if this machine lacks one of these."""
    if reason := missing(*programs):
        raise LeftOut(reason)


def opening(url):
    """What is said of a tap that opens a page, by the network that the machine has."""
    return url if is_online() else "needs an internet connection"


class Events:
    """The events of a kind that the host has caused since promod started, of which each is awaited."""

    def __init__(self, shop, kind):
        request = {"method": "subscribe", "events": [kind], "host": HOST, "since": 0, "epoch": shop.daemon.ask("status")["epoch"]}
        self.kind, self.connection = kind, connected(shop.daemon.socket)
        self.connection.sendall(json.dumps(request).encode() + b"\n")
        self.lines = self.connection.makefile()
        self.lines.readline()

    def expect(self, *apps):
        for app in apps:
            line = self.lines.readline()
            expect(f'"app":"{app}"' in line, f"it reports {line}, not the {self.kind} of {app}")


@contextlib.contextmanager
def answering(shop, reply):
    """The path of a socket that answers a connection with a reply and its end; without a reply it never answers."""
    path = f"{shop.directory}/{len(reply)}.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()

        def serve():
            with listener.accept()[0] as connection:
                connection.recv(65536)
                connection.sendall(reply)
        threading.Thread(target=serve if reply else lambda: None, daemon=True).start()
        yield path
