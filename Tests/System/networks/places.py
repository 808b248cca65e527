"""The networks in which promod is tested, and what it must do in each."""
import contextlib
import functools
import os
import re
import time

from support import cases
from support.cases import LATE, TIMEOUT
from support.check import LeftOut, staged
from support.claims import problem
from support.daemon import GAP, Daemon
from support.network import FAR, Network, obstacle
from support.scripted import ScriptedOrigin
from support.times import seconds_or_never
from support.trial import log_problems, new_lines, read_log, seed_cache
from support.wire import comes
from .names import NameServer

OLD, NEW = cases.GOOD, cases.NEW
SOON = 2.5  # seconds for what needs no waiting, even on a busy machine
# After a default route appears: up to two seconds, and a fetch.
RETURN = 2 + SOON
HOUR = {"retry__base": "1h"}
ELSEWHERE = "198.51.100.{}"


class FarOrigin(ScriptedOrigin):
    """An origin at the other end of the cable, in both families."""

    address, names = "::", f"DNS:origin.test,IP:{FAR[4]},IP:{FAR[6]}"


class Place:
    """A promod at home, an origin at the other end, and a network between them."""

    def __init__(self, binary):
        if reason := obstacle():
            raise LeftOut(reason)
        self.binary = binary
        self.problems = []

    def __enter__(self):
        self.stack = contextlib.ExitStack()
        self.net = self.stack.enter_context(Network())
        self.daemon = Daemon(self.binary)
        self.stack.callback(self.daemon.stop)
        self.daemon.launcher = self.net.launcher
        with self.net.from_far():
            self.origin = FarOrigin(self.daemon.directory)
            self.origin.body = NEW.bytes
            self.origin.open()
        self.stack.callback(self.origin.close)
        self.net.hosts(origin=FAR.values())
        return self

    def __exit__(self, *failure):
        self.stack.close()

    def start(self, host="origin.test", is_seeded=True, **settings):
        """Starts promod, with an old catalog."""
        url = f"https://{host}:{self.origin.port}/catalog.json"
        self.daemon.configure(
            catalog__url=url, catalog__ca_file=self.origin.certificate, **{"refresh__timeout": f"{TIMEOUT}s", **settings})
        if is_seeded:
            seed_cache(self.daemon, url, OLD.bytes)
        self.daemon.start()
        new_lines(self.daemon, 0, "promod .* serves")

    def resolve_by(self, *addresses):
        """Starts a name server that is the only one to know the origin."""
        self.net.hosts()
        server = NameServer(self.net, addresses or FAR.values())
        self.stack.callback(server.close)
        return server

    def expect(self, condition, text):
        self.problems += problem(not condition, text)

    def refresh(self, outcome="updated", code=None, takes=(0, SOON), says=""):
        """Refreshes, and returns what came of it as text."""
        time.sleep(GAP)
        logged, began = len(read_log(self.daemon)), time.monotonic()
        result = self.daemon.ask("refresh")
        took = time.monotonic() - began
        status = self.daemon.catalog
        found = result["error"] and result["error"]["code"]
        codes = code if isinstance(code, tuple) else (code,)
        message = result["error"]["message"] if found else ""
        self.expect((result["outcome"], found in codes) == (outcome, True), f"a refresh is answered {result}")
        self.expect(takes[0] <= took <= takes[1], f"it took {took:.1f} s, not {takes[0]} to {takes[1]} s")
        self.expect(says in message, f"the message does not say {says!r}")
        self.problems += log_problems(new_lines(self.daemon, logged, "The (refresh|catalog) "), message, found)
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


def gone_without_notice(place):
    """The route is there, but nothing behind it answers."""
    place.net.connect(4)
    place.start()
    place.refresh()
    place.origin.body = OLD.bytes
    place.net.at_far("link", "set", "lan", "down")
    result = place.daemon.refresh()
    status = place.daemon.catalog
    place.expect(result["error"] and result["error"]["code"] in ("connect", "timeout"), f"a refresh is answered {result}")
    place.expect(status["failures"] == 1, f"{status['failures']} failures are counted")
    place.net.at_far("link", "set", "lan", "up")
    place.net.connect(4)
    # The kernel takes a moment to notice.
    place.expect(comes(lambda: place.daemon.ask("refresh")["generation"] == OLD.generation), "the next catalog is not served")
    return f"{result['error']['code']}: {result['error']['message']}"


