"""An app that a real Flatpak installs, updates and removes, and whose files have a drop-in."""
import contextlib
import os

from support.check import LeftOut
from support.claims import Failed
from support.files import write
from support.flatpak import APP, Flatpak
from support.programs import missing
from support.wire import comes
from .stage import check

def brought(scope):
    """A check of the installation of a user or of the system."""
    def play(stage):
        if reason := missing("flatpak"):
            raise LeftOut(reason)
        if scope == "--system" and os.getuid() != 0:
            raise LeftOut("only root installs for the system")
        flatpak = Flatpak(stage.daemon.directory, stage.daemon.environment, scope)
        write(f"{stage.daemon.directory}/host.toml", 'url = "https://localhost/host.json"\n')
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
    return play


CHECKS = [
    check(f"flatpak{scope.replace('--', '-')}", f"a Flatpak that is installed {whose} brings its catalog, and takes it along",
        brought(scope), starts=False)
    for scope, whose in (("--user", "for a user"), ("--system", "for the system"))]
