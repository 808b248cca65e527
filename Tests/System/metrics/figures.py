"""The figures, compared with what `status` says and with what happened."""
import contextlib
import getpass
import os
import re
import signal
import stat
import time

from support.claims import Failed
from support.shop import CATALOG, check
from support.times import DAY, seconds, written
from support.trial import restart, seed_cache
from support.wire import comes

FILE = f"promod-{getpass.getuser()}.prom"  # that --textfile writes


def read(shop, text):
    """The samples of a text, by name and labels without the user's. Whatever Prometheus' guidelines do not allow is a problem."""
    from prometheus_client.parser import text_string_to_metric_families  # Debian may not have it.
    try:
        families = list(text_string_to_metric_families(text))
    except ValueError as error:
        raise Failed(f"Prometheus' parser refuses the figures: {error}; {text[:2000]}") from error
    found = {}
    for family in families:
        name = family.name + ("_total" if family.type == "counter" else "")
        is_good = family.type in ("counter", "gauge") and re.fullmatch(r"[A-Z].+\.", family.documentation) and name.startswith("promod_")
        shop.expect(is_good, f"{name} has the type {family.type} and the help {family.documentation!r}")
        for sample in family.samples:
            user = sample.labels.pop("user", None)
            shop.expect(sample.name == name and user == getpass.getuser(), f"a sample of {name} is {sample.name} of {user}")
            found[sample.name, frozenset(sample.labels.items())] = sample.value
    return found


def figures(shop):
    return read(shop, shop.expect_run("promoctl", "metrics"))


def value(found, name, **labels):
    return found.get((f"promod_{name}", frozenset(labels.items())))


def expected(status):
    """The samples for a status."""
    found = {}

    def add(name, number, **labels):
        found[f"promod_{name}", frozenset(labels.items())] = float(number)
    add("up", 1)
    add("build_info", 1, version=status["version"])
    add("start_time_seconds", seconds(status["startedAt"]))
    add("online", status["online"])
    for name in "connections", "subscribers":
        add(name, status["socket"][name])
    for problem in status["problems"]:
        add("problem", 1, code=problem["code"], **{name: text for name, text in problem.items() if name == "catalog"})
    for method, count in status["requests"].items():
        # The figures ask for a status, too.
        add("requests_total", count + (method == "status"), method=method)
    for catalog in status["catalogs"]:
        name = catalog["name"]
        add("catalog_state", 1, catalog=name, state=catalog["state"], source=catalog["source"])
        for member, figure in ("apps", "apps"), ("attempts", "attempts_total"), ("failures", "failures"):
            add(f"catalog_{figure}", catalog[member], catalog=name)
        for figure in "fetched", "expires", "next":
            if catalog[f"{figure}At"]:
                add(f"catalog_{figure}_timestamp_seconds", seconds(catalog[f"{figure}At"]), catalog=name)
    return found


def agreement(shop):
    """Catalogs that are fresh, old, from a time to come, missing and not valid, after requests of many kinds, and a subscriber."""
    shop.publish([shop.app(number, f"App {number}") for number in range(7)])
    shop.publish([shop.app(0, "One")], path="/other.json")
    seed_cache(shop.daemon, shop.origin.at(CATALOG), shop.origin.files[CATALOG], fetchedAt=written(int(time.time()) - 3 * DAY))
    content = shop.origin.files.pop(CATALOG)
    shop.add("other", shop.origin.at("/other.json"))
    shop.add("gone", shop.origin.at("/gone.json"))
    shop.add("broken", shop.origin.at("/broken.json"), nonsense=True)
    shop.start()
    ask, connection = shop.daemon.ask, shop.daemon.connect()
    shop.daemon.refresh()
    for name in "other", "gone":
        ask("list", wait=True, catalog=name)
    ask("tap", app="app-1")
    ask("impression", apps=["app-1", "app-2"])
    ask("launch", app="app-1")
    connection.ask("subscribe")
    for state in "expired", "fresh":
        status = {}

        def is_settled():
            status.update(ask("status"))
            return status["socket"]["connections"] == 2 and not any(catalog["refreshing"] for catalog in status["catalogs"])
        comes(is_settled)
        found, model = figures(shop), expected(status)
        for key in set(model) | set(found):
            shop.expect(found.get(key) == model.get(key), f"{key[0]} {dict(key[1])} is {found.get(key)}, not {model.get(key)}")
        shop.expect_equal(value(found, "catalog_state", catalog="default", state=state, source="origin"), 1, f"that default is {state}")
        shop.origin.files[CATALOG] = content
        shop.daemon.refresh()
    connection.close()
    codes = sorted(dict(labels)["code"] for name, labels in found if name == "promod_problem")
    shop.expect_equal(codes, ["catalog-file", "not-found"], "the problems")
    return f"{len(found)} samples"


