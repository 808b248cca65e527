"""Sockets at which an example finds promod, or something else."""
import contextlib
import os
import socket
import threading

from support.wire import connected


class Door:
    """A Unix socket that can be opened and shut. What it does with a connection is up to `receive`, on a thread of its own."""

    def __init__(self, path, receive):
        self.path, self.receive = path, receive
        self.connections, self.open_ones = 0, []

    def __enter__(self):
        self.open()
        return self

    def __exit__(self, *failure):
        self.shut()

    def open(self):
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(64)
        threading.Thread(target=self._serve, args=[self.listener], daemon=True).start()

    def shut(self):
        """Ends all connections, and lets nobody in."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.path)
        for each in self.listener, *self.open_ones:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.open_ones.clear()

    def _serve(self, listener):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                self.connections += 1
                self.open_ones.append(connection)
                threading.Thread(target=self.receive, args=[self, connection], daemon=True).start()


def relay(target):
    """What passes on to another socket everything that comes, both ways."""
    def receive(door, connection):
        other = connected(target)
        other.settimeout(None)
        door.open_ones.append(other)
        threading.Thread(target=_pump, args=[other, connection], daemon=True).start()
        _pump(connection, other)
    return receive


def cut_off(target):
    """What passes on only the first reply of promod, then ends the connection, and relays the next ones."""
    def receive(door, connection):
        door.receive = relay(target)
        other = connected(target)
        threading.Thread(target=_pump, args=[connection, other], daemon=True).start()
        with connection, other, other.makefile("rb") as lines:
            connection.sendall(lines.readline())
            for each in connection, other:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
    return receive


def hang_up(_, connection):
    """Ends each connection at once."""
    connection.close()


def say_nothing(*_):
    """Leaves a connection as it is."""


def _pump(source, target):
    with contextlib.suppress(OSError):
        while piece := source.recv(1 << 16):
            target.sendall(piece)
    for each in source, target:
        with contextlib.suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
