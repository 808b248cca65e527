"""The clients: threads that send random requests, and a subscriber, each of which judges whatever comes."""
import base64
import json
import random
import select
import threading
import time

from support.catalog import LANGUAGES, store_url
from support.claims import Failed, compare, expect
from support.lines import Call, Writer, parsed
from support.wire import connected
from .world import APPS, STEADY

EVERYTHING = {"list": 30, "steady": 5, "icon": 2, "status": 6, "tap": 14, "impression": 10, "review": 30, "refresh": 0.6, "reload": 0.6}
REVIEWS = {"review": 1}


class Gone(Exception):
    """The connection ended, and it may have: promod was stopped or killed."""


class Wire:
    """A connection to a run of promod, which tells a wrong end from one that the test caused."""

    def __init__(self, world):
        self.run, self.unread = world.run, b""
        try:
            self.socket = connected(world.daemon.socket)
        except OSError as error:
            raise self.ended(error) from None

    def send(self, content):
        try:
            self.socket.sendall(content)
        except OSError as error:
            raise self.ended(error) from None

    def line(self):
        """The next line, without its end."""
        while b"\n" not in self.unread:
            try:
                piece = self.socket.recv(1 << 18)
            except OSError as error:
                raise self.ended(error) from None
            if not piece:
                raise self.ended("end of file")
            self.unread += piece
        line, self.unread = self.unread.split(b"\n", 1)
        return line

    def ended(self, why):
        """What to raise at the end of the connection."""
        return Failed(f"the connection ended: {why}") if self.run.is_up else Gone()


class Client(threading.Thread):
    """A thread of the test. What goes wrong in it ends the whole test."""

    def __init__(self, world, name):
        super().__init__(name=name, daemon=True)
        self.world, self.rng, self.exchange = world, random.Random(f"{world.seed} {name}"), ("", "")

    @property
    def may_work(self):
        return self.world.run.is_up and self.world.run.is_open and not self.world.is_paused

    def run(self):
        while not self.world.is_over:
            if not self.may_work:
                time.sleep(0.01)
                continue
            try:
                with self.world.at_work(self.name):
                    wire = Wire(self.world)
                    with wire.socket:
                        self.live(wire)
            except Gone:
                pass
            except Exception as error:  # Whatever it is, the test must not go on without this client.
                self.world.fail(self.name, self.exchange, error)

    def live(self, wire):
        """One connection, from its beginning to its end."""
        raise NotImplementedError


