"""The examples, and how a test runs them."""
import contextlib
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

EXAMPLES = f"{ROOT}/packaging/examples"
HOST = "host"  # the app whose list they show
PYTHON = "/usr/bin/python3"  # Debian's own, for which Debian has the bindings of GTK


@dataclass
class Example:
    """A program, what it needs, and the command that runs it, from a directory for what is built."""

    name: str
    needs: tuple
    command: Callable

    def call(self, shop, *arguments, path=None):
        """Runs it to its end, with promod's socket or another."""
        return shop.launch([*self._command(shop), *arguments], PROMOD_SOCKET=path or shop.daemon.socket, LANG="C.UTF-8")

    def run(self, shop, **variables):
        """Runs it to the end of a block."""
        return running(shop, self.name, self._command(shop), {"PYTHONUNBUFFERED": "1", **variables})

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
    """The events of the host, of which each is awaited."""

    def __init__(self, shop, *kinds):
        self.connection, self.lines = shop.daemon.connect(), []
        self.connection.ask("subscribe", events=kinds, host=HOST)

    def expect(self, kind, app):
        self.lines = self.lines or self.connection.read_lines()
        line = self.lines.pop(0).decode()
        expect(f'"{kind}"' in line and f'"{app}"' in line, f"it reports {line}, not {kind} of {app}")


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
        if reply:
            threading.Thread(target=serve, daemon=True).start()
        yield path


@contextlib.contextmanager
def display():
    """An X server without a screen; the variables with which programs draw on it, without a graphics card."""
    reads, writes = os.pipe()
    command = ["Xvfb", "-displayfd", str(writes), "-screen", "0", "800x700x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writes], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server, open(reads) as number:
        os.close(writes)
        try:
            yield {"DISPLAY": f":{number.readline().strip()}", "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none",
                   "GSETTINGS_BACKEND": "memory", "DBUS_SESSION_BUS_ADDRESS": "disabled:", "XDG_DATA_DIRS": "/usr/share"}
        finally:
            server.terminate()
