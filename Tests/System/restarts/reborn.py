"""A promod that is ended in every way, and started again on the same files."""
import contextlib
import json
import os
import re
import stat

from support import times
from support.daemon import Daemon
from support.stage import Stage
from support.times import written
from support.trial import seed_cache

CACHE = "cache/promod/catalogs/default"  # in a path, the directory of the default catalog
LAUNCHED = {"firstLaunch": "2020-01-01T00:00:00Z", "requests": []}


def resolved(daemon, path):
    """The absolute path of what is in a daemon's directories."""
    return f"{daemon.directory}/{path}".replace(f"{daemon.directory}/{CACHE}", daemon.cache)


class Reborn(Daemon):
    """One promod after another in the same directories."""

    def kill(self):
        self.process.kill()
        self.process.wait()

    def move_schedule(self, seconds):
        """Moves the times of the schedule on disk, if there is one, while it does not run."""
        path = f"{self.cache}/schedule.json"
        with contextlib.suppress(FileNotFoundError), open(path, "r+", encoding="utf-8") as file:
            text = re.sub(r"\d{4}-[-:T\d]+Z", lambda time: written(times.seconds(time[0]) + seconds), file.read())
            file.seek(0)
            file.write(text)

    @property
    def files(self):
        """The contents of all regular files in its directories, by name."""
        found = {}
        for directory in f"{self.directory}/cache/promod", self.cache, f"{self.directory}/state/promod":
            for name in os.listdir(directory) if os.path.isdir(directory) else ():
                if stat.S_ISREG(os.lstat(f"{directory}/{name}").st_mode):
                    with open(f"{directory}/{name}", "rb") as file:
                        found[name] = file.read()
        return found

    def seed_reviews(self, apps):
        """Writes the review history before the first start."""
        os.makedirs(f"{self.directory}/state/promod", mode=0o700, exist_ok=True)
        with open(f"{self.directory}/state/promod/reviews.json", "w", encoding="ascii") as file:
            json.dump({"format": 4, "apps": apps}, file)


class Rebirths(Stage):
    """Such a promod and its origin."""

    make_daemon = Reborn

    def seed(self, content):
        """Writes a catalog that was fetched, and the launch of an app."""
        seed_cache(self.daemon, self.origin.url, content.bytes)
        self.daemon.seed_reviews({"old": LAUNCHED})
