"""Programs that tests need."""
import shutil

# The Debian packages of those that are not named like theirs.
PACKAGES = {"bwrap": "bubblewrap", "ip": "iproute2", "nginx": "nginx-light", "tinyproxy": "tinyproxy-bin"}


def missing(*programs):
    """Which of them are not installed, as a reason not to run a suite; empty if all are."""
    names = [PACKAGES.get(name, name) for name in programs if not shutil.which(name)]
    if not names:
        return ""
    return f"the Debian {'packages' if len(names) > 1 else 'package'} {' and '.join(names)} {'are' if len(names) > 1 else 'is'} not installed"
