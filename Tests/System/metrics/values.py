"""The figures, compared with what `status` says."""
import signal
import time

from support.network import is_online
from support.shop import CATALOG, check
from support.times import seconds
from support.trial import seed_cache
from support.wire import comes
from .exposition import Exposition

STATES = "loaded", "cached", "loading", "empty"
OUTCOMES = "updated", "unchanged", "failed"
CODES = ("dns", "connect", "proxy", "tls", "timeout", "http-status", "redirect", "too-large", "encoding", "json", "schema",
         "storage", "interrupted")
REASONS = ("parse-error", "invalid-request", "unknown-method", "invalid-params", "internal", "unknown-app", "no-catalog", "too-large",
           "busy", "no-origin", "not-stored", "bad-configuration", "unknown-catalog")
MEMORY = "promod_resident_memory_bytes"
AGE = "promod_catalog_age_seconds"
DAY = 86_400
LATE = 60  # seconds, on a busy machine


def expected(status):
    """The samples for a status, without ages."""
    found = {}

    def add(name, value, **labels):
        found[name, frozenset(labels.items())] = float(value)
    add("promod_up", 1)
    add("promod_build_info", 1, version=status["version"])
    add("promod_start_time_seconds", seconds(status["startedAt"]))
    add("promod_online", status["online"])
    add("promod_configuration_broken", status["configuration"]["error"] is not None)
    add("promod_reviews_broken", status["reviews"]["error"] is not None)
    for name in "connections", "subscribers":
        add(f"promod_{name}", status["socket"][name])
    add("promod_refused_connections_total", status["socket"]["refused"])
    for reason in REASONS:
        add("promod_error_replies_total", status["queries"]["errorReasons"].get(reason, 0), reason=reason)
    for method, count in status["queries"].items():
        if not method.startswith("error"):
            add("promod_requests_total", count, method=method)
    for catalog in status["catalogs"]:
        _add_catalog(add, catalog, {"catalog": catalog["name"]})
    return found


def _add_catalog(add, catalog, label):
    refresh = catalog["refresh"]
    for state in STATES:
        add("promod_catalog_state", catalog["state"] == state, state=state, **label)
    for outcome in OUTCOMES:
        add("promod_refresh_last_outcome", refresh["lastOutcome"] == outcome, outcome=outcome, **label)
    for code in CODES:
        add("promod_refresh_last_error", (refresh["lastError"] or {}).get("code") == code, code=code, **label)
    add("promod_catalog_broken", catalog["error"] is not None, **label)
    add("promod_catalog_apps", catalog["apps"], **label)
    add("promod_catalog_stored", catalog["cache"]["stored"], **label)
    add("promod_refresh_attempts_total", refresh["attempts"], **label)
    add("promod_refresh_failures_total", refresh["failures"], **label)
    add("promod_refresh_failures_in_a_row", refresh["attempt"], **label)
    if refresh["lastDuration"] is not None:
        add("promod_refresh_last_duration_seconds", refresh["lastDuration"] / 1000, **label)
    if catalog["fetchedAt"]:
        add("promod_catalog_fetched_timestamp_seconds", seconds(catalog["fetchedAt"]), **label)
    if refresh["nextAt"]:
        add("promod_refresh_next_timestamp_seconds", seconds(refresh["nextAt"]), **label)


def expect_agreement(shop, when, subscribers=0, **values):
    """The figures are those of the status, and some of them have these values for the default catalog."""
    status = _settled(shop, 1 + subscribers)
    figures = Exposition.of(shop)
    model = expected(status)
    # The status before is a request, too.
    model["promod_requests_total", frozenset({("method", "status")})] += 1
    ages = {key: value for key, value in figures.samples.items() if key[0] == AGE}
    rest = {key: value for key, value in figures.samples.items() if key[0] not in (AGE, MEMORY)}
    shop.expect(2e6 < figures.value(MEMORY) < 1e8, f"{when}: the memory is {figures.value(MEMORY)} bytes")
    for key in set(model) | set(rest):
        shop.expect(rest.get(key) == model.get(key), f"{when}: {key[0]} {dict(key[1])} is {rest.get(key)}, not {model.get(key)}")
    fetched = {catalog["name"]: seconds(catalog["fetchedAt"]) for catalog in status["catalogs"] if catalog["fetchedAt"]}
    shop.expect({dict(labels)["catalog"] for _, labels in ages} == set(fetched), f"{when}: there are the ages {ages}")
    for (_, labels), age in ages.items():
        now = time.time() - fetched[dict(labels)["catalog"]]
        shop.expect(max(0, now - LATE) - 1 <= age <= now, f"{when}: the age is {age} s, not {now:.0f} s")
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
    online = int(is_online())
    expect_agreement(
        shop, "after the start", up=1, online=online, catalog_apps=7, catalog_stored=1, refresh_attempts_total=1,
        refresh_failures_total=0, configuration_broken=0)
    for method, parameters in {
        "list": {}, "tap": {"app": "app-1"}, "impression": {"apps": ["app-1", "app-2"]}, "launch": {"app": "app-1"},
        "review-eligible": {"app": "app-1", "completed": 1}, "rpc.discover": {}, "icon": {"app": "app-1"}, "reload": {},
    }.items():
        shop.daemon.ask(method, **parameters)
    for _ in range(3):
        shop.run("promoctl", "tap", "nowhere")
    connection = shop.daemon.connect()
    connection.ask("subscribe")
    figures = expect_agreement(shop, "after requests", subscribers=1, connections=2)
    shop.expect(figures.value("promod_error_replies_total", reason="unknown-app") == 3, "the errors are not counted by their reason")
    shop.expect(figures.value("promod_subscribers") == 1, "the subscriber is not counted")
    shop.expect(figures.value("promod_requests_total", method="launch") == 1, "the launch is not counted")
    connection.close()
    return f"{len(figures.families)} families, {len(figures.samples)} samples"


