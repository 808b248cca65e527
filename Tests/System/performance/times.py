"""Rows about the time of starts, refreshes and commands."""
import itertools
import os
import signal
import socket
import statistics
import subprocess
import time

from support import catalog
from support.claims import Failed
from support.daemon import GAP, Daemon
from support.nginx import Nginx
from support.wire import PATIENCE
from .bench import refreshed
from .figures import Figure
from .load import Pair
from .redis import Redis


def start(bench):
    """The time from exec to the first reply."""

    def measure_promod(path):
        daemon = Daemon(path)
        daemon.prepare()
        try:
            return _median(10, lambda: _first_reply(bench, [path], daemon, b'{"method":"list"}\n', b'"apps":[{'))
        finally:
            daemon.stop()

    def measure_redis():
        redis = Redis(bench)
        return _median(10, lambda: _first_reply(bench, redis.command, redis, b"*2\r\n$3\r\nGET\r\n$1\r\n0\r\n", b"$-1"))

    results = bench.alternate({**bench.for_each_promod(measure_promod), "redis": measure_redis})
    yield Figure("exec to first reply", "ms", results, "redis", goal=1.0)


def promoctl_list(bench):
    """promoctl from exec to exit, over redis-cli with the same reply."""
    daemons, redis = bench.promods(), Redis(bench)
    with bench.running(*daemons.values(), redis):
        names = [app["name"].encode() for app in daemons["promod"].ask("list")["apps"]]
        redis.pairs([Pair(b"", _reply(daemons["promod"].socket, b'{"method":"list"}\n'))])
        commands = {
            name: ([f"{os.path.dirname(daemon.binary)}/promoctl", "list"], daemon.environment) for name, daemon in daemons.items()}
        commands["redis-cli"] = (["redis-cli", "-s", redis.socket, "get", "0"], redis.environment)
        for command, environment in commands.values():
            shown = subprocess.run(command, env=environment, capture_output=True, check=True).stdout
            if not all(name in shown for name in names):
                raise Failed(f"{command} shows {shown[:1000]}")
        results = bench.alternate({
            name: lambda run=run: _median(50, lambda: _run(bench, *run)) for name, run in commands.items()})
    yield Figure("promoctl list, exec to exit", "ms", results, "redis-cli", goal=1.1)


def refreshes(bench, status, outcome):
    """Refreshes, over curl; before each that is to have status 200, the origin gets another catalog."""
    origin, contents = Nginx(bench), map(catalog.small, itertools.count())
    current = next(contents)

    def publish_next():
        nonlocal current
        if status == "200":
            current = next(contents)
            origin.publish(current.bytes)

    def measure_promod(connection):
        publish_next()
        time.sleep(GAP)
        begin = time.monotonic()
        result = connection.ask("refresh")
        took = (time.monotonic() - begin) * 1e3
        if (result["outcome"], result["generation"]) != (outcome, current.generation):
            raise Failed(f"a refresh was answered {result}")
        return took

    def measure_curl(command):
        publish_next()
        time.sleep(0.02)
        took = _run(bench, command, {"PATH": os.environ["PATH"]})
        with open(bench.file("output"), encoding="ascii") as output:
            if (said := output.read()) != status:
                raise Failed(f"curl was answered {said}")
        return took

    daemons = bench.promods(origin)
    with bench.running(origin):
        origin.publish(current.bytes)
        with bench.running(*daemons.values()):
            for daemon in daemons.values():
                refreshed(daemon, current)
            curl = ["curl", "--silent", "--cacert", origin.certificate, "--output", "/dev/null", "--write-out", "%{http_code}"]
            subprocess.run([*curl, "--etag-save", bench.file("etag"), origin.url], check=True, capture_output=True)
            if status == "304":
                curl += ["--etag-compare", bench.file("etag")]
            results = bench.alternate({
                **{name: lambda connection=daemon.connect(): _median(10, lambda: measure_promod(connection))
                   for name, daemon in daemons.items()},
                "curl": lambda: _median(10, lambda: measure_curl([*curl, origin.url]))})
    yield Figure(f"refresh, {status}", "ms", results, "curl", goal=1.0)


def _median(count, measure):
    return statistics.median(measure() for _ in range(count))


def _spawn(bench, command, environment):
    """Starts a program with little overhead; its output goes to a file."""
    file, flags = bench.file("output"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    actions = [(os.POSIX_SPAWN_OPEN, 1, file, flags, 0o600), (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)]
    return os.posix_spawnp(command[0], command, environment, file_actions=actions)


def _run(bench, command, environment):
    """The time in milliseconds from exec to exit."""
    begin = time.monotonic()
    pid = _spawn(bench, command, environment)
    _, status = os.waitpid(pid, 0)
    took = (time.monotonic() - begin) * 1e3
    if status != 0:
        raise Failed(f"{command} failed")
    return took


def _first_reply(bench, command, server, request, expected):
    """The time in milliseconds from exec to the first reply."""
    begin = time.monotonic()
    pid = _spawn(bench, command, server.environment)
    try:
        reply = _reply(server.socket, request)
        took = (time.monotonic() - begin) * 1e3
    finally:
        os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)
    if expected not in reply:
        raise Failed(f"{command} answered {reply[:1000]}")
    return took


def _reply(path, request):
    """The reply to a request, which is sent as soon as the socket accepts connections."""
    end = time.monotonic() + PATIENCE
    with socket.socket(socket.AF_UNIX) as connection:
        while connection.connect_ex(path) != 0:
            if time.monotonic() > end:
                raise Failed(f"nobody listens at {path}")
            time.sleep(5e-5)
        connection.settimeout(PATIENCE)
        connection.sendall(request)
        reply = b""
        while not reply.endswith(b"\n"):
            reply += connection.recv(1 << 20) or b"\n"
        return reply
