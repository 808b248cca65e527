"""A model of first launches and review requests, for clients that ask at the same time and a daemon that is killed.

Each app has a set of states that explain all replies so far. A request that is not answered yet may have been carried out or not. When
its reply comes, the states remain in which it was carried out, after any of the other open requests, with that result. If none remains,
no order of the requests explains the replies: a grant was lost, or given twice.
"""
import collections
import threading
import time
from typing import NamedTuple

from .claims import Failed, expect
from .times import DAY, TOLERANCE, YEAR, seconds, written


MOST = 10_000  # How many apps may be recorded.


class Record(NamedTuple):
    """An app in the history; times in seconds."""

    launched: int = None
    requests: tuple = ()


def records_of(document):
    """The records of a review history, by app."""
    return {
        app: Record(entry["firstLaunch"] and seconds(entry["firstLaunch"]), tuple(map(seconds, entry["requests"])))
        for app, entry in document["apps"].items()}


def believed(record, now):
    """The record as it is at that time: what is too far ahead of the clock counts as now."""
    times = [now if at is not None and at > now + TOLERANCE else at for at in (record.launched, *record.requests)]
    return record._replace(launched=times[0], requests=tuple(sorted(times[1:])))


def judge(record, completed, policy, now):
    """The reasons against a review at that time, and when the last of the waits among them ends."""
    waits = []
    if record.launched is not None:
        waits.append(("too-soon-after-first-launch", record.launched + policy["days_launch"] * DAY))
    if record.requests:
        waits.append(("too-soon-after-last-request", record.requests[-1] + policy["days_request"] * DAY))
    if 0 < policy["per_year"] <= len(record.requests):
        waits.append(("yearly-limit", record.requests[-policy["per_year"]] + YEAR))
    waits = [(reason, end) for reason, end in waits if now < end]
    reasons = ["never-launched"] if record.launched is None else []
    reasons += ["too-few-completions"] if completed < policy["completions"] else []
    return reasons + [reason for reason, _ in waits], max((end for _, end in waits), default=None)


class Operation:
    """A request about an app. Its identity is that of the object."""

    def __init__(self, method, app, completed=0, page_known=True, online=True):
        self.method, self.app, self.completed = method, app, completed
        self.page_known, self.online = page_known, online
        self.sent = time.time()

    def carry_out(self, record, policy, now):
        """The record afterwards, and the result as `outcome` reads it from a reply."""
        if self.method == "review-reset":
            return Record(), (record != Record(),)
        record = believed(record, now)
        if self.method == "launch":
            first = now if record.launched is None else record.launched
            return record._replace(launched=first), (written(first), record.launched is None)
        reasons, end = judge(record, self.completed, policy, now)
        reasons += [] if self.page_known else ["no-page"]
        reasons += [] if self.online else ["offline"]
        if self.method == "review-request" and not reasons:
            kept = [request for request in record.requests if now - request < YEAR]
            record = record._replace(requests=tuple(sorted([*kept, now])))
            end = judge(record, 1 << 60, policy, now)[1] or now
            return record, (True, (), written(end), None)
        needed = policy["completions"] if "too-few-completions" in reasons else None
        return record, (not reasons, tuple(reasons), written(end), needed)

    def outcome(self, result):
        """The part of a reply's result that depends on the history."""
        if self.method == "launch":
            return result["firstLaunch"], result["recorded"]
        if self.method == "review-reset":
            return (result["reset"],)
        verdict = result["granted" if self.method == "review-request" else "eligible"]
        return verdict, tuple(result["reasons"]), result["eligibleAt"], result.get("completionsNeeded")


class _App:
    """The states of one app, each a record and the results of open requests that were carried out already."""

    def __init__(self, record):
        self.states = {(record, frozenset())}
        self.open = set()
        # What happened last, for the report of a failure.
        self.trail = collections.deque(maxlen=40)

    def note(self, what, operation, outcome=""):
        """Notes what became of an operation, by this thread, and when it was sent."""
        author = threading.current_thread().name
        self.trail.append(f"{time.time():.3f} {author} {what} {operation.method} (sent {operation.sent:.3f}) {outcome}")


