"""Rows about what one client waits that asks for a small list each millisecond, while others keep the same server busy."""
import functools
import itertools
import json
import re
import socket
import threading

from support import catalog
from support.claims import Failed
from support.daemon import Daemon
from support.files import write
from support.nginx import Nginx
from support.pictures import png
from support.wire import connected
from .figures import Figure
from .load import Load, list_pairs

APPS, CATALOGS, PICTURES = 10_000, 4, 900
LANGUAGES = "en", "ko", "ja"
PERIOD = 1000  # microseconds


class Others:
    """The other clients of a promod. Each method is what some of them do until they are stopped."""

    def __init__(self, daemon, origin):
        self.daemon, self.origin, self.are_stopped, self.failure = daemon, origin, threading.Event(), None

    def first_lists(self):
        """Six kinds of rows are listed for the first time since the start."""
        for icons, language in itertools.product((False, True), LANGUAGES):
            self.ask([_list(language=language, icons=icons)])

    def pictures(self):
        """Many wait for a picture each."""
        self.ask(*([_call("icon", app=f"app-{n}", catalog="large-0", wait=True)] for n in range(PICTURES)))

    def publications(self):
        """Large catalogs are replaced and listed."""
        for version in itertools.cycle(range(3)):
            if self.are_stopped.wait(0.5):
                return
            self.origin.publish(_large(self.origin, version))
            for number in range(CATALOGS):
                self.ask([_call("refresh", catalog=f"large-{number}"), *[_list(number, language=code) for code in LANGUAGES]])

    def large_replies(self):
        """Twelve pipeline large lists of which no two are the same."""
        limits = itertools.count(3000)
        self._repeat(12, lambda: [[_list(unlaunched=True, limit=next(limits)) for _ in range(8)]])

    def connections(self):
        """Three thousand at a time would not fit; three times 250 come, ask once and go, again and again."""
        self._repeat(3, lambda: [[_call("list")]] * 250)

    def _repeat(self, count, make):
        """Asks on so many threads until the stop."""
        def ask():
            while not self.are_stopped.is_set():
                self.ask(*make())

        threads = [threading.Thread(target=ask) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def ask(self, *groups):
        """Sends each group of requests on a connection of its own, and reads all replies up to the connection's end."""
        connections = [connected(self.daemon.socket) for _ in groups]
        for connection, requests in zip(connections, groups):
            connection.sendall(b"".join(requests))
            connection.shutdown(socket.SHUT_WR)
        for connection in connections:
            while reply := connection.recv(1 << 20):
                if b'"error":{' in reply:
                    self.failure = reply[:500]
            connection.close()


def waits(name, disturb, longest=10):
    """A row of what the one waits during a disturbance: the 99th percentile beside the quiet server's, and the longest."""

    def measure(bench):
        load = Load(bench)

        def of_promod(path):
            origin, daemon = Nginx(bench), Daemon(path)
            _furnish(daemon, origin)
            with bench.running(origin, daemon):
                for number in range(CATALOGS):
                    daemon.ask("refresh", catalog=f"large-{number}")
                return _measure(load, daemon, Others(daemon, origin), disturb)

        results = bench.alternate(bench.for_each_promod(of_promod))
        for figure, goal in (("p50", None), ("p99 over quiet", None), ("longest", longest)):
            samples = {server: [result[figure] for result in rounds] for server, rounds in results.items()}
            yield Figure(f"wait, {name}: {figure}", "" if "quiet" in figure else "ms", samples, goal=goal)

    return measure


def _furnish(daemon, origin):
    """Configures large catalogs beside the default one, and a history in which half of their apps were launched."""
    daemon.prepare()
    for version in reversed(range(3)):
        origin.publish(_large(origin, version))
    origin.bench.file("www/icon.png", png())
    places = daemon.environment
    for number in range(CATALOGS):
        write(f"{places['XDG_CONFIG_HOME']}/promod/catalogs.d/large-{number}.toml", f'url = "{origin.url}?{number}"\nca-file = "{origin.certificate}"\n')
    launched = {f"app-{n}": {"firstLaunch": "2026-01-01T00:00:00Z", "requests": []} for n in range(0, APPS, 2)}
    write(f"{places['XDG_STATE_HOME']}/promod/reviews.json", json.dumps({"format": 4, "apps": launched}, separators=(",", ":")) + "\n")


def _measure(load, daemon, others, disturb):
    script = load.script("waits", list_pairs(daemon))
    quiet = load.run(daemon, script, 1, 1, PERIOD)["p99"]
    thread = threading.Thread(target=disturb, args=(others,))
    thread.start()
    try:
        figures = load.run(daemon, script, 1, 1, PERIOD)
    finally:
        others.are_stopped.set()
        thread.join()
    if others.failure:
        raise Failed(f"another client was answered {others.failure}")
    return {"p50": figures["p50"] / 1e3, "p99 over quiet": figures["p99"] / quiet, "longest": figures["longest"] / 1e3}


@functools.cache
def _large(origin, version=0):
    """A large catalog, whose first pictures the origin has."""
    own = catalog.many(APPS, version).bytes.replace(b"https://example.com/icons/", f"https://127.0.0.1:{origin.port}/icon.png?".encode())
    return re.sub(rb'https://[^"]*[?](9\d\d|\d{4})[.]png', rb"https://example.com/\1.png", own)


def _call(method, **params):
    return json.dumps({"id": 1, "method": method, "params": params}).encode() + b"\n"


def _list(number=0, **params):
    return _call("list", catalog=f"large-{number}", **params)


WAITS = {
    "waits-first": waits("first lists of 10,000 apps", Others.first_lists),
    "waits-pictures": waits("900 wait for pictures", Others.pictures),
    "waits-publications": waits("10,000 apps published", Others.publications),
    "waits-replies": waits("12 pipeline large lists", Others.large_replies, longest=50),
    "waits-connections": waits("connections come and go", Others.connections),
}
