"""Rows about what a server holds and does while nobody asks."""
import contextlib
import os
import re
import resource
import time

import catalog
from figures import RATIO, Figure
from promods import for_each_promod, promod, promods, refreshed, sample_content
from servers import Nginx, Redis
from wire import PATIENCE


def large_catalog(bench):
    """What 10,000 apps take beyond the five of the sample, over the bytes of their catalog."""
    content = catalog.many(10_000)

    def measure(path):
        with _refreshed_once(bench, path) as (daemon, origin):
            small = _resting(bench, daemon)
            origin.publish(content.bytes)
            refreshed(daemon, content)
            return (_resting(bench, daemon).dirty - small.dirty) * 2**20 / len(content.bytes)

    results = bench.alternate(for_each_promod(bench, measure))
    yield Figure("memory of 10,000 apps over the catalog's bytes", RATIO, results, goal=3)


def after_refresh(bench):
    """What is held at rest after a refresh over TLS."""

    def measure(path):
        with _refreshed_once(bench, path) as (daemon, _):
            return _resting(bench, daemon)

    results = bench.alternate(for_each_promod(bench, measure))
    for name, unit, attribute, goal in (
        ("RSS", "MB", "rss", 16), ("PSS", "MB", "pss", None), ("private dirty", "MB", "dirty", 2.5), ("threads", "", "threads", 3),
    ):
        samples = {server: [getattr(sample, attribute) for sample in rounds] for server, rounds in results.items()}
        yield Figure(f"idle after a refresh over TLS: {name}", unit, samples, goal=goal)


def idle_clients(bench):
    """What is held for a client that has asked once and stays, with 10,000 of them."""
    wanted = 500 if bench.is_short else 10_000
    count = min(wanted, _descriptors(wanted + 500) - 500)

    def measure_promod(path):
        daemon = promod(path)
        daemon.configure(socket__max_connections=count + 10)
        with bench.running(daemon):
            return _growth(daemon, count, b'{"method":"list","limit":1}\n')

    def measure_redis():
        redis = Redis(bench)
        with bench.running(redis):
            return _growth(redis, count, b"*1\r\n$4\r\nPING\r\n")

    results = bench.alternate({**for_each_promod(bench, measure_promod), "redis": measure_redis})
    yield Figure(f"an idle client's memory, {count:,} of them", "KiB", results, "redis", goal=1)


def wake_ups(bench):
    """The context switches of an idle process in a minute, of all at the same time."""
    seconds = 1 if bench.is_short else 60
    servers = {**promods(bench), "redis": Redis(bench)}
    with bench.running(*servers.values()):
        # What a start leaves behind is over by then.
        time.sleep(min(seconds, 5))
        before = {name: _context_switches(server.pid) for name, server in servers.items()}
        bench.progress(f"{seconds} s idle")
        time.sleep(seconds)
        counts = {name: [_context_switches(server.pid) - before[name]] for name, server in servers.items()}
    yield Figure(f"wake-ups in {seconds} s idle", "", counts, "redis", goal=0)


@contextlib.contextmanager
def _refreshed_once(bench, path):
    """A promod that has got the sample from an origin."""
    origin, content = Nginx(bench), sample_content()
    with bench.running(origin):
        origin.publish(content.bytes)
        daemon = promod(path, origin)
        with bench.running(daemon):
            refreshed(daemon, content)
            yield daemon, origin


def _resting(bench, daemon):
    """A sample of a daemon at rest: some time after a refresh, threads end and memory comes back."""
    end, before, pause = time.monotonic() + PATIENCE, None, 0.1 if bench.is_short else 3
    while (sample := daemon.sample()) != before and time.monotonic() < end:
        before = sample
        time.sleep(pause)
    return sample


def _growth(server, count, request):
    """The KiB of private memory that each of that many connections adds, after a reply to each."""

    def connected():
        connection = server.connect()
        # A promod's connection has its socket in it.
        plain = getattr(connection, "socket", connection)
        plain.sendall(request)
        while not plain.recv(65536).endswith(b"\n"):
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
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        return int(re.search(r"Private_Dirty: +(\d+) kB", file.read())[1])


def _context_switches(pid):
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/status", encoding="utf-8") as file:
            total += sum(int(count) for count in re.findall(r"ctxt_switches:\s+(\d+)", file.read()))
    return total


def _descriptors(wanted):
    """How many descriptors this process and its children may have: that many, if the limit can be raised."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), max(hard, wanted)))
    except ValueError:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