def failures(shop):
    """A catalog that comes, fails three times, comes again and stays the same."""
    shop.publish([shop.app(number, f"App {number}") for number in range(9)])
    content = shop.origin.files.pop(CATALOG)
    shop.start()
    expect_agreement(shop, "before the first success", catalog_apps=0, refresh_failures_in_a_row=1, catalog_stored=0)
    shop.origin.files[CATALOG] = content
    shop.daemon.refresh()
    shop.origin.files.pop(CATALOG)
    for _ in range(3):
        shop.daemon.refresh()
    expect_agreement(
        shop, "after failures", catalog_apps=9, refresh_failures_in_a_row=3, refresh_failures_total=4, refresh_attempts_total=5)
    shop.origin.files[CATALOG] = content
    shop.daemon.refresh()
    figures = expect_agreement(
        shop, "after a success", refresh_failures_in_a_row=0, refresh_failures_total=4, refresh_attempts_total=6)
    outcomes = [name for name in OUTCOMES if figures.value("promod_refresh_last_outcome", catalog="default", outcome=name)]
    shop.expect(outcomes == ["unchanged"], f"the last outcome is {outcomes}")


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
    figures = expect_agreement(shop, "with four catalogs", catalog_apps=3)
    names = {dict(labels).get("catalog") for _, labels in figures.samples} - {None}
    shop.expect(names == {"default", "acme-9", "gone", "broken"}, f"the labels name the catalogs {names}")
    found = figures.value("promod_catalog_apps", catalog="acme-9"), figures.value("promod_refresh_failures_total", catalog="gone")
    shop.expect(found == (5, 1), f"the apps of one catalog and the failures of another are {found}")


def sample(shop):
    """The sample is served."""
    shop.daemon.settings.clear()
    shop.daemon.configure()
    shop.daemon.start()
    expect_agreement(shop, "with the sample", catalog_apps=5, catalog_stored=0, refresh_attempts_total=0)


def old(shop):
    """A catalog from the disk, fetched three days ago or at a time to come."""
    shop.publish([shop.app(0, "One")])
    content = shop.origin.files.pop(CATALOG)
    for fetched in -3 * DAY, DAY:
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + fetched))
        seed_cache(shop.daemon, shop.origin.at(CATALOG), content, fetchedAt=moment)
        shop.start()
        shop.daemon.refresh()
        figures = expect_agreement(shop, f"{fetched} s after the fetch", catalog_apps=1, catalog_stored=1)
        state = figures.value("promod_catalog_state", catalog="default", state="cached")
        age = figures.value(AGE, catalog="default")
        shop.expect(state == 1, "the state is not cached")
        shop.expect(3 * DAY <= age <= 3 * DAY + LATE if fetched < 0 else age is None, f"the age is {age}")
        shop.daemon.process.kill()
        shop.daemon.process.wait()


def broken(shop):
    """A configuration that is broken while promod runs, and repaired."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    path = f"{shop.directory}/config/promod/config.toml"
    with open(path, encoding="utf-8") as file:
        whole = file.read()
    for content, is_broken in (whole + "nonsense\n", 1), (whole, 0):
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        shop.run("promoctl", "reload")
        expect_agreement(shop, f"with {content[-20:]!r}", configuration_broken=is_broken, catalog_apps=1)


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
    expect_agreement(shop, "after refusals", refused_connections_total=3)


def unreachable(shop):
    """No promod, one that was killed, and one that does not answer."""
    shop.publish([shop.app(0, "One")])
    path = f"{shop.directory}/promod.prom"
    _expect_down(shop, path, "before the start")
    shop.start()
    shop.expect_run("promoctl", "metrics", "--output", path)
    shop.daemon.process.send_signal(signal.SIGSTOP)
    _expect_down(shop, path, "while promod is stopped")
    shop.daemon.process.kill()
    shop.daemon.process.wait()
    _expect_down(shop, path, "after promod was killed")


def _expect_down(shop, path, when):
    printed, written = shop.run("promoctl", "metrics"), shop.run("promoctl", "metrics", "--output", path)
    with open(path, encoding="utf-8") as file:
        for done, text in (printed, printed.stdout), (written, file.read()):
            figures = Exposition(text)
            shop.expect(figures.samples == {("promod_up", frozenset()): 0}, f"{when} the figures are {figures.samples}")
            shop.expect(not figures.flaws(), f"{when} {figures.flaws()}")
            right = done.returncode == 69 and len(done.stderr.splitlines()) == 1 and done.stderr.startswith("promoctl: promod ")
            shop.expect(right, f"{when} promoctl metrics ends with {done.returncode}: {done.stderr!r}")
    shop.expect(not written.stdout, f"{when} --output prints {written.stdout!r}")


CHECKS = [
    check("unreachable", "if promod does not answer, the only figure is promod_up 0, and the exit code is 69", unreachable),
    check("fresh", "every figure is what status says, with a type, a help and a unit, after the start and after requests", fresh),
    check("failures", "figures of failing refreshes are what status says", failures),
    check("several-catalogs", "each catalog has figures of its own, with its name as the label", several),
    check("sample", "with the sample the figures are what status says", sample),
    check("old", "the age of a catalog from the disk is right, and left out if it is not known", old),
    check("broken-configuration", "a broken configuration is in the figures until it is repaired", broken),
    check("refused", "connections that were refused are counted", refused),
]
