"""Tests that promod bears a machine that is suspended and a wall clock that is set: it serves nothing as fresh that is older than it
says, and asks the origin no more often than it should.

The clock is promod's alone: libfaketime fakes the wall clock and leaves the monotonic clock as it is. A step of the clock moves promod's
timers on the wall clock as the kernel would, so that those that are due then fire at once. To promod that is a suspend as well, because
its monotonic clock does not count one. What is not tested: that a kernel wakes a suspended machine's timers, that its network comes back
later than its clock, and that its connections are gone. The Debian packages libfaketime, gcc, libc6-dev and openssl are needed.
"""
from support.check import Suite
from support.programs import missing
from . import futures, pauses, steps, storms, verdicts

SUITE = Suite(
    __doc__, lambda _: [*steps.CHECKS, *storms.CHECKS, *pauses.CHECKS, *futures.CHECKS, *verdicts.CHECKS],
    obstacle=lambda: missing("libfaketime", "gcc", "openssl"), is_random=True,
    fast=("suspended-hour", "forward-2-years", "back-6-minutes", "storm-pause-hour", "pause-clock", "pause-over-*", "pause-dropped-day*",
        "catalog-day", "schedule-last", "ran-ahead-2-years", "reviews-walk", "launched-ahead-day", "granted-ahead-*"))
