"""Tests promod behind proxies: which one it uses, what it tells it, and what it does if the proxy fails.

Needs the Debian packages openssl and iproute2, and namespaces of its own, but not root.
"""
from support import namespaces
from support.check import Suite
from support.programs import missing
from . import failures, ground, kinds, privacy, routes


def _obstacle():
    return missing("openssl", "ip") or namespaces.obstacle(ground.enter)


SUITE = Suite(
    __doc__,
    lambda _: [*failures.CHECKS, *kinds.CHECKS, *routes.CHECKS, *privacy.CHECKS],
    obstacle=_obstacle, ground=lambda _: ground.Everywhere.opened(),
    fast=("refused", "407", "garbage", "intercepted", "https-proxy", "https_proxy", "key-order", "no-proxy", "hidden-*"))
