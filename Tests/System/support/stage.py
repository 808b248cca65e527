"""promod and an origin, and what is wrong with them."""
from .check import Check
from .claims import problem
from .daemon import Daemon
from .scripted import ScriptedOrigin


class Stage:
    """promod, which does not run yet, and an origin, from the beginning to the end of a block."""

    make_daemon, make_origin = Daemon, ScriptedOrigin

    def __init__(self, binary, **variables):
        self.problems = []
        self.daemon = self.make_daemon(binary, **variables)
        self.directory = self.daemon.directory
        self.origin = self.make_origin(self.directory)

    @classmethod
    def check(cls, name, claim, *subject, alone=False):
        """A check that `run` performs on a stage of its own, which is made of a subject and the path of promod."""
        def run(binary):
            with cls(*subject, binary) as stage:
                return stage.run()
        return Check(name, claim, run, alone)

    def __enter__(self):
        self.origin.open()
        return self

    def __exit__(self, *failure):
        self.daemon.stop()
        self.origin.close()

    def expect(self, condition, text):
        self.problems += problem(not condition, text)

    def expect_equal(self, found, expected, what):
        self.expect(found == expected, f"{what}: {found}, not {expected}")

    def configure(self, **settings):
        """Has promod fetch its catalog from the origin, if these settings name no other place."""
        self.daemon.configure(**{"catalog__url": self.origin.url, "catalog__ca_file": self.origin.certificate, **settings})
