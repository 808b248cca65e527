"""Clients that do everything wrong: slow, silent, oversized, malformed, vanishing, too many, or another user's."""
import contextlib
import json
import os
import resource
import socket
import subprocess
import time

from support import catalog, chance
from support.check import LeftOut
from support.claims import Failed, expect, problem
from support.lines import Writer
from support.wire import PATIENCE, comes, connected, read_line
from .neighbour import Neighbour

LINE = 65_536
LARGE = 5_000_000  # bytes, about as much as a catalog may have
MEMORY_MB = 4  # Growth that may be chance.
PASS_DESCRIPTORS = 83  # SO_PASSRIGHTS, of Linux 6.16.
LIST = b'{"jsonrpc":"2.0","id":1,"method":"list","params":{"limit":1}}'


class Hostile:
    """Attacks, each beside a well-behaved client and with a probe afterwards."""

    def __init__(self, daemon, origin):
        self.daemon, self.origin = daemon, origin
        self.reply = self._probe(self._connect())

    def run(self, attack):
        """Runs an attack beside a well-behaved client, and checks that the daemon is as it was before."""
        expected = self.daemon.ask("list", limit=3)
        before = self.daemon.sample()
        with Neighbour(self.daemon.socket, expected) as neighbour:
            figures = attack(self)
        after = self.daemon.settled(
            lambda sample: sample.rss <= before.rss + MEMORY_MB and sample.descriptors <= before.descriptors)
        figures += (
            f"; p99 of a well-behaved client {neighbour.p99:.2f} ms over {neighbour.count:,} lists, "
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

    def never_reading(self):
        """Clients that ask for 5 MB and read nothing take little memory."""
        growth = self._unread(200, b'{"method":"list"}\n' * 5, 32)
        return f"200 clients that read nothing of 5 x 5 MB, {growth:+.1f} MB meanwhile"

    def leaving_early(self):
        """Clients that close while the reply is written, for which the kernel raises SIGPIPE, cost nobody else."""
        count = 100
        for _ in range(count):
            client = self._connect()
            client.sendall(b'{"method":"list"}\n')
            client.recv(1)
            client.close()
        return f"{count:,} clients that read a byte of 5 MB"

    def half_closed(self):
        """Whoever shuts the write side down gets every reply, and then the end."""
        count = 200
        for number in range(count):
            client = self._connect()
            client.sendall([b"", LIST, LIST + b"\n" + LIST, b"\n\n"][number % 4])
            client.shutdown(socket.SHUT_WR)
            self._expect(client, self.reply * [0, 1, 2, 0][number % 4])
            self._expect_end(client)
        return f"{count:,} connections"

    def stalled_subscribers(self):
        """Subscribers that read nothing take bounded memory, whatever the length of the hosts that are counted."""
        before, count = self.daemon.sample().rss, 20_000
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
        for _ in range(count := 20):
            client = self._connect()
            with contextlib.suppress(BrokenPipeError):
                client.sendall(b"x" * 4_000_000)
            self._expect_reason(client, "too-large")
            client.close()
        return f"65,535, 65,536 and 65,537 bytes, and {count} lines of 4 MB"

    def malformed_lines(self):
        """After every malformed line, deep nesting included, a request on the same connection is answered."""
        writer, count = Writer(chance.choices("malformed lines")), 1_000
        with self._connect() as client, client.makefile("rb") as replies:
            for _ in range(count):
                line = writer.malformed()
                line.sends()
                client.sendall(line.content + b"\n" + LIST + b"\n")
                line.judge(replies.readline()[:-1], time.time())
                if (reply := replies.readline()) != self.reply:
                    raise Failed(f"after {line.content[:1000]} a list was answered {reply[:1000]}")
        return f"{count:,} lines, each with a probe behind it"

    def vanish(self):
        """Connections that are closed at once, with nothing, half a request or a whole one sent."""
        count = 10_000
        for number in range(count):
            client = self._connect()
            with contextlib.suppress(BrokenPipeError):
                client.send([b"\n", LIST[:30], LIST + b"\n"][number % 3])
            client.close()
        return f"{count:,} times"

    def floods(self):
        """Clients that cause as many events as they can, while somebody listens, delay one request no longer than another of their own."""
        app = self.daemon.ask("list", limit=1)["apps"][0]["id"]
        flood = self._request("impression", apps=[app] * 100) * 40
        subscriber = self._connect()
        subscriber.sendall(self._request("subscribe", events=["catalog"]))
        self._results(subscriber, 1)
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
        count = 3
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

    def connection_limit(self):
        """One connection too many is told so, and a new one is accepted when another leaves."""
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
        rounds, longest = 4, 0
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
        """Without descriptors, promod serves the clients it has, and logs that once; afterwards it accepts again."""
        limits = resource.prlimit(self.daemon.pid, resource.RLIMIT_NOFILE)
        used = self.daemon.sample().descriptors
        resource.prlimit(self.daemon.pid, resource.RLIMIT_NOFILE, (used + 20, limits[1]))
        try:
            clients = [self._connect() for _ in range(100)]
            self._probe(clients[0], keep=True)
            expect(comes(lambda: "New clients wait" in self.daemon.end_of_log), "the log does not say that clients cannot be accepted")
        finally:
            resource.prlimit(self.daemon.pid, resource.RLIMIT_NOFILE, limits)
        for client in clients:
            client.close()
        self._retry(lambda: self._probe(self._connect()))
        if (count := self.daemon.end_of_log.count("New clients wait")) != 1:
            raise Failed(f"the log says {count} times that clients cannot be accepted")
        return "100 clients with descriptors for 20"

    def descriptors_in_messages(self):
        """A descriptor in a message, whose close might take decades, is refused by the kernel from Linux 6.16 on."""
        with socket.socketpair()[0] as probe:
            try:
                probe.setsockopt(socket.SOL_SOCKET, PASS_DESCRIPTORS, 0)
            except OSError as error:
                raise LeftOut("this kernel cannot refuse descriptors in messages") from error
        with self._connect() as client:
            try:
                socket.send_fds(client, [LIST + b"\n"], [client.fileno()])
            except PermissionError:
                return ""
        raise Failed("a descriptor was not refused")

    def another_user(self):
        """Another user is disconnected before a byte is read, even if the permissions let it connect."""
        if os.getuid() != 0:
            raise LeftOut("only root can become another user")
        directory = os.path.dirname(self.daemon.socket)
        modes = {path: os.stat(path).st_mode & 0o7777 for path in (directory, self.daemon.socket)}
        os.chmod(directory, 0o755)
        os.chmod(self.daemon.socket, 0o666)
        try:
            ask = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "nc.openbsd", "-NU", self.daemon.socket]
            for _ in range(count := 5):
                done = subprocess.run(ask, input=LIST + b"\n", capture_output=True, timeout=PATIENCE, check=False)
                expect(not done.stdout and not b"denied" in done.stderr, f"another user is answered {done}")
        finally:
            for path, mode in modes.items():
                os.chmod(path, mode)
        return f"{count} times"

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
    "lines of 64 KiB": Hostile.long_lines, "malformed lines": Hostile.malformed_lines, "connect and vanish": Hostile.vanish,
    "connection limit": Hostile.connection_limit, "gone while waiting": Hostile.gone_while_waiting, "descriptor limit": Hostile.descriptor_limit,
    "stalled subscribers": Hostile.stalled_subscribers, "half-closed": Hostile.half_closed, "another user": Hostile.another_user,
    "floods of events": Hostile.floods, "invented ids": Hostile.invented, "descriptors in messages": Hostile.descriptors_in_messages,
}
LARGE_ATTACKS = {"never reading": Hostile.never_reading, "leaving early": Hostile.leaving_early}
