"""Tests the programs of packaging/examples with a promod each: what they show, report and say, and that they outlive promod.

Each needs the Debian packages of its language, as packaging/examples/README.md says; what is not installed is skipped.
"""
from support.check import Suite
from support.programs import missing
from . import appstream, files, terminal, window

SUITE = Suite(
    __doc__, lambda _: [*files.CHECKS, *appstream.CHECKS, *terminal.CHECKS, *window.CHECKS], obstacle=lambda: missing("openssl"),
    fast=("short", "installed", "appstream", "*-list", "*-tap", "*-life", "gtk-*", "fzf"))
