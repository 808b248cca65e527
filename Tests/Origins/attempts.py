"""How often a hostile origin is asked, which depends on more than one refresh."""
import os
import time
from dataclasses import replace

from cases import GOOD, NEW, Case, answer, retry_after
from suite import Check, problem
from trial import Trial, restart, seconds

FAILING = Case("failing", answer("500 Internal Server Error"), "http-status")
PAUSING = Case("pausing", retry_after("503 Service Unavailable", "3600"), "http-status", next=(3599, 3601))


class Doubling(Trial):
    """Ten failures in a row, and a success."""

    def steps(self):
        waits, problems = [], []
        for number in range(10):
            self.daemon.ask("refresh")
            status = self.daemon.ask("status")["refresh"]
            waits.append(seconds(status["nextAt"]) - time.time())
            longest = min(3600, 60 << number)
            problems += problem(not 4 <= waits[-1] <= longest + 1, f"after {number + 1} failures it waits {waits[-1]:.0f} s")
            problems += problem(status["attempt"] != number + 1, f"after {number + 1} failures it counts {status['attempt']}")
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
        first = daemon.ask("refresh")
        origin.script = None
        results = [daemon.ask("refresh")]
        daemon.ask("reload")
        results.append(daemon.ask("refresh"))
        os.kill(daemon.pid, 1)  # SIGHUP
        results.append(daemon.ask("refresh"))
        daemon.configure(refresh__interval="1s", retry__floor="100ms", retry__base="100ms")
        daemon.ask("reload")
        time.sleep(1.1)
        expired = daemon.ask("list")
        daemon.ask("clear")
        results.append(daemon.ask("refresh"))
        restart(daemon)
        results.append(daemon.ask("refresh"))
        listing = daemon.ask("list")
        throttled = [(result["outcome"], result["retryAt"]) == ("throttled", first["retryAt"]) for result in results]
        return f"{len(results)} refreshes, {origin.connections} connection", [
            *problem(not all(throttled), f"the refreshes are answered {results}"),
            *problem(origin.connections != 1, f"{origin.connections} connections were made, not 1"),
            *problem(expired["state"] != "cached", f"the expired catalog is {expired['state']}"),
            *problem((listing["state"], listing["canRetry"], listing["retryAt"]) != ("empty", False, first["retryAt"]),
                     f"after the clear a list is answered {listing}"),
        ]


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
            *problem(not 4 <= due <= 61, f"the next attempt is after {due:.0f} s"),
            *problem(self.origin.connections != 1, f"{self.origin.connections} connections were made, not 1"),
        ]


class Alone(Trial):
    """Three retries that the daemon makes by itself."""

    def steps(self):
        daemon, origin = self.daemon, self.origin
        began = time.monotonic()
        daemon.ask("refresh")
        while origin.connections < 4 and time.monotonic() - began < 20:
            time.sleep(0.02)
        took = time.monotonic() - began
        listing = daemon.ask("list")
        return f"{origin.connections} connections in {took:.1f} s", [
            *problem(not 2.9 <= took <= 7.5, "the retries do not come 1 to 2 s after each other"),
            *problem(listing["generation"] != GOOD.generation, "the last good catalog is not served"),
        ]


def _check(name, claim, kind, case):
    return Check(name, claim, lambda binary: kind(replace(case, name=name), binary).run())


ATTEMPTS = [
    _check("failures-double", "the wait after each failure is between 5 s and a limit that doubles from 60 s to 1 h", Doubling, FAILING),
    _check("pause-is-kept", "no refresh, reload, expiry, clear or restart asks an origin again before its Retry-After is over",
           Pause, PAUSING),
    _check("empty-and-failing", "without a last good catalog, list is empty and says when promod tries again", Empty, FAILING),
    _check("retries-alone", "promod retries by itself when the backoff ends", Alone,
           replace(FAILING, settings={"retry__floor": "1s", "retry__base": "2s", "retry__cap": "2s"})),
]
