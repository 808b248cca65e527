"""Loops of crashes and restarts, in which the origin is asked at most as often as the schedule on disk allows."""
import json
import os
import signal
import socket
import time
from dataclasses import dataclass
from typing import Callable, Optional

from support import cases, chance
from support.check import Check
from support.claims import expect, problem
from support.daemon import is_running
from support.scripted import CountingOrigin
from support.times import seconds, seconds_or_never
from support.wire import PATIENCE, comes
from .reborn import Rebirths, Reborn

STARTS = 40
FEW = 5  # attempts; with the default backoff a loop, which takes seconds, makes one or two
FAILS, HANGS = cases.answer("500 Internal Server Error"), lambda visit: visit.hold()


@dataclass
class Loop:
    """How the origin behaves, and how promod ends each time."""

    name: str
    script: Optional[Callable]
    is_orderly: bool = False
    most: int = STARTS  # attempts


class Trial(Rebirths):
    """Performs a loop, and returns its figures and its problems."""

    make_origin = CountingOrigin

    def __init__(self, loop, binary):
        super().__init__(binary)
        self.loop = loop

    def run(self):
        daemon, origin, rng = self.daemon, self.origin, chance.choices(self.loop.name)
        origin.body, origin.script = cases.GOOD.bytes, self.loop.script
        self.configure()
        allowed, problems = 0, []
        began = time.monotonic()
        for number in range(STARTS):
            due = self._due()
            before = origin.connections
            # Of the attempts that are due, every other one is sure to begin.
            is_awaited = number % 2 == 0 and due <= time.time()
            wait = rng.uniform(0, 0.06)
            daemon.start()
            comes(lambda before=before: origin.connections > before, PATIENCE if is_awaited else wait)
            time.sleep(wait / 4)
            self._end()
            made = origin.count() - before
            is_due = due <= time.time()
            allowed += is_due
            problems += problem(made > is_due, f"start {number + 1} made {made} attempts, {due - time.time():.1f} s early")
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
        # An attempt without an end is counted at the next start, whose pause is longer than the run.
        if schedule.get("underWay") or "catalog" in files and schedule["failures"] == 0:
            return float("inf")
        expect(schedule["failures"] >= self.origin.connections - 1 or self.loop.is_orderly, f"after {self.origin.connections} attempts: {schedule}")
        return max(seconds_or_never(schedule["notBefore"]), seconds_or_never(schedule["retryAfter"]), seconds(schedule["lastAttemptAt"]) + 1)

    def _end(self):
        if not self.loop.is_orderly:
            fetching = self.daemon.children
            self.daemon.kill()
            # What it was killed for may connect before it learns that.
            expect(comes(lambda: not any(map(is_running, fetching))), "a fetching process outlives its promod")
            return
        self.daemon.process.send_signal(signal.SIGTERM)
        self.daemon.process.wait(PATIENCE)
        schedule = json.loads(self.daemon.files.get("schedule.json", b"{}"))
        expect(not schedule.get("underWay") and not schedule.get("failures"), f"an orderly stop is recorded as a crash: {schedule}")


def socket_outlives_owner(binary):
    """A process that the last owner had started holds the listening socket for a moment longer than its owner."""
    daemon = Reborn(binary)
    owner = os.fork()
    if owner == 0:
        left = socket.socket(socket.AF_UNIX)
        left.bind(daemon.socket)
        left.listen()
        if os.fork() == 0:
            time.sleep(0.2)
        os._exit(0)
    os.waitpid(owner, 0)
    began = time.monotonic()
    try:
        daemon.start()
        daemon.ask("status")
    finally:
        daemon.stop()
    return f"it serves after {time.monotonic() - began:.2f} s", []


LOOPS = {
    "crashes, failing origin": Loop("crash-loop-failing", FAILS, most=FEW),
    "crashes while an attempt is under way": Loop("crash-loop-in-flight", HANGS, most=FEW),
    "orderly restarts, silent origin": Loop("restart-loop-in-flight", HANGS, is_orderly=True),
}

CHECKS = [
    Trial.check(loop.name, f"{STARTS} starts ({what}) make at most the attempts that the schedule on disk allows, in which only a crash counts", loop)
    for what, loop in LOOPS.items()
] + [
    Check("socket-outlives-owner", "a socket that a killed promod's last child still holds does not stop the next promod", socket_outlives_owner),
]