class Reviews:
    """All apps. What is sent, answered and lost is told by several threads."""

    def __init__(self, clock, settings):
        self.clock, self.settings = clock, settings
        self.lock = threading.Lock()
        self.apps = {}
        self.open = 0
        # Those that were lost to a daemon that had not ended yet.
        self.ghosts = []
        self.grants = 0

    def begin(self, records):
        """The history on disk before the first start."""
        for app, record in records.items():
            self.apps[app] = _App(record)

    def send(self, operation):
        with self.lock:
            app = self.apps.setdefault(operation.app, _App(Record()))
            app.open.add(operation)
            app.note("sends", operation)
            self.open += 1

    def answered(self, operation, result):
        """Its reply came; None for a notification, which has none but was carried out."""
        outcome = None if result is None else operation.outcome(result)
        with self.lock:
            app = self.apps[operation.app]
            app.note("was answered", operation, outcome)
            states = self._after(app, operation, outcome)
            if not states:
                raise Failed(f"no order of the requests about {operation.app} explains this reply; before it, its states were "
                            + self._shown(app))
            self._close(app, operation, states)
            self.grants += operation.method == "review-request" and outcome is not None and outcome[0]

    def lost(self, operation):
        """Its connection ended without a reply: as long as the daemon has not ended, it may still be carried out."""
        with self.lock:
            self.apps[operation.app].note("lost", operation)
            self.ghosts.append(operation)
            self.open -= 1

    def daemon_ended(self):
        """Each operation that was lost was carried out, or it never will be."""
        with self.lock:
            for operation in self.ghosts:
                app = self.apps.get(operation.app)
                if app and operation in app.open:
                    app.states = self._after(app, operation, None) | self._without(app, operation)
                    app.open.remove(operation)
            self.ghosts = []

    def uncertain(self, operation):
        """It has no reply, but what came after it has: it was carried out, or it never will be."""
        with self.lock:
            app = self.apps[operation.app]
            app.note("uncertain", operation)
            self._close(app, operation, self._after(app, operation, None) | self._without(app, operation))

    def refused(self, operation):
        """It was answered with an error, so it was not carried out."""
        with self.lock:
            app = self.apps[operation.app]
            app.note("was refused", operation)
            states = self._without(app, operation)
            if not states:
                raise Failed(f"it was refused, but later replies about {operation.app} show that it was carried out")
            self._close(app, operation, states)

    def replaced(self, document):
        """The history was replaced, while no request was open."""
        with self.lock:
            self.apps = {app: _App(record) for app, record in records_of(document).items() if not app.startswith("invented-")}

    def check_file(self, document):
        """Compares the history on disk with the states, while no daemon runs. A request that is open has no daemon to carry it out."""
        with self.lock:
            records = records_of(document)
            expect(len(records) <= MOST, f"{len(records)} apps are recorded")
            for name, app in self.apps.items():
                record = records.pop(name, Record())
                if (record, frozenset()) not in app.states:
                    raise Failed(f"the history on disk has {name} as {record}, but its states are {self._shown(app)}")
                app.states = {(record, frozenset())}
                app.trail.append(f"{time.time():.3f} on disk: {record}")
            unknown = [name for name in records if not name.startswith("invented-")]
            if unknown:
                raise Failed(f"the history on disk has {sorted(unknown)[:5]}, which nobody sent")
            # Forgotten apps would accumulate.
            self.apps = {name: app for name, app in self.apps.items() if app.open or (Record(), frozenset()) not in app.states}

    def _close(self, app, operation, states):
        app.states = states
        app.open.remove(operation)
        self.open -= 1

    @staticmethod
    def _without(app, operation):
        """The states in which an operation was not carried out."""
        return {(record, done) for record, done in app.states if operation not in {other for other, _ in done}}

    def _after(self, app, operation, outcome):
        """The states after an operation: any open ones before it, then itself; with that outcome, or with any if None."""
        now = time.time()
        states, reached, unseen = set(), set(app.states), list(app.states)
        results = {}
        while unseen:
            record, done = unseen.pop()
            carried_out = dict(done)
            if operation in carried_out:
                if outcome is None or carried_out[operation] == outcome:
                    states.add((record, done - {(operation, carried_out[operation])}))
                continue
            for other in app.open - carried_out.keys():
                if (record, other) not in results:
                    results[record, other] = self._results(record, other, now)
                for after, result in results[record, other]:
                    state = (after, done | {(other, result)})
                    if state not in reached:
                        reached.add(state)
                        unseen.append(state)
        return states

    def _results(self, record, operation, now):
        """What an operation may have done at some moment since it was sent."""
        policies = self.settings.possible(operation.sent, now)
        moments = {
            moment for first, last in self.clock.shown(operation.sent, now) for moment in range(int(first), int(last) + 1)}
        return {operation.carry_out(record, policy, moment) for policy in policies for moment in moments}

    def _shown(self, app):
        states = "; ".join(f"{record}, not answered yet: {sorted(other.method for other, _ in done)}" for record, done in list(app.states)[:5])
        return "\n  ".join([states, "What happened to it last:", *app.trail, f"The clock's steps: {self.clock.steps()}"])
