"""Tests promod in networks that come and go, lead nowhere, have one family of addresses only, or a name server that is of no use.

Each check has two network namespaces with a cable between them, one for promod, and one for the origin and the name server. That needs root
and iproute2.
"""
from support import network
from support.check import Suite
from .places import CHECKS

SUITE = Suite(__doc__, lambda _: CHECKS, obstacle=network.obstacle)
