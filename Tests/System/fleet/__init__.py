"""Tests packaging/nginx.conf: promods that share Debian's nginx as a cache, whose clock libfaketime sets ahead, and an origin that fails."""
from support.check import Suite
from support.programs import missing
from . import checks
from .fleet import Fleet

SUITE = Suite(
    __doc__, sequence=checks.run, obstacle=lambda: missing("nginx", "curl", "openssl", "libfaketime", "gcc"),
    ground=lambda arguments: Fleet(arguments.daemon))
