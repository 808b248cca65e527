"""A clock that is set a hundred times."""
import json
import os
import signal
import time

from support import cases, chance
from support.times import DAY, seconds
from .scene import DECADE, HOUR, QUIET, SOON, check

STEPS = 100
GAP = 2  # seconds; refresh.min-gap by default
FAILS = cases.answer("500 Internal Server Error")
PAUSES = cases.retry_after("503 Service Unavailable", str(HOUR))
ALL = (0, 60, -60, 240, -240, HOUR, -HOUR, DAY, -DAY, 8 * DAY, DECADE, -DECADE)


def storm(name, *offsets, script=None, most=STEPS, asks=("list", "status", "list", "list"), reloads=False):
    """Sets the clock again and again, and has clients ask each time."""
    def body(scene):
        scene.start(refresh__min_gap=f"{GAP}s")
        daemon, origin, rng, base = scene.daemon, scene.origin, chance.choices(name), 0
        if script:
            # The catalog expires, so that a refresh is due, and fails.
            origin.script, base = script, DAY
            scene.clock.step(base)
            scene.wait_for(2)
        status = scene.settled()
        first, used, loaded = origin.count(), daemon.processor_time, 0
        for number in range(STEPS):
            fetched, pause = times_on_disk(daemon)
            before, planned = origin.count(), seconds(status["refresh"]["nextAt"])
            # An attempt that waited for the end of the gap may begin before the clock is set.
            was_due = is_due(scene, fetched, planned)
            scene.clock.step(base + (rng.choice(offsets) if len(offsets) > 2 else offsets[number % 2]))
            now = scene.clock.now()
            # A longer pause is not believed. On disk it ends up to a second later.
            is_paused = 1 < pause - now <= DAY
            allowed = int(not is_paused and (was_due or is_due(scene, fetched, planned)))
            if reloads:
                os.kill(daemon.pid, signal.SIGHUP)
            loaded += sum(scene.ask(method)["state"] == "loaded" for method in asks)
            if is_paused:
                result = daemon.ask("refresh")
                scene.expect(result["outcome"] == "throttled", f"step {number + 1}: a refresh in the pause is answered {result}")
            status = scene.settled()
            made = origin.count() - before
            scene.expect(made <= allowed, f"step {number + 1} makes {made} requests, not at most {allowed}")
        time.sleep(QUIET)
        made, used = origin.count() - first, daemon.processor_time - used
        scene.expect(made <= most, f"{made} requests are made, more than {most}")
        scene.expect(used < 5, f"{used:.1f} s of processor time are used")
        del scene.problems[5:]
        return f"{made} requests, {loaded} of {STEPS * len(asks)} replies loaded, {used:.2f} s of processor time"
    return body


def is_due(scene, fetched, planned):
    return scene.has_expired(fetched) or planned <= scene.clock.now()


def times_on_disk(daemon):
    """When the catalog was fetched, and when the origin's pause ends; without a pause, zero."""
    files = daemon.files
    header, schedule = (json.loads(files[name].partition(b"\n")[0]) for name in ("catalog", "schedule.json"))
    return seconds(header["fetchedAt"]), seconds(schedule["retryAfter"]) if schedule["retryAfter"] else 0


def gap(scene):
    """Clients ask while the clock goes forward and back, and the origin fails."""
    scene.start(refresh__min_gap=f"{GAP}s")
    scene.origin.script = FAILS
    for number in range(1, 4):
        scene.clock.step(number * DAY)
        scene.ask("list")
        scene.wait_for(number + 1, GAP + SOON)
        scene.clock.step(0)
        scene.ask("list")
    times = scene.origin.times
    shortest = min(later - earlier for earlier, later in zip(times, times[1:]))
    scene.expect(shortest >= GAP, f"an attempt begins {shortest:.2f} s after the one before")
    return f"{len(times)} requests, at least {shortest:.2f} s apart"


CHECKS = [
    check(f"storm-{name}", f"{STEPS} steps make at most {most} requests, and no step makes more than one",
          storm(name, *offsets, most=most, **how))
    for name, offsets, most, how in [
        ("minute", (60, 0), 0, {}), ("hour", (-HOUR, 0), 1, {}), ("day", (DAY, 0), STEPS, {}), ("decade", (-DECADE, 0), STEPS, {}),
        ("all", ALL, STEPS, {}), ("reloads", ALL, STEPS, {"reloads": True}), ("nobody", (DAY, 0), 1, {"asks": ()}),
        ("nobody-back", (-DECADE, 0), 1, {"asks": ()}), ("failing-minute", (60, 0), STEPS, {"script": FAILS}),
        ("failing-day", (DAY, 0), STEPS, {"script": FAILS}), ("failing-all", ALL, STEPS, {"script": FAILS}),
        ("failing-nobody", (DAY, 0), 10, {"script": FAILS, "asks": ()}), ("pause-minute", (60, -60), 0, {"script": PAUSES}),
        ("pause-hour", (HOUR // 2, -HOUR), 0, {"script": PAUSES}), ("pause-all", ALL, STEPS, {"script": PAUSES})]
] + [
    check("gap", f"attempts are {GAP} s apart, however the clock is set", gap),
]
