"""Tests the figures that "promoctl metrics" prints, as Prometheus' own parser reads them, and the verdict of "promoctl check".

Needs the Debian packages python3-prometheus-client, openssl and util-linux. One check
also needs prometheus-node-exporter.
"""
from support.check import Suite
from support.programs import missing
from . import counting, exposition, freshness, outputs, values

SUITE = Suite(
    __doc__, lambda _: [*values.CHECKS, *counting.CHECKS, *outputs.CHECKS, *freshness.CHECKS],
    obstacle=lambda: exposition.obstacle() or missing("openssl"),
    fast=("fresh", "failures", "counters-count", "one-step", "refusals", "too-old", "broken", "sample-only", "unreachable"))
