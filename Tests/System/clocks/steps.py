"""A clock that is set once, and a machine that is suspended."""
import contextlib
import json
import os
import subprocess
import time
from typing import NamedTuple

from support import cases
from support.claims import expect
from support.times import DAY, seconds
from support.wire import PATIENCE, Case, comes
from .scene import DECADE, HOUR, NEW, OLD, QUIET, SOON, WEEK, Scene, check

STEPS = {
    "suspended-hour": HOUR, "suspended-week": WEEK, "forward-minute": 60, "forward-almost-due": DAY * 9 // 10 - 60, "forward-day": DAY,
    "forward-decade": DECADE, "back-minute": -60, "back-4-minutes": -240, "back-6-minutes": -360, "back-day": -DAY, "back-decade": -DECADE}
INTERVAL = 3  # seconds; refresh.interval, if a check waits for its end
TIMEOUT = 3  # seconds; refresh.timeout, if a check waits for its end
LATE = 1.5  # seconds


def there_and_back(offset):
    """The clock is set, and later set right, and promod starts again."""
    def body(scene):
        scene.start()
        held = Held(seconds(scene.settled()["fetchedAt"]), 0)
        figures = []
        for place in (offset, 0):
            figures.append(visit(scene, place, held))
            if figures[-1]:
                held = Held(seconds(scene.settled()["fetchedAt"]), place)
        scene.restart()
        figures.append(visit(scene, 0, Held(seconds(scene.settled()["fetchedAt"]), 0)))
        return f"{' and '.join(map(str, figures))} requests there, back, and after a restart"
    return body


class Held(NamedTuple):
    """When the catalog was fetched by the clock as it was set then, and the offset of that clock."""

    fetched: int
    offset: int

    def has_expired(self, scene, offset):
        """Whether it has expired at an offset: set forward, that time may have passed; set back, nothing is younger."""
        return scene.has_expired(self.fetched + min(0, offset - self.offset))


def visit(scene, offset, held):
    """Sets the clock, and has many clients ask. Returns how many requests the origin got: one if the catalog has expired, else none."""
    origin = scene.origin
    before = origin.count()
    origin.is_free.clear()
    scene.clock.step(offset)
    has_expired = held.has_expired(scene, offset)
    answers = [scene.ask(method) for method in ("status", "list", "list", "status") * 5]
    state = "cached" if has_expired else "loaded"
    scene.expect({answer["state"] for answer in answers} == {state}, f"at {offset:+} s it is not {state} until it is fetched")
    # It joins the fetch.
    refreshing = Refreshing(scene) if has_expired else None
    origin.is_free.set()
    if refreshing:
        outcome = refreshing.result()["outcome"]
        scene.expect(outcome == "unchanged", f"at {offset:+} s a refresh is {outcome}")
    status = scene.settled()
    scene.expect(status["state"] == "loaded", f"at {offset:+} s it is {status['state']} after the fetch")
    planned = scene.planned()
    scene.expect(-1 <= planned <= scene.interval + DAY, f"at {offset:+} s the next attempt is planned in {planned:,.0f} s")
    time.sleep(QUIET)
    made = origin.count() - before
    scene.expect(made == has_expired, f"at {offset:+} s the origin got {made} requests, not {int(has_expired)}")
    return made


class Refreshing:
    """A refresh that promod has read, and whose result comes later."""

    def __init__(self, scene):
        self._connection = scene.daemon.connect()
        before = self._read(scene)
        self._connection.send([Case("refresh", {})])
        expect(comes(lambda: self._read(scene) != before), "the refresh is not read")

    def result(self):
        line = self._connection.read_lines()[0]
        self._connection.close()
        return json.loads(line)["result"]

    @staticmethod
    def _read(scene):
        return scene.ask()["queries"]["refresh"]


def woken(scene):
    """Nobody asks after a suspend; the timer does."""
    scene.start()
    scene.origin.body = NEW.bytes
    scene.clock.step(WEEK)
    took = scene.wait_for(2)
    scene.settled()
    listing = scene.ask("list")
    scene.expect(listing["generation"] == NEW.generation, "the new catalog is not served")
    return f"asked {took:.2f} s after the machine woke up"


def spread(scene):
    """After a suspend the refresh is spread, until somebody asks for one or the machine was suspended too often."""
    scene.start(refresh__spread="1h")
    figures = []
    for number, ends in enumerate(("refresh", "suspends"), 1):
        scene.clock.step(2 * number * WEEK)
        time.sleep(QUIET)
        made, refresh = scene.origin.count(), scene.settled()["refresh"]
        scene.expect(made == number, f"the origin got {made} requests before the spread was over")
        planned = seconds(refresh["nextAt"]) - scene.clock.now()
        scene.expect(-1 <= planned <= HOUR + DAY, f"the next attempt is planned in {planned:,.0f} s")
        figures.append(f"{refresh['reason']} in {planned:,.0f} s")
        for _ in range(10):
            scene.ask("list")
        scene.expect(scene.origin.count() == number, "a list has asked the origin")
        if ends == "refresh":
            scene.daemon.ask("refresh", wait=False)
        for days in range(2, 12, 2):
            if ends == "suspends" and scene.origin.count() == number:
                scene.clock.step(2 * number * WEEK + days * DAY)
                time.sleep(QUIET)
        scene.wait_for(number + 1)
    return f"planned: {' and '.join(figures)}"


