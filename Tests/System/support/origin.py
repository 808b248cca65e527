"""An HTTPS origin on a port of its own, which can refuse connections, answer 304, or close without close_notify."""
import contextlib
import hashlib
import os
import socket
import ssl
import subprocess
import threading

from .wire import PATIENCE


class Server:
    """Accepts connections, on a thread, and can refuse them."""

    address = "127.0.0.1"

    def __init__(self, port=0):
        # Bound but never listening, so that the port stays reserved while it refuses connections.
        self.reservation = _bound(port, self.address)
        self.port = self.reservation.getsockname()[1]
        self.listener = None

    def open(self):
        """Accepts connections from now on."""
        self.listener = _bound(self.port, self.address)
        self.listener.listen(64)
        threading.Thread(target=self._serve, args=[self.listener], daemon=True).start()

    def close(self):
        """Refuses connections from now on."""
        # A close alone would leave the thread in accept, and the listener alive.
        with contextlib.suppress(OSError):  # It may be closed.
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def _serve(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            connection.settimeout(PATIENCE)
            self._receive(connection)

    def _receive(self, connection):
        """Serves a client, and closes its connection."""
        raise NotImplementedError


class Origin(Server):
    """Serves one catalog to one client at a time."""

    # The names in its certificate.
    names = "DNS:localhost,IP:127.0.0.1"

    def __init__(self, directory, days=2, **variables):
        """Makes its certificate, which is valid for so many days, with these environment variables."""
        super().__init__()
        self.certificate = f"{directory}/ca.pem"
        key = f"{directory}/key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", str(days),
             "-subj", "/CN=localhost", "-addext", f"subjectAltName={self.names}",
             "-keyout", key, "-out", self.certificate],
            check=True, capture_output=True, env={**os.environ, **variables})
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.certificate, key)
        self.url = f"https://127.0.0.1:{self.port}/catalog.json"
        self.body = b""
        self.says_goodbye = True

    def _receive(self, connection):
        try:
            self._answer(self.context.wrap_socket(connection, server_side=True))
        except OSError:
            pass  # The client reports the failure.
        finally:
            connection.close()

    def _answer(self, connection):
        with connection:
            request = b""
            while b"\r\n\r\n" not in request:
                piece = connection.recv(65536)
                if not piece:
                    return
                request += piece
            head, body = self.reply_to(request)
            connection.sendall(b"HTTP/1.1 " + head + b"Connection: close\r\n\r\n" + body)
            if self.says_goodbye:
                connection.unwrap()

    def reply_to(self, request):
        """The status and the headers of a reply, and its body."""
        tag = b'"%s"' % hashlib.sha256(self.body).hexdigest().encode()
        if b"If-None-Match: " + tag in request:
            return b"304 Not Modified\r\nETag: %s\r\n" % tag, b""
        return b"200 OK\r\nContent-Length: %d\r\nETag: %s\r\n" % (len(self.body), tag), self.body


def _bound(port, address="127.0.0.1"):
    result = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    result.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    result.bind((address, port))
    return result
