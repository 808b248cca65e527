"""The window of GTK."""
import functools
import os
import re
import time

from support import pictures
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
OLD = "This list may be out of date."
LONG, ARABIC = "긴 소개 and a long one 🍅 <b>& " * 40, "تطبيق لقراءة الكتب وكتابة اليوميات"
WIDTH = 420  # pixels
ONLY = "[\nOne\nBooks\nA quiet little app\n]\n"  # the texts of a window that has nothing to say of its list


def rows(shop):
    """The window's rows, what it reports, and changes."""
    page = shop.app(1, "Two", id=HOST, storeURLs={"linux": "https://example.com/host"})
    shop.publish([shop.app(0, "One"), page])
    shop.daemon.configure(review__min_days_since_first_launch=0)
    shop.start()
    with GTK.run(shop) as program:
        program.expect("One\nBooks\nA quiet little app")
        program.expect("Do you like this app? Write a review." if is_online() else "One")
        Events(shop, "impression").expect("app-0")
        requests = shop.daemon.ask("status")["requests"]
        shop.expect_equal((requests["launch"], requests["review-request"]), (1, 1), "the numbers of launches and of requests for a review")
        shop.publish([shop.app(0, LONG, pictures.png(colour=(40, 160, 80)), category=LONG, tagline={"en": LONG}),
                      shop.app(1, ARABIC, pictures.png(), tagline={"en": ARABIC}), shop.app(2, "Last")])
        shop.daemon.refresh()
        program.expect("Last")
        shop.expect(LONG in program.output and ARABIC in program.output, "it does not show a text as it is")

        def has_all():
            program.write("")
            return f"{2 if is_online() else 0} pictures" in program.output
        expect(comes(has_all), f"the pictures do not come: {program.output[-300:]}")
        shop.expect_equal(int(re.findall(r"(\d+) pixels", program.output)[-1]), WIDTH, "the width")
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
        program.expect(f"{OLD}\nTry Again\nOne")
        shop.origin.files[CATALOG] = body

        def is_fresh():  # A refresh within a second after the last one is deferred.
            program.write("Try Again")
            return comes(lambda: program.output.endswith(ONLY), 1)
        expect(comes(is_fresh), f"the list stays old: {program.output}")


CHECKS = [
    check("gtk-rows", "the window shows icons, names, categories and taglines, and each change, and calls launch and the review", rows),
    check("gtk-life", "the window changes, opens pages, says that the list may be old while promod is not running, and shows the list of the next one",
          functools.partial(lives, GTK, OLD, ("One", "Three", "https://apps.apple.com/app/id6000000003"))),
    check("gtk-old", "the window says that the list is old, and has it fetched by Try Again", old),
]
