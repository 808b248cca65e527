"""Tests many promods behind Debian's nginx as a cache, configured by packaging/nginx.conf, and measures what a refresh costs.

Twenty daemons at one end of a cable ask the cache at the other end, which asks a TLS origin. Each check is printed with the directive
of the example that it depends on. Then a packet socket counts the bytes of a refresh on the cable, and the READMEs are compared with
that. It needs root and the Debian packages iproute2, nginx-light, openssl and libfaketime, which sets the clock of nginx ahead.
"""
import tempfile

from support import network
from support.check import Suite
from support.programs import missing
from . import checks, readmes
from .cache import CacheClock
from .costs import measure, table
from .machines import Fleet


def _sequence(report, arguments):
    costs = []

    def wire():
        costs.extend(measure(fleet))

    fleet = Fleet(arguments.daemon, arguments.daemons)
    if report.lists:
        checks.run(report, fleet)
        report.check("the wire", "the cable shows what each kind of refresh takes", wire)
        readmes.check(report, costs)
        return
    with fleet:
        checks.run(report, fleet)
        report.check("the wire", "the cable shows what each kind of refresh takes", wire)
        if costs:
            print(table(costs, fleet.cache.chain.length))
            readmes.check(report, costs)


def _obstacle():
    if reason := network.obstacle() or missing("nginx", "openssl"):
        return reason
    with tempfile.TemporaryDirectory() as directory:
        return "" if CacheClock(directory).can_step else "the Debian package libfaketime is not installed"


SUITE = Suite(
    __doc__, sequence=_sequence, obstacle=_obstacle, longest=600,
    options={"--daemons": {"metavar": "N", "type": int, "default": 20, "help": "how many promods (20)"}})