def hears(scene):
    """A subscriber hears at the end of a suspend that the catalog has expired, and then of the next."""
    scene.start()
    scene.settled()
    follower = scene.daemon.connect()
    follower.ask("subscribe", events=["catalog"])
    scene.origin.is_free.clear()
    scene.origin.body = NEW.bytes
    scene.clock.step(WEEK)
    follower.socket.settimeout(SOON)
    states = []
    with contextlib.suppress(TimeoutError):
        for expected in (("cached", OLD.generation), ("loaded", NEW.generation)):
            event = json.loads(follower.read_lines()[0])["params"]
            states.append((event["state"], event["generation"]))
            scene.expect(states[-1] == expected, f"the subscriber hears {states[-1]}, not {expected}")
            scene.origin.is_free.set()
    follower.close()
    scene.expect(len(states) == 2, f"the subscriber hears {states}")
    return f"heard {', '.join(state for state, _ in states)}"


def not_stretched(offset):
    """The clock is set back, nobody asks, and the refresh comes when it would have come."""
    def body(scene):
        scene.start(interval=INTERVAL)
        scene.settled()
        scene.clock.step(offset)
        scene.origin.body = NEW.bytes
        took = scene.wait_for(2, INTERVAL + LATE)
        status = scene.settled()
        scene.expect(status["generation"] == NEW.generation, "the new catalog is not served")
        scene.expect(seconds(status["fetchedAt"]) <= scene.clock.now(), f"it says that it was fetched at {status['fetchedAt']}")
        return f"asked {took:.1f} s later, with an interval of {INTERVAL} s"
    return body


def planned(scene):
    """The clock is set back, and nobody asks for the catalog."""
    scene.start()
    scene.settled()
    scene.clock.step(-DECADE)
    wait = scene.planned()
    scene.expect(-1 <= wait <= 2 * DAY, f"status plans the next attempt in {wait / DAY:,.0f} days")
    return f"next in {wait / DAY:,.0f} days"


def told(scene):
    """The clock is set back, and nobody asks at first."""
    scene.start()
    scene.settled()
    scene.clock.step(-DAY, asks=False)
    # Nothing but a reply shows that it has heard of that.
    time.sleep(QUIET)
    status = scene.ask()
    age = scene.clock.now() - seconds(status["fetchedAt"])
    scene.expect(0 <= age <= SOON, f"the first reply says that the catalog is {age:,.0f} s old")
    return f"{age:.1f} s old by the first reply"


def not_fresh_for_longer(scene):
    """The clock is set back by a minute, and the next fetch fails."""
    scene.start(interval=INTERVAL)
    scene.settled()
    scene.origin.script = cases.answer("500 Internal Server Error")
    scene.clock.step(-60)
    scene.wait_for(2, INTERVAL + LATE)
    status = scene.settled()
    scene.expect(status["state"] == "cached", f"{INTERVAL} s after the fetch, and after a failed refresh, it is {status['state']}")
    return f"{status['state']}, fetched {status['fetchedAt']}, expires {status['expiresAt']}, {status['refresh']['lastOutcome']}"


def asked(scene):
    """Waits until the origin is asked again."""
    expect(comes(lambda: scene.origin.connections >= 2), "the origin is not asked")


def during_fetch(*offsets):
    """The clock is set while the origin keeps its reply back."""
    def body(scene):
        scene.start(refresh__timeout=f"{TIMEOUT}s")
        scene.settled()
        scene.origin.is_free.clear()
        scene.origin.body = NEW.bytes
        refreshing = Refreshing(scene)
        asked(scene)
        for offset in offsets:
            scene.clock.step(offset)
            scene.ask("list")
        scene.origin.is_free.set()
        result = refreshing.result()
        scene.expect(result["outcome"] == "updated", f"the refresh is answered {result}")
        status = scene.settled()
        age = scene.clock.now() - seconds(status["fetchedAt"])
        scene.expect(0 <= age <= LATE + 1, f"it says that it is {age:.1f} s old")
        scene.wait_for(2)
        return f"updated, {age:.1f} s old"
    return body


def deadline(scene):
    """An origin that is silent is waited for as long as ever."""
    scene.start(refresh__timeout=f"{TIMEOUT}s")
    scene.settled()
    scene.origin.script = lambda visit: visit.hold()
    began = time.monotonic()
    refreshing = Refreshing(scene)
    asked(scene)
    scene.clock.step(-DECADE)
    result = refreshing.result()
    took = time.monotonic() - began
    scene.expect((result["error"] or {}).get("code") == "timeout", f"the refresh is answered {result}")
    scene.expect(TIMEOUT - 0.1 <= took <= TIMEOUT + LATE, f"it took {took:.1f} s, not {TIMEOUT} s")
    return f"{result['error'] and result['error']['message']} It took {took:.1f} s"


