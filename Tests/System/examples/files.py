"""The files of the examples, and the commands of their README."""
import os
import re
import shutil
import subprocess

from support.check import ROOT, Check
from support.claims import problem
from support.files import read, write
from support.network import is_online
from support.shop import check
from .programs import EXAMPLES, HOST, Events, require

COLUMNS = 120


def _read(name):
    return read(f"{EXAMPLES}/{name}")


README = _read("README.md")


def _short(_):
    named = dict(re.findall(r"^\| `([^`]+)` \| (\d+)", README, re.MULTILINE))
    texts = {name: _read(name).splitlines() for name in named if os.path.isfile(f"{EXAMPLES}/{name}")}
    return f"{len(texts)} programs", [
        *(f"a line of {name} has {len(line)} columns" for name, text in texts.items() for line in text if len(line) > COLUMNS),
        *(f"{name} has {len(text)} lines, and README.md says {named[name]}" for name, text in texts.items() if len(text) != int(named[name]))]


def _installed(_):
    listed = subprocess.run([f"{ROOT}/packaging/releasing/install-files", "--list", "/usr"], check=True, capture_output=True, text=True).stdout
    names = [name for name in os.listdir(EXAMPLES) if name[0] not in "._" and name != "README.md"]
    missing = [name for name in names if f"share/doc/promod/examples/{name}" not in listed or f"`{name}`" not in README]
    return "", problem(missing, f"these are not installed, or README.md does not name them: {missing}")


def _choose(shop):
    """Runs the command for a menu in which the person chooses the second app."""
    require("jq", "nc.openbsd", "fzf")
    command = next(block for block in re.findall(r"^```bash\n(.*?)^```", README, re.DOTALL | re.MULTILINE) if "fzf -" in block)
    shop.publish([shop.app(0, "One"), shop.app(1, "Two")])
    shop.start()
    for path in "run/promod", "bin":
        os.makedirs(f"{shop.directory}/{path}")
    os.symlink(shop.daemon.socket, f"{shop.directory}/run/promod/promod.sock")
    for name, text in ("xdg-open", f'echo "$1" >{shop.directory}/opened'), ("fzf", f'tee {shop.directory}/menu | {shutil.which("fzf")} "$@"'):
        write(f"{shop.directory}/bin/{name}", f"#!/bin/sh\n{text}\n")
        os.chmod(f"{shop.directory}/bin/{name}", 0o755)
    programs = f"{shop.directory}/bin:{os.path.dirname(shop.daemon.binary)}:{os.environ['PATH']}"
    shop.launch(["bash", "-c", command.replace("HOST", HOST)], PATH=programs, LANG="C.UTF-8", FZF_DEFAULT_OPTS="--filter=Two")
    Events(shop, "impression").expect("app-0", "app-1")
    Events(shop, "tap").expect("app-1")
    shop.expect_equal(len(read(f"{shop.directory}/menu").splitlines()), 2, "the number of lines in the menu")
    if is_online():
        shop.expect_equal(read(f"{shop.directory}/opened"), "https://apps.apple.com/app/id6000000001\n", "the page")


CHECKS = [
    Check("short", f"each has the lines that README.md names for it, of at most {COLUMNS} columns", _short),
    Check("installed", "all of them are installed, and README.md names them", _installed),
    check("fzf", "the command for fzf reports the apps, and taps the chosen one", _choose),
]
