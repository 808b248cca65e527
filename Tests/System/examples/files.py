"""The files of the examples."""
import os
import subprocess

from support.check import ROOT, Check
from support.claims import problem
from .programs import EXAMPLES

PROGRAMS = (
    "promo.py", "more-apps-gtk.py", "more-apps.sh", "more-apps.mjs", "more-apps.c",
    *(f"more-apps-gtk-swift/Sources/more-apps-gtk-swift/{name}.swift" for name in ("main", "Window")))
FEWER_THAN, MOST_OF_README = 100, 40


def _short(_):
    lengths = {name: _length(name) for name in (*PROGRAMS, "README.md")}
    with open(f"{EXAMPLES}/README.md", encoding="utf-8") as file:
        readme = file.read()
    return str(lengths), [
        *(f"{name} has {lengths[name]} lines" for name in PROGRAMS if lengths[name] >= FEWER_THAN),
        *problem(lengths["README.md"] > MOST_OF_README, f"README.md has {lengths['README.md']} lines"),
        *(f"README.md does not name {name}" for name in _names() if name != "README.md" and f"`{name.split('/')[0]}`" not in readme)]


def _installed(_):
    listed = subprocess.run([f"{ROOT}/packaging/install-files", "--list", "/usr"], check=True, capture_output=True, text=True).stdout
    missing = [name for name in _names() if f"share/doc/promod/examples/{name}" not in listed]
    return "", problem(missing, f"these are not installed: {missing}")


def _names():
    """The files, without what tools and Python leave beside them."""
    return [name for name in os.listdir(EXAMPLES) if name[0] not in "._"]


def _length(name):
    with open(f"{EXAMPLES}/{name}", encoding="utf-8") as file:
        return len(file.readlines())


CHECKS = [
    Check("short", f"each program has fewer than {FEWER_THAN} lines, and the README, which names all, at most {MOST_OF_README}", _short),
    Check("installed", "all of them are installed", _installed),
]
