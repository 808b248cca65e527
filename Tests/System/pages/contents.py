"""What the page shows: the apps, their languages and their icons, to the eye and to assistive programs."""
import os

from support import pictures
from support.shop import check
from support.texts import plain
from . import reading
from .browser import in_tab
from .witness import Witness

TITLES = {"en": "More Apps", "ko": "다른 앱", "ja": "その他のアプリ"}
EMPTINESS = {"en": "There are no apps to show.", "ko": "보여 줄 앱이 없습니다.", "ja": "表示できるアプリがありません。"}
# How a language is asked for, and the page's language.
REQUESTS = [
    ("en", {"LANG": "en_GB.UTF-8"}), ("ko", {"LANG": "ko_KR.UTF-8"}), ("ja", {"LANG": "en_GB.UTF-8", "LANGUAGE": "fr:ja:ko"}),
    ("ko", "ko-KR"), ("ja", "ja_JP.UTF-8"), ("en", "fr")]
TAGLINES = [
    {"en": "Every bill, paid on time", "ko": "모든 청구서를 제때에", "ja": "すべての請求を期日どおりに"},
    {"en": "A diary for the books you read", "ko": None, "ja": "読んだ本の日記"},
    {"en": "Focus, one tomato at a time", "ko": "토마토 하나만큼의 집중", "ja": ""},
    {"en": "A good day's walk"},
]
NAMES = ["FineBill", "Bookary", "핀포모", "Stedio & Söhne"]
LINUX = "https://store.example/app?id=3&copy=1&lt=2#'top'"


def stock(shop, tab):
    """Four apps, the first three with pictures, and the last with an address of its own for Linux."""
    files = [pictures.png(), pictures.encoded(tab, "jpeg", 120, 90), pictures.encoded(tab, "webp", 512, 512), None]
    apps = [
        shop.app(number, name, files[number], tagline=TAGLINES[number], category=["금융", "Books"][number % 2])
        for number, name in enumerate(NAMES)]
    apps[3]["storeURLs"] = {"linux": LINUX}
    shop.publish(apps, {"app-1": ["app-3", "app-0"], "nobody": []})
    return apps


def store_url(app):
    return app.get("storeURLs", {}).get("linux", f"https://apps.apple.com/app/id{app['appStoreID']}")


def languages(shop, tab):
    """Every language, as an option and as the environment asks for it."""
    apps = stock(shop, tab)
    shop.start()
    for language, request in REQUESTS:
        tab.open(shop.page("--language", request) if isinstance(request, str) else shop.page(**request))
        _expect_page(shop, tab, apps, language, str(request))
    return f"{len(REQUESTS)} pages"


def _expect_page(shop, tab, apps, language, where):
    title = TITLES[language]
    shop.expect_equal(reading.head(tab), (language, title, [title]), f"{where}: the page has")
    rows = reading.rows(tab)
    shop.expect_equal([row.links for row in rows], [[store_url(app)] for app in apps], f"{where}: it leads to")
    for row, app in zip(rows, apps):
        translation = app["tagline"].get(language)
        texts = [app["name"], app["category"], translation or app["tagline"]["en"]]
        shop.expect_equal(row.texts[-3:], texts, f"{where}: a row is")
        shop.expect_equal(row.languages[-1], language if translation else "en", f"{where}: {row.texts[-1]} is in")
        relations = set(row.relations[0].split())
        shop.expect({"noopener", "noreferrer"} <= relations, f"{where}: the link is {relations}")


def selection(shop, tab):
    """--host, --limit, and a catalog by its name."""
    stock(shop, tab)
    shop.publish([shop.app(9, "Elsewhere")], path="/other.json")
    shop.add("other", shop.origin.at("/other.json"))
    shop.start()
    shop.daemon.ask("list", wait=True, catalog="other")
    for arguments, expected in {
        "": NAMES, "--host app-0": NAMES[1:], "--host app-1": [NAMES[0], NAMES[3]], "--host nobody": [], "--host stranger": NAMES,
        "--limit 2": NAMES[:2], "--catalog other": ["Elsewhere"],
    }.items():
        tab.open(shop.page(*arguments.split()))
        names = [row.texts[-3] for row in reading.rows(tab)]
        shop.expect(names == expected, f"promoctl page {arguments} shows {names}, not {expected}")


