"""Tests many promods behind Debian's nginx as a cache, configured by packaging/nginx.conf, and measures what a refresh costs.

Twenty daemons at one end of a cable ask the cache at the other end, which asks a TLS origin. Each check is printed with the directive
of the example that it depends on. Then a packet socket counts the bytes of a refresh on the cable, and ForOperators.md is compared
with that. It needs root and the Debian packages iproute2, nginx-light, curl, openssl, gcc, libc6-dev and libfaketime, which sets the
clock of nginx ahead.
"""
from support import network
from support.check import Suite
from support.programs import missing
from . import article, checks
from .costs import measure, table
from .machines import Fleet


def _sequence(report, arguments, fleet):
    costs = []

    def wire():
        fleet.origin.recover()
        costs.extend(measure(fleet))
        print(table(costs, fleet.cache.chain.length))

    checks.run(report, fleet)
    report.check("the wire", "the cable shows what each kind of refresh takes", wire)
    if costs or report.lists:
        article.check(report, costs)


SUITE = Suite(
    __doc__, sequence=_sequence, obstacle=lambda: network.obstacle() or missing("nginx", "curl", "openssl", "libfaketime", "gcc"),
    ground=lambda arguments: Fleet(arguments.daemon, arguments.daemons), longest=600,
    options={"--daemons": {"metavar": "N", "type": int, "default": 20, "help": "how many promods (20)"}})
