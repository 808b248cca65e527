"""Kills promoctl setup at each system call on files. Afterwards the file is the old one or the new one, whole, and promod reads it."""
import os
import subprocess
import time

from support import catalog
from support.chance import choices
from support.check import Check
from support.claims import problem
from support.origin import Origin
from support.reborn import Reborn
from .faults import check_strace

NAMES = ["default", "acme"]
# Those that may change a file, or come before one that does.
CALLS = "%file,write,fsync,ftruncate,fchmod"
NOWHERE = "https://localhost:1/catalog.json"
KILLED = -9


class Setups:
    """Rounds: each sets one of two catalogs to an address that is good or not, and is killed one system call later than the last."""

    def __init__(self, binary):
        check_strace()
        self.daemon = Reborn(binary)
        self.daemon.is_sample = False
        self.promoctl = f"{os.path.dirname(os.path.abspath(binary))}/promoctl"
        self.origin = Origin(self.daemon.directory)
        self.rng = choices("setups")
        self.directory = f"{self.daemon.directory}/config/promod/catalogs.d"
        self.addresses = self.kills = 0
        self.problems = []

    def run(self):
        daemon, origin = self.daemon, self.origin
        origin.body = catalog.small().bytes
        origin.open()
        began = time.monotonic()
        try:
            daemon.start()
            for name in NAMES:
                self.problems += problem(self._setup(name, self._good, ()) != 0, f"the first setup of {name} fails")
            for is_good in True, False:
                call = 1
                while not self.problems and self._round(is_good, call):
                    call += 1
        finally:
            daemon.stop()
            origin.close()
        return f"{self.kills} kills in {time.monotonic() - began:.0f} s", self.problems

    @property
    def _good(self):
        self.addresses += 1
        return f"https://localhost:{self.origin.port}/{self.addresses}.json"

    def _setup(self, name, address, launcher):
        """The exit code of promoctl."""
        command = [*launcher, self.promoctl, "setup", address, "--catalog", name, "--ca-file", self.origin.certificate]
        return subprocess.run(command, env=self.daemon.environment, capture_output=True, check=False).returncode

    def _round(self, is_good, call):
        """Returns whether the setup was killed before its last system call."""
        name, address, before = self.rng.choice(NAMES), self._good if is_good else NOWHERE, self._texts
        kill = ["strace", "-f", "-qq", "-o", os.devnull, "-e", f"inject={CALLS}:signal=KILL:when={call}"]
        code = self._setup(name, address, kill)
        is_killed = code in (KILLED, 137)
        self.kills += is_killed
        after = self._texts
        new = f'# Written by promoctl setup, which replaces the whole file.\nurl = "{address}"\nca-file = "{self.origin.certificate}"\n'
        allowed = {before[name], new} if is_killed else {new if is_good else before[name]}
        left = set(os.listdir(self.directory)) - {f"{name}.toml" for name in NAMES} - {f".{name}.toml.former" for name in NAMES}
        self._note(call, after[name] not in allowed, f"{name}.toml is {after[name]!r}")
        self._note(call, any(after[other] != before[other] for other in NAMES if other != name), "the other catalog's file has changed")
        self._note(call, not is_killed and code != (0 if is_good else 75), f"promoctl exits with {code}")
        self._note(call, not is_killed and os.path.exists(f"{self.directory}/.{name}.toml.former"), "the former file is left")
        self._note(call, any(not file.startswith(".promod-output.") for file in left), f"{left} is left")
        self._compare(call, after)
        return is_killed

    def _compare(self, call, texts):
        """promod has read both files."""
        self.daemon.ask("reload")
        for name in NAMES:
            (status,) = self.daemon.ask("status", catalog=name)["catalogs"]
            found = os.stat(f"{self.directory}/{name}.toml")
            is_right = status["fileID"] == f"{found.st_dev}:{found.st_ino}" and f'url = "{status["url"]}"\n' in texts[name]
            self._note(call, not is_right, f"promod reads {status}, not {texts[name]!r}")

    @property
    def _texts(self):
        texts = {}
        for name in NAMES:
            try:
                with open(f"{self.directory}/{name}.toml", encoding="utf-8") as file:
                    texts[name] = file.read()
            except FileNotFoundError:
                texts[name] = ""
        return texts

    def _note(self, call, is_wrong, text):
        self.problems += problem(is_wrong, f"killed at system call {call}: {text}")


CHECKS = [
    Check("setup-killed", "after a kill of promoctl setup at each system call, the catalog's file is the old or the new one, and no other "
          "has changed", lambda binary: Setups(binary).run())]
