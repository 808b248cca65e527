"""Kills promod at each system call by which a commit changes the disk. Afterwards every file is the old one or the new one, whole."""
import collections
import contextlib
import hashlib
import itertools
import json
import os
import re
import subprocess
import time

from support import catalog
from support.claims import expect, problem
from support.files import read
from support.times import seconds_or_never
from support.trial import read_log
from support.wire import Case, comes
from .faults import check_strace
from .reborn import LAUNCHED, Rebirths

KINDS = ["refresh", "launch", "clear"]
# strace's expressions for them.
CALLS = ["openat", "write", "fsync", "/^rename", "/^unlink"]
FILES = {"catalog", "schedule.json", "reviews.json"}
NAMES = {*FILES, "reviews.lock", *(f".{name}.new" for name in FILES)}
APPS = 300
# What a promod that starts after a kill must not have to say.
COMPLAINT = re.compile(r"damaged|forgotten|set aside|not served|cannot|breaks this version")


class Kills(Rebirths):
    """Rounds: each starts promod, requests one commit, and kills it at one call later than the last round of that kind."""

    version = rounds = leftovers = 0
    when = "the first start"

    def run(self):
        check_strace()
        daemon = self.daemon
        self.kills = collections.Counter()
        self._publish()
        self.configure(retry__base="1h")
        daemon.seed_reviews({f"old-{number}": LAUNCHED for number in range(APPS)})
        began = time.monotonic()
        daemon.start()
        daemon.ask("list", wait=True)
        daemon.kill()
        for kind, call in itertools.product(KINDS, CALLS):
            for number in itertools.count(1):
                if self.problems or not self._round(kind, call, number):
                    break
                self.kills[kind] += 1
        self.expect(len(self.kills) == len(KINDS), "not every kind was killed")
        kills = ", ".join(f"{kind} {count}" for kind, count in self.kills.items())
        return f"kills: {kills}, in {time.monotonic() - began:.0f} s; {self.leftovers} temporary files left", self.problems

    def _round(self, kind, call, number):
        """Returns whether the commit was killed, before the kernel performed the call of that number."""
        daemon = self.daemon
        began = time.time()
        self._start()
        before = daemon.files
        case, reviews = self._prepare(kind, before)
        connection = daemon.connect()
        is_answered = False
        # A connection whose request was not read is reset.
        with self._tracing(f"{call}:signal=KILL:when={number}"), contextlib.suppress(ConnectionResetError):
            connection.send([case])
            is_answered = bool(connection.read_lines())
        daemon.kill()
        connection.close()
        self.when = f"{kind}, killed at {call} {number}"
        try:
            self._examine_catalog(kind, before, is_answered)
            self._examine_schedule(kind, before, began)
            self._examine_reviews(kind, before, reviews, is_answered)
        except (KeyError, ValueError) as error:
            self._note(True, f"a file is not whole, or gone: {error}")
        return not is_answered

    @contextlib.contextmanager
    def _tracing(self, injection):
        """Injects something into the calls on promod's files, of all its threads."""
        daemon, paths = self.daemon, []
        for name in FILES:
            place = f"{daemon.directory}/state/promod" if name == "reviews.json" else daemon.cache
            paths += ["-P", f"{place}/{name}", "-P", f"{place}/.{name}.new"]
        command = ["strace", "-f", "-qq", "-o", os.devnull, *paths, "-e", f"inject={injection}", "-p", str(daemon.pid)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
            try:
                expect(comes(lambda: all(map(_is_traced, os.scandir(f"/proc/{daemon.pid}/task")))), "strace does not follow promod")
                yield
            finally:
                # strace ends with it.
                daemon.process.kill()

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
        if kind == "refresh":
            self._publish()
        if kind != "launch":
            return Case(kind, {"force": True} if kind == "clear" else {}), apps
        self.rounds += 1
        app = f"new-{self.rounds}"
        return Case("launch", {"app": app}), {**apps, app: {"firstLaunch": None, "requests": []}}

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
        self._note(kind == "launch" and after["catalog"] != before["catalog"], "the catalog has changed")
        self._note(is_answered and kind == "refresh" and body != new, "an answered refresh is lost")

    def _examine_schedule(self, kind, before, began):
        """The schedule is the old one, or one with an attempt since the start, whose end may be written after the reply to it."""
        old, new = before["schedule.json"], self.daemon.files["schedule.json"]
        schedule = json.loads(new)
        attempted = seconds_or_never(schedule["lastAttemptAt"])
        is_new = kind != "launch" and attempted >= int(began)
        self._note(new != old and not is_new, f"the schedule is neither the old nor the new one: {schedule}")

    def _examine_reviews(self, kind, before, apps, is_answered):
        """The review history is the old or the new one."""
        old, found = (json.loads(files["reviews.json"])["apps"] for files in (before, self.daemon.files))
        is_new = found != old and found.keys() == apps.keys() and old.items() <= found.items()
        self._note(found != old and not is_new, "the review history is neither the old nor the new one")
        self._note(is_answered and kind == "launch" and not is_new, "what was answered is not in the review history")


def _is_traced(thread):
    return "TracerPid:\t0\n" not in read(f"{thread.path}/status")


CHECKS = [
    Kills.check("kill-at-each-system-call", "after a kill at each, the catalog, the schedule and the reviews are whole, old or new", alone=True)]
