"""An origin that asks for a pause, before the clock is set."""
import email.utils
import os
import signal
import time

from support import cases
from support.times import DAY, seconds
from .scene import DECADE, HOUR, NEW, QUIET, SOON, WEEK, check

SHORT = 3  # seconds of a pause whose end is waited for
LATE = 1.5  # seconds


def begin(scene, pause):
    """Lets the catalog expire, so that promod asks and is told to pause. Returns when it may ask again."""
    # The backoff after the failure must be shorter than the pause.
    scene.start(retry__base="1s")
    scene.origin.script = cases.retry_after("503 Service Unavailable", pause)
    scene.clock.step(2 * DAY)
    scene.wait_for(2)
    scene.origin.script, scene.origin.body = None, NEW.bytes
    refresh = scene.settled()["refresh"]
    scene.expect(refresh["reason"] == "retry-after", f"the next attempt is a {refresh['reason']}")
    return refresh["nextAt"]


def kept(*offsets, is_date=False, restarts=False):
    """The pause is an hour, and the clock is set to these offsets from the time at which it began."""
    def body(scene):
        pause = email.utils.formatdate(scene.clock.now() + 2 * DAY + HOUR, usegmt=True) if is_date else str(HOUR)
        end = begin(scene, pause)
        waits = []
        for offset in offsets:
            if restarts:
                scene.restart(2 * DAY + offset)
            else:
                scene.clock.step(2 * DAY + offset)
            waits.append(seconds(end) - scene.clock.now())
            for ask in (lambda: scene.ask("list"), lambda: scene.daemon.ask("reload"), lambda: os.kill(scene.daemon.pid, signal.SIGHUP)):
                ask()
                result = scene.daemon.ask("refresh")
                is_right = result["outcome"] == "throttled" and (
                    result["retryAt"] == end or waits[-1] > HOUR and seconds(result["retryAt"]) < seconds(end))
                scene.expect(is_right, f"at {offset:+} s a refresh is answered {result}, not throttled until {end}")
        scene.wait_for(2)
        return f"throttled for {', '.join(f'{wait / 60:,.0f}' for wait in waits)} min"
    return body


def over(offset):
    """The pause is an hour, and the clock is set to after its end."""
    def body(scene):
        begin(scene, str(HOUR))
        scene.clock.step(2 * DAY + offset)
        ask_often(scene)
        scene.wait_for(3)
        scene.expect(scene.settled()["generation"] == NEW.generation, "the new catalog is not served")
        return "asked once"
    return body


def not_believed(offset):
    """The pause is an hour, and the clock is set so far back that it would seem to be longer than any pause may be."""
    def body(scene):
        begin(scene, str(HOUR))
        scene.clock.step(2 * DAY + offset)
        ask_often(scene)
        time.sleep(QUIET)
        made, planned = scene.origin.count(), scene.planned()
        scene.expect(made <= 3, f"the origin got {made} requests, not at most 3")
        scene.expect(planned <= DAY + 1, f"the next attempt is planned in {planned:,.0f} s")
        return f"{made - 2} requests, next in {planned:,.0f} s"
    return body


def ask_often(scene):
    for _ in range(10):
        scene.ask("list")
    scene.settled()


def renewed(scene):
    """The origin asks for the pause again and again."""
    begin(scene, str(HOUR))
    scene.origin.script = cases.retry_after("503 Service Unavailable", str(HOUR))
    made = 2
    for offset in (-DAY, DAY, -DECADE, DECADE):
        scene.clock.step(2 * DAY + offset)
        made += offset > 0
        for _ in range(3):
            scene.ask("list")
            result = scene.daemon.ask("refresh")
        left = seconds(result["retryAt"]) - scene.clock.now()
        scene.expect(result["outcome"] == "throttled", f"at {offset:+} s a refresh is answered {result}")
        scene.expect(HOUR - SOON <= left <= HOUR + 1, f"at {offset:+} s the pause is {left:,.0f} s")
        scene.wait_for(made)
    return "asked once after each of 2 steps forward, and paused for an hour after all 4"


def not_stretched(offset):
    """Nobody asks, and the clock is set back after the pause began."""
    def body(scene):
        begin(scene, str(SHORT))
        scene.clock.step(2 * DAY + offset)
        took = scene.wait_for(3, SHORT + LATE)
        status = scene.settled()
        scene.expect(status["generation"] == NEW.generation, "the new catalog is not served")
        return f"asked after {took:.1f} s, with a pause of {SHORT} s"
    return body


def nobody(scene):
    """The clock is set back by more than a day during the pause, and nobody asks."""
    begin(scene, str(HOUR))
    scene.clock.step(-DAY)
    scene.wait_for(2)
    return "not asked"


BACK = {"minute": 60, "day": DAY, "decade": DECADE}
CHECKS = [
    check("pause-clock", "a pause of an hour does not end earlier by the clock, nor later, if the clock is set within a day",
          kept(60, 0, HOUR // 2, -60, -HOUR, -22 * HOUR)),
    check("pause-clock-date", "the same for a pause until a date", kept(60, -60, -HOUR, is_date=True)),
    check("pause-clock-restarts", "the same if promod starts again each time", kept(60, -60, -HOUR, -22 * HOUR, restarts=True)),
    *(check(f"pause-over-{name}", "a pause that is over by the clock allows one request", over(offset))
      for name, offset in {"suspended-hour": HOUR + 1, "suspended-week": WEEK, "forward-decade": DECADE}.items()),
    *(check(f"pause-not-believed-{name}", "a pause that would seem to be longer than a day allows at most one request, and is at most one",
            not_believed(-offset)) for name, offset in BACK.items() if offset >= DAY),
    check("pause-renewed", "each pause is an hour by the clock of its time, and allows one request when it is over", renewed),
    *(check(f"pause-not-stretched-{name}", "promod asks when the pause ends, though the clock was set back", not_stretched(-offset))
      for name, offset in BACK.items()),
    check("pause-nobody", "a clock that is set back causes no request by itself", nobody),
]
