"""Tests how promod withstands a hostile origin: one that is silent, slow, broken, too large, misconfigured or not the origin at all.

For each case a promod that has a catalog refreshes it from an origin that follows a script. The refresh must end with the right code in
time, the log must say why, the next attempt must be planned when it should, the last good catalog must still be served, memory must stay
bounded, no more connections may be made than necessary, and the next good catalog must be accepted.
"""
from support.cases import CASES
from support.check import Suite
from support.programs import missing
from support.trial import Trial
from .attempts import ATTEMPTS
from .certificates import CHECKS as CERTIFICATES
from .confinement import CHECKS as CONFINEMENT


def _checks(_):
    """All checks; cases that take longest come first."""
    cases = [Trial.check(case.name, case.claim, case) for case in sorted(CASES, key=lambda case: -case.takes[0])]
    return ATTEMPTS + cases + CERTIFICATES + CONFINEMENT


SUITE = Suite(
    __doc__, _checks, obstacle=lambda: missing("openssl"),
    fast=("silence-in-head", "name-not-found", "refused", "reset-*", "self-signed-certificate", "wrong-name-certificate", "intermediate*",
          "root-unknown", "portal-*", "empty", "truncated*", "broken-*", "over-the-limit", "gzip-*", "encoding-*", "http-*", "whole-*",
          "not-found*", "unavailable", "retry-after-*", "redirect-*", "pause-is-kept", "confined-fetch", "confined-process",
          "confined-and-replaced", "system-certificates"))
