"""The forms in which apps are shipped."""
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from support import catalog
from support.check import Check, LeftOut
from support.claims import Failed, expect
from support.origin import Origin
from support.programs import missing
from support.wire import PATIENCE, Connection, comes

# It looks for its promod where its package has put it.
APP = '''\
import json, os, socket, subprocess, sys

here = os.path.dirname(os.path.abspath(__file__))
promod = os.environ.get("PROMOD_PROGRAM") or os.path.join(here, {program!r})
subprocess.run([promod, "--background", "--app=app-7", "--catalog-url=" + sys.argv[1]], check=True)
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect(os.environ["XDG_RUNTIME_DIR"] + "/promod/promod.sock")
    connection.sendall(json.dumps(dict(method="list", host="app-7", wait=True)).encode() + b"\\n")
    print(len(json.loads(connection.makefile().readline())["result"]["apps"]), flush=True)
    sys.stdin.read()
'''


class Machine:
    """A home on a machine without promod, and an origin."""

    def __init__(self, binary):
        self.binary = os.path.abspath(binary)
        self.directory = tempfile.mkdtemp(prefix="promod-shipping-")
        self.origin = Origin(self.directory)
        self.content = catalog.small()
        self.origin.body = self.content.bytes
        self.origin.open()
        self.environment = {"HOME": self.directory, "XDG_RUNTIME_DIR": f"{self.directory}/run", "PATH": os.environ["PATH"], "LANG": "en"}
        os.makedirs(f"{self.directory}/.config/promod")
        os.mkdir(f"{self.directory}/run", 0o700)
        with open(f"{self.directory}/.config/promod/config.toml", "w", encoding="ascii") as file:
            file.write(f'network.ca-file = "{self.origin.certificate}"\n')

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        with contextlib.suppress(OSError):
            connection = self.connect()
            os.kill(connection.ask("status")["pid"], 15)
        self.origin.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def connect(self):
        return Connection(f"{self.directory}/run/promod/promod.sock")

    def run(self, *command, **more):
        """Runs a command to its end."""
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False, timeout=PATIENCE, **more)
        if done.returncode:
            raise Failed(f"{' '.join(command)} ends with {done.returncode}: {done.stderr}")
        return done.stdout

    def start(self, *command):
        """Starts an app, which stays until its input ends; returns it when it has its list."""
        app = subprocess.Popen([*command, self.origin.url], env=self.environment, text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        shown = app.stdout.readline()
        if shown != f"{len(self.content.apps) - 1}\n":
            app.kill()
            raise Failed(f"the app shows {shown!r}: {app.communicate()[1]}")
        return app


def on(binary, body):
    """The figures and the problems of a check on a machine."""
    with Machine(binary) as machine:
        try:
            return body(machine) or "", []
        except Failed as error:
            return "", [str(error)]


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
    with open(f"{image}/usr/bin/app.py", "w", encoding="ascii") as file:
        file.write(APP.format(program="../libexec/promod"))
    with open(f"{image}/AppRun", "w", encoding="ascii") as file:
        file.write('#!/bin/sh\nexec python3 "$(dirname "$0")/usr/bin/app.py" "$@"\n')
    os.chmod(f"{image}/AppRun", 0o755)
    machine.run("mksquashfs", image, f"{machine.directory}/app.img", "-quiet", "-no-progress")
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
    machine.content = catalog.small(2)
    machine.origin.body = machine.content.bytes
    time.sleep(1)  # promod asks an origin at most once a second.
    result = other.ask("refresh")
    expect(result["outcome"] == "updated", f"after the mount's end a refresh ends with {result}")
    expect(other.ask("status")["startedBy"] == "app", "status does not say that an app has started it")


def wheel(machine):
    """A package whose data has promod, from pip install to its list."""
    package = f"{machine.directory}/package/more_apps"
    os.makedirs(f"{package}/libexec")
    shutil.copy(machine.binary, f"{package}/libexec/promod")
    with open(f"{package}/__init__.py", "w", encoding="ascii"), open(f"{package}/__main__.py", "w", encoding="ascii") as file:
        file.write(APP.format(program="libexec/promod"))
    with open(f"{package}/../pyproject.toml", "w", encoding="ascii") as file:
        file.write('[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
                   '[project]\nname = "more-apps"\nversion = "1"\n[tool.setuptools]\npackages = ["more_apps"]\n'
                   '[tool.setuptools.package-data]\nmore_apps = ["libexec/promod"]\n')
    python = f"{machine.directory}/venv/bin/python3"
    machine.run(sys.executable, "-m", "venv", f"{machine.directory}/venv")
    try:
        machine.run(python, "-m", "pip", "install", "--quiet", f"{package}/..")
    except Failed as error:
        if "Could not find a version" in str(error):
            raise LeftOut("pip reaches no package index") from error
        raise
    first, second = (machine.start(python, "-m", "more_apps") for _ in range(2))
    pid = machine.connect().ask("status")["pid"]
    for app in first, second:
        app.communicate()
    began = time.monotonic()
    # Without an app there is no promod.
    comes(lambda: not os.path.exists(f"/proc/{pid}"))
    return f"ended {time.monotonic() - began:.0f} s after the last app"


CHECKS = [
    Check("appimage", "promod goes on, and fetches, when the mount of the app that has started it is gone", lambda binary: on(binary, appimage)),
    Check("wheel", "a package from pip brings promod, two instances share it, and it ends after the last", lambda binary: on(binary, wheel)),
]
