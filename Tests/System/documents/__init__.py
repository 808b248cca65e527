"""Runs the shell examples of the READMEs, the manual pages, the articles and the help, and compares what they print with what is shown.

Each document has a home of its own, a promod, and the servers to which its addresses lead, in namespaces in which no other
network exists. Times, ages, ports, generations and home directories may differ. What cannot be run is listed with the reason in
scenes.py. Needs the Debian packages curl, iproute2, jq, netcat-openbsd, openssl and util-linux, and namespaces of its own, but not root.
"""
from support import namespaces
from support.check import Suite
from support.programs import missing
from . import checks, home, readmes


def _obstacle():
    return missing("curl", "ip", "jq", "nc.openbsd", "openssl") or namespaces.obstacle(home.enter)


SUITE = Suite(
    __doc__, lambda _: [*readmes.CHECKS, *checks.of_documents()], obstacle=_obstacle, ground=lambda _: home.Web.opened())
