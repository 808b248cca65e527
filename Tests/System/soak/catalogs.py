"""Random catalogs: all kinds of rules, taglines and text, and those that the daemon must refuse."""
import json

from .model import Content

# The apps that clients launch, and ask reviews for. Every catalog has a rule for each, so that no invented app pushes one out.
CONTESTED, SEEDED, RESTORED, OWNED = 100, 150, 30, 10
ASKERS = 5
STEADY = "steady"  # the name of the catalog that never changes
LAUNCHED = [
    *(f"contested-{n}" for n in range(CONTESTED)), *(f"seeded-{n}" for n in range(SEEDED)), *(f"restored-{n}" for n in range(RESTORED)),
    *(f"asker{author}-{n}" for author in range(ASKERS) for n in range(OWNED))]
WORDS = ["quiet", "daily", "pocket", "가계부", "운동", "読書", "\"quoted\"", "back\\slash",
         "a/b", "🍅", "e\u0301", "\u2028", "be\u0007ll", "<&>"]


def text(rng):
    return " ".join(rng.choices(WORDS, k=rng.randint(1, 4)))


def translated(rng):
    """A text by language, with English at least."""
    texts = {"en": text(rng)}
    for code in ("ko", "ja"):
        texts.update(rng.choice([{}, {code: None}, {code: ""}, {code: text(rng)}, {code: text(rng)}]))
    if rng.random() < 0.2:
        texts["fr"] = "ignored"
    return texts


def category(rng):
    return translated(rng) if rng.random() < 0.3 else text(rng)


def document(rng, version, count):
    """A valid catalog; the store numbers and names say the version."""
    apps = []
    # app-0 is always there, for subscribers to mark a place with.
    for number in rng.sample([0] + rng.sample(range(1, count + 8), count - 1), count):
        apps.append({
            "id": f"app-{number}", "name": f"{text(rng)} {version}", "appStoreID": f"{number + 1}{version:09}",
            "iconURL": f"https://example.com/{version}/{number}.png", "category": category(rng),
            "tagline": translated(rng),
            **({"price": {"usd": [0, None]}} if rng.random() < 0.1 else {}),
        })
    ids = [app["id"] for app in apps]
    hosts = rng.sample(ids, min(len(ids), 4)) + ["outside", "elsewhere"]
    rules = {host: rng.choices(ids, k=rng.randint(0, 6)) for host in hosts}
    return {"apps": apps, "promoRules": {**rng.choice([rules, rules, {}]), **launched(rng.sample(ids, 1))}}


def launched(promoted):
    """Rules for the apps that clients launch."""
    return dict.fromkeys(LAUNCHED, promoted)


def content(rng, version):
    count = rng.choices([1, 5, 30, 1500], [1, 4, 4, 0.3])[0]
    style = rng.choice([{"ensure_ascii": False}, {"ensure_ascii": True, "separators": (",", ":")}, {"indent": 2}])
    return Content.of(version, document(rng, version, count), **style)


def plain(version):
    """The same catalog but for its version, for samples of the memory."""
    apps = [
        {"id": f"app-{n}", "name": f"Plain {version:09}", "appStoreID": f"{n + 1}{version:09}", "iconURL": "https://example.com/i.png",
         "category": "Plain", "tagline": {"en": "Plain"}}
        for n in range(12)]
    return Content.of(version, {"apps": apps, "promoRules": launched([])})


def steady(icons):
    """A catalog that never changes, with a rule. Its icons are below the given address."""
    document = {
        "apps": [
            {"id": f"still-{n}", "name": f"Steady {n}", "appStoreID": f"{n + 1}", "iconURL": f"{icons}/still-{n}.png",
             "category": "Steady", "tagline": {"en": f"Steady {n}"}}
            for n in range(6)],
        "promoRules": {"still-3": ["still-5", "still-1"], **launched(["still-0"])}}
    return Content.of(0, document)


def refused(rng, version):
    """Bytes that must never be served, and the code of the failure."""
    good = document(rng, version, 5)
    app = good["apps"][0]
    kind = rng.choice(["json", "schema", "empty", "large"])
    if kind == "json":
        whole = json.dumps(good)
        broken = [
            whole[: rng.randrange(1, len(whole))], whole + "]", whole.replace("{", "{,", 1),
            whole.replace('"apps"', '"apps":1,"apps"')]
        return rng.choice(broken).encode(), "json"
    if kind == "empty":
        return b"", "json"
    if kind == "large":
        return json.dumps({**good, "padding": "x" * 6_000_000}).encode(), "too-large"
    rng.choice([
        lambda: app.update(id="Upper"), lambda: app.pop("name"), lambda: app.update(appStoreID=7), lambda: app.update(iconURL="http://a/b"),
        lambda: app["tagline"].update(en=""), lambda: app["tagline"].update(ko=1), lambda: good.update(apps=[]), lambda: good.pop("apps"),
        lambda: good["apps"].append(dict(app)), lambda: good.update(promoRules={"a": ["nowhere"]}), lambda: good.update(promoRules=[]),
    ])()
    return json.dumps(good).encode(), "schema"
