"""The verdict of `promoctl check`: its exit code, its one line, and the same as JSON."""
import json
import os
import re
import signal
import time

from support.shop import CATALOG, check
from support.trial import seed_cache

DAY = 86_400
LATE = 60  # seconds, on a busy machine
NONE = (
    'STALE: No catalog is configured. Begin with "promoctl setup https://…" (your catalog\'s address), or with "promoctl setup --sample" '
    "to look around.")
IS_SAMPLE = "STALE: No catalog has an address."
USAGE = "--max-age takes a duration such as 90s, 5m, 2h, 3d or 1h30m, not "
AGE = "(a moment|1 minute)"  # since something that happened just now, on a busy machine


def expect(shop, code, line, *arguments, age=None):
    """promoctl check ends with this code and prints this line, a regular expression; the age is in seconds, None if unknown."""
    what = f"promoctl check {' '.join(arguments)}"
    done = shop.run("promoctl", "check", *arguments)
    right = done.returncode == code and re.fullmatch(line + "\n", done.stdout) and not done.stderr
    shop.expect(right, f"{what} ends with {done.returncode}, not {code}: {done.stdout!r}{done.stderr!r}, not {line!r}")
    done = shop.run("promoctl", "check", "--json", *arguments)
    try:
        verdict = json.loads(done.stdout)
    except ValueError:
        verdict = {}
    right = done.returncode == code and not done.stderr and done.stdout.count("\n") == 1
    right = right and set(verdict) == {"fresh", "ageSeconds", "problems", "message"}
    right = right and (bool(verdict["problems"]) if code == 2 else verdict["fresh"] is (code == 0))
    right = right and re.fullmatch(line, verdict["message"])
    shop.expect(right, f"{what} --json ends with {done.returncode}: {done.stdout} {done.stderr}")
    found = verdict.get("ageSeconds")
    right = found is None if age is None else found is not None and age <= found <= age + LATE
    shop.expect(right, f"{what} --json has the age {found}, not {age}")


def expect_failure(shop, code, message, *arguments):
    """A run of promoctl check prints nothing but this message, a regular expression, which may be followed by the usage."""
    done = shop.run("promoctl", "check", *arguments)
    right = done.returncode == code and not done.stdout and re.match(message, done.stderr)
    shop.expect(right, f"promoctl check {' '.join(arguments)} ends with {done.returncode}: {done.stdout!r} {done.stderr!r}")


def one(shop):
    """A catalog that was fetched just now, by its name and by its address, and ages that are no less than 0."""
    shop.publish([shop.app(number, f"App {number}") for number in range(12)])
    shop.start()
    line = rf"OK: 12 apps fetched {AGE} ago\."
    address = shop.origin.at(CATALOG)
    for arguments in "", "--max-age 48h", "--max-age 90m", "--catalog default", f"--catalog {address.replace('https', 'HTTPS')}":
        expect(shop, 0, line, *arguments.split(), age=0)
    expect(shop, 1, rf"STALE: default was fetched {AGE} ago\.", "--max-age", "0s", age=0)
    shop.publish([shop.app(0, "One")])
    shop.daemon.refresh()
    expect(shop, 0, rf"OK: 1 app fetched {AGE} ago\.", age=0)
    # A refresh that fails does not make it older.
    shop.origin.files.clear()
    shop.daemon.refresh()
    expect(shop, 0, rf"OK: 1 app fetched {AGE} ago\.", age=0)


def too_old(shop):
    """A catalog from the disk that cannot be fetched again."""
    _seed(shop, 3 * DAY)
    reason = re.escape(f"{shop.origin.at(CATALOG)} answers 404 Not Found.")
    expect(shop, 1, rf"STALE: default was fetched 3 days ago\. {reason}", age=3 * DAY)
    expect(shop, 0, r"OK: 1 app fetched 3 days ago\.", "--max-age", "73h", age=3 * DAY)
    expect(shop, 1, rf"STALE: default was fetched 3 days ago\. {reason}", "--max-age", "71h", age=3 * DAY)
    expect(shop, 1, rf"STALE: default was fetched 3 days ago\. {reason}", "--max-age", "4319m", age=3 * DAY)


