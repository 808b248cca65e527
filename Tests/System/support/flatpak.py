"""A real Flatpak: a repository on disk, a runtime of this machine's files, and an app of it."""
import os
import re
import shutil
import subprocess

from .claims import Failed
from .files import write
from .wire import LONG

APP, PLATFORM = "org.example.Acme", "org.example.Platform"
METADATA = "[{kind}]\nname={name}\nruntime={platform}/{arch}/1\nsdk={platform}/{arch}/1\n{more}"


class Flatpak:
    """A repository in a directory, and the installation of a user or of the system."""

    def __init__(self, directory, environment, scope="--user"):
        self.directory, self.scope, self.environment = directory, scope, environment
        self.arch = self("--default-arch").strip()
        os.makedirs(f"{directory}/platform/files")
        self.furnish()
        self.describe("platform", "Runtime", PLATFORM)
        self("build-export", "--runtime", "--files=files", self.repository, f"{directory}/platform", "1")

    def furnish(self):
        """Puts programs into the runtime, if any are to run."""

    def __call__(self, *arguments):
        done = subprocess.run(
            ["flatpak", *arguments], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            timeout=LONG)
        if done.returncode != 0:
            raise Failed(f"flatpak {' '.join(arguments)} ends with {done.returncode}: {done.stderr}")
        return done.stdout

    @property
    def repository(self):
        return f"{self.directory}/repository"

    def publish(self, drop_in, links=(), permissions=""):
        """Builds the next version of the app with a drop-in, and links beside it."""
        place = f"{self.directory}/app/files/share/promod/catalogs.d"
        os.makedirs(place, exist_ok=True)
        os.makedirs(f"{self.directory}/app/export", exist_ok=True)
        self.describe("app", "Application", APP, permissions)
        write(f"{place}/acme.toml", drop_in)
        for name, target in links:
            os.symlink(target, f"{place}/{name}")
        self("build-export", self.repository, f"{self.directory}/app", "1")

    def change(self, command, *arguments):
        """Installs, updates or removes the app."""
        self(command, self.scope, "-y", "--noninteractive", *arguments)

    def install(self):
        """Installs the app from the repository."""
        self("remote-add", self.scope, "--no-gpg-verify", "local", f"file://{self.repository}")
        self.change("install", "local", APP)

    def add(self, file, place="platform/files/bin"):
        """Copies a program or a library, and the libraries that it is linked with into the runtime, where each program finds them."""
        self._copy(file, place)
        linked = subprocess.run(["ldd", file], capture_output=True, text=True, check=True).stdout
        for library in re.findall(r"(?:^|=> )\s*(/\S+)", linked, re.MULTILINE):
            found = re.match(r"(?:/usr)?/(lib\w*(?:/[\w-]+-linux-gnu\w*)?)/[^/]*$", library)
            self._copy(library, f"platform/files/{found[1] if found else self.libraries}")

    @property
    def libraries(self):
        """The directory of the machine's kind."""
        return f"lib/{os.uname().machine}-linux-gnu"

    def _copy(self, file, place):
        os.makedirs(f"{self.directory}/{place}", exist_ok=True)
        shutil.copy(file, f"{self.directory}/{place}/")

    def describe(self, place, kind, name, more=""):
        """Writes the metadata of the runtime or the app, with further lines."""
        write(f"{self.directory}/{place}/metadata", METADATA.format(kind=kind, name=name, platform=PLATFORM, arch=self.arch, more=more))


def in_own_runtime(directory):
    """The beginning of a command line in whose namespace /run/user has a directory of a test as the user's own, where Flatpak looks for it;
    and that path. There is no session bus, and so no portal."""
    runtime = f"/run/user/{os.getuid()}"
    return ["bwrap", "--dev-bind", "/", "/", "--tmpfs", "/run", "--bind", directory, runtime, "--"], runtime
