"""Tests promod behind proxies: which one it uses, for which addresses, what it tells it, and what it does if the proxy fails.

Needs the Debian packages tinyproxy-bin, squid, openssl and iproute2, and namespaces of its own, but not root. With --curl, curl takes promod's place in those checks that hold for it too, which checks the tests themselves.
"""
from support import namespaces
from support.check import Suite
from support.programs import missing
from . import failures, ground, kinds, packaged, privacy, reports, routes, setups


def _checks(arguments):
    if arguments.curl:
        return [*packaged.CURL_CHECKS, *kinds.CURL_CHECKS, *routes.CURL_CHECKS, *privacy.CURL_CHECKS]
    return [*failures.CHECKS, *packaged.CHECKS, *kinds.CHECKS, *routes.CHECKS, *privacy.CHECKS, *reports.CHECKS, *setups.CHECKS]


def _obstacle():
    return missing("tinyproxy", "squid", "openssl", "ip") or namespaces.obstacle(ground.enter)


SUITE = Suite(
    __doc__, _checks, obstacle=_obstacle, ground=lambda _: ground.Everywhere.opened(),
    options={"--curl": {"action": "store_true", "help": "run the checks that hold for curl too with curl, which checks the tests"}},
    fast=("refused", "407", "403", "garbage", "tls", "squid", "tinyproxy", "tinyproxy-password", "https-proxy", "socks5h", "https_proxy", "none", "key-order",
        "no-proxy-name", "no-proxy-cidr-8", "hidden-https_proxy", "setup", "setup-variable", "intercepted"))
