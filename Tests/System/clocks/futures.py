"""Files that were written while the clock was ahead, or that say so."""
import os
import re
import time

from support import cases
from support.times import DAY, seconds, written
from support.trial import seed_cache
from .scene import DECADE, HOUR, NEW, OLD, SOON, check

CATALOG, SCHEDULE = "catalog", "schedule.json"
FIRST, LAST = "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"


def shifted(shift):
    return lambda text: written(seconds(text) + shift)


CHANGES = {"day": shifted(DAY), "decade": shifted(DECADE), "last": lambda _: LAST, "first": lambda _: FIRST}


def rewrite(scene, name, change, members=r"\w+"):
    """Changes the times in a file's first line, while promod does not run."""
    path = f"{scene.daemon.directory}/cache/promod/{name}"
    with open(path, "rb") as file:
        line, end, rest = file.read().partition(b"\n")
    text, count = re.subn(rf'("{members}":")(\d{{4}}-[-:T\d]+Z)"', lambda found: f'{found[1]}{change(found[2])}"', line.decode())
    scene.expect(count > 0, f"there is no time in {name}: {line.decode()}")
    with open(path, "wb") as file:
        file.write(text.encode() + end + rest)


def found(change, *names, pause=False, members=r"\w+"):
    """promod finds files with other times in them."""
    def body(scene):
        scene.start()
        if pause:
            scene.origin.script = cases.retry_after("503 Service Unavailable", str(HOUR))
            scene.daemon.ask("refresh")
            scene.origin.script = None
        scene.stop()
        for name in names:
            rewrite(scene, name, change, members)
        return starts_well(scene, CATALOG in names)
    return body


def starts_well(scene, has_expired):
    """Starts promod. It must ask once if the catalog has expired, and let a person refresh, also after another start."""
    origin, daemon = scene.origin, scene.daemon
    first = origin.count()
    origin.body = NEW.bytes
    origin.is_free.clear()
    daemon.start()
    answers = [scene.ask(method) for method in ("status", "list", "list", "status") * 3]
    states = {answer["state"] for answer in answers}
    scene.expect(states == {"cached" if has_expired else "loaded"}, f"before the fetch it is {states}")
    origin.is_free.set()
    served = [scene.settled()["generation"]]
    scene.wait_for(first + has_expired)
    result = daemon.ask("refresh")
    scene.expect(result["error"] is None and result["outcome"] in ("updated", "unchanged"), f"a refresh is answered {result}")
    scene.restart()
    for _ in range(5):
        scene.ask("list")
    status = scene.settled()
    served.append(status["generation"])
    scene.wait_for(first + has_expired + 1)
    scene.expect(status["state"] == "loaded", f"then it is {status['state']}")
    scene.expect(served == [(NEW if has_expired else OLD).generation, NEW.generation], f"then {served} are served")
    planned = scene.planned()
    scene.expect(0 <= planned <= 2 * DAY, f"the next attempt is planned in {planned:,.0f} s")
    return f"{', '.join(states)} at the start, {int(has_expired)} request, and 1 by hand"


def ran_ahead(offset):
    """promod itself writes the files, with a clock that is right only at its next start."""
    def body(scene):
        scene.clock.set(offset)
        scene.start()
        scene.stop()
        scene.clock.set(0)
        return starts_well(scene, True)
    return body


CHECKS = [
    *(check(f"catalog-{name}", "a cached catalog with such a time is expired, and asked for once", found(change, CATALOG))
      for name, change in CHANGES.items()),
    *(check(f"schedule-{name}", "a schedule with such times causes no request, and blocks none", found(change, SCHEDULE))
      for name, change in CHANGES.items()),
    *(check(f"schedule-paused-{name}", "nor does one with a pause and a failure", found(change, SCHEDULE, pause=True))
      for name, change in CHANGES.items()),
    *(check(f"both-paused-{name}", "a cached catalog with such a time is asked for once, whatever the schedule says",
            found(change, CATALOG, SCHEDULE, pause=True)) for name, change in CHANGES.items()),
    *(check(f"attempt-without-{name}", "an attempt in the future that has no end, or only its end there, blocks nothing",
            found(CHANGES["day"], SCHEDULE, members=member))
      for name, member in {"end": "lastAttemptAt", "beginning": "lastEndAt"}.items()),
    *(check(f"ran-ahead-{name}", "a catalog that promod fetched while the clock was ahead is asked for once when the clock is right",
            ran_ahead(offset)) for name, offset in {"minutes": 400, "day": DAY, "decade": DECADE}.items()),
]
