"""The networks in which promod is tested, and what it must do in each."""
import contextlib
import functools
import time

from support import cases
from support.cases import LATE, TIMEOUT
from support.check import LeftOut, staged
from support.daemon import GAP
from support.network import FAR, Network, obstacle
from support.scripted import ScriptedOrigin
from support.stage import Stage
from support.times import seconds_or_never
from support.trial import log_problems, new_lines, read_log, seed_cache
from support.wire import comes
from .names import NameServer

OLD, NEW = cases.GOOD, cases.NEW
SOON = 8  # seconds for what needs no waiting, even on a busy machine
# After a default route appears: up to two seconds, and a fetch.
RETURN = 2 + SOON
HOUR = {"retry__base": "1h"}
ELSEWHERE = "198.51.100.1"


class FarOrigin(ScriptedOrigin):
    """An origin at the other end of the cable, in both families."""

    address, names = "::", f"DNS:origin.test,IP:{FAR[4]},IP:{FAR[6]}"


class Place(Stage):
    """A promod at home, an origin at the other end, and a network between them."""

    def __init__(self, binary):
        if reason := obstacle():
            raise LeftOut(reason)
        self.stack = contextlib.ExitStack()
        super().__init__(binary)

    def make_origin(self, directory):
        self.net = self.stack.enter_context(Network())
        with self.net.from_far():
            origin = FarOrigin(directory)
        origin.body = NEW.bytes
        return origin

    def __enter__(self):
        with self.net.from_far():
            super().__enter__()
        self.daemon.launcher = self.net.launcher
        self.net.hosts(origin=FAR.values())
        return self

    def __exit__(self, *failure):
        super().__exit__(*failure)
        self.stack.close()

    def start(self, is_seeded=True, **settings):
        """Starts promod, with an old catalog."""
        url = f"https://origin.test:{self.origin.port}/catalog.json"
        self.configure(**{"catalog__url": url, "refresh__timeout": f"{TIMEOUT}s", **settings})
        if is_seeded:
            seed_cache(self.daemon, url, OLD.bytes)
        self.daemon.start()
        new_lines(self.daemon, 0, "promod .* serves")

    def resolve_by(self):
        """Starts a name server that is the only one to know the origin."""
        self.net.hosts()
        server = NameServer(self.net, FAR.values())
        self.stack.callback(server.close)
        return server

    def refresh(self, outcome="updated", code=None, takes=(0, SOON), says=""):
        """Refreshes, and returns what came of it as text."""
        logged, began = len(read_log(self.daemon)), time.monotonic()
        result = self.daemon.refresh()
        took = time.monotonic() - began
        status = self.daemon.catalog
        found = result["error"] and result["error"]["code"]
        codes = code if isinstance(code, tuple) else (code,)
        message = result["error"]["message"] if found else ""
        self.expect((result["outcome"], found in codes) == (outcome, True), f"a refresh is answered {result}")
        self.expect(takes[0] <= took <= takes[1], f"it took {took:.1f} s, not {takes[0]} to {takes[1]} s")
        self.expect(says in message, f"the message does not say {says!r}")
        # That something was mounted elsewhere meanwhile is logged, too.
        lines = [line for line in new_lines(self.daemon, logged, "The (refresh|catalog) ") if "configuration" not in line]
        self.problems += log_problems(lines, message, found)
        due = seconds_or_never(status["nextAt"]) - time.time()
        self.expect(bool(status["failures"]) == bool(found), f"{status['failures']} failures are counted")
        self.expect(not found or due > cases.AFTER_FAILURE[0] - LATE, f"the next attempt is after {due:.1f} s")
        served = OLD if found else NEW
        self.expect(self.daemon.ask("list")["generation"] == served.generation, "another catalog is served")
        return f"{result['outcome']} in {took:.2f} s" + (f"; {found}: {message}" if found else "")

    def await_attempt(self, before, limit):
        """Waits until promod asks the origin by itself once more than before, and returns how long that took."""
        began = time.monotonic()
        comes(lambda: self.origin.connections > before)
        took = time.monotonic() - began
        self.expect(took <= limit, f"the origin was asked after {took:.1f} s")
        comes(lambda: not self.daemon.catalog["refreshing"])
        return took


