"""The figures, compared with what `status` says."""
import os
import signal
import time

from support.network import is_online
from support.shop import CATALOG, check
from support.times import DAY, seconds
from support.trial import seed_cache
from support.wire import comes
from .exposition import FILE, Exposition



def expected(status):
    """The samples for a status."""
    found = {}

    def add(name, value, **labels):
        found[name, frozenset(labels.items())] = float(value)
    add("promod_up", 1)
    add("promod_build_info", 1, version=status["version"])
    add("promod_start_time_seconds", seconds(status["startedAt"]))
    add("promod_online", status["online"])
    for name in "connections", "subscribers":
        add(f"promod_{name}", status["socket"][name])
    for problem in status["problems"]:
        add("promod_problem", 1, code=problem["code"], **{name: value for name, value in problem.items() if name == "catalog"})
    for method, count in status["requests"].items():
        add("promod_requests_total", count, method=method)
    for catalog in status["catalogs"]:
        name = catalog["name"]
        add("promod_catalog_state", 1, catalog=name, state=_state(catalog))
        add("promod_catalog_apps", catalog["apps"], catalog=name)
        add("promod_catalog_attempts_total", catalog["attempts"], catalog=name)
        add("promod_catalog_failures", catalog["failures"], catalog=name)
        for figure, member in {"fetched": "fetchedAt", "expires": "expiresAt", "next": "nextAt"}.items():
            if catalog[member]:
                add(f"promod_catalog_{figure}_timestamp_seconds", seconds(catalog[member]), catalog=name)
    return found


def _state(catalog):
    """The word for a catalog's source and state."""
    if catalog["source"] == "origin":
        return "fresh" if catalog["state"] == "loaded" else "expired"
    if catalog["source"] == "none":
        return "fetching" if catalog["refreshing"] else "empty"
    return catalog["source"]


def expect_agreement(shop, when, subscribers=0, problems=(), **values):
    """The figures are those of the status, with problems of these codes, and some of them have these values for the default catalog."""
    status = _settled(shop, 1 + subscribers)
    figures = Exposition.of(shop)
    model = expected(status)
    # The status before is a request, too.
    asked = "promod_requests_total", frozenset({("method", "status")})
    model[asked] = model.get(asked, 0) + 1
    for key in set(model) | set(figures.samples):
        found = figures.samples.get(key)
        shop.expect(found == model.get(key), f"{when}: {key[0]} {dict(key[1])} is {found}, not {model.get(key)}")
    codes = sorted(dict(labels)["code"] for name, labels in figures.samples if name == "promod_problem")
    shop.expect_equal(codes, sorted(problems), f"{when} the problems are")
    for name, value in values.items():
        found = figures.value(f"promod_{name}", catalog="default")
        found = figures.value(f"promod_{name}") if found is None else found
        shop.expect(found == value, f"{when}: promod_{name} is {found}, not {value}")
    flaws = figures.flaws()
    shop.expect(not flaws, f"{when}: {flaws}")
    return figures


def _settled(shop, connections):
    """The status when promod has noticed which connections have ended."""
    status = {}

    def is_settled():
        status.update(shop.daemon.ask("status"))
        return status["socket"]["connections"] == connections
    comes(is_settled)
    return status


def fresh(shop):
    """After the first fetch, and after requests of many kinds."""
    shop.publish([shop.app(number, f"App {number}") for number in range(7)])
    shop.start()
    expect_agreement(
        shop, "after the start", up=1, online=int(is_online()), catalog_apps=7, catalog_attempts_total=1, catalog_failures=0)
    for method, parameters in {
        "list": {}, "tap": {"app": "app-1"}, "impression": {"apps": ["app-1", "app-2"]}, "launch": {"app": "app-1"},
        "review-eligible": {"app": "app-1", "completed": 1}, "rpc.discover": {}, "icon": {"app": "app-1"}, "reload": {},
    }.items():
        shop.daemon.ask(method, **parameters)
    connection = shop.daemon.connect()
    connection.ask("subscribe")
    figures = expect_agreement(shop, "after requests", subscribers=1, connections=2)
    shop.expect(figures.value("promod_subscribers") == 1, "the subscriber is not counted")
    shop.expect(figures.value("promod_requests_total", method="launch") == 1, "the launch is not counted")
    connection.close()
    return f"{len(figures.families)} families, {len(figures.samples)} samples"


def failures(shop):
    """A catalog that comes, fails three times, comes again and stays the same."""
    shop.publish([shop.app(number, f"App {number}") for number in range(9)])
    content = shop.origin.files.pop(CATALOG)
    shop.start()
    expect_agreement(shop, "before the first success", problems=["not-found"], catalog_apps=0, catalog_failures=1)
    shop.origin.files[CATALOG] = content
    shop.daemon.refresh()
    shop.origin.files.pop(CATALOG)
    for _ in range(3):
        shop.daemon.refresh()
    expect_agreement(
        shop, "after failures", problems=["not-found"], catalog_apps=9, catalog_failures=3, catalog_attempts_total=5)
    shop.origin.files[CATALOG] = content
    shop.daemon.refresh()
    expect_agreement(shop, "after a success", catalog_failures=0, catalog_attempts_total=6)


