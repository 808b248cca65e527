"""Tests promod behind proxies: which one it uses, what it tells it, and what it does if the proxy fails.

Needs the Debian packages tinyproxy-bin, openssl and iproute2, and namespaces of its own, but not root.
"""
from support import namespaces
from support.check import Suite
from support.programs import missing
from . import failures, ground, kinds, packaged, privacy, routes


def _obstacle():
    return missing("tinyproxy", "openssl", "ip") or namespaces.obstacle(ground.enter)


SUITE = Suite(
    __doc__,
    lambda _: [*failures.CHECKS, *packaged.CHECKS, *kinds.CHECKS, *routes.CHECKS, *privacy.CHECKS],
    obstacle=_obstacle, ground=lambda _: ground.Everywhere.opened(),
    fast=("refused", "407", "garbage", "intercepted", "tinyproxy", "https-proxy", "socks5h", "https_proxy", "key-order", "no-proxy", "hidden-*"))
