"""Tests one promod with 100,000 requests of each method and 20,000 publications of each kind.

Every reply is checked against a model that shares no code with promod. For each kind, memory must not grow after the first tenth,
and the last tenth must not take more than twice as long as the first. At the end there must be as many descriptors and threads as at
the beginning.
"""
from support.check import Suite
from support.served import launches, served
from support.wire import Connection
from .bystanders import Bystanders
from .extremes import Extremes
from .publications import Publications
from .queries import Queries

UNDER_WAY = {"subscribe", "rpc.discover", "errors"}  # Vanishing clients send these too, and some are never handled.


def _sequence(report, arguments):
    divisor = 10 if arguments.quick or arguments.fast else 1
    with served(arguments.daemon) as (daemon, origin, content):
        recorded = launches(daemon)
        epoch = daemon.ask("status")["epoch"]
        began = daemon.sample()
        print(f"promod {daemon.pid} at the beginning: {began}", flush=True)
        bystanders = Bystanders(daemon.socket)
        queries = Queries(daemon, bystanders, content, recorded)
        publications = Publications(daemon, origin, bystanders, queries)
        extremes = Extremes(daemon, origin, publications)

        def checks():
            # One after another, because the first publication changes what queries expect.
            for kinds in lambda: queries.kinds(100_000 // divisor), lambda: publications.kinds(20_000 // divisor):
                for kind in kinds():
                    yield kind.name, f"{kind.count:,} times", kind.run, daemon
            yield "large catalogs", "catalogs of the greatest size replace each other", extremes.large_generations, 30 if divisor == 1 else 10
            yield "unread replies", "clients that read nothing cost nobody else", extremes.unread_replies, 200
            yield "impolite origin", "an origin that breaks off costs nothing", extremes.impolite_origin, 400 // divisor
            yield "silent origins", "origins that say nothing cost nothing", extremes.silent_origins, 200

        # Unread replies may be left in the connections after an error, so later checks could not be trusted.
        if not all(report.check(*check) for check in checks()):
            print("The rest is left out.")
            return
        for client in (publications, queries, bystanders):
            client.close()
        report.check("the end", "it is the same process, with no more descriptors and threads, and it counted every request",
                     _at_the_end, daemon, began, epoch, bystanders)


def _at_the_end(daemon, began, epoch, bystanders):
    # The event loops of up to four cancelled fetches are kept for three minutes, because name lookups may still report to them.
    descriptors, threads = began.descriptors + 4 * 3, began.threads + 4
    end = daemon.settled(lambda sample: sample.descriptors <= descriptors and sample.threads <= threads)
    # A status does not count itself.
    asked = dict(Connection.asked)
    status = daemon.ask("status")
    problems = []
    if (status["pid"], status["epoch"]) != (daemon.pid, epoch):
        problems.append("the daemon was restarted")
    if end.descriptors > descriptors or end.threads > threads:
        problems.append("there are more descriptors or threads than at the beginning")
    counted = {name: count for name, count in status["queries"].items() if name not in UNDER_WAY}
    asked = {name: asked.get(name, 0) for name in counted}
    if counted != asked:
        problems.append(f"{asked} were sent, but {counted} counted")
    figures = (
        f"{end}; {sum(asked.values()):,} requests, {bystanders.followed:,} events followed, "
        f"{bystanders.lagged} subscribers lagged, {bystanders.vanished:,} clients vanished")
    return figures, problems


SUITE = Suite(
    __doc__, sequence=_sequence, longest=3600,
    options={"--quick": {"action": "store_true", "help": "do a tenth of everything"}})
