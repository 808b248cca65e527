"""One promod with an origin, and the sandboxes of its clients."""
import json
import os

from support.cases import GOOD
from support.check import staged
from support.claims import problem
from support.daemon import Daemon
from support.scripted import ScriptedOrigin
from .sandbox import HOME, PROMOCTL, Shell, command


class Stage:
    """promod with a socket in XDG_RUNTIME_DIR, from the beginning to the end of a block."""

    make_daemon = Daemon

    def __init__(self, binary):
        self.problems = []
        self.promoctl_binary = f"{os.path.dirname(os.path.abspath(binary))}/promoctl"
        # An empty variable counts as unset.
        self.daemon = self.make_daemon(os.path.abspath(binary), PROMOD_SOCKET="")
        self.runtime = f"{self.daemon.directory}/run"
        self.place = f"{self.runtime}/promod"
        self.socket = self.daemon.socket = f"{self.place}/promod.sock"
        self.origin = ScriptedOrigin(self.daemon.directory)
        self.origin.body = GOOD.bytes
        self.origin.open()
        self.daemon.configure(catalog__url=self.origin.url, network__ca_file=self.origin.certificate)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.daemon.stop()
        self.origin.close()

    def start(self):
        """Starts promod, and returns when it serves the catalog."""
        self.daemon.start()
        self.daemon.ask("list", wait=True)

    def expect(self, condition, text):
        self.problems += problem(not condition, text)

    def sandbox(self, *options, target="", **variables):
        """A shell in a sandbox with the socket's directory, at the same path or at the target."""
        return Shell(*command(self.promoctl_binary, self.place, target, options), environment={
            "PATH": "/usr/bin:/bin", "HOME": HOME, "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": self.runtime, **variables})

    def expect_service(self, shell, when, path=""):
        """promoctl and a plain program in the sandbox both get the catalog."""
        for client, line in {
            "promoctl": f"{PROMOCTL} list --json",
            "a plain program": f"""printf '{{"method":"list"}}' | nc.openbsd -NU {path or self.socket}""",
        }.items():
            says = shell(line)
            self.expect(f'"{GOOD.generation}"' in says and all(f'"{app}"' in says for app in GOOD.apps), f"{when} {client} gets {says}")

    def expect_cut_off(self, shell, when):
        says = shell(f"{PROMOCTL} list")
        self.expect(shell.code == 69 and self.socket in says, f"{when} promoctl list ends with {shell.code}: {says}")


def check(name, claim, body, starts=True):
    """A check with a stage of its own, on which promod runs already."""
    def play(stage):
        if starts:
            stage.start()
        return body(stage)
    return staged(Stage, name, claim, play)


def hosts(events):
    """The hosts of the taps among lines with events."""
    return [json.loads(line)["host"] for line in events.splitlines()]
