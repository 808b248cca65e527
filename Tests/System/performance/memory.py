"""Rows about memory, threads and wake-ups at rest."""
import contextlib
import os
import re
import resource
import time

from support import catalog
from support.nginx import Nginx
from support.wire import PATIENCE
from .figures import Figure
from .promods import for_each_promod, promod, promods, refreshed, sample_content
from .servers import Redis


def large_catalog(bench):
    """The private memory of 10,000 apps beyond that of the sample, over the size of the catalog."""
    content = catalog.many(10_000)

    def measure(path):
        with _refreshed_once(bench, path) as (daemon, origin):
            small = _resting(bench, daemon)
            origin.publish(content.bytes)
            refreshed(daemon, content)
            return (_resting(bench, daemon).dirty - small.dirty) * 2**20 / len(content.bytes)

    results = bench.alternate(for_each_promod(bench, measure))
    yield Figure("memory of 10,000 apps over the catalog's bytes", "", results, goal=3)


def after_refresh(bench):
    """Memory and threads at rest after a refresh over TLS."""

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
    """The private memory per client that stays connected after one request, with 10,000 of them."""
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
    """The context switches of the idle servers within a minute, all at the same time."""
    seconds = 1 if bench.is_short else 60
    servers = {**promods(bench), "redis": Redis(bench)}
    with bench.running(*servers.values()):
        # Idle threads of Dispatch end after 5 s, and of Redis nothing tells when its work after a start is done.
        time.sleep(min(seconds, 5))
        before = {name: _context_switches(server.pid) for name, server in servers.items()}
        bench.progress(f"{seconds} s idle")
        time.sleep(seconds)
        counts = {name: [_context_switches(server.pid) - before[name]] for name, server in servers.items()}
    yield Figure(f"wake-ups in {seconds} s idle", "", counts, "redis", goal=0)


@contextlib.contextmanager
def _refreshed_once(bench, path):
    """Yields a promod that has fetched the sample from an origin, and the origin."""
    origin, content = Nginx(bench), sample_content()
    with bench.running(origin):
        origin.publish(content.bytes)
        daemon = promod(path, origin)
        with bench.running(daemon):
            refreshed(daemon, content)
            yield daemon, origin


def _resting(bench, daemon):
    """The first sample that equals the one before. Idle worker threads end after 5 s, so the pause is longer."""
    end, before, pause = time.monotonic() + PATIENCE, None, 0.1 if bench.is_short else 6
    while (sample := daemon.sample()) != before and time.monotonic() < end:
        before = sample
        time.sleep(pause)
    return sample


def _growth(server, count, request):
    """The private memory in KiB that each connection adds, after one reply."""

    def connected():
        connection = server.connect()
        # A Connection to promod wraps its socket.
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
    """Raises the limit of descriptors, which child processes inherit, as far as necessary and allowed, and returns it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), max(hard, wanted)))
    except ValueError:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
