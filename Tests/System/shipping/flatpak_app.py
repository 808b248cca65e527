"""An app with its own promod, which a real Flatpak builds, installs and runs, as the article says."""
import contextlib
import glob
import os
import pty
import select
import shutil
import subprocess

from support.check import DEBUG, LeftOut
from support.claims import expect
from support.flatpak import APP, PLATFORM, Flatpak
from support.programs import missing
from support.wire import PATIENCE, Connection
from .machine import check

EXAMPLE = f"{DEBUG}/more-apps-example"
PERMISSIONS = "command=more-apps-example\n[Context]\nshared=network;\n"


class App(Flatpak):
    """The example of the library, with the promod that the module of the article installs."""

    def __init__(self, machine):
        self.binary = machine.binary
        super().__init__(machine.directory, machine.environment)
        os.makedirs(f"{self.directory}/app/var")
        shutil.copy(machine.origin.certificate, f"{self.directory}/app/files/ca.pem")
        drop_in = f'url = "{machine.origin.url}"\nca-file = "/app/ca.pem"\n'
        self.describe("app", "Application", APP)
        self("remote-add", "--user", "--no-gpg-verify", "local", f"file://{self.repository}")
        self.change("install", "local", PLATFORM)
        self("build", f"{self.directory}/app", "install", "-D", "-m", "755", "/usr/promod", "/app/libexec/promod")
        self.publish(drop_in, permissions=PERMISSIONS)
        self.change("install", "local", APP)

    def furnish(self):
        self.add(shutil.which("install"))
        self.add(EXAMPLE, "app/files/bin")
        # The archive of the module, whose program the build installs.
        self.add(self.binary, "platform/files")
        self.add(glob.glob("/usr/lib/*/libcurl.so.4")[0], f"platform/files/{self.libraries}")


def instance(app):
    """One on a terminal, where the example stays until the person leaves; returns it when it shows the list."""
    terminal, its = pty.openpty()
    program = subprocess.Popen(
        ["flatpak", "run", "--user", APP, "app-7"], env=app.environment, stdin=its, stdout=its, stderr=its, start_new_session=True)
    os.close(its)
    shown = b""
    # The terminal of a program that has ended is an error.
    with contextlib.suppress(OSError):
        while b"Small 11" not in shown and select.select([terminal], [], [], PATIENCE)[0]:
            shown += os.read(terminal, 65536)
    expect(b"Small 11" in shown, f"the app shows {shown.decode()}")
    return program, terminal


def flatpak(machine):
    """Two instances on terminals."""
    if reason := missing("flatpak", "bwrap"):
        raise LeftOut(reason)
    app = App(machine)
    socket = f"{machine.environment['XDG_RUNTIME_DIR']}/app/{APP}/promod.sock"
    first = instance(app)
    pid = machine.promod(socket)
    second = instance(app)
    status = Connection(socket).ask("status")
    expect(machine.promod(socket) == pid, "the second instance has a promod of its own")
    expect(status["startedBy"] == "app", f"promod was started by {status['startedBy']}")
    expect(status["socket"]["subscribers"] == 2, f"the socket has {status['socket']}")
    # The first one's sandbox stays as long as its promod.
    os.write(first[1], b"q\n")
    expect(first[0].wait(PATIENCE) == 0, "the first instance does not end")
    expect(Connection(socket).ask("status")["socket"]["subscribers"] == 1, "the second instance is not connected any more")
    os.write(second[1], b"q\n")
    second[0].wait(PATIENCE)
    machine.kill_promod(socket)


CHECKS = [check("flatpak", "a Flatpak brings promod, and its instances share one", flatpak)]
