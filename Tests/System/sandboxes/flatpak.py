"""An app that a real Flatpak installs, updates and removes, and whose files have a drop-in."""
import contextlib
import os
import subprocess

from support.check import LeftOut
from support.claims import Failed
from support.programs import missing
from support.wire import PATIENCE, comes
from .stage import check

APP, PLATFORM = "org.example.Acme", "org.example.Platform"
METADATA = "[{kind}]\nname={name}\nruntime={platform}/{arch}/1\nsdk={platform}/{arch}/1\n"


class Flatpak:
    """A repository on disk, and the installation of a user or of the system."""

    def __init__(self, stage, scope):
        self.directory, self.scope = stage.daemon.directory, scope
        self.environment = stage.daemon.environment
        self.installation = {
            "--user": f"{self.environment['XDG_DATA_HOME']}/flatpak", "--system": self.environment["FLATPAK_SYSTEM_DIR"]}[scope]
        self.arch = self("--default-arch").strip()
        os.makedirs(f"{self.directory}/platform/files")
        self.furnish(stage)
        self._describe("platform", "Runtime", PLATFORM)
        self("build-export", "--runtime", "--files=files", self._repository, f"{self.directory}/platform", "1")

    def furnish(self, _stage):
        """Puts programs into the runtime, if any are to run."""

    def __call__(self, *arguments):
        done = subprocess.run(
            ["flatpak", *arguments], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            timeout=PATIENCE)
        if done.returncode != 0:
            raise Failed(f"flatpak {' '.join(arguments)} ends with {done.returncode}: {done.stderr}")
        return done.stdout

    @property
    def _repository(self):
        return f"{self.directory}/repository"

    def _describe(self, place, kind, name):
        with open(f"{self.directory}/{place}/metadata", "w", encoding="ascii") as file:
            file.write(METADATA.format(kind=kind, name=name, platform=PLATFORM, arch=self.arch))

    def publish(self, drop_in, links=()):
        """Builds the next version of the app with a drop-in, and links beside it."""
        place = f"{self.directory}/app/files/share/promod/catalogs.d"
        os.makedirs(place, exist_ok=True)
        os.makedirs(f"{self.directory}/app/export", exist_ok=True)
        self._describe("app", "Application", APP)
        with open(f"{place}/acme.toml", "w", encoding="ascii") as file:
            file.write(drop_in)
        for name, target in links:
            os.symlink(target, f"{place}/{name}")
        self("build-export", self._repository, f"{self.directory}/app", "1")

    def change(self, command, *arguments):
        """Installs, updates or removes the app."""
        self(command, self.scope, "-y", "--noninteractive", *arguments)


def brought(scope):
    """A check of the installation of a user or of the system."""
    def play(stage):
        if reason := missing("flatpak"):
            raise LeftOut(reason)
        if scope == "--system" and os.getuid() != 0:
            raise LeftOut("only root installs for the system")
        flatpak = Flatpak(stage, scope)
        with open(f"{stage.daemon.directory}/host.toml", "w", encoding="ascii") as file:
            file.write('url = "https://localhost/host.json"\n')
        # The person's own default catalog has the same address, so the two are one.
        flatpak.publish(f'url = "{stage.origin.url}"\n', [("linked.toml", f"{stage.daemon.directory}/host.toml")])
        flatpak("remote-add", scope, "--no-gpg-verify", "local", f"file://{stage.daemon.directory}/repository")
        stage.start()

        def found():
            """The address of the catalog acme; of the person's own, its name; None if there is no such catalog."""
            own = [catalog["url"] for catalog in stage.daemon.ask("status")["catalogs"] if catalog["name"] == "acme"]
            with contextlib.suppress(Failed):
                stage.daemon.ask("list", catalog="acme")
                return own[0] if own else "default"
            return None

        flatpak.change("install", "local", APP)
        stage.expect(comes(lambda: found() == "default"), f"after the installation acme is {found()}")
        listing = stage.daemon.ask("list", catalog="acme")
        stage.expect(len(listing["apps"]) > 0, f"list is answered {listing}")
        problems = [(entry["code"], os.path.basename(entry["subject"]), entry["text"]) for entry in stage.daemon.ask("status")["problems"]]
        stage.expect(
            [problem[:2] for problem in problems] == [("catalog-file", "linked.toml")]
            and problems[0][2].endswith("it is a link that leads out of the app."), f"the problems are {problems}")
        flatpak.publish('url = "https://localhost/other.json"\n')
        flatpak.change("update", APP)
        stage.expect(
            comes(lambda: found() == "https://localhost/other.json"), f"after the update acme is {found()}")
        flatpak.change("uninstall", APP)
        stage.expect(comes(lambda: found() is None), f"after the removal acme is {found()}")
        return f"in {flatpak.installation.replace(stage.daemon.directory, '…')}"
    return play


CHECKS = [
    check(f"flatpak{scope.replace('--', '-')}", f"a Flatpak that is installed {whose} brings its catalog, and takes it along",
        brought(scope), starts=False)
    for scope, whose in (("--user", "for a user"), ("--system", "for the system"))]
