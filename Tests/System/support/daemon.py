"""The promod under test, in a directory of its own, and its figures in /proc."""
import contextlib
import hashlib
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass

from .claims import Failed
from .files import read, write
from .wire import PATIENCE, Connection, asked

GAP = 1.01  # seconds after the last attempt, in which a refresh is deferred
DEBUG_MB = 14  # How much more memory the code of a debug build takes, with its counters of coverage.


@dataclass
class Sample:
    """The resources of the process at one moment; memory in MB."""

    rss: float
    dirty: float
    descriptors: int
    threads: int

    def __str__(self):
        return f"RSS {self.rss:.1f} MB, dirty {self.dirty:.1f} MB, {self.descriptors} descriptors, {self.threads} threads"


class Daemon:
    """A promod in directories of its own, with additional environment variables. It can be started many times."""

    # A program and its arguments that start the daemon in their place.
    launcher = ()
    # The daemon's own.
    arguments = ()
    # Whether its directories may be in memory.
    is_in_memory = True
    # Whether it serves the sample unless its user's configuration has a catalog.
    is_sample = True

    def __init__(self, binary, **variables):
        # In memory, because publications that change a file would wait for the disk, which is not tested here.
        memory = "/dev/shm" if self.is_in_memory and os.access("/dev/shm", os.W_OK) else None
        self.directory = tempfile.mkdtemp(prefix="promod-test-", dir=memory)
        self.binary = binary
        self.variables = variables
        self.socket = f"{self.directory}/promod.sock"
        self.settings = {}
        self.process = None
        self.manager = None

    def start(self):
        """Starts it, and returns when it reports that it is ready."""
        self.launch()
        end = time.monotonic() + PATIENCE
        while not select.select([self.manager], [], [], 0.01)[0] or b"READY=1" not in self.manager.recv(65536):
            if self.process.poll() is not None or time.monotonic() > end:
                raise Failed(f"promod does not start: {self.end_of_log}")

    def prepare(self):
        """Makes the runtime directory, and writes the system's default catalog, which is the sample, unless there is another one."""
        os.makedirs(f"{self.directory}/run", mode=0o700, exist_ok=True)
        if self.is_sample and not self._catalog and not os.path.exists(f"{self.directory}/etc"):
            write(f"{self.directory}/etc/promod/catalogs.d/default.toml", 'url = "sample"\n')

    def launch(self):
        """Starts it, and returns at once."""
        self.prepare()
        if self.manager is None:
            self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self.manager.bind(f"{self.directory}/notify")
        environment = {**self.environment, "NOTIFY_SOCKET": f"{self.directory}/notify"}
        self.manager.settimeout(0)
        with contextlib.suppress(BlockingIOError):
            while self.manager.recv(65536):
                pass
        self.manager.settimeout(PATIENCE)
        with open(f"{self.directory}/log", "ab") as log:
            log.truncate(0)
            command = [*self.launcher, self.binary, *self.arguments]
            self.process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stderr=log)
        self.pid = self.process.pid

    def hear(self):
        """Reads all that it tells its service manager from now on, as one does that it is not to wait for."""
        def read():
            self.manager.settimeout(None)
            while self.manager.recv(65536):
                pass
        threading.Thread(target=read, daemon=True).start()

    @property
    def environment(self):
        """The environment of the daemon and of its clients."""
        names = {"XDG_CACHE_HOME": "cache", "XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "config", "XDG_CONFIG_DIRS": "etc",
                 "XDG_DATA_HOME": "data", "XDG_DATA_DIRS": "share", "XDG_RUNTIME_DIR": "run", "PROMOD_SOCKET": "promod.sock",
                 "FLATPAK_SYSTEM_DIR": "flatpak"}
        places = {name: f"{self.directory}/{path}" for name, path in names.items()}
        # A build that counts coverage would write a profile into each working directory.
        return {**places, "HOME": self.directory, "LANG": "C", "LLVM_PROFILE_FILE": "/dev/null", **self.variables}

    def configure(self, **settings):
        """Writes the configuration and the default catalog's file with these changes; a reload puts them into force."""
        self.settings.update(settings)
        place = f"{self.directory}/config/promod"
        os.makedirs(f"{place}/catalogs.d", exist_ok=True)
        own = {name: value for name, value in self.settings.items() if not name.startswith("catalog__")}
        _write(f"{place}/config.toml", own)
        _write(f"{place}/catalogs.d/default.toml", self._catalog)
        # An empty file would hide that of the system.
        if not self._catalog:
            os.unlink(f"{place}/catalogs.d/default.toml")

    @property
    def _catalog(self):
        """The settings of the default catalog."""
        return {name.removeprefix("catalog__"): value for name, value in self.settings.items() if name.startswith("catalog__")}

    @property
    def cache(self):
        """The directory with the default catalog's files, which is named for what decides how it is fetched."""
        settings = self._catalog
        text = re.sub("(?<=://)[^/@]*@", "", settings["url"])
        text += "".join(f"\n{name.replace('_', '-')} {settings[name]}" for name in ("ca_file", "proxy") if name in settings)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        return f"{self.environment['XDG_CACHE_HOME']}/promod/catalogs/{digest}"

    def connect(self):
        return Connection(self.socket)

    def ask(self, method, **params):
        """The result of one request on a connection of its own."""
        return asked(self.socket, method, **params)

    @property
    def catalog(self):
        """What status says of the first catalog."""
        return self.ask("status")["catalogs"][0]

    @property
    def problems(self):
        """The codes of the problems that status reports."""
        return [problem["code"] for problem in self.ask("status")["problems"]]

    def refresh(self):
        """The result of a refresh that begins a fetch: one within a second of the last attempt is deferred."""
        before, end = self._attempts, time.monotonic() + PATIENCE
        while True:
            result = self.ask("refresh")
            if self._attempts > before and result["outcome"] != "deferred":
                # One that takes longer than refresh.timeout goes on.
                while result["outcome"] == "started":
                    result = self.ask("refresh")
                return result
            if time.monotonic() > end:
                raise Failed(f"no refresh begins a fetch: {result}")
            time.sleep(0.05)

    @property
    def _attempts(self):
        return self.catalog["attempts"]

    @property
    def children(self):
        """The processes that it has started and still has, ended ones included."""
        found = []
        for thread in os.listdir(f"/proc/{self.pid}/task"):
            # A thread may have ended.
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                found += map(int, read(f"/proc/{self.pid}/task/{thread}/children").split())
        return found

    def sample(self):
        """The resources that it uses now."""
        if not self.is_alive:
            raise Failed("promod is not running any more")
        sizes = {name: int(size) / 1024 for name, size in re.findall(r"(\w+): +(\d+) kB", read(f"/proc/{self.pid}/smaps_rollup"))}
        descriptors, threads = (len(os.listdir(f"/proc/{self.pid}/{kind}")) for kind in ("fd", "task"))
        return Sample(sizes["Rss"], sizes["Private_Dirty"], descriptors, threads)

    def settled(self, is_settled):
        """The first sample for which the condition holds, or the last one after PATIENCE seconds."""
        end = time.monotonic() + PATIENCE
        while not is_settled(sample := self.sample()) and time.monotonic() < end:
            time.sleep(0.1)
        return sample

    @property
    def peak_memory(self):
        """The most resident memory since `forget_peak`, in MB, without what only the code of a debug build takes."""
        peak = int(re.search(r"VmHWM:\s+(\d+) kB", read(f"/proc/{self.pid}/status"))[1]) / 1024
        return peak - (DEBUG_MB if "/debug/" in self.binary else 0)

    def forget_peak(self):
        """Makes the peak begin again."""
        write(f"/proc/{self.pid}/clear_refs", "5")

    @property
    def processor_time(self):
        """The processor time in seconds of all its threads, including those that have ended."""
        # The id of another process's clock, computed as by clock_getcpuclockid(3).
        return time.clock_gettime((~self.pid << 3) | 2)

    @property
    def is_alive(self):
        return self.process is not None and self.process.poll() is None

    @property
    def exit_code(self):
        """Its exit code, or None. Waits a second, because its sockets close before the process ends."""
        try:
            return self.process.wait(1) if self.process else None
        except subprocess.TimeoutExpired:
            return None

    @property
    def end_of_log(self):
        """The last lines of its log, with the trace of a crash if there was one; empty if it was never started."""
        with contextlib.suppress(FileNotFoundError), open(f"{self.directory}/log", encoding="utf-8", errors="replace") as file:
            return "".join(file.readlines()[-20:])
        return ""

    def stop(self):
        """Stops it as systemd does, and removes its directory."""
        if self.is_alive:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


def _write(path, settings):
    """Replaces a file at once, because clients may ask for a reload at any time."""
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        for name, value in settings.items():
            key = name.replace("__", ".").replace("_", "-")
            written = str(value).lower() if isinstance(value, (bool, int)) else f'"{value}"'
            file.write(f"{key} = {written}\n")
    os.rename(f"{path}.new", path)


def is_running(pid):
    """Whether a process has not ended."""
    try:
        return read(f"/proc/{pid}/stat").rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False
