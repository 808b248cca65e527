"""Rows about `list` under load: throughput and latency."""
import contextlib
import itertools
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from support import catalog
from support.nginx import Nginx
from .figures import Figure
from .load import Load, list_pairs
from .promods import promods, refreshed, sample_content
from .servers import Limit, Mpv, Redis, Watchman


def lists(connections, depth, goals):
    """A row of `list` on the sample. Goals: requests over Redis, p99 over Redis, requests over the limit."""

    def measure(bench):
        with small_lists(bench) as (load, loads):
            results = bench.alternate({
                name: lambda target=target: load.run(*target, connections, depth) for name, target in loads.items()})
        name = f"list, {_connections(connections)}" + (f", {depth} deep" if depth > 1 else "")
        requests = _each(results, lambda figures: figures["requests"] / figures["seconds"])
        over_redis, p99, over_limit = goals
        yield Figure(f"{name}: requests", "/s", requests, "redis", less_is_better=False, goal=over_redis)
        yield Figure(f"{name}: p50", "µs", _each(results, lambda figures: figures["p50"]), "redis")
        yield Figure(f"{name}: p99", "µs", _each(results, lambda figures: figures["p99"]), "redis", goal=p99)
        yield Figure(f"{name}: requests", "/s", requests, "limit", less_is_better=False, goal=over_limit)

    return measure


@contextlib.contextmanager
def small_lists(bench):
    """Starts each promod, Redis and the limit, and yields the generator, and by name each server with its script."""
    load, content, redis = Load(bench), sample_content(), Redis(bench)
    daemons = promods(bench)
    with bench.running(*daemons.values(), redis):
        loads = {}
        for name, daemon in daemons.items():
            pairs = list_pairs(daemon, content, "sample")
            loads[name] = (daemon, load.script(name, pairs))
        loads["redis"] = (redis, load.script("redis", redis.pairs(pairs)))
        limit = Limit(bench, pairs)
        with bench.running(limit):
            loads["limit"] = (limit, load.script("limit", limit.pairs(pairs)))
            yield load, loads


def neighbours(bench):
    """Other servers with line-delimited JSON on a Unix socket, each with its simplest request."""
    with small_lists(bench) as (load, loads):
        others = [Watchman(bench), Mpv(bench)]
        others = [server for server in others if server.is_installed]
        with bench.running(*others):
            for server in others:
                loads[server.name] = (server, load.script(server.name, server.pairs()))
            for connections in 1, 16:
                results = bench.alternate({
                    name: lambda target=target: load.run(*target, connections, 1)
                    for name, target in loads.items() if name not in ("redis", "limit")})
                requests = _each(results, lambda figures: figures["requests"] / figures["seconds"])
                for server in others:
                    name = f"list, {_connections(connections)}, beside {server.asks}: requests"
                    yield Figure(name, "/s", requests, server.name, less_is_better=False)


def large_list(bench):
    """Unlimited `list` of 10,000 apps."""
    load, content, redis, origin = Load(bench), catalog.many(10_000), Redis(bench), Nginx(bench)
    with bench.running(origin):
        origin.publish(content.bytes)
        daemons = promods(bench, origin)
        with bench.running(*daemons.values(), redis):
            loads = {}
            for name, daemon in daemons.items():
                refreshed(daemon, content)
                pairs = list_pairs(daemon, content, "origin", count=4)
                loads[name] = (daemon, load.script(name, pairs))
            loads["redis"] = (redis, load.script("redis", redis.pairs(pairs)))
            for connections, goal in (1, 1.0), (4, None):
                results = bench.alternate({
                    name: lambda target=target: load.run(*target, connections, 1) for name, target in loads.items()})
                megabytes = _each(results, lambda figures: figures["bytes"] / figures["seconds"] / 1e6)
                name = f"whole list of 10,000 apps, {_connections(connections)}"
                yield Figure(name, "MB/s", megabytes, "redis", less_is_better=False, goal=goal)


def publishing(bench):
    """`list` while a catalog of 2.6 MiB is published twice a second, over `list` without publications."""
    load, origin = Load(bench), Nginx(bench)
    contents = [catalog.many(11_000, version) for version in range(2)]

    def measure(daemon, script):
        quiet = load.run(daemon, script, 16, 1)["p99"]
        with _publisher(daemon, origin, contents):
            return quiet, load.run(daemon, script, 16, 1)["p99"]

    with bench.running(origin):
        origin.publish(contents[0].bytes)
        daemons = promods(bench, origin)
        with bench.running(*daemons.values()):
            loads = {}
            for name, daemon in daemons.items():
                refreshed(daemon, contents[0])
                pairs = list_pairs(daemon, contents[0], "origin", limit=5, has_generations=True)
                loads[name] = (daemon, load.script(name, pairs))
            results = bench.alternate({name: lambda target=target: measure(*target) for name, target in loads.items()})
    name = "list, 16 connections, while 2.6 MiB catalogs are published: p99"
    yield Figure(name, "µs", _each(results, lambda both: both[1]))
    yield Figure(f"{name} over quiet", "", _each(results, lambda both: both[1] / both[0]), goal=1.3)


def launching(bench):
    """`launch`, which waits for the disk, while catalogs of 4.8 MB are published one after another."""
    origin = Nginx(bench)
    contents = [catalog.many(20_000, version) for version in range(2)]

    def measure(daemon):
        with _publisher(daemon, origin, contents, pause=0):
            return _p99_of_launch(daemon, 2 if bench.is_short else 10)

    with bench.running(origin):
        origin.publish(contents[0].bytes)
        daemons = promods(bench, origin)
        with bench.running(*daemons.values()):
            for daemon in daemons.values():
                refreshed(daemon, contents[0])
            results = bench.alternate({name: lambda daemon=daemon: measure(daemon) for name, daemon in daemons.items()})
    yield Figure("launch, while 4.8 MB catalogs are published: p99", "ms", results, goal=20)


def _p99_of_launch(daemon, seconds):
    """In milliseconds, of launches one after another on a connection, each pause long enough not to be a load itself."""
    connection, times = daemon.connect(), []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        start = time.monotonic()
        connection.ask("launch", app="app-1")
        times.append((time.monotonic() - start) * 1000)
        time.sleep(0.005)
    connection.close()
    return sorted(times)[len(times) * 99 // 100]


@contextlib.contextmanager
def _publisher(daemon, origin, contents, pause=0.5):
    """Publishes these catalogs in turn during the body, and the first one after it."""
    over = threading.Event()

    def publish(content):
        origin.publish(content.bytes)
        refreshed(daemon, content)

    def work():
        for content in itertools.cycle(reversed(contents)):
            publish(content)
            if over.wait(pause):
                return

    with ThreadPoolExecutor(1) as pool:
        publications = pool.submit(work)
        try:
            yield
        finally:
            over.set()
            publications.result()
    publish(contents[0])


def _connections(count):
    return "1 connection" if count == 1 else f"{count:,} connections"


def _each(results, value):
    return {name: [value(result) for result in rounds] for name, rounds in results.items()}
