"""How often a hostile origin is asked, and with which conditions, which depends on more than one refresh."""
import os
import shutil
import tempfile
import time
from dataclasses import replace

from support.cases import GOOD, LATE, NEW, Case, answer, head, retry_after
from support.check import Check, LeftOut
from support.claims import problem
from support.daemon import GAP, Daemon
from support.nginx import Nginx
from support.programs import missing
from support.scratch import Scratch
from support.times import seconds
from support.trial import Trial, is_as_refused, restart
from support.wire import PATIENCE, comes

FAILING = Case("failing", answer("500 Internal Server Error"), "unavailable")
PAUSING = Case("pausing", retry_after("503 Service Unavailable", "3600"), "unavailable")


class Pause(Trial):
    """Within a minute, nothing that a client or an administrator does ends a Retry-After."""

    def steps(self):
        daemon, origin = self.daemon, self.origin
        results = [daemon.ask("refresh")]
        origin.script = None
        daemon.ask("reload")
        time.sleep(GAP)
        results.append(daemon.ask("refresh"))
        os.kill(daemon.pid, 1)  # SIGHUP
        results.append(daemon.ask("refresh"))
        daemon.configure(refresh__interval="1s", retry__base="100ms")
        daemon.ask("reload")
        expired = comes(lambda: daemon.ask("list", wait=True)["state"] == "cached")
        results.append(daemon.ask("refresh"))
        restart(daemon)
        results.append(daemon.ask("refresh"))
        daemon.ask("clear")
        listing = daemon.ask("list", wait=True)
        end = results[0]["retryAt"]
        return f"{len(results)} refreshes, {origin.connections} connection", [
            *problem(not all(is_as_refused(result, results[0]) for result in results), f"the refreshes are answered {results}"),
            *problem(not 0 <= seconds(end) - time.time() - 3600 + PATIENCE <= PATIENCE + 31, f"the pause ends at {end}"),
            *problem(origin.connections != 1, f"{origin.connections} connections were made, not 1"),
            *problem(not expired, "the catalog does not expire"),
            *problem((listing["state"], listing["canRetry"], listing["retryAt"]) != ("empty", True, results[-1]["retryAt"]),
                     f"after the clear a list is answered {listing}"),
        ]


class Dead(Trial):
    """Lists of an expired catalog, one after another."""

    LISTS = 50

    def steps(self):
        daemon, origin, connection = self.daemon, self.origin, self.daemon.connect()
        daemon.configure(refresh__interval="1s")
        daemon.ask("reload")
        comes(lambda: daemon.catalog["state"] == "cached")
        began = time.monotonic()
        states = {connection.ask("list", limit=1)["state"] for _ in range(self.LISTS)}
        connection.ask("tap", app="app-0")
        connection.ask("impression", apps=["app-0"])
        connection.close()
        took = time.monotonic() - began
        comes(lambda: not daemon.catalog["refreshing"])
        return f"{self.LISTS} lists in {took:.1f} s, {origin.connections} connection", [
            *problem(states != {"cached"}, f"the lists are {states}"),
            *problem(origin.connections != 1, f"{origin.connections} connections were made, not 1"),
        ]


class Alone(Trial):
    """A retry that the daemon makes by itself, without a catalog, and a second that succeeds."""

    def steps(self):
        daemon, origin, delays, problems = self.daemon, self.origin, [], []
        daemon.ask("clear")
        daemon.ask("list", wait=True)
        for number in range(2):
            planned, before = comes(lambda: daemon.catalog["nextAt"]), origin.connections
            if number == 1:
                origin.script = None
            problems += problem(not comes(lambda before=before: origin.connections > before), "promod does not retry")
            delays.append(time.time() - seconds(planned))
        # The protocol's times are whole seconds.
        problems += problem(not -1 <= min(delays) <= max(delays) <= 1 + LATE, "the retries do not come when status says")
        problems += problem(not comes(lambda: daemon.ask("list")["generation"] == GOOD.generation), "the catalog is not served")
        return f"retries {', '.join(f'{delay:.1f}' for delay in delays)} s after the planned second", problems


# The value of a response's header, and what the next request has of it, which must succeed.
VALIDATORS = {
    "ETag": {
        "bare": ("bare", "bare"), "in-latin-1": ('"\xe4"', None), "with-comma": ('"a", "b"', '"a", "b"'), "weak": ('W/"a"', 'W/"a"'),
        "long": (f'"{"x" * 10_000}"', None)},
    "Last-Modified": {"rubbish": ("\xe4h, heute", None), "date": ("Sun, 06 Nov 1994 08:49:37 GMT",) * 2}}
DATE = "Date: Sun, 06 Nov 2094 08:49:37 GMT"
CONDITIONS = {"ETag": "If-None-Match", "Last-Modified": "If-Modified-Since"}


