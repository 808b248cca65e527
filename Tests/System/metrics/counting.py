"""Counters only grow, and by the right numbers."""
import contextlib
import time

from support.claims import Failed
from support.daemon import GAP
from support.shop import CATALOG, check
from support.trial import restart
from .exposition import Exposition


def growing(shop):
    """Everything that could set a counter back: reloads, clears, other addresses, other catalogs."""
    shop.publish([shop.app(0, "One")])
    shop.publish([shop.app(0, "One"), shop.app(1, "Two")], path="/other.json")
    shop.start()
    daemon = shop.daemon
    steps = {
        "requests": lambda: [daemon.ask("list") for _ in range(5)],
        "a refresh": lambda: daemon.refresh(),
        "a clear": lambda: (daemon.ask("clear"), daemon.ask("list", wait=True)),
        "a failure": lambda: (shop.origin.files.pop(CATALOG), daemon.refresh()),
        "a reload": lambda: daemon.ask("reload"),
        "another address": lambda: (daemon.configure(catalog__url=shop.origin.at("/other.json")), daemon.ask("reload")),
        "a catalog more": lambda: (shop.add("other", shop.origin.at("/other.json")), daemon.ask("reload")),
        "its first fetch": lambda: daemon.ask("list", wait=True, catalog="other"),
        "a broken configuration": lambda: (daemon.configure(nonsense=1), shop.run("promoctl", "reload")),
    }
    before = Exposition.of(shop).counters
    for name, step in steps.items():
        step()
        after = Exposition.of(shop).counters
        for key, value in before.items():
            if name == "another address" and dict(key[1]).get("catalog") == "default":
                continue  # It is another catalog.
            found = after.get(key)
            has_fallen = found is None or found < value
            shop.expect(not has_fallen, f"after {name} {key[0]} {dict(key[1])} has fallen from {value} to {found}")
        before = after
    return f"{len(before)} counters, {len(steps)} steps"


def exact(shop):
    """Known numbers of requests, attempts and failures; a request that is refused is none."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    time.sleep(GAP)
    before = _counts(shop)
    for _ in range(11):
        shop.daemon.ask("list")
    for _ in range(3):
        shop.daemon.ask("tap", app="app-0")
    with contextlib.suppress(Failed):
        shop.daemon.ask("list", limit=0)
    shop.daemon.ask("refresh")
    shop.origin.files.clear()
    for _ in range(2):
        time.sleep(GAP)
        shop.daemon.ask("refresh")
    after = _counts(shop)
    grown = {name: after[name] - before[name] for name in before}
    # The figures themselves ask for a status.
    right = {"list": 11, "tap": 3, "refresh": 3, "status": 1, "attempts": 3, "failures": 2}
    shop.expect_equal(grown, right, "the counters have grown by")


def _counts(shop):
    figures = Exposition.of(shop)
    methods = "list", "tap", "refresh", "status"
    return {
        **{method: figures.value("promod_requests_total", method=method) or 0 for method in methods},
        "attempts": figures.value("promod_catalog_attempts_total", catalog="default"),
        "failures": figures.value("promod_catalog_failures", catalog="default")}


def restarted(shop):
    """A new process counts from the beginning, and its start says so."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    for _ in range(9):
        shop.daemon.ask("list")
    before = Exposition.of(shop)
    restart(shop.daemon)
    after = Exposition.of(shop)
    found = after.value("promod_requests_total", method="list"), after.value("promod_catalog_attempts_total", catalog="default")
    shop.expect(found == (None, 0), f"after a restart {found} requests and attempts are counted")
    starts = [figures.value("promod_start_time_seconds") for figures in (before, after)]
    shop.expect(starts[0] <= starts[1], f"the starts are {starts}")


CHECKS = [
    check("counters-grow", "no counter falls while promod runs, whatever is configured and asked for, but those of a catalog at another address", growing),
    check("counters-count", "counters grow by exactly what happened", exact),
    check("counters-begin", "after a restart counters begin again, and the time of the start is later", restarted),
]
