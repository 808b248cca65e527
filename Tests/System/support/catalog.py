"""Catalogs, and the replies that the protocol requires for them."""
import hashlib
import json

LANGUAGES = {None: "en", "en": "en", "ko": "ko", "ja": "ja", "ko-KR": "ko", "ja_JP.UTF-8": "ja", "fr": "en", "*": None}
COLORS = "#005f87", "#af5f00", "#5f0087", "#00875f", "#870000", "#5f5f87", "#875f00", "#005f00"


class Catalog:
    """A catalog's bytes, and a model of the replies about it."""

    def __init__(self, apps, rules):
        self.apps = {app["id"]: app for app in apps}
        self.colors = {app["id"]: COLORS[place % len(COLORS)] for place, app in enumerate(apps)}
        self.rules = rules
        document = {"apps": apps, "promoRules": rules}
        self.bytes = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()

    @property
    def generation(self):
        return hashlib.sha256(self.bytes).hexdigest()[:16]

    def promoted(self, host):
        """The ids of the apps that a host may promote, in the catalog's order."""
        allowed = set(self.rules.get(host, self.apps)) - {host}
        return [app for app in self.apps if app in allowed]

    def knows(self, host):
        return host is None or host in self.apps or host in self.rules

    def row(self, app, language):
        """An app as `list` shows it."""
        placeholder = {"initials": _initials(self.apps[app]["name"]), "color": self.colors[app]}
        app = self.apps[app]
        there = {code: text for code, text in app["tagline"].items() if text}
        tagline = there if language == "*" else there.get(LANGUAGES[language], there["en"])
        shown = {name: value for name, value in app.items() if name not in ("storeURLs", "reviewURLs")}
        return {**shown, "tagline": tagline, "storeURL": store_url(app), "placeholder": placeholder}

    def listing(self, host, language, limit, freshness):
        """The result of a `list`."""
        rows = [self.row(app, language) for app in self.promoted(host)[:limit]]
        return {
            **freshness, "generation": self.generation, "canRetry": False, "retryAt": None,
            "hostKnown": self.knows(host), "language": LANGUAGES[language], "apps": rows,
            **({} if rows else {"emptyBecause": "rule"}),
        }


def store_url(app):
    return app.get("storeURLs", {}).get("linux", f"https://apps.apple.com/app/id{app['appStoreID']}")


def small(version=0):
    """Twelve apps with every kind of rule and of tagline; all versions have the same size and different generations."""
    translations = [{"ko": "하나", "ja": "一"}, {"ko": "둘"}, {"ja": "三"}, {}, {"ko": None, "ja": ""}]
    apps = [_app(n, f"Small {n} of {version:08}", {"en": f"App {n}", **translations[n % 5]}) for n in range(12)]
    rules = {
        "app-0": ["app-5", "app-2", "app-5"], "app-1": [], "app-2": ["app-2", "app-3"], "app-3": ["app-9"],
        "outside": ["app-11", "app-0"],
    }
    return Catalog(apps, rules)


def large(size, version=0):
    """A catalog of about `size` bytes."""
    tagline = {"en": "steady little bright quiet daily pocket honest swift clear kind " * 3, "ko": "꾸준하고 조용한 앱"}
    count = size // len(Catalog([_app(9999, "Large 00000000", tagline)], {}).bytes)
    return Catalog([_app(n, f"Large {version:08}", tagline) for n in range(count)], {})


def many(count, version=0):
    """`count` apps of about 220 bytes each, and up to 500 rules; all versions have the same size and different generations."""
    tagline = {"en": "A quiet little app, number {}", "ko": "{}번째 작은 앱", "ja": "{}番目のアプリ"}
    languages = [["en", "ko", "ja"], ["en", "ko"], ["en"]]
    apps = [
        _app(n, f"App {n} of {version:08}", {code: tagline[code].format(n) for code in languages[n % 3]})
        for n in range(count)
    ]
    rules = {f"app-{host}": [f"app-{(host * 31 + k * 17) % count}" for k in range(50)] for host in range(0, min(count, 1000), 2)}
    return Catalog(apps, rules)


def _initials(name):
    """Those of a name in English."""
    first, *rest = filter(str.isalnum, name)
    return first.upper() + next((letter for letter in rest if letter.isupper() or letter.isdigit()), "".join(rest[:1]))


def _app(number, name, tagline):
    return {
        "id": f"app-{number}", "name": name, "appStoreID": str(6_000_000_000 + number),
        "iconURL": f"https://example.com/icons/{number}.png", "category": ["생산성", "금융"][number % 2], "tagline": tagline,
    }
