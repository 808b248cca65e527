"""Tests promod in networks that come and go, lead nowhere, have one family of addresses only, or a silent name server.

Each check has two network namespaces with a cable between them, one for promod, and one for the origin and the name server. That needs root
and the Debian packages iproute2 and openssl.
"""
from support import network
from support.check import Suite
from support.programs import missing
from .places import CHECKS

SUITE = Suite(
    __doc__, lambda _: CHECKS, obstacle=lambda: network.obstacle() or missing("openssl"),
    fast=("gone-and-back", "started-offline"))
