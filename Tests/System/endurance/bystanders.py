"""Clients that are connected while others send requests: some subscribe to events, one stalls, some vanish."""
import collections
import json

from support.claims import Failed
from support.wire import ANYTHING, Case, Connection


class Subscriber:
    """Receives events, and checks that none is missing or wrong."""

    def __init__(self, path, mark, **selection):
        # The tap of this subscriber: when its event comes, all earlier events have come.
        self.mark = mark
        self.tap = Case("tap", {"app": "app-0", "host": mark}, ANYTHING)
        self.connection = Connection(path)
        subscription = self.connection.ask("subscribe", **selection)
        self.seq = subscription["since"]
        self.is_selective = bool(selection)

    def events(self):
        """The events since the last call, without marks, as (kind, app or state, host or generation)."""
        self.connection.last_id += 1
        Connection.asked["tap"] += 1
        self.connection.socket.sendall(b'{"jsonrpc":"2.0","id":%d%s' % (self.connection.last_id, self.tap.tail))
        events = []
        while True:
            lines = self.connection.read_lines()
            if not lines:
                raise Failed("a subscriber that reads was disconnected")
            for line in lines:
                event = json.loads(line).get("params")
                if event is None:
                    continue  # The reply to the mark.
                self._count(event, line)
                if event.get("host") == self.mark:
                    return events
                if not str(event.get("host")).startswith("mark"):
                    events.append(_essence(event))

    def _count(self, event, line):
        if event["seq"] <= self.seq or event["seq"] > self.seq + 1 and not self.is_selective:
            raise Failed(f"after event {self.seq} came {line.decode()}")
        self.seq = event["seq"]


def _essence(event):
    if event["event"] == "catalog":
        return ("catalog", event["state"], event["generation"])
    return (event["event"], event.get("app"), event.get("host"))


class Bystanders:
    """All of these clients; they act after each round of the tested requests."""

    # promod disconnects a subscriber that does not read long before it is this many events behind.
    STALLED_EVENTS = 8_000

    def __init__(self, path):
        self.path = path
        self.all = Subscriber(path, "mark-all")
        self.some = Subscriber(path, "mark-some", events=["tap"], host="mark-some")
        self.stalled = None
        self.vanished = self.lagged = self.followed = 0

    def after_round(self, expected):
        """Checks that subscribers got these events and no others, in any order, because that of different connections is open."""
        self.some.events()
        events = self.all.events()
        if collections.Counter(events) != collections.Counter(expected):
            strange = collections.Counter(events)
            strange.subtract(expected)
            raise Failed(f"unexpected or missing events: {[item for item in strange.items() if item[1]][:5]}")
        self.followed += len(events)
        self._vanish()
        self._stall()

    def close(self):
        for subscriber in (self.all, self.some):
            subscriber.connection.close()
        if self.stalled:
            self.stalled.close()

    def _vanish(self):
        connection = Connection(self.path)
        line = b'{"jsonrpc":"2.0","id":1,"method":"%s"}\n' % (b"subscribe" if self.vanished % 2 else b"rpc.discover")
        # Sends nothing, half a request, or a request whose reply nobody reads.
        connection.socket.sendall(line[: (0, 20, len(line))[self.vanished % 3]])
        connection.close()
        self.vanished += 1

    def _stall(self):
        if self.stalled is None:
            self.stalled = Connection(self.path)
            self.stalled_at = self.stalled.ask("subscribe")["since"]
        elif self.all.seq - self.stalled_at > self.STALLED_EVENTS:
            self._check_lagged()
            self.stalled.close()
            self.stalled = None
            self.lagged += 1

    def _check_lagged(self):
        """Checks that it got events without a gap, then the `lagged` event, then the end of the connection."""
        lines = []
        while more := self.stalled.read_lines():
            lines += more
        *events, last = (json.loads(line)["params"] for line in lines)
        sent = [event["seq"] for event in events]
        if sent != list(range(self.stalled_at + 1, self.stalled_at + 1 + len(sent))):
            raise Failed("a subscriber that stalled got events with a gap")
        if last["event"] != "lagged" or last["seq"] != self.stalled_at + len(sent):
            raise Failed(f"the last line for a subscriber that stalled is {last}")
