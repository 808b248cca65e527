"""Tests one promod with clients that do everything wrong, each beside a well-behaved client whose waits are printed."""
from support import catalog
from support.check import Suite
from support.claims import expect
from support.served import launches, served
from .attacks import Hostile

LARGE = 5_000_000  # bytes, about as much as a catalog may have


def _sequence(report, arguments):
    with served(arguments.daemon) as (daemon, origin, _):
        launches(daemon)
        hostile = Hostile(daemon, 10 if arguments.quick or arguments.fast else 1)

        def large_catalog():
            origin.body = catalog.large(LARGE).bytes
            expect(daemon.ask("refresh")["outcome"] == "updated", "a large catalog is not served")

        # Unread replies may be left in the connections after an error, so later checks could not be trusted.
        if not all(report.check(name, attack.__doc__, hostile.run, attack) for name, attack in hostile.checks().items()):
            print("The rest is left out.")
            return
        if not report.lists:
            large_catalog()
        report.check("never reading", hostile.never_reading.__doc__, hostile.run, hostile.never_reading)
        report.check("leaving early", hostile.leaving_early.__doc__, hostile.run, hostile.leaving_early)


SUITE = Suite(
    __doc__, sequence=_sequence, longest=3600,
    fast=("lines of 64 KiB", "malformed lines", "connect and vanish", "connection limit", "half-closed", "another user", "runs of marks", "invented ids"),
    options={"--quick": {"action": "store_true", "help": "do a tenth of everything"}})
