"""Servers that do to each connection what a script says."""
import contextlib
import os
import socket
import ssl
import struct
import subprocess
import threading
import time

from .files import read, write
from .origin import Origin
from .wire import PATIENCE


class Scripted:
    """Makes a server follow a script, if it has one, each connection on a thread of its own."""

    def __init__(self, *arguments, **more):
        super().__init__(*arguments, **more)
        self.script = None
        self.connections = 0
        self.requests = []

    def _receive(self, connection):
        self.connections += 1
        threading.Thread(target=self._follow, args=[connection, self.script], daemon=True).start()

    def _follow(self, connection, script):
        if script is None:
            super()._receive(connection)
            return
        visit = Visit(self, connection)
        # The daemon leaves whenever it has seen enough, and reports what it thinks of that.
        with contextlib.suppress(OSError):
            script(visit)
        visit.close()


class ScriptedOrigin(Scripted, Origin):
    """Serves its catalog, or follows a script."""

    def __init__(self, directory, **certificate):
        super().__init__(directory, **certificate)
        self.directory = directory

    def certified(self, *, names="DNS:localhost,IP:127.0.0.1", days=2, is_trusted=True, **variables):
        """A TLS context with another certificate, which is made with these environment variables."""
        path = f"{self.directory}/other-{names}-{days}-{is_trusted}"
        if is_trusted:
            _sign(path, "localhost", self.certificate, f"{self.directory}/key.pem", days, f"subjectAltName={names}", **variables)
        else:
            subprocess.run(
                [*_request("localhost", f"{path}.key"), "-x509", "-days", str(days), "-addext", f"subjectAltName={names}", "-out", f"{path}.pem"],
                check=True, capture_output=True)
        return _context(f"{path}.pem", f"{path}.key")

    def chained(self, *, sends=True, is_trusted=True):
        """A TLS context with a certificate below an intermediate one, which it may not send."""
        path = f"{self.directory}/chain-{sends}-{is_trusted}"
        root, root_key = self.certificate, f"{self.directory}/key.pem"
        if not is_trusted:
            root, root_key = f"{path}-root.pem", f"{path}-root.key"
            subprocess.run([*_request("Unknown Root", root_key), "-x509", "-days", "2", "-out", root], check=True, capture_output=True)
        _sign(f"{path}-middle", "Intermediate", root, root_key, 2, "basicConstraints=critical,CA:TRUE")
        _sign(f"{path}-leaf", "localhost", f"{path}-middle.pem", f"{path}-middle.key", 2, "subjectAltName=DNS:localhost,IP:127.0.0.1")
        with open(f"{path}.pem", "w", encoding="ascii") as file:
            for place in ["leaf", "middle"] if sends else ["leaf"]:
                file.write(read(f"{path}-{place}.pem"))
        return _context(f"{path}.pem", f"{path}-leaf.key")


def _sign(path, name, issuer, issuer_key, days, extension, **variables):
    """Makes a key and a certificate; openssl req alone does not make certificates that have expired."""
    made = subprocess.run(_request(name, f"{path}.key"), check=True, capture_output=True).stdout
    write(f"{path}.extension", extension)
    subprocess.run(
        ["openssl", "x509", "-req", "-CA", issuer, "-CAkey", issuer_key, "-set_serial", "3", "-days", str(days), "-extfile", f"{path}.extension",
         "-out", f"{path}.pem"], input=made, check=True, capture_output=True, env={**os.environ, **variables})


def _context(certificates, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates, key)
    return context


def _request(name, key):
    """The command that makes a key and a request for a certificate."""
    return ["openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}",
            "-keyout", key]


class Visit:
    """A connection to a scripted server."""

    def __init__(self, origin, connection):
        self.origin, self.socket = origin, connection

    def encrypt(self, context=None):
        """Performs the TLS handshake."""
        self.socket = (context or self.origin.context).wrap_socket(self.socket, server_side=True)

    def read_request(self, context=None):
        """Performs the TLS handshake, and reads the head of a request."""
        if not isinstance(self.socket, ssl.SSLSocket):
            self.encrypt(context)
        return self.read_head()

    def read_head(self):
        """Reads the head of a request."""
        request = b""
        while b"\r\n\r\n" not in request:
            piece = self.socket.recv(65536)
            if not piece:
                raise ConnectionError("no request")
            request += piece
        self.origin.requests.append(request)
        return request

    def send(self, data):
        self.socket.sendall(data)

    def send_forever(self, piece):
        """The same again and again, until the daemon leaves."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.send(piece)

    def hold(self):
        """Sends nothing more, until the daemon leaves."""
        while self.socket.recv(65536):
            pass

    def say_goodbye(self):
        """Ends the connection with a close_notify."""
        self.socket.unwrap()

    def close(self):
        """Ends the connection without a close_notify."""
        self.socket.close()

    def reset(self):
        """Ends the connection with a reset."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


class CountingOrigin(ScriptedOrigin):
    """An origin that can be sure to have counted all connections."""

    own = came = None

    def count(self):
        """The number of connections of promod. They are accepted in order, so those before an own one have been counted when it comes."""
        with socket.socket() as own:
            own.bind(("127.0.0.1", 0))
            self.came, self.own = threading.Event(), own.getsockname()
            own.connect(("127.0.0.1", self.port))
            self.came.wait(PATIENCE)
        return self.connections

    def _receive(self, connection):
        if connection.getpeername() == self.own:
            connection.close()
            self.came.set()
        else:
            super()._receive(connection)
