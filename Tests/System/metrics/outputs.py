"""The file that `promoctl metrics --output` writes, and a program that reads it."""
import getpass
import os
import socket
import subprocess
import tempfile
import urllib.error
import urllib.request

from support import replacing
from support.check import LeftOut
from support.claims import Failed
from support.programs import missing
from support.shop import check
from support.wire import comes
from .exposition import Exposition

COMMAND = "promoctl", "metrics", "--output"
EXPORTER = "prometheus-node-exporter"
USER = getpass.getuser()


def one_step(shop):
    """The figures of a promod, while others read them."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    path = f"{shop.directory}/promod.prom"

    def is_whole(content):
        return content.startswith(b"# TYPE promod_up gauge\n") and content.endswith(b"\n# EOF\n")
    figures = replacing.expect_one_step(shop, path, [lambda: shop.expect_run(*COMMAND, path)], is_whole)
    with open(path, encoding="utf-8") as file:
        names = {family.name for family in Exposition(file.read()).families}
    printed = {family.name for family in Exposition.of(shop).families}
    shop.expect(names == printed, f"the file has other families than the output: {names ^ printed}")
    shop.expect(shop.expect_run(*COMMAND, path) == "", "--output prints something")
    beside = [name for name in os.listdir(shop.directory) if name.startswith(".")]
    shop.expect(not beside, f"beside the file there is {beside}")
    return figures


def modes(shop):
    """The collector is another user."""
    shop.start()
    replacing.expect_modes(shop, f"{shop.directory}/promod.prom", *COMMAND)


def refusals(shop):
    """Places that cannot be written."""
    shop.start()
    return replacing.expect_refusals(shop, *COMMAND)


def collected(shop):
    """node_exporter's textfile collector, which is what --output is for."""
    if reason := missing(EXPORTER):
        raise LeftOut(reason)
    shop.publish([shop.app(number, f"App {number}") for number in range(7)])
    shop.start()
    with tempfile.TemporaryDirectory(prefix="promod-test-") as directory:
        shop.expect_run("promoctl", "metrics", "--textfile", directory)
        shop.expect_equal(os.listdir(directory), [f"promod-{USER}.prom"], "the file is")
        text = _scrape(directory)
    lines = text.splitlines()
    shop.expect("node_textfile_scrape_error 0" in lines, "node_exporter cannot read the figures")
    label = f'catalog="default",user="{USER}"'
    for line in f'promod_up{{user="{USER}"}} 1', f"promod_catalog_apps{{{label}}} 7", f"promod_refresh_attempts_total{{{label}}} 1":
        shop.expect(line in lines, f"node_exporter does not have {line}")


def _scrape(directory):
    """What node_exporter makes of the files in a directory."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    command = [EXPORTER, "--collector.disable-defaults", "--collector.textfile", f"--collector.textfile.directory={directory}",
               f"--web.listen-address={address}"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as exporter:
        def get():
            try:
                with urllib.request.urlopen(f"http://{address}/metrics") as answer:
                    return answer.read().decode()
            except urllib.error.URLError:
                return None
        try:
            text = comes(get)
        finally:
            exporter.kill()
    if not text:
        raise Failed(f"{EXPORTER} does not answer")
    return text


def formats(shop):
    """The same figures in both formats."""
    shop.publish([shop.app(number, f"App {number}") for number in range(3)])
    shop.start()
    text = shop.expect_run("promoctl", "metrics", "--format", "prometheus")
    older = Exposition(text, "prometheus")
    unknown = [family.name for family in older.families if family.type not in ("gauge", "counter") or not family.help]
    shop.expect(not unknown, f"these have no type or no help: {unknown}")
    for word in "UNIT", "EOF":
        shop.expect(f"# {word}" not in text, f"Prometheus' own format has no # {word}")
    newer = Exposition.of(shop)
    shop.expect(set(older.samples) == set(newer.samples), f"the samples differ: {set(older.samples) ^ set(newer.samples)}")
    return f"{len(older.samples)} samples"


def planted(shop):
    """What another user may have put in the place of the file, in a directory for all."""
    shop.start()
    with tempfile.TemporaryDirectory(prefix="promod-test-") as directory:
        place, other = f"{directory}/promod-{USER}.prom", f"{directory}/other"
        for plant in (lambda: os.symlink(other, place)), (lambda: os.mkfifo(place)), (lambda: None):
            with open(other, "w", encoding="utf-8") as file:
                file.write("mine")
            if os.path.lexists(place):
                os.unlink(place)
            plant()
            shop.expect_run("promoctl", "metrics", "--textfile", directory)
            with open(other, encoding="utf-8") as file:
                shop.expect_equal(file.read(), "mine", "the file of a planted link has")
            shop.expect(os.path.isfile(place) and not os.path.islink(place), "what was in the place is still there")
    for option in "--textfile", "--output":
        done = shop.run("promoctl", "metrics", option, "")
        shop.expect_equal(done.returncode, 64, f"{option} with an empty name ends with {done.stderr!r} and")


CHECKS = [
    check("planted", "--textfile replaces a link or a pipe that somebody has put in its place", planted),
    check("formats", "the figures are the same in the format of OpenMetrics and in Prometheus' own", formats),
    check("one-step", "--output replaces the file in one step, so that nobody reads half of it", one_step),
    check("modes", "other users may read a new file as far as umask allows, and a file keeps its mode", modes),
    check("refusals", "a place that cannot be written ends with 74 and a message, and nothing is left behind", refusals),
    check("node-exporter", "node_exporter's textfile collector reads the file", collected),
]
