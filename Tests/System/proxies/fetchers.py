"""A promod that fetches one address after another in one environment."""
import os
import subprocess

from support.daemon import Daemon
from support.wire import PATIENCE
from .ground import Everywhere


class Promod(Daemon):
    """A promod whose catalog's address changes."""

    is_sample = False

    def __init__(self, binary, variables=(), arguments=(), **settings):
        super().__init__(binary, RES_OPTIONS="timeout:1 attempts:1", **dict(variables))
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
        self.stop()

    def fetch(self, url):
        """The code and the message of the failure, both empty if there is none."""
        self.configure(catalog__url=url)
        self.ask("reload")
        error = self.refresh()["error"]
        return (error["code"], error["message"]) if error else ("", "")

    def run(self, program, *arguments, **variables):
        """Runs promod or promoctl in the daemon's environment with these changes."""
        return subprocess.run(
            [f"{os.path.dirname(self.binary)}/{program}", *arguments], env={**self.environment, **variables}, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=PATIENCE, check=False)
