"""A web server that has every name in .test, and notes whoever connects."""
import contextlib
import threading

from support.origin import Server


class Witness(Server):
    """Serves pages by their names, and keeps the first bytes of each connection, which name the host even if they are TLS."""

    # The only one.
    it = None

    def __init__(self):
        super().__init__()
        self.pages = {}
        self.received = []
        Witness.it = self

    @property
    def option(self):
        """The option that sends a browser here for each name in .test, and nowhere for all others."""
        return f"--host-resolver-rules=MAP *.test 127.0.0.1:{self.port}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"

    def hits(self, word):
        """How many connections were made to a host whose name has this word."""
        return sum(word.encode() in data for data in self.received)

    def _receive(self, connection):
        # A browser opens connections that it does not use at once.
        threading.Thread(target=self._serve_one, args=[connection], daemon=True).start()

    def _serve_one(self, connection):
        with contextlib.suppress(OSError), connection:
            data = connection.recv(65536)
            self.received.append(data)
            if data.startswith(b"GET "):
                page = self.pages.get(data.split(b" ", 2)[1].decode(), b"")
                head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
                connection.sendall(head + b"Content-Length: %d\r\n\r\n" % len(page) + page)
