"""The forms in which apps are shipped."""
import os
import shutil
import subprocess
import sys
import time

from support import catalog
from support.check import LeftOut
from support.claims import Failed, expect
from support.files import write
from support.programs import missing
from support.wire import LONG, comes
from .crowd import is_alone
from .machine import check, write_app


def appimage(machine):
    """The first app's mount ends with it, as AppImage's runtime makes it, while another app is connected."""
    if reason := missing("mksquashfs", "squashfuse"):
        raise LeftOut(reason)
    if not os.path.exists("/dev/fuse"):
        raise LeftOut("there is no /dev/fuse")
    image, mount = f"{machine.directory}/AppDir", f"{machine.directory}/mount"
    for part in "usr/bin", "usr/libexec":
        os.makedirs(f"{image}/{part}")
    os.mkdir(mount)
    shutil.copy(machine.binary, f"{image}/usr/libexec/promod")
    write_app(f"{image}/usr/bin/app.py", "../libexec/promod")
    write(f"{image}/AppRun", '#!/bin/sh\nexec python3 "$(dirname "$0")/usr/bin/app.py" "$@"\n')
    os.chmod(f"{image}/AppRun", 0o755)
    machine.run("mksquashfs", image, f"{machine.directory}/app.img", "-quiet", "-no-progress", timeout=LONG)
    shutil.rmtree(image)
    server = subprocess.Popen(["squashfuse", "-f", f"{machine.directory}/app.img", mount], stderr=subprocess.DEVNULL)
    try:
        comes(lambda: os.path.ismount(mount))
        app = machine.start(f"{mount}/AppRun")
        other = machine.connect()
        app.communicate()
    finally:
        server.kill()
        server.wait()
        subprocess.run(["umount", "--lazy", mount], check=False, capture_output=True)
    # A page of the program, and a process that fetches.
    machine.publish(catalog.small(2))
    time.sleep(1)  # promod asks an origin at most once a second.
    result = other.ask("refresh")
    expect(result["outcome"] == "updated", f"after the mount's end a refresh ends with {result}")
    expect(other.ask("status")["startedBy"] == "app", "status does not say that an app has started it")


def wheel(machine):
    """A package whose data has promod, from pip install to its list."""
    package = f"{machine.directory}/package/more_apps"
    write(f"{package}/__init__.py", "")
    write_app(f"{package}/__main__.py", "libexec/promod")
    os.makedirs(f"{package}/libexec")
    shutil.copy(machine.binary, f"{package}/libexec/promod")
    write(f"{package}/../pyproject.toml", """\
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[project]
name = "more-apps"
version = "1"
[tool.setuptools]
packages = ["more_apps"]
package-data.more_apps = ["libexec/promod"]
""")
    python = f"{machine.directory}/venv/bin/python3"
    machine.run(sys.executable, "-m", "venv", f"{machine.directory}/venv", timeout=LONG)
    try:
        machine.run(python, "-m", "pip", "install", "--quiet", f"{package}/..", timeout=LONG)
    except Failed as error:
        if "Could not find a version" in str(error):
            raise LeftOut("pip reaches no package index") from error
        raise
    for _ in range(2):
        machine.start(python, "-m", "more_apps")
    expect(is_alone(machine), f"the processes {machine.promods()} run")


CHECKS = [
    check("appimage", "promod goes on, and fetches, when the mount of the app that has started it is gone", appimage),
    check("wheel", "a package from pip brings promod, and two instances share it", wheel),
]
