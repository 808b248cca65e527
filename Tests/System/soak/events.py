"""What subscribers must receive: every event once, in order, the same to all, and one for each tap and impression that was answered."""
import threading
import time

from support.claims import expect
from support.times import seconds


LATE = 60  # seconds within which an event reaches the leader
LAST = 2  # seconds within which it is sent, by another thread than the one that replies


class Emission:
    """The events of one request, which are told from all others by their host."""

    def __init__(self, kind, apps, host, epoch):
        self.kind, self.apps, self.host, self.epoch = kind, apps, host, epoch
        self.count = 0
        self.answered_at = self.sent_at = self.order = None


class Events:
    """The events of the current run of the daemon."""

    KEPT = 8_192

    def __init__(self, clock, catalogs):
        self.clock, self.catalogs = clock, catalogs
        self.lock = threading.Condition()
        self.epoch = None
        self.received = self.sent = 0
        self.former = set()
        self._restart(None)

    def _restart(self, epoch):
        self.epoch = epoch
        self.events = {}
        self.last = 0
        self.emissions = {}
        self.latest = {}
        self.catalog = None

    # What clients tell

    def sends(self, kind, apps, host, epoch):
        """A request that may emit events is being sent."""
        emission = Emission(kind, apps, host, epoch)
        emission.sent_at = time.time()
        with self.lock:
            self._enter(epoch)
            self.sent += 1
            emission.order = self.sent
            if epoch == self.epoch:
                self.emissions[host] = emission
        return emission

    def answered(self, emission, is_emitted):
        with self.lock:
            if is_emitted:
                emission.answered_at = time.time()
            else:
                expect(emission.count == 0, "an event came for a request that was refused")
                self.emissions.pop(emission.host, None)

    # What subscribers tell

    def subscribed(self, epoch, last=0):
        """Somebody has subscribed; up to the last event of these nobody waits for the leader, who has not asked for them."""
        with self.lock:
            self._enter(epoch)
            if epoch == self.epoch:
                if last > self.last:
                    self.catalog = None  # Its changes that the leader has not got may have led back to the last one that it got.
                self.last = max(self.last, last)
                self.lock.notify_all()

    def leads(self, epoch, event, version_of):
        """The next event of the subscriber that receives all of them, without a gap."""
        with self.lock:
            if epoch != self.epoch:
                return
            self.events[event["seq"]] = event
            self.events.pop(event["seq"] - self.KEPT, None)
            self.last = event["seq"]
            self.received += 1
            if event["event"] == "catalog" and event["catalog"] == "default":
                self._catalog(event, version_of)
            elif event["event"] == "icons":
                expect(event["catalog"] == "steady" and event["stored"] > 0, "pictures came for a catalog of which nobody wants any")
            elif event["event"] != "catalog":
                expect(event["catalog"] == "default", "an event of another catalog for a request about the default one")
                self._emitted(event)
            self.lock.notify_all()

    def follows(self, epoch, event, before, selects):
        """An event of another subscriber, and the last one before it. Returns when it is compared with those that the leader got."""
        with self.lock:
            self.lock.wait_for(lambda: epoch != self.epoch or self.last >= event["seq"], LATE)
            if epoch != self.epoch:
                return
            expect(self.last >= event["seq"], f"event {event['seq']} came to one subscriber only")
            same = self.events.get(event["seq"])
            expect(same is None or same == event, f"another subscriber got {same}")
            for seq in range(before + 1, event["seq"]):
                left_out = self.events.get(seq)
                expect(left_out is None or not selects(left_out), f"{left_out} is missing before it")

    def missing(self, epoch, mark, since):
        """Checks that all events have come of what was answered before the mark was sent and sent after `since`."""
        with self.lock:
            if epoch != self.epoch:
                return
            for host, emission in list(self.emissions.items()):
                if emission.answered_at is None or emission.answered_at >= mark:
                    continue
                if emission.sent_at > since:
                    expect(emission.count == len(emission.apps), f"{emission.count} of {len(emission.apps)} events of {host} came")
                del self.emissions[host]
            self._catalog_missing(mark - LAST, since)

    def _catalog_missing(self, mark, since):
        """Checks that the event of a catalog has come that clients were answered from before a moment, but not at an earlier one."""
        seen = self.catalogs.version.before(mark)
        if self.catalog and self.catalog[1] and seen > self.catalogs.version.before(since):
            heard = self.catalogs.contents[self.catalog[1]].version
            expect(heard >= seen, f"no event came of catalog {seen}, only of {heard}")

    def _enter(self, epoch):
        # Epochs do not return, but a late thread may still name the one before.
        if epoch != self.epoch and epoch not in self.former:
            self.former.add(self.epoch)
            self._restart(epoch)

    def _emitted(self, event):
        now = time.time()
        expect(seconds(event["at"]) <= self.clock.range(now - LATE, now)[1], "the event is from the future")
        emission = self.emissions.get(event["host"])
        if emission is None:
            expect(event["host"] is None or event["host"].startswith("mark-"), "nobody sent a request for this event")
            return
        expect(emission.kind == event["event"] and emission.count < len(emission.apps), "nobody sent a request for this event")
        expect(emission.apps[emission.count] == event["app"], f"the next event of its request is about {emission.apps[emission.count]}")
        emission.count += 1
        author = event["host"].rsplit("-", 1)[0]
        expect(self.latest.get(author, 0) <= emission.order, "events of one client came in another order than its requests")
        self.latest[author] = emission.order

    def _catalog(self, event, version_of):
        now = (event["state"], event["generation"])
        expect(now != self.catalog, "neither state nor generation changed")
        if self.catalog and self.catalog[1] and event["generation"]:
            expect(version_of(self.catalog[1]) <= version_of(event["generation"]), "an older generation came back")
        self.catalog = now
