"""Two network namespaces with a cable between them: promod's, called home, and that of the origin and of the name server, called far."""
import contextlib
import ctypes
import functools
import itertools
import os
import shutil
import socket
import subprocess
import threading
import time

from .files import write
from .programs import missing

CLONE_NEWNET = 0x40000000
HOME = {4: "192.0.2.1", 6: "2001:db8::1"}
FAR = {4: "192.0.2.2", 6: "2001:db8::2"}
LENGTH = {4: 24, 6: 64}
OUTAGE = 0.3  # seconds

_libc = ctypes.CDLL(None, use_errno=True)
_numbers = itertools.count(1)
# Networks come and go on several threads.
_changing_etc = threading.Lock()


class Network:
    """The two namespaces, from the beginning to the end of a block."""

    def __init__(self):
        base = f"promod-{os.getpid()}-{next(_numbers)}"
        self.home, self.far = f"{base}-home", f"{base}-far"
        self.etc = f"/etc/netns/{self.home}"

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            for name in self.home, self.far:
                _ip("netns", "add", name)
                stack.callback(_ip, "netns", "delete", name)
                _ip("-n", name, "link", "set", "lo", "up")
            _ip("link", "add", "wan", "netns", self.home, "type", "veth", "peer", "name", "lan", "netns", self.far)
            for family in 4, 6:
                self.at_far("address", "add", f"{FAR[family]}/{LENGTH[family]}", "dev", "lan", *(["nodad"] if family == 6 else []))
            self.at_far("link", "set", "lan", "up")
            with _changing_etc:
                os.makedirs(self.etc)
            stack.callback(self._remove_etc)
            self.name_server(FAR[4])
            self.hosts()
            # Else a local service could resolve names in the network of the machine.
            self._write("nsswitch.conf", "hosts: files dns\n")
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *failure):
        self._stack.close()

    def _remove_etc(self):
        with _changing_etc:
            shutil.rmtree(self.etc)
            # Empty if nothing else uses it.
            with contextlib.suppress(OSError):
                os.rmdir("/etc/netns")

    def at_home(self, *arguments):
        _ip("-n", self.home, *arguments)

    def at_far(self, *arguments):
        _ip("-n", self.far, *arguments)

    def connect(self, *families, has_route=True):
        """Gives home its addresses, and a default route through far."""
        self.at_home("link", "set", "wan", "up")
        for family in families:
            self.at_home("address", "replace", f"{HOME[family]}/{LENGTH[family]}", "dev", "wan", *(["nodad"] if family == 6 else []))
            if has_route:
                self.add_route(family)

    def add_route(self, family):
        self.at_home(f"-{family}", "route", "replace", "default", "via", FAR[family])

    def disconnect(self):
        """Takes the interface down, with its routes, for longer than promod overlooks."""
        self.at_home("link", "set", "wan", "down")
        time.sleep(OUTAGE)

    def name_server(self, *addresses):
        """Names the name servers. promod sees the change in the file."""
        self._write("resolv.conf", "".join(f"nameserver {address}\n" for address in addresses))

    def hosts(self, **addresses):
        """Names that need no name server, each with its addresses."""
        self._write("hosts", "".join(f"{address} {name}.test\n" for name, several in addresses.items() for address in several))

    def _write(self, name, text):
        # In place, because each promod sees the file that was there when it started.
        write(f"{self.etc}/{name}", text)

    @property
    def launcher(self):
        """The start of a command line that runs a command at home."""
        return ["ip", "netns", "exec", self.home]

    @contextlib.contextmanager
    def from_far(self):
        """Makes the sockets of this thread belong to far until the end of the block."""
        with open("/proc/thread-self/ns/net", "rb") as here, open(f"/run/netns/{self.far}", "rb") as there:
            _enter(there)
            try:
                yield
            finally:
                _enter(here)


@functools.cache
def obstacle():
    """Why this process cannot have networks; empty if it can."""
    if os.getuid() != 0:
        return "network namespaces need root"
    if reason := missing("ip"):
        return reason
    try:
        with Network() as network, network.from_far():
            network.connect(4, 6)
            seen = subprocess.run([*network.launcher, "cat", "/etc/resolv.conf"], check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        return f"network namespaces cannot be used here: {(getattr(error, 'stderr', '') or str(error)).strip()}"
    return "" if FAR[4] in seen else "a network namespace has no resolv.conf of its own here"


def is_online():
    """Whether the kernel has a route to a global address."""
    for family, address in (socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((address, 9))
                return True
        except OSError:
            continue
    return False


def background(body):
    threading.Thread(target=body, daemon=True).start()


def _ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


def _enter(namespace):
    if _libc.setns(namespace.fileno(), CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")
