"""Tests the web pages that "promoctl page" writes, in a browser: what they show, in which languages and on which screens, that texts of a catalog stay texts, and that nothing is fetched.

Needs the Debian packages chromium and openssl.
"""
from support.check import Suite
from support.programs import missing
from . import contents, injections, layout
from .browser import PROGRAM

SUITE = Suite(
    __doc__, lambda _: [*contents.CHECKS, *injections.CHECKS, *layout.CHECKS], obstacle=lambda: missing(PROGRAM, "openssl"),
    fast=("languages", "icons", "texts", "contrast"))
