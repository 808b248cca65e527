"""An origin that asks for a pause or fails, before the clock is set."""
import time

from support import cases
from support.times import DAY, seconds
from .scene import AWAKE, DECADE, HOUR, NEW, QUIET, WEEK, check

FAILS = cases.answer("500 Internal Server Error")
PAUSES = cases.retry_after("503 Service Unavailable", str(HOUR))


def begin(scene, script=PAUSES, **settings):
    """Lets the catalog expire, so that a list has promod ask, and fail. Returns when it may ask again."""
    scene.start(**settings)
    scene.origin.script = script
    scene.clock.step(2 * DAY)
    scene.ask("list")
    scene.wait_for(2)
    scene.origin.script, scene.origin.body = None, NEW.bytes
    status = scene.settled()
    reason = "retry-after" if script is PAUSES else "retry"
    scene.expect(status["nextReason"] == reason, f"the next attempt is a {status['nextReason']}")
    return status["nextAt"]


def set_to(scene, offset, restarts):
    """Sets the clock to this offset from the time at which the pause began, while promod runs or before it starts again."""
    if restarts:
        scene.restart(2 * DAY + offset)
    else:
        scene.clock.step(2 * DAY + offset)


def kept(*offsets, restarts=False):
    """The clock is set to offsets at which the pause of an hour is not over, and not longer than a day."""
    def body(scene):
        end, waits = begin(scene), []
        for offset in offsets:
            set_to(scene, offset, restarts)
            waits.append(seconds(end) - scene.clock.now())
            for method in "list", "reload", "list":
                scene.daemon.ask(method)
            status = scene.settled()
            scene.expect((status["nextAt"], status["nextReason"]) == (end, "retry-after"), f"at {offset:+} s status says {status}, not until {end}")
        scene.wait_for(2)
        return f"not asked for {', '.join(f'{wait / 60:,.0f}' for wait in waits)} min"
    return body


def over(offset, script=PAUSES, restarts=False, **settings):
    """The clock is set to where the pause is over, or longer than any may be, and so must have been stored while it was ahead."""
    def body(scene):
        begin(scene, script, **settings)
        set_to(scene, offset, restarts)
        for _ in range(10):
            scene.ask("list")
        scene.wait_for(3)
        scene.expect(scene.settled()["generation"] == NEW.generation, "the new catalog is not served")
        return "asked once"
    return body


def alone(offset):
    """The same, but nobody asks."""
    def body(scene):
        begin(scene)
        began = time.monotonic()
        scene.clock.step(2 * DAY + offset)
        scene.wait_for(3, AWAKE)
        return f"asked after {time.monotonic() - began - QUIET:.1f} s"
    return body


CHECKS = [
    check("pause-clock", "a pause of an hour ends when the clock shows its end, if the clock is set within a day",
          kept(60, HOUR // 2, -60, -HOUR, -22 * HOUR)),
    check("pause-clock-restarts", "the same if promod starts again each time", kept(60, -HOUR, -22 * HOUR, restarts=True)),
    *(check(f"pause-over-{name}", "a pause that is over by the clock is followed by one request, at once when a client lists", over(offset))
      for name, offset in {"suspended-hour": HOUR + 40, "suspended-week": WEEK}.items()),
    *(check(f"pause-dropped-{name}", "a pause that was stored while the clock was ahead is dropped, and followed by one request",
            over(-offset, restarts=restarts))
      for name, offset, restarts in [("day", DAY, False), ("decade", DECADE, False), ("day-restart", DAY, True)]),
    check("pause-dropped-failure", "so is one after a failure, which is at most an hour",
          over(-2 * HOUR, FAILS, retry__base="1h")),
    check("pause-dropped-alone", "after such a pause promod asks within 30 s, though nobody asks it", alone(-DAY)),
]