def icons(shop, tab):
    """Pictures in all formats, and no pictures."""
    bad = {
        "no picture": b"<html>Not found</html>", "GIF": b"GIF89a" + bytes(100),
        "SVG": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        "too large": pictures.noise(600_000), "missing": None}
    apps = stock(shop, tab)
    apps += [shop.app(10 + number, f"{name} here", picture) for number, (name, picture) in enumerate(bad.items())]
    shop.publish(apps)
    shop.start()
    sizes = [(64, 64), (120, 90), (512, 512)]
    tab.open(shop.page())
    rows = reading.rows(tab)
    boxes = tab.evaluate("[...document.querySelectorAll('img')].map(e => [e.clientWidth, e.clientHeight])")
    found = [row.pictures for row in rows]
    expected = [[[True, *size]] for size in sizes] + [[] for _ in apps[len(sizes):]]
    shop.expect_equal(found, expected, "the pictures are")
    shop.expect_equal([row.alternatives for row in rows[:3]], [[""]] * 3, "beside the names is read")
    shop.expect(all(width == height > 0 for width, height in boxes), f"the pictures are drawn {boxes}")
    letters = [row.texts[0] for row in rows[len(sizes):]]
    shop.expect_equal(letters, list("SNGSTM"), "in place of pictures there are")
    return f"{len(sizes)} pictures, {len(letters)} tiles"


def tiles(shop, tab):
    """Names that begin with anything."""
    names = {"bookary": "B", "«Q»": "Q", "7 Minutes": "7", "éclair": "É", "ß": "SS", "핀": "핀", "読": "読", "🎈": "·", "--": "·",
             "🎈 Party": "P", "<b>": "B", "&amp;": "A", "ﬁne": "FI", "\u202eevil": "E"}
    shop.publish([shop.app(number, name) for number, name in enumerate(names)])
    shop.start()
    tab.open(shop.page())
    rows = reading.rows(tab)
    wide = tab.evaluate("[...document.querySelectorAll('[aria-hidden]')].filter(e => e.scrollWidth > e.clientWidth).length")
    found = {row.texts[-3]: row.texts[0] for row in rows}
    expected = {plain(name): letter for name, letter in names.items()}
    shop.expect(found == expected, f"the tiles are {found}, not {expected}")
    shop.expect(wide == 0, f"{wide} tiles are too small for their letters")
    return f"{len(names)} names"


def silent_icons(shop, tab):
    """An origin that accepts a request for an icon and never answers."""
    apps = stock(shop, tab)
    shop.start()
    shop.origin.script = lambda visit: (visit.read_request(), visit.hold())
    tab.open(shop.page())
    rows = reading.rows(tab)
    shop.expect([row.texts[-3] for row in rows] == [app["name"] for app in apps], f"the page shows {rows}")
    shop.expect(not any(row.pictures for row in rows), "there are pictures")
    shop.expect(shop.origin.requests, "no icon was asked for")


def accessibility(shop, tab):
    """A list of links that are named by the apps, under a heading."""
    apps = stock(shop, tab)
    shop.start()
    tab.open(shop.page("--language", "ko"))
    tree = reading.Accessible(tab)
    shop.expect(tree.name(tree.root) == TITLES["ko"], f"the page is named {tree.name(tree.root)}")
    headings = [tree.name(node) for node in tree.within("heading")]
    shop.expect(headings == [TITLES["ko"]], f"the headings are {headings}")
    lists = tree.within("list")
    items = tree.within("listitem", lists[0]) if len(lists) == 1 else []
    links = [[tree.name(link) for link in tree.within("link", item)] for item in items]
    right = len(links) == len(apps) and all(
        len(names) == 1 and names[0].startswith(f"{app['name']} ") for names, app in zip(links, apps))
    shop.expect(right, f"in {len(lists)} lists there are the links {links}")
    noise = [tree.name(node) for role in ("image", "button", "generic") for node in tree.within(role) if tree.name(node)]
    shop.expect(not noise, f"beside the links there are {noise}")
    shop.expect(len(tree.within("main")) == 1, "there is no landmark for the content")
    return f"{len(links)} links, the last {links[-1][0]!r}"


