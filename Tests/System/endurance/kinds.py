"""The kinds of operations, each of which is done many times while promod's memory, descriptors and speed are watched."""
import itertools
import socket
import time

from support import catalog
from support.claims import expect, problem
from support.wire import ANYTHING, Case, comes, exchange

TENTHS, REPEATS, CONNECTIONS = 10, 3, 4
MEMORY_MB = 4  # Growth that may be chance.
LARGE = 2_000_000  # bytes of a catalog
# How much slower the last tenth may be than the first: load from other processes stretches the elapsed time, but hardly promod's own.
SLOWER, SLOWER_BESIDE_OTHERS = 2, 10
FETCHES = 8  # descriptors that fetches under way take
CLOCKS = 1  # descriptors that Dispatch opens when the first timer of another clock is set


class Kinds:
    """One promod, and its clients."""

    def __init__(self, daemon, origin, content):
        self.daemon, self.origin, self.content = daemon, origin, content
        self.began, self.epoch = daemon.sample(), daemon.ask("status")["epoch"]
        self.connections = [daemon.connect() for _ in range(CONNECTIONS)]
        self.versions = itertools.count(1)

    def close(self):
        for connection in self.connections:
            connection.close()

    def run(self, name, count):
        """Does one kind of operation so many times, and returns its figures and its problems."""
        perform = getattr(self, f"_{name.replace('-', '_').replace('.', '_')}")()
        tenths = []
        # Other load on the machine passes; a daemon that has become slow stays slow.
        while len(tenths) < TENTHS or _is_slower(tenths) and len(tenths) < TENTHS + REPEATS:
            tenths.append(self._tenth(perform, count // TENTHS, tenths[0][2] if tenths else None))
        perform.close()
        first, *others = (sample for _, _, sample in tenths)
        growth = max(sample.dirty for sample in others) - first.dirty
        open_files = max(sample.descriptors for sample in others)
        figures = f"{count:,} in {sum(seconds for seconds, _, _ in tenths):.1f} s, dirty {first.dirty:.1f} {growth:+.1f} MB, {open_files} descriptors"
        return figures, [
            *problem(growth > MEMORY_MB, f"memory grows after the first tenth: {[round(sample.dirty, 1) for sample in (first, *others)]} MB"),
            *problem(open_files > first.descriptors + FETCHES, f"descriptors grow from {first.descriptors} to {open_files}"),
            *problem(_is_slower(tenths), "the last tenth is slower than the first")]

    def at_the_end(self):
        """The resources when all clients are gone."""
        self.close()
        began = self.began
        end = self.daemon.settled(lambda sample: sample.descriptors <= began.descriptors + CLOCKS and sample.threads <= began.threads)
        status = self.daemon.ask("status")
        return f"{end}", [
            *problem((status["pid"], status["epoch"]) != (self.daemon.pid, self.epoch), "promod was restarted"),
            *problem(end.descriptors > began.descriptors + CLOCKS or end.threads > began.threads, f"at the beginning it was {began}")]

    def _tenth(self, perform, count, first):
        """The elapsed time, promod's, and its resources when it has given back what the last round took."""
        began, start, done = self.daemon.processor_time, time.monotonic(), 0
        while done < count:
            done += next(perform)
        took = time.monotonic() - start, self.daemon.processor_time - began
        return *took, self.daemon.settled(lambda sample: first is None or sample.dirty <= first.dirty + MEMORY_MB)

    # Requests that are answered at once: generators that do some at each step, and say how many.

    def _asking(self, cases, number=400):
        supply = itertools.cycle(cases)
        while True:
            exchange(self.connections, list(itertools.islice(supply, number)))
            yield number

    def _repeated(self, method, *params, **known):
        """Requests whose replies are the same each time, but for some members."""
        return self._asking([Case(method, param, {**self.daemon.ask(method, **param), **known}) for param in params])

    def _list(self):
        hosts = [None, "stranger", "outside", *self.content.apps]
        return self._repeated("list", *(
            {name: value for name, value in (("host", host), ("language", language), ("limit", limit)) if value is not None}
            for host, language, limit in itertools.product(hosts, catalog.LANGUAGES, [None, 1, 3, 100])))

    def _tap(self):
        return self._repeated("tap", *({"app": app, "host": "finebill", "language": "ko"} for app in self.content.apps))

    def _impression(self):
        return self._repeated("impression", *({"apps": [app, "app-0"]} for app in self.content.apps))

    def _status(self):
        return self._repeated("status", {}, socket=ANYTHING, requests=ANYTHING)

    def _rpc_discover(self):
        return self._repeated("rpc.discover", {})

    def _review_eligible(self):
        return self._repeated("review-eligible", *({"app": f"never-{number}", "completed": number} for number in range(6)))

    def _launch(self):
        for number in range(50):
            self.daemon.ask("launch", app=f"app-{number}")
        return self._repeated("launch", *({"app": f"app-{number}"} for number in range(50)))

    def _reload(self):
        return self._repeated("reload", {})

    def _grant(self):
        """Reviews of an app whose history is as long as it can be, so that each takes the same time."""
        self.daemon.configure(review__min_days_since_first_launch=0, review__min_days_since_last_request=0, review__max_per_year=0)
        self.daemon.ask("reload")
        self.daemon.ask("launch", app="app-0")
        case = Case("review-request", {"app": "app-0", "completed": 3, "needsPage": False}, {
            "app": "app-0", "granted": True, "reasons": [], "eligibleAt": ANYTHING, "reviewURL": ANYTHING})
        exchange(self.connections, [case] * 400)
        return self._asking([case], 100)

    def _subscribe(self):
        """A subscriber that shuts its write side down gets the end."""
        while True:
            connection = self.daemon.connect()
            connection.ask("subscribe", events=["icons"])
            connection.socket.shutdown(socket.SHUT_WR)
            expect(connection.read_lines() == [], "an unexpected event came")
            connection.close()
            yield 1

    # Refreshes

    def _refreshing(self, outcome, code=None, make=None):
        while True:
            if make:
                self.origin.body = make(next(self.versions)).bytes
            result = self.daemon.refresh()
            expect((result["outcome"], (result["error"] or {}).get("code")) == (outcome, code), f"a refresh is answered {result}")
            yield 1

    def _refresh_304(self):
        return self._refreshing("unchanged")

    def _refresh_200(self):
        """Of an origin that closes without close_notify."""
        self.origin.says_goodbye = False
        try:
            yield from self._refreshing("updated", make=catalog.small)
        finally:
            self.origin.says_goodbye = True

    def _refresh_large(self):
        return self._refreshing("updated", make=lambda version: catalog.large(LARGE, version))

    def _refresh_refused(self):
        self.origin.close()
        try:
            yield from self._refreshing("failed", "connect")
        finally:
            self.origin.open()
            expect(comes(lambda: self.daemon.refresh()["error"] is None), "the origin is there again, and every refresh fails")

    def _silent_origins(self):
        """Reloads between two addresses that accept and never answer."""
        def serve(url):
            self.daemon.configure(catalog__url=url)
            self.daemon.ask("reload")
        # The kernel accepts connections into the queue.
        with socket.create_server(("127.0.0.1", 0), backlog=4096) as one, socket.create_server(("127.0.0.1", 0), backlog=4096) as other:
            try:
                for origin in itertools.cycle((one, other)):
                    serve(f"https://127.0.0.1:{origin.getsockname()[1]}/catalog.json")
                    yield 1
            finally:
                serve(self.origin.url)


def _is_slower(tenths):
    (first, first_own, _), (last, last_own, _) = tenths[0], tenths[-1]
    return last > SLOWER * first and last_own > SLOWER * first_own or last > SLOWER_BESIDE_OTHERS * first
