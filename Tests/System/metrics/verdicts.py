"""The verdict of `promoctl check` by age: its exit code, its one line, and the same as JSON."""
import json
import re
import signal
import time

from support.shop import CATALOG, check
from support.times import DAY, written
from support.trial import seed_cache

LATE = 600  # seconds, on a busy machine
JUST_NOW = r"fetched (a moment|\d+ minutes?) ago"


def expect(shop, code, line, *arguments, age=None):
    """promoctl check ends with this code and prints this line, a regular expression; the age is in seconds, None if unknown."""
    plain, done = shop.run("promoctl", "check", *arguments), shop.run("promoctl", "check", "--json", *arguments)
    what = f"promoctl check {' '.join(arguments)}"
    shop.expect(plain.returncode == code and re.fullmatch(line + "\n", plain.stdout), f"{what} is not {code} {line!r}: {plain}")
    verdict = json.loads(done.stdout)
    is_right = done.returncode == code and verdict["fresh"] is (code == 0) and re.fullmatch(line, verdict["message"])
    found = verdict["ageSeconds"]
    is_right = is_right and (found is None if age is None else found is not None and age <= found <= age + LATE)
    shop.expect(is_right, f"{what} --json is not {code} {line!r} with the age {age}: {done}")


def ages(shop):
    """A catalog that was fetched three days ago and cannot be fetched now, and one that was fetched just now."""
    shop.publish([shop.app(0, "One")])
    shop.publish([shop.app(number, f"App {number}") for number in range(4)], path="/other.json")
    seed_cache(shop.daemon, shop.origin.at(CATALOG), shop.origin.files.pop(CATALOG), fetchedAt=written(int(time.time()) - 3 * DAY))
    shop.start()
    shop.daemon.refresh()
    reason = re.escape(f"{shop.origin.at(CATALOG)} answers 404 Not Found.")
    stale = rf"STALE: default was fetched 3 days ago\. {reason}"
    for longest, code, line in (None, 1, stale), ("73h", 0, r"OK: 1 app fetched 3 days ago\."), ("71h", 1, stale), ("4319m", 1, stale):
        expect(shop, code, line, *(["--max-age", longest] if longest else []), age=3 * DAY)
    shop.add("other", shop.origin.at("/other.json"))
    shop.daemon.ask("reload")
    shop.daemon.ask("list", wait=True, catalog="other")
    expect(shop, 1, stale, age=3 * DAY)
    expect(shop, 0, r"OK: 2 catalogs with 5 apps, the oldest \(default\) fetched 3 days ago\.", "--max-age", "99h", age=3 * DAY)
    for name in "other", shop.origin.at("/other.json").replace("https", "HTTPS"):
        expect(shop, 0, rf"OK: 4 apps {JUST_NOW}\.", "--catalog", name, age=0)
    expect(shop, 1, rf"STALE: other was {JUST_NOW}\.", "--max-age", "0s", "--catalog", "other", age=0)


def ahead(shop):
    """A catalog from the disk with a time to come."""
    shop.publish([shop.app(0, "One")])
    seed_cache(shop.daemon, shop.origin.at(CATALOG), shop.origin.files.pop(CATALOG), fetchedAt=written(int(time.time()) + DAY))
    shop.start()
    shop.daemon.refresh()
    expect(shop, 1, "STALE: default was fetched at a time ahead of the clock. .* answers 404 Not Found.", "--max-age", "9999h")


def durations(shop):
    """Durations that are none, catalogs that are not there, and no promod."""
    shop.start()

    def expect_failure(code, message, *arguments):
        done = shop.run("promoctl", "check", *arguments)
        shop.expect(done.returncode == code and not done.stdout and re.match(message, done.stderr), f"{arguments} ends with {done}")
    for duration in "", "48", "h", "1w", "1.5h", "48 h", "48H", "30m2h", "+1h", "\u0664h", "9" * 30 + "h":
        expect_failure(64, re.escape(f'Error: --max-age takes a duration such as 90s, 5m, 2h, 3d or 1h30m, not "{duration}".\n'), "--max-age", duration)
    for catalog in "Acme", "", "http://example.com/", "a" * 65:
        expect_failure(64, "Error: --catalog takes ", "--catalog", catalog)
    for catalog in "nope", "https://nowhere.example/catalog.json":
        expect_failure(65, f"promoctl: No catalog with the (name|address) .?{re.escape(catalog)}", "--catalog", catalog)
    shop.daemon.process.send_signal(signal.SIGSTOP)
    expect_failure(69, r"promoctl: promod did not answer on .* in time\.")


CHECKS = [
    check("ages", "a catalog that is fresh enough ends with 0, and one that is too old with 1 and says how old and why", ages),
    check("ahead", "a catalog whose age is not known is not fresh", ahead),
    check("durations", "a malformed option ends with 64, an unknown catalog with 65, no answer with 69, each with a message", durations),
]
