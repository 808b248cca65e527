"""Proxies that are spoken to over TLS, or by SOCKS."""
import socket
import struct

from support.check import Check
from support.claims import problem
from support.wire import PATIENCE
from .failures import USER
from .fetchers import Promod
from .ground import Everywhere
from .privacy import SECRET, URL, traces
from .tunnels import ScriptedProxy, relay

VERSION, BY_PASSWORD = 5, 2


def over_tls(visit):
    """A script of an HTTP proxy behind TLS."""
    visit.encrypt(Everywhere.it.context)
    visit.origin.tunnel(visit)


def over_untrusted_tls(visit):
    """The same with a certificate that nobody trusts."""
    visit.encrypt(Everywhere.it.certified(is_trusted=False))
    visit.origin.tunnel(visit)


def by_socks(visit):
    """A script of a SOCKS 5 proxy (RFC 1928, RFC 1929) that resolves names, and asks for a user and a password."""
    def take(count):
        return visit.socket.recv(count, socket.MSG_WAITALL)

    def take_text():
        return take(take(1)[0]).decode()

    take(take(2)[1])
    visit.send(bytes([VERSION, BY_PASSWORD]))
    take(1)
    login = f"{take_text()}:{take_text()}"
    visit.send(bytes([1, 0]))
    take(4)
    host, port = take_text(), int.from_bytes(take(2), "big")
    visit.origin.requests.append(f"{login} {host}:{port}".encode())
    visit.send(bytes([VERSION, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
    with socket.create_connection((host, port), PATIENCE) as far:
        relay(visit.socket, far)


def by_socks4(visit):
    """A script of a SOCKS 4 proxy, which is told an address and a user."""
    version, _, port, *address = struct.unpack(">BBH4B", visit.socket.recv(8, socket.MSG_WAITALL))
    user = b""
    while not user.endswith(b"\0"):
        user += visit.socket.recv(1)
    place = (".".join(map(str, address)), port)
    visit.origin.requests.append(f"{version} {place[0]}:{port}".encode())
    visit.send(bytes([0, 90]) + bytes(6))
    with socket.create_connection(place, PATIENCE) as far:
        relay(visit.socket, far)


def fetched(script, scheme, asked, code):
    """A check body: the catalog comes by this proxy, or not, and nothing shows a password."""
    def body(binary):
        with ScriptedProxy() as proxy, Promod(binary, catalog__proxy=f"{scheme}://{USER}:{SECRET}@127.0.0.1:{proxy.port}") as promod:
            proxy.script = script
            found, message = promod.fetch(URL)
        return message, [
            *problem(found != code, f"it fails as {found}: {message}"),
            *problem(set(proxy.asked) != asked, f"the proxy is asked {proxy.asked}"),
            *problem(traces(message), f"it says {message}"),
        ]
    return body


ROWS = [
    ("https-proxy", "a proxy may be spoken to over TLS", over_tls, "https", {"connect catalog.test:443"}, ""),
    ("https-proxy-untrusted", "a proxy whose certificate is not trusted is told nothing", over_untrusted_tls, "https", set(), "proxy"),
    ("socks5h", "with socks5h the proxy resolves the name, and is told the user and the password", by_socks, "socks5h",
     {f"{USER}:{SECRET} catalog.test:443"}, ""),
    ("socks", "socks is SOCKS 4, as for libcurl", by_socks4, "socks", {"4 198.51.100.7:443"}, ""),
]
CHECKS = [Check(name, claim, fetched(*row)) for name, claim, *row in ROWS]
