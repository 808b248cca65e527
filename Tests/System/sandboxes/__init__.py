"""Tests clients of promod in sandboxes, as Flatpak and containers make them: what they can do, what they cannot, and that
they go on when promod starts again.

The sandboxes are made by bubblewrap. They have no network, no other processes, and no files but the system's programs,
promoctl, and promod's socket directory, read-only. The promoctl is the one beside promod. The Debian packages bubblewrap and openssl and user namespaces are needed.
One check also needs root, and six a real Flatpak, of the Debian package of that name.
"""
from support.check import Suite
from support.programs import missing
from . import flatpak, flatpak_app, limits, restarting, serving, users
from .sandbox import obstacle

SUITE = Suite(
    __doc__, lambda _: [*restarting.CHECKS, *serving.CHECKS, *limits.CHECKS, *users.CHECKS, *flatpak.CHECKS, *flatpak_app.CHECKS],
    obstacle=lambda: missing("bwrap", "openssl") or obstacle(),
    fast=("restart", "crash", "promoctl", "every-method", "files-hidden", "no-network", "private-users"))