def keyboard(shop, tab):
    """Tab goes from link to link, which shows, and Return follows it."""
    apps = stock(shop, tab)
    shop.start()
    # From a server, because no browser tells anybody the path of a file.
    with open(shop.page(), "rb") as file:
        Witness.it.pages["/keyboard"] = file.read()
    tab.load("http://keyboard.pages.test/keyboard")
    found = []
    for _ in apps:
        tab.press("Tab")
        found.append(tab.evaluate("document.activeElement.getAttribute('href')"))
        style, width = tab.evaluate(
            "(style => [style.outlineStyle, parseFloat(style.outlineWidth)])(getComputedStyle(document.activeElement))")
        shop.expect(style != "none" and width >= 1, f"the focus on {found[-1]} shows as {style} of {width} px")
    shop.expect(found == [store_url(app) for app in apps], f"Tab goes through {found}")
    tab.press("Enter")
    followed = tab.wait("Network.requestWillBeSent", lambda event: event["request"]["url"].startswith("https:"))["request"]
    shop.expect(followed["url"] + followed.get("urlFragment", "") == found[-1], f"Return asks for {followed['url']}")
    told = {name: value for name, value in followed["headers"].items() if name.lower() == "referer"}
    shop.expect(not told, f"the store is told {told}")


def empty(shop, tab):
    """For a host that may promote nothing."""
    shop.publish([shop.app(0, "One")], {"nobody": []})
    shop.start()
    for language, sentence in EMPTINESS.items():
        tab.open(shop.page("--language", language, "--host", "nobody"))
        texts = tab.texts("body")[0].split("\n")
        shop.expect_equal([text for text in texts if text], [TITLES[language], sentence], "the page shows")
        count = tab.evaluate("document.querySelectorAll('ul, ol, li, a, img').length")
        shop.expect_equal(count, 0, "the elements of a list are")


def no_catalog(shop):
    """Before the first fetch."""
    path = f"{shop.directory}/page.html"
    shop.start()
    done = shop.run("promoctl", "page", "--output", path)
    shop.expect(done.returncode == 75, f"without a catalog promoctl page ends with {done.returncode}")
    shop.expect("There is no catalog" in done.stderr, f"it says {done.stderr}")
    shop.expect(not os.path.exists(path), "it has written a page")


CHECKS = [
    check("silent-icons", "if the icons' origin does not answer, the page comes with letters in place of the icons",
          in_tab(silent_icons)),
    check("languages", "the page shows each app's name, category and tagline, in English and marked so if not translated, "
          "and leads to its store", in_tab(languages)),
    check("selection", "the page shows what the host, --limit and --catalog select, in the catalog's order",
          in_tab(selection)),
    check("icons", "PNG, JPEG and WebP icons are drawn, and every other app has a tile with its first letter", in_tab(icons)),
    check("tiles", "the letter is the first letter or digit of the name, in upper case, and fits", in_tab(tiles)),
    check("accessibility", "assistive programs find a heading and one list with a link for each app, which begins with its name",
          in_tab(accessibility)),
    check("keyboard", "each link can be reached and followed by the keyboard, shows its focus, and tells the store nothing",
          in_tab(keyboard)),
    check("empty", "without apps the page says so in its language, and has no list", in_tab(empty)),
    check("no-catalog", "without a catalog there is no page, and the exit code says to try later", no_catalog),
]
