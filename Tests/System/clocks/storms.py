"""A clock that is set a hundred times."""
import json
import time

from support import cases, chance
from support.times import DAY, seconds
from .scene import DECADE, HOUR, QUIET, check

STEPS = 100
FAILS = cases.answer("500 Internal Server Error")
PAUSES = cases.retry_after("503 Service Unavailable", str(HOUR))
ALL = (0, 60, -60, 240, -240, HOUR, -HOUR, DAY, -DAY, 8 * DAY, DECADE, -DECADE)


def storm(name, *offsets, script=None, most=STEPS):
    """Sets the clock again and again, and has clients ask each time."""
    def body(scene):
        scene.start()
        daemon, origin, rng, base = scene.daemon, scene.origin, chance.choices(name), 0
        if script:
            # The catalog expires, so that a refresh is due, and fails.
            origin.script, base = script, DAY
            scene.clock.step(base)
            scene.ask("list")
            scene.wait_for(2)
        status = scene.settled()
        first, used, loaded = origin.count(), daemon.processor_time, 0
        for number in range(STEPS):
            fetched, pause = times_on_disk(daemon)
            before, planned = origin.count(), seconds(status["nextAt"])
            scene.clock.step(base + (rng.choice(offsets) if len(offsets) > 2 else offsets[number % 2]))
            now = scene.clock.now()
            # A longer pause is not believed.
            is_paused = 0 < pause - now <= DAY
            allowed = int(not is_paused and (scene.has_expired(fetched) or planned <= now))
            loaded += sum(scene.ask(method)["state"] == "loaded" for method in ("list", "status", "list"))
            status = scene.settled()
            made = origin.count() - before
            scene.expect(made <= allowed, f"step {number + 1} makes {made} requests, not at most {allowed}")
        time.sleep(QUIET)
        made, used = origin.count() - first, daemon.processor_time - used
        scene.expect(made <= most, f"{made} requests are made, more than {most}")
        scene.expect(used < 5, f"{used:.1f} s of processor time are used")
        del scene.problems[5:]
        return f"{made} requests, {loaded} of {STEPS * 3} replies loaded, {used:.2f} s of processor time"
    return body


def times_on_disk(daemon):
    """When the catalog was fetched, and when the origin's pause ends; without a pause, zero."""
    files = daemon.files
    header, schedule = (json.loads(files[name].partition(b"\n")[0]) for name in ("catalog", "schedule.json"))
    return seconds(header["fetchedAt"]), seconds(schedule["retryAfter"]) if schedule["retryAfter"] else 0


CHECKS = [
    check(f"storm-{name}", f"{STEPS} steps make at most {most} requests, and no step makes more than one",
          storm(name, *offsets, most=most, **how))
    for name, offsets, most, how in [
        ("minute", (60, 0), 0, {}), ("all", ALL, STEPS, {}), ("failing-all", ALL, STEPS, {"script": FAILS}),
        ("pause-hour", (HOUR // 2, -HOUR), 0, {"script": PAUSES})]
]
