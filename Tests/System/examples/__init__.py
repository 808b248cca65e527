"""Tests the programs of packaging/examples: each shows the apps of a promod, what changes, and goes on when promod starts again.

Each of them needs the Debian packages of its language: jq and netcat-openbsd, nodejs, gcc and libjansson-dev, or gir1.2-adw-1, python3-gi
and xvfb, or libgtk-4-dev, xdotool and xvfb. What is not installed is skipped.
"""
from support.check import Suite
from support.programs import missing
from . import files, gtk_swift, lives, module, window

SUITE = Suite(
    __doc__, lambda _: [*files.CHECKS, *lives.CHECKS, *window.CHECKS, *module.CHECKS, *gtk_swift.CHECKS], obstacle=lambda: missing("openssl"),
    fast=("short", "installed", "*-list", "*-restart", "*-resume", "*-loop", "icon", "gtk-tap"))
