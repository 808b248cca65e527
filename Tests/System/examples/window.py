"""The window of GTK."""
import functools
import json
import os
import re
import subprocess
import time

from support import pictures
from support.check import ROOT
from support.claims import expect
from support.network import is_online
from support.shop import CATALOG, check
from support.times import written
from support.trial import seed_cache
from support.wire import comes
from .programs import EXAMPLES, HOST, PYTHON, Events, Example
from .terminal import lives

DRIVER = f"{os.path.dirname(os.path.abspath(__file__))}/driver.py"
GTK = Example("gtk", ("gir1.2-adw-1", "python3-gi", "Xvfb"), lambda _: [PYTHON, DRIVER, f"{EXAMPLES}/more-apps-gtk.py"], draws=True)
SPOKEN = f"{os.path.dirname(DRIVER)}/spoken.py"
OLD = "may be out of date.\nTry Again"
WRONG = "Something went wrong, and apps can't be shown right now."
LONG, ARABIC = "긴 소개 and a long one 🍅 <b>& " * 40, "تطبيق لقراءة الكتب وكتابة اليوميات"
ONLY = "[\nMore Apps\nOn\nOne\nBooks\nA quiet little app\n]\n"  # the texts of a window that has nothing to say of its list


def rows(shop):
    """The window's rows, what it reports, and changes."""
    page = shop.app(1, "Two", id=HOST, storeURLs={"linux": "https://example.com/host"})
    shop.publish([shop.app(0, "One"), page])
    shop.daemon.configure(review__min_days_since_first_launch=0)
    shop.start()
    with GTK.run(shop) as program:
        program.expect("On\nOne\nBooks\nA quiet little app")
        program.expect("Do you like this app?\nReview It" if is_online() else "One")
        Events(shop, "impression").expect("app-0")
        program.write("")
        requests = shop.daemon.ask("status")["requests"]
        shop.expect_equal((requests["launch"], requests["review-request"]), (1, 1), "the numbers of launches and of requests for a review")
        shop.publish([shop.app(0, LONG, pictures.png(colour=(40, 160, 80)), category=LONG, tagline={"en": LONG}),
                      shop.app(1, ARABIC, pictures.png(), tagline={"en": ARABIC}), shop.app(2, "Last")])
        shop.daemon.refresh()
        program.expect("Last")
        for text in LONG, ARABIC:
            shop.expect(text in program.output, f"it does not show {text[:20]} as it is")

        def has_all():
            program.write("")
            return f"{2 if is_online() else 0} pictures" in program.output
        expect(comes(has_all), f"the pictures do not come: {program.output[-300:]}")
        shop.expect_equal(len(set(re.findall(r"\d+ pixels", program.output))), 1, "the number of widths, whatever the texts,")
        shop.publish([page])
        shop.daemon.refresh()
        program.expect("There are no other apps to show.")


def old(shop):
    """The cached list has expired, and the origin has no catalog until the person tries again."""
    shop.publish([shop.app(0, "One")])
    body = shop.origin.files.pop(CATALOG)
    seed_cache(shop.daemon, shop.origin.at(CATALOG), body, fetchedAt=written(time.time() - 5 * 86_400))
    shop.start()
    with GTK.run(shop) as program:
        program.expect(f"{OLD}\nOn\nOne")
        shop.origin.files[CATALOG] = body

        def is_fresh():  # A refresh within a second after the last one is deferred.
            program.write("Try Again")
            return comes(lambda: ONLY in program.output, 1)
        expect(comes(is_fresh), f"the list stays old: {program.output}")


def taps(shop):
    """The page of one app opens nowhere, and that of another cannot be opened without promod, either."""
    shop.publish([shop.app(number, name, storeURLs={"linux": f"https://nowhere/{number}"}) for number, name in enumerate(("One", "Two"))])
    shop.start()
    failure = "The page couldn't be opened. Open this address in your browser:\nhttps://nowhere/{}"
    with GTK.run(shop) as program:
        program.expect("Two")
        program.write("One")
        program.expect(failure.format(0) if is_online() else "needs an internet connection")
        shop.daemon.process.kill()
        shop.daemon.process.wait()
        program.write("Two")
        program.expect(failure.format(1))


def visible(shop):
    """Twenty apps, of which the window shows the first ones."""
    shop.publish([shop.app(number, f"App {number}") for number in range(20)])
    shop.start()
    with GTK.run(shop) as program:
        program.expect("App 19")
        events = Events(shop, "impression")
        events.expect("app-0", "app-1", "app-2", "app-3", "app-4")
        program.write("end")
        seen = set()
        while "app-19" not in seen:
            seen.add(json.loads(events.lines.readline())["params"]["app"])
        shop.expect(seen.isdisjoint({"app-9", "app-10"}), f"it has reported {seen}, which were not all in view")


def _swift(_):
    build = ["swift", "build", "--package-path", f"{EXAMPLES}/more-apps-gtk-swift", "--scratch-path", f"{ROOT}/.build/examples", "--quiet"]
    subprocess.run(build, stdin=subprocess.DEVNULL, check=True)
    return [f"{ROOT}/.build/examples/debug/more-apps-gtk-swift"]


NEEDS = "gir1.2-atspi-2.0", "at-spi2-core", "dbus-run-session", "Xvfb"
SPEAKING = (
    Example("gtk-python", ("gir1.2-adw-1", *NEEDS), lambda _: [PYTHON, f"{EXAMPLES}/more-apps-gtk.py"], draws=True),
    Example("gtk-swift", ("swift", "libadwaita-1-dev", *NEEDS), _swift, draws=True))


def speaks(example, shop):
    """Twenty apps, of which the window shows the first ones, and then another one."""
    shop.publish([shop.app(number, f"App {number}") for number in range(20)])
    shop.start()
    with example.speak(shop, [PYTHON, SPOKEN]) as program:
        for number in 0, 19:
            program.expect(f"App {number}: Books, A quiet little app")
        events, seen = Events(shop, "impression"), set()
        shop.publish([shop.app(20, "Last")])
        shop.daemon.refresh()
        program.expect("Last: Books, A quiet little app")
        while "app-20" not in seen:
            seen.add(json.loads(events.lines.readline())["params"]["app"])
        hidden = {f"app-{number}" for number in range(10, 20)}
        shop.expect("app-0" in seen and seen.isdisjoint(hidden), f"it has reported {seen}, which were not all in view")


CHECKS = [
    check("gtk-rows", "the window shows icons, names, categories and taglines, and each change, and calls launch and the review", rows),
    check("gtk-life", "the window changes, opens pages, says what is wrong while promod is not running, and shows the list of the next one",
          functools.partial(lives, GTK, WRONG, ("One", "Three", "https://apps.apple.com/app/id6000000003"))),
    check("gtk-taps", "the window says so if a page cannot be opened, with its address", taps),
    check("gtk-visible", "the window reports the rows that were in view, and no others", visible),
    *(check(f"{each.name}-speaks", "a screen reader is told the name and the description of each row, and those in view are reported", functools.partial(speaks, each))
      for each in SPEAKING),
    check("gtk-old", "the window says that the list is old, and has it fetched by Try Again", old),
]