class Conditional(Trial):
    """A catalog with a validator, and the requests after it."""

    def __init__(self, case, binary, validator, condition=None):
        super().__init__(case, binary)
        self.validator, self.condition = validator, condition
        self.sent = None
        self.origin.script = self.whole
        self.origin.open()

    def begin(self):
        """Starts promod without a catalog, so that its first fetch is that of no refresh."""
        daemon, origin = self.daemon, self.origin
        daemon.configure(catalog__url=origin.url, catalog__ca_file=origin.certificate)
        daemon.start()
        daemon.ask("list", wait=True)

    def whole(self, visit):
        """Sends the catalog with the validator."""
        visit.read_request()
        visit.send(head("200 OK", f"{self.validator[0]}: {self.validator[1]}", DATE, length=len(GOOD.bytes)) + GOOD.bytes)
        visit.say_goodbye()

    def conditions(self):
        """Those of the requests until now, each as text or None."""
        found = []
        for request in self.origin.requests:
            lines = [line.decode("latin-1").partition(": ") for line in request.split(b"\r\n")]
            found.append(next((value for name, _, value in lines if name in CONDITIONS.values()), None))
        return found


class SentBack(Conditional):
    """What a response has as a validator is the next request's condition, if it can be."""

    def steps(self):
        result = self.daemon.refresh()
        found = self.conditions()
        return f"{found}"[:200], [
            *problem(result["error"] or result["generation"] != GOOD.generation, f"the next refresh is answered {result}"),
            *problem(found != [None, self.condition], f"the conditions are {found}, not {self.condition}"),
        ]


class Refused(Conditional):
    """An origin that cannot bear a condition is asked without one after that."""

    def steps(self):
        def script(visit):
            visit.read_request()
            status, body = ("412 Precondition Failed", b"") if self.conditions()[-1] else ("200 OK", NEW.bytes)
            visit.send(head(status, 'ETag: "b"', length=len(body)) + body)
            visit.say_goodbye()
        self.origin.script = script
        first = self.daemon.refresh()
        # The second within a minute would be without a condition in any case; the first of a new promod is not.
        restart(self.daemon)
        second = self.daemon.refresh()
        found = self.conditions()
        return f"{found}", [
            *problem(first["outcome"] != "failed" or "412" not in first["error"]["message"], f"with a condition a refresh is answered {first}"),
            *problem(second["generation"] != NEW.generation, f"then a refresh is answered {second}"),
            *problem(found != [None, '"a"', None], f"the conditions are {found}"),
        ]


def bogus_304(binary):
    """A check body: nginx, whose ETag is made of the length and the time of a file, of which an edit changes neither."""
    if reason := missing("nginx"):
        raise LeftOut(reason)
    scratch = Scratch(tempfile.mkdtemp())
    origin, daemon, outcomes = Nginx(scratch), Daemon(binary), []
    try:
        origin.publish(GOOD.bytes)
        origin.start()
        daemon.configure(catalog__url=origin.url, catalog__ca_file=origin.certificate)
        daemon.start()
        daemon.ask("list", wait=True)
        for edition in NEW, NEW, GOOD:
            origin.published = 0
            origin.publish(edition.bytes)
            result = daemon.refresh()
            outcomes.append((result["outcome"], result["generation"] == NEW.generation))
    finally:
        daemon.stop()
        origin.stop()
        shutil.rmtree(scratch.directory)
    return f"{outcomes}", problem(
        outcomes != [("unchanged", False), ("updated", True), ("unchanged", True)], f"the outcomes are {outcomes}")


def _check(name, claim, kind, case, *arguments):
    return Check(name, claim, lambda binary: kind(replace(case, name=name), binary, *arguments).run())


PLAIN = Case("conditional", None)

ATTEMPTS = [
    _check("pause-is-kept", "within a minute no refresh, reload, expiry, restart or clear asks an origin again before its Retry-After is over",
           Pause, PAUSING),
    _check("dead-and-listed", "many lists of an expired catalog cause one request", Dead, FAILING),
    _check("retries-alone", "promod retries by itself when the backoff ends", Alone,
           replace(FAILING, settings={"retry__base": "2s", "retry__cap": "2s"})),
    *(_check(f"{header.lower()}-{name}", f"such an {header} is sent back unchanged, or not at all, and the next refresh succeeds", SentBack,
             PLAIN, (header, value), condition)
      for header, values in VALIDATORS.items() for name, (value, condition) in values.items()),
    _check("condition-refused", "an origin that answers 412 to a condition is asked without one the next time", Refused, PLAIN, ("ETag", '"a"')),
    Check("bogus-304", "an edit that nginx answers with 304 is served at the second refresh within a minute, and not at the third", bogus_304),
]
