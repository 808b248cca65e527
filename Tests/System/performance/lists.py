"""Rows about `list` under load: throughput, latency, and what a request and a connection take."""
import re
import resource

from support import catalog
from support.daemon import Daemon
from support.files import read
from support.nginx import Nginx
from .bench import refreshed
from .figures import Figure
from .load import Load, list_pairs
from .redis import Redis


def lists(connections, depth, least):
    """A row of `list` on the sample, with the least ratio of requests to those of Redis that is good."""

    def measure(bench):
        load, redis, daemons = Load(bench), Redis(bench), bench.promods()
        with bench.running(*daemons.values(), redis):
            results = _measure(bench, load, daemons, redis, list_pairs, connections, depth)
        name = f"list, {connections:,} connection{'s' * (connections > 1)}" + (f", {depth} deep" if depth > 1 else "")
        requests = _each(results, lambda figures: figures["requests"] / figures["seconds"])
        yield Figure(f"{name}: requests", "/s", requests, "redis", less_is_better=False, goal=least)
        yield Figure(f"{name}: p99", "µs", _each(results, lambda figures: figures["p99"]), "redis", goal=1.0)

    return measure


def large_list(bench):
    """Unlimited `list` of 10,000 apps."""
    load, content, redis, origin = Load(bench), catalog.many(10_000), Redis(bench), Nginx(bench)
    origin.publish(content.bytes)
    daemons = bench.promods(origin)
    with bench.running(origin, *daemons.values(), redis):
        for daemon in daemons.values():
            refreshed(daemon, content)
        results = _measure(bench, load, daemons, redis, lambda daemon: list_pairs(daemon, count=4), 1, 1)
        megabytes = _each(results, lambda figures: figures["bytes"] / figures["seconds"] / 1e6)
        yield Figure("whole list of 10,000 apps, 1 connection", "MB/s", megabytes, "redis", less_is_better=False, goal=1.0)


def _measure(bench, load, daemons, redis, make, connections, depth):
    """The load on each promod, and on Redis with the same replies."""
    loads = {}
    for name, daemon in daemons.items():
        pairs = make(daemon)
        loads[name] = (daemon, load.script(name, pairs))
    loads["redis"] = (redis, load.script("redis", redis.pairs(pairs)))
    return bench.alternate({name: lambda target=target: load.run(*target, connections, depth) for name, target in loads.items()})


def allocations(bench):
    """Allocations per `list`, one at a time and pipelined, on one connection, so that promod's reads are the same each time."""
    load = Load(bench)
    library, counter = bench.compiled("count-malloc.c", "-shared", "-fPIC"), bench.file("allocations", bytes(8))
    for depth in 1, 16:

        def measure(path, depth=depth):
            daemon = Daemon(path, LD_PRELOAD=library, COUNT_MALLOC=counter)
            with bench.running(daemon):
                script = load.script("allocations", list_pairs(daemon))
                load.run(daemon, script, 1, depth)
                before = _count(counter)
                asked = load.run(daemon, script, 1, depth)["asked"]
                return (_count(counter) - before) / asked

        results = bench.alternate(bench.for_each_promod(measure))
        yield Figure(f"allocations per list, {depth} deep" if depth > 1 else "allocations per list", "", results, goal=0)


def _count(counter):
    with open(counter, "rb") as file:
        return int.from_bytes(file.read(8), "little")


def idle_clients(bench):
    """The private memory per client that stays connected after one request, with 10,000 of them."""
    wanted = 10_000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # Servers inherit the limit.
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, wanted + 500)), hard))
    count = min(wanted, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 500)

    def measure_promod(path):
        daemon = Daemon(path)
        daemon.configure(socket__max_connections=count + 10)
        with bench.running(daemon):
            # A Connection to promod wraps its socket.
            return _growth(daemon, lambda: daemon.connect().socket, count, b'{"method":"list","limit":1}\n')

    def measure_redis():
        redis = Redis(bench)
        with bench.running(redis):
            return _growth(redis, redis.connect, count, b"*1\r\n$4\r\nPING\r\n")

    results = bench.alternate({**bench.for_each_promod(measure_promod), "redis": measure_redis})
    yield Figure(f"an idle client's memory, {count:,} of them", "KiB", results, "redis", goal=1)


def _growth(server, connect, count, request):
    """The private memory in KiB that each connection adds, after one reply."""

    def connected():
        connection = connect()
        connection.sendall(request)
        while not connection.recv(65536).endswith(b"\n"):
            pass
        return connection

    connections = [connected()]
    before = _private_dirty(server.pid)
    connections += [connected() for _ in range(count)]
    growth = _private_dirty(server.pid) - before
    for connection in connections:
        connection.close()
    return growth / count


def _private_dirty(pid):
    return int(re.search(r"Private_Dirty: +(\d+) kB", read(f"/proc/{pid}/smaps_rollup"))[1])


def _each(results, value):
    return {name: [value(result) for result in rounds] for name, rounds in results.items()}
