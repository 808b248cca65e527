"""A disk that refuses: strace makes the system calls of a commit fail, as a full, read-only or broken disk does."""
import errno
import functools
import hashlib
import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass

from support import catalog
from support.check import LeftOut
from support.claims import Failed, problem
from support.programs import missing
from support.trial import new_lines, read_log
from support.wire import comes
from .reborn import CACHE, Rebirths, resolved

OLD, NEW = catalog.small(0), catalog.small(1)
# strace's expressions for the calls, since architectures differ in what there is.
CALLS = {"open": "openat", "write": "write", "fsync": "fsync", "rename": "/^rename"}


@dataclass
class Fault:
    """A call on a file, or on the directory of it, that fails with an error."""

    file: str
    call: str
    error: str
    is_directory: bool = False

    @property
    def name(self):
        return "-".join([self.file.split(".")[0], "directory" if self.is_directory else self.call, self.error.lower()])

    @property
    def place(self):
        return "state/promod" if self.file == "reviews.json" else CACHE

    def path(self, daemon):
        return resolved(daemon, self.place if self.is_directory else f"{self.place}/.{self.file}.new")


class Trial(Rebirths):
    """A promod whose calls fail from its start on, and one after it whose calls do not."""

    def __init__(self, fault, binary):
        check_strace()
        super().__init__(binary)
        self.fault = fault

    def run(self):
        daemon, fault = self.daemon, self.fault
        self.configure(review__min_days_since_first_launch=0)
        self.seed(OLD)
        daemon.launcher = injecting(daemon, fault)
        daemon.start()
        figures, problems = getattr(self, "_" + fault.file.split(".")[0])()
        # A file may be being written once more, behind the reply.
        comes(lambda: not any(name.endswith(".new") for name in daemon.files), 5)
        leftover = [name for name in daemon.files if name.endswith(".new")]
        daemon.kill()
        daemon.launcher = ()
        daemon.start()
        return figures, [*problems, *problem(leftover, f"{leftover} is left"), *self._afterwards()]

    def _catalog(self):
        """It is served from memory, and status, reply and log say so."""
        daemon = self.daemon
        self.origin.body = NEW.bytes
        result, logged = self._refresh()
        problems, listing = daemon.problems, daemon.ask("list")
        stored = self.fault.is_directory
        on_disk = (NEW if stored else OLD).generation
        expected = None if stored else "storage"
        found = result["error"] and result["error"]["code"]
        message = result["error"]["message"] if result["error"] else logged
        return message, [
            *problem(result["outcome"] != "updated" or found != expected, f"the refresh is answered {result}"),
            *problem((listing["generation"], len(listing["apps"])) != (NEW.generation, 12), "the new catalog is not served"),
            *problem(problems != ([] if stored else ["storage"]), f"status reports {problems}"),
            *problem(cached_generation(daemon) != on_disk, "the file on disk is another one"),
            *self._message_problems(logged, "warning: " if stored else "error: "),
        ]

    def _schedule(self):
        """The catalog is stored, and the log says what a restart may forget."""
        daemon = self.daemon
        self.origin.body = NEW.bytes
        # What the last one logs comes after all that the others have logged.
        results = [self._refresh()[0] for _ in range(3)]
        problems = daemon.problems
        lines = [line for line in new_lines(daemon, 0, "schedule") if "schedule" in line]
        return lines[0] if lines else "", [
            *problem([result["outcome"] for result in results] != ["updated", "unchanged", "unchanged"], f"refreshes: {results}"),
            *problem(any(result["error"] for result in results), f"refreshes: {results}"),
            *problem(problems, f"status reports {problems}"),
            *problem(len(lines) != 1, f"the same problem is logged {len(lines)} times"),
            *self._message_problems("\n".join(lines), "warning: "),
        ]

    def _reviews(self):
        """A change is refused, or it is on disk."""
        daemon = self.daemon
        replies, logged = [], len(read_log(daemon))
        for _ in range(3):
            try:
                replies.append(daemon.ask("launch", app="new"))
            except Failed as error:
                replies.append(str(error))
        self._refresh()  # What it logs comes after all that the launches have logged.
        lines = [line for line in read_log(daemon)[logged:].splitlines() if "review history" in line]
        found = set(json.loads(daemon.files["reviews.json"])["apps"])
        if self.fault.is_directory:
            right = [reply["recorded"] for reply in replies if isinstance(reply, dict)] == [True, False, False]
            expected, level = {"old", "new"}, "warning: "
        else:
            right = all("not-stored" in str(reply) for reply in replies)
            expected, level = {"old"}, "error: "
        old = daemon.ask("review-eligible", app="old", completed=9, needsPage=False)
        return lines[0] if lines else "", [
            *problem(not right, f"launches are answered {replies}"),
            *problem(found != expected, f"the history on disk has {found}"),
            *problem(not old["eligible"], f"the history in memory has changed: {old}"),
            *self._message_problems("\n".join(lines), level),
            *problem(len(lines) != 1, f"the same problem is logged {len(lines)} times"),
        ]

    def _afterwards(self):
        """Whatever the disk refused, the next promod starts on whole files, and its disk takes everything."""
        daemon = self.daemon
        self.origin.body = NEW.bytes
        listing, log = daemon.ask("list"), read_log(daemon)
        result, launch = daemon.refresh(), daemon.ask("launch", app="newer")
        problems = daemon.problems
        return [
            *problem(re.search("damaged|forgotten|cannot", log), f"at the next start the log says {log}"),
            *problem(listing["state"] != "fresh", f"at the next start the catalog is {listing['state']}"),
            *problem(result["error"], f"at the next start a refresh is answered {result}"),
            *problem(problems, f"then status reports {problems}"),
            *problem(cached_generation(daemon) != NEW.generation, "then the catalog is not stored"),
            *problem(not launch["recorded"], f"then a launch is answered {launch}"),
        ]

    def _refresh(self):
        """The result of a refresh, and what the log says until it has ended."""
        logged = len(read_log(self.daemon))
        result = self.daemon.refresh()
        return result, "\n".join(new_lines(self.daemon, logged, "The catalog (was updated|is unchanged)"))

    def _message_problems(self, text, level):
        reason, path = os.strerror(getattr(errno, self.fault.error)), resolved(self.daemon, self.fault.place)
        return [
            *problem(reason not in text, f"the log does not name the reason, {reason}: {text}"),
            *problem(path not in text, f"the log does not name the place, {path}: {text}"),
            *problem(not any(level in line and reason in line for line in text.splitlines()), f"not logged as {level}{text}"),
        ]


