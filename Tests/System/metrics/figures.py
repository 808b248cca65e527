"""The figures, compared with what `status` says and with what happened."""
import getpass
import os
import re
import signal
import stat
import time

from support import files
from support.check import ROOT, LeftOut
from support.claims import Failed
from support.shop import CATALOG, check
from support.times import DAY, seconds, written
from support.trial import seed_cache
from support.wire import comes

FILE = f"promod-{getpass.getuser()}.prom"


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
    add("check", 2)
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


def unreachable(shop):
    """No promod, one that does not answer, and one that was killed."""
    shop.publish([shop.app(0, "One")])

    def expect_down(when):
        done = shop.run("promoctl", "metrics")
        shop.expect_equal(read(shop, done.stdout), {("promod_up", frozenset()): 0}, f"{when} the figures are")
        shop.expect(done.returncode == 69 and done.stderr.startswith("promoctl: promod "), f"{when}: {done}")
    expect_down("before the start")
    shop.start()
    shop.daemon.process.send_signal(signal.SIGSTOP)
    expect_down("while promod is stopped")
    shop.daemon.process.kill()
    shop.daemon.process.wait()
    expect_down("after promod was killed")


def of_all_users(shop):
    """The example's script, as root: a user's promod, one that prints what it likes, and a user who has logged out."""
    if os.geteuid():
        raise LeftOut("this is not root")
    shop.start()
    place, runtime = f"{shop.directory}/figures", f"{shop.directory}/users"
    os.makedirs(f"{runtime}/0/promod")
    os.mkdir(place)
    os.symlink(shop.daemon.socket, f"{runtime}/0/promod/promod.sock")
    with open(f"{place}/promod-gone.prom", "w", encoding="ascii"):
        os.utime(f"{place}/promod-gone.prom", (0, 0))

    def write(programs):
        done = shop.launch(["sh", f"{ROOT}/packaging/examples/promod-metrics", place, runtime], PATH=f"{programs}:{os.environ['PATH']}")
        shop.expect(done.returncode == 0 and not done.stderr, f"the script ends with {done}")
    write(os.path.dirname(shop.daemon.binary))
    shop.expect_equal(os.listdir(place), [FILE], "in the directory there are")
    shop.expect_equal(stat.S_IMODE(os.lstat(f"{place}/{FILE}").st_mode), 0o644, "the mode")
    shop.expect_equal(read(shop, files.read(f"{place}/{FILE}")).keys(), figures(shop).keys(), "the file has")
    liar = f"{shop.directory}/bin"
    files.write(f"{liar}/promoctl", '#!/bin/sh\necho \'node_load1 99\'\necho \'promod_up{user="other"} 1\'\necho \'promod_up{user="root"} 1\'\n')
    os.chmod(f"{liar}/promoctl", 0o755)
    write(liar)
    shop.expect_equal(files.read(f"{place}/{FILE}"), 'promod_up{user="root"} 1\n', "of what a user prints there is")


CHECKS = [
    check("agreement", "every metric is what status says, with a type and a help text", agreement),
    check("unreachable", "if promod does not answer, the only metric is promod_up 0, and the exit code is 69", unreachable),
    check("all-users", "the script of the examples writes what promod says of each user, and nothing else", of_all_users),
]
