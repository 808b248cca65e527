"""Programs that run beside promod, and how often they wake."""
import contextlib
import os
import re
import signal
import subprocess

from .claims import expect
from .files import read
from .wire import PATIENCE, comes


class Running:
    """A program that is running, and what it has written."""

    def __init__(self, process, log):
        self.process, self.log = process, log

    @property
    def output(self):
        return read(self.log)

    @property
    def is_alive(self):
        return self.process.poll() is None

    @property
    def wakings(self):
        """How often its threads, and those of the programs that it runs, have slept so far."""
        return wakings(self.process.pid)

    def write(self, line):
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def expect(self, text, count=1):
        """Waits until it has written a text so many times."""
        comes(lambda: self.output.count(text) >= count or not self.is_alive)
        expect(self.is_alive, f"it has ended with {self.process.poll()}: {self.output[-1000:]}")
        expect(self.output.count(text) >= count, f"it never writes {text!r} {count} times: {self.output[-1000:]}")


def wakings(group):
    """How often the threads of a process group have slept so far."""
    count = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        # One may end meanwhile.
        with contextlib.suppress(OSError):
            count += wakings_of(pid) if os.getpgid(int(pid)) == group else 0
    return count


def wakings_of(pid):
    """How often the threads of a process have slept so far."""
    count = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        count += int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", read(f"/proc/{pid}/task/{thread}/status"), re.MULTILINE)[1])
    return count


@contextlib.contextmanager
def running(shop, name, command, variables, **more):
    """A program beside promod, with variables of its environment; `more` is for Popen."""
    log = f"{shop.directory}/{name}.log"
    environment = {**os.environ, **shop.daemon.environment, "LANG": "C.UTF-8", **variables}
    with open(log, "wb") as output, subprocess.Popen(
            command, env=environment, cwd=shop.directory, stdin=subprocess.PIPE, stdout=output, stderr=output,
            start_new_session=True, **more) as process:
        program = Running(process, log)
        try:
            yield program
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE)
            left = not comes(lambda: not _exists(process.pid), 5)
            expect(not left, "it leaves processes behind")
        finally:
            # A shell ends the groups of processes that it has made.
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE)
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
