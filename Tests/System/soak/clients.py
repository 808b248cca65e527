"""The clients: threads that send random requests, and subscribers, each of which checks whatever comes."""
import json
import os
import random
import socket
import threading
import time

from support.claims import Failed, compare, expect
from support.lines import TOO_LARGE, Call, Line, Writer, parsed, refused
from support.reviews import Operation
from . import catalogs, icons
from .model import review_url

PATIENCE = 60  # seconds to wait for anything that should happen at once
NOT_STORED = (-32007, "not-stored")
LANGUAGES = [None, None, "en", "ko", "ja", "ko-KR", "KO", "ja_JP.UTF-8", "ja@mod", "fr", "", "korean", "*"]


class Gone(Exception):
    """The connection ended, and it may have: the daemon was stopped or killed."""


class Stopped(Exception):
    """The test ends, or it pauses."""


class Wire:
    """A connection to the current run of the daemon, which tells a wrong end from one that the test caused."""

    def __init__(self, world, leads=False):
        self.world = world
        self.unread = b""
        while True:
            if not world.may_connect(leads):
                raise Stopped
            self.run = world.run
            if not self.run.is_up:
                time.sleep(0.01)
                continue
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(PATIENCE)
            try:
                self.socket.connect(world.daemon.socket)
            except OSError as error:
                self.socket.close()
                expect(self.may_be_gone, f"the daemon refuses connections: {error}")
                continue
            if not self.may_be_gone:
                return
            self.socket.close()

    def close(self):
        self.socket.close()

    def send(self, content, rng=None):
        """Sends bytes, sometimes in two pieces."""
        try:
            cut = rng.randrange(len(content)) if rng and rng.random() < 0.2 and content else 0
            self.socket.sendall(content[:cut])
            if cut:
                time.sleep(0.001)
            self.socket.sendall(content[cut:])
        except OSError as error:
            raise self.ended(error) from None

    def line(self):
        """The next line, without its end; None at the end of the connection."""
        while b"\n" not in self.unread:
            try:
                piece = self.socket.recv(1 << 18)
            except TimeoutError:
                raise Failed(f"nothing came for {PATIENCE} s") from None
            except OSError as error:
                raise self.ended(error) from None
            if not piece:
                expect(not self.unread or self.may_be_gone, f"the last line has no end: {self.unread[:200]}")
                return None
            self.unread += piece
        line, self.unread = self.unread.split(b"\n", 1)
        return line

    def reply(self):
        """The next line; it must come, unless the daemon was stopped."""
        line = self.line()
        if line is None:
            raise self.ended("end of the connection")
        return line

    @property
    def may_be_gone(self):
        return not self.run.is_up or self.world.run is not self.run

    def ended(self, why):
        """What to raise at the end of the connection."""
        return Gone() if self.may_be_gone else Failed(f"the connection ended: {why}")


class Client(threading.Thread):
    """A thread of the test. What goes wrong in it ends the whole test."""

    # Whether others wait for the events that it gets.
    leads = False

    def __init__(self, world, name):
        super().__init__(name=name, daemon=True)
        self.world = world
        self.rng = random.Random(f"{world.seed} {name}")
        self.exchange = "", ""

    def run(self):
        while not self.world.is_over:
            try:
                self.world.wait_while_paused(self.leads)
                with self.world.at_work():
                    self.live()
            except (Gone, Stopped):
                pass
            except Exception as error:  # Whatever it is, the test must not go on without this client.
                self.world.fail(self.name, self.exchange, error)

    def live(self):
        """One connection, from its beginning to its end."""
        raise NotImplementedError

    def exchanged(self, sent, came):
        """Remembers the last exchange for the report of a failure."""
        self.exchange = sent, came


