"""Kills promod at each system call of a commit. Afterwards every file is the old one or the new one, whole."""
import collections
import contextlib
import hashlib
import json
import os
import re
import select
import shutil
import time

from support import catalog, chance
from support.check import Check, LeftOut
from support.claims import problem
from support.reborn import Reborn
from support.scripted import ScriptedOrigin
from support.times import seconds_or_never
from support.trial import read_log
from support.wire import Case
from .ptrace import Tracer, is_possible

KILLS = 1000
REVIEWS = ["launch", "review-request"]
KINDS = ["refresh, 200", "refresh, 304", *REVIEWS, "clear"]
FILES = {"catalog", "schedule.json", "reviews.json", "names.json"}
NAMES = {*FILES, "reviews.lock", *(f".{name}.new" for name in FILES)}
APPS = 300
# What a promod that starts after a kill must not have to say.
COMPLAINT = re.compile(r"damaged|forgotten|set aside|not served|cannot|breaks this version")


class Kills:
    """Rounds: each starts promod, requests one commit, and kills it one system call later than the last round of that kind."""

    def __init__(self, binary):
        if not is_possible():
            raise LeftOut("no process may follow the system calls of another one here")
        self.daemon = Reborn(binary)
        self.origin = ScriptedOrigin(self.daemon.directory)
        self.version = self.apps = 0
        # For each kind: at which system call it is killed next, how many a whole commit begins, and how often all of them had their turn.
        self.limits, self.lengths, self.sweeps = collections.Counter(), collections.Counter(), collections.Counter()
        self.kills = self.leftovers = 0
        self.when, self.problems = "the first start", []

    def run(self):
        daemon, origin = self.daemon, self.origin
        origin.open()
        self._publish()
        daemon.configure(
            catalog__url=origin.url, catalog__ca_file=origin.certificate, retry__base="1h",
            review__min_days_since_first_launch=0, review__min_completions=0)
        daemon.seed_reviews({f"old-{number}": {"firstLaunch": "2020-01-01T00:00:00Z", "requests": []} for number in range(APPS)})
        began = time.monotonic()
        try:
            daemon.start()
            daemon.ask("list", wait=True)
            daemon.kill()
            while self.kills < KILLS and not self.problems:
                self._round(min(KINDS, key=lambda kind: self.sweeps[kind]))
        finally:
            daemon.stop()
            origin.close()
        lengths = ", ".join(f"{kind} {length}" for kind, length in sorted(self.lengths.items()))
        figures = (
            f"{self.kills} kills in {time.monotonic() - began:.0f} s, system calls of a whole commit: {lengths}; "
            f"{self.leftovers} temporary files left")
        return figures, self.problems

    def _round(self, kind):
        daemon = self.daemon
        began = time.time()
        self._start()
        before = daemon.files
        case, reviews = self._prepare(kind, before)
        connection = daemon.connect()
        self.limits[kind] += 1
        tracer = Tracer(daemon.pid)
        connection.send([case])
        calls = tracer.run(self.limits[kind], lambda: select.select([connection.socket], [], [], 0)[0])
        if not tracer.is_gone:
            self.lengths[kind] = max(calls, self.lengths[kind])
            self.limits[kind] = 0
            self.sweeps[kind] += 1
            tracer.kill()
        daemon.process.wait()
        is_answered = False
        # A connection whose request was not read is reset.
        with contextlib.suppress(ConnectionResetError):
            is_answered = bool(connection.read_lines())
        connection.close()
        self.kills += 1
        self.when = f"{kind}, killed at system call {calls}"
        try:
            self._examine_catalog(kind, before, is_answered)
            self._examine_schedule(kind, before, began)
            self._examine_reviews(kind, before, reviews, is_answered)
        except ValueError as error:
            self._note(True, f"a file is not whole: {error}")

    def _start(self):
        """A promod that starts after a kill has nothing to complain about, and serves what is on disk."""
        daemon = self.daemon
        contents = daemon.files.get("catalog")
        # As if the last attempt were not a second, but a minute ago.
        daemon.move_schedule(-60)
        daemon.start()
        generation = daemon.catalog["generation"]
        if contents:
            served = hashlib.sha256(contents.partition(b"\n")[2]).hexdigest()[:16]
            self._note(generation != served, f"then {generation} is served, not {served}")
        # A clear may have been killed before the fetch that follows it.
        if daemon.ask("list", wait=True)["state"] == "empty":
            daemon.ask("refresh")
        self._note(COMPLAINT.search(read_log(daemon)), f"at the next start the log says {read_log(daemon)}")

    def _note(self, is_wrong, text):
        self.problems += problem(is_wrong, f"{self.when}: {text}")

    def _prepare(self, kind, before):
        """The request, and the review history after it."""
        apps = json.loads(before["reviews.json"])["apps"]
        if kind == "refresh, 200":
            self._publish()
        if kind in REVIEWS:
            self.apps += 1
        if kind == "launch":
            app = f"new-{self.apps}"
            return Case("launch", {"app": app}), {**apps, app: {"firstLaunch": None, "requests": []}}
        if kind == "review-request":
            app = f"old-{self.apps % APPS}"
            return Case("review-request", {"app": app, "completed": 9}), {**apps, app: None}
        return Case(kind.split(",")[0], {}), apps

    def _publish(self):
        self.version += 1
        self.content = catalog.small(self.version)
        self.origin.body = self.content.bytes

    def _examine_catalog(self, kind, before, is_answered):
        """The catalog is the old or the new one, with the validators that came with it."""
        after = self.daemon.files
        self.leftovers += any(name.endswith(".new") for name in after)
        self._note(set(after) - NAMES, f"there are {sorted(after)}")
        if "catalog" not in after:
            self._note(kind != "clear", "there is no catalog")
            return
        header, _, body = after["catalog"].partition(b"\n")
        described = json.loads(header)
        digest = hashlib.sha256(body).hexdigest()
        is_whole = (described["sha256"], described["bytes"], described["etag"]) == (digest, len(body), f'"{digest}"')
        self._note(not is_whole, f"the catalog does not match its header {described}")
        old, new = before.get("catalog", b"\n").partition(b"\n")[2], self.content.bytes
        self._note(body not in (old, new), "the catalog is neither the old nor the new one")
        self._note(kind in REVIEWS and after["catalog"] != before["catalog"], "the catalog has changed")
        self._note(is_answered and kind == "refresh, 200" and body != new, "an answered refresh is lost")

    def _examine_schedule(self, kind, before, began):
        """The schedule is the old one, or one with an attempt since the start, whose end may be written after the reply to it."""
        old, new = before["schedule.json"], self.daemon.files["schedule.json"]
        schedule = json.loads(new)
        attempted = seconds_or_never(schedule["lastAttemptAt"])
        is_new = kind not in REVIEWS and attempted >= int(began)
        self._note(new != old and not is_new, f"the schedule is neither the old nor the new one: {schedule}")

    def _examine_reviews(self, kind, before, apps, is_answered):
        """The review history is the old or the new one."""
        old, found = (json.loads(files["reviews.json"])["apps"] for files in (before, self.daemon.files))
        unchanged = {app: old[app] for app in old if apps[app] == old[app]}
        is_new = found != old and found.keys() == apps.keys() and unchanged.items() <= found.items()
        self._note(found != old and not is_new, "the review history is neither the old nor the new one")
        self._note(is_answered and kind in REVIEWS and not is_new, "what was answered is not in the review history")


