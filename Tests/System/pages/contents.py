"""What the page shows: the apps, their languages and their icons, to the eye and to assistive programs; and the file that holds it."""
import os

from support import pictures
from support.catalog import store_url
from support.files import read
from support.shop import check
from . import reading
from .browser import in_tab

TITLES = {"en": "More Apps", "ko": "다른 앱 더 보기", "ja": "ほかのアプリ"}
# How a language is asked for, and the page's language.
REQUESTS = [("en", {"LANG": "en_GB.UTF-8"}), ("ja", {"LANG": "en_GB.UTF-8", "LANGUAGE": "fr:ja:ko"}), ("ko", "ko-KR")]
TAGLINES = [
    {"en": "Every bill, paid on time", "ko": "모든 청구서를 제때에", "ja": "すべての請求を期日どおりに"},
    {"en": "A diary for the books you read", "ko": None, "ja": "読んだ本の日記"},
    {"en": "Focus, one tomato at a time", "ko": "토마토 하나만큼의 집중", "ja": ""},
    {"en": "A good day's walk"},
]
NAMES = ["FineBill", "Bookary", "파인포모", "Stedio & Söhne"]
LINUX = "https://store.example/app?id=3&copy=1&lt=2#'top'"


def stock(shop, tab):
    """Four apps, the first three with pictures, and the last with an address of its own for Linux."""
    files = [pictures.png(), pictures.encoded(tab, "jpeg", 120, 90), pictures.encoded(tab, "webp", 512, 512), None]
    apps = [
        shop.app(number, name, files[number], tagline=TAGLINES[number], category=["금융", "Books"][number % 2])
        for number, name in enumerate(NAMES)]
    apps[3]["storeURLs"] = {"linux": LINUX}
    shop.publish(apps)
    shop.start()
    return apps


def languages(shop, tab):
    """Every language, as an option and as the environment asks for it."""
    apps = stock(shop, tab)
    for language, request in REQUESTS:
        tab.open(shop.page("--language", request) if isinstance(request, str) else shop.page(**request))
        title = TITLES[language]
        shop.expect_equal(reading.head(tab), (language, title, [title]), f"{request}: the page has")
        rows = reading.rows(tab)
        shop.expect_equal([row.links for row in rows], [[store_url(app)] for app in apps], f"{request}: it leads to")
        shop.expect_equal({one for row in rows for one in row.relations}, {"noopener noreferrer"}, f"{request}: the links are")
        for row, app in zip(rows, apps):
            translation = app["tagline"].get(language)
            texts = [app["name"], app["category"], translation or app["tagline"]["en"]]
            shop.expect_equal(row.texts[-3:], texts, f"{request}: a row is")
            shop.expect_equal(row.languages[-1], language if translation else "en", f"{request}: {row.texts[-1]} is in")
        shop.expect_equal(reading.accessible(tab, "heading"), [title], "the headings are named")
        shop.expect_equal(len(reading.accessible(tab, "list")), 1, "the lists are")
        links = reading.accessible(tab, "link")
        right = len(links) == len(apps) and all(link.startswith(f"{app['name']} ") for link, app in zip(links, apps))
        shop.expect(right, f"the links are named {links}")


def icons(shop, tab):
    """Pictures in all formats, and no pictures."""
    stock(shop, tab)
    tab.open(shop.page())
    rows = reading.rows(tab)
    expected = [[[True, *size]] for size in ((64, 64), (120, 90), (512, 512))] + [[]]
    shop.expect_equal([row.pictures for row in rows], expected, "the pictures are")
    shop.expect_equal(rows[3].texts[0], "SS", "in place of a picture there is")


def silent_icons(shop, tab):
    """An origin that accepts a request for an icon and never answers."""
    apps = stock(shop, tab)
    shop.origin.script = lambda visit: (visit.read_request(), visit.hold())
    tab.open(shop.page())
    rows = reading.rows(tab)
    shop.expect([row.texts[-3] for row in rows] == [app["name"] for app in apps], f"the page shows {rows}")
    shop.expect(not any(row.pictures for row in rows), "there are pictures")
    shop.expect(shop.origin.requests, "no icon was asked for")


def output(shop):
    """A file behind a link, first without room for a byte."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    page, place = shop.page("--language", "ko"), f"{shop.directory}/link.html"
    os.symlink("page.html", place)
    for limit, code, language in (0, 74, "ko"), (None, 0, "en"):
        done = shop.run("promoctl", "page", "--output", place, limit=limit)
        shop.expect_equal(done.returncode, code, f"with the limit {limit} the exit code is")
        shop.expect(f'<html lang="{language}"' in read(page), f"with the limit {limit} the page is not the one in {language}")
    shop.expect(os.path.islink(place), "the link is replaced")


CHECKS = [
    check("silent-icons", "if the icons' origin does not answer, the page comes with letters in place of the icons",
          in_tab(silent_icons)),
    check("languages", "the page shows each app's name, category and tagline, in English and marked so if not translated, "
          "and leads to its store, in a list of links that assistive programs name by the apps", in_tab(languages)),
    check("icons", "PNG, JPEG and WebP icons are drawn, and every other app has a tile with its initials", in_tab(icons)),
    check("output", "--output replaces the file behind a link, or leaves it as it was", output),
]