class Asker(Client):
    """Sends requests in all forms, several at once, and compares every reply with the model."""

    def __init__(self, world, name, kinds):
        super().__init__(world, name)
        self.writer = Writer(self.rng)
        self.calls = Calls(world, self.rng, name, kinds)

    def live(self):
        wire = Wire(self.world)
        try:
            self._ask(wire, [self.writer.line(self.calls.status(wire))])
            for _ in range(self.rng.choice([1, 20, 200])):
                if self.world.is_ending:
                    return
                if self.rng.random() < 0.01:
                    return self._leave(wire)
                self._ask(wire, self._lines(wire))
        finally:
            wire.close()

    def _lines(self, wire):
        """Some lines, the last of which is answered."""
        choice, calls = self.rng.random(), self.calls.some(wire, self.rng.choice([1, 1, 2, 5, 12]))
        if choice < 0.1:
            return [self.writer.malformed(), *map(self.writer.line, calls)]
        if choice < 0.2:
            return [self.writer.batch(calls, self.calls.some(wire, 1) if self.rng.random() < 0.3 else ())]
        if choice < 0.3:
            return [self.writer.notification(calls[0]), self.writer.line(self.calls.status(wire))]
        return [self.writer.line(call) for call in calls]

    def _ask(self, wire, lines):
        """Sends lines and reads their replies, in order."""
        waiting = list(lines)
        for line in lines:
            line.sends()
        try:
            wire.send(b"".join(line.content + b"\n" for line in lines), self.rng)
            while waiting:
                line = waiting[0]
                self.exchanged(line.content, "(no reply)")
                reply = wire.reply() if line.is_answered else b""
                if line.is_answered:
                    self._judge(wire, line, reply)
                waiting.pop(0)
                self.world.count(requests=len(line.calls) + len(line.silent), replies=len(line.calls))
                if line.is_answered:
                    # What comes after it on the connection was carried out after it, unless a daemon that stops refused it.
                    for earlier in lines[: len(lines) - len(waiting)]:
                        for call in earlier.silent:
                            call.lost() if wire.may_be_gone else call.silent()
                        earlier.silent = []
        except Gone:
            for line in waiting:
                line.lost()
            for line in lines[: len(lines) - len(waiting)]:
                for call in line.silent:
                    call.lost()
            raise

    def _judge(self, wire, line, reply):
        self.exchanged(line.content, reply)
        if wire.may_be_gone and b'"reason":"busy"' in reply:
            raise Gone
        line.judge(reply, time.time())

    def _leave(self, wire):
        """Leaves in one of the ways in which clients do."""
        choice = self.rng.randrange(4)
        if choice == 0:
            # The end of the input counts as the end of a line, and what was sent is answered.
            lines = [self.writer.line(call) for call in self.calls.some(wire, 3)]
            for line in lines:
                line.sends()
            try:
                wire.send(b"\n".join(line.content for line in lines))
                wire.socket.shutdown(socket.SHUT_WR)
                while lines:
                    self.exchanged(lines[0].content, "(no reply)")
                    self._judge(wire, lines[0], wire.reply())
                    self.world.count(requests=1, replies=1)
                    lines.pop(0)
                expect(wire.line() is None, "a line came after the last reply")
            except OSError:
                raise Gone from None
            finally:
                for line in lines:
                    line.lost()
        elif choice == 1:
            # A line that is too long is answered, and is the last.
            line = Line(b'{"method":"list","host":"%s' % (b"a" * self.rng.choice([65_520, 1_000_000])), [(b"null", refused(TOO_LARGE))])
            line.sends()
            wire.send(line.content + self.rng.choice([b"", b'"}\n']))
            self._judge(wire, line, wire.reply())
            expect(wire.line() is None, "a line came after the last reply")
        elif choice == 2:
            wire.send(b'{"method":"status"')  # Half a line, which nobody completes.
        else:
            # Requests whose replies nobody reads, or waits for.
            wire.send(self.rng.choice([b'{"method":"list"}\n' * 20, b'{"method":"refresh"}\n', b'{"method":"icon","app":"app-1"}\n']))


class Inventor(Client):
    """Launches apps that no catalog names. Nothing that it does changes what is recorded of another app."""

    COUNT = 40

    def live(self):
        wire = Wire(self.world)
        try:
            while not self.world.is_ending:
                self.world.count(invented=1)
                first = self.world.counts["invented"] * self.COUNT
                apps = [f"invented-{first + number}" for number in range(self.COUNT)]
                sent = time.time()
                wire.send(b"".join(json.dumps({"method": "launch", "app": app}).encode() + b"\n" for app in apps))
                for app in apps:
                    self._judge(wire, app, sent, wire.reply())
                self.world.count(requests=self.COUNT, replies=self.COUNT)
                time.sleep(self.rng.choice([0, 0.1, 1]))
        finally:
            wire.close()

    def _judge(self, wire, app, sent, reply):
        self.exchanged(f"the launch of {app}", reply)
        if wire.may_be_gone and b'"reason":"busy"' in reply:
            raise Gone
        reply = parsed(reply)
        if "error" in reply:
            expect((reply["error"]["code"], reply["error"]["data"]["reason"]) == NOT_STORED, f"the error is {reply['error']}")
            expect(
                self.world.disk.may_fail(sent, time.time()) or "no room" in reply["error"]["message"], f"the error is {reply['error']}")
        else:
            expect(reply["result"]["app"] == app, f"the app is {reply['result']['app']}")


