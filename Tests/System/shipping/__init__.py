"""Tests apps that bring promod to a machine without one, in the forms in which apps are shipped: an AppImage's mount, a Python wheel.

The app is the Python program of the articles: it has its promod started, and asks it. The mount needs squashfs-tools, squashfuse and
/dev/fuse.
"""
from support.check import Suite
from support.programs import missing
from . import forms

SUITE = Suite(__doc__, lambda _: forms.CHECKS, obstacle=lambda: missing("openssl"))
