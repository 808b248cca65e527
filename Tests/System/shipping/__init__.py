"""Tests apps that bring promod to a machine without one: the forms in which apps are shipped, machines that lack what others have,
and many apps at once.

Apps are the Python program of the articles, which has its promod started and asks it, and programs with the library. AppImages need
squashfs-tools, squashfuse and /dev/fuse, other checks bubblewrap, flatpak or root.
"""
from support.check import Suite
from support.programs import missing
from . import bare, crowd, flatpak_app, forms, users

SUITE = Suite(
    __doc__, lambda _: [*forms.CHECKS, *flatpak_app.CHECKS, *bare.CHECKS, *crowd.CHECKS, *users.CHECKS],
    obstacle=lambda: missing("openssl"), is_random=True, fast=("bare", "crowd", "cron", "users"))
