"""How often a hostile origin is asked, which depends on more than one refresh."""
import os
import time
from dataclasses import replace

from support.cases import GOOD, LATE, NEW, Case, answer, in_two_minutes, retry_after
from support.check import Check
from support.claims import problem
from support.times import seconds
from support.trial import Trial, restart
from support.wire import PATIENCE, comes

FAILING = Case("failing", answer("500 Internal Server Error"), "http-status")
PAUSING = Case("pausing", retry_after("503 Service Unavailable", "3600"), "http-status")


class Doubling(Trial):
    """Ten failures in a row without a catalog, and a success."""

    def steps(self):
        waits, problems = [], []
        self.daemon.ask("clear")
        for failures in range(1, 11):
            self.daemon.ask("refresh")
            status = self.daemon.ask("status")["refresh"]
            waits.append(seconds(status["nextAt"]) - time.time())
            longest = min(3600, 60 << failures - 1)
            problems += problem(not 5 - LATE <= waits[-1] <= longest + 1, f"after {failures} failures it waits {waits[-1]:.0f} s")
            problems += problem(status["attempt"] != failures, f"after {failures} failures it counts {status['attempt']}")
        problems += problem(max(waits) < 300, "the wait does not grow")
        self.origin.script, self.origin.body = None, NEW.bytes
        self.daemon.ask("refresh")
        status = self.daemon.ask("status")["refresh"]
        problems += problem(status["attempt"] != 0 or status["lastError"], f"after a success status says {status}")
        return "waits of " + ", ".join(f"{wait:.0f}" for wait in waits) + " s", problems


class Pause(Trial):
    """Nothing that a client or an administrator does ends a Retry-After."""

    def steps(self):
        daemon, origin = self.daemon, self.origin
        daemon.ask("refresh")
        origin.script = None
        results = [daemon.ask("refresh")]
        daemon.ask("reload")
        results.append(daemon.ask("refresh"))
        os.kill(daemon.pid, 1)  # SIGHUP
        results.append(daemon.ask("refresh"))
        daemon.configure(refresh__interval="1s", retry__floor="100ms", retry__base="100ms")
        daemon.ask("reload")
        expired = comes(lambda: daemon.ask("list")["state"] == "cached")
        daemon.ask("clear")
        results.append(daemon.ask("refresh"))
        restart(daemon)
        results.append(daemon.ask("refresh"))
        listing = daemon.ask("list")
        end = results[0]["retryAt"]
        throttled = [(result["outcome"], result["retryAt"]) == ("throttled", end) for result in results]
        return f"{len(results)} refreshes, {origin.connections} connection", [
            *problem(not all(throttled), f"the refreshes are answered {results}"),
            *problem(abs(seconds(end) - time.time() - 3600) > PATIENCE, f"the pause ends at {end}"),
            *problem(origin.connections != 1, f"{origin.connections} connections were made, not 1"),
            *problem(not expired, "the catalog does not expire"),
            # promod itself asks up to a minute after the pause.
            *problem((listing["state"], listing["canRetry"]) != ("empty", False)
                     or not 0 <= seconds(listing["retryAt"]) - seconds(end) <= 61,
                     f"after the clear a list is answered {listing}"),
        ]


class ShortPause(Trial):
    """A Retry-After that ends before the backoff does, and a refresh by hand after it."""

    def steps(self):
        daemon, origin = self.daemon, self.origin
        daemon.ask("refresh")
        status = daemon.ask("status")["refresh"]
        due = seconds(status["nextAt"]) - time.time()
        origin.script, origin.body = None, NEW.bytes
        began = time.monotonic()
        accepted = comes(lambda: daemon.ask("refresh")["outcome"] == "updated")
        return f"next in {due:.0f} s, accepted after {time.monotonic() - began:.1f} s", [
            *problem(status["reason"] != "retry" or due < 5 - LATE, f"status says {status}"),
            *problem(not accepted, "the next good catalog is not accepted"),
        ]


