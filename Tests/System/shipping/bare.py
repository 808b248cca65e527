"""A machine that has the system's libraries, an app with its promod, and nothing else."""
import contextlib
import json
import os
import shutil

from support import pictures
from support.check import LeftOut
from support.claims import expect
from support.daemon import is_running
from support.files import write
from support.programs import missing
from support.wire import comes
from .machine import PROBE, check, other_libraries

HOME, RUNTIME = "/home/person", "/run/user/person"
REVIEW = "https://example.com/review"


class Bare:
    """The root of such a machine, on which a person's home stays."""

    def __init__(self, machine):
        if reason := missing("bwrap"):
            raise LeftOut(reason)
        self.machine = machine
        self.app = f"{machine.directory}/app"
        for name, program in ("bin/notes", PROBE), ("libexec/promod", machine.binary):
            os.makedirs(os.path.dirname(f"{self.app}/{name}"))
            shutil.copy(program, f"{self.app}/{name}")
        shutil.copy(machine.origin.certificate, f"{self.app}/ca.pem")
        with open(f"{self.app}/list.json", "wb") as file:
            file.write(machine.origin.files["/catalog.json"])
        self.home = ""

    def clear(self, *lines):
        """Gives the person a new home, with lines in its configuration."""
        self.home = f"{self.machine.directory}/home{len(os.listdir(self.machine.directory))}"
        write(f"{self.home}/.config/promod/config.toml", "\n".join([*lines, 'network.ca-file = "/app/ca.pem"\n']))

    @contextlib.contextmanager
    def running(self, *words, network):
        """The app, which is ended with all that it has started."""
        command = ["bwrap", "--unshare-all", *(["--share-net"] if network else []), "--die-with-parent", "--clearenv"]
        for directory in "/usr/lib", "/usr/lib64", *other_libraries(PROBE, self.machine.binary):
            command += ["--ro-bind", directory, directory]
        command += ["--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp",
                    "--ro-bind", self.app, "/app", "--bind", self.home, HOME, "--bind", f"{self.machine.directory}/run", RUNTIME]
        for name, value in {"HOME": HOME, "XDG_RUNTIME_DIR": RUNTIME, "LANG": "en", "LLVM_PROFILE_FILE": "/dev/null"}.items():
            command += ["--setenv", name, value]
        app = self.machine.open(*command, "--", "/app/bin/notes", *words)
        try:
            yield app
        finally:
            pid = self.machine.promod()
            app.kill()
            app.communicate()
            comes(lambda: not is_running(pid))


def bare(machine):
    """A first start with the network, a second one without, and a first one without."""
    picture = pictures.png()
    machine.origin.files["/icon.png"] = picture
    apps = [{"id": name, "name": name.title(), "iconURL": machine.origin.at("/icon.png"), "category": "Books", "tagline": {"en": "Quiet"},
             "storeURLs": {"linux": f"https://example.com/{name}"}} for name in ("finebill", "bookary", "littory")]
    apps[0]["reviewURLs"] = {"linux": REVIEW}
    machine.origin.files["/catalog.json"] = json.dumps({"apps": apps}).encode()
    root, url = Bare(machine), machine.origin.url
    root.clear("review.min-days-since-first-launch = 0")
    with root.running("everything", url, network=True) as app:
        expect(machine.shown(app) == ["bookary", "littory"], "the first list is another one")
        found = sorted(app.stdout.readline().strip() for _ in range(4))
        expected = ["event bookary finebill", f"icon {len(picture)}", f"review true {REVIEW} []", "store https://example.com/bookary"]
        expect(found == expected, f"it gets {found}, not {expected}")
    with root.running("own", url, network=False) as app:
        expect(machine.shown(app) == ["bookary", "littory"], "the second start, offline, has another list")
    root.clear()
    with root.running("own", url, "/app/list.json", network=False) as app:
        expect(machine.shown(app) == ["bookary", "littory"], "the first start, offline, has not the bundled list")


CHECKS = [
    check("bare", "with libraries alone an app has its list, pictures, events and a review; offline the last list, at first the bundled one", bare),
]
