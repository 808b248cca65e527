"""The wall clock of a program, which the test sets while the machine's clock and the monotonic clock go on."""
import ctypes
import os
import re
import signal
import subprocess
import time

from .files import read, write
from .programs import library

ABSOLUTE, CANCELLED = 1, 2  # TFD_TIMER_ABSTIME and TFD_TIMER_CANCEL_ON_SET
PIDFD_GETFD = 438
TIME_ERROR, TIMEX = 5, 512  # what adjtimex(2) returns for a clock that is not synchronised, and more bytes than it writes
NANO = 10**9

_libc = ctypes.CDLL(None, use_errno=True)


class Clock:
    """The time as a program sees it: that of the machine and an offset, through libfaketime."""

    def __init__(self, directory):
        self.file, self.offset = f"{directory}/clock", 0
        # Waits on the monotonic clock must not change with the wall clock.
        self.timers = f"{directory}/monotonic-timers.so"
        source = f"{os.path.dirname(os.path.abspath(__file__))}/monotonic-timers.c"
        subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", self.timers, source], check=True)
        self.set(0)

    @property
    def variables(self):
        """The environment with which a process sees this clock."""
        return {
            "LD_PRELOAD": f"{self.timers} {library('libfaketime')}", "FAKETIME_TIMESTAMP_FILE": self.file, "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}

    def set(self, offset):
        """Sets it to this offset from the machine's."""
        self.offset = offset
        write(f"{self.file}.new", f"{offset:+d}\n")
        os.rename(f"{self.file}.new", self.file)

    def now(self):
        return time.time() + self.offset


class SteppedClock(Clock):
    """The clock of a daemon that may run while it is set: it moves the daemon's timers as the kernel would."""

    def __init__(self, daemon):
        self.daemon = daemon
        super().__init__(daemon.directory)

    def step(self, offset):
        """Sets it. The daemon is stopped meanwhile, so that it sees its timers move with the clock, and then asked until it has heard."""
        before, pid = self.offset, self.daemon.pid
        os.kill(pid, signal.SIGSTOP)
        os.waitid(os.P_PID, pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        self.set(offset)
        _move_timers(pid, (offset - before) * NANO)
        os.kill(pid, signal.SIGCONT)
        self.daemon.ask("status")
        self.daemon.ask("review-reset", app="nobody")


class _Time(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]


class _Setting(ctypes.Structure):
    _fields_ = [("interval", _Time), ("value", _Time)]


def is_synchronised():
    """Whether something keeps the machine's clock right."""
    return _libc.adjtimex(ctypes.create_string_buffer(TIMEX)) != TIME_ERROR


def _move_timers(pid, nanoseconds):
    """Moves the timers on the wall clock, each of which the kernel keeps as a time of its own clock, which goes on."""
    process = os.pidfd_open(pid)
    for name in os.listdir(f"/proc/{pid}/fdinfo"):
        found = re.search(r"clockid: 0\n(?:.*\n)*settime flags: 0?(\d)\n(?:.*\n)*it_value: \((\d+), (\d+)\)", read(f"/proc/{pid}/fdinfo/{name}"))
        left = int(found[2]) * NANO + int(found[3]) if found else 0
        # One that is not set, or has fired.
        if left == 0:
            continue
        timer = _libc.syscall(PIDFD_GETFD, process, int(name), 0)
        if timer < 0:
            raise OSError(ctypes.get_errno(), "pidfd_getfd")
        # The kernel ends the wait of a timer that is to be cancelled, however far off its time is.
        _set_timer(timer, 0 if int(found[1]) & CANCELLED else left - nanoseconds)
        os.close(timer)
    os.close(process)


def _set_timer(timer, left):
    """Lets a timer fire so many nanoseconds from now; at once if the number is negative."""
    setting = _Setting(value=_Time(*divmod(max(time.time_ns() + left, 1), NANO)))
    if _libc.timerfd_settime(timer, ABSOLUTE, ctypes.byref(setting), None) != 0:
        raise OSError(ctypes.get_errno(), "timerfd_settime")
