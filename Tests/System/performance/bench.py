"""The settings of a run, its directory, its alternating rounds and its progress."""
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile

from support.scratch import Scratch


class Bench(Scratch):
    """One run of the comparison."""

    def __init__(self, promods, rounds, seconds, is_short):
        # In memory, so that the disk is not measured.
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        super().__init__(tempfile.mkdtemp(prefix="promod-compare-", dir=memory))
        self.promods = promods
        self.rounds, self.seconds, self.is_short = rounds, seconds, is_short
        self.row = ""
        self.replies = 0

    def close(self):
        shutil.rmtree(self.directory, ignore_errors=True)

    def compiled(self, source, *options):
        """The program, or with -shared the library, compiled from a C file beside this one."""
        program = self.file(os.path.splitext(source)[0])
        if not os.path.exists(program):
            here = os.path.dirname(os.path.abspath(__file__))
            subprocess.run(
                ["gcc", "-O2", "-Wall", "-Wextra", "-Werror", *options, "-o", program, f"{here}/{source}"], check=True)
        return program

    def alternate(self, measurements, rounds=None):
        """The results of each measurement in each round. They take turns, so that other load on the machine affects all alike."""
        rounds = rounds or self.rounds
        results = {name: [] for name in measurements}
        for number in range(rounds):
            for name, measure in measurements.items():
                self.progress(f"round {number + 1} of {rounds}, {name}")
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

    def progress(self, text):
        """Reports progress on stderr: on one line of a terminal, else on a line each."""
        if sys.stderr.isatty():
            print(f"\r\033[K{self.row}: {text}", end="", file=sys.stderr, flush=True)
        else:
            print(f"{self.row}: {text}", file=sys.stderr, flush=True)
