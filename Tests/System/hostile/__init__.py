"""Tests one promod with clients that do everything wrong, each beside a well-behaved client."""
import contextlib

from support.check import Suite
from support.programs import missing
from support.served import served
from .attacks import ATTACKS, LARGE_ATTACKS, Hostile


@contextlib.contextmanager
def _hostile(arguments):
    with served(arguments.daemon) as (daemon, origin, _):
        yield Hostile(daemon, origin)


def _sequence(report, _, hostile):
    # Unread replies may be left in the connections after an error, so later checks could not be trusted.
    if not all(report.check(name, attack.__doc__, lambda attack=attack: hostile.run(attack)) for name, attack in ATTACKS.items()):
        print("The rest is left out.")
        return
    for name, attack in LARGE_ATTACKS.items():
        report.check(name, attack.__doc__, lambda attack=attack: hostile.run_large(attack))


SUITE = Suite(
    __doc__, sequence=_sequence, ground=_hostile, obstacle=lambda: missing("openssl", "nc.openbsd"), is_random=True,
    fast=("malformed lines", "another user", "invented ids"))
