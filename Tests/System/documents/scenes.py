"""What each document supposes, and what its examples need beside them."""
import os
import re
import time
from dataclasses import dataclass

from support.check import ROOT
from support.daemon import GAP
from support.files import read
from support.wire import comes
from .home import SAMPLE, sample


def shown_in(document):
    """The catalog that a document shows."""
    return re.search(r"^```json\n(.*?\n)```$", read(f"{ROOT}/{document}"), re.DOTALL | re.MULTILINE)[1].encode()


README = ["README.md", "README.ko.md"]

LOGIN, ROOT_USER = "needs the systemd of a user's session", "needs root, and changes the machine"
BUILD, SUITES = "builds, changes or installs a clone", "runs suites, for minutes"
# Examples that cannot be run here; a pattern stands for all that match it.
LEFT_OUT = {
    "curl -fo /etc/*": ROOT_USER,
    "apt *": ROOT_USER,
    "rm /etc/apt/*": ROOT_USER,
    "packaging/prepare *": ROOT_USER,
    "cp /usr/share/doc/promod/examples/*": "needs the installed package",
    "packaging/build*": BUILD,
    "packaging/docs*": BUILD,
    "packaging/install-user --*": BUILD,
    "packaging/run*": BUILD,
    "swift *": BUILD,
    "packaging/test": SUITES,
    "Tests/System/compare *": SUITES,
    "Tests/System/run * --only *": SUITES,
    "Tests/System/swift *": SUITES,
    "journalctl *": LOGIN,
    "systemctl *": LOGIN,
    "bwrap *": "needs promoctl in /usr/bin; the suite sandboxes runs promoctl so",
    "datamodel-codegen *": "needs a package of PyPI; the suite conformance installs it",
}


@dataclass
class Scene:
    """What a document supposes."""

    # What https://example.com/catalog.json and https://acme.example/apps.json serve.
    catalog: bytes = sample()
    # Whether promod is running and has been set up, as after most documents' first steps.
    is_set_up: bool = True
    # Whether a package has brought the catalog acme.
    has_package: bool = True
    # The seconds since the first launch of bookary.
    launched: int = 0


SCENES = {
    **{name: Scene(shown_in(name), is_set_up=False, has_package=False) for name in README},
    "packaging/man/promod-protocol.7": Scene(sample(3, is_linux=False), has_package=False, launched=20 * 86_400),
    "Sources/PromoDaemon/PromoDaemon.docc/ForOperators.md": Scene(has_package=False),
    "promod --help": Scene(is_set_up=False),
}


@dataclass
class Follow:
    """An example that does not end: what it prints at last, and what another terminal does for that when it has subscribed."""

    awaited: str
    other: str = ""


TAP = "promoctl tap bookary --host finebill"
FOLLOWED = {
    "promoctl events tap impression --host finebill": Follow("tap +bookary in finebill", TAP),
    "promod --catalog-url https://example.com/catalog.json --log-level debug": Follow("The catalog was updated"),
    "promod --catalog-file catalog.json 2>log": Follow("export PROMOD_SOCKET="),
}


MISTAKES = {'"littory": []': '"bookray": []', "https://example.com/?icon=bookary": "http://example.com/?icon=bookary"}


def make_mistakes(home):
    """Makes the mistakes of which the document tells in a copy of the sample."""
    write_sample(home, MISTAKES)


def correct_mistakes(home):
    """Puts the sample in the place of the catalog with the mistakes."""
    write_sample(home, {})


def write_sample(home, changes):
    text = read(SAMPLE)
    for old, new in changes.items():
        text = text.replace(old, new)
    home.write("home/you/catalog.json", text)


def remove_package(home):
    """Removes the package that brings the catalog acme, and waits until promod has noticed."""
    os.unlink(home.package)
    comes(lambda: len(home.ask("status")["catalogs"]) == 1)


def fetch_icon(home):
    """Asks for an icon until it is there."""
    comes(lambda: home.ask("icon", app="bookary")["data"])


def confirm(home):
    """Has the origin confirm the catalog, and waits until it may be asked again."""
    home.refresh()
    time.sleep(GAP)


def refresh(home):
    """Fetches the catalog once more, and asks for an app that is not in it."""
    home.ask("list", wait=True)
    home.refresh()
    home.run("promoctl tap nosuch")


PUBLISHERS = "Sources/PromoDaemon/PromoDaemon.docc/ForPublishers.md"
PROTOCOL, ACME = "packaging/man/promod-protocol.7", "promoctl setup https://acme.example/apps.json --catalog acme"
# What happens before an example, by its document and command.
BEFORE = {
    (PROTOCOL, """ask '{"method":"icon","app":"bookary"}'"""): fetch_icon,
    (PROTOCOL, """ask '{"method":"refresh"}'"""): confirm,
    (PROTOCOL, """ask '{"method":"status"}'"""): refresh,
    ("packaging/man/promoctl.1", ACME): remove_package,
    (PUBLISHERS, "promoctl validate catalog.json"): make_mistakes,
    (PUBLISHERS, "promoctl page catalog.json --host finebill --output more.html"): correct_mistakes,
}
# The examples whose exit code 1 is an answer.
QUESTIONS = "promoctl review *"
# The example that runs in another terminal from then on.
STARTS = "packaging/install-user"
