"""A promod that is ended in every way, and started again on the same files."""
import json
import os
import stat

from support.daemon import Daemon



class Reborn(Daemon):
    """One promod after another in the same directories."""

    def __init__(self, binary):
        # Without a runtime directory it does not wait after several unexpected ends in a row.
        super().__init__(binary, XDG_RUNTIME_DIR="none")

    def kill(self):
        self.process.kill()
        self.process.wait()

    @property
    def files(self):
        """The contents of all regular files in its directories, by name."""
        found = {}
        for place in "cache", "state":
            directory = f"{self.directory}/{place}/promod"
            for name in os.listdir(directory) if os.path.isdir(directory) else ():
                if stat.S_ISREG(os.lstat(f"{directory}/{name}").st_mode):
                    with open(f"{directory}/{name}", "rb") as file:
                        found[name] = file.read()
        return found

    def seed_reviews(self, url, apps):
        """Writes the review history of the catalog of an address before the first start."""
        os.makedirs(f"{self.directory}/state/promod", mode=0o700, exist_ok=True)
        with open(f"{self.directory}/state/promod/reviews.json", "w", encoding="ascii") as file:
            json.dump({"format": 3, "catalogs": {url: apps}}, file)