class FirstOnDisk(Rebirths):
    """That an attempt begins is on disk before it begins, so that a crash during it cannot be forgotten."""

    def run(self):
        check_strace()
        daemon, on_disk = self.daemon, []
        self.origin.script = lambda visit: on_disk.append("schedule.json" in daemon.files)
        self.configure()
        # The disk takes a second for each file.
        daemon.launcher = ["strace", "-D", "-f", "-qq", "-o", f"{daemon.directory}/calls", "-e", "trace=fsync",
                           "-e", "inject=fsync:delay_enter=1000000"]
        daemon.start()
        comes(lambda: on_disk)
        return "", problem(on_disk != [True], "the origin is asked before the schedule is on disk")


def check_strace():
    """Leaves the check out if strace cannot make system calls fail here."""
    if reason := _obstacle():
        raise LeftOut(reason)


@functools.cache
def _obstacle():
    if reason := missing("strace"):
        return reason
    trial = ["strace", "-D", "-f", "-qq", "-o", os.devnull, "-e", "inject=fsync:error=EIO", "sync", tempfile.gettempdir()]
    said = subprocess.run(trial, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"}).stderr
    return "" if os.strerror(errno.EIO) in said else "strace may not follow other programs here"


def injecting(daemon, fault):
    """The start of a command line that makes a call of the command fail."""
    call = "fsync" if fault.is_directory else CALLS[fault.call]
    return ["strace", "-D", "-f", "-qq", "-o", f"{daemon.directory}/calls", "-P", fault.path(daemon),
            "-e", f"trace={call}", "-e", f"inject={call}:error={fault.error}"]


def cached_generation(daemon):
    return hashlib.sha256(daemon.files["catalog"].partition(b"\n")[2]).hexdigest()[:16]


FAULTS = [
    Fault("catalog", "open", "EROFS"), Fault("catalog", "write", "ENOSPC"), Fault("catalog", "fsync", "EIO"), Fault("catalog", "rename", "EIO"),
    Fault("catalog", "fsync", "EIO", is_directory=True), Fault("schedule.json", "write", "ENOSPC"), Fault("schedule.json", "rename", "EROFS"),
    Fault("reviews.json", "write", "ENOSPC"), Fault("reviews.json", "fsync", "EIO"), Fault("reviews.json", "rename", "EROFS"),
    Fault("reviews.json", "fsync", "EIO", is_directory=True)]
CLAIMS = {
    "catalog": "the catalog is served from memory, and reply, status and log say so; the old file stays",
    "schedule.json": "the catalog is refreshed and stored, and the log says once that a restart may forget the backoff",
    "reviews.json": "the launch is refused, nothing changes, and the log says why once",
}

CHECKS = [
    *(Trial.check(fault.name, "the log says once that a power cut may undo the change" if fault.is_directory else CLAIMS[fault.file], fault)
      for fault in FAULTS),
    FirstOnDisk.check("attempt-on-disk-first", "the schedule is on disk before the origin is asked"),
]
