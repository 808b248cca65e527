"""One promod with an origin, and the sandboxes of its clients."""
import json
import os

from support import stage
from support.cases import GOOD
from support.check import staged
from .sandbox import HOME, PROMOCTL, Shell, command


class Stage(stage.Stage):
    """promod with a socket in XDG_RUNTIME_DIR."""

    def __init__(self, binary):
        # An empty variable counts as unset.
        super().__init__(binary, PROMOD_SOCKET="")
        self.promoctl_binary = f"{os.path.dirname(binary)}/promoctl"
        self.runtime = f"{self.directory}/run"
        self.place = f"{self.runtime}/promod"
        self.socket = self.daemon.socket = f"{self.place}/promod.sock"
        self.origin.body = GOOD.bytes
        self.daemon.configure(catalog__url=self.origin.url, network__ca_file=self.origin.certificate)

    def start(self):
        """Starts promod, and returns when it serves the catalog."""
        self.daemon.start()
        self.daemon.ask("list", wait=True)

    def sandbox(self, *options):
        """A shell in a sandbox with the socket's directory."""
        return Shell(*command(self.promoctl_binary, self.place, options), environment={
            "PATH": "/usr/bin:/bin", "HOME": HOME, "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": self.runtime})

    def expect_service(self, shell, when):
        """promoctl and a plain program in the sandbox both get the catalog."""
        for client, line in {
            "promoctl": f"{PROMOCTL} list --json",
            "a plain program": f"""printf '{{"method":"list"}}' | nc.openbsd -NU {self.socket}""",
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
