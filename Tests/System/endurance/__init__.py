"""Tests one promod with 100,000 requests of each method and thousands of changes: neither memory nor descriptors grow, nor does it slow down.

Every reply is compared with the first one to the same request, or with what follows from a model of the catalog.
"""
import contextlib
import itertools

from support.check import Suite
from support.programs import missing
from support.served import served
from .kinds import Kinds

MANY = 100_000


@contextlib.contextmanager
def _ground(arguments):
    with served(arguments.daemon) as (daemon, origin, content):
        kinds = Kinds(daemon, origin, content)
        yield kinds
        kinds.close()


def _sequence(report, arguments, kinds):
    count = MANY // 10 if arguments.fast else MANY
    checks = [
        *((name, count) for name in ("list", "tap", "impression", "status", "review-eligible")),
        *((name, count // 5) for name in ("launch", "reload", "grant")),
        ("rpc.discover", count // 50), ("subscribe", count // 20), ("refresh-304", 20), ("refresh-200", 20), ("refresh-refused", 20),
        ("refresh-large", 10), ("silent-origins", count // 500)]
    # Unread replies may be left in the connections after an error, so later checks could not be trusted.
    for name, number in itertools.takewhile(
            lambda check: report.check(check[0], f"{check[1]:,} times", lambda: kinds.run(*check)), checks):
        pass
    report.check("the end", "it is the same process, with no more descriptors and threads than at the beginning", lambda: kinds.at_the_end())


SUITE = Suite(__doc__, sequence=_sequence, ground=_ground, obstacle=lambda: missing("openssl"))
