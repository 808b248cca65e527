"""What all threads of the test share: promod, its origin, what is known of both, and whether the test goes on."""
import collections
import contextlib
import json
import shutil
import threading
import time

from support.catalog import small
from support.claims import expect
from support.daemon import Daemon
from support.files import write
from support.pictures import png
from support.shop import CATALOG, Shelf
from support.wire import PATIENCE, comes
from .disk import Disk
from .reviews import Reviews

STEADY = "steady"  # the name of the catalog that never changes
APPS = [f"app-{number}" for number in range(12)]  # that every catalog has


class Run:
    """One run of promod. It is up until the test is about to end it, and open to clients when the leading subscriber is there."""

    def __init__(self, epoch, pid, is_open):
        self.epoch, self.pid, self.is_up, self.is_open = epoch, pid, True, is_open
        # How many events each request was answered to cause, and how many have come, by the request's host.
        self.answered, self.received = collections.Counter(), collections.Counter()


class Spans:
    """When something was so."""

    def __init__(self):
        self._spans = []

    @contextlib.contextmanager
    def during(self):
        """It is so until the end of the block."""
        span = [time.time(), float("inf")]
        self._spans.append(span)
        yield
        span[1] = time.time()

    def overlap(self, sent, came):
        return any(begin <= came and end >= sent for begin, end in self._spans[-100:])


class World:
    """The state of the test."""

    def __init__(self, seed, binary):
        self.seed, self.daemon = seed, Daemon(binary)
        self.disk, self.origin = Disk(self.daemon.directory), Shelf(self.daemon.directory)
        self.daemon.variables.update(XDG_CACHE_HOME=f"{self.disk.path}/cache", XDG_STATE_HOME=f"{self.disk.path}/state")
        self.history = f"{self.disk.path}/state/promod/reviews.json"
        self.reviews = Reviews()
        # When there may be no catalog, what clients change may not be stored, and a reload may fail.
        self.empty, self.unwritable, self.broken = Spans(), Spans(), Spans()
        self.contents, self.versions, self.version, self.seen = {}, {}, 0, 0
        self.run = None
        self.leader = None  # the subscriber that follows all events
        self.clients, self.working = [], set()
        self.is_over = self.is_paused = False
        self.failure = None
        self.counts, self.lock = collections.Counter(), threading.Lock()
        self.began = time.monotonic()

    # Catalogs

    def publish(self, make=small):
        """Puts another catalog at the origin."""
        self.version += 1
        self.content = make(self.version)
        self.contents[self.content.generation] = self.content
        self.versions[self.content.generation] = self.version
        self.origin.files[CATALOG] = self.content.bytes
        self.count(publications=1)

    def publish_steady(self):
        """Has promod keep another catalog, with pictures, which never changes."""
        self.steady, self.picture = small(), png(16, 16)
        for app in self.steady.apps.values():
            app["iconURL"] = self.origin.at(f"/{app['id']}.png")
            self.origin.files[f"/{app['id']}.png"] = self.picture
        self.steady = type(self.steady)(list(self.steady.apps.values()), self.steady.rules)
        self.origin.files["/steady.json"] = self.steady.bytes
        write(f"{self.daemon.directory}/data/promod/catalogs.d/{STEADY}.toml",
              f'url = "{self.origin.at("/steady.json")}"\nca-file = "{self.origin.certificate}"\n')

    def judge(self, generation, least, sent, came):
        """The catalog of a reply; none older than one that was seen before its request. None if there may be none, and is none."""
        if generation is None:
            return expect(self.empty.overlap(sent, came), "the generation is null, but a catalog must be served")
        expect(generation in self.contents, f"generation {generation} was never published")
        version = self.versions[generation]
        expect(version >= least, f"catalog {version} is older than {least}, which was served before")
        with self.lock:
            self.seen = max(self.seen, version)
        return self.contents[generation]

    # promod

    def start(self):
        self.daemon.start()
        status = self.daemon.ask("status")
        expect(status["pid"] == self.daemon.pid, f"another promod answers: {status}")
        self.run = Run(status["epoch"], status["pid"], not self.leader)

    def stop(self):
        """Stops it as systemd does, and compares what it leaves on disk."""
        self.run.is_up = False
        self.daemon.process.terminate()
        code = self.daemon.process.wait(PATIENCE)
        expect(code == 0, f"promod ended with {code} after a SIGTERM")
        self._check_history()
        self.count(restarts=1)

    def kill(self):
        """The same with a kill."""
        expect(self.daemon.is_alive, "promod ended by itself")
        self.run.is_up = False
        self.daemon.process.kill()
        self.daemon.process.wait()
        self._check_history()
        self.count(kills=1)

    def _check_history(self):
        expect(comes(lambda: self.is_over or self.working <= {"leader"}), "clients do not notice that promod has ended")
        with contextlib.suppress(FileNotFoundError), open(self.history, encoding="utf-8") as file:
            self.reviews.check_file(json.load(file))

    # The clients

    def begin(self, clients):
        self.clients = clients
        for client in clients:
            client.start()

    def count(self, **numbers):
        with self.lock:
            self.counts.update(numbers)

    @contextlib.contextmanager
    def at_work(self, name):
        """A client may have a request open, or a reply to judge, until the end of the block."""
        self.working.add(name)
        try:
            yield
        finally:
            self.working.remove(name)

    @contextlib.contextmanager
    def quiet(self):
        """No client but the leader is connected until the end of the block, and all events have come."""
        self.is_paused = True
        expect(comes(lambda: self.is_over or self.daemon.ask("status")["socket"]["connections"] <= 2), "clients do not pause")
        if self.leader and not self.is_over:
            connection = self.daemon.connect()
            last = connection.ask("subscribe")["since"]
            connection.close()
            expect(comes(lambda: self.is_over or self.leader.seq >= last), f"the leader gets no events after {self.leader.seq} of {last}")
            wrong = (self.run.answered - self.run.received) + (self.run.received - self.run.answered)
            expect(self.is_over or not wrong, f"events are missing, or came without a request: {dict(list(wrong.items())[:5])}")
        yield
        self.is_paused = False

    def fail(self, name, exchange, error):
        """Ends the test because of this."""
        with self.lock:
            if self.failure is None and not self.is_over:
                self.failure = (name, exchange, error)
            self.is_over = True

    def figures(self):
        return f"{time.monotonic() - self.began:.0f} s, " + ", ".join(f"{count:,} {name}" for name, count in sorted(self.counts.items()))

    def close(self):
        self.is_over = True
        if self.daemon.is_alive:
            self.daemon.process.kill()
            self.daemon.process.wait()
        for client in self.clients:
            client.join(5)
        self.disk.close()
        shutil.rmtree(self.daemon.directory, ignore_errors=True)
