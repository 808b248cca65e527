"""Checks what packaging/build-deb has made: how the programs are linked, their licences, the list of libraries, and the rpm.

Also compiles the C for arm64. Needs the release build with its package, and the Debian packages binutils, rpm and
libc6-dev-arm64-cross.
"""
import glob

from support.check import Suite
from . import arm64, licences, programs, rpm

SUITE = Suite(
    __doc__, lambda _: [*programs.CHECKS, *licences.CHECKS, *rpm.CHECKS, *arm64.CHECKS],
    obstacle=lambda: "" if glob.glob(programs.PACKAGE) else f"there is no {programs.PACKAGE}; packaging/build-deb makes it")