def unknown_age(shop):
    """A catalog from the disk with a time to come."""
    _seed(shop, -DAY)
    reason = re.escape(f"{shop.origin.at(CATALOG)} answers 404 Not Found.")
    expect(shop, 1, f"STALE: default was fetched at a time ahead of the clock. {reason}", "--max-age", "9999h")


def never(shop):
    """An origin that has no catalog."""
    shop.start()
    expect(shop, 1, "STALE: default was never fetched. " + re.escape(f"{shop.origin.at(CATALOG)} answers 404 Not Found."))


def sample(shop):
    """The sample is served; then nothing is configured, and then a drop-in has an address."""
    shop.daemon.settings.clear()
    shop.daemon.configure()
    shop.publish([shop.app(0, "One")], path="/other.json")
    shop.daemon.start()
    expect(shop, 1, re.escape(IS_SAMPLE))
    expect(shop, 1, re.escape(IS_SAMPLE), "--catalog", "default")
    os.remove(f"{shop.directory}/etc/promod/catalogs.d/default.toml")
    shop.daemon.ask("reload")
    expect(shop, 1, re.escape(NONE))
    shop.add("other", shop.origin.at("/other.json"))
    shop.daemon.ask("reload")
    shop.daemon.ask("list", wait=True, catalog="other")
    expect(shop, 0, rf"OK: 1 app fetched {AGE} ago\.", age=0)


def several(shop):
    """Two fresh catalogs, of which one gets too old, and a third that was never fetched."""
    _seed(shop, 3 * DAY)
    shop.publish([shop.app(number, f"App {number}") for number in range(4)], path="/other.json")
    shop.add("other", shop.origin.at("/other.json"))
    shop.daemon.ask("reload")
    shop.daemon.ask("list", wait=True, catalog="other")
    reason = re.escape(f"{shop.origin.at(CATALOG)} answers 404 Not Found.")
    stale = rf"STALE: default was fetched 3 days ago\. {reason}"
    expect(shop, 1, stale, age=3 * DAY)
    fresh = r"OK: 2 catalogs with 5 apps, the oldest \(default\) fetched 3 days ago\."
    expect(shop, 0, fresh, "--max-age", "99h", age=3 * DAY)
    for name in "other", shop.origin.at("/other.json"):
        expect(shop, 0, rf"OK: 4 apps fetched {AGE} ago\.", "--catalog", name, age=0)
    expect(shop, 1, rf"STALE: default was fetched 3 days ago\. {reason}", "--catalog", "default", age=3 * DAY)
    shop.add("third", shop.origin.at("/third.json"))
    shop.daemon.ask("reload")
    shop.daemon.ask("list", wait=True, catalog="third")
    expect(shop, 1, rf"{stale} And 1 more catalog\.")
    third = re.escape(f"{shop.origin.at('/third.json')} answers 404 Not Found.")
    expect(shop, 1, rf"STALE: third was never fetched\. {third}", "--max-age", "99h")
    expect(shop, 1, rf"STALE: third was never fetched\. {third}", "--catalog", "third")