def no_way_through(place):
    place.net.connect(4, 6)
    place.net.hosts(origin=[ELSEWHERE.format(1)])
    place.start(refresh__timeout="30s")
    return place.refresh("failed", "connect", takes=(9.9, 10 + LATE))


def refusing_route(kind):
    def body(place):
        place.net.connect(4, has_route=False)
        place.net.at_home("route", "add", kind, "default")
        place.net.hosts(origin=[ELSEWHERE.format(1)])
        place.start()
        return place.refresh("failed", "connect", says="Cannot connect to origin.test")
    return body


def one_family(family, host="origin.test"):
    def body(place):
        place.net.connect(family)
        place.start(host)
        return place.refresh()
    return body


def ipv6_only_with_name_server(place):
    place.net.connect(6)
    place.net.name_server(FAR[6])
    place.resolve_by()
    place.start()
    return place.refresh()


def black_hole(family):
    def body(place):
        place.net.connect(4, 6)
        place.net.lose(FAR[family])
        place.start()
        figures = place.refresh()
        return f"{figures}, {place.origin.connections} connection"
    return body


def refused_family(place):
    """The origin does not listen on IPv6, but has an address there."""
    place.net.connect(4, 6)
    place.origin.close()
    place.origin.reservation.close()
    place.origin.address = FAR[4]
    with place.net.from_far():
        place.origin.open()
    place.start()
    return place.refresh()


def dead_addresses(place):
    """Of three addresses only the last one answers; libcurl gives each half of the time that is left to connect."""
    place.net.connect(4)
    # All beyond the gateway, so that the resolver keeps their order.
    place.net.at_far("address", "add", ELSEWHERE.format(3), "dev", "lan")
    place.resolve_by(*(ELSEWHERE.format(number) for number in range(1, 4)))
    place.start(refresh__timeout="30s")
    return place.refresh(takes=(0, 9))


def cut_in_body(place):
    """The network goes away while the catalog comes."""
    def script(visit):
        visit.read_request()
        visit.send(cases.head(length=len(NEW.bytes)) + NEW.bytes[:100])
        place.net.lose(FAR[4])
        visit.hold()
    place.net.connect(4)
    place.origin.script = script
    place.start()
    return place.refresh("failed", "timeout", takes=cases.AT_DEADLINE)


def large_packets_lost(place):
    """Small packets come through, but large ones do not."""
    place.net.connect(4)
    place.net.at_home("link", "set", "wan", "mtu", "600")
    place.net.at_home("route", "replace", "192.0.2.0/24", "dev", "wan", "src", "192.0.2.1", "advmss", "1460")
    place.origin.body = cases.LARGEST.bytes
    place.start()
    return place.refresh("failed", ("timeout", "connect"), takes=cases.AT_DEADLINE)


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


def sleeping_offline(place):
    """Threads run only when somebody asks."""
    place.start(is_seeded=False, **HOUR)
    place.daemon.ask("list", wait=True)
    # The threads that served the start end after five seconds without work.
    comes(lambda: wake_ups(place.daemon, 7) == 0, 30)
    woken = wake_ups(place.daemon, 10)
    place.expect(woken == 0, f"{woken} wake-ups in 10 s")
    return f"{woken} wake-ups in 10 s offline"


def replaced(place, *families):
    """An IPv6 route that is replaced again and again is no network that appears, and a route where there was none is."""
    net, daemon = place.net, place.daemon
    net.connect(*families)
    place.origin.script = cases.answer("500 Internal Server Error")
    place.start(**HOUR)
    daemon.ask("refresh")
    before = place.origin.connections
    place.expect(before == 1, f"the origin was asked {before} times")
    for _ in range(6):
        if 4 in families:
            net.at_home("-6", "route", "delete", "default")
        net.add_route(6)
    place.expect(not comes(lambda: place.origin.connections > before, RETURN), "the origin was asked after the route was replaced")
    net.disconnect()
    net.connect(*families)
    took = place.await_attempt(before, RETURN)
    return f"no request after 6 replacements, and one {took:.1f} s after a route was back"


