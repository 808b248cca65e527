"""A run: its settings, its directory, its alternating rounds, and the promods under comparison."""
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile

from support.claims import Failed
from support.daemon import Daemon


class Bench:
    """One run of the comparison."""

    def __init__(self, promods, rounds, seconds):
        # In memory, so that the disk is not measured.
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self.directory = tempfile.mkdtemp(prefix="promod-compare-", dir=memory)
        self.paths = promods
        self.rounds, self.seconds, self.row = rounds, seconds, ""

    def close(self):
        shutil.rmtree(self.directory, ignore_errors=True)

    def file(self, name, content=None):
        """The path of a file in the directory, written if there is content."""
        path = f"{self.directory}/{name}"
        if content is not None:
            with open(path, "wb") as file:
                file.write(content)
        return path

    def compiled(self, source, *options):
        """The program, or with -shared the library, compiled from a C file beside this one."""
        program = self.file(os.path.splitext(source)[0])
        if not os.path.exists(program):
            here = os.path.dirname(os.path.abspath(__file__))
            subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", *options, "-o", program, f"{here}/{source}"], check=True)
        return program

    def alternate(self, measurements):
        """The results of each measurement in each round. They take turns, so that other load on the machine affects all alike."""
        results = {name: [] for name in measurements}
        for number in range(self.rounds):
            for name, measure in measurements.items():
                print(f"{self.row}: round {number + 1} of {self.rounds}, {name}", file=sys.stderr, flush=True)
                results[name].append(measure())
        return results

    @contextlib.contextmanager
    def running(self, *servers):
        """Starts servers, and stops them in any case."""
        with contextlib.ExitStack() as stack:
            for server in servers:
                stack.callback(server.stop)
                server.start()
            yield

    def promods(self, origin=None):
        """A promod for each program, by name, not yet started, with the sample or with an origin's catalog."""
        daemons = {name: Daemon(path) for name, path in self.paths.items()}
        for daemon in daemons.values():
            if origin:
                daemon.configure(catalog__url=origin.url, catalog__ca_file=origin.certificate)
        return daemons

    def for_each_promod(self, measure):
        """A measurement for each program, by name; it gets the path."""
        return {name: lambda path=path: measure(path) for name, path in self.paths.items()}


def refreshed(daemon, content):
    """Refreshes, and checks that the daemon serves this catalog."""
    result = daemon.refresh()
    if result["error"] or result["generation"] != content.generation:
        raise Failed(f"a refresh was answered {result}")
