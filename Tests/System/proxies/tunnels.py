"""A proxy that tunnels, or follows a script."""
import contextlib
import select
import socket
import ssl

from support.origin import Server
from support.scripted import Scripted, Visit
from support.wire import PATIENCE


class Tunnels(Server):
    """Connects each client to the place that its CONNECT names."""

    address = "::"

    def _receive(self, connection):
        visit = Visit(self, connection)
        # Whoever is at the other end of a broken tunnel reports it.
        with contextlib.suppress(OSError):
            place = visit.read_head().split()[1].decode()
            host, port = place.rsplit(":", 1)
            try:
                far = socket.create_connection((host.strip("[]"), int(port)), PATIENCE)
            except OSError:
                visit.send(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
            else:
                visit.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
                relay(connection, far)
                far.close()
        connection.close()


class ScriptedProxy(Scripted, Tunnels):
    """A proxy that keeps what it was asked, from the beginning to the end of a block."""

    def __enter__(self):
        self.open()
        return self

    def __exit__(self, *failure):
        self.close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def asked(self):
        """The methods and the targets of the requests."""
        return [b" ".join(request.split(b" ", 2)[:2]).decode().lower() for request in self.requests]

    def tunnel(self, visit):
        """Goes on without a script."""
        Tunnels._receive(self, visit.socket)


def relay(one, other):
    """Sends on what either sends, until both have ended. This is one thread, because OpenSSL allows no two on a connection."""
    targets = {one: other, other: one}
    # Another thread may close a socket, which has no number then.
    with contextlib.suppress(OSError, ValueError):
        while targets:
            # What is decrypted already makes no socket readable.
            decrypted = [source for source in targets if isinstance(source, ssl.SSLSocket) and source.pending()]
            ready = decrypted or select.select(list(targets), [], [], PATIENCE)[0]
            if not ready:
                return
            for source in ready:
                if piece := source.recv(65536):
                    targets[source].sendall(piece)
                else:
                    targets.pop(source).shutdown(socket.SHUT_WR)
