"""Tests the figures of "promoctl metrics", as Prometheus' own parser reads them, and the verdict of "promoctl check"."""
from support.check import Suite
from support.programs import missing
from . import figures, verdicts

SUITE = Suite(
    __doc__, lambda _: [*figures.CHECKS, *verdicts.CHECKS], obstacle=lambda: missing("openssl", "python3-prometheus-client"))
