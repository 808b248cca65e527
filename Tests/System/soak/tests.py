"""The two tests: everything at once, and kills."""
import contextlib
import json
import os
import random
import shutil
import threading
import time

from support.claims import expect
from support.clock import LAG, Clock
from support.reviews import Operation, Record
from support.times import DAY, YEAR, written
from support.wire import PATIENCE
from . import catalogs, disk
from .clients import Asker, Inventor, Subscriber
from .faulty import FAULTS, REPLIES, FaultyNginx
from .icons import PICTURES

# promod keeps the event loops of up to four fetches of the same kind that got no response for three minutes, each with a thread, three
# descriptors and some memory: fetches of the one catalog, of the other, and of its icons. In a long test, samples are taken when they
# are gone.
LOOPS, LOOP_MB = 3 * 4, 0.8
LONG, LOOPS_END = 600, 190  # seconds
# How much private memory may grow by chance: what is allocated once, or up to a limit, is not all there at the first sample.
MEMORY_MB = 3
# What long tests have found at both samples is 10 to 14.4 MB. In a short test the first sample may come before that is reached.
WARM_MB = 15
ALL = {
    "list": 30, "steady": 5, "icon": 2, "unknown": 1, "status": 6, "tap": 14, "impression": 10, "review": 30, "wrong": 3, "discover": 0.3,
    "refresh": 0.6, "reload": 0.6}
REVIEWS = {"review": 1}


class Test:
    """What both tests share."""

    def __init__(self, world):
        self.world = world
        self.rng = random.Random(f"{world.seed} test")
        self.began = time.monotonic()
        self.clients = []

    def begin_clients(self, clients):
        self.clients = clients
        for client in clients:
            client.start()

    def figures(self):
        counts, took = self.world.counts, time.monotonic() - self.began
        names = ["requests", "replies", "events", "publications", "faults", "steps", "reloads", "restarts", "kills", "lagged", "replaced", "removed", "invented"]
        shown = [f"{counts[name]:,} {name}" for name in names if counts[name]]
        return f"{took:.0f} s, {', '.join(shown)}, {self.world.reviews.grants:,} grants"

    def close(self):
        for client in self.clients:
            client.join(5)


class Crashes(Test):
    """The daemon is killed while clients ask for reviews. After each time the history on disk is compared with the model."""

    def __init__(self, world, count):
        super().__init__(world)
        self.count = count

    def run(self):
        self.world.configure(
            {"interval": DAY, "timeout": 5, "url": "https://127.0.0.1:1/catalog.json", "completions": 3, "days_launch": 0, "days_request": 30, "per_year": 3})
        self.world.start()
        self.begin_clients([Asker(self.world, f"asker{n}", REVIEWS) for n in range(catalogs.ASKERS - 1)])
        for number in range(1, self.count + 1):
            before, end = self.world.counts["replies"], time.monotonic() + 10
            replies = self.rng.randint(1, 150)
            while self.world.counts["replies"] < before + replies and not self.world.is_over:
                expect(time.monotonic() < end, "clients get no replies")
                time.sleep(0.001)
            if self.world.is_over:
                return
            time.sleep(self.rng.uniform(0, 0.005))
            self.world.kill()
            self.world.check_history()
            self.world.start()
            if number % 100 == 0:
                print(f"{number:>6} rounds: {self.figures()}", flush=True)
        self.world.pause()


