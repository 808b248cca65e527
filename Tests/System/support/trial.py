"""One promod that refreshes its catalog from an origin that follows a script."""
import hashlib
import json
import os
import re
import select
import time

from . import wire
from .cases import GOOD, NEW, SECRET, UNHURRIED
from .claims import Failed, problem
from .daemon import GAP
from .files import read
from .stage import Stage
from .times import seconds, seconds_or_never, written
from .wire import PATIENCE, comes

FAR = 2  # seconds within which a list is answered while a fetch is under way
# Words of libraries, which mean nothing to people.
JARGON = re.compile(r"NIO|HTTPClient|BoringSSL|OPENSSL|\w+Error\b|Error:|error \d|\(\w+:| \.")


class Trial(Stage):
    """Performs a case, and returns its figures and its problems."""

    def __init__(self, case, binary):
        # A name server that is silent is not waited for longer than this.
        super().__init__(binary, RES_OPTIONS="timeout:1 attempts:1")
        self.case = case
        # The server that follows the script.
        self.subject = self.origin

    def run(self):
        self.begin()
        return self.steps()

    def begin(self):
        """Starts promod with a catalog, and the script."""
        case, daemon, origin, subject = self.case, self.daemon, self.origin, self.subject
        origin.body = GOOD.bytes
        url = case.url.format(port=origin.port) or origin.url
        self.configure(**{"catalog__url": url, "refresh__timeout": f"{UNHURRIED}s", **case.settings})
        seed_cache(daemon, url, GOOD.bytes)
        daemon.start()
        new_lines(daemon, 0, "promod .* serves")
        self.listing = daemon.ask("list", wait=True)
        if self.listing["state"] != "fresh":
            raise Failed(f"the first catalog is not served: {self.listing}; {daemon.end_of_log}")
        subject.script, subject.connections = case.script, 0
        if case.script is None:
            subject.close()

    def steps(self):
        """One refresh."""
        case, daemon, subject = self.case, self.daemon, self.subject
        logged = len(read_log(daemon))
        daemon.forget_peak()
        result, took, wait = self._watched_refresh()
        peak = daemon.peak_memory
        ended = time.time()
        error = result["error"] or {"code": "", "message": ""}
        status = daemon.ask("status")
        standing, listing = status["catalogs"][0], daemon.ask("list")
        lines = new_lines(daemon, logged, "The (refresh|catalog) ")
        problems = [
            *problem(error["code"] != case.code, f"the code is {error['code']!r}, not {case.code!r}"),
            *problem(not re.search(case.says, error["message"]), f"the message does not match {case.says!r}"),
            *problem(JARGON.search(error["message"]), "the message is not written for people"),
            *problem(not case.takes[0] <= took <= case.takes[1], f"it took {took:.1f} s, not {case.takes[0]} to {case.takes[1]} s"),
            *self._plan_problems(standing, ended),
            *problem(peak > case.peak, f"resident memory was {peak:.1f} MB, more than {case.peak} MB"),
            *problem(wait > FAR, f"a list was answered after {wait:.1f} s meanwhile"),
            *problem(subject.connections != case.connections, f"{subject.connections} connections were made, not {case.connections}"),
            *self._outcome_problems(result, error, status, listing),
            *log_problems(lines, error["message"], case.code),
            *case.verify(self.origin),
            *problem(SECRET in f"{status}{result}{read_log(daemon)}", "a password is shown"),
            *self._recovery_problems(result),
        ]
        says = f"{error['code']}: {error['message']}" if case.code or error["code"] else result["outcome"]
        due = seconds_or_never(standing["nextAt"]) - ended
        figures = f"{took:.2f} s, next in {due:,.0f} s, {peak:.0f} MB, list in {wait * 1e3:.0f} ms; {says[:200]}"
        return figures, problems

    def _outcome_problems(self, result, error, status, listing):
        case, standing = self.case, status["catalogs"][0]
        found = [(entry["code"], entry["text"]) for entry in status["problems"] if "catalog" in entry]
        moved = case.moved.format(port=self.origin.port)
        wrong = [(error["code"], error["message"])] if case.code else [("moved", f"The catalog has moved for good to {moved}?….")] if moved else []
        served, outcome = (GOOD, "failed") if case.code else (case.served, "updated")
        expected = served.listing(None, None, None, {name: self.listing[name] for name in ("state", "source")})
        kept = {name: self.listing[name] for name in ("fetchedAt", "expiresAt")} if case.code else {}
        listed = {name: value for name, value in listing.items() if name in expected or name in kept}
        return [
            *problem(result["outcome"] != outcome, f"the outcome is {result['outcome']}, not {outcome}"),
            *problem(result["generation"] != served.generation, "the reply names another generation than the one that is served"),
            *problem(listed != {**expected, **kept}, f"a list is answered {str(listing)[:300]}"),
            *problem((standing["lastError"] or "") != error["code"], f"status has another error: {standing['lastError']}"),
            *problem(found != wrong, f"the problems are {found}"),
            *problem(case.code and result["retryAt"] != standing["nextAt"], f"retryAt is {result['retryAt']}, not {standing['nextAt']}"),
        ]

    def _plan_problems(self, standing, ended):
        """The failure is counted, and the next attempt is planned for the right time with the right reason."""
        case = self.case
        low, high = case.next
        due = seconds_or_never(standing["nextAt"]) - ended
        reason = "retry-after" if case.pause else "retry" if case.code else "expiry"
        return [
            *problem(standing["failures"] != bool(case.code), f"status counts {standing['failures']} failures"),
            *problem(not low - 1 <= due <= high + 1, f"the next attempt is after {due:.1f} s, not {low:,} to {high:,} s"),
            *problem(standing["nextReason"] != reason, f"the reason for the next attempt is {standing['nextReason']}"),
        ]

    def _recovery_problems(self, refused):
        """The next good catalog is accepted. While the origin asks for a pause it is asked once a minute, also after a restart."""
        origin, subject, case = self.origin, self.subject, self.case
        if case.script is None:
            subject.open()
        if not case.recovers:
            return []
        subject.script, origin.body, origin.connections = None, NEW.bytes, 0
        if not case.pause:
            result = self.daemon.refresh()
            right = result["error"] is None and result["generation"] == NEW.generation
            return problem(not right, f"the next good catalog is not accepted: {result}")
        time.sleep(GAP)
        results = [self.daemon.ask("refresh")]
        restart(self.daemon)
        results.append(self.daemon.ask("refresh"))
        return [
            *problem(not all(is_deferred(result, refused) for result in results), f"during the pause refreshes are answered {results}, not {refused}"),
            *problem(origin.connections != 0, f"{origin.connections} connections were made during the pause"),
        ]

    def _watched_refresh(self):
        """A refresh, how long it took, and how long a list took at most meanwhile."""
        longest, other, connection = 0, self.daemon.connect(), self.daemon.connect()
        began = time.monotonic()
        result = {"outcome": "started"}
        # One that takes longer than refresh.timeout goes on.
        while result["outcome"] == "started":
            connection.send([wire.Case("refresh", {})])
            while not select.select([connection.socket], [], [], 0.02)[0]:
                asked = time.monotonic()
                other.ask("list", limit=1)
                longest = max(longest, time.monotonic() - asked)
            result = json.loads(connection.read_lines()[0])["result"]
        took = time.monotonic() - began
        other.close()
        connection.close()
        return result, took, longest


