"""Packages from PyPI, in Python environments of their own."""
import functools
import os
import subprocess
import sys

SUITES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@functools.cache
def obstacle(directory, requirements):
    """Makes an environment with the packages of a file, whose path begins with its suite. Returns why PyPI did not give them; empty if it did.

    The file pins their versions and the hashes of their files.
    """
    try:
        subprocess.run([sys.executable, "-m", "venv", directory], check=True, stdout=sys.stderr)
        subprocess.run(
            [f"{directory}/bin/pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:",
             "--require-hashes", "--requirement", f"{SUITES}/{requirements}"], check=True, stdout=sys.stderr, timeout=120)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return f"the packages of {os.path.basename(requirements)} cannot be installed from PyPI"
    return ""
