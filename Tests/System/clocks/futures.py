"""Files that were written while the clock was ahead, or that say so."""
import re

from support import cases
from support.times import DAY, YEAR, seconds, written
from .scene import AWAKE, HOUR, NEW, OLD, check

CATALOG, SCHEDULE = "catalog", "schedule.json"
CHANGES = {
    "day": lambda text: written(seconds(text) + DAY), "last": lambda _: "9999-12-31T23:59:59Z", "first": lambda _: "0001-01-01T00:00:00Z"}


def rewrite(scene, name, change):
    """Changes the times in a file's first line, while promod does not run."""
    path = f"{scene.daemon.cache}/{name}"
    with open(path, "rb") as file:
        line, end, rest = file.read().partition(b"\n")
    text, count = re.subn(r'("\w+":")(\d{4}-[-:T\d]+Z)"', lambda found: f'{found[1]}{change(found[2])}"', line.decode())
    scene.expect(count > 0, f"there is no time in {name}: {line.decode()}")
    with open(path, "wb") as file:
        file.write(text.encode() + end + rest)


def found(change, *names):
    """promod finds files with other times in them."""
    def body(scene):
        scene.start()
        scene.stop()
        # A list asks nothing within a minute of an attempt.
        scene.daemon.move_schedule(-60)
        for name in names:
            rewrite(scene, name, change)
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
    result = daemon.refresh()
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
    scene.expect(0.89 * DAY <= planned <= DAY, f"the next attempt is planned in {planned:,.0f} s")
    return f"{', '.join(states)} at the start, {int(has_expired)} request, and 1 by hand"


def paused(change):
    """promod finds a pause after a failure that it cannot have set, or that is over, and a catalog that is fresh."""
    def body(scene):
        scene.start()
        scene.origin.script = cases.retry_after("503 Service Unavailable", str(HOUR))
        scene.daemon.refresh()
        scene.origin.script = None
        scene.stop()
        rewrite(scene, SCHEDULE, change)
        scene.daemon.start()
        state = scene.ask("list")["state"]
        scene.expect(state == "loaded", f"it is {state}")
        took = scene.wait_for(3, AWAKE)
        status = scene.settled()
        scene.expect((status["failures"], status["nextReason"]) == (0, "expiry"), f"then status says {status}")
        return f"asked after {took:.1f} s"
    return body


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
    *(check(f"catalog-{name}", "a cached catalog with such a time is expired, and asked for once when a client lists",
            found(change, CATALOG)) for name, change in CHANGES.items()),
    *(check(f"schedule-{name}", "a schedule with such times causes no request, and blocks none", found(change, SCHEDULE))
      for name, change in CHANGES.items()),
    check("both-last", "the same if both files have such times", found(CHANGES["last"], CATALOG, SCHEDULE)),
    *(check(f"paused-{name}", "a stored pause with such an end is no pause, and what failed is tried again within 30 s", paused(change))
      for name, change in CHANGES.items()),
    *(check(f"ran-ahead-{name}", "a catalog that promod fetched while the clock was ahead is asked for once when the clock is right",
            ran_ahead(offset)) for name, offset in {"6-minutes": 360, "2-years": 2 * YEAR}.items()),
]
