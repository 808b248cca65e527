"""Clients that are there while others ask: some follow events, one stalls, some vanish."""
import collections
import json

from wire import ANYTHING, Case, Connection, Failed


class Follower:
    """Follows events, and checks that none is missing and that none is wrong."""

    def __init__(self, path, mark, **selection):
        # A tap of its own: when that comes, everything before it has come.
        self.mark = mark
        self.tap = Case("tap", {"app": "app-0", "host": mark}, ANYTHING)
        self.connection = Connection(path)
        subscription = self.connection.ask("subscribe", **selection)
        self.seq = subscription["seq"]
        self.is_selective = bool(selection)

    def events(self):
        """The events since the last call, as kind, app or state, and host or generation; marks left out."""
        self.connection.last_id += 1
        Connection.asked["tap"] += 1
        self.connection.socket.sendall(b'{"jsonrpc":"2.0","id":%d%s' % (self.connection.last_id, self.tap.tail))
        events = []
        while True:
            lines = self.connection.read_lines()
            if not lines:
                raise Failed("a subscriber who reads was disconnected")
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
    """All of them, moved on after each round of what is tested."""

    # A subscriber that does not read is disconnected long before it is this many events behind.
    STALLED_EVENTS = 8_000

    def __init__(self, path):
        self.path = path
        self.all = Follower(path, "mark-all")
        self.some = Follower(path, "mark-some", events=["tap"], host="mark-some")
        self.stalled = None
        self.vanished = self.lagged = self.followed = 0

    def after_round(self, expected):
        """Checks that subscribers were sent these events and no others; the order of different connections is open."""
        self.some.events()
        events = self.all.events()
        if collections.Counter(events) != collections.Counter(expected):
            strange = collections.Counter(events)
            strange.subtract(expected)
            raise Failed(f"events that are too many or too few: {[item for item in strange.items() if item[1]][:5]}")
        self.followed += len(events)
        self._vanish()
        self._stall()

    def close(self):
        for follower in (self.all, self.some):
            follower.connection.close()
        if self.stalled:
            self.stalled.close()

    def _vanish(self):
        connection = Connection(self.path)
        line = b'{"jsonrpc":"2.0","id":1,"method":"%s"}\n' % (b"subscribe" if self.vanished % 2 else b"rpc.discover")
        # Nothing, half a request, or one whose reply nobody reads.
        connection.socket.sendall(line[: (0, 20, len(line))[self.vanished % 3]])
        connection.close()
        self.vanished += 1

    def _stall(self):
        if self.stalled is None:
            self.stalled = Connection(self.path)
            self.stalled_at = self.stalled.ask("subscribe")["seq"]
        elif self.all.seq - self.stalled_at > self.STALLED_EVENTS:
            self._check_lagged()
            self.stalled.close()
            self.stalled = None
            self.lagged += 1

    def _check_lagged(self):
        """What it was sent is without a gap, then it is told what it missed, then the connection ends."""
        lines = []
        while more := self.stalled.read_lines():
            lines += more
        *events, last = (json.loads(line)["params"] for line in lines)
        sent = [event["seq"] for event in events]
        if sent != list(range(self.stalled_at + 1, self.stalled_at + 1 + len(sent))):
            raise Failed("a subscriber who stalled was sent events with a gap")
        if last["event"] != "lagged" or last["seq"] != self.stalled_at + len(sent) or last["missed"] < 1024:
            raise Failed(f"the last line for a subscriber who stalled is {last}")
