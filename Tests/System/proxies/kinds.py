"""Proxies that are spoken to over TLS, or by SOCKS 5."""
import contextlib
import shutil
import socket
import ssl
import tempfile
import threading

from support.cases import CLOSED, NEW, head, sends
from support.check import Check
from support.claims import problem
from support.origin import Server
from support.scripted import ScriptedOrigin
from support.wire import PATIENCE
from .failures import USER
from .fetchers import Curl, Promod
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


class Farewell(ssl.SSLSocket):
    """A proxy's connection that ends with a close_notify when the origin has left."""

    def shutdown(self, _):
        self.unwrap()


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
    """A check body: the catalog comes by this proxy, with a key and with a variable, and nothing shows a password."""
    def body(binary, kind=Promod):
        problems = []
        for is_key in (True, False) if kind is Promod else (False,):
            with proxy() as opened:
                url = address.format(port=opened.port)
                more = {"catalog__proxy": url} if is_key else {}
                with kind(binary, {} if is_key else {"https_proxy": url}, **more) as fetcher:
                    found, message = fetcher.fetch(PLACE)
            way = "the key" if is_key else "the variable"
            problems += [
                *problem(found != code, f"with {way} it fails as {found}: {message}"),
                *problem(not set(opened.asked) <= {asked} or not opened.asked and not code, f"with {way} the proxy is asked {opened.asked}"),
                *problem(kind is Promod and traces(message), f"with {way} it says {message}"),
            ]
        return "", problems
    return body


CONNECT = "connect catalog.test:443"
ROWS = [
    ("https-proxy", "a proxy may be spoken to over TLS", TLSProxy, "https://127.0.0.1:{port}", CONNECT, ""),
    ("https-proxy-password", "the user and the password are told to it", TLSProxy, f"https://{USER}:{SECRET}@127.0.0.1:{{port}}", CONNECT, ""),
    ("socks5h", "with socks5h the proxy resolves the name", SOCKSProxy, "socks5h://127.0.0.1:{port}", "catalog.test:443", ""),
    ("socks5", "with socks5 promod resolves the name", SOCKSProxy, "socks5://127.0.0.1:{port}", "198.51.100.7:443", ""),
    ("socks5-password", "a SOCKS proxy is told the user and the password", lambda: SOCKSProxy(f"{USER}:{SECRET}"),
     f"socks5h://{USER}:{SECRET}@127.0.0.1:{{port}}", "catalog.test:443", ""),
    ("socks5-wrong-password", "a SOCKS proxy that refuses the password is a failure of the proxy", lambda: SOCKSProxy("somebody:else"),
     f"socks5h://{USER}:{SECRET}@127.0.0.1:{{port}}", "", "proxy"),
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


def goodbye(binary):
    """A check body: the goodbye of a proxy is not the origin's, which has sent a body without a length."""
    directory = tempfile.mkdtemp(prefix="promod-test-")
    origin = ScriptedOrigin(directory)
    origin.script = sends(head(), NEW.bytes, then="close")
    origin.open()
    context = origin.certified()
    context.sslsocket_class = Farewell
    try:
        with TLSProxy(context) as proxy, Promod(binary, {"https_proxy": proxy.url}) as promod:
            promod.configure(catalog__ca_file=origin.certificate)
            code, message = promod.fetch(origin.url)
    finally:
        origin.close()
        shutil.rmtree(directory)
    return message, problem(code != "connect" or CLOSED not in message, f"it fails as {code}: {message}")


CHECKS = [
    *(Check(name, claim, fetched(proxy, address, asked, code)) for name, claim, proxy, address, asked, code in ROWS),
    Check("https-proxy-untrusted", "a proxy whose certificate is not trusted is told nothing", untrusted),
    Check("https-proxy-goodbye", "a body without a length is whole only if the origin says goodbye, and not the proxy", goodbye),
]
CURL_CHECKS = [
    Check(name, claim, lambda binary, body=fetched(proxy, address, asked): body(binary, Curl))
    for name, claim, proxy, address, asked, code in ROWS if not code]
