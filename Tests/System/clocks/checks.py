"""A clock that is set once, often, during a fetch and during a pause, and a machine that is suspended."""
import json
import time

from support import cases, chance
from support.claims import expect
from support.clock import is_synchronised
from support.times import DAY, TOLERANCE, YEAR, seconds
from support.wire import comes
from .scene import DECADE, HOUR, NEW, OLD, QUIET, WEEK, check

STEPS = {"suspended-week": WEEK, "forward-2-years": 2 * YEAR, "back-4-minutes": -240, "back-6-minutes": -360, "back-decade": -DECADE}
TIMEOUT, LATE = 3, 10  # seconds; refresh.timeout, and how much later a busy machine may be
SPREAD = 30  # seconds within which a Retry-After is over
SOON = 30  # seconds within which a fetch begins that is due, even on a busy machine
MANY = 100


def there_and_back(offset):
    """The clock is set, and later set right, and promod starts again."""
    def body(scene):
        scene.start()
        return f"{visit(scene, offset)} and {visit(scene, 0)} requests there and back, {visit(scene, 0, restarts=True)} after a restart"
    return body


def visit(scene, offset, restarts=False):
    """Sets the clock, and has many clients ask. Returns how many requests the origin got: one if the catalog has expired, else none."""
    origin = scene.origin
    before, fetched = origin.count(), seconds(scene.settled()["fetchedAt"])
    origin.is_free.clear()
    (scene.restart if restarts else scene.clock.step)(offset)
    has_expired = scene.has_expired(fetched)
    states = {scene.ask(method)["state"] for method in ("status", "list", "list", "status") * 5}
    scene.expect(states == {"expired" if has_expired else "fresh"}, f"at {offset:+} s it is {states} until it is fetched")
    origin.is_free.set()
    status = scene.settled()
    scene.expect(status["state"] == "fresh", f"at {offset:+} s it is {status['state']} after the fetch")
    wait = seconds(status["nextAt"]) - scene.clock.now()
    scene.expect((0.9 * DAY - LATE if has_expired else 0) <= wait <= DAY + TOLERANCE, f"the next attempt is planned in {wait:,.0f} s")
    scene.wait_for(before + has_expired)
    return origin.count() - before


def alone(*offsets):
    """Nobody asks after the clock was set; promod does. A subscriber gets an event at once, and one when the new catalog is there."""
    def body(scene):
        scene.start()
        scene.settled()
        follower, old, new = scene.daemon.connect(), OLD, NEW
        follower.ask("subscribe", events=["catalog"])
        for requests, offset in enumerate(offsets, 2):
            scene.origin.body = new.bytes
            scene.clock.step(offset)
            expect(comes(lambda: scene.origin.connections >= requests, SOON), f"at {offset:+} s the origin is not asked")
            events = [json.loads(follower.read_lines()[0])["params"] for _ in range(2)]
            events = [(event["state"], event["generation"]) for event in events]
            scene.expect(events == [("expired", old.generation), ("fresh", new.generation)], f"the events are {events}")
            scene.wait_for(requests)
            old, new = new, old
        follower.close()
    return body


def during_fetch(scene):
    """The clock is set while the origin keeps its reply back."""
    scene.start(refresh__timeout="60s")
    scene.settled()
    scene.origin.is_free.clear()
    scene.origin.body = NEW.bytes
    scene.clock.step(2 * DAY)
    for offset in DECADE, -DECADE, WEEK, -60:
        scene.ask("list")
        scene.wait_for(2)
        scene.clock.step(offset)
    scene.origin.is_free.set()
    status = scene.settled()
    age = scene.clock.now() - seconds(status["fetchedAt"])
    scene.expect(status["generation"] == NEW.generation and 0 <= age <= LATE, f"it is {age:.1f} s old: {status}")
    scene.wait_for(2)


def deadline(scene):
    """An origin that is silent is waited for as long as ever."""
    scene.start(refresh__timeout=f"{TIMEOUT}s")
    scene.settled()
    scene.origin.script = lambda visit: visit.hold()
    scene.clock.step(2 * DAY)
    scene.ask("list")
    began = time.monotonic()
    scene.wait_for(2)
    scene.clock.step(-DECADE)
    status, took = scene.settled(), time.monotonic() - began
    scene.expect(status["lastError"] == "timeout", f"the last error is {status['lastError']}")
    scene.expect(TIMEOUT - 1 <= took <= TIMEOUT + LATE, f"it took {took:.1f} s, not {TIMEOUT} s")


