"""A promod whose wall clock is set, an origin that counts its requests, and what is true at any time."""
import functools
import threading
import time

from support import catalog
from support.check import staged
from support.claims import Failed, problem
from support.reborn import Reborn
from support.scripted import CountingOrigin
from support.stepped import SteppedClock
from support.times import DAY, TOLERANCE, YEAR, seconds, written
from support.wire import PATIENCE

HOUR, WEEK, DECADE = 3_600, 7 * DAY, 3_653 * DAY
OLD, NEW = catalog.small(0), catalog.small(1)
SOON = 15  # seconds for what needs no waiting, on a busy machine
AWAKE = 30 + SOON  # seconds for what is due at a start, after a suspend and after a step of the clock
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


class Scene:
    """One promod and its origin, and what is wrong with them."""

    # The origin's certificate is valid from the first offset on.
    valid_from = -DECADE - YEAR

    def __init__(self, binary):
        self.problems = []
        self.daemon = Reborn(binary)
        self.clock = SteppedClock(self.daemon)
        self.daemon.variables.update(self.clock.variables)
        self.clock.set(self.valid_from)
        self.origin = HeldOrigin(self.daemon.directory, days=40 * 365, **self.clock.variables)
        self.clock.set(0)
        self.origin.body = OLD.bytes
        self.origin.open()
        self.interval = DAY

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.origin.is_free.set()
        self.daemon.stop()
        self.origin.close()

    def expect(self, condition, text):
        self.problems += problem(not condition, text)

    def start(self, interval=DAY, **settings):
        """Starts promod, and returns when it has fetched the catalog or failed to."""
        self.interval = interval
        self.daemon.configure(
            catalog__url=self.origin.url, catalog__ca_file=self.origin.certificate, refresh__interval=f"{interval}s", **settings)
        self.daemon.start()
        self.daemon.ask("list", wait=True)

    def stop(self):
        """Stops promod as systemd does."""
        self.daemon.process.terminate()
        self.daemon.process.wait(PATIENCE)

    def restart(self, offset=None):
        """Starts promod again, after the clock was set while it did not run if there is an offset."""
        self.stop()
        if offset is not None:
            self.clock.set(offset)
        self.daemon.start()

    # What is true at any time

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
            self.expect(seconds(expires) == seconds(fetched) + self.interval, where)
            self.expect(seconds(fetched) <= after + TOLERANCE, f"{where}, which is too far ahead")
        # The times are rounded down to seconds.
        self.expect(state != "loaded" or fetched and before < seconds(expires) + 1, f"{where}, which has passed")
        self.expect(state != "cached" or not expires or after >= seconds(expires), f"{where}, which is not yet")
        if method == "status":
            self.expect((answer["nextAt"] is None) == (answer["nextReason"] == "none"), f"{where}, and plans {answer}")
        return answer

    def settled(self):
        """What status says of the catalog when promod has done what was asked of it until now, and fetches nothing."""
        # It changes nothing, but is carried out where fetches begin.
        self.daemon.ask("review-reset", app="nobody")
        end = time.monotonic() + PATIENCE
        while (status := self.ask())["refreshing"]:
            if time.monotonic() > end:
                raise Failed(f"it fetches for {PATIENCE} s: {status}")
            time.sleep(0.005)
        return status

    def planned(self):
        """In how many seconds of the wall clock the next attempt is planned."""
        return seconds(self.settled()["nextAt"]) - self.clock.now()

    def wait_for(self, requests, longest=SOON):
        """Waits until the origin has got so many requests, and a moment for more. Returns how long it took."""
        began = time.monotonic()
        while self.origin.connections < requests and time.monotonic() - began < longest:
            time.sleep(0.005)
        took = time.monotonic() - began
        time.sleep(QUIET)
        made = self.origin.count()
        self.expect(made == requests, f"within {took:.1f} s the origin got {made} requests, not {requests}")
        return took

    def has_expired(self, fetched):
        """Whether a catalog that was fetched at that time must count as expired now."""
        now = self.clock.now()
        return now >= fetched + self.interval or fetched > now + TOLERANCE


check = functools.partial(staged, Scene)