def gone_and_back(place, *families):
    """The return of the network ends the pause after a failure."""
    net = place.net
    net.connect(*families)
    place.start(**HOUR)
    figures = place.refresh()
    place.origin.body = OLD.bytes
    net.disconnect()
    began = time.monotonic()
    result = place.daemon.refresh()
    place.expect(result["error"] and result["error"]["code"] == "connect", f"a refresh is answered {result}")
    place.expect(time.monotonic() - began < GAP + SOON, "that took long")
    place.expect(not place.daemon.ask("status")["online"], "status says online")
    place.expect(place.daemon.ask("tap", app="app-0")["presentation"] == "offline", "a tap is not answered offline")
    place.expect(place.daemon.ask("list")["generation"] == NEW.generation, "the last good catalog is not served")
    before = place.origin.connections
    net.connect(*families)
    took = place.await_attempt(before, RETURN)
    place.expect(place.daemon.ask("list")["generation"] == OLD.generation, "the next catalog is not served")
    return f"{figures}, then offline, asked {took:.1f} s after the route was back"


def no_way_through(place):
    place.net.connect(4, 6)
    place.net.hosts(origin=[ELSEWHERE])
    place.start(refresh__timeout="30s")
    return place.refresh("failed", "timeout", takes=(9.9, 10 + LATE))


def on_link(place):
    """An origin in the same network needs no default route."""
    place.net.connect(4, has_route=False)
    place.start()
    figures = place.refresh()
    place.expect(not place.daemon.ask("status")["online"], "status says online")
    return figures


def started_offline(place):
    """The first fetch comes when the network does."""
    place.start(is_seeded=False, **HOUR)
    listing = place.daemon.ask("list", wait=True)
    status = place.daemon.catalog
    tried = status["lastError"]
    place.expect((listing["state"], listing["canRetry"]) == ("empty", True), f"a list is answered {listing}")
    place.expect(status["failures"] == 1 and tried in ("connect", "dns"), f"status says {status}")
    place.net.connect(4)
    took = place.await_attempt(0, RETURN)
    listing = place.daemon.ask("list", wait=True)
    place.expect(listing["generation"] == NEW.generation, f"then a list is answered {listing['state']}")
    return f"{tried}; asked {took:.1f} s after the route came"


def replaced(place):
    net, daemon = place.net, place.daemon
    net.connect(4, 6)
    place.origin.script = cases.answer("500 Internal Server Error")
    place.start(**HOUR)
    daemon.ask("refresh")
    before = place.origin.connections
    place.expect(before == 1, f"the origin was asked {before} times")
    for _ in range(6):
        net.at_home("-6", "route", "delete", "default")
        net.add_route(6)
    place.expect(not comes(lambda: place.origin.connections > before, 4), "the origin was asked after the route was replaced")


def silent_name_server(place):
    """A name server that does not answer, and after that as it should."""
    place.net.connect(4, 6)
    server = place.resolve_by()
    server.answer = server.silent
    place.start()
    figures = place.refresh("failed", ("dns", "timeout"), takes=(TIMEOUT - 0.1, TIMEOUT + LATE), says="origin.test")
    server.answer = server.found
    place.refresh()
    return figures


check = functools.partial(staged, Place)


CHECKS = [
    check("gone-and-back", "the return of the network ends the pause after a failure within 2 s", lambda place: gone_and_back(place, 4, 6)),
    check("gone-and-back-ipv6", "the same with IPv6 only", lambda place: gone_and_back(place, 6)),
    check("route-renewed", "an IPv6 route that goes and comes six times beside IPv4 ends no pause", replaced),
    check("no-way-through", "an attempt over a route that leads nowhere fails after 10 s", no_way_through),
    check("on-link", "an origin in the same network is reached without a default route", on_link),
    check("started-offline", "the first fetch comes when the network does", started_offline),
    check("name-server-silent", "the failure names the name, within the deadline, and the next refresh works", silent_name_server),
]