def storm(place):
    """A route that comes and goes three hundred times ends a pause once."""
    net, daemon = place.net, place.daemon
    net.connect(4)
    place.origin.script = cases.answer("500 Internal Server Error")
    place.start(**HOUR)
    daemon.ask("refresh")
    before, processor = place.origin.connections, daemon.processor_time
    place.expect(before == 1, f"the origin was asked {before} times")
    batch = "".join("route del default\nroute add default via 192.0.2.2\n" for _ in range(10))
    for _ in range(30):
        with open(f"{daemon.directory}/batch", "w", encoding="ascii") as file:
            file.write(batch)
        net.at_home("-batch", f"{daemon.directory}/batch")
        time.sleep(0.1)
    comes(lambda: place.origin.connections > before, RETURN)
    asked, used = place.origin.connections - before, daemon.processor_time - processor
    place.expect(asked <= 1, f"the origin was asked {asked} times")
    place.expect(used < 1, f"{used:.1f} s of processor time were used")
    return f"300 routes, {asked} attempt, {used * 1e3:.0f} ms of processor time"


def no_pause_ends(place):
    """The return of the network does not end a Retry-After."""
    place.net.connect(4)
    place.origin.script = cases.retry_after("503 Service Unavailable", "3600")
    place.start()
    place.daemon.ask("refresh")
    before = place.origin.connections
    place.net.disconnect()
    place.net.connect(4)
    comes(lambda: place.origin.connections > before, RETURN)
    status = place.daemon.catalog
    due = seconds_or_never(status["nextAt"]) - time.time()
    place.expect(place.origin.connections == before, "the origin was asked")
    place.expect(due > 3500 and status["nextReason"] == "retry-after", f"status says {status}")
    return f"next in {due:,.0f} s"


def names(answer, code=None, takes=(0, SOON), delay=0.0, says="", then=True, **settings):
    """A name server that answers in some way, and after that as it should."""
    def body(place):
        place.net.connect(4, 6)
        server = place.resolve_by()
        server.answer, server.delay = getattr(server, answer), delay
        place.start(**settings)
        figures = place.refresh("failed" if code else "updated", code, takes, says)
        if code and then:
            server.answer, server.delay = server.found, 0
            place.refresh()
        return f"{figures} ({server.queries} queries)"
    return body


def name_server_later(place):
    """As on many machines, the route is there a moment before the name server."""
    server = place.resolve_by()
    server.answer = server.failing
    place.start(is_seeded=False, retry__base="1s", retry__cap="2s")
    place.daemon.ask("list", wait=True)
    place.net.connect(4)
    place.expect(comes(lambda: place.daemon.catalog["failures"] > 1), "no further failure is counted")
    server.answer = server.found
    took = place.await_attempt(0, 2 + SOON)
    place.expect(comes(lambda: place.daemon.ask("list")["generation"] == NEW.generation), "the catalog is not served")
    return f"asked {took:.1f} s after the name server answered"


def name_server_down(place):
    place.net.connect(4)
    place.net.hosts()
    place.start()
    return place.refresh("failed", "dns", says="The name origin.test")


def name_server_changes(place):
    """A name server that is named later is asked without a restart."""
    place.net.connect(4)
    place.net.name_server(ELSEWHERE.format(53))
    place.resolve_by(FAR[4])
    place.start()
    place.refresh("failed", ("dns", "timeout"), takes=(0, TIMEOUT + LATE))
    place.net.name_server(FAR[4])
    return place.refresh()


def origin_moves(place):
    """Each refresh looks the name up again."""
    place.net.connect(4)
    server = place.resolve_by(ELSEWHERE.format(1))
    place.start()
    place.refresh("failed", "timeout", takes=cases.AT_DEADLINE)
    server.addresses = NameServer.parsed([FAR[4]])
    return place.refresh()


def wake_ups(daemon, duration):
    """How often the threads of the daemon are woken in so many seconds; a thread that ends was woken once for that."""
    before = _switches(daemon)
    time.sleep(duration)
    after = _switches(daemon)
    return sum(after.get(thread, count + 1) - count for thread, count in before.items()) + \
        sum(count for thread, count in after.items() if thread not in before)