def counters(shop):
    """Known numbers of requests and attempts, which no reload and no clear sets back, but a restart does."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    daemon = shop.daemon

    def counts():
        found = figures(shop)
        methods = {method: value(found, "requests_total", method=method) or 0 for method in ("list", "tap", "clear", "reload")}
        return {
            **methods, "attempts": value(found, "catalog_attempts_total", catalog="default"),
            "failures": value(found, "catalog_failures", catalog="default")}
    before = counts()
    for _ in range(11):
        daemon.ask("list")
    daemon.ask("tap", app="app-0")
    with contextlib.suppress(Failed):
        daemon.ask("list", limit=0)  # A request that is refused is none.
    shop.origin.files.clear()
    daemon.refresh()
    daemon.ask("reload")
    daemon.ask("clear", force=True)
    daemon.ask("list", wait=True)
    grown = {name: count - before[name] for name, count in counts().items()}
    # The pause after the failure outlasts the clear.
    shop.expect_equal(grown, {"list": 12, "tap": 1, "clear": 1, "reload": 1, "attempts": 1, "failures": 1}, "the counters have grown by")
    restart(daemon)
    shop.expect_equal(counts()["tap"], 0, "the taps that are counted after a restart")


def unreachable(shop):
    """No promod, one that does not answer, and one that was killed; the file has the same as the output."""
    shop.publish([shop.app(0, "One")])

    def expect_down(when):
        printed, quiet = shop.run("promoctl", "metrics"), shop.run("promoctl", "metrics", "--textfile", shop.directory)
        with open(f"{shop.directory}/{FILE}", encoding="utf-8") as file:
            for done, text in (printed, printed.stdout), (quiet, file.read()):
                shop.expect_equal(read(shop, text), {("promod_up", frozenset()): 0}, f"{when} the figures are")
                shop.expect(done.returncode == 69 and done.stderr.startswith("promoctl: promod "), f"{when}: {done}")
    expect_down("before the start")
    shop.start()
    shop.daemon.process.send_signal(signal.SIGSTOP)
    expect_down("while promod is stopped")
    shop.daemon.process.kill()
    shop.daemon.process.wait()
    expect_down("after promod was killed")


def textfile(shop):
    """The collector is another user, as whoever has put a link or a pipe there in a directory for all; who has the old file keeps it."""
    shop.start()
    place = f"{shop.directory}/figures"
    os.mkdir(place)
    path, other = f"{place}/{FILE}", shop.directory + "/other"
    with open(other, "w", encoding="ascii") as file:
        file.write("mine")
    for plant in (lambda: os.symlink(other, path)), (lambda: os.mkfifo(path)), (lambda: os.link(other, path)):
        for umask in 0o022, 0o077:
            plant()
            shop.expect_run("promoctl", "metrics", "--textfile", place, umask=umask)
            shop.expect_equal(stat.S_IMODE(os.lstat(path).st_mode), 0o644, f"the mode with the umask {umask:03o}")
            with open(path, encoding="utf-8") as file:
                shop.expect_equal(read(shop, file.read()).keys(), figures(shop).keys(), "the file has")
            with open(other, encoding="ascii") as file:
                shop.expect_equal(file.read(), "mine", "what was there is written over, and has")
            shop.expect_equal(os.listdir(place), [FILE], "in the directory there are")
            os.unlink(path)
    for name, limit in ("nowhere", None), ("", 10):
        done = shop.run("promoctl", "metrics", "--textfile", f"{place}/{name}", limit=limit)
        shop.expect(done.returncode == 74 and " cannot be written: " in done.stderr, f"in {name!r} it ends with {done}")
        shop.expect_equal(os.listdir(place), [], f"in {name!r} it leaves")


CHECKS = [
    check("agreement", "every metric is what status says, with a type and a help text", agreement),
    check("counters", "counters grow by exactly what happened, and begin again after a restart", counters),
    check("unreachable", "if promod does not answer, the only metric is promod_up 0, and the exit code is 69", unreachable),
    check("textfile", "--textfile replaces in one step what is in its place, readable whatever the umask is, or ends with 74 and leaves nothing", textfile),
]
