"""How often a hostile origin is asked, which depends on more than one refresh."""
import os
import time

from support.cases import GOOD, LATE, Case, answer, retry_after
from support.claims import problem
from support.daemon import GAP
from support.times import seconds
from support.trial import Trial, is_deferred, restart
from support.wire import PATIENCE, comes

PAUSING = Case("pause-is-kept", retry_after("503 Service Unavailable", "3600"), "unavailable")
FAILING = Case("retries-alone", answer("500 Internal Server Error"), "unavailable", settings={"retry__base": "2s", "retry__cap": "2s"})


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
        expired = comes(lambda: daemon.ask("list", wait=True)["state"] == "expired")
        results.append(daemon.ask("refresh"))
        restart(daemon)
        results.append(daemon.ask("refresh"))
        daemon.ask("clear", force=True)
        listing = daemon.ask("list", wait=True)
        end = results[0]["retryAt"]
        return f"{len(results)} refreshes, {origin.connections} connection", [
            *problem(not all(is_deferred(result, results[0]) for result in results[1:]), f"the refreshes are answered {results}"),
            *problem(not 0 <= seconds(end) - time.time() - 3600 + PATIENCE <= PATIENCE + 31, f"the pause ends at {end}"),
            *problem(origin.connections != 1, f"{origin.connections} connections were made, not 1"),
            *problem(not expired, "the catalog does not expire"),
            *problem((listing["state"], listing["canRetry"], listing["retryAt"]) != ("empty", True, daemon.catalog["nextAt"]),
                     f"after the clear a list is answered {listing}"),
        ]


class Alone(Trial):
    """A retry that the daemon makes by itself, without a catalog, and a second that succeeds."""

    def steps(self):
        daemon, origin, delays, problems = self.daemon, self.origin, [], []
        daemon.ask("clear", force=True)
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


ATTEMPTS = [
    Pause.check(
        PAUSING.name, "within a minute no refresh, reload, expiry, restart or clear asks an origin again before its Retry-After is over", PAUSING),
    Alone.check(FAILING.name, "promod retries by itself when the backoff ends", FAILING),
]
