"""Kills promod at each system call of a commit. Afterwards every file is the old one or the new one, whole."""
import collections
import hashlib
import json
import os
import re
import select
import time

import catalog
from ptrace import Tracer
from reborn import Reborn
from scripted import ScriptedOrigin
from suite import Check, problem
from trial import read_log
from wire import Case

KILLS = 1000
KINDS = ["refresh, 200", "refresh, 304", "launch", "review-request", "clear"]
APPS = 300
# What a promod that starts after a kill must not have to say.
COMPLAINT = re.compile(r"damaged|forgotten|set aside|not served|cannot|breaks this version")


class Kills:
    """Rounds: each starts promod, requests one commit, and kills it one system call later than the last round of that kind."""

    def __init__(self, binary):
        self.daemon = Reborn(binary)
        self.origin = ScriptedOrigin(self.daemon.directory)
        self.version = self.apps = 0
        # For each kind: at which system call it is killed next, how many a whole commit begins, and how often all of them had their turn.
        self.limits, self.lengths, self.sweeps = collections.Counter(), collections.Counter(), collections.Counter()
        self.kills, self.unplanned, self.leftovers = 0, 0, 0
        self.when, self.problems = "the first start", []

    def run(self):
        daemon, origin = self.daemon, self.origin
        origin.open()
        self._publish()
        daemon.configure(
            catalog__url=origin.url, catalog__ca_file=origin.certificate, refresh__min_gap="0s", refresh__spread="0s",
            retry__floor="1h", retry__base="1h", review__min_days_since_first_launch=0, review__min_completions=0)
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
            f"{self.leftovers} temporary files left, {self.unplanned} attempts not in the schedule")
        return figures, self.problems

    def _round(self, kind):
        daemon = self.daemon
        self._start()
        before = daemon.files
        began = time.time()
        case, reviews = self._prepare(kind, before)
        connections = self.origin.connections
        connection = daemon.connect()
        self.limits[kind] += 1
        tracer = Tracer(daemon.pid)
        connection.send([case])
        calls = tracer.run(self.limits[kind], lambda: select.select([connection.socket], [], [], 0)[0])
        is_answered = not tracer.is_gone
        if is_answered:
            self.lengths[kind] = max(calls, self.lengths[kind])
            self.limits[kind] = 0
            self.sweeps[kind] += 1
            tracer.kill()
        daemon.process.wait()
        connection.close()
        self.kills += 1
        self.when = f"{kind}, killed at system call {calls}"
        self._examine(kind, before, reviews, is_answered)
        if self.origin.connections > connections and not self._is_planned(began):
            self.unplanned += 1

    def _start(self):
        """A promod that starts after a kill has nothing to complain about, and serves what is on disk."""
        daemon = self.daemon
        contents = daemon.files.get("catalog")
        daemon.start()
        generation = daemon.ask("status")["generation"]
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
        if kind in ("launch", "review-request"):
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

    def _examine(self, kind, before, reviews, is_answered):
        """Checks the files of a promod that was killed."""
        after = self.daemon.files
        self.leftovers += any(name.endswith(".new") for name in after)
        contents = after.get("catalog")
        self._note(contents is None and kind != "clear", "there is no catalog")
        if contents is not None:
            header, _, body = contents.partition(b"\n")
            described = json.loads(header)
            tag = f'"{hashlib.sha256(body).hexdigest()}"'
            is_whole = (described["sha256"], described["bytes"], described["etag"]) == (tag.strip('"'), len(body), tag)
            self._note(not is_whole, f"the catalog does not match its header {described}")
            expected = {self.content.bytes, before.get("catalog", b"\n").partition(b"\n")[2]}
            self._note(body not in expected, "the catalog is neither the old nor the new one")
            is_new = body == self.content.bytes
            self._note(is_answered and kind == "refresh, 200" and not is_new, "an answered refresh is lost")
        schedule = json.loads(after["schedule.json"])
        self._note(schedule["url"] != self.origin.url, f"the schedule is of {schedule['url']}")
        found = json.loads(after["reviews.json"])["apps"]
        old = json.loads(before["reviews.json"])["apps"]
        is_new = found != old and found.keys() == reviews.keys() and all(
            found[app] == old[app] for app in old if reviews[app] == old[app])
        self._note(found != old and not is_new, "the review history is neither the old nor the new one")
        is_lost = is_answered and kind in ("launch", "review-request") and not is_new
        self._note(is_lost, "what was answered is not in the review history")
        strange = set(after) - {"catalog", "schedule.json", "lock", "reviews.json", "reviews.lock",
                                ".catalog.new", ".schedule.json.new", ".reviews.json.new"}
        self._note(strange, f"there are {sorted(strange)}")

    def _is_planned(self, began):
        """Whether the schedule on disk has the attempt that was just made."""
        schedule = json.loads(self.daemon.files.get("schedule.json", b'{"lastAttemptAt":null}'))
        return (schedule["lastAttemptAt"] or "") >= time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(began))


CHECKS = [
    Check("kill-at-each-system-call", f"after {KILLS:,} kills, the catalog, the schedule and the reviews are the old or the new, whole",
          lambda binary: Kills(binary).run(), alone=True),
]
