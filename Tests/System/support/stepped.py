"""A wall clock that moves the daemon's timers when it is set, as the kernel's does."""
import ctypes
import os
import re
import signal
import time

from .clock import Clock

ABSOLUTE, CANCELLED = 1, 2  # TFD_TIMER_ABSTIME and TFD_TIMER_CANCEL_ON_SET
PIDFD_GETFD = 438
NANO = 10**9

_libc = ctypes.CDLL(None, use_errno=True)


class _Time(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]


class _Setting(ctypes.Structure):
    _fields_ = [("interval", _Time), ("value", _Time)]


class SteppedClock(Clock):
    """The clock of a daemon that may run while the clock is set."""

    def __init__(self, daemon, ahead=0):
        self._daemon = daemon
        super().__init__(daemon.directory, ahead)

    def step(self, offset, asks=True):
        """Sets it to this offset from the true time. The daemon is stopped meanwhile, so that it sees its timers move with the clock.

        Then it is asked until it has heard of that.
        """
        if not self._daemon.is_alive:
            self.set(offset)
            return
        pid, before = self._daemon.pid, self._spans[-1][2]
        os.kill(pid, signal.SIGSTOP)
        os.waitid(os.P_PID, pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        self.set(offset)
        _move_timers(pid, (self._spans[-1][2] - before) * NANO)
        os.kill(pid, signal.SIGCONT)
        if asks:
            self._daemon.ask("status")
            self._daemon.ask("review-reset", app="nobody")


def _move_timers(pid, nanoseconds):
    """Moves the timers on the wall clock, each of which the kernel keeps as a time of its own clock, which goes on."""
    process = os.pidfd_open(pid)
    for name in os.listdir(f"/proc/{pid}/fdinfo"):
        with open(f"/proc/{pid}/fdinfo/{name}", encoding="ascii") as file:
            found = re.search(r"clockid: 0\n(?:.*\n)*settime flags: 0?(\d)\n(?:.*\n)*it_value: \((\d+), (\d+)\)", file.read())
        left = int(found[2]) * NANO + int(found[3]) if found else 0
        # One that is not set, or has fired.
        if left == 0:
            continue
        timer = _libc.syscall(PIDFD_GETFD, process, int(name), 0)
        if timer < 0:
            raise OSError(ctypes.get_errno(), "pidfd_getfd")
        # The kernel ends the wait of a timer that is to be cancelled, however far off its time is.
        is_cancelled = int(found[1]) & CANCELLED
        _set_timer(timer, 0 if is_cancelled else left - nanoseconds)
        os.close(timer)
    os.close(process)


def _set_timer(timer, left):
    """Lets a timer fire so many nanoseconds from now; at once if the number is negative."""
    due = max(time.time_ns() + left, 1)
    setting = _Setting(value=_Time(*divmod(due, NANO)))
    if _libc.timerfd_settime(timer, ABSOLUTE, ctypes.byref(setting), None) != 0:
        raise OSError(ctypes.get_errno(), "timerfd_settime")
