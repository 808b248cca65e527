"""The class of promo.py, method by method."""
import importlib.util
import time

from support import pictures
from support.claims import Failed, expect
from support.shop import check
from support.wire import comes
from .doors import Door, say_nothing
from .programs import EXAMPLES


def _module():
    specification = importlib.util.spec_from_file_location("promo", f"{EXAMPLES}/promo.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


MODULE = _module()


def _promo(shop, host="app-0", path=None, **options):
    promo = MODULE.Promo(host, **options)
    promo.path = path or shop.daemon.socket
    return promo


def _refusal(body):
    """The error that promo.py makes of something."""
    try:
        result = body()
    except MODULE.PromoError as error:
        return error
    raise Failed(f"no error, but {result}")


def methods(shop):
    """list, tap, impression, launch and a review request."""
    shop.publish([shop.app(number, f"App {number}") for number in range(3)])
    shop.daemon.configure(review__min_days_since_first_launch=0)
    shop.start()
    promo = _promo(shop)
    shop.expect_equal([row["id"] for row in promo.list()["apps"]], ["app-1", "app-2"], "the list")
    shop.expect_equal([row["id"] for row in promo.list(limit=1)["apps"]], ["app-1"], "the list with a limit")
    shop.expect_equal(len(next(promo.follow())["subscribed"]), 4, "the number of kinds of events, if none is named,")
    events = promo.follow("impression", "tap")
    shop.expect_equal(next(events)["event"], "subscribed", "the first event")
    shop.expect("storeURL" in promo.tap("app-2"), "a tap has no address")
    shop.expect_equal(promo.impression("app-1", "app-2"), {"emitted": 2}, "impressions")
    shop.expect_equal(
        [(event["event"], event["app"], event["host"]) for event in (next(events) for _ in range(3))],
        [("tap", "app-2", "app-0"), ("impression", "app-1", "app-0"), ("impression", "app-2", "app-0")], "the events")
    shop.expect(promo.launch()["recorded"], "the first launch is not recorded")
    shop.expect_equal(promo.request_review(0)["reasons"][:1], ["too-few-completions"], "why a review is not granted")


def icon(shop):
    """From the file, and from promod if the file is not there."""
    picture = pictures.png()
    shop.publish([shop.app(0, "Host"), shop.app(1, "Pictured", picture)])
    shop.start()
    promo = _promo(shop)
    row = promo.list(icons=True)["apps"][0]
    shop.expect_equal((row["iconPath"], promo.icon(row)), (None, None), "the picture before it was fetched")
    row = comes(lambda: next((row for row in promo.list(icons=True)["apps"] if row["iconPath"]), None))
    expect(row, "no picture comes")
    shop.expect(promo.icon(row) == picture, "the file's picture is another one")
    shop.expect(promo.icon({**row, "iconPath": "/nowhere"}) == picture, "promod's picture is another one")


def refusals(shop):
    """What promod refuses, and what is not promod."""
    shop.publish([shop.app(0, "Host")])
    away = _refusal(_promo(shop).list)
    shop.expect(away.reason == "unreachable" and shop.daemon.socket in str(away), f"without promod: {away.reason}, {away}")
    shop.start()
    shop.expect_equal(_refusal(lambda: _promo(shop).tap("nosuch")).reason, "unknown-app", "the reason")
    shop.expect_equal(_refusal(_promo(shop, catalog="nosuch").list).reason, "unknown-catalog", "the reason")
    with Door(f"{shop.directory}/door.sock", say_nothing) as door:
        began = time.monotonic()
        _refusal(_promo(shop, path=door.path, deadline=0.5).list)
        took = time.monotonic() - began
    shop.expect(0.4 < took < 5, f"a deadline of 0.5 s takes {took:.1f} s")


CHECKS = [
    check("methods", "list, tap, impression, launch and request_review do what the protocol says, for the host", methods),
    check("icon", "a picture comes from its file, or from promod where that cannot be read", icon),
    check("refusals", "each failure is a PromoError with a reason, and none takes longer than the deadline", refusals),
]
