"""Two client libraries from PyPI, jsonrpcclient and tinyrpc, which know JSON-RPC 2.0 and nothing of promod."""
import functools
import importlib
import json
import os
import sys
import tempfile

from support import packages
from support.check import LeftOut
from support.claims import compare, expect

SHOWN = {"apps": ["app-1", "app-2"]}
TAPPED = {"app": "app-1", "host": "outside"}
UNKNOWN = {"app": "nowhere"}


def check(report, subject):
    """Lets each library make the same calls."""
    with tempfile.TemporaryDirectory(prefix="promod-test-") as directory:
        for name, library in ("jsonrpcclient 4.0.3", Jsonrpcclient), ("tinyrpc 1.1.7", Tinyrpc):
            for clause, claim, body in CHECKS:
                report.check(f"JSON-RPC 2.0 {clause}, {name}", claim, connected, directory, subject, library, body)


@functools.cache
def obstacle(directory):
    """Installs both libraries for this Python. Returns why that cannot be done; empty if it was."""
    if reason := packages.obstacle(directory, "conformance/requirements.txt"):
        return reason
    [libraries] = [f"{directory}/lib/{name}/site-packages" for name in os.listdir(f"{directory}/lib")]
    # The environment is of this Python. Another process would need a protocol of its own for the calls and their results.
    sys.path.append(libraries)
    importlib.invalidate_caches()
    return ""


def connected(directory, subject, library, body):
    """Runs a check with a client of a connection of its own."""
    if reason := obstacle(directory):
        raise LeftOut(reason)
    connection = subject.daemon.connect()
    try:
        body(library(connection))
    finally:
        connection.close()


class Transport:
    """Lines on a socket, which is all that promod asks of a library's user."""

    def __init__(self, connection):
        self.connection = connection

    def send(self, text):
        """Sends a message, which must not have a line feed in it."""
        self.connection.socket.sendall(text.encode() + b"\n")

    def receive(self):
        [line] = self.connection.read_lines()
        return line.decode()


class Jsonrpcclient:
    """jsonrpcclient makes requests as text, and reads replies from text."""

    def __init__(self, connection):
        self.transport = Transport(connection)
        self.library = importlib.import_module("jsonrpcclient")

    def call(self, method, params):
        """The result and the error of a call, one of which is None; the error as its code and data."""
        self.transport.send(self.library.request_json(method, params=params))
        return self._outcome(self.library.parse_json(self.transport.receive()))

    def notify(self, method, params):
        self.transport.send(self.library.notification_json(method, params=params))

    def batch(self, calls):
        """The outcomes of calls that are sent at once, in order."""
        requests = [self.library.request(method, params=params) for method, params in calls]
        self.transport.send(json.dumps(requests))
        replies = {reply.id: reply for reply in self.library.parse_json(self.transport.receive())}
        return [self._outcome(replies[request["id"]]) for request in requests]

    def _outcome(self, reply):
        return (reply.result, None) if isinstance(reply, self.library.Ok) else (None, (reply.code, reply.data))


class Tinyrpc:
    """tinyrpc makes requests as bytes, and reads replies only if they have the id of a request that it made."""

    def __init__(self, connection):
        self.transport = Transport(connection)
        self.protocol = importlib.import_module("tinyrpc.protocols.jsonrpc").JSONRPCProtocol()

    def call(self, method, params):
        """The result and the error of a call, one of which is None; the error as its code and data."""
        self.transport.send(self.protocol.create_request(method, kwargs=params).serialize().decode())
        return self._outcome(self.protocol.parse_reply(self.transport.receive()))

    def notify(self, method, params):
        self.transport.send(self.protocol.create_request(method, kwargs=params, one_way=True).serialize().decode())

    def batch(self, calls):
        """The outcomes of calls that are sent at once, in order."""
        requests = [self.protocol.create_request(method, kwargs=params) for method, params in calls]
        self.transport.send(self.protocol.create_batch_request(requests).serialize().decode())
        replies = {reply.unique_id: reply for reply in self.protocol.parse_reply(self.transport.receive())}
        return [self._outcome(replies[request.unique_id]) for request in requests]

    @staticmethod
    def _outcome(reply):
        return (None, (reply._jsonrpc_error_code, reply.data)) if hasattr(reply, "error") else (reply.result, None)


def listing(client):
    result, error = client.call("list", {"host": "app-0", "limit": 3})
    expect(error is None, f"the error is {error}")
    compare([result["state"], len(result["apps"])], ["loaded", 2])


def without_parameters(client):
    result, error = client.call("status", {})
    expect(error is None and result["protocol"] == 1, f"the result is {result}, the error {error}")


def tapping(client):
    result, error = client.call("tap", TAPPED)
    expect(error is None and result["app"] == "app-1" and result["storeURL"], f"the result is {result}, the error {error}")


def failing(client):
    compare(client.call("tap", UNKNOWN), (None, (-32001, {"reason": "unknown-app"})))
    compare(client.call("foobar", {}), (None, (-32601, {"reason": "unknown-method"})))
    compare(client.call("tap", {"app": 7}), (None, (-32602, {"reason": "invalid-params"})))


def notifying(client):
    """The reply to the call after the notifications is the next line."""
    client.notify("impression", SHOWN)
    client.notify("tap", UNKNOWN)
    client.notify("foobar", {})
    compare(client.call("impression", SHOWN), ({"emitted": 2}, None))


def batching(client):
    compare(client.batch([("impression", SHOWN), ("tap", UNKNOWN), ("impression", {"apps": ["app-3"]})]),
            [({"emitted": 2}, None), (None, (-32001, {"reason": "unknown-app"})), ({"emitted": 1}, None)])


CHECKS = [
    ("§4", "a list", listing), ("§4.2", "a call without parameters", without_parameters), ("§5", "a tap", tapping),
    ("§5.1", "errors with their codes and data", failing), ("§4.1", "notifications, right and wrong", notifying),
    ("§6", "a batch", batching),
]
