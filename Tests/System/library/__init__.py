"""Tests CrossPromoKit in programs of its own: how often an idle one wakes, many services in one, and main loops of other libraries."""
from support.check import Suite
from support.programs import missing
from . import loops, processes

SUITE = Suite(
    __doc__, lambda _: [*processes.CHECKS, *loops.CHECKS], obstacle=lambda: missing("openssl"), fast=("idle", "bridge", "nobody"))