class Soak(Test):
    """Everything at once."""

    def __init__(self, world, length):
        super().__init__(world)
        self.length = length
        self.origin = FaultyNginx(world.daemon.directory)
        self.version, self.configurations, self.replaced, self.may_restart, self.offset = 0, 0, 0, False, 0
        self.values = {
            "interval": DAY, "timeout": 3, "url": self.origin.url, "completions": 3, "days_launch": 7, "days_request": 30, "per_year": 3}

    def run(self):
        world = self.world
        world.seed_history(self._history())
        self._publish(catalogs.plain)
        steady = catalogs.steady(self.origin.publish_icons(PICTURES))
        world.keep_steady(self.origin.publish_steady(steady.bytes), self.origin.certificate, steady)
        world.daemon.configure(catalog__ca_file=self.origin.certificate)
        world.configure(self.values)
        if not world.disk.can_fail:
            print("The disk does not fail, because only root may mount one.", flush=True)
        if not world.clock.can_step:
            print("The clock is not set, because libfaketime is not installed.", flush=True)
        self.origin.start()
        world.start()
        self._refresh("")
        self.begin_clients([
            *(Asker(world, f"asker{n}", ALL) for n in range(catalogs.ASKERS)), Inventor(world, "inventor"), Subscriber(world, "leader"), Subscriber(world, "hopper"),
            Subscriber(world, "taps", events=["tap"]), Subscriber(world, "catalogs", events=["catalog"], host="mark-nobody"),
            Subscriber(world, "somewhere", events=["tap", "impression"], host="mark-somewhere"), Subscriber(world, "staller"),
        ])
        threading.Thread(target=self._print_progress, daemon=True).start()
        self._go_on_for(min(5, self.length / 6))
        steady = {
            self._new_catalog: 40, self._trouble: 25, self._reload: 15, self._broken_configuration: 5, self._clear: 5, self._wake: 10, self._alias: 5,
            self._replace_history: 4, self._remove_cache: 4,
            lambda: self._go_on_for(self.rng.uniform(0, 1)): 15}
        self._act_until(self.length / 2, {**steady, self._restart: 8, self._kill: 14})
        # What is allocated once, or up to a limit, is there by then.
        self._act_until(self.length * 5 / 8, steady)
        first, configurations = self._sample(), self.configurations
        self._act_until(self.length, steady)
        self._wake()
        self._pause()
        last = self._sample()
        if not world.is_over:
            self._compare(first, last, self.configurations - configurations)
            world.stop()
            world.check_history()

    def _act_until(self, end, actions):
        self.may_restart = self._restart in actions
        while not self.world.is_over and time.monotonic() < self.began + end:
            self.rng.choices(list(actions), list(actions.values()))[0]()

    def _compare(self, first, last, configurations):
        """Compares the resources at the end with those after the last restart and some load."""
        print(f"after the restarts: {first}\nat the end:         {last}", flush=True)
        is_long = self.length >= LONG
        loops = 0 if is_long else LOOPS
        growth = last.dirty - first.dirty - (last.descriptors - first.descriptors) / 3 * LOOP_MB
        print(f"memory has grown by {growth:+.1f} MB, beside that of kept event loops, after {configurations} configurations", flush=True)
        is_warming_up = not is_long and last.dirty <= WARM_MB
        expect(growth <= MEMORY_MB or is_warming_up, f"memory has grown by more than {MEMORY_MB} MB")
        expect(last.descriptors <= first.descriptors + 3 * loops, f"there are more descriptors: {self.world.descriptors()}")
        expect(last.threads <= first.threads + loops, "there are more threads")

    def close(self):
        super().close()
        self.origin.stop()

    def _history(self):
        """Apps whose waits end before, during or after the test."""
        now, records = int(self.world.clock.now()), {}
        for number in range(catalogs.SEEDED):
            launched = now - 7 * DAY + self.rng.choice([-DAY, self.rng.randint(0, int(self.length) + 30), 3 * DAY])
            requests = ()
            if self.rng.random() < 0.5:
                launched = now - 2 * YEAR
                ages = [30 * DAY, 100 * DAY, YEAR, YEAR + DAY][: self.rng.randint(1, 4)]
                requests = tuple(sorted(now - age + self.rng.randint(0, int(self.length) + 30) for age in ages))
            records[f"seeded-{number}"] = Record(launched, requests)
        return records

    def _print_progress(self):
        while not self.world.is_over:
            time.sleep(10)
            if not self.world.is_over:
                print(f"{self.figures()}", flush=True)

    def _go_on_for(self, length):
        end = time.monotonic() + length
        while time.monotonic() < end and not self.world.is_over:
            time.sleep(0.01)

    def _sample(self):
        """The resources of the daemon, when they do not change, while it serves the plain catalog and nobody is connected."""
        if self.world.is_over:
            return None
        self.world.pause()
        if self.length >= LONG:
            self._go_on_for(LOOPS_END)
        self._change({**self.values, "interval": DAY})
        self._publish(catalogs.plain)
        self._refresh("")
        recent = []

        def is_constant(sample):
            recent.append((sample.descriptors, sample.threads))
            # Dispatch keeps idle threads for 5 s, which is 50 samples.
            return len(recent) > 70 and len(set(recent[-70:])) == 1

        sample = self.world.daemon.settled(is_constant)
        self.world.go_on()
        return sample

    # What happens

    def _publish(self, make=None):
        self.version += 1
        content = make(self.version) if make else catalogs.content(self.rng, self.version)
        self.world.catalogs.publishes(content)
        self.origin.publish(content.bytes)
        self.content = content
        self.world.count(publications=1)

    def _refresh(self, code, is_stored=True):
        """Refreshes until an attempt has begun after the call, and looks at its outcome, or that of a later one."""
        attempts, end = self._attempts, time.monotonic() + PATIENCE
        while self._attempts == attempts:
            expect(time.monotonic() < end, "no refresh begins a fetch")
            self._ask_refresh()
            time.sleep(0.05)
        result = self._ask_refresh()
        if code:
            code = "unavailable" if code == "retry-after" else code
            expect(result["outcome"] == "failed" and result["error"]["code"] == code, f"a refresh ended with {result}, not {code}")
        else:
            expect(result["generation"] == self.content.generation, f"a refresh ended with {result}, not {self.content.generation}")
            unstored = self._unstored
            right = bool(unstored) != is_stored and (result["error"] is None or unstored)
            expect(right, f"a refresh ended with {result}, and status reports {unstored}")

    @property
    def _unstored(self):
        """Why the default catalog is not on disk; empty if it is."""
        problems = self.world.daemon.ask("status")["problems"]
        return [entry["text"] for entry in problems if (entry["code"], entry.get("catalog")) == ("storage", "default")]

    @property
    def _attempts(self):
        return self.world.daemon.catalog["attempts"]

    def _ask_refresh(self):
        sent = time.time()
        result = self.world.daemon.ask("refresh")
        self.world.catalogs.check_refresh(True, result, sent, time.time())
        return result

    def _new_catalog(self):
        self._publish()
        if self.rng.random() < 0.8:
            self._refresh("")

    def _trouble(self):
        """The origin, the disk and the clock fail, one of them or several at once."""
        world, kinds = self.world, {kind for kind in ("origin", "disk", "clock") if self.rng.random() < 0.4} or {"origin"}
        with contextlib.ExitStack() as stack:
            # A Retry-After that the clock leaves behind lasts as long as the clock was set back.
            if is_set := "clock" in kinds and world.clock.can_step:
                self._refresh("")
                self._set_clock(self.rng.choice(Clock.OFFSETS))
            if is_unwritable := "disk" in kinds and world.disk.can_fail:
                stack.enter_context(self._failing_disk())
            faults = [fault for fault in FAULTS if not is_set or fault != "pause"]
            code = stack.enter_context(self._failing_origin(self.rng.choice(faults))) if "origin" in kinds else ""
            self._refresh(code, not is_unwritable)
            self._go_on_for(self.rng.choice([0, 0, 0.5, 1]))
            if is_set and self.rng.random() < 0.5:
                self._set_clock(self.rng.choice(Clock.OFFSETS))
        if is_unwritable or self.rng.random() < 0.8:
            self._refresh("")
        if is_unwritable:
            expect(not self._unstored, "the catalog is not stored after the disk has recovered")
            world.disk.recovers()

    def _pause(self):
        """The origin asks for several pauses of a second, one after another."""
        with self._failing_origin("pause") as code:
            self._refresh(code)
            self._go_on_for(5)
        self._refresh("")
        pauses = self.origin.expect_pauses(self.world.starts)
        expect(pauses > 1, f"the origin asked for {pauses} pauses")

    def _set_clock(self, offset):
        self.world.clock.step(offset, asks=False)
        self.offset = offset
        self.world.count(steps=1)

    def _wake(self):
        """Eight days pass at once, as in a suspend: the next list that waits has what was published meanwhile."""
        world = self.world
        if not world.clock.can_step:
            return
        self._change({**self.values, "interval": DAY})
        # No pause runs, no attempt fails, and no client refreshes meanwhile.
        self._refresh("")
        world.pause()
        self._publish()
        self._set_clock(self.offset + 8 * DAY)
        self._go_on_for(2 * LAG)
        sent = time.time()
        listing = world.daemon.ask("list", wait=True)
        world.catalogs.check_list({"wait": True}, listing, sent, time.time())
        found = listing["state"], listing["generation"]
        expect(found == ("loaded", self.content.generation), f"after a suspend a list that waits is {found}, not of {self.content.generation}")
        world.go_on()

    @contextlib.contextmanager
    def _failing_disk(self):
        self.world.count(faults=1)
        with self.world.disk.failing(fault := self.rng.choice(disk.FAULTS)):
            yield
            if fault == "full" and self.may_restart and self.rng.random() < 0.5:
                # What is not on disk is gone. No client is there, because one might still be judging a reply of the earlier run.
                self.world.pause()
                self._restart()
                self.world.go_on()

    @contextlib.contextmanager
    def _failing_origin(self, fault):
        """Yields the code with which a refresh fails meanwhile."""
        faults, bad = self.world.faults, None
        if fault == "content":
            bad, code = catalogs.refused(self.rng, self.version)
        else:
            code = REPLIES[fault][1] if fault in REPLIES else {"down": "connect", "silent": "timeout", "untrusted": "configuration"}[fault]
        self.world.count(faults=1)
        faults.begin(code, time.time())
        if bad is not None:
            self.origin.publish(bad)
        if fault == "untrusted":
            # A reload fails while the file of the certificate is away, so the configuration may be broken.
            self.world.broken.begin(True, time.time())
        with self.origin.failing(fault):
            faults.end(time.time())
            yield code
            faults.begin("", time.time())
        if bad is not None:
            self.origin.publish(self.content.bytes)
        faults.end(time.time())
        if fault == "untrusted":
            self.world.broken.begin(False, time.time())
            self._change(self.values)
            self.world.broken.end(time.time())

    def _change(self, values):
        """Puts another configuration into force."""
        self.world.configure(values)
        self.world.daemon.ask("reload")
        self.world.settings.end(time.time())
        self.values = values
        self.configurations += 1
        self.world.count(reloads=1)

    def _reload(self):
        choose = self.rng.choice
        self._change({
            **self.values, "interval": choose([DAY, DAY, 2, 3]), "timeout": choose([3, 4]), "completions": choose([3, 3, 1]),
            "days_launch": choose([7, 0, 0]), "days_request": choose([30, 30, 1]), "per_year": choose([3, 3, 1, 0])})

    def _broken_configuration(self):
        """The old configuration stays in force while the file is broken."""
        broken, daemon = self.world.broken, self.world.daemon
        path = f"{daemon.directory}/config/promod/config.toml"
        with open(path, encoding="utf-8") as file:
            good = file.read()
        broken.begin(True, time.time())
        for bad in (self.rng.choice(["refresh.interval = 1\n", "review.per-year = 1\n", "[", "nonsense = 1\n"]), good):
            with open(path + ".new", "w", encoding="utf-8") as file:
                file.write(bad)
            os.rename(path + ".new", path)
            self.configurations += 1
            connection = daemon.connect()
            connection.socket.sendall(b'{"method":"reload"}\n')
            reply = connection.read_lines()[0]
            connection.close()
            expect((b'"bad-configuration"' in reply) == (bad is not good), f"a reload was answered {reply}")
            if bad is not good:
                broken.end(time.time())
                self._go_on_for(self.rng.uniform(0, 0.3))
                broken.begin(False, time.time())
        broken.end(time.time())

    def _alias(self):
        """Another file with the address of the catalog that never changes comes, sound, broken or empty, or goes, which takes nothing."""
        world = self.world
        path = f"{world.daemon.directory}/data/promod/catalogs.d/alias.toml"
        # Without the certificate it is another catalog, which cannot be fetched.
        sound = self.rng.choice([f'url = "{world.steady_url}"\n', world.steady_file])
        for text in self.rng.sample([sound, sound + "nonsense = 1\n", "url = 5\n", ""], 2):
            with open(path + ".new", "w", encoding="utf-8") as file:
                file.write(text)
            os.rename(path + ".new", path)
            self._go_on_for(self.rng.uniform(0, 0.5))
        os.unlink(path)

    def _clear(self):
        clear = self.world.catalogs.clears_now()
        expect(self.world.daemon.ask("clear") == {"cleared": True}, "clear was not answered as it should be")
        self.world.catalogs.cleared(clear)
        self._go_on_for(self.rng.choice([0, 0, 0.3]))

    def _replace_history(self):
        """Puts another history in the place of the one on disk, as a restored backup does: it lacks apps, and has one more."""
        world, self.replaced = self.world, self.replaced + 1
        app = f"restored-{self.replaced % catalogs.RESTORED}"
        self._review("launch", app)
        world.pause()
        with open(world.history, encoding="utf-8") as file:
            history = json.load(file)
        now = int(world.clock.now())
        apps = {name: entry for name, entry in history["apps"].items() if self.rng.random() < 0.5}
        history["apps"] = {**apps, app: {"firstLaunch": written(now - 9 * DAY), "requests": [written(now - 100 * DAY)]}}
        with open(f"{world.history}.older", "w", encoding="utf-8") as file:
            json.dump(history, file)
        os.rename(f"{world.history}.older", world.history)
        world.reviews.replaced(history)
        self._review("launch", app)
        world.go_on()
        world.count(replaced=1)

    def _review(self, method, app):
        operation = Operation(method, app)
        self.world.reviews.send(operation)
        self.world.reviews.answered(operation, self.world.daemon.ask(method, app=app))

    def _remove_cache(self):
        """Removes the files of the default catalog while it is served; the next publication is stored again."""
        with self.world.disk.in_trouble():
            shutil.rmtree(self.world.daemon.cache)
            self._publish()
            self._refresh("")
            expect(os.path.exists(f"{self.world.daemon.cache}/catalog"), "a removed catalog was not stored again")
        self.world.count(removed=1)

    def _restart(self):
        self.world.stop()
        self._start_again()

    def _kill(self):
        self.world.kill()
        self._start_again()

    def _start_again(self):
        self.world.check_history()
        self._go_on_for(self.rng.choice([0, 0, 0.2]))
        if not self.world.is_over:
            self.world.start()
