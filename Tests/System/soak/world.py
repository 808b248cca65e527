"""What all threads of the test share: the daemon, the origin, the model, and whether the test goes on."""
import collections
import contextlib
import json
import os
import shutil
import signal
import subprocess
import threading
import time

from support.claims import expect
from support.network import is_online
from support.daemon import Daemon
from support.reviews import Reviews
from support.stepped import SteppedClock
from support.times import DAY, Timeline, written
from support.wire import PATIENCE
from . import catalogs
from .disk import Disk
from .events import Events
from .model import CAP, Catalogs

STOP = 10  # seconds; promod waits two for clients to read their replies, but the machine may be busy


class Run:
    """One run of the daemon. It is up until the test is about to end it."""

    def __init__(self, began=None, epoch=None, pid=None):
        self.began, self.epoch, self.pid = began, epoch, pid
        self.is_up = epoch is not None


class World:
    """The state of the test."""

    def __init__(self, seed, binary):
        self.seed = seed
        self.daemon = Daemon(binary)
        # The origin's certificate begins to be valid when the test begins, so that a clock that goes back must have been ahead.
        self.clock, self.disk = SteppedClock(self.daemon, 1_000 * DAY), Disk(self.daemon.directory)
        self.cache, self.history = f"{self.disk.path}/cache/promod", f"{self.disk.path}/state/promod/reviews.json"
        self.daemon.variables.update(
            XDG_CACHE_HOME=f"{self.disk.path}/cache", XDG_STATE_HOME=f"{self.disk.path}/state", **self.clock.variables)
        self.settings, self.faults, self.broken = Timeline(), Timeline(), Timeline()
        self.faults.begin("", 0)
        self.broken.begin(False, 0)
        self.catalogs = Catalogs(self.clock, self.settings, self.faults, self.disk)
        self.reviews = Reviews(self.clock, self.settings)
        self.events = Events(self.clock, self.catalogs)
        # When each run began.
        self.starts = []
        self.run = Run()
        self.is_online = is_online()
        self.steady, self.steady_url, self.steady_file, self.steady_seen = None, None, None, False
        self.discovery = None
        self.is_over = self.is_paused = False
        self.failure = None
        self.counts = collections.Counter()
        self.lock = threading.Lock()
        self.working = 0
        self.seeded = []

    # The daemon

    def start(self):
        self.catalogs.starts_with(self._stored_generation())
        began = time.time()
        self.starts.append(began)
        self.daemon.start()
        status = self.daemon.ask("status")
        expect(status["pid"] == self.daemon.pid, f"another promod answers: {status}")
        if self.discovery is None:
            self.discovery = self.daemon.ask("rpc.discover")
        self.run = Run(began, status["epoch"], status["pid"])

    def _stored_generation(self):
        """That of the catalog on disk, from the header in its first line; None if there is none."""
        try:
            with open(f"{self.daemon.cache}/catalog", "rb") as file:
                return json.loads(file.readline())["sha256"][:16]
        except FileNotFoundError:
            return None

    def stop(self):
        """Stops it as systemd does."""
        self.run.is_up = False
        self.daemon.process.send_signal(signal.SIGTERM)
        began = time.monotonic()
        try:
            code = self.daemon.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            expect(False, "promod does not stop")
        took = time.monotonic() - began
        expect(code == 0, f"promod ended with {code} after a SIGTERM")
        expect(took < STOP, f"promod took {took:.1f} s to stop")
        self.count(restarts=1)

    def kill(self):
        self.run.is_up = False
        expect(self.daemon.is_alive, "promod ended by itself")
        self._kill()
        self.count(kills=1)

    def _kill(self):
        self.daemon.process.kill()
        self.daemon.process.wait()
        self.clock.forget(self.daemon.pid)

    def descriptors(self):
        """What the daemon has open."""
        directory = f"/proc/{self.daemon.pid}/fd"
        targets = []
        for name in os.listdir(directory):
            # One may be closed meanwhile.
            with contextlib.suppress(FileNotFoundError):
                targets.append(os.readlink(f"{directory}/{name}"))
        return ", ".join(sorted(targets))

    def check_history(self):
        """Compares the review history of a daemon that has ended with the model."""
        end = time.monotonic() + PATIENCE
        while self.reviews.open and not self.is_over:
            expect(time.monotonic() < end, "clients do not notice that the daemon has ended")
            time.sleep(0.001)
        self.reviews.daemon_ended()
        with contextlib.suppress(FileNotFoundError):
            with open(self.history, encoding="utf-8") as file:
                self.reviews.check_file(json.load(file))

    def seed_history(self, records):
        """Writes the review history before the first start."""
        os.makedirs(os.path.dirname(self.history), mode=0o700)
        apps = {app: {"firstLaunch": written(r.launched), "requests": [written(at) for at in r.requests]} for app, r in records.items()}
        with open(self.history, "w", encoding="utf-8") as file:
            json.dump({"format": 4, "apps": apps}, file)
        self.reviews.begin(records)
        self.seeded = list(records)

    def keep_steady(self, url, certificate, content):
        """Has the daemon keep another catalog, which never changes."""
        self.steady, self.steady_url = content, url
        self.steady_file = f'url = "{url}"\nca-file = "{certificate}"\n'
        path = f"{self.daemon.directory}/data/promod/catalogs.d"
        os.makedirs(path)
        with open(f"{path}/{catalogs.STEADY}.toml", "w", encoding="utf-8") as file:
            file.write(self.steady_file)

    def configure(self, values):
        """Writes the configuration; a reload or a start puts it into force, and `configured` says so."""
        self.settings.begin(values, time.time())
        self.daemon.configure(**{
            "refresh__interval": f"{values['interval']}s", "refresh__timeout": f"{values['timeout']}s",
            "retry__base": "200ms", "retry__cap": f"{int(CAP * 1000)}ms",
            "review__min_completions": values["completions"], "review__min_days_since_first_launch": values["days_launch"],
            "review__min_days_since_last_request": values["days_request"], "review__max_per_year": values["per_year"],
            "catalog__url": values["url"],
        })

    def version_of(self, generation):
        content = self.catalogs.contents.get(generation)
        expect(content, f"generation {generation} was never published")
        return content.version

    def contested(self):
        """The app about which all clients ask now; after a dozen times it is the next one."""
        with self.lock:
            self.counts["contested"] += 1
            return f"contested-{self.counts['contested'] // 12 % catalogs.CONTESTED}"

    # The clients

    @property
    def is_ending(self):
        """Whether clients are to leave."""
        return self.is_over or self.is_paused

    def count(self, **numbers):
        with self.lock:
            self.counts.update(numbers)

    @contextlib.contextmanager
    def at_work(self):
        with self.lock:
            self.working += 1
        try:
            yield
        finally:
            with self.lock:
                self.working -= 1

    def may_connect(self, leads):
        """Whether a client that is at work may have a connection; during a pause, the leader has one while others wait for its events."""
        return not self.is_over and (not self.is_paused or leads and self.working > 1)

    def wait_while_paused(self, leads):
        """Returns when clients may begin to work."""
        while self.is_paused and not self.is_over and not (leads and self.working):
            time.sleep(0.02)

    def pause(self):
        """Returns when no client has a connection."""
        self.is_paused = True
        end = time.monotonic() + PATIENCE
        while self.working and not self.is_over:
            expect(time.monotonic() < end, "clients do not pause")
            time.sleep(0.02)

    def go_on(self):
        self.is_paused = False

    def fail(self, name, exchange, error):
        """Ends the test because of this."""
        with self.lock:
            if self.failure is None and not self.is_over:
                self.failure = (name, exchange, error)
            self.is_over = True

    def close(self):
        self.is_over = True
        if self.daemon.is_alive:
            self._kill()
        self.disk.close()
        shutil.rmtree(self.daemon.directory, ignore_errors=True)
