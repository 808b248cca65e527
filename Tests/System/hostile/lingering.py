"""Connections that take decades to close."""
import contextlib
import socket
import struct


def lingering():
    """A TCP connection, and its peer, which reads nothing. Whoever closes the connection's last descriptor waits for the peer."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        connection = socket.create_connection(server.getsockname())
        peer, _ = server.accept()
    connection.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while True:
            connection.send(bytes(1 << 16))
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0x7FFF_FFFF))
    return connection, peer


def without_lingering(connection):
    """Makes it a connection that is closed at once."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