class Calls:
    """Random calls of the methods, each with the check of its reply."""

    def __init__(self, world, rng, author, kinds):
        self.world, self.rng, self.author = world, rng, author
        self.catalogs, self.reviews = world.catalogs, world.reviews
        self.kinds = kinds
        self.emissions = 0
        self.owned = 0

    def some(self, wire, count):
        """Calls that may be sent at once: no two about the history of one app, and none that waits beside others."""
        calls, apps = [], set()
        for _ in range(count):
            kind = self.rng.choices(list(self.kinds), list(self.kinds.values()))[0]
            if kind in ("refresh", "reload"):
                if calls:
                    break
                return [getattr(self, kind)(wire)]
            if kind == "review":
                app = self._app()
                if app in apps:
                    continue
                apps.add(app)
                calls.append(self.review(app))
            else:
                calls.append(getattr(self, kind)(wire))
        return calls or [self.list(wire)]

    def steady(self, _):
        """The list of a catalog that never changes, by its name or its address: whatever happens to the default one, it is the same."""
        steady, address = self.world.steady, self.world.steady_url
        params = {"catalog": self.rng.choice([catalogs.STEADY, address, address.replace("https://", "HTTPS://user@")])}
        host, limit = self.rng.choice([None, "still-3", "stranger"]), self.rng.choice([None, 2])
        if host == "still-3" and self.world.steady_seen and self.rng.random() < 0.5:
            params = {}  # No other catalog has this app.
        params.update({name: value for name, value in (("host", host), ("limit", limit), ("language", "en")) if value is not None})
        if self.rng.random() < 0.4:
            params["icons"] = True

        def check(result, sent, came):
            if result["generation"] is None:
                # Its first fetch may still be under way, or may have failed.
                expect(not self.world.steady_seen, "the catalog was there before")
                return
            self.world.steady_seen = True
            if "icons" in params:
                for app in result["apps"]:
                    icons.check_path(app["id"], app.pop("iconPath"), self.world.cache)
            expect(result["generation"] == steady.generation and result["source"] == "origin", "it is another catalog")
            listing = steady.listing(host, "en", limit)
            shown = {name: result.get(name) for name in listing}
            expect(shown == listing, f"{shown} is not {listing}")

        return Call("list", params, check)

    def icon(self, _):
        """The picture of an app of the catalog that never changes."""
        app = f"still-{self.rng.randrange(6)}"
        return Call(
            "icon", {"app": app, "catalog": catalogs.STEADY}, lambda result, *_: icons.check_icon(app, result),
            errors=lambda error, sent, came: expect(not self.world.steady_seen, f"the error is {error}, but the catalog was there before"))

    def unknown(self, _):
        """A request about a catalog that nobody configures."""
        params = {"catalog": self.rng.choice(["nobody", "steadyy", "https://localhost/nothing.json"])}
        method = self.rng.choice(["list", "refresh", "clear"])
        return refused((-32009, "unknown-catalog"), method, params)

    def list(self, _):
        hosts = [None, "outside", "elsewhere", "stranger", *(f"app-{n}" for n in range(12))]
        limit = self.rng.choice([None, None, 1, 3, 1000])
        params = {"host": self.rng.choice(hosts), "language": self.rng.choice(LANGUAGES), "limit": limit}
        params = {name: value for name, value in params.items() if value is not None}
        if self.rng.random() < 0.1:
            params["wait"] = self.rng.random() < 0.5
        return Call("list", params, lambda result, sent, came: self.catalogs.check_list(params, result, sent, came))

    def status(self, wire):
        def check(result, sent, came):
            self.catalogs.check_status(result, wire.run, self.world.is_online, sent, came)
            expect(result["epoch"] == wire.run.epoch, f"the epoch is {result['epoch']}, not {wire.run.epoch}")
            broken = self.world.broken.possible(sent, came)
            is_broken = "configuration" in [problem["code"] for problem in result["problems"] if "catalog" not in problem]
            expect(is_broken in broken, "the problems are not as the file is")

        return Call("status", {}, check)

    def tap(self, wire):
        app, language = f"app-{self.rng.randrange(40)}", self.rng.choice(LANGUAGES[:-1])
        params = {"app": app} if language is None else {"app": app, "language": language}

        def check(result, sent, came):
            expect(self.catalogs.may_be_known([app], sent, came), "no catalog ever had the app")
            self.catalogs.check_tap(app, language, self.world.is_online, result, sent, came)

        return self._emitting("tap", params, [app], wire, check)

    def impression(self, wire):
        apps = [f"app-{self.rng.randrange(14)}" for _ in range(self.rng.choice([1, 1, 2, 20]))]

        def check(result, sent, came):
            compare(result, {"emitted": len(apps)})
            expect(self.catalogs.may_be_known(apps, sent, came), "no catalog ever had these apps")

        return self._emitting("impression", {"apps": apps}, apps, wire, check)

    def refresh(self, wire):
        params = self.rng.choice([{}, {"wait": True}, {"wait": False}])

        def check(result, sent, came):
            is_cancelled = result["outcome"] == "failed" and wire.may_be_gone  # A daemon that stops cancels its fetch.
            if not is_cancelled:
                self.catalogs.check_refresh(params.get("wait", True), result, sent, came)

        return Call("refresh", params, check)

    def reload(self, _):
        return Call(
            "reload", {}, lambda result, *_: compare(result, {"reloaded": True}),
            errors=lambda error, sent, came: expect(
                error == (-32008, "bad-configuration") and True in self.world.broken.possible(sent, came), f"the error is {error}"))

    def discover(self, _):
        return Call("rpc.discover", {}, lambda result, *_: compare(result, self.world.discovery))

    def wrong(self, _):
        return refused((-32601, "unknown-method"), self.rng.choice(["lists", "List", "rpc.describe", "", "event"]))

    # Reviews

    def _app(self):
        """An app of this client alone, or one about which all clients ask at the same time."""
        if self.rng.random() < 0.3:
            self.owned += self.rng.random() < 0.1
            return f"{self.author}-{self.owned % catalogs.OWNED}"
        if self.world.seeded and self.rng.random() < 0.1:
            return self.rng.choice(self.world.seeded)
        return self.world.contested()

    def review(self, app):
        method = self.rng.choices(["launch", "review-request", "review-eligible", "review-reset"], [30, 50, 20, 4])[0]
        params, page = {"app": app}, None
        if method in ("review-request", "review-eligible"):
            params["completed"] = self.rng.choice([0, 1, 2, 3, 3, 3, 10**12])
            if self.rng.random() < 0.2:
                params["appStoreID"] = number = str(self.rng.randrange(10**9))
                page = review_url(number)
            if self.rng.random() < 0.2:
                params["page"] = page = f"https://example.com/review?{self.rng.randrange(10**9)}"
            if self.rng.random() < 0.2:
                params["needsPage"] = self.rng.random() < 0.5
        needs = params.get("needsPage", False)
        if self.world.steady and method.startswith("review-re") and method != "review-reset" and self.rng.random() < 0.2:
            params["catalog"] = catalogs.STEADY  # which has no page for these apps
        operation = Operation(
            method, app, params.get("completed", 0), page is not None or not needs, self.world.is_online or not needs)

        def sends():
            operation.sent = time.time()
            self.reviews.send(operation)

        def check(result, *_):
            expect(result["app"] == app, f"the app is {result['app']}")
            if method == "review-request":
                url = page if result["granted"] else None
                expect(result["reviewURL"] == url, f"reviewURL is {result['reviewURL']}, not {url}")
            self.reviews.answered(operation, result)

        def refused_with(error, sent, came):
            expect(error == NOT_STORED and self.world.disk.may_fail(sent, came), f"the error is {error}")
            self.reviews.refused(operation)

        def silent():
            if self.world.disk.may_fail(operation.sent, time.time()):
                self.reviews.uncertain(operation)
            else:
                self.reviews.answered(operation, None)

        return Call(
            method, params, check, errors=refused_with, sends=sends, lost=lambda: self.reviews.lost(operation), silent=silent)

    def _emitting(self, method, params, apps, wire, check):
        self.emissions += 1
        host = f"{self.author}-{self.emissions}"
        emission = None

        def sends():
            nonlocal emission
            emission = self.world.events.sends(method, apps, host, wire.run.epoch)

        def checked(result, sent, came):
            check(result, sent, came)
            self.world.events.answered(emission, True)

        def refused_with(error, sent, came):
            self.catalogs.check_unknown(apps, error[1], sent, came)
            self.world.events.answered(emission, False)

        return Call(method, {**params, "host": host}, checked, errors=refused_with, sends=sends)