class FirstStarts(Kills):
    """Kills promod at system calls of its first start, from its program's first one until the catalog is stored."""

    KILLS = 200
    # A shell that waits to be traced before it becomes promod.
    WAITING = ["sh", "-c", 'kill -STOP $$; exec "$0"']

    def run(self):
        daemon, origin, rng = self.daemon, self.origin, chance.choices("first starts")
        origin.open()
        self._publish()
        daemon.configure(catalog__url=origin.url, catalog__ca_file=origin.certificate)
        began = time.monotonic()
        try:
            length = self._kill(0)
            for _ in range(self.KILLS):
                limit = rng.randint(1, length)
                self.when = f"killed at system call {limit} of about {length}"
                self._kill(limit)
                self._examine()
                self._start()
                self._note(daemon.ask("list")["generation"] != self.content.generation, "then the catalog is not served")
                daemon.kill()
        finally:
            daemon.stop()
            origin.close()
        figures = f"{self.KILLS} kills in {time.monotonic() - began:.0f} s, {length} system calls; {self.leftovers} temporary files left"
        return figures, self.problems

    def _kill(self, limit):
        """Starts promod without any file, kills it at that system call or when it has stored the catalog, and returns how many it began."""
        daemon = self.daemon
        for place in "cache", "state":
            shutil.rmtree(f"{daemon.directory}/{place}", ignore_errors=True)
        daemon.launcher = self.WAITING
        daemon.launch()
        daemon.launcher = ()
        os.waitid(os.P_PID, daemon.pid, os.WSTOPPED | os.WNOWAIT)
        tracer = Tracer(daemon.pid)
        calls = tracer.run(limit, lambda: b'"updated"' in self._schedule())
        if not tracer.is_gone:
            tracer.kill()
        daemon.process.wait()
        return calls

    def _schedule(self):
        with contextlib.suppress(FileNotFoundError), open(f"{self.daemon.cache}/schedule.json", "rb") as file:
            return file.read()
        return b""

    def _examine(self):
        """What is there is whole."""
        files = self.daemon.files
        self.leftovers += any(name.endswith(".new") for name in files)
        self._note(set(files) - NAMES, f"there are {sorted(files)}")
        body = files.get("catalog", b"\n" + self.content.bytes).partition(b"\n")[2]
        self._note(body != self.content.bytes, "the catalog is not whole")
        self._note(not files.get("schedule.json", b"{}\n").endswith(b"}\n"), "the schedule is not whole")


CHECKS = [
    Check("kill-at-each-system-call", f"after {KILLS:,} kills, the catalog, the schedule and the reviews are the old or the new, whole",
          lambda binary: Kills(binary).run(), alone=True),
    Check("kill-at-first-start", f"after {FirstStarts.KILLS} kills during a first start, the files are whole, and the next start serves",
          lambda binary: FirstStarts(binary).run(), alone=True),
]
