"""The examples, and how a test runs them."""
import contextlib
import os
import re
import signal
import subprocess
from dataclasses import dataclass, replace
from typing import Callable

from support.check import ROOT, LeftOut
from support.claims import Failed, expect
from support.programs import missing
from support.wire import PATIENCE, comes

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
            yield stack.enter_context(_running(shop, self.name, self.command(shop.directory), variables))


class Running:
    """A program that is running, and what it has written."""

    def __init__(self, process, log):
        self.process, self.log = process, log

    @property
    def output(self):
        with open(self.log, encoding="utf-8") as file:
            return file.read()

    @property
    def is_alive(self):
        return self.process.poll() is None

    @property
    def wakings(self):
        """How often its threads, and those of the programs that it runs, have slept so far."""
        count = 0
        for pid in os.listdir("/proc"):
            # One may end meanwhile.
            with contextlib.suppress(OSError):
                if pid.isdigit() and os.getpgid(int(pid)) == self.process.pid:
                    for thread in os.listdir(f"/proc/{pid}/task"):
                        with open(f"/proc/{pid}/task/{thread}/status", encoding="utf-8") as file:
                            count += int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", file.read(), re.MULTILINE)[1])
        return count

    def write(self, line):
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def expect(self, text, count=1):
        """Waits until it has written a text so many times."""
        comes(lambda: self.output.count(text) >= count or not self.is_alive)
        expect(self.is_alive, f"it has ended with {self.process.poll()}: {self.output[-1000:]}")
        expect(self.output.count(text) >= count, f"it never writes {text!r} {count} times: {self.output[-1000:]}")


@contextlib.contextmanager
def _running(shop, name, command, variables):
    log = f"{shop.directory}/{name}.log"
    environment = {**os.environ, **shop.daemon.environment, "LANG": "C.UTF-8", **variables}
    with open(log, "wb") as output, subprocess.Popen(
            command, env=environment, cwd=shop.directory, stdin=subprocess.PIPE, stdout=output, stderr=output,
            start_new_session=True) as process:
        program = Running(process, log)
        try:
            yield program
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE)
            left = not comes(lambda: not _exists(process.pid), 5)
            expect(not left, "it leaves processes behind")
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    for word in "Traceback", "Exception", "jq: error", "line 1:", "at Socket", "CRITICAL":
        expect(word not in program.output, f"it writes {word!r}: {program.output[-2000:]}")


def _exists(group):
    try:
        os.killpg(group, 0)
        return True
    except ProcessLookupError:
        return False


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