def no_crash(scene):
    """The clock is set back by half a minute during a fetch that succeeds, and is right again at the next start."""
    during_fetch(-30)(scene)
    scene.restart(0)
    refresh = scene.settled()["refresh"]
    scene.expect(refresh["attempt"] == 0, f"{refresh['attempt']} failure is counted, although the last outcome is {refresh['lastOutcome']}")
    scene.expect(refresh["reason"] == "expiry", f"the next attempt is a {refresh['reason']}, in {scene.planned():.0f} s")
    return f"attempt {refresh['attempt']}, next {refresh['reason']}"


def no_battery(scene):
    """A machine that does not keep the time starts in 1970, and gets the time from the network later."""
    # What fetches sees the machine's own clock, so the certificate is what becomes valid.
    valid = scene.origin.context
    scene.clock.set(WEEK)
    scene.origin.context = scene.origin.certified(**scene.clock.variables)
    scene.clock.set(HOUR - int(time.time()))
    scene.start(refresh__spread="1h")
    status = scene.settled()
    error = status["refresh"]["lastError"] or {}
    scene.expect(error.get("code") == "tls", f"status says {error}")
    for _ in range(10):
        scene.ask("list")
    scene.wait_for(1)
    scene.origin.context = valid
    scene.clock.step(0)
    took = scene.wait_for(2)
    status = scene.settled()
    scene.expect(status["state"] == "loaded", f"with the right time it is {status['state']}")
    return f"{error.get('message')} Asked {took:.2f} s after the clock was set"


def connections(scene):
    """Neither idle clients nor those that have sent half a line are disconnected, and nothing stays busy."""
    scene.start()
    clients = [scene.daemon.connect() for _ in range(3)]
    clients[0].socket.sendall(b'{"jsonrpc":"2.0","id":1,"met')
    clients[1].ask("subscribe", events=["tap"])
    for offset in (*STEPS.values(), 0):
        scene.clock.step(offset)
    scene.settled()
    before = scene.daemon.processor_time
    time.sleep(1)
    used = scene.daemon.processor_time - before
    scene.expect(used < 0.05, f"it uses {used:.2f} s of processor time in a second")
    clients[0].socket.settimeout(PATIENCE)
    clients[0].socket.sendall(b'hod":"status"}\n')
    scene.expect(clients[0].read_lines(), "a client was disconnected")
    for client in clients[1:]:
        client.ask("status")
        client.close()
    clients[0].close()
    return f"{used * 1e3:.1f} ms of processor time in the second afterwards"


def hidden(scene):
    """libfaketime sets a variable before Swift starts, which then finds no arguments."""
    programs = os.path.dirname(scene.daemon.binary)
    for command in ["promoctl", "check"], ["promod", "--version"]:
        done = subprocess.run(
            [f"{programs}/{command[0]}", *command[1:]], env={"PATH": os.environ["PATH"], **scene.daemon.environment}, cwd=scene.daemon.directory,
            stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False)
        scene.expect(done.returncode == 64 and "LD_PRELOAD" in done.stderr,
                     f"{' '.join(command)} ends with {done.returncode}: {done.stdout}{done.stderr}")


CHECKS = [
    check("hidden-arguments", "a program whose arguments are hidden by a preloaded library refuses to run", hidden),
    *(check(name, "the state is right for the time, an expired catalog is fetched once, and the same when the clock is right again",
            there_and_back(offset)) for name, offset in STEPS.items()),
    check("woken", "a suspended machine that wakes up refreshes its catalog once, though nobody asks", woken),
    check("woken-spread", "after a suspend the refresh is spread, until a refresh or four more suspends end that", spread),
    check("woken-subscriber", "a subscriber hears when the machine wakes up that the catalog has expired", hears),
    *(check(f"not-stretched-{name}", "a clock that is set back does not stretch the interval", not_stretched(-offset))
      for name, offset in {"minute": 60, "day": DAY, "decade": DECADE}.items()),
    check("planned", "if the clock is set back, status says when the next attempt comes", planned),
    check("told", "the kernel tells promod that the clock was set back, before anybody asks", told),
    check("not-fresh-for-longer", "a catalog that cannot be refreshed is not fresh for longer if the clock is set back",
          not_fresh_for_longer),
    check("set-during-fetch", "a fetch during which the clock is set is accepted, and as old as it is",
          during_fetch(DECADE, -DECADE, WEEK, -60)),
    check("deadline", "a clock that is set back does not stretch the deadline of a fetch", deadline),
    check("set-back-during-fetch", "a fetch during which the clock is set back is not counted as a crash", no_crash),
    check("no-battery", "a machine that learns the time only after the start refreshes its catalog then", no_battery),
    check("connections", "no client is disconnected, and promod is idle afterwards", connections),
]
