"""A name server that answers or stays silent."""
import contextlib
import ipaddress
import socket
import struct

from support.network import background

TYPES = {1: 4, 28: 6}  # A and AAAA


class NameServer:
    """Answers for every name with the same addresses."""

    def __init__(self, network, addresses):
        self.addresses = [ipaddress.ip_address(address) for address in addresses]
        self.answer = self.found
        self.is_open = True
        with network.from_far():
            self.socket = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        self.socket.bind(("::", 53))
        background(self._serve)

    def close(self):
        self.is_open = False

    def _serve(self):
        # A thread that waits in the kernel would not see the socket closed.
        self.socket.settimeout(0.1)
        while self.is_open:
            with contextlib.suppress(TimeoutError):
                query, client = self.socket.recvfrom(4096)
                background(lambda query=query, client=client: self._reply(query, client))
        self.socket.close()

    def _reply(self, query, client):
        reply = self.answer(query)
        if reply and self.is_open:
            self.socket.sendto(reply, client)

    def found(self, query):
        """The addresses of the type that is asked for."""
        question, kind = _question(query)
        records = [address for address in self.addresses if TYPES.get(kind) == address.version]
        answer = b"".join(b"\xc0\x0c" + struct.pack("!HHIH", kind, 1, 0, len(a.packed)) + a.packed for a in records)
        return query[:2] + struct.pack("!HHHHH", 0x8180, 1, len(records), 0, 0) + question + answer

    def silent(self, _):
        """Nothing."""


def _question(query):
    """The question of a query, and its type."""
    end = query.index(b"\0", 12) + 5
    return query[12:end], struct.unpack("!H", query[end - 4 : end - 2])[0]
