"""Counts the bytes on the cable between the daemons and the cache."""
import socket
import struct
from dataclasses import dataclass

from support.claims import Failed

EVERY_PROTOCOL, IPV4, TCP = 0x0003, 0x0800, 6
LONGEST = 1500  # The MTU of the cable.
PACKET_LEVEL, PACKET_STATISTICS = 263, 6
QUIET = 0.5  # seconds without a packet, after which both ends have closed; a packet that is sent again comes sooner


@dataclass
class Traffic:
    """The IP packets of an exchange, with all headers from IP's on, as the daemon sees them."""

    up: int = 0
    down: int = 0
    packets: int = 0

    @property
    def total(self):
        return self.up + self.down


class Meter:
    """A packet socket at the far end of the cable."""

    def __init__(self, net):
        # Without this the kernel would show several segments as one packet with one header.
        net.at_home("link", "set", "wan", "gso_max_segs", "1")
        net.at_far("link", "set", "lan", "gso_max_segs", "1")
        with net.from_far():
            self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(EVERY_PROTOCOL))
        self.socket.bind(("lan", EVERY_PROTOCOL))
        self.socket.settimeout(QUIET)

    def measure(self, action):
        """What an action costs until both ends have closed their connections."""
        action()
        return self._read()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.socket.close()

    def _read(self):
        traffic = Traffic()
        while True:
            try:
                packet, (_, protocol, kind, *_) = self.socket.recvfrom(1 << 16)
            except TimeoutError:
                break
            if protocol != IPV4 or packet[9] != TCP:
                continue
            if len(packet) > LONGEST:
                raise Failed(f"a packet of {len(packet)} bytes is more than one on the cable")
            traffic.packets += 1
            if kind == socket.PACKET_OUTGOING:
                traffic.down += len(packet)
            else:
                traffic.up += len(packet)
        _, dropped = struct.unpack("II", self.socket.getsockopt(PACKET_LEVEL, PACKET_STATISTICS, 8))
        if dropped:
            raise Failed(f"{dropped} packets were not counted")
        return traffic
