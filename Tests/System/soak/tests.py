"""The two tests: everything at once, and kills."""
import contextlib
import os
import random
import time

from support import cases, catalog
from support.claims import expect
from support.shop import CATALOG
from support.wire import comes
from .clients import EVERYTHING, REVIEWS, Asker, Leader
from .disk import FAULTS
from .reviews import COMPLETIONS
from .world import STEADY

ASKERS = 5
# How much private memory may grow by chance, and up to where promod may warm up in a short test.
MEMORY_MB, WARM_MB, LONG = 3, 15, 600
# What an origin does, with the codes of which the failure has one; a text is what it sends instead of a catalog.
FAILURES = [
    (cases.answer("404 Not Found"), "not-found"), (cases.answer("500 Internal Server Error"), "unavailable"),
    (cases.answer("302 Found", "Location: http://127.0.0.1/"), "redirect"), (lambda visit: visit.reset(), "connect tls"),
    (b"", "json"), (b'{"apps":[', "json"), (b'{"apps":[]}', "schema"), (b" " * 6_000_000, "too-large")]


def crashes(world, count):
    """promod is killed while clients ask for reviews. After each time the history on disk is compared with what they were told."""
    _configure(world, catalog__url="https://127.0.0.1:1/catalog.json")
    world.start()
    world.begin([Asker(world, f"asker{number}", REVIEWS) for number in range(ASKERS - 1)])
    rng = random.Random(f"{world.seed} crashes")
    for _ in range(count):
        enough = world.counts["replies"] + rng.randint(1, 150)
        expect(comes(lambda: world.is_over or world.counts["replies"] >= enough), "clients get no replies")
        if world.is_over:
            return
        time.sleep(rng.uniform(0, 0.005))
        world.kill()
        world.start()
    world.stop()
    world.count(grants=world.reviews.grants)


def _configure(world, **settings):
    world.daemon.configure(
        refresh__timeout="20s", retry__base="200ms", retry__cap="500ms", review__min_completions=COMPLETIONS,
        review__min_days_since_first_launch=0, review__min_days_since_last_request=30, **settings)


def everything(world, length):
    """All actions at random, in the first half with restarts; memory is compared between two moments of the second."""
    world.origin.open()
    world.publish()
    world.publish_steady()
    _configure(world, catalog__url=world.origin.at(CATALOG), catalog__ca_file=world.origin.certificate)
    if not world.disk.can_fail:
        print("The disk does not fail, because only root may mount one.", flush=True)
    world.leader = Leader(world)
    world.start()
    for name in "default", STEADY:
        expect(world.daemon.ask("list", wait=True, catalog=name)["state"] == "fresh", f"the first fetch of {name} fails")
    world.begin([world.leader, *(Asker(world, f"asker{number}", EVERYTHING) for number in range(ASKERS))])
    actions = Actions(world)
    actions.go_on_until(length / 2, may_restart=True)
    actions.go_on_until(length * 5 / 8)
    first = actions.sample()
    actions.go_on_until(length)
    last = actions.sample()
    if world.is_over:
        return
    print(f"after the restarts: {first}\nat the end:         {last}", flush=True)
    is_warming_up = length < LONG and last.dirty <= WARM_MB
    expect(last.dirty <= first.dirty + MEMORY_MB or is_warming_up, f"memory has grown from {first.dirty:.1f} to {last.dirty:.1f} MB")
    expect(last.descriptors <= first.descriptors, f"the descriptors were {first.descriptors}, and are {last.descriptors}")
    expect(last.threads <= first.threads, f"the threads were {first.threads}, and are {last.threads}")
    world.stop()
    world.count(grants=world.reviews.grants)


class Actions:
    """What happens to promod, one thing after another."""

    def __init__(self, world):
        self.world, self.rng = world, random.Random(f"{world.seed} actions")

    def go_on_until(self, end, may_restart=False):
        weights = {self._publish: 40, self._origin: 20, self._disk: 8, self._reload: 15, self._break: 5, self._clear: 5, self._compare: 5}
        if may_restart:
            weights |= {self._restart: 8, self._kill: 14}
        while not self.world.is_over and time.monotonic() < self.world.began + end:
            self.rng.choices(list(weights), list(weights.values()))[0]()
            time.sleep(self.rng.choice([0, 0.1, 0.5]))

    def sample(self):
        """The resources of promod when they do not change, while it serves a small catalog and nobody asks."""
        recent = []

        def is_constant(sample):
            recent.append((sample.descriptors, sample.threads))
            # Dispatch keeps idle threads for 5 s, which is 50 samples.
            return self.world.is_over or len(recent) > 70 and len(set(recent[-70:])) == 1

        with self.world.quiet():
            self._reload("24h")
            self.world.publish()
            self._refresh()
            return self.world.daemon.settled(is_constant)

    def _refresh(self, code=None):
        """The outcome of an attempt that began after this call."""
        self.world.daemon.refresh()
        # The first result may be that of an attempt that was under way.
        result = self.world.daemon.ask("refresh")
        if code:
            expect((result["error"] or {}).get("code") in code.split(), f"a refresh ended with {result}, not {code}")
        else:
            expect(result["generation"] == self.world.content.generation, f"a refresh ended with {result}, not {self.world.content.generation}")

    def _publish(self):
        self.world.publish(self.rng.choices([catalog.small, lambda version: catalog.many(1500, version)], [20, 1])[0])
        if self.rng.random() < 0.8:
            self._refresh()

    def _origin(self):
        """The origin fails, and then serves another catalog."""
        origin, (failure, code) = self.world.origin, self.rng.choice(FAILURES)
        self.world.count(faults=1)
        if isinstance(failure, bytes):
            origin.files[CATALOG] = failure
        else:
            origin.script = failure
        self._refresh(code)
        origin.script = None
        self.world.publish()
        self._refresh()

    def _disk(self):
        """The disk fails: what is published meanwhile is served, and stored afterwards."""
        world = self.world
        if not world.disk.can_fail:
            return
        world.count(faults=1)
        with world.unwritable.during():
            with world.disk.failing(self.rng.choice(FAULTS)):
                world.publish()
                self._refresh()
                expect(comes(lambda: "storage" in world.daemon.problems), "status does not say that the catalog is not stored")
            world.publish()
            self._refresh()
            expect(comes(lambda: "storage" not in world.daemon.problems), "the catalog is not stored after the disk has recovered")

    def _reload(self, interval=None):
        self.world.daemon.configure(refresh__interval=interval or self.rng.choice(["24h", "2s"]))
        self.world.daemon.ask("reload")
        self.world.count(reloads=1)

    def _break(self):
        """The old configuration stays in force while the file is broken."""
        with self.world.broken.during():
            self.world.daemon.configure(nonsense=1)
            reply = self.world.daemon.connect()
            with contextlib.closing(reply):
                reply.socket.sendall(b'{"method":"reload"}\n')
                expect(b'"bad-configuration"' in (line := reply.read_lines()[0]), f"a reload was answered {line}")
            del self.world.daemon.settings["nonsense"]
            self._reload()

    def _clear(self):
        with self.world.empty.during():
            expect(self.world.daemon.ask("clear", force=True) == {"cleared": True}, "clear was not answered as it should be")
            self._refresh()

    def _compare(self):
        with self.world.quiet():
            pass

    def _restart(self):
        """Stops promod. A history that is removed meanwhile begins anew."""
        self.world.stop()
        if self.rng.random() < 0.3:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.world.history)
            self.world.reviews.apps.clear()
        self.world.start()

    def _kill(self):
        self.world.kill()
        self.world.start()
