"""The examples, and how a test runs them."""
import contextlib
import os
import subprocess
from dataclasses import dataclass, replace
from typing import Callable

from support.check import ROOT, LeftOut
from support.claims import Failed
from support.programs import missing
from support.running import running

EXAMPLES = f"{ROOT}/packaging/examples"
HERE = os.path.dirname(os.path.abspath(__file__))
HOST = "host"  # the app whose list they show
PYTHON = "/usr/bin/python3"  # Debian's own, for which Debian has the bindings of GTK


@dataclass
class Example:
    """A program, what it needs, the command that runs it, from a directory for what is built, and what it does besides listing apps."""

    name: str
    needs: tuple
    command: Callable
    shows_taps: bool = True  # those of everybody
    takes_taps: bool = False  # from its standard input
    draws: bool = False

    @contextlib.contextmanager
    def run(self, shop, path=None):
        """The program, running with promod's socket or another."""
        if reason := missing(*self.needs):
            raise LeftOut(reason)
        with contextlib.ExitStack() as stack:
            variables = {"PROMOD_SOCKET": path or shop.daemon.socket, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"}
            if self.draws:
                variables.update(stack.enter_context(_display()))
            yield stack.enter_context(running(shop, self.name, self.command(shop.directory), variables))


@contextlib.contextmanager
def _display():
    """An X server without a screen; the variables that make GTK draw on it, without a graphics card."""
    reads, writes = os.pipe()
    command = ["Xvfb", "-displayfd", str(writes), "-screen", "0", "800x700x24", "-nolisten", "tcp"]
    with subprocess.Popen(
            command, pass_fds=[writes], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        os.close(writes)
        try:
            with open(reads, "rb") as file:
                number = file.readline().decode().strip()
            if not number:
                raise Failed("Xvfb does not start")
            yield {"DISPLAY": f":{number}", "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none",
                   "GSETTINGS_BACKEND": "memory", "DBUS_SESSION_BUS_ADDRESS": "disabled:", "XDG_DATA_DIRS": "/usr/share"}
        finally:
            server.terminate()


def _compiled(directory):
    program = f"{directory}/more-apps"
    subprocess.run(
        ["cc", "-Wall", "-Wextra", "-Werror", "-O2", "-o", program, f"{EXAMPLES}/more-apps.c", "-ljansson"], check=True)
    return [program, HOST]


PROMO = Example("promo", (), lambda _: [PYTHON, f"{HERE}/terminal.py", HOST])
GTK = Example("gtk", ("gir1.2-adw-1", "python3-gi", "Xvfb"), lambda _: [PYTHON, f"{HERE}/driver.py", f"{EXAMPLES}/more-apps-gtk.py", HOST],
              shows_taps=False, draws=True)
# Without the driver, which looks at the window again and again.
GTK_ALONE = replace(GTK, command=lambda _: [PYTHON, f"{EXAMPLES}/more-apps-gtk.py", HOST])
ALL = (
    PROMO, GTK,
    Example("bash", ("jq", "nc.openbsd"), lambda _: ["bash", f"{EXAMPLES}/more-apps.sh", HOST], takes_taps=True),
    Example("node", ("node",), lambda _: ["node", f"{EXAMPLES}/more-apps.mjs", HOST], takes_taps=True),
    Example("c", ("cc", "libjansson-dev"), _compiled))