def _switches(daemon):
    """The voluntary context switches of each thread until now."""
    counts = {}
    for thread in os.listdir(f"/proc/{daemon.pid}/task"):
        # A thread may end meanwhile.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError), \
                open(f"/proc/{daemon.pid}/task/{thread}/status", encoding="utf-8") as file:
            counts[thread] = int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", file.read())[1])
    return counts


check = functools.partial(staged, Place)


CHECKS = [
    check("sleeping-offline", "without a network from the start, nothing wakes promod up", sleeping_offline),
    check("gone-and-back", "the return of the network ends the pause after a failure within 2 s", lambda place: gone_and_back(place, 4, 6)),
    check("gone-and-back-ipv4", "the same with IPv4 only", lambda place: gone_and_back(place, 4)),
    check("gone-and-back-ipv6", "the same with IPv6 only", lambda place: gone_and_back(place, 6)),
    check("route-replaced", "an IPv6 route that is replaced six times ends no pause", lambda place: replaced(place, 6)),
    check("route-renewed", "nor does one that goes and comes beside IPv4", lambda place: replaced(place, 4, 6)),
    check("gone-without-notice", "a cable that is pulled elsewhere is a failure", gone_without_notice),
    check("no-way-through", "an attempt over a route that leads nowhere fails after 10 s", no_way_through),
    *(check(f"route-{kind}", "a route that refuses is a failure to connect, at once", refusing_route(kind))
      for kind in ("unreachable", "prohibit", "blackhole")),
    check("ipv4-only", "an origin with both addresses is reached by IPv4 alone", one_family(4)),
    check("ipv6-only", "an origin with both addresses is reached by IPv6 alone", one_family(6)),
    check("ipv4-address", "an origin without a name is reached by its IPv4 address", one_family(4, FAR[4])),
    check("ipv6-address", "an origin without a name is reached by its IPv6 address", one_family(6, f"[{FAR[6]}]")),
    check("ipv6-only-name-server", "name server and origin are reached by IPv6 alone", ipv6_only_with_name_server),
    check("ipv6-black-hole", "if IPv6 leads nowhere, IPv4 is tried at once", black_hole(6)),
    check("ipv4-black-hole", "if IPv4 leads nowhere, IPv6 is used", black_hole(4)),
    check("ipv6-refused", "if IPv6 is refused, IPv4 is tried at once", refused_family),
    check("two-dead-addresses", "the third of three addresses is found within 9 s", dead_addresses),
    check("cut-in-body", "a network that goes away during a fetch does not outlast the deadline", cut_in_body),
    check("large-packets-lost", "a path that loses large packets does not outlast the deadline", large_packets_lost),
    check("on-link", "an origin in the same network is reached without a default route", on_link),
    check("started-offline", "the first fetch comes when the network does", started_offline),
    check("route-storm", "a route that comes and goes ends one pause at most, and causes little work", storm),
    check("pause-outlasts-network", "the return of the network does not end a Retry-After", no_pause_ends),
    check("name-server-silent", "the failure names the name, within the deadline, and the next refresh works",
          names("silent", ("dns", "timeout"), takes=cases.AT_DEADLINE, says="The name origin.test")),
    check("name-server-silent-by-default", "the failure names the name, within 10 s",
          names("silent", ("dns", "timeout", "connect"), (0, 10 + LATE), says="The name origin.test", refresh__timeout="30s")),
    check("name-server-slow", "a name server that takes 2 s delays a refresh by 2 s",
          names("found", None, (1.9, 4), delay=2, refresh__timeout="10s")),
    check("name-server-failing", "SERVFAIL is a failure at once", names("failing", "dns", says="The name origin.test")),
    check("name-not-found", "NXDOMAIN is a failure at once", names("not_found", "dns", says="The name origin.test")),
    check("name-without-address", "a name without an address is a failure at once",
          names("without_address", "dns", says="The name origin.test")),
    check("name-server-rubbish", "rubbish is as good as silence", names("rubbish", ("dns", "timeout"), (0, TIMEOUT + LATE))),
    check("name-server-down", "a name server that refuses is a failure at once", name_server_down),
    check("name-server-later", "if a name server answers only after the route is there, the next retry finds it", name_server_later),
    check("name-server-changes", "another name server is used without a restart", name_server_changes),
    check("origin-moves", "another address of the origin is used without a restart", origin_moves),
]
