"""A proxy that tunnels, or follows a script."""
import contextlib
import socket
import threading

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
                other = threading.Thread(target=pump, args=[far, connection], daemon=True)
                other.start()
                pump(connection, far)
                other.join()
                far.close()
        connection.close()


class ScriptedProxy(Scripted, Tunnels):
    """A proxy that keeps what it was asked, from the beginning to the end of a block."""

    def __enter__(self):
        self.open()
        return self

    def __exit__(self, *failure):
        # A script may have closed it.
        with contextlib.suppress(OSError):
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


def pump(source, target):
    """Sends on what comes, to its end."""
    with contextlib.suppress(OSError):
        while piece := source.recv(65536):
            target.sendall(piece)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
