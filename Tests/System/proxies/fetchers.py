"""Programs that fetch one address after another in one environment: promod, and curl, which reads the same variables."""
import os
import subprocess

from support.daemon import Daemon
from support.claims import Failed
from support.wire import PATIENCE
from .ground import Everywhere


class Promod(Daemon):
    """A promod whose catalog's address changes."""

    is_sample = False

    def __init__(self, binary, variables=(), arguments=(), **settings):
        super().__init__(os.path.abspath(binary), RES_OPTIONS="timeout:1 attempts:1", **dict(variables))
        self.arguments = arguments
        self.configure(catalog__ca_file=Everywhere.it.certificate, **settings)

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *failure):
        if self.is_alive:
            # Nothing depends on how it ends, and this is faster.
            self.process.kill()
        self.process.wait()
        self.stop()

    def fetch(self, url):
        """The code and the message of the failure, both empty if there is none."""
        self.configure(catalog__url=url)
        self.ask("reload")
        error = self.refresh()["error"]
        return (error["code"], error["message"]) if error else ("", "")

    def run(self, program, *arguments, **variables):
        """Runs promod or promoctl in the daemon's environment with these changes."""
        path = f"{os.path.dirname(self.binary)}/{program}"
        try:
            return subprocess.run(
                [path, *arguments], env={**self.environment, **variables}, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                timeout=PATIENCE, check=False)
        except FileNotFoundError as error:
            raise Failed(f"there is no {path}") from error


class Curl:
    """curl in place of a promod."""

    codes = {0: "", 5: "proxy", 7: "connect", 56: "proxy", 60: "untrusted"}

    def __init__(self, _, variables=()):
        self.environment = {"PATH": os.environ["PATH"], **dict(variables)}
        self.certificate = Everywhere.it.certificate

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        pass

    def configure(self, catalog__ca_file):
        """Trusts these certificates."""
        self.certificate = catalog__ca_file

    def fetch(self, url):
        """The code that promod would have, and the message, both empty if there is no failure."""
        command = ["curl", "--disable", "--silent", "--show-error", "--location", "--cacert", self.certificate, "--output", os.devnull, url]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        return self.codes.get(done.returncode, f"exit {done.returncode}"), done.stderr.strip()
