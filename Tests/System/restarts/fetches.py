"""Kills the fetching process at the system calls of a fetch. promod loses nothing, and keeps nothing of it."""
import json
import os
import select
import time

from support import catalog, chance
from support.check import Check, LeftOut
from support.claims import problem
from support.daemon import GAP
from support.reborn import Reborn
from support.scripted import ScriptedOrigin
from support.wire import Case, comes
from .ptrace import ChildTracer, is_possible

# A whole fetch has some 800 calls, of which most load libraries. Each run kills at every 37th, from a first one by chance.
STEP = 37


class FetchKills:
    """Rounds: each requests a refresh, and kills its process some system calls later than the last."""

    def __init__(self, binary):
        if not is_possible():
            raise LeftOut("no process may follow the system calls of another one here")
        self.daemon = Reborn(binary)
        self.origin = ScriptedOrigin(self.daemon.directory)
        self.problems = []

    def run(self):
        daemon, origin = self.daemon, self.origin
        served = catalog.small(0)
        origin.body = served.bytes
        origin.open()
        daemon.configure(
            catalog__url=origin.url, catalog__ca_file=origin.certificate, retry__base="1h")
        began = time.monotonic()
        try:
            daemon.start()
            daemon.hear()
            daemon.ask("list", wait=True)
            open_files = self._open_files
            number, kills = chance.choices("kills of fetches").randint(1, STEP), 0
            while not self.problems and self._round(number, served, open_files):
                number, kills = number + STEP, kills + 1
            self.problems += problem(kills < 200 // STEP, f"only {number} system calls were seen")
        finally:
            daemon.stop()
            origin.close()
        return f"{kills} kills in {time.monotonic() - began:.0f} s", self.problems

    @property
    def _open_files(self):
        return len(os.listdir(f"/proc/{self.daemon.pid}/fd"))

    def _round(self, number, served, open_files):
        """Returns whether the process was killed, and not too late for that."""
        daemon = self.daemon
        time.sleep(GAP)
        connection = daemon.connect()
        tracer = ChildTracer(daemon.pid)
        connection.send([Case("refresh", {})])
        is_killed = tracer.run(number, lambda: select.select([connection.socket], [], [], 0)[0])
        tracer.release()
        result = json.loads(connection.read_lines()[0])["result"]
        connection.close()
        error = result["error"] or {"code": "", "message": ""}
        # A process that is killed after its answer has answered.
        right = ["", "fetch-process"] if is_killed else [""]
        self.problems += [
            *problem(error["code"] not in right, f"killed at call {number}, the refresh ends as {error}"),
            *problem(error["code"] and "by signal 9 (Killed)" not in error["message"], f"killed at call {number}: {error['message']}"),
            *problem(daemon.ask("list")["generation"] != served.generation, f"after call {number} another catalog is served"),
            *problem(not comes(lambda: not daemon.children), f"after call {number} the children {daemon.children} are left"),
            *problem(not comes(lambda: self._open_files <= open_files), f"after call {number} {self._open_files} files are open, not {open_files}"),
        ]
        return is_killed


CHECKS = [
    Check("kills-of-fetches", "a fetching process that is killed at a system call is a failed fetch, and leaves nothing behind",
          lambda binary: FetchKills(binary).run())]