def no_battery(scene):
    """A machine that does not keep the time starts in 1970, and gets the time from the network later."""
    # What fetches sees the machine's own clock, so the certificate is what becomes valid.
    valid = scene.origin.context
    scene.clock.set(WEEK)
    scene.origin.context = scene.origin.certified(**scene.clock.variables)
    scene.clock.set(HOUR - int(time.time()))
    scene.start()
    status = scene.settled()
    scene.expect(status["lastError"] == "certificate-time", f"status says {status}")
    codes = [problem["code"] for problem in scene.daemon.ask("status")["problems"]]
    scene.expect(("clock" in codes) != is_synchronised(), f"the problems are {codes}")
    for _ in range(10):
        scene.ask("list")
    scene.wait_for(1)
    scene.origin.context = valid
    scene.clock.step(0)
    scene.wait_for(2)
    status = scene.settled()
    scene.expect(status["state"] == "fresh", f"with the right time it is {status['state']}")


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
    clients[0].socket.sendall(b'hod":"status"}\n')
    scene.expect(clients[0].read_lines(), "a client was disconnected")
    for client in clients[1:]:
        client.ask("status")


def pause(scene):
    """The origin asks for a pause of an hour, and the clock is set, also while promod does not run."""
    scene.start()
    scene.origin.script = cases.retry_after("503 Service Unavailable", str(HOUR))
    scene.clock.step(2 * DAY)
    scene.ask("list")
    scene.wait_for(2)
    scene.origin.script, scene.origin.body = None, NEW.bytes
    end = scene.settled()["nextAt"]
    for offset, set_to in (60, scene.clock.step), (-HOUR, scene.clock.step), (HOUR // 2, scene.restart), (-22 * HOUR, scene.restart):
        set_to(2 * DAY + offset)
        for method in "list", "reload", "list":
            scene.daemon.ask(method)
        status = scene.settled()
        # The end is drawn anew at each start.
        is_right = status["nextReason"] == "retry-after" and abs(seconds(status["nextAt"]) - seconds(end)) <= SPREAD
        scene.expect(is_right, f"at {offset:+} s it is planned for {status['nextAt']}, not {end}")
    scene.wait_for(2)
    # Where it is over, or longer than any may be, so that it was stored while the clock was ahead.
    scene.clock.step(2 * DAY + chance.choices("pause").choice([HOUR + 2 * SPREAD, WEEK, -DAY, -DECADE]))
    for _ in range(10):
        scene.ask("list")
    scene.wait_for(3)
    scene.expect(scene.settled()["generation"] == NEW.generation, "the new catalog is not served")


def storm(scene):
    """The clock is set a hundred times, first by minutes, and clients ask each time."""
    scene.start()
    rng, first, used = chance.choices("storm"), scene.origin.count(), scene.daemon.processor_time
    for number in range(MANY):
        before = scene.origin.count()
        is_little = number < MANY // 4
        scene.clock.step(rng.choice((0, 60, -60, 240, -240) if is_little else (0, HOUR, -HOUR, DAY, -DAY, 8 * DAY, DECADE, -DECADE)))
        for method in "list", "status", "list":
            scene.ask(method)
        scene.settled()
        made = scene.origin.count() - before
        scene.expect(made <= (not is_little), f"step {number + 1} makes {made} requests")
    time.sleep(QUIET)
    used = scene.daemon.processor_time - used
    scene.expect(used < 10, f"{used:.1f} s of processor time are used")
    del scene.problems[5:]
    return f"{scene.origin.count() - first} requests, {used:.2f} s of processor time"


CHECKS = [
    *(check(name, "the state is right for the time, an expired catalog is fetched once, and the same when the clock is right again",
            there_and_back(offset)) for name, offset in STEPS.items()),
    *(check(name, "what is due then is fetched once though nobody asks, each time, and subscribers hear of both", alone(*offsets))
      for name, offsets in {"woken": [WEEK, 3 * WEEK], "set-back": [-DAY, -2 * DAY]}.items()),
    check("set-during-fetch", "a fetch during which the clock is set is accepted, and as old as it is", during_fetch),
    check("deadline", "a clock that is set back does not stretch the deadline of a fetch", deadline),
    check("no-battery", "a machine that learns the time only after the start refreshes its catalog then", no_battery),
    check("connections", "no client is disconnected, and promod is idle afterwards", connections),
    check("pause", "a Retry-After ends when the clock shows its end, and one that no origin can have asked for is dropped", pause),
    check("storm", f"{MANY} steps make at most a request each, those of minutes none, and little work", storm),
]
