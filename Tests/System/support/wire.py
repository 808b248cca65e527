"""A client of the protocol, which compares every reply with the expected one."""
import json
import socket
import time

from support.claims import Failed

PATIENCE = 60  # seconds to wait for anything that should happen at once
LONG = 4 * PATIENCE  # for programs that compress or install


def comes(condition, within=PATIENCE):
    """The first true value of the condition, or its last value after that many seconds."""
    end = time.monotonic() + within
    while not (value := condition()) and time.monotonic() < end:
        time.sleep(0.002)
    return value


def connected(path):
    """A connection to a Unix socket, on which nothing takes longer than PATIENCE."""
    connection = socket.socket(socket.AF_UNIX)
    # The connection gets its timeout afterwards, because with one it would be refused while the server's queue is full.
    connection.connect(path)
    connection.settimeout(PATIENCE)
    return connection


def read_line(connection):
    """The next bytes up to the end of a line, if whoever sends them waits then."""
    line = b""
    while not line.endswith(b"\n"):
        piece = connection.recv(1 << 20)
        if not piece:
            raise Failed(f"the connection ended after {line[:200]!r}")
        line += piece
    return line


class _Anything:
    """Equals everything; for text for people, and for values that only the daemon knows."""

    def __eq__(self, other):
        return True


ANYTHING = _Anything()


class Case:
    """A request and the expected reply."""

    def __init__(self, method, params, result=None):
        self.method = method
        self.tail = b',"method":"%s","params":%s}\n' % (method.encode(), json.dumps(params, ensure_ascii=False).encode())
        self.params, self.result = params, result


class Connection:
    """A connection on which requests are numbered from 1."""

    def __init__(self, path):
        self.socket = connected(path)
        self.unread = b""
        self.last_id = 0

    def close(self):
        self.socket.close()

    def read_lines(self):
        """The lines that have come, at least one; none at the end of the connection."""
        pieces = [self.unread]
        while b"\n" not in pieces[-1]:
            pieces.append(self.socket.recv(1 << 20))
            if not pieces[-1]:
                return []
        *lines, self.unread = b"".join(pieces).split(b"\n")
        return lines

    def send(self, cases):
        """Sends requests; `check` reads their replies."""
        lines = []
        for number, case in enumerate(cases, self.last_id + 1):
            lines.append(b'{"jsonrpc":"2.0","id":%d%s' % (number, case.tail))
        self.socket.sendall(b"".join(lines))

    def check(self, cases):
        """Reads a reply for each request, in order, and compares it."""
        lines = []
        while len(lines) < len(cases):
            more = self.read_lines()
            if not more:
                raise Failed(f"the connection ended after {len(lines)} of {len(cases)} replies")
            lines += more
        if len(lines) > len(cases) or self.unread:
            raise Failed(f"unexpected lines came: {lines[-1][:200]!r}")
        for case, line in zip(cases, lines):
            self.last_id += 1
            reply = json.loads(line)
            if reply != {"jsonrpc": "2.0", "id": self.last_id, "result": case.result}:
                raise Failed(f"{case.method} {case.params} as request {self.last_id} was answered {line[:2000].decode()}")

    def ask(self, method, **params):
        """The result of one request."""
        self.last_id += 1
        request = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        line = (self.read_lines() or [b"{}"])[0]
        reply = json.loads(line)
        if reply.get("id") != self.last_id or "result" not in reply:
            raise Failed(f"{method} {params} was answered {line[:2000].decode()}")
        return reply["result"]


def exchange(connections, cases):
    """Distributes requests among connections, pipelines them on each, and checks all replies."""
    shares = [cases[n :: len(connections)] for n in range(len(connections))]
    for connection, share in zip(connections, shares):
        connection.send(share)
    for connection, share in zip(connections, shares):
        connection.check(share)


def asked(path, method, **params):
    """The result of one request to a socket, on a connection of its own."""
    connection = Connection(path)
    try:
        return connection.ask(method, **params)
    finally:
        connection.close()
