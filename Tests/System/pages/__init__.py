"""Tests the web pages that "promoctl page" writes, in a browser: what they show, in which languages and on which screens, that texts of a catalog stay texts, that nothing is fetched, and that a file is replaced in one step.

Needs the Debian packages chromium, openssl and util-linux, and fonts-noto-cjk for the pictures. With --screenshots DIR it saves pictures of some pages in that directory.
"""
import contextlib

from support.check import Suite
from support.programs import missing
from . import contents, files, injections, layout
from .browser import PROGRAM, Browser
from .witness import Witness


def _checks(arguments):
    pictures = [layout.screenshots(arguments.screenshots)] if arguments.screenshots else []
    return [*contents.CHECKS, *injections.CHECKS, *layout.CHECKS, *files.CHECKS, *pictures]


@contextlib.contextmanager
def _one_browser(_):
    witness = Witness()
    witness.open()
    with Browser(witness.option):
        yield


SUITE = Suite(
    __doc__, _checks, ground=_one_browser, obstacle=lambda: missing(PROGRAM, "openssl"),
    options={"--screenshots": {"metavar": "DIR", "help": "also save pictures of some pages in that directory"}},
    fast=("languages", "selection", "icons", "texts", "options", "network", "contrast", "one-step"))
