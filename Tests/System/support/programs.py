"""Programs and libraries that tests need."""
import glob
import shutil

# The Debian packages of those that are not named like theirs.
PACKAGES = {
    "Xvfb": "xvfb", "bwrap": "bubblewrap", "cc": "gcc", "dbus-run-session": "dbus", "ip": "iproute2", "nc.openbsd": "netcat-openbsd", "nginx": "nginx-light",
    "node": "nodejs"}
LIBRARIES = {
    "at-spi2-core": "/usr/libexec/at-spi-bus-launcher", "gir1.2-adw-1": "/usr/lib/*/girepository-1.0/Adw-1.typelib",
    "gir1.2-atspi-2.0": "/usr/lib/*/girepository-1.0/Atspi-2.0.typelib", "libfaketime": "/usr/lib/*/faketime/libfaketimeMT.so.1",
    "libadwaita-1-dev": "/usr/include/libadwaita-1/adwaita.h", "libjansson-dev": "/usr/include/jansson.h",
    "python3-prometheus-client": "/usr/lib/python3/dist-packages/prometheus_client/__init__.py", "python3-gi": "/usr/lib/python3/dist-packages/gi/__init__.py"}


def library(name):
    """The path of a library's file; None if it is not installed."""
    return next(iter(glob.glob(LIBRARIES[name])), None)


def missing(*wanted):
    """Which of them are not installed, as a reason not to run a suite; empty if all are."""
    names = [PACKAGES.get(name, name) for name in wanted if not (library if name in LIBRARIES else shutil.which)(name)]
    if not names:
        return ""
    return f"the Debian {'packages' if len(names) > 1 else 'package'} {' and '.join(names)} {'are' if len(names) > 1 else 'is'} not installed"
