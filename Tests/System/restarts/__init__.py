"""Tests that promod withstands restarts, crashes and a disk that refuses.

It is started many times in a row, it is killed at each system call of its commits, its system calls fail as on a full, read-only or broken
disk, and it finds directories, pipes, links and foreign files in place of its own. Some checks need strace, and a few need root.
"""
from support.check import Suite
from support.programs import missing
from . import faults, kills, loops, surroundings, traps

SUITE = Suite(
    __doc__, lambda _: [*kills.CHECKS, *loops.CHECKS, *faults.CHECKS, *traps.CHECKS, *surroundings.CHECKS],
    obstacle=lambda: missing("openssl", "unshare"), is_random=True,
    fast=("crash-loop-in-flight", "catalog-write-*", "schedule-*", "reviews-write-*", "cache-catalog-link", "reviews-pipe",
          "state-open-to-all", "mounted-late", "no-inotify-watches", "unreadable-for-a-while"))
