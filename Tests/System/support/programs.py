"""Programs and libraries that tests need."""
import glob
import shutil

# The Debian packages of those that are not named like theirs.
PACKAGES = {"bwrap": "bubblewrap", "ip": "iproute2", "nc.openbsd": "netcat-openbsd", "nginx": "nginx-light", "tinyproxy": "tinyproxy-bin"}
LIBRARIES = {"libfaketime": "/usr/lib/*/faketime/libfaketimeMT.so.1"}


def library(name):
    """The path of a library; None if it is not installed."""
    return next(iter(glob.glob(LIBRARIES[name])), None)


def missing(*wanted):
    """Which of them are not installed, as a reason not to run a suite; empty if all are."""
    names = [PACKAGES.get(name, name) for name in wanted if not (library if name in LIBRARIES else shutil.which)(name)]
    if not names:
        return ""
    return f"the Debian {'packages' if len(names) > 1 else 'package'} {' and '.join(names)} {'are' if len(names) > 1 else 'is'} not installed"