def several(shop):
    """A catalog of a drop-in, one that cannot be fetched, and one whose file is not valid."""
    shop.publish([shop.app(number, f"App {number}") for number in range(3)])
    shop.publish([shop.app(number, f"App {number}") for number in range(5)], path="/acme.json")
    shop.add("acme-9", shop.origin.at("/acme.json"))
    shop.add("gone", shop.origin.at("/gone.json"))
    shop.add("broken", shop.origin.at("/broken.json"), nonsense=True)
    shop.start()
    for name in "acme-9", "gone":
        shop.daemon.ask("list", wait=True, catalog=name)
    figures = expect_agreement(shop, "with four catalogs", problems=["catalog-file", "not-found"], catalog_apps=3)
    names = {dict(labels).get("catalog") for _, labels in figures.samples} - {None}
    shop.expect(names == {"default", "acme-9", "gone", "broken"}, f"the labels name the catalogs {names}")
    found = figures.value("promod_catalog_apps", catalog="acme-9"), figures.value("promod_catalog_failures", catalog="gone")
    shop.expect(found == (5, 1), f"the apps of one catalog and the failures of another are {found}")


def sample(shop):
    """The sample is served."""
    shop.daemon.settings.clear()
    shop.daemon.configure()
    shop.daemon.start()
    expect_agreement(shop, "with the sample", catalog_apps=5, catalog_attempts_total=0)


def old(shop):
    """A catalog from the disk, fetched three days ago or at a time to come."""
    shop.publish([shop.app(0, "One")])
    content = shop.origin.files.pop(CATALOG)
    for offset in -3 * DAY, DAY:
        fetched = int(time.time()) + offset
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(fetched))
        seed_cache(shop.daemon, shop.origin.at(CATALOG), content, fetchedAt=moment)
        shop.start()
        shop.daemon.refresh()
        figures = expect_agreement(
            shop, f"{offset} s after the fetch", problems=["not-found"], catalog_apps=1,
            catalog_fetched_timestamp_seconds=fetched if offset < 0 else None)
        shop.expect(figures.value("promod_catalog_state", catalog="default", state="expired") == 1, "the state is not expired")
        shop.daemon.process.kill()
        shop.daemon.process.wait()


def broken(shop):
    """A configuration that is broken while promod runs, and repaired."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    path = f"{shop.directory}/config/promod/config.toml"
    with open(path, encoding="utf-8") as file:
        whole = file.read()
    for content, problems in (whole + "nonsense\n", ["configuration"]), (whole, []):
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        shop.run("promoctl", "reload")
        expect_agreement(shop, f"with {content[-20:]!r}", problems=problems, catalog_apps=1)


def refused(shop):
    """More connections than promod takes."""
    shop.publish([shop.app(0, "One")])
    shop.daemon.configure(socket__max_connections=4)
    shop.start()
    first = shop.daemon.connect()

    def is_alone():
        return first.ask("status")["socket"]["connections"] == 1
    comes(is_alone)
    others = [shop.daemon.connect() for _ in range(3)]
    for connection in others:
        connection.ask("list")
    for _ in range(3):
        done = shop.run("promoctl", "list")
        shop.expect_equal(done.returncode, 75, f"a client too many ends with {done.stderr!r}")
    for connection in others:
        connection.close()
    comes(is_alone)
    first.close()
    expect_agreement(shop, "after refusals", problems=["limit"])


def unreachable(shop):
    """No promod, one that was killed, and one that does not answer."""
    shop.publish([shop.app(0, "One")])
    place = f"{shop.directory}/figures"
    os.mkdir(place)
    _expect_down(shop, place, "before the start")
    shop.start()
    shop.expect_run("promoctl", "metrics", "--textfile", place)
    shop.daemon.process.send_signal(signal.SIGSTOP)
    _expect_down(shop, place, "while promod is stopped")
    shop.daemon.process.kill()
    shop.daemon.process.wait()
    _expect_down(shop, place, "after promod was killed")


def _expect_down(shop, place, when):
    printed, written = shop.run("promoctl", "metrics"), shop.run("promoctl", "metrics", "--textfile", place)
    with open(f"{place}/{FILE}", encoding="utf-8") as file:
        for done, text in (printed, printed.stdout), (written, file.read()):
            figures = Exposition(text)
            shop.expect(figures.samples == {("promod_up", frozenset()): 0}, f"{when} the figures are {figures.samples}")
            shop.expect(not figures.flaws(), f"{when} {figures.flaws()}")
            right = done.returncode == 69 and len(done.stderr.splitlines()) == 1 and done.stderr.startswith("promoctl: promod ")
            shop.expect(right, f"{when} promoctl metrics ends with {done.returncode}: {done.stderr!r}")
    shop.expect(not written.stdout, f"{when} --textfile prints {written.stdout!r}")


CHECKS = [
    check("unreachable", "if promod does not answer, the only figure is promod_up 0, and the exit code is 69", unreachable),
    check("fresh", "every figure is what status says, with a type and a help, after the start and after requests", fresh),
    check("failures", "figures of failing refreshes are what status says", failures),
    check("several-catalogs", "each catalog has figures of its own, with its name as the label", several),
    check("sample", "with the sample the figures are what status says", sample),
    check("old", "the time of a catalog from the disk is right, and left out if it is not believed", old),
    check("broken-configuration", "a broken configuration is in the figures until it is repaired", broken),
    check("refused", "that connections were refused is in the figures", refused),
]
