"""One promod with an origin, and the sandboxes of its clients."""
import contextlib
import json
import os
import subprocess

from support.cases import GOOD
from support.check import staged
from support.claims import Failed, problem
from support.daemon import Daemon
from support.scripted import ScriptedOrigin
from support.wire import PATIENCE, comes
from .sandbox import PROMOCTL, Follower, Sandbox


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
        self.daemon.configure(
            catalog__url=self.origin.url, network__ca_file=self.origin.certificate, review__min_completions=0,
            review__min_days_since_first_launch=0)

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

    def sandbox(self, *options, source="", target="", bind="--ro-bind", **variables):
        """A sandbox with the socket's directory, or another source, at the same path or at the target."""
        source = source or self.place
        binds = {self.promoctl_binary: PROMOCTL, source: target or source}
        return Sandbox(binds, {"XDG_RUNTIME_DIR": self.runtime, **variables}, options, bind)

    @contextlib.contextmanager
    def following(self, sandbox, kind="tap"):
        """promoctl events in a sandbox, which has subscribed."""
        with Follower(sandbox, kind) as follower:
            if not comes(lambda: self.daemon.ask("status")["socket"]["subscribers"] == 1):
                raise Failed(f"promoctl events does not subscribe: {follower.notes}")
            yield follower

    def tap(self, host, app="app-1"):
        """Taps an app outside of all sandboxes."""
        subprocess.run(
            [self.promoctl_binary, "tap", app, "--host", host], env=self.daemon.environment, stdin=subprocess.DEVNULL,
            check=True, capture_output=True, timeout=PATIENCE)

    def expect_taps(self, follower, *hosts):
        """The follower receives the taps of these hosts, in this order and no others."""
        comes(lambda: len(follower.events) >= len(hosts))
        found = [event["host"] for event in follower.events]
        right = found == list(hosts)
        self.expect(right, f"promoctl events shows the taps of {found}, not of {list(hosts)}; it says {follower.notes!r}")

    def ask(self, sandbox, method, path="", **parameters):
        """The reply to a request that a plain program in the sandbox sends."""
        request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters})
        return json.loads(sandbox.get("ask", path or self.socket, request + "\n"))

    def expect_service(self, sandbox, when, path=""):
        """promoctl and a plain program in the sandbox both get the catalog."""
        for client, result in {
            "promoctl": sandbox.promoctl_json("list"), "a plain program": self.ask(sandbox, "list", path)["result"],
        }.items():
            right = result["generation"] == GOOD.generation and [app["id"] for app in result["apps"]] == list(GOOD.apps)
            self.expect(right, f"{when} {client} gets {result}")

    def expect_cut_off(self, sandbox, when, error="ECONNREFUSED"):
        """Neither promoctl nor a plain program in the sandbox reaches promod."""
        code, _, says = sandbox.promoctl("list")
        self.expect(code == 69 and self.socket in says, f"{when} promoctl list ends with {code}: {says}")
        found = sandbox.attempt("ask", self.socket, "")
        self.expect(found == error, f"{when} a connection fails with {found}, not {error}")


def check(name, claim, body, known="", starts=True):
    """A check with a stage of its own, on which promod runs already."""
    def play(stage):
        if starts:
            stage.start()
        return body(stage)
    return staged(Stage, name, claim, play, known)


def copied(program, path):
    """Copies a program, and returns the path of the copy."""
    # By a process of its own: what another thread starts meanwhile would inherit the open file, and keep it from being executed.
    subprocess.run(["cp", program, path], check=True)
    return path
