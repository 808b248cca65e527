"""Directories, pipes, links and files of another owner or mode in place of promod's own."""
import contextlib
import json
import os
import re
import stat
import time
from dataclasses import dataclass

from support import catalog
from support.check import LeftOut
from support.claims import Failed, problem
from support.files import read, write
from support.trial import new_lines, read_log
from .reborn import CACHE, Rebirths, resolved

OLD, NEW = catalog.small(0), catalog.small(1)
ANOTHER = 65534
# Root keeps its number, but not its rights.
LAUNCHER = ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--"]
SOON = 10  # seconds within which everything is answered, even on a busy machine
VICTIM = "what somebody else needs\n"
STATE = "state/promod"


@dataclass
class Trap:
    """What is in place of a file or directory, and what promod does then."""

    kind: str
    path: str
    says: str = ""  # A regular expression for the log after the start; nothing is wrong if empty.
    is_stored: bool = True
    is_launched: bool = True
    is_cached: bool = True  # Whether the old catalog is served at the start, without a fetch.

    @property
    def name(self):
        base, place = os.path.basename(self.path), self.path.split("/")[0]
        base = place if base in ("promod", "default") else base.lstrip(".").replace(".json", "").replace(".", "-")
        return f"{base}-{self.kind}" if place == "state" or base == place else f"cache-{base}-{self.kind}"

    @property
    def claim(self):
        served = "the old catalog is served" if self.is_cached else "the old catalog is not served"
        stored = "the next is stored" if self.is_stored else "the next is served from memory"
        launched = "launches are recorded" if self.is_launched else "launches are refused"
        return f"promod starts and says {self.says or 'nothing'}; {served}, {stored}, {launched}"


def directory(path, _):
    os.makedirs(f"{path}/inside")


def pipe(path, _):
    os.mkfifo(path)


def link(path, directory):
    os.symlink(f"{directory}/victim", path)


def hard_link(path, directory):
    os.link(f"{directory}/victim", path)


def dangling(path, directory):
    os.symlink(f"{directory}/nowhere", path)


def file(path, _, content=VICTIM):
    with open(path, "w", encoding="ascii") as opened:
        os.fchmod(opened.fileno(), 0o600)
        opened.write(content)


def empty(path, directory):
    file(path, directory, "")


def with_mode(mode):
    """Gives what is there another mode."""
    return lambda path, _: os.chmod(path, mode)


def of_another(path, _):
    os.chown(path, ANOTHER, ANOTHER)
    os.chmod(path, 0o755)


# These replace what is there; the others change it.
REPLACING = {"directory": directory, "pipe": pipe, "link": link, "dangling": dangling, "file": file, "empty": empty,
             "hard-link": hard_link}
CHANGING = {"unreadable": with_mode(0), "read-only": with_mode(0o500), "open-to-all": with_mode(0o777), "of-another": of_another}
NOT_REGULAR = "[Nn]ot a regular file|[Ii]s a directory"

TRAPS = [
    Trap("directory", f"{CACHE}/catalog", "cached catalog is not served: .*Is a directory", is_stored=False, is_cached=False),
    Trap("pipe", f"{CACHE}/catalog", f"cached catalog is not served: .*({NOT_REGULAR})", is_cached=False),
    Trap("link", f"{CACHE}/catalog", "cached catalog is damaged: .*set aside", is_cached=False),
    Trap("dangling", f"{CACHE}/catalog", is_cached=False),
    Trap("unreadable", f"{CACHE}/catalog", "cached catalog is not served: .*Permission denied", is_cached=False),
    Trap("directory", f"{CACHE}/.catalog.new", is_stored=False),
    *(Trap(kind, f"{CACHE}/.catalog.new") for kind in ("pipe", "link")),
    Trap("pipe", f"{CACHE}/schedule.json", f"schedule is forgotten: .*({NOT_REGULAR})"),
    Trap("empty", f"{CACHE}/schedule.json", "schedule is forgotten: .*not a valid schedule"),
    Trap("pipe", f"{STATE}/reviews.json", f"review history cannot be used.*({NOT_REGULAR})", is_launched=False),
    Trap("link", f"{STATE}/reviews.json", "review history was set aside"),
    Trap("unreadable", f"{STATE}/reviews.json", "review history cannot be used.*Permission denied", is_launched=False),
    Trap("directory", f"{STATE}/reviews.json", "review history cannot be used.*Is a directory", is_launched=False),
    Trap("hard-link", f"{STATE}/.reviews.json.new"),
    *(Trap(kind, f"{STATE}/reviews.lock", f"review history is used without a lock.*({NOT_REGULAR})") for kind in ("directory", "pipe")),
    Trap("link", f"{STATE}/reviews.lock", "review history is used without a lock.*symbolic link"),
    Trap("file", CACHE, "refresh schedule was not written.*Not a directory", is_stored=False, is_cached=False),
    # promod mends the mode of its own directories before it writes.
    Trap("unreadable", CACHE, "cached catalog is not served: .*Permission denied", is_cached=False),
    Trap("open-to-all", CACHE),
    Trap("of-another", CACHE, is_stored=False),
    Trap("file", STATE, "review history is used without a lock.*Not a directory", is_launched=False),
    Trap("read-only", STATE),
    Trap("open-to-all", STATE),
    Trap("of-another", STATE, "review history is used without a lock.*Permission denied", is_launched=False),
]