class SharedDate(Trial):
    """A daemon that is told the same date again and again, as many daemons are."""

    DRAWS = 6
    LEAST = 5  # seconds between the first and the last; by chance it is less once in millions of runs

    def steps(self):
        daemon, origin = self.daemon, self.origin
        date = in_two_minutes(time.time())
        origin.script = retry_after("503 Service Unavailable", date)
        ends = []
        for _ in range(self.DRAWS):
            daemon.ask("refresh")
            ends.append(seconds(daemon.ask("status")["refresh"]["nextAt"]))
            restart(daemon, lambda: os.unlink(f"{daemon.directory}/cache/promod/schedule.json"))
        width = max(ends) - min(ends)
        return f"{self.DRAWS} attempts within {width:.0f} s", problem(width < self.LEAST, f"the next attempts are within {width:.0f} s")


class Empty(Trial):
    """A first fetch that fails."""

    def steps(self):
        daemon = self.daemon
        daemon.ask("clear")
        listing = daemon.ask("list", wait=True)
        status = daemon.ask("status")["refresh"]
        due = seconds(status["nextAt"]) - time.time()
        daemon.ask("list", wait=True)
        return f"next in {due:.0f} s, {self.origin.connections} connection", [
            *problem((listing["state"], listing["apps"], listing["canRetry"]) != ("empty", [], True), f"a list is answered {listing}"),
            *problem(listing["retryAt"] != status["nextAt"], f"retryAt is {listing['retryAt']}, but nextAt {status['nextAt']}"),
            *problem(not 5 - LATE <= due <= 61, f"the next attempt is after {due:.0f} s"),
            *problem(self.origin.connections != 1, f"{self.origin.connections} connections were made, not 1"),
        ]


class Alone(Trial):
    """Three retries that the daemon makes by itself, without a catalog, and a fourth that succeeds."""

    def steps(self):
        daemon, origin, delays, problems = self.daemon, self.origin, [], []
        daemon.ask("clear")
        daemon.ask("list", wait=True)
        for number in range(4):
            planned, before = comes(lambda: daemon.ask("status")["refresh"]["nextAt"]), origin.connections
            if number == 3:
                origin.script = None
            problems += problem(not comes(lambda before=before: origin.connections > before), "promod does not retry")
            delays.append(time.time() - seconds(planned))
        # The protocol's times are whole seconds.
        problems += problem(not -1 <= min(delays) <= max(delays) <= 1 + LATE, "the retries do not come when status says")
        problems += problem(not comes(lambda: daemon.ask("list")["generation"] == GOOD.generation), "the catalog is not served")
        return f"retries {', '.join(f'{delay:.1f}' for delay in delays)} s after the planned second", problems


def _check(name, claim, kind, case, known=""):
    return Check(name, claim, lambda binary: kind(replace(case, name=name), binary).run(), known)


ATTEMPTS = [
    _check("failures-double", "the wait after each failure is between 5 s and a limit that doubles from 60 s to 1 h", Doubling, FAILING),
    _check("pause-is-kept", "no refresh, reload, expiry, clear or restart asks an origin again before its Retry-After is over",
           Pause, PAUSING),
    _check("retry-after-short", "a Retry-After that ends first does not shorten the backoff, but a refresh by hand need not wait for that",
           ShortPause, replace(PAUSING, script=retry_after("503 Service Unavailable", "1"))),
    _check("retry-after-date-spread", "daemons that got the same date in Retry-After do not come back in the same second", SharedDate,
           PAUSING),
    _check("empty-and-failing", "without a last good catalog, list is empty and says when promod tries again", Empty, FAILING),
    _check("retries-alone", "promod retries by itself when the backoff ends", Alone,
           replace(FAILING, settings={"retry__floor": "1s", "retry__base": "2s", "retry__cap": "2s"})),
]
