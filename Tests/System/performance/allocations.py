"""The number of allocations per `list` in the steady state, which is the same in every run."""
from support.daemon import Daemon
from .figures import Figure
from .load import Load, list_pairs
from .promods import for_each_promod, sample_content


def allocations(bench):
    """Allocations per `list`, one at a time and pipelined, on one connection, so that promod's reads are the same each time."""
    load, content = Load(bench), sample_content()
    library = bench.compiled("count-malloc.c", "-shared", "-fPIC")
    requests = 50_000 if bench.is_short else 500_000

    for depth in 1, 16:

        def measure(path, depth=depth):
            counter = bench.file("allocations", bytes(8))
            daemon = Daemon(path, LD_PRELOAD=library, COUNT_MALLOC=counter)
            with bench.running(daemon):
                script = load.script("allocations", list_pairs(daemon, content, "sample"))
                # The difference of two runs, of which the second has twice as many requests, leaves out the connection's own.
                first = _counted(counter, lambda: load.run(daemon, script, 1, depth, requests))
                second = _counted(counter, lambda: load.run(daemon, script, 1, depth, 2 * requests))
                return (second - first) / requests

        results = bench.alternate(for_each_promod(bench, measure), rounds=1)
        yield Figure(f"allocations per list, {depth} deep" if depth > 1 else "allocations per list", "", results, goal=0)


def _counted(counter, work):
    before = _read(counter)
    work()
    return _read(counter) - before


def _read(counter):
    with open(counter, "rb") as file:
        return int.from_bytes(file.read(8), "little")
