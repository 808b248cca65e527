"""Rows about what one client waits that asks for a small list each millisecond, while others keep the same server busy."""
import functools
import itertools
import json
import os
import re
import socket
import threading

from support import catalog
from support.claims import Failed
from support.daemon import Daemon
from support.nginx import Nginx
from support.pictures import png
from support.wire import connected
from .figures import Figure
from .load import Load, Pair, list_pairs
from .redis import Redis, command

APPS, CATALOGS, PICTURES = 10_000, 4, 900
LANGUAGES = "en", "ko", "ja"
PERIOD = 1000  # microseconds
VALUE = b"x" * 1_300_000  # About what half of the large catalog takes in a list.


class Others:
    """The other clients of one server. Each method is what some of them do until they are stopped; Redis does the most similar."""

    def __init__(self, server, origin=None):
        self.server, self.origin, self.are_stopped, self.failure = server, origin, threading.Event(), None

    def quiet(self):
        """Nothing."""

    def first_lists(self):
        """Six kinds of rows are listed for the first time since the start; Redis has nothing to make first."""
        for icons, language in itertools.product((False, True), LANGUAGES):
            if self.origin:
                self.ask([_list(language=language, icons=icons)])

    def pictures(self):
        """Many wait for a picture each, or for an element of a list that is pushed then."""
        if self.origin:
            return self.ask(*([_call("icon", app=f"app-{n}", catalog="large-0", wait=True)] for n in range(PICTURES)))
        pushes = threading.Timer(0.5, self.ask, ([command("RPUSH", f"q{n}", VALUE[:500]) for n in range(PICTURES)],))
        pushes.start()
        return self.ask(*([command("BLPOP", f"q{n}", 0)] for n in range(PICTURES)))

    def publications(self):
        """Large catalogs are replaced and listed, or values of that size."""
        for version in itertools.cycle(range(3)):
            if self.are_stopped.wait(0.5):
                return
            if not self.origin:
                self.ask([command("SET", "large", VALUE), *[command("GET", "large")] * 12])
                continue
            self.origin.publish(_large(self.origin, version))
            for number in range(CATALOGS):
                self.ask([_call("refresh", catalog=f"large-{number}"), *[_list(number, language=code) for code in LANGUAGES]])

    def large_replies(self):
        """Twelve pipeline large lists of which no two are the same, or large values."""
        limits = itertools.count(3000)
        self._repeat(12, lambda: [[_list(unlaunched=True, limit=next(limits)) if self.origin else command("GET", "large") for _ in range(8)]])

    def connections(self):
        """Three thousand at a time would not fit; three times 250 come, ask once and go, again and again."""
        self._repeat(3, lambda: [[_call("list") if self.origin else command("GET", "0")]] * 250)

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
        connections = [connected(self.server.socket) for _ in groups]
        for connection, requests in zip(connections, groups):
            connection.sendall(b"".join(requests if self.origin else [*requests, command("QUIT")]))
            # Redis would drop the replies.
            if self.origin:
                connection.shutdown(socket.SHUT_WR)
        for connection in connections:
            while reply := connection.recv(1 << 20):
                if b'"error":{' in reply if self.origin else reply.startswith(b"-"):
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
                return _measure(load, daemon, list_pairs(daemon), disturb, origin)

        def of_redis():
            redis = Redis(bench)
            with bench.running(redis):
                pairs = redis.pairs([Pair(b"", VALUE[:1000])])
                Others(redis).ask([command("SET", "large", VALUE)])
                return _measure(load, redis, pairs, disturb)

        results = bench.alternate({**bench.for_each_promod(of_promod), "redis": of_redis})
        for figure, goal in (("p50", None), ("p99 over quiet", None), ("longest", longest)):
            samples = {server: [result[figure] for result in rounds] for server, rounds in results.items()}
            yield Figure(f"wait, {name}: {figure}", "" if "quiet" in figure else "ms", samples, "redis", goal=goal)

    return measure


def _furnish(daemon, origin):
    """Configures large catalogs beside the default one, and a history in which half of their apps were launched."""
    daemon.prepare()
    for version in reversed(range(3)):
        origin.publish(_large(origin, version))
    origin.bench.file("www/icon.png", png())
    places = daemon.environment
    os.makedirs(drop_ins := f"{places['XDG_CONFIG_HOME']}/promod/catalogs.d")
    os.makedirs(state := f"{places['XDG_STATE_HOME']}/promod")
    for number in range(CATALOGS):
        with open(f"{drop_ins}/large-{number}.toml", "w", encoding="utf-8") as file:
            file.write(f'url = "{origin.url}?{number}"\nca-file = "{origin.certificate}"\n')
    launched = {f"app-{n}": {"firstLaunch": "2026-01-01T00:00:00Z", "requests": []} for n in range(0, APPS, 2)}
    with open(f"{state}/reviews.json", "w", encoding="utf-8") as file:
        file.write(json.dumps({"format": 4, "apps": launched}, separators=(",", ":")) + "\n")


def _measure(load, server, pairs, disturb, origin=None):
    script, others = load.script("waits", pairs), Others(server, origin)
    quiet = load.run(server, script, 1, 1, PERIOD)["p99"]
    thread = threading.Thread(target=disturb, args=(others,))
    thread.start()
    try:
        figures = load.run(server, script, 1, 1, PERIOD)
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
