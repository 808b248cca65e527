"""The file that `promoctl metrics --textfile` writes, and a program that reads it."""
import getpass
import os
import socket
import stat
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
from .exposition import FILE, Exposition

COMMAND = "promoctl", "metrics", "--textfile"
EXPORTER = "prometheus-node-exporter"


def one_step(shop):
    """The figures of a promod, while others read them."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    place = _place(shop)
    path = f"{place}/{FILE}"

    def is_whole(content):
        return content.startswith(b"# HELP promod_up ") and content.splitlines()[-1].startswith(b"promod_catalog_failures{")
    figures = replacing.expect_one_step(shop, path, [lambda: shop.expect_run(*COMMAND, place)], is_whole)
    with open(path, encoding="utf-8") as file:
        names = {family.name for family in Exposition(file.read()).families}
    printed = {family.name for family in Exposition.of(shop).families}
    shop.expect(names == printed, f"the file has other families than the output: {names ^ printed}")
    shop.expect(shop.expect_run(*COMMAND, place) == "", "--textfile prints something")
    shop.expect_equal(os.listdir(place), [FILE], "in the directory there are")
    return figures


def modes(shop):
    """The collector is another user."""
    shop.start()
    place = _place(shop)
    for umask, mode in (0o022, 0o644), (0o077, 0o600):
        shop.expect_run(*COMMAND, place, umask=umask)
        found = stat.S_IMODE(os.stat(f"{place}/{FILE}").st_mode)
        shop.expect(found == mode, f"with the umask {umask:03o} the file gets the mode {found:03o}, not {mode:03o}")


def refusals(shop):
    """Places that cannot be written."""
    shop.start()
    place = _place(shop)
    for name, limit in {"nowhere": None, FILE: None, "": 10}.items():
        with open(f"{place}/{FILE}", "w", encoding="ascii") as file:
            file.write("old")
        done = shop.run(*COMMAND, f"{place}/{name}", limit=limit)
        is_right = done.returncode == 74 and len(done.stderr.splitlines()) == 1 and " cannot be written: " in done.stderr
        shop.expect(is_right, f"in {name!r} it ends with {done.returncode}: {done.stderr!r}")
        with open(f"{place}/{FILE}", encoding="ascii") as file:
            shop.expect_equal((os.listdir(place), file.read()), ([FILE], "old"), f"in {name!r} it leaves")


def _place(shop):
    """A new directory for the file."""
    place = f"{shop.directory}/figures"
    os.mkdir(place)
    return place


def collected(shop):
    """node_exporter's textfile collector, which is what --textfile is for."""
    if reason := missing(EXPORTER):
        raise LeftOut(reason)
    shop.publish([shop.app(number, f"App {number}") for number in range(7)])
    shop.start()
    with tempfile.TemporaryDirectory(prefix="promod-test-") as directory:
        shop.expect_run(*COMMAND, directory)
        shop.expect_equal(os.listdir(directory), [FILE], "the file is")
        text = _scrape(directory)
    lines = text.splitlines()
    shop.expect("node_textfile_scrape_error 0" in lines, "node_exporter cannot read the figures")
    label = f'catalog="default",user="{getpass.getuser()}"'
    for line in f'promod_up{{user="{getpass.getuser()}"}} 1', f"promod_catalog_apps{{{label}}} 7", f"promod_catalog_attempts_total{{{label}}} 1":
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


def planted(shop):
    """What another user may have put in the place of the file, in a directory for all."""
    shop.start()
    with tempfile.TemporaryDirectory(prefix="promod-test-") as directory:
        place, other = f"{directory}/{FILE}", f"{directory}/other"
        for plant in (lambda: os.symlink(other, place)), (lambda: os.mkfifo(place)), (lambda: None):
            with open(other, "w", encoding="utf-8") as file:
                file.write("mine")
            if os.path.lexists(place):
                os.unlink(place)
            plant()
            shop.expect_run(*COMMAND, directory)
            with open(other, encoding="utf-8") as file:
                shop.expect_equal(file.read(), "mine", "the file of a planted link has")
            shop.expect(os.path.isfile(place) and not os.path.islink(place), "what was in the place is still there")
    done = shop.run(*COMMAND, "")
    shop.expect_equal(done.returncode, 64, f"--textfile with an empty name ends with {done.stderr!r} and")


CHECKS = [
    check("planted", "--textfile replaces a link or a pipe that somebody has put in its place", planted),
    check("one-step", "--textfile replaces the file in one step, so that nobody reads half of it", one_step),
    check("modes", "other users may read the file as far as umask allows", modes),
    check("refusals", "a place that cannot be written ends with 74 and a message, and nothing is left behind", refusals),
    check("node-exporter", "node_exporter's textfile collector reads the file", collected),
]
