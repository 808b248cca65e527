"""A promod whose wall clock is set, an origin that counts its requests, and what is true at any time."""
import functools
import threading
import time

from support import catalog
from support.check import staged
from support.claims import expect
from support.clock import SteppedClock
from support.scripted import CountingOrigin
from support.stage import Stage
from support.times import DAY, TOLERANCE, YEAR, seconds, written
from support.wire import PATIENCE, comes

HOUR, WEEK, DECADE = 3_600, 7 * DAY, 3_653 * DAY
OLD, NEW = catalog.small(0), catalog.small(1)
# Seconds in which an attempt too many would begin. No reply rules one out, because a timer that is due may fire after the reply.
QUIET = 0.3


class HeldOrigin(CountingOrigin):
    """An origin that keeps its replies back while it is held."""

    def __init__(self, directory, **certificate):
        super().__init__(directory, **certificate)
        self.is_free = threading.Event()
        self.is_free.set()

    def reply_to(self, request):
        self.is_free.wait(PATIENCE)
        return super().reply_to(request)


class Scene(Stage):
    """promod with a clock of its own, and an origin."""

    def make_origin(self, directory):
        self.clock = SteppedClock(self.daemon)
        self.daemon.variables.update(self.clock.variables)
        # The origin's certificate is valid from the earliest time on.
        self.clock.set(-DECADE - YEAR)
        origin = HeldOrigin(directory, days=40 * 365, **self.clock.variables)
        self.clock.set(0)
        origin.body = OLD.bytes
        return origin

    def __exit__(self, *failure):
        self.origin.is_free.set()
        super().__exit__(*failure)

    def start(self, **settings):
        """Starts promod, and returns when it has fetched the catalog or failed to."""
        self.configure(refresh__interval="24h", **settings)
        self.daemon.start()
        self.daemon.ask("list", wait=True)

    def restart(self, offset):
        """Stops promod as systemd does, and starts it again after the clock was set."""
        self.daemon.process.terminate()
        self.daemon.process.wait(PATIENCE)
        self.clock.set(offset)
        self.daemon.start()

    def ask(self, method="status"):
        """What `status` says of the catalog, or a `list`, which must be right by the clock."""
        before = self.clock.now()
        answer = self.daemon.ask(method)
        answer = answer["catalogs"][0] if method == "status" else answer
        after = self.clock.now()
        state, fetched, expires = (answer[name] for name in ("state", "fetchedAt", "expiresAt"))
        where = f"at {written(int(before))} {method} says {state}, fetched {fetched}, expires {expires}"
        self.expect((fetched is None) == (expires is None), where)
        if fetched:
            self.expect(seconds(expires) == seconds(fetched) + DAY, where)
            self.expect(seconds(fetched) <= after + TOLERANCE, f"{where}, which is too far ahead")
        # The times are rounded down to seconds.
        self.expect(state != "fresh" or fetched and before < seconds(expires) + 1, f"{where}, which has passed")
        self.expect(state != "expired" or not expires or after >= seconds(expires), f"{where}, which is not yet")
        return answer

    def settled(self):
        """What status says of the catalog when promod has done what was asked of it until now, and fetches nothing."""
        # It changes nothing, but is carried out where fetches begin.
        self.daemon.ask("review-reset", app="nobody")
        expect(comes(lambda: not self.ask()["refreshing"]), f"it fetches for {PATIENCE} s")
        return self.ask()

    def wait_for(self, requests):
        """Waits until the origin has got so many requests, and a moment for more."""
        comes(lambda: self.origin.connections >= requests)
        time.sleep(QUIET)
        made = self.origin.count()
        self.expect(made == requests, f"the origin got {made} requests, not {requests}")

    def has_expired(self, fetched):
        """Whether a catalog that was fetched at that time must count as expired now."""
        now = self.clock.now()
        return now >= fetched + DAY or fetched > now + TOLERANCE


check = functools.partial(staged, Scene)