def is_deferred(result, before):
    """Whether a refresh does not ask the origin, repeats why an earlier one failed, and names a time within a minute."""
    same = [result[name] == before[name] for name in ("generation", "error")]
    return result["outcome"] == "deferred" and all(same) and 0 < seconds(result["retryAt"]) - time.time() <= 61


def restart(daemon, meanwhile=lambda: None):
    """Stops promod as systemd does, and starts it again."""
    daemon.process.terminate()
    daemon.process.wait(PATIENCE)
    meanwhile()
    daemon.start()


def seed_cache(daemon, url, body, **header):
    """Writes a cached catalog, fetched now."""
    os.makedirs(daemon.cache, mode=0o700, exist_ok=True)
    described = {"format": 1, "url": url, "etag": None, "lastModified": None, "fetchedAt": written(time.time()),
                 "sha256": hashlib.sha256(body).hexdigest(), "bytes": len(body), **header}
    with open(f"{daemon.cache}/catalog", "wb") as file:
        file.write(json.dumps(described).encode() + b"\n" + body)


def read_log(daemon):
    return read(f"{daemon.directory}/log")


def new_lines(daemon, length, awaited):
    """The lines of the log after so many characters, with an awaited one, which may come a moment after the reply."""
    comes(lambda: re.search(f"{awaited}.*\n", read_log(daemon)[length:]))
    return read_log(daemon)[length:].splitlines()


def log_problems(lines, message, code):
    """A refresh is logged in one line, with its level, its consequence and its reason."""
    expected = "warning: The refresh failed, and the old catalog is kept. " if code else "info: The catalog was updated: 12 apps, "
    whole = re.escape(expected + message) + r".*Next refresh .*\."
    return problem(len(lines) != 1 or not re.search(whole, lines[0]), f"the log says {lines}, not one line with {expected!r}")
