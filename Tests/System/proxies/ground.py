"""A network of this process's own, in which every address is this machine and an origin answers at all of them."""
import contextlib
import re
import shutil
import tempfile

from support import cases, namespaces
from support.namespaces import run
from support.scripted import ScriptedOrigin

# The names that resolve, by address.
NAMES = {
    "127.0.0.1": ["localhost"],
    "198.51.100.7": ["catalog.test", "www.catalog.test", "other.test", "third.test"],
}
ADDRESSES = ["127.0.0.1", "10.1.2.3", "fd00::1"]
PORTS = 8443, 443


class Everywhere(ScriptedOrigin):
    """An origin at every address, on two ports, whose paths can lead elsewhere."""

    address = "::"
    names = ",".join([
        *(f"DNS:{name}" for names in NAMES.values() for name in names),
        *(f"IP:{address}" for address in ADDRESSES)])
    # The only one.
    it = None

    @classmethod
    @contextlib.contextmanager
    def opened(cls):
        """Serves until the end of the block."""
        directory = tempfile.mkdtemp(prefix="promod-test-")
        cls.it = cls(directory)
        cls.it.body = cases.GOOD.bytes
        for port in PORTS:
            cls.it.port = port
            cls.it.open()
        try:
            yield
        finally:
            shutil.rmtree(directory)

    def reply_to(self, request):
        """The catalog; a path like /to/other.test/catalog.json redirects to https://other.test/catalog.json."""
        place = re.match(rb"GET /to/(\S+)", request)
        if place:
            return b"302 Found\r\nLocation: https://%s\r\nContent-Length: 0\r\n" % place[1], b""
        return super().reply_to(request)


def enter():
    """Moves this process, which has no other threads yet, into user, mount and network namespaces of its own."""
    namespaces.enter()
    namespaces.replace("/etc/hosts", "".join(f"{address} {' '.join(names)}\n" for address, names in NAMES.items()))
    for family, every in ("-4", "0.0.0.0/0"), ("-6", "::/0"):
        run("ip", family, "route", "add", "local", every, "dev", "lo")