class Trial(Rebirths):
    """Sets a trap, and returns the figures of the promod that meets it, and its problems."""

    def __init__(self, trap, binary):
        if trap.kind == "of-another" and os.getuid() != 0:
            raise LeftOut("only root can give files to another user")
        super().__init__(binary)
        self.trap = trap
        self.daemon.launcher = LAUNCHER if os.getuid() == 0 else []

    def __exit__(self, *failure):
        with contextlib.suppress(OSError):
            os.chmod(resolved(self.daemon, self.trap.path), 0o700)
        super().__exit__(*failure)

    def run(self):
        daemon, trap = self.daemon, self.trap
        self.origin.body = NEW.bytes
        self.configure(review__min_days_since_first_launch=0)
        self._set()
        began = time.monotonic()
        daemon.start()
        started = time.monotonic() - began
        before, log = daemon.ask("list"), self._log()
        began = time.monotonic()
        result = daemon.refresh()
        launches = [self._launch() for _ in range(3)]
        took = time.monotonic() - began
        problems, after = daemon.problems, daemon.ask("list")
        return f"started in {started * 1e3:.0f} ms; {' '.join(line[:250] for line in log) or 'no warning'}", [
            *problem(max(started, took) > SOON, f"it took {started:.1f} s to start, and {took:.1f} s to answer"),
            *problem((before["generation"] == OLD.generation) != trap.is_cached, f"at the start {before['generation']} is served"),
            *problem((after["generation"], len(after["apps"])) != (NEW.generation, 12), f"a refresh is answered {result}"),
            *problem((result["error"] is None) != trap.is_stored, f"a refresh is answered {result}"),
            *problem(("storage" in problems) == trap.is_stored, f"status reports {problems}"),
            *problem(launches != [trap.is_launched] * 3, f"launches are recorded: {launches}"),
            *self._log_problems(log),
            *self._file_problems(),
        ]

    def _set(self):
        daemon, trap = self.daemon, self.trap
        self.seed(OLD)
        for name in ("reviews.json", "catalog"):
            place = STATE if name == "reviews.json" else CACHE
            os.chmod(resolved(daemon, f"{place}/{name}"), 0o600)
        for name in (f"{CACHE}/schedule.json", f"{STATE}/reviews.lock"):
            if name == trap.path:
                with open(resolved(daemon, name), "w", encoding="ascii") as made:
                    json.dump({"url": self.origin.url, "attempt": 0}, made)
        write(f"{daemon.directory}/victim", VICTIM)
        path = resolved(daemon, trap.path)
        if trap.kind in REPLACING and os.path.exists(path):
            os.rename(path, f"{daemon.directory}/moved")
        (REPLACING.get(trap.kind) or CHANGING[trap.kind])(path, daemon.directory)

    def _launch(self):
        """Whether an app's launch is recorded, now or before."""
        try:
            return bool(self.daemon.ask("launch", app="new"))
        except Failed as error:
            if "not-stored" not in str(error):
                raise
            return False

    def _log(self):
        """The warnings and errors in the log, with the awaited one, which may come a moment after the reply; without their times."""
        new_lines(self.daemon, 0, f" (warning|error): .*({self.trap.says})" if self.trap.says else "promod .* serves")
        # This promod has no sandbox, and says so.
        return [line.partition(": ")[2] for line in read_log(self.daemon).splitlines()
                if re.search(" (warning|error): ", line) and "without its sandbox" not in line]

    def _log_problems(self, lines):
        trap, path = self.trap, os.path.dirname(resolved(self.daemon, self.trap.path))
        if not trap.says:
            return problem(lines, f"the log warns: {lines}")
        matching = [line for line in lines if re.search(trap.says, line)]
        # What a refresh cannot write is logged by each, and the first one may be under way or over when another is requested.
        logged = self._log()
        later = [line for line in logged if "refresh schedule was not written" not in line and "served from memory" not in line]
        return [
            *problem(len(matching) != 1, f"the log says {lines}, not once {trap.says!r}"),
            *problem(matching and path not in matching[0], f"the log does not name {path}"),
            *problem(len(set(later)) < len(later), f"the log repeats itself: {later}"),
            *problem(sum("served from memory" in line for line in logged) > 2, f"two refreshes log: {logged}"),
        ]

    def _file_problems(self):
        daemon, trap = self.daemon, self.trap
        problems = problem(read(f"{daemon.directory}/victim") != VICTIM, "the file behind the link was changed")
        problems += problem(os.path.lexists(f"{daemon.directory}/nowhere"), "a file was made behind the link")
        trapped = resolved(daemon, trap.path)
        for place in daemon.cache, resolved(daemon, STATE):
            with contextlib.suppress(OSError):
                for name in os.listdir(place):
                    path = f"{place}/{name}"
                    status = os.lstat(path)
                    is_open = stat.S_ISREG(status.st_mode) and status.st_mode & 0o077
                    problems += problem(is_open and path != trapped, f"{path} has mode {stat.S_IMODE(status.st_mode):o}")
        return problems


CHECKS = [Trial.check(trap.name, trap.claim, trap) for trap in TRAPS]
