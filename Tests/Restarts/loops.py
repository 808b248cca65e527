"""Loops of crashes and restarts, in which the origin is asked at most as often as the schedule on disk allows."""
import json
import random
import signal
import time
from dataclasses import dataclass
from typing import Callable, Optional

import cases
from reborn import Reborn
from scripted import ScriptedOrigin
from suite import Check, problem
from trial import seconds
from wire import PATIENCE

STARTS = 100
GAP = 2  # seconds; refresh.min-gap


@dataclass
class Loop:
    """How the origin behaves, and how promod ends each time."""

    name: str
    script: Optional[Callable]
    is_orderly: bool = False
    most: int = STARTS  # attempts
    settings: tuple = ()


class Trial:
    """Performs a loop, and returns its figures and its problems."""

    def __init__(self, loop, binary):
        self.loop = loop
        self.daemon = Reborn(binary)
        self.origin = ScriptedOrigin(self.daemon.directory)

    def run(self):
        daemon, origin, rng = self.daemon, self.origin, random.Random(self.loop.name)
        origin.body, origin.script = cases.GOOD.bytes, self.loop.script
        origin.open()
        daemon.configure(catalog__url=origin.url, catalog__ca_file=origin.certificate, **dict(self.loop.settings))
        allowed, problems = 0, []
        began = time.monotonic()
        try:
            for number in range(STARTS):
                due = self._due()
                before = origin.connections
                daemon.start()
                self._await_attempt(before, rng.uniform(0, 0.06))
                self._end()
                made = origin.connections - before
                is_due = due <= time.time()
                allowed += is_due
                problems += problem(made > is_due, f"start {number + 1} made {made} attempts, {due - time.time():.1f} s early")
        finally:
            daemon.stop()
            origin.close()
        made = origin.connections
        problems += problem(made > self.loop.most, f"{made} attempts were made, more than {self.loop.most}")
        problems += problem(made == 0, "no attempt was made")
        return f"{STARTS} starts in {time.monotonic() - began:.0f} s, {made} attempts, {allowed} allowed", problems[:5]

    def _due(self):
        """When the schedule on disk allows the next attempt."""
        files = self.daemon.files
        if "schedule.json" not in files:
            return 0
        schedule = json.loads(files["schedule.json"])
        if schedule["lastOutcome"] in ("updated", "unchanged") and not schedule["notBefore"]:
            return float("inf")
        began, ended = (seconds(schedule[name]) for name in ("lastAttemptAt", "lastEndAt"))
        # An attempt without an end is counted at the next start, whose backoff is longer than the run.
        if began > ended:
            return float("inf")
        return max(seconds(schedule["notBefore"]), seconds(schedule["retryAfter"]), ended + GAP)

    def _await_attempt(self, before, wait):
        """Waits until an attempt begins, or for a while."""
        end = time.monotonic() + wait
        while self.origin.connections == before and time.monotonic() < end:
            time.sleep(0.001)
        time.sleep(wait / 4)

    def _end(self):
        if not self.loop.is_orderly:
            self.daemon.kill()
            return
        self.daemon.process.send_signal(signal.SIGTERM)
        self.daemon.process.wait(PATIENCE)


SHORT = (("retry__floor", "1s"), ("retry__base", "1s"), ("retry__cap", "2s"))
FAILS, HANGS = cases.answer("500 Internal Server Error"), lambda visit: visit.hold()
LOOPS = {
    "crashes, failing origin": Loop("crash-loop-failing", FAILS, most=3),
    "crashes, failing origin, short backoff": Loop("crash-loop-short-backoff", FAILS, settings=SHORT),
    "crashes while an attempt is under way": Loop("crash-loop-in-flight", HANGS, most=3),
    "crashes while attempts with a short backoff are under way": Loop("crash-loop-in-flight-short", HANGS, settings=SHORT),
    "crashes while the origin asks for a pause": Loop("crash-loop-paused", cases.retry_after("503 Service Unavailable", "3600"), most=1),
    "crashes with a fresh catalog": Loop("crash-loop-fresh", None, most=1),
    "orderly restarts, failing origin": Loop("restart-loop-failing", FAILS, is_orderly=True),
    "orderly restarts, silent origin": Loop("restart-loop-in-flight", HANGS, is_orderly=True),
}

CHECKS = [
    Check(loop.name, f"{STARTS} starts ({what}) make at most the attempts that the schedule on disk allows",
          lambda binary, loop=loop: Trial(loop, binary).run())
    for what, loop in LOOPS.items()
]
