"""Proxies that are spoken to over TLS, or by SOCKS 5."""
import contextlib
import socket
import ssl
import threading

from support.check import Check
from support.claims import problem
from support.origin import Server
from support.wire import PATIENCE
from .failures import USER
from .fetchers import Promod
from .ground import Everywhere
from .privacy import SECRET, traces
from .tunnels import ScriptedProxy, relay

PLACE = "https://catalog.test/catalog.json"
VERSION, BY_PASSWORD, NAME, NO_METHOD, REFUSED = 5, 2, 3, 0xFF, 5


class TLSProxy(ScriptedProxy):
    """An HTTP proxy behind TLS."""

    def __init__(self, context=None):
        super().__init__()
        self.context = context or Everywhere.it.context

    def _receive(self, connection):
        def serve():
            with contextlib.suppress(OSError):
                super(TLSProxy, self)._receive(self.context.wrap_socket(connection, server_side=True))
        threading.Thread(target=serve, daemon=True).start()

    @property
    def url(self):
        return f"https://127.0.0.1:{self.port}"


class SOCKSProxy(Server):
    """A SOCKS 5 proxy (RFC 1928, RFC 1929), which may ask for a user and a password, and may refuse."""

    def __init__(self, login="", refuses=False):
        super().__init__()
        self.login, self.refuses, self.asked = login, refuses, []

    def _receive(self, connection):
        threading.Thread(target=self._speak, args=[connection], daemon=True).start()

    def _speak(self, connection):
        with contextlib.suppress(OSError, IndexError), connection:
            version, count = connection.recv(2, socket.MSG_WAITALL)
            methods = connection.recv(count, socket.MSG_WAITALL)
            if version != VERSION or self.login and BY_PASSWORD not in methods:
                connection.sendall(bytes([VERSION, NO_METHOD]))
                return
            connection.sendall(bytes([VERSION, BY_PASSWORD if self.login else 0]))
            if self.login and not self._is_right(connection):
                return
            kind = connection.recv(4, socket.MSG_WAITALL)[3]
            size = connection.recv(1)[0] if kind == NAME else {1: 4, 4: 16}[kind]
            address = connection.recv(size, socket.MSG_WAITALL)
            port = int.from_bytes(connection.recv(2, socket.MSG_WAITALL), "big")
            host = address.decode() if kind == NAME else socket.inet_ntop(socket.AF_INET if kind == 1 else socket.AF_INET6, address)
            self.asked.append(f"{host}:{port}")
            connection.sendall(bytes([VERSION, REFUSED if self.refuses else 0, 0, 1, 0, 0, 0, 0, 0, 0]))
            if self.refuses:
                return
            far = socket.create_connection((host, port), PATIENCE)
            relay(connection, far)
            far.close()

    def _is_right(self, connection):
        user = connection.recv(connection.recv(2, socket.MSG_WAITALL)[1], socket.MSG_WAITALL)
        password = connection.recv(connection.recv(1)[0], socket.MSG_WAITALL)
        is_right = f"{user.decode()}:{password.decode()}" == self.login
        connection.sendall(bytes([1, 0 if is_right else 1]))
        return is_right

    def __enter__(self):
        self.open()
        return self

    def __exit__(self, *failure):
        self.close()


def fetched(proxy, address, asked, code=""):
    """A check body: the catalog comes by this proxy, and nothing shows a password."""
    def body(binary):
        with proxy() as opened, Promod(binary, catalog__proxy=address.format(port=opened.port)) as fetcher:
            found, message = fetcher.fetch(PLACE)
        return "", [
            *problem(found != code, f"it fails as {found}: {message}"),
            *problem(not set(opened.asked) <= {asked} or not opened.asked and not code, f"the proxy is asked {opened.asked}"),
            *problem(traces(message), f"it says {message}"),
        ]
    return body


CONNECT, LOGIN = "connect catalog.test:443", f"{USER}:{SECRET}"
ROWS = [
    ("https-proxy", "a proxy may be spoken to over TLS", TLSProxy, f"https://{LOGIN}@127.0.0.1:{{port}}", CONNECT, ""),
    ("socks5", "with socks5 promod resolves the name", SOCKSProxy, "socks5://127.0.0.1:{port}", "198.51.100.7:443", ""),
    ("socks5-password", "with socks5h the proxy resolves the name, and is told the user and the password", lambda: SOCKSProxy(LOGIN),
     f"socks5h://{LOGIN}@127.0.0.1:{{port}}", "catalog.test:443", ""),
    ("socks5-wrong-password", "a SOCKS proxy that refuses the password is a failure of the proxy", lambda: SOCKSProxy("somebody:else"),
     f"socks5h://{LOGIN}@127.0.0.1:{{port}}", "", "proxy"),
    ("socks5-refuses", "a SOCKS proxy that refuses is a failure of the proxy", lambda: SOCKSProxy(refuses=True),
     "socks5h://127.0.0.1:{port}", "catalog.test:443", "proxy"),
]


def untrusted(binary):
    """A check body: a proxy whose certificate is not trusted is told nothing."""
    context = Everywhere.it.certified(is_trusted=False)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with TLSProxy(context) as proxy, Promod(binary, {"https_proxy": proxy.url}) as promod:
        code, message = promod.fetch(PLACE)
    return message, [
        *problem(code != "proxy" or proxy.url not in message, f"it fails as {code}: {message}"),
        *problem(proxy.asked, f"the proxy is asked {proxy.asked}"),
    ]


CHECKS = [
    *(Check(name, claim, fetched(proxy, address, asked, code)) for name, claim, proxy, address, asked, code in ROWS),
    Check("https-proxy-untrusted", "a proxy whose certificate is not trusted is told nothing", untrusted),
]