class Subscriber(Client):
    """Receives events. The leader gets all of them; others select, come and go, or stall."""

    def __init__(self, world, name, **selection):
        super().__init__(world, name)
        self.selection = selection
        self.leads = name == "leader"
        self.seq, self.epoch = 0, None
        self.marks = 0

    def live(self):
        wire = Wire(self.world, self.leads)
        try:
            self._subscribe(wire)
            if self.name == "staller":
                return self._stall(wire)
            end = time.monotonic() + (1e9 if self.leads else self.rng.uniform(0.1, 5))
            # At a pause the leader leaves last, because others wait for the events that it gets.
            while time.monotonic() < end and self.world.may_connect(self.leads):
                self._mark(wire)
        finally:
            wire.close()

    def _subscribe(self, wire):
        params = dict(self.selection)
        is_resumed = self.epoch is not None and self.rng.random() < 0.8
        if is_resumed:
            params.update(since=self.seq, epoch=self.epoch)
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "subscribe", "params": params}).encode()
        wire.send(line + b"\n")
        reply = wire.reply()
        self.exchanged(line, reply)
        reply = parsed(reply)
        if "error" in reply and wire.may_be_gone:
            raise Gone
        result = reply["result"]
        expect(list(result) == ["subscribed", "epoch", "since"], f"the members are {list(result)}")
        expect(sorted(result["subscribed"]) == sorted(self.selection.get("events", ["impression", "tap", "catalog", "icons"])), "the kinds differ")
        expect(result["epoch"] == wire.run.epoch, f"the epoch is {result['epoch']}, not {wire.run.epoch}")
        since = result["since"]
        is_same = is_resumed and self.epoch == result["epoch"]
        expect(not is_same or since >= self.seq, f"it goes back from {self.seq} to {since}")
        is_gapless = is_same and since == self.seq
        if not is_gapless:
            self.checkable_since = time.time()
        # Whether all events from here on are selected ones that came.
        self.is_certain = not self.selection or not is_resumed or is_gapless
        self.seq, self.epoch = since, result["epoch"]
        self.world.events.subscribed(self.epoch, since if self.leads else 0)

    def _mark(self, wire):
        """Taps with a host of its own: when that event comes, all earlier ones have come."""
        self.marks += 1
        host = self.selection.get("host") or f"mark-{self.name}-{self.marks}"
        sent = time.time()
        line = json.dumps({"id": self.marks, "method": "tap", "app": "app-0", "host": host})
        wire.send(line.encode() + b"\n")
        is_answered = is_marked = False
        while not (is_answered and is_marked):
            text = wire.reply()
            self.exchanged(line, text)
            value = parsed(text)
            if "method" in value:
                event = self._event(text)
                mine = event.get("host") == host
                expect(not mine or is_answered or self.selection.get("host"), "the event came before the reply to its request")
                is_marked = is_marked or mine
            else:
                compare(value["id"], self.marks)
                is_answered = True
                if "error" in value:
                    # Without a mark nothing can be concluded; the catalog has no such app, or there is none.
                    return time.sleep(0.02)
            is_marked = is_marked or "tap" not in self.selection.get("events", ["tap"])
        if self.leads:
            self.world.events.missing(self.epoch, sent, self.checkable_since)
        time.sleep(self.rng.uniform(0, 0.05))

    def _event(self, line):
        value = parsed(line)
        self.exchanged("(an event)", line)
        compare([value["jsonrpc"], value["method"], list(value)], ["2.0", "event", ["jsonrpc", "method", "params"]])
        event = value["params"]
        if event["event"] == "lagged":
            is_right = event["seq"] == self.seq or self.selection and event["seq"] > self.seq
            expect(is_right, f"the last event was {self.seq}, and all up to {event['seq']} were sent")
            return event
        expect(self._selects(event), "the event was not subscribed to")
        if not self.selection:
            expect(event["seq"] == self.seq + 1, f"after event {self.seq} comes {event['seq']}")
        expect(event["seq"] > self.seq, f"after event {self.seq} comes {event['seq']}")
        if self.leads:
            self.world.events.leads(self.epoch, event, self.world.version_of)
        else:
            self.world.events.follows(self.epoch, event, self.seq if self.is_certain else event["seq"], self._selects)
        self.is_certain = True
        self.seq = event["seq"]
        self.world.count(events=1)
        return event

    def _selects(self, event):
        kinds, host = self.selection.get("events"), self.selection.get("host")
        is_about_catalog = event["event"] in ("catalog", "icons")
        return (not kinds or event["event"] in kinds) and (not host or is_about_catalog or event["host"] == host)

    def _stall(self, wire):
        """Reads nothing for a while, and then all: events without a gap, and if they are too many, a last line that says so."""
        end = time.monotonic() + self.rng.uniform(1, 15)
        while time.monotonic() < end and not self.world.is_ending:
            time.sleep(0.1)
        latest = self.world.events.last
        while self.seq < latest:
            if self._event(wire.reply())["event"] == "lagged":
                expect(wire.line() is None, "a line came after the last event")
                self.epoch = None
                return self.world.count(lagged=1)
