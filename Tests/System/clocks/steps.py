"""A clock that is set once, and a machine that is suspended."""
import json
import time

from support.claims import expect
from support.daemon import GAP
from support.times import DAY, TOLERANCE, YEAR, seconds
from support.wire import PATIENCE, Case, comes
from .scene import AWAKE, DECADE, HOUR, NEW, OLD, QUIET, SOON, WEEK, check

STEPS = {
    "suspended-hour": HOUR, "suspended-week": WEEK, "forward-almost-due": DAY * 9 // 10 - 60, "forward-2-years": 2 * YEAR,
    "back-4-minutes": -240, "back-6-minutes": -360, "back-decade": -DECADE}
TIMEOUT = 3  # seconds; refresh.timeout, if a check waits for its end
LATE = 1.5  # seconds


def there_and_back(offset):
    """The clock is set, and later set right, and promod starts again."""
    def body(scene):
        scene.start()
        figures = [visit(scene, offset), visit(scene, 0)]
        scene.restart()
        figures.append(visit(scene, 0))
        return f"{' and '.join(map(str, figures))} requests there, back, and after a restart"
    return body


def visit(scene, offset):
    """Sets the clock, and has many clients ask. Returns how many requests the origin got: one if the catalog has expired, else none."""
    origin = scene.origin
    before, fetched = origin.count(), seconds(scene.settled()["fetchedAt"])
    origin.is_free.clear()
    scene.clock.step(offset)
    has_expired = scene.has_expired(fetched)
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
    least = 0.9 * DAY - 1 if has_expired else 0
    scene.expect(least <= planned <= DAY + TOLERANCE, f"at {offset:+} s the next attempt is planned in {planned:,.0f} s")
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
        return scene.daemon.ask("status")["requests"].get("refresh", 0)


def alone(offset):
    """Nobody asks after the clock was set; promod does. A subscriber gets an event at once, and one when the new catalog is there."""
    def body(scene):
        scene.start()
        scene.settled()
        follower = scene.daemon.connect()
        follower.ask("subscribe", events=["catalog"])
        follower.socket.settimeout(AWAKE)
        scene.origin.body = NEW.bytes
        events, times = [], [time.monotonic()]
        scene.clock.step(offset)
        for _ in range(2):
            event = json.loads(follower.read_lines()[0])["params"]
            events.append((event["state"], event["generation"]))
            times.append(time.monotonic())
        follower.close()
        scene.expect(events == [("cached", OLD.generation), ("loaded", NEW.generation)], f"the events are {events}")
        scene.expect(times[1] - times[0] < SOON, f"the first event came after {times[1] - times[0]:.1f} s")
        scene.wait_for(2)
        return f"asked within {times[2] - times[0]:.1f} s"
    return body


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
        time.sleep(GAP)
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
    time.sleep(GAP)
    began = time.monotonic()
    refreshing = Refreshing(scene)
    asked(scene)
    scene.clock.step(-DECADE)
    result = refreshing.result()
    took = time.monotonic() - began
    scene.expect((result["error"] or {}).get("code") == "timeout", f"the refresh is answered {result}")
    scene.expect(TIMEOUT - 0.1 <= took <= TIMEOUT + LATE, f"it took {took:.1f} s, not {TIMEOUT} s")
    return f"{result['error'] and result['error']['message']} It took {took:.1f} s"


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
    for _ in range(10):
        scene.ask("list")
    scene.wait_for(1)
    scene.origin.context = valid
    scene.clock.step(0)
    took = scene.wait_for(2)
    status = scene.settled()
    scene.expect(status["state"] == "loaded", f"with the right time it is {status['state']}")
    return f"asked {took:.2f} s after the clock was set"


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


CHECKS = [
    *(check(name, "the state is right for the time, an expired catalog is fetched once, and the same when the clock is right again",
            there_and_back(offset)) for name, offset in STEPS.items()),
    *(check(name, "what is due then is fetched once within 30 s though nobody asks, and subscribers hear of both", alone(offset))
      for name, offset in {"woken": WEEK, "set-back": -DAY}.items()),
    check("set-during-fetch", "a fetch during which the clock is set is accepted, and as old as it is",
          during_fetch(DECADE, -DECADE, WEEK, -60)),
    check("deadline", "a clock that is set back does not stretch the deadline of a fetch", deadline),
    check("no-battery", "a machine that learns the time only after the start refreshes its catalog then", no_battery),
    check("connections", "no client is disconnected, and promod is idle afterwards", connections),
]
