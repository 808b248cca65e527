"""Tests one promod with 100,000 requests of each method and 20,000 publications of each kind.

Every reply is checked against a model that shares no code with promod. For each kind, memory must not grow after the first tenth,
and the last tenth must not take more than twice as long as the first. At the end there must be as many descriptors and threads as at
the beginning.
"""
import contextlib

from support.check import Suite
from support.programs import missing
from support.served import launches, served
from support.wire import Connection
from . import publications, queries
from .bystanders import Bystanders
from .extremes import Extremes

UNDER_WAY = {"subscribe", "rpc.discover"}  # Vanishing clients send these too, and some are never handled.


class Endurance:
    """One promod, and all of its clients."""

    def __init__(self, daemon, origin, content):
        self.daemon, recorded = daemon, launches(daemon)
        self.epoch = daemon.ask("status")["epoch"]
        self.began = daemon.sample()
        print(f"promod {daemon.pid} at the beginning: {self.began}", flush=True)
        self.bystanders = Bystanders(daemon.socket)
        self.queries = queries.Queries(daemon, self.bystanders, content, recorded)
        self.publications = publications.Publications(daemon, origin, self.bystanders, self.queries)
        self.extremes = Extremes(daemon, origin, self.publications)


@contextlib.contextmanager
def _endurance(arguments):
    with served(arguments.daemon) as (daemon, origin, content):
        yield Endurance(daemon, origin, content)


def _sequence(report, arguments, endurance):
    divisor = 10 if arguments.quick or arguments.fast else 1
    kinds = [
        *queries.kinds(endurance and endurance.queries, 100_000 // divisor),
        *publications.kinds(endurance and endurance.publications, 20_000 // divisor)]
    checks = [
        *((kind.name, f"{kind.count:,} times", lambda kind=kind: kind.run(endurance.daemon)) for kind in kinds),
        ("large catalogs", "catalogs of the greatest size replace each other",
         lambda: endurance.extremes.large_generations(30 if divisor == 1 else 10)),
        ("unread replies", "clients that read nothing cost nobody else", lambda: endurance.extremes.unread_replies(200)),
        ("impolite origin", "an origin that breaks off costs nothing", lambda: endurance.extremes.impolite_origin(40 // divisor)),
        ("silent origins", "origins that say nothing cost nothing", lambda: endurance.extremes.silent_origins(200))]
    # Unread replies may be left in the connections after an error, so later checks could not be trusted.
    if not all(report.check(*check) for check in checks):
        print("The rest is left out.")
        return
    report.check("the end", "it is the same process, with no more descriptors and threads, and it counted every request", _at_the_end, endurance)


def _at_the_end(endurance):
    daemon, began, bystanders = endurance.daemon, endurance.began, endurance.bystanders
    for client in (endurance.publications, endurance.queries, bystanders):
        client.close()
    # The event loops of up to four cancelled fetches are kept for three minutes, because name lookups may still report to them.
    descriptors, threads = began.descriptors + 4 * 3, began.threads + 4
    end = daemon.settled(lambda sample: sample.descriptors <= descriptors and sample.threads <= threads)
    # It counts itself.
    status = daemon.ask("status")
    problems = []
    if (status["pid"], status["epoch"]) != (daemon.pid, endurance.epoch):
        problems.append("the daemon was restarted")
    if end.descriptors > descriptors or end.threads > threads:
        problems.append("there are more descriptors or threads than at the beginning")
    counted = {name: count for name, count in status["requests"].items() if name not in UNDER_WAY}
    asked = {name: Connection.asked[name] for name in counted}
    if counted != asked:
        problems.append(f"{asked} were sent, but {counted} counted")
    figures = (
        f"{end}; {sum(asked.values()):,} requests, {bystanders.followed:,} events followed, "
        f"{bystanders.lagged} subscribers lagged, {bystanders.vanished:,} clients vanished")
    return figures, problems


SUITE = Suite(
    __doc__, sequence=_sequence, ground=_endurance, obstacle=lambda: missing("openssl"), longest=3600,
    options={"--quick": {"action": "store_true", "help": "do a tenth of everything"}})