class Asker(Client):
    """Sends requests in all forms, several at once, and judges every reply."""

    def __init__(self, world, name, kinds):
        super().__init__(world, name)
        self.writer, self.kinds, self.emissions = Writer(self.rng), kinds, 0

    def live(self, wire):
        for _ in range(self.rng.choice([1, 20, 200])):
            if not self.may_work or self.world.is_over:
                return
            calls = [self._call(wire) for _ in range(self.rng.choice([1, 1, 2, 5, 12]))]
            lines = [self.writer.line(call) for call in calls]
            lines = [self.writer.malformed(), *lines] if self.rng.random() > 0.9 else lines
            for line in lines:
                line.sends()
            wire.send(b"".join(line.content + b"\n" for line in lines))
            for line in lines:
                self.exchange = line.content, "(no reply)"
                reply = wire.line()
                self.exchange = line.content, reply
                if not wire.run.is_up and b'"error"' in reply:
                    raise Gone  # One that stops refuses what it does not begin.
                line.judge(reply, time.time())
                self.world.count(replies=1)

    def _call(self, wire):
        kind, = self.rng.choices(list(self.kinds), list(self.kinds.values()))
        return getattr(self, f"_{kind}")(wire)

    def _list(self, _):
        world, least = self.world, self.world.seen
        host, language, limit = self.rng.choice([None, "outside", "stranger", *APPS]), self.rng.choice(list(LANGUAGES)), self.rng.choice([None, 1, 3])

        def check(result, sent, came):
            content = world.judge(result["generation"], least, sent, came)
            if content is None:
                return compare([result["apps"], result["source"]], [[], "none"])
            times = {name: result[name] for name in ("state", "source", "fetchedAt", "expiresAt")}
            expect(times["state"] in ("fresh", "expired") and times["source"] == "origin", f"it is {times}")
            compare(_without_reason(result), content.listing(host, language, limit, times))

        # A host that an empty default catalog does not list would choose the other one.
        params = {"catalog": "default", "host": host, "language": language, "limit": limit, "wait": self.rng.choice([None, None, True, False])}
        return Call("list", {name: value for name, value in params.items() if value is not None}, check)

    def _steady(self, _):
        """The list of a catalog that never changes: whatever happens to the default one, it is the same."""
        def check(result, *_):
            times = {name: result[name] for name in ("state", "source", "fetchedAt", "expiresAt")}
            compare(_without_reason(result), self.world.steady.listing(None, "ko", None, times))
        return Call("list", {"catalog": self.rng.choice([STEADY, self.world.origin.at("/steady.json")]), "language": "ko"}, check)

    def _icon(self, _):
        app, picture = self.rng.choice(APPS), base64.b64encode(self.world.picture).decode("ascii")
        return Call("icon", {"app": app, "catalog": STEADY}, lambda result, *_: expect(
            (result["app"], result["data"]) in ((app, None), (app, picture)), f"the picture is {result}"))

    def _status(self, wire):
        least = self.world.seen

        def check(result, sent, came):
            self.world.judge(result["catalogs"][0]["generation"], least, sent, came)
            compare([result["pid"], result["epoch"]], [wire.run.pid, wire.run.epoch])
        return Call("status", {}, check)

    def _tap(self, wire):
        app = self.world.steady.apps[self.rng.choice(APPS)]
        expected = {"app": app["id"], "appStoreID": app["appStoreID"], "storeURL": store_url(app)}
        return self._emitting(wire, "tap", {"app": app["id"]}, 1, lambda result: compare({name: result[name] for name in expected}, expected))

    def _impression(self, wire):
        apps = self.rng.sample(APPS, self.rng.choice([1, 2, 12]))
        return self._emitting(wire, "impression", {"apps": apps}, len(apps), lambda result: compare(result, {"emitted": len(apps)}))

    def _emitting(self, wire, method, params, count, check):
        """A request that causes so many events, which are told from all others by their host."""
        self.emissions += 1
        host = f"{self.name}-{self.emissions}"

        def answered(result, *_):
            check(result)
            wire.run.answered[host] += count
        return Call(method, {**params, "catalog": "default", "host": host}, answered, errors=lambda error, sent, came: expect(
            error[1] == "no-catalog" and self.world.empty.overlap(sent, came), f"the error is {error}"))

    def _refresh(self, _):
        least = self.world.seen

        def check(result, sent, came):
            self.world.judge(result["generation"], least, sent, came)
            expect(result["outcome"] in ("updated", "unchanged", "failed", "deferred"), f"the outcome is {result['outcome']}")
        return Call("refresh", {}, check)

    def _reload(self, _):
        return Call("reload", {}, lambda result, *_: compare(result, {"reloaded": True}), errors=lambda error, sent, came: expect(
            error[1] == "bad-configuration" and self.world.broken.overlap(sent, came), f"the error is {error}"))

    def _review(self, _):
        """A launch, a question or a request about one of the apps about which all clients ask now."""
        world, app = self.world, f"contested-{self.world.counts['replies'] // 40 % 2000}"
        method = self.rng.choices(["launch", "review-request", "review-eligible"], [30, 50, 20])[0]
        completed, before = self.rng.choice([0, 2, 3, 3, 3, 10**12]), world.reviews.known(app)
        return Call(
            method, {"app": app} if method == "launch" else {"app": app, "completed": completed, "needsPage": False},
            lambda result, *_: world.reviews.judge(app, before, completed, result),
            errors=lambda error, sent, came: expect(error[1] == "not-stored" and world.unwritable.overlap(sent, came), f"the error is {error}"))


def _without_reason(listing):
    """A list without the reason why it is not newer, which only one that has expired may have."""
    expect("error" not in listing or listing["state"] == "expired", f"a list that is {listing['state']} has an error")
    return {name: value for name, value in listing.items() if name != "error"}


class Leader(Client):
    """Subscribes to all events, and comes back where it left."""

    def __init__(self, world):
        super().__init__(world, "leader")
        self.seq, self.epoch = 0, None

    @property
    def may_work(self):
        return self.world.run.is_up

    def live(self, wire):
        is_resumed = self.epoch == wire.run.epoch
        params = {"since": self.seq, "epoch": self.epoch} if is_resumed else {}
        wire.send(json.dumps({"id": 1, "method": "subscribe", **params}).encode() + b"\n")
        reply = parsed(wire.line())
        self.exchange = f"{params}", f"{reply}"
        if "error" in reply and not wire.run.is_up:
            raise Gone
        result = reply["result"]
        expect(result["epoch"] == wire.run.epoch, f"the epoch is {result['epoch']}, not {wire.run.epoch}")
        expect(not is_resumed or result["since"] == self.seq, f"it goes on at {result['since']}, not {self.seq}")
        self.seq, self.epoch, wire.run.is_open = result["since"], result["epoch"], True
        end = time.monotonic() + self.rng.uniform(0.5, 5)
        while time.monotonic() < end and not self.world.is_over:
            if b"\n" in wire.unread or select.select([wire.socket], [], [], 0.1)[0]:
                self._hear(wire, wire.line())

    def _hear(self, wire, line):
        self.exchange = f"an event after {self.seq}", line
        event = parsed(line)["params"]
        expect(event["seq"] == self.seq + 1, f"after event {self.seq} comes {event['seq']}")
        self.seq = event["seq"]
        self.world.count(events=1)
        if event["event"] in ("tap", "impression"):
            wire.run.received[event["host"]] += 1
        elif event["event"] == "catalog" and event["catalog"] == "default" and event["generation"]:
            expect(event["generation"] in self.world.contents, f"generation {event['generation']} was never published")
