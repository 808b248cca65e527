"""Tests clients of promod in sandboxes, as Flatpak and containers make them: what they can do, what they cannot, and that
they go on when promod starts again.

The sandboxes are made by bubblewrap or by a real Flatpak. They have no network, no other processes, and no files but programs,
promoctl, and promod's socket directory, read-only. The promoctl is the one beside promod. The Debian packages bubblewrap,
netcat-openbsd and openssl and user namespaces are needed, and flatpak for five checks, one of which also needs root.
"""
from support.check import Suite
from support.programs import missing
from . import clients, flatpak, flatpak_app
from .sandbox import obstacle

SUITE = Suite(
    __doc__, lambda _: [*clients.CHECKS, *flatpak.CHECKS, *flatpak_app.CHECKS],
    obstacle=lambda: missing("bwrap", "nc.openbsd", "openssl") or obstacle(), fast=("restart", "private-users", "flatpak-grant"))
