"""Tests that promod bears restarts, crashes and a disk that refuses.

It is started a hundred times in a row, killed at each system call of its commits, its system calls fail as on a full, read-only or broken
disk, and it finds directories, pipes, links and foreign files in place of its own. Some checks need strace, and a few need root.
"""
from support.check import Suite
from support.programs import missing
from . import faults, fetches, kills, loops, surroundings, traps

SUITE = Suite(
    __doc__, lambda _: [*kills.CHECKS, *fetches.CHECKS, *loops.CHECKS, *faults.CHECKS, *traps.CHECKS, *surroundings.CHECKS],
    obstacle=lambda: missing("openssl"), is_random=True,
    fast=("crash-loop-in-flight", "catalog-write-*", "schedule-rename-*", "reviews-write-*", "reviews-rename-enospc", "cache-catalog-link",
        "cache-catalog-pipe", "reviews-link", "reviews-pipe", "cache-read-only", "state-open-to-all",
        "attempt-on-disk-first", "mounted-late", "no-watches"))