def not_valid(shop):
    """A drop-in from which promod cannot even read an address."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    shop.add("other", "http://example.com/catalog.json")
    shop.daemon.ask("reload")
    [problem] = shop.daemon.ask("status")["problems"]
    line = re.escape(f"BROKEN: other: {problem['text']}")
    expect(shop, 2, line, "--catalog", "other")
    expect(shop, 2, line, age=0)


def broken(shop):
    """A review history that is damaged, and a configuration that is broken while promod runs, until both are repaired."""
    shop.publish([shop.app(0, "One")])
    directory = f"{shop.directory}/state/promod"
    os.makedirs(directory)
    with open(f"{directory}/reviews.json", "w", encoding="utf-8") as file:
        file.write("{")
    shop.start()
    fresh = rf"OK: 1 app fetched {AGE} ago\."
    history = r"The review history was set aside as .*reviews\.json\.damaged, .* begins an empty one\."
    expect(shop, 2, f"BROKEN: {history}", age=0)
    path = f"{shop.directory}/config/promod/config.toml"
    with open(path, "w", encoding="utf-8") as file:
        file.write("nonsense\n")
    shop.run("promoctl", "reload")
    expect(shop, 2, r"BROKEN: .*config\.toml:1: .*set aside.*", age=0)
    os.unlink(path)
    shop.run("promoctl", "reload")
    expect(shop, 2, r"BROKEN: A damaged review history was set aside as .*", age=0)
    os.unlink(f"{directory}/reviews.json.damaged")
    shop.run("promoctl", "reload")
    expect(shop, 0, fresh, age=0)


def wrong(shop):
    """Catalogs that are not there, durations that are none, and no promod."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    for catalog in "nope", "https://nowhere.example/catalog.json":
        expect_failure(shop, 65, f"promoctl: No catalog with the (name|address) .?{re.escape(catalog)}", "--catalog", catalog)
    for catalog in "Acme", "", "http://example.com/", "a" * 65:
        expect_failure(shop, 64, r"Error: --catalog takes ", "--catalog", catalog)
    durations = ["", "x", "48", "h", "1w", "1.5h", "48 h", "48H", "30m2h", "+1h", "0x1h", "\u0664h", "9" * 30 + "h", "<script>"]
    for duration in durations:
        expect_failure(shop, 64, re.escape(f'Error: {USAGE}"{duration}".\n'), "--max-age", duration)
    expect_failure(shop, 64, "Error: .*--max-age", "--max-age", "-1h")
    expect_failure(shop, 64, "Error: ", "--no-such-option")
    shop.daemon.process.send_signal(signal.SIGSTOP)
    expect_failure(shop, 69, r"promoctl: promod did not answer on .* in time\.")
    shop.daemon.process.kill()
    shop.daemon.process.wait()
    for arguments in [], ["--catalog", "nope"], ["--max-age", "1h"]:
        expect_failure(shop, 69, "promoctl: promod cannot be reached at ", *arguments)
    done = shop.run("promoctl", "check", "--json")
    right = done.returncode == 69 and not done.stdout and json.loads(done.stderr)["error"]["data"]["reason"] == "unreachable"
    shop.expect(right, f"promoctl check --json without promod ends with {done.returncode}: {done.stdout!r} {done.stderr!r}")
    # What is wrong with the command itself comes first.
    expect_failure(shop, 64, "Error: --max-age", "--max-age", "x")
    return f"{len(durations)} durations"


def _seed(shop, age):
    """Starts promod with a catalog of one app that was fetched so many seconds ago and cannot be fetched now."""
    shop.publish([shop.app(0, "One")])
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - age))
    seed_cache(shop.daemon, shop.origin.at(CATALOG), shop.origin.files.pop(CATALOG), fetchedAt=moment)
    shop.start()
    shop.daemon.refresh()


CHECKS = [
    check("wrong", "an unknown catalog ends with 65, a malformed option with 64, no promod with 69, each with a message", wrong),
    check("one-catalog", "a catalog that is fresh enough ends with 0, and one that is older with 1", one),
    check("too-old", "a catalog that is too old ends with 1, and the line says how old and why", too_old),
    check("unknown-age", "a catalog whose age is not known is not fresh", unknown_age),
    check("never-fetched", "a catalog that was never fetched is not fresh, and the line says why", never),
    check("sample-only", "the sample is not fresh, and the line says how to set an address", sample),
    check("two-catalogs", "all catalogs are checked, and the line names the one that is not fresh", several),
    check("broken", "a broken configuration and a damaged review history end with 2, however fresh the catalogs are", broken),
    check("not-valid", "a catalog whose file is not valid ends with 2", not_valid),
]
