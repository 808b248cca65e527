"""promod with an origin that has catalogs and pictures, and the programs that a person runs beside it."""
import functools
import json
import os
import subprocess
import zlib

from .check import staged
from .claims import Failed
from .files import write
from .scripted import ScriptedOrigin
from .stage import Stage
from .wire import PATIENCE

CATALOG = "/catalog.json"
TAGLINE = {"en": "A quiet little app"}


class Shelf(ScriptedOrigin):
    """An origin with files by their paths."""

    def __init__(self, directory):
        super().__init__(directory)
        self.files = {}

    def reply_to(self, request):
        path = request.split(b" ", 2)[1].decode()
        content = self.files.get(path)
        if content is None:
            return b"404 Not Found\r\nContent-Length: 0\r\n", b""
        return b"200 OK\r\nContent-Length: %d\r\n" % len(content), content

    def at(self, path):
        """The address of a path."""
        return f"https://127.0.0.1:{self.port}{path}"


class Shop(Stage):
    """promod, which is configured for its origin."""

    make_origin = Shelf

    def __init__(self, binary):
        super().__init__(binary)
        self.configure()

    def app(self, number, name, picture=None, **more):
        """An app of a catalog, and its picture at the origin if it has one."""
        path = f"/icons/{zlib.crc32(picture or bytes())}"
        if picture is not None:
            self.origin.files[path] = picture
        return {
            "id": f"app-{number}", "name": name, "appStoreID": str(6_000_000_000 + number), "iconURL": self.origin.at(path),
            "category": "Books", "tagline": TAGLINE, **more}

    def publish(self, apps, rules=None, path=CATALOG):
        """Puts a catalog at the origin."""
        self.origin.files[path] = json.dumps({"apps": apps, "promoRules": rules or {}}).encode()

    def add(self, name, url, **settings):
        """Adds a catalog as a package of its publisher does; a reload puts it into force."""
        lines = {"url": url, "ca-file": self.origin.certificate, **settings}
        text = "".join(f"{key} = {json.dumps(value)}\n" for key, value in lines.items())
        write(f"{self.directory}/share/promod/catalogs.d/{name}.toml", text)

    def start(self):
        """Starts promod, and returns when the first fetch has ended."""
        self.daemon.start()
        self.daemon.ask("list", wait=True)

    def run(self, program, *arguments, limit=None, **variables):
        """Runs promod or promoctl in the daemon's environment, where no file may be larger than the limit."""
        limiter = [] if limit is None else ["prlimit", f"--fsize={limit}"]
        command = [*limiter, f"{os.path.dirname(self.daemon.binary)}/{program}", *arguments]
        return self.launch(command, **variables)

    def launch(self, command, **variables):
        """Runs a command in the daemon's environment."""
        # Python ignores the signal of a limit for files, and so does the command.
        return subprocess.run(
            command, env={"PATH": os.environ["PATH"], **self.daemon.environment, **variables}, cwd=self.directory,
            stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False,
            restore_signals=False)

    def expect_run(self, program, *arguments, **variables):
        """What a program prints that must succeed."""
        done = self.run(program, *arguments, **variables)
        if done.returncode != 0:
            raise Failed(f"{program} {' '.join(arguments)} ends with {done.returncode}: {done.stderr}")
        return done.stdout

    def page(self, *arguments, **variables):
        """The path of a page that promoctl writes."""
        path = f"{self.directory}/page.html"
        self.expect_run("promoctl", "page", "--output", path, *arguments, **variables)
        return path


# In a shop promod does not run yet.
check = functools.partial(staged, Shop)
