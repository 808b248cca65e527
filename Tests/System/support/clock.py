"""The wall clock of the daemon, which the test sets while the machine's clock and the monotonic clock go on."""
import contextlib
import os
import subprocess
import time

from .programs import library
from .times import DAY, YEAR

HOUR = 3_600
LAG = 0.5  # seconds


class Clock:
    """The time as the daemon sees it: that of the machine and an offset, through libfaketime if it is installed."""

    LIBRARY = library("libfaketime")
    # A step to one of these, counted from the offset at the beginning, may go in either direction.
    OFFSETS = (0, 90, -90, HOUR, -HOUR, 8 * DAY, -8 * DAY, 31 * DAY, -31 * DAY, YEAR + DAY)

    def __init__(self, directory, ahead=0):
        """A clock that begins so many seconds ahead of the machine's."""
        self._ahead = ahead
        self._file = f"{directory}/clock"
        if self.can_step:
            # Waits on the monotonic clock must not change with the wall clock.
            self._timers = f"{directory}/monotonic-timers.so"
            source = f"{os.path.dirname(os.path.abspath(__file__))}/monotonic-timers.c"
            subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", self._timers, source], check=True)
        self._spans = []
        self.set(0)

    @property
    def can_step(self):
        return self.LIBRARY is not None

    @property
    def variables(self):
        """The environment with which a process sees this clock."""
        if not self.can_step:
            return {}
        return {
            "LD_PRELOAD": f"{self._timers} {self.LIBRARY}", "FAKETIME_TIMESTAMP_FILE": self._file, "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}

    @staticmethod
    def forget(pid):
        """Removes what libfaketime leaves of a process that was killed; a later one with the same number could not start."""
        for name in f"faketime_shm_{pid}", f"sem.faketime_sem_{pid}":
            with contextlib.suppress(FileNotFoundError):
                os.unlink(f"/dev/shm/{name}")

    def set(self, offset):
        """Sets it to this offset from the beginning's; when this returns, the daemon sees no other."""
        offset += self._ahead if self.can_step else 0
        self._spans.append([time.time(), float("inf"), offset])
        with open(f"{self._file}.new", "w", encoding="ascii") as file:
            file.write(f"{offset:+d}\n")
        os.rename(f"{self._file}.new", self._file)
        with contextlib.suppress(IndexError):
            # A thread that reads the clock while another one reads the file is shown the time before.
            self._spans[-2][1] = time.time() + LAG

    def now(self):
        return time.time() + self._spans[-1][2]

    def steps(self):
        """The last steps, for the report of a failure: when, and the offset from the machine's clock."""
        return ", ".join(f"{since:.3f} {offset:+d} s" for since, _, offset in self._spans[-5:])

    def shown(self, begin, end):
        """The spans of time that it showed in an interval; more than one if it was set meanwhile."""
        return [
            (max(begin, since) + offset, min(end, until) + offset)
            for since, until, offset in list(self._spans) if since <= end and until >= begin]

    def range(self, begin, end):
        """The earliest and the latest time that it showed in an interval."""
        firsts, lasts = zip(*self.shown(begin, end))
        return min(firsts), max(lasts)

    def may_show(self, moment, begin, end):
        """Whether it showed a moment, rounded down to a second, in an interval."""
        return any(int(first) <= moment <= last for first, last in self.shown(begin, end))

    def set_at(self):
        """When it was set last."""
        return self._spans[-1][0]
