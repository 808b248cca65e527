"""Tests that promod withstands a machine that is suspended and a wall clock that is set.

The clock is promod's alone: libfaketime fakes the wall clock and leaves the monotonic clock as it is. A step of the clock moves promod's
timers on the wall clock as the kernel would, so that those that are due then fire at once. To promod that is a suspend as well, because
its monotonic clock does not count one.
"""
from support.check import Suite
from support.programs import missing
from . import checks

SUITE = Suite(
    __doc__, lambda _: checks.CHECKS, obstacle=lambda: missing("libfaketime", "gcc", "openssl"), is_random=True,
    fast=("forward-2-years", "back-6-minutes", "woken", "pause", "storm"))
