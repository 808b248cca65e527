"""The promod that the checks ask."""
from support.lines import parsed


class Subject:
    """The promod under test: its socket."""

    def __init__(self, daemon):
        self.daemon = daemon

    def lines(self, content):
        """The lines that answer some bytes, which are all that the client sends."""
        connection = self.daemon.connect()
        try:
            connection.socket.sendall(content)
            # The daemon answers everything that was sent, and closes; so a reply that must not come cannot be missed.
            connection.socket.shutdown(1)
            lines = []
            while more := connection.read_lines():
                lines += more
        finally:
            connection.close()
        return lines

    def replies(self, content):
        """The values of those lines, each of which must be strict JSON."""
        return [parsed(line) for line in self.lines(content)]

    def events(self):
        """The `params` of the events of a subscriber that shows and taps an app."""
        connection = self.daemon.connect()
        try:
            for request in b'"subscribe"', b'"impression","apps":["app-1"]', b'"tap","app":"app-1","host":"outside"':
                connection.socket.sendall(b'{"method":%s}\n' % request)
            lines = []
            while len(lines) < 5:
                lines += connection.read_lines()
        finally:
            connection.close()
        return [line["params"] for line in map(parsed, lines) if "params" in line]
