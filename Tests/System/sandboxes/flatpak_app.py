"""An app that a real Flatpak runs, with promoctl inside, and that reaches promod as the manual says.

Its runtime has promoctl, the shell and a few more programs. Flatpak finds promod's directories in their usual places, because it
runs in a namespace in which /run/user has the socket's directory.
"""
import base64
import json
import os
import re
import shutil

from support.check import DEBUG, LeftOut, staged
from support.claims import Failed
from support.daemon import Daemon
from support.flatpak import APP, Flatpak, in_own_runtime
from support.programs import missing
from support.trial import restart
from support.wire import comes
from .sandbox import Shell
from .stage import Stage

PROGRAMS = "sh", "env", "base64", "nc.openbsd"
PROBE = f"{DEBUG}/LibraryProbe"
GRANT, CACHE = "--filesystem=xdg-run/promod:ro", "xdg-cache/promod"


class OnDisk(Daemon):
    # Flatpak shows an app nothing in /dev/shm but its own.
    is_in_memory = False


class App(Flatpak):
    """An installed app, without any permission, and what runs in its sandbox."""

    def __init__(self, stage):
        self.promoctl = stage.promoctl_binary
        super().__init__(stage.daemon.directory, stage.daemon.environment)
        os.makedirs(stage.runtime, exist_ok=True)
        self.prefix, self.runtime = in_own_runtime(stage.runtime)
        self.environment = {
            **self.environment, "XDG_RUNTIME_DIR": self.runtime, "PATH": os.environ["PATH"], "PROMOD_SOCKET": ""}
        self.publish('url = "https://localhost/none.json"\n')
        self.install()

    def furnish(self):
        for program in [*map(shutil.which, PROGRAMS), self.promoctl, PROBE]:
            self.add(program)

    def shell(self, *grants):
        """A shell in a sandbox of the app."""
        return Shell(*self.prefix, "flatpak", "run", "--user", *grants, "--command=env", APP, environment=self.environment)

    def run(self, line, *grants):
        """The exit code of a line in a sandbox of its own, and what it prints."""
        with self.shell(*grants) as shell:
            says = shell(line)
            return shell.code, says


class AppStage(Stage):
    """promod with the sample, and an app."""

    make_daemon = OnDisk

    def start_app(self):
        if reason := missing("flatpak"):
            raise LeftOut(reason)
        self.daemon.configure(catalog__url="sample")
        self.app = App(self)

    def expect_list(self, when, *grants):
        code, says = self.app.run("promoctl list", *grants)
        self.expect(code == 0 and "Bookary" in says, f"{when} promoctl list ends with {code}: {says}")


def grant(stage):
    """Without the permission, promoctl names it, and the command that it prints grants it."""
    code, says = stage.app.run("promoctl list")
    stage.expect(code == 69, f"without a permission promoctl list ends with {code}: {says}")
    [command] = re.findall(r'"(flatpak [^"]*)"', says) or [""]
    stage.expect(command == f"flatpak override --user {GRANT} {APP}", f"promoctl says {says}")
    code, says = stage.app.run("promoctl doctor --json")
    texts = [problem["text"] for problem in json.loads(says)["problems"]]
    stage.expect(code == 1 and len(texts) == 1 and command in texts[0], f"promoctl doctor ends with {code}: {says}")
    stage.app(*command.split()[1:])
    stage.expect_list("with the permission")
    said = []
    with stage.app.shell() as shell:
        stage.expect("Read-only" in shell(f"true > {stage.app.runtime}/promod/other"), "a file can be made beside the socket")
        restart(stage.daemon, lambda: said.append(shell("promoctl list")))
        stage.expect("Start promod on the host" in said[0] and "override" not in said[0], f"of a stopped promod promoctl says {said}")
        stage.expect("Bookary" in shell("promoctl list"), "after a restart the same sandbox does not reach promod")


def icons(stage):
    """iconPath is that of the host: its file is visible with a permission, and without it `icon` has the picture."""
    app, path, picture = _picture(stage)
    with stage.app.shell(GRANT) as shell:
        def ask(**request):
            return json.loads(shell(f"echo '{json.dumps(request)}' | nc.openbsd -NU {stage.app.runtime}/promod/promod.sock"))["result"]
        seen = ask(method="list", icons=True)["apps"][0]["iconPath"]
        stage.expect(seen == path, f"iconPath is {seen} inside and {path} outside")
        stage.expect("No such file" in shell(f"base64 {path}"), "the picture is visible without a permission")
        found = ask(method="icon", app=app)
        stage.expect(found["data"] == picture, f"icon is answered {found}")
    with stage.app.shell(GRANT, f"--filesystem={CACHE}:ro") as shell:
        stage.expect(shell(f"base64 -w 0 {path}") == picture, "the picture is not visible with the permission")


def app_first(stage):
    """The directory is made after the sandbox, which therefore never sees it; the next one does."""
    with stage.app.shell(GRANT) as shell:
        stage.expect("flatpak override" in shell("promoctl list"), "without the directory promoctl names no permission")
        stage.start()
        said = shell("promoctl list")
        stage.expect("start this app again" in said, f"in the sandbox that was first promoctl says {said}")
        stage.expect_list("in a sandbox that was made later", GRANT)


def unknown(stage):
    """promod reads no file of a sandbox, so the library writes none there, and says what brings the catalog."""
    with stage.app.shell(GRANT) as shell:
        program = "{ LibraryProbe own https://localhost:1/acme.json & echo $!; }"
        said = shell(program + ' | { read -r id; read -r apps; read -r error; kill "$id"; echo "$error"; }')
        stage.expect("the app's package has to bring it" in said, f"of a catalog that promod does not know the library says {said}")


def _picture(stage):
    """The id of the sample's first app, the path of its picture, and the picture in base64, as soon as it is on disk."""
    def app():
        return stage.daemon.ask("list", icons=True)["apps"][0]
    if not comes(lambda: os.path.exists(app()["iconPath"] or "")):
        raise Failed(f"there is no picture: {app()}")
    with open(app()["iconPath"], "rb") as file:
        return app()["id"], app()["iconPath"], base64.b64encode(file.read()).decode()


def check(name, claim, body, starts=True):
    """A check with an app, and with promod unless the check starts it."""
    def play(stage):
        stage.start_app()
        if starts:
            stage.start()
        return body(stage)
    return staged(AppStage, name, claim, play)


CHECKS = [
    check("flatpak-grant", "in a Flatpak promoctl names the permission that it lacks, and with it reaches promod", grant),
    check("flatpak-icons", "in a Flatpak icon has the pictures, and another permission shows the files of iconPath", icons),
    check("flatpak-unknown", "in a Flatpak an app whose catalog promod does not know hears that its package has to bring it", unknown),
    check("flatpak-first", "a Flatpak that runs when promod's directory is made reaches promod when it is started again", app_first,
          starts=False),
]
