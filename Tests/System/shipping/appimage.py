"""An app that is shipped as an AppImage."""
import os
import shutil
import subprocess
import time

from support import catalog
from support.check import LeftOut
from support.claims import expect
from support.files import write
from support.programs import missing
from support.wire import comes
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
    machine.publish(catalog.small(2))
    time.sleep(1)  # promod asks an origin at most once a second.
    result = other.ask("refresh")
    expect(result["outcome"] == "updated", f"after the mount's end a refresh ends with {result}")
    expect(other.ask("status")["startedBy"] == "app", "status does not say that an app has started it")


CHECKS = [
    check("appimage", "promod goes on, and fetches, when the mount of the app that has started it is gone", appimage),
]
