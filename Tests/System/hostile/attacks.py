"""Clients that do everything wrong: slow, silent, oversized, malformed, vanishing, too many, or another user's."""
import contextlib
import json
import os
import resource
import select
import socket
import time

from support import catalog, chance
from support.check import LeftOut
from support.claims import Failed, expect, problem
from support.daemon import GAP
from support.lines import Writer
from support.wire import PATIENCE, connected, read_line
from .lingering import lingering, without_lingering
from .neighbour import Neighbour
from .nobody import as_nobody

LINE = 65_536
LARGE = 5_000_000  # bytes, about as much as a catalog may have
MEMORY_MB = 4  # Growth that may be chance.
PASS_DESCRIPTORS = 83  # SO_PASSRIGHTS, of Linux 6.16.
LIST = b'{"jsonrpc":"2.0","id":1,"method":"list","params":{"limit":1}}'


class Hostile:
    """Attacks, each beside a well-behaved client and with a probe afterwards. `divisor` scales the large counts."""

    def __init__(self, daemon, origin, divisor):
        self.daemon, self.origin, self.divisor = daemon, origin, divisor
        self.reply = self._probe(self._connect())
        self.quiet = None

    def run(self, attack):
        """Runs an attack beside a well-behaved client, and checks that the daemon is as it was before."""
        expected = self.daemon.ask("list", limit=3)
        if self.quiet is None:
            with Neighbour(self.daemon.socket, expected) as alone:
                time.sleep(2)
            self.quiet = alone.p99
        before, body = self.daemon.sample(), self.origin.body
        with Neighbour(self.daemon.socket, expected) as neighbour:
            figures = attack(self)
        if self.origin.body is not body:
            # Not before, because the time of the fetch is in each list.
            self.origin.body = body
            expect(self.daemon.refresh()["error"] is None, "the good catalog is not served again")
        after = self.daemon.settled(
            lambda sample: sample.rss <= before.rss + MEMORY_MB and sample.descriptors <= before.descriptors)
        figures += (
            f"; p99 of a well-behaved client {neighbour.p99:.2f} ms over {neighbour.count:,} lists (quiet {self.quiet:.2f} ms), "
            f"RSS {before.rss:.1f} {after.rss - before.rss:+.1f} MB")
        return figures, [
            *problem(after.rss > before.rss + MEMORY_MB, "memory is not released afterwards"),
            *problem(after.descriptors > before.descriptors, "descriptors are not released afterwards"),
        ]

    def run_large(self, attack):
        """The same while a catalog is served that is about as large as one may be."""
        self.origin.body = catalog.large(LARGE).bytes
        expect(self.daemon.refresh()["error"] is None, "a large catalog is not served")
        return self.run(attack)

    # Slow and silent

    def slow(self):
        """Requests that come a byte a second are answered when they are complete."""
        count, length = 100, 20 if self.divisor == 1 else 4
        clients = [self._connect() for _ in range(count)]
        content = LIST + b"\n"
        for client in clients:
            client.sendall(content[:-length])
        for position in range(length, 0, -1):
            time.sleep(1)
            for client in clients:
                client.sendall(content[len(content) - position :][:1])
        for client in clients:
            self._expect(client, self.reply)
            client.close()
        return f"{count} clients, {length} s"

    def never_reading(self):
        """Clients that ask for 5 MB and read nothing take little memory."""
        growth = self._unread(200, b'{"method":"list"}\n' * 5, 32)
        return f"200 clients that read nothing of 5 x 5 MB, {growth:+.1f} MB meanwhile"

    def leaving_early(self):
        """Clients that close while the reply is written, for which the kernel has a SIGPIPE, cost nobody else."""
        count = 1_000 // self.divisor
        for _ in range(count):
            client = self._connect()
            client.sendall(b'{"method":"list"}\n')
            client.recv(1)
            client.close()
        return f"{count:,} clients that read a byte of 5 MB"

    def half_closed(self):
        """Whoever shuts the write side down gets every reply, and then the end."""
        count = 2_000 // self.divisor
        for number in range(count):
            client = self._connect()
            client.sendall([b"", LIST, LIST + b"\n" + LIST, b"\n\n"][number % 4])
            client.shutdown(socket.SHUT_WR)
            self._expect(client, self.reply * [0, 1, 2, 0][number % 4])
            self._expect_end(client)
        return f"{count:,} connections"

    def stalled_subscribers(self):
        """Subscribers that read nothing take bounded memory, whatever the length of the hosts that are counted."""
        before, count = self.daemon.sample().rss, 200_000 // self.divisor
        subscribers = [self._connect() for _ in range(50)]
        for subscriber in subscribers:
            subscriber.sendall(b'{"method":"subscribe"}\n')
        client = self._connect()
        apps = json.dumps([f"app-{number % 12}" for number in range(100)])
        line = b'{"method":"impression","host":"%s","apps":%s}\n' % (b"h" * 255, apps.encode())
        for _ in range(count // 100):
            client.sendall(line)
            self._expect(client, b'{"jsonrpc":"2.0","id":null,"result":{"emitted":100}}\n')
        # A host that is longer than any id is refused before it can be counted.
        for _ in range(count // 100):
            client.sendall(b'{"method":"impression","apps":["app-0"],"host":"%s"}\n' % (b"h" * 65_000))
            self._expect_reason(client, "invalid-params")
        peak = self.daemon.sample().rss
        for one in (*subscribers, client):
            one.close()
        if peak > before + 32:
            raise Failed(f"RSS is {peak - before:.1f} MB more while subscribers stall")
        return f"{count:,} events for 50 subscribers that do not read, {peak - before:+.1f} MB meanwhile"

    # Too long, too deep, too many

    def long_lines(self):
        """The last length that is allowed, and the first that is not."""
        client = self._connect()
        for length in (LINE - 1, LINE):
            client.sendall(LIST + b" " * (length - len(LIST)) + b"\n")
            self._expect(client, self.reply)
        client.sendall(LIST + b" " * (LINE + 1 - len(LIST)) + b"\n" + LIST + b"\n")
        self._expect_reason(client, "too-large")
        self._expect_end(client)
        for _ in range(count := 200 // self.divisor):
            client = self._connect()
            with contextlib.suppress(BrokenPipeError):
                client.sendall(b"x" * 4_000_000)
            self._expect_reason(client, "too-large")
            client.close()
        return f"65,535, 65,536 and 65,537 bytes, and {count} lines of 4 MB"

    def blank_lines(self):
        """Lines without a request cost nothing, and the request behind them is answered."""
        client = self._connect()
        count = 1_000_000
        for blank in (b"\n", b"\r\n", b" \t\n"):
            for _ in range(count // 10_000):
                client.sendall(blank * 10_000)
            client.sendall(LIST + b"\n")
            self._expect(client, self.reply)
        client.close()
        return f"{3 * count:,} lines"

    def malformed_lines(self):
        """After every malformed line, deep nesting included, a request on the same connection is answered."""
        writer, count = Writer(chance.choices("malformed lines")), 10_000 // self.divisor
        with self._connect() as client, client.makefile("rb") as replies:
            for _ in range(count):
                line = writer.malformed()
                line.sends()
                client.sendall(line.content + b"\n" + LIST + b"\n")
                line.judge(replies.readline()[:-1], time.time())
                if (reply := replies.readline()) != self.reply:
                    raise Failed(f"after {line.content[:1000]} a list was answered {reply[:1000]}")
        return f"{count:,} lines, each with a probe behind it"

    def batches(self):
        """Batches of 100 lists, read and unread."""
        count = 300 // self.divisor
        batch = b"[" + b",".join([LIST] * 100) + b"]\n"
        expected = b"[" + b",".join([self.reply[:-1]] * 100) + b"]\n"
        client = self._connect()
        for _ in range(count):
            client.sendall(batch)
            self._expect(client, expected)
        client.close()
        growth = self._unread(100, batch.replace(b'"limit":1', b'"limit":9') * 100, 64)
        return f"{count} read, and 100 clients that read none, {growth:+.1f} MB meanwhile"

    def vanish(self):
        """Connections that are closed at once, with nothing, half a request or a whole one sent."""
        count = 100_000 // self.divisor
        for number in range(count):
            client = self._connect()
            with contextlib.suppress(BrokenPipeError):
                client.send([b"\n", LIST[:30], LIST + b"\n"][number % 3])
            client.close()
        return f"{count:,} times"

    def costly(self):
        """Requests that take longest for their length, from many clients at once."""
        clients = [self._connect() for _ in range(400 // self.divisor)]
        escapes = "\\u0061" * 10_000
        members = ",".join(f'"{number}":0' for number in range(5_000))
        lines = [f'{{"method":"list","params":{{{names}}}}}\n'.encode() for names in (f'"{escapes}":0', members)]
        for number, client in enumerate(clients):
            client.sendall(lines[number % 2])
        for client in clients:
            self._expect_reason(client, "invalid-params")
            client.close()
        return f"{len(clients)} clients"

    def marks(self):
        """A text whose normal form takes quadratic time costs hardly more than another, wherever a line has one."""
        lines = [
            '{{"method":"list","{}":0}}', '{{"method":"{}"}}', '{{"method":"list","language":"{}"}}', '{{"method":"tap","app":"{}"}}',
            '{{"method":"list","catalog":"{}"}}',
        ]
        times, count = {}, 20 // min(self.divisor, 4)
        for name, text in (("letters", "a" * 60_000), ("marks", "a" + "\u0301\u0323" * 15_000)):
            start = time.monotonic()
            for line in lines:
                client = self._connect()
                for _ in range(count):
                    client.sendall(line.format(text).encode() + b"\n")
                    read_line(client)
                client.close()
            times[name] = time.monotonic() - start
        if times["marks"] > 10 * times["letters"] + 1:
            raise Failed(f"{count * len(lines)} lines with marks took {times['marks']:.1f} s, with letters {times['letters']:.1f} s")
        return f"{count * len(lines)} lines with marks in {times['marks']:.2f} s, with letters in {times['letters']:.2f} s"

    def catalogs_with_marks(self):
        """Catalogs of 5 MB with such texts are refused as soon as others, and delay no launch."""
        run = "a" + "\u0301\u0323" * (LARGE // 4 - 1)
        # Refused, so that the lists stay as they are.
        app = {**next(iter(catalog.small().apps.values())), "id": "Bad ID"}
        documents = [
            {"apps": [app], "promoRules": {run: []}}, {"apps": [app], run: 0}, {"apps": [{**app, run: 0}]}, {"apps": [{**app, "name": run}]},
            {"apps": [{**app, "id": run}]}, {"apps": [{**app, "iconURL": f"https://{run}/"}]}, {"apps": [{**app, "tagline": {"en": run}}]},
        ]
        waits, longest = [], 0
        fetching, beside = self._connect(), self._connect()
        for document in documents:
            self.origin.body = json.dumps(document, ensure_ascii=False).encode()
            time.sleep(GAP)
            began = time.monotonic()
            fetching.sendall(self._request("refresh"))
            while not select.select([fetching], [], [], 0.001)[0]:
                asked = time.monotonic()
                beside.sendall(self._request("launch", app="app-0"))
                read_line(beside)
                waits.append(time.monotonic() - asked)
            if b'"code":"schema"' not in (reply := read_line(fetching)):
                raise Failed(f"the catalog was not refused: {reply[:300]}")
            longest = max(longest, time.monotonic() - began)
        for client in (fetching, beside):
            client.close()
        waits.sort()
        if waits[-1] > 1 or longest > 20:
            raise Failed(f"a launch waited {waits[-1] * 1e3:.0f} ms, and a catalog was refused after {longest:.1f} s")
        return (
            f"{len(documents)} catalogs of {LARGE // 10**6} MB, each refused within {longest:.2f} s; {len(waits):,} launches meanwhile, p99 "
            f"{waits[len(waits) * 99 // 100] * 1e3:.1f} ms, {waits[-1] * 1e3:.1f} ms at most")

    def floods(self):
        """Clients that cause as many events as they can, while somebody listens, delay one request no longer than another of their own."""
        app = self.daemon.ask("list", limit=1)["apps"][0]["id"]
        flood = self._request("impression", apps=[app] * 100) * 40
        subscriber = self._connect()
        subscriber.sendall(self._request("subscribe", events=["catalog"]))
        self._expect_within(subscriber, b'"subscribed"')
        clients, beside = [self._connect() for _ in range(100)], [self._connect() for _ in range(20)]
        before = self.daemon.ask("status")["requests"].get("impression", 0)
        for client in clients:
            client.sendall(flood)
        # The status behind each tap tells how many impressions were answered before it.
        for client in beside:
            client.sendall(self._request("tap", app=app) + self._request("status"))
        answered = max(
            json.loads(self._results(client, 2)[1])["result"]["requests"]["impression"] - before for client in beside)
        if answered > 40 * len(clients) / 2:
            raise Failed(f"a tap waited until {answered:,} of {40 * len(clients):,} impressions were answered")
        for client in clients:
            self._results(client, 40)
        for client in (*clients, *beside, subscriber):
            client.close()
        return f"{40 * len(clients):,} impressions, of which at most {answered:,} were answered before a tap"

    def writers(self):
        """Clients that all change the review history, or have the configuration read, again and again, delay no launch for long."""
        clients, beside = [self._connect() for _ in range(100)], self._connect()
        longest, rounds = 0, max(2, 20 // self.divisor)
        methods = [("launch", b'"recorded":true'), ("review-reset", b'"reset":true')]
        for number in range(rounds):
            method, expected = methods[number % 2]
            for each, client in enumerate(clients):
                client.sendall(self._request("reload") if each % 10 == 0 else self._request(method, app=f"writer-{each}"))
            begin = time.monotonic()
            beside.sendall(self._request("launch", app="beside"))
            self._expect_within(beside, b'"recorded":true' if number == 0 else b'"recorded":false')
            longest = max(longest, time.monotonic() - begin)
            for each, client in enumerate(clients):
                self._expect_within(client, b'"reloaded":true' if each % 10 == 0 else expected)
        beside.sendall(self._request("review-reset", app="beside"))
        self._expect_within(beside, b'"reset":true')
        for client in (*clients, beside):
            client.close()
        return f"{100 * rounds:,} requests of 100 clients, the longest launch beside them {longest * 1e3:.1f} ms"

    def invented(self):
        """A client that launches invented apps without end pushes out others of its kind, and no app of a catalog."""
        path, client = os.path.join(self.daemon.directory, "state/promod/reviews.json"), self._connect()
        app = self.daemon.ask("list", limit=1)["apps"][0]["id"]
        self.daemon.ask("launch", app=app)
        with open(path, encoding="ascii") as file:
            document = json.load(file)
        record = {"firstLaunch": "2020-01-01T00:00:00Z", "requests": []}
        document["apps"].update((f"invented-{number}", record) for number in range(10_000 - len(document["apps"])))
        with open(path + ".full", "w", encoding="ascii") as file:
            json.dump(document, file)
        os.rename(path + ".full", path)
        count = 200 // self.divisor
        begin = time.monotonic()
        client.sendall(b"".join(self._request("launch", app=f"later-{number}") for number in range(count)))
        self._results(client, count)
        seconds = time.monotonic() - begin
        with open(path, encoding="ascii") as file:
            known = json.load(file)["apps"]
        if app not in known or sum(name.startswith("later-") for name in known) != count or len(known) != 10_000:
            raise Failed(f"{len(known):,} apps are recorded")
        os.unlink(path)
        client.close()
        return f"{count:,} launches with 10,000 apps in {seconds:.1f} s"

    def descriptors_in_messages(self):
        """A descriptor whose close takes decades is refused by the kernel from Linux 6.16 on, and stops nothing."""
        with socket.socketpair()[0] as probe:
            try:
                probe.setsockopt(socket.SOL_SOCKET, PASS_DESCRIPTORS, 0)
            except OSError as error:
                raise LeftOut("this kernel cannot refuse descriptors in messages") from error
        count = 200 // self.divisor
        with contextlib.ExitStack() as peers:
            for _ in range(count):
                client, (slow, peer) = self._connect(), lingering()
                peers.enter_context(peer)
                # So many unread replies that promod reads no further.
                client.sendall(b'{"method":"rpc.discover"}\n' * 40)
                try:
                    socket.send_fds(client, [LIST + b"\n"], [slow.fileno()])
                except PermissionError:
                    without_lingering(slow)
                else:
                    raise Failed("a descriptor was not refused")
                slow.close()
                client.close()
            self._probe(self._connect())
        return f"{count} times"

    def connection_limit(self):
        """The connection after the last is told so, and there is a place again when one leaves."""
        self.daemon.configure(socket__max_connections=50)
        self.daemon.ask("reload")
        clients = []
        while self._is_served(client := self._connect()):
            clients.append(client)
            if len(clients) > 50:
                raise Failed("more than 50 connections are served")
        if len(clients) < 48:
            raise Failed(f"only {len(clients)} connections are served")
        client.close()
        clients.pop().close()
        end = time.monotonic() + PATIENCE
        while not self._is_served(client := self._connect()):
            if time.monotonic() > end:
                raise Failed("there is no place after one has left")
        for other in (*clients, client):
            other.close()
        self.daemon.configure(socket__max_connections=1024)
        self._retry(lambda: self.daemon.ask("reload"))
        return f"{len(clients) + 1} of at most 50 beside the well-behaved one"

    def gone_while_waiting(self):
        """Clients that hang up while their replies wait for the disk give their places back at once."""
        self.daemon.configure(socket__max_connections=50)
        self.daemon.ask("reload")
        rounds, longest = 40 // self.divisor, 0
        for number in range(rounds):
            # One waits for the other.
            clients = [self._connect() for _ in range(40)]
            for each, client in enumerate(clients):
                client.sendall(self._request("launch" if number % 2 == 0 else "review-reset", app=f"waiting-{each}") * 2)
            for client in clients:
                client.close()
            began = time.monotonic()
            self._retry(lambda: self._probe(self._connect()))
            longest = max(longest, time.monotonic() - began)
        if longest > 5:
            raise Failed(f"a client had no place for {longest:.1f} s")
        self.daemon.configure(socket__max_connections=1024)
        self._retry(lambda: self.daemon.ask("reload"))
        return f"{40 * rounds:,} clients, a place after {longest * 1e3:.1f} ms at most"

    def descriptor_limit(self):
        """Without descriptors, promod serves whom it has and waits without work; afterwards it accepts again."""
        limits = resource.prlimit(self.daemon.pid, resource.RLIMIT_NOFILE)
        used = self.daemon.sample().descriptors
        resource.prlimit(self.daemon.pid, resource.RLIMIT_NOFILE, (used + 20, limits[1]))
        try:
            clients = [self._connect() for _ in range(100)]
            self._probe(clients[0], keep=True)
            began = self.daemon.processor_time
            time.sleep(2)
            share = (self.daemon.processor_time - began) / 2
        finally:
            resource.prlimit(self.daemon.pid, resource.RLIMIT_NOFILE, limits)
        for client in clients:
            client.close()
        self._retry(lambda: self._probe(self._connect()))
        if share > 0.5:
            raise Failed(f"promod takes {share:.0%} of a processor while it has no descriptors")
        if (count := self.daemon.end_of_log.count("New clients wait")) != 1:
            raise Failed(f"the log says {count} times that clients cannot be accepted")
        return f"100 clients with descriptors for 20, {share:.1%} of a processor"

    def another_user(self):
        """Another user is disconnected before a byte is read, even if the permissions let it connect."""
        if os.getuid() != 0:
            raise LeftOut("only root can become another user")
        directory = os.path.dirname(self.daemon.socket)
        modes = {path: os.stat(path).st_mode & 0o7777 for path in (directory, self.daemon.socket)}
        os.chmod(directory, 0o755)
        os.chmod(self.daemon.socket, 0o666)
        try:
            for _ in range(count := 20):
                as_nobody(self._visit)
        finally:
            for path, mode in modes.items():
                os.chmod(path, mode)
        return f"{count} times"

    def _visit(self):
        client = self._connect()
        with contextlib.suppress(BrokenPipeError):
            client.sendall(LIST + b"\n")
        # A reset means the same as an end without a byte.
        with contextlib.suppress(ConnectionResetError):
            if client.recv(100):
                raise Failed("another user was answered")
        return ""

    # Connections without the checks of `Connection`

    def _unread(self, count, content, most):
        """So many clients send this and read nothing. Returns the MB that it takes meanwhile, which may be at most so many."""
        before, clients = self.daemon.sample().rss, [self._connect() for _ in range(count)]
        for client in clients:
            client.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                client.send(content)
        peaks = []
        for _ in range(20):
            time.sleep(0.1)
            peaks.append(self.daemon.sample().rss)
        for client in clients:
            client.close()
        growth = max(peaks) - before
        if growth > most:
            raise Failed(f"RSS is {growth:.1f} MB more while {count} clients do not read")
        return growth

    def _connect(self):
        return connected(self.daemon.socket)

    def _expect(self, client, expected):
        reply = b""
        while len(reply) < len(expected):
            piece = client.recv(min(1 << 20, len(expected) - len(reply)))
            if not piece:
                break
            reply += piece
        if reply != expected:
            raise Failed(f"{reply[:1000]!r} came, not {expected[:1000]!r}")

    @staticmethod
    def _results(client, count):
        """The next lines, which must be results."""
        replies = b""
        while replies.count(b"\n") < count:
            if not (piece := client.recv(1 << 20)):
                raise Failed(f"the connection ended after {replies[-200:]!r}")
            replies += piece
        lines = replies.splitlines()
        for line in lines:
            if b'"result"' not in line:
                raise Failed(f"{line[:1000]!r} came, not a result")
        return lines

    def _expect_reason(self, client, reason):
        reply = json.loads(read_line(client))
        if reply.get("error", {}).get("data") != {"reason": reason}:
            raise Failed(f"{str(reply)[:1000]} came, not {reason}")

    @staticmethod
    def _request(method, **parameters):
        return json.dumps({"method": method, **({"params": parameters} if parameters else {})}).encode() + b"\n"

    @staticmethod
    def _expect_within(client, expected):
        if expected not in (reply := read_line(client)):
            raise Failed(f"{reply[:1000]!r} came, without {expected!r}")

    @staticmethod
    def _expect_end(client):
        if more := client.recv(100):
            raise Failed(f"{more!r} came after the end")
        client.close()

    def _probe(self, client, keep=False):
        """The reply to a list."""
        client.sendall(LIST + b"\n")
        reply = read_line(client)
        if not keep:
            client.close()
        return reply

    @staticmethod
    def _is_served(client):
        with contextlib.suppress(BrokenPipeError):
            client.sendall(LIST + b"\n")
        reply = client.recv(65_536)
        if b'"busy"' in reply or not reply:
            client.close()
            return False
        return True

    @staticmethod
    def _retry(action):
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return action()
            except (Failed, OSError):
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)


ATTACKS = {
    "a byte a second": Hostile.slow, "lines of 64 KiB": Hostile.long_lines, "blank lines": Hostile.blank_lines,
    "malformed lines": Hostile.malformed_lines, "batches of lists": Hostile.batches, "connect and vanish": Hostile.vanish,
    "connection limit": Hostile.connection_limit, "gone while waiting": Hostile.gone_while_waiting,
    "descriptor limit": Hostile.descriptor_limit, "stalled subscribers": Hostile.stalled_subscribers,
    "half-closed": Hostile.half_closed, "another user": Hostile.another_user, "costly requests": Hostile.costly,
    "runs of marks": Hostile.marks, "catalogs with marks": Hostile.catalogs_with_marks, "floods of events": Hostile.floods,
    "everybody writes": Hostile.writers, "invented ids": Hostile.invented, "descriptors in messages": Hostile.descriptors_in_messages,
}
LARGE_ATTACKS = {"never reading": Hostile.never_reading, "leaving early": Hostile.leaving_early}
