"""What the process that fetches can do, and what it cannot."""
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from support.cases import GOOD, LATE
from support.check import Check, LeftOut
from support.claims import problem
from support.daemon import Daemon
from support.files import read
from support.origin import Server
from support.stage import Stage
from support.wire import comes

SOURCES = os.path.abspath(f"{os.path.dirname(__file__)}/../../../Sources")
ENVIRONMENT = {"SWIFT_BACKTRACE=enable=no", "RES_OPTIONS=attempts:1"}
POSSIBLE = {"resolve", "thread", "internet", "certificates", "stream-pair"}
MODULES = "/sys/kernel/security/lsm"
WHOLE = 20  # seconds that a fetch may take with a refresh.timeout of one
# Soft limits in /proc/PID/limits: a number, or anything but unlimited.
LIMITS = {"cpu time": r"\d+", "file size": "0", "data size": 256 << 20, "stack size": 1 << 20, "core file size": "0", "open files": 64,
          "locked memory": "0", "address space": 1 << 30}
LANDLOCK = {"read-home", "list-home", "write-own", "truncate", "create", "create-in-tmp", "remove", "processes", "mail-and-media", "terminal", "write-allowed"}


def confined(_):
    """A check body: a program that confines itself in the same way tries everything."""
    with tempfile.TemporaryDirectory(prefix="promod-test-") as directory:
        program, home = f"{directory}/confined", f"{directory}/home"
        compiler = shutil.which("cc") or shutil.which("clang")
        subprocess.run(
            [compiler, f"-I{SOURCES}/CFetch/include", f"-I{SOURCES}/CLinux/include", "-o", program,
             f"{os.path.dirname(__file__)}/confined.c", f"{SOURCES}/CFetch/confine.c", f"{SOURCES}/CLinux/CLinux.c", "-lpthread"], check=True, capture_output=True)
        os.mkdir(home)
        with open(f"{home}/own", "w", encoding="ascii") as file:
            file.write("private")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(f"{directory}/socket")
            listener.listen()
            done = subprocess.run(
                [program, home, f"{directory}/socket"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        says = dict(line.split() for line in done.stdout.splitlines())
    has_landlock = os.path.exists(MODULES) and "landlock" in read(MODULES) or says.get("create") == "no"
    possible = {attempt for attempt, answer in says.items() if answer == "yes"}
    allowed = POSSIBLE if has_landlock else POSSIBLE | LANDLOCK
    if done.returncode == 0 and not has_landlock:
        raise LeftOut("this kernel has no Landlock")
    return f"{len(says)} attempts", [
        *problem(done.returncode != 0, f"it ends with {done.returncode} after {done.stdout!r} {done.stderr!r}"),
        *problem(not POSSIBLE <= possible, f"it cannot do {POSSIBLE - possible}"),
        *problem(possible - allowed, f"it can do {possible - allowed}"),
    ]


class Silent(Server):
    """Accepts connections, and says nothing."""

    def _receive(self, connection):
        self.connection = connection


def running(binary):
    """A check body: the process of a promod that waits for its origin is confined, and has nothing of the daemon's."""
    origin, daemon = Silent(), Daemon(binary, SECRET_OF_THE_SHELL="1", https_proxy="", RES_OPTIONS="attempts:1")
    origin.open()
    # With what a careless parent may leave to promod: a descriptor, and an ignored signal.
    daemon.launcher = ["sh", "-c", 'exec env --ignore-signal=CHLD "$@" 9</dev/zero', "sh"]
    try:
        daemon.configure(catalog__url=f"https://localhost:{origin.port}/catalog.json")
        daemon.start()
        comes(lambda: hasattr(origin, "connection"))
        found = daemon.children
        if len(found) != 1:
            return "", [f"promod has {len(found)} children"]
        place = f"/proc/{found[0]}"
        status, limits = read(f"{place}/status"), read(f"{place}/limits")
        files = {number: os.readlink(f"{place}/fd/{number}") for number in os.listdir(f"{place}/fd")}
        others = {target for number, target in files.items() if int(number) > 2 and not re.match(r"socket:|anon_inode:|/dev/null", target)}
        size = re.search(r"^VmHWM:\s*(\d+)", status, re.MULTILINE)
        daemon_maps, maps, environment = (read(path) for path in [f"/proc/{daemon.pid}/maps", f"{place}/maps", f"{place}/environ"])
        environment = set(filter(None, environment.split("\0")))
        session = int(read(f"{place}/stat").split()[5])
        os.kill(found[0], signal.SIGKILL)
        daemon.ask("list", wait=True)
        return f"{len(files)} descriptors, {int(size[1]) / 1024:.1f} MB", [
            *problem(not re.search(r"^Seccomp:\s*2$", status, re.MULTILINE), "system calls are not filtered"),
            *problem(not re.search(r"^NoNewPrivs:\s*1$", status, re.MULTILINE), "it may gain privileges"),
            *problem(not re.search(r"^Name:\s*promod-fetch$", status, re.MULTILINE), "it has another name"),
            *[line for name, limit in LIMITS.items() for line in problem(
                not re.search(rf"^Max {name}\s+{limit}\s", limits, re.MULTILINE), f"its limit for {name} is not {limit}")],
            *problem(session != found[0], "it belongs to the daemon's session"),
            *problem(others, f"it has {others}"),
            *problem(environment != ENVIRONMENT, f"its environment is {environment}"),
            *problem(re.search(r"libcurl|libssl|libcrypto|libz\.", daemon_maps), "the daemon has mapped what only that process needs"),
            *problem("libcurl" not in maps, "it has not mapped libcurl"),
            # A line of the log may come a moment after the reply.
            *problem(not comes(lambda: "by signal 9 (Killed)" in daemon.end_of_log), f"after its end, the log says {daemon.end_of_log}"),
        ]
    finally:
        daemon.stop()
        origin.close()


def stopped(binary):
    """A check body: a process that no longer does anything is killed after the deadline."""
    origin, daemon = Silent(), Daemon(binary)
    origin.open()
    try:
        daemon.configure(catalog__url=f"https://localhost:{origin.port}/catalog.json", refresh__timeout="1s")
        daemon.start()
        began = time.monotonic()
        # Before it runs a file of its own, promod's thread waits for it.
        comes(lambda: hasattr(origin, "connection"))
        os.kill(daemon.children[0], signal.SIGSTOP)
        while daemon.catalog["refreshing"]:
            daemon.ask("list", wait=True)
        took, error = time.monotonic() - began, daemon.catalog["lastError"]
        left = not comes(lambda: not daemon.children)
    finally:
        daemon.stop()
        origin.close()
    return f"{took:.1f} s; {error}", [
        *problem(error != "timeout" or took > WHOLE + 2 + LATE, f"after {took:.1f} s it fails as {error}"),
        *problem(left, "its process is left"),
    ]


def replaced(binary):
    """A check body: promod fetches with its own file, even if that was replaced."""
    with Stage(binary) as stage:
        daemon = stage.daemon
        daemon.binary = shutil.copy(binary, f"{daemon.directory}/promod")
        stage.origin.body = GOOD.bytes
        stage.configure()
        daemon.start()
        daemon.ask("list", wait=True)
        os.rename(shutil.copy("/bin/false", f"{daemon.directory}/next"), daemon.binary)
        result = daemon.refresh()
    return result["outcome"], problem(result["error"], f"it fails as {result['error']}")


CHECKS = [
    Check("confined-fetch", "what confines a fetch lets it fetch, and nothing else", confined),
    Check("confined-process", "the process that fetches is confined, and the daemon maps nothing of what it needs", running),
    Check("confined-and-stopped", "a fetching process that is stopped is killed two seconds after the deadline", stopped),
    Check("confined-and-replaced", "promod starts its own file for a fetch, even if another one has taken its place", replaced),
]
