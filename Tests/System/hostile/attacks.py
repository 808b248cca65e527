"""Clients that do everything wrong: deaf, malformed, vanishing, inventing, too many, or another user's."""
import contextlib
import json
import os
import resource
import socket
import subprocess
import threading
import time

from support import catalog, chance
from support.check import LeftOut
from support.claims import Failed, compare, expect, problem
from support.lines import Writer
from support.wire import PATIENCE, Case, comes, connected, read_line

LARGE = 5_000_000  # bytes, about as much as a catalog may have
MEMORY_MB = 4  # Growth that may be chance.
DEAF_MB = 32  # what clients that do not read may take
PASS_DESCRIPTORS = 83  # SO_PASSRIGHTS, of Linux 6.16.
LIST = b'{"jsonrpc":"2.0","id":1,"method":"list","params":{"limit":1}}'


class Neighbour:
    """A well-behaved client, which asks for the same list again and again from the beginning to the end of a block."""

    PAUSE = 0.001  # seconds between its requests

    def __init__(self, daemon):
        self.connection = daemon.connect()
        self.expected = self.connection.ask("list", limit=3)
        self.count, self.problem, self.is_over = 0, "", False
        self.thread = threading.Thread(target=self._live, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *failure):
        self.is_over = True
        self.thread.join()
        self.connection.close()

    def _live(self):
        try:
            while not self.is_over:
                compare(self.connection.ask("list", limit=3), self.expected)
                self.count += 1
                time.sleep(self.PAUSE)
        except (Failed, OSError) as error:
            self.problem = f"{type(error).__name__} {error}"


class Hostile:
    """Attacks, each beside a well-behaved client."""

    def __init__(self, daemon, origin):
        self.daemon, self.origin = daemon, origin

    def run(self, attack):
        """Runs an attack beside a well-behaved client, and checks that the daemon is as it was before."""
        before = self.daemon.sample()
        with Neighbour(self.daemon) as neighbour:
            figures = attack(self)
        after = self.daemon.settled(
            lambda sample: sample.rss <= before.rss + MEMORY_MB and sample.descriptors <= before.descriptors)
        return f"{figures}; {neighbour.count:,} lists beside it, RSS {before.rss:.1f} {after.rss - before.rss:+.1f} MB", [
            *problem(neighbour.problem, f"a well-behaved client was disturbed: {neighbour.problem}"),
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
        before, clients = self.daemon.sample().rss, [self._connect() for _ in range(200)]
        for client in clients:
            client.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                client.send(b'{"method":"list"}\n' * 5)
        peaks = []
        for _ in range(20):
            time.sleep(0.1)
            peaks.append(self.daemon.sample().rss)
        for client in clients:
            client.close()
        return f"{len(clients)} clients that read nothing of 5 x 5 MB, {self._growth(before, max(peaks)):+.1f} MB meanwhile"

    def leaving_early(self):
        """Clients that close while the reply is written, for which the kernel raises SIGPIPE, cost nobody else."""
        count = 100
        for _ in range(count):
            with self._connect() as client:
                client.sendall(b'{"method":"list"}\n')
                client.recv(1)
        return f"{count:,} clients that read a byte of 5 MB"

    def stalled_subscribers(self):
        """Subscribers that read nothing take bounded memory, whatever the length of the hosts that are counted."""
        before, count = self.daemon.sample().rss, 20_000
        subscribers = [self._connect() for _ in range(50)]
        for subscriber in subscribers:
            subscriber.sendall(b'{"method":"subscribe"}\n')
        client = self.daemon.connect()
        apps = [f"app-{number % 12}" for number in range(100)]
        for _ in range(count // len(apps)):
            compare(client.ask("impression", host="h" * 255, apps=apps), {"emitted": len(apps)})
        peak = self.daemon.sample().rss
        for one in (*subscribers, client):
            one.close()
        return f"{count:,} events for 50 subscribers that do not read, {self._growth(before, peak):+.1f} MB meanwhile"

    def malformed_lines(self):
        """After every malformed line, deep nesting included, a request on the same connection is answered."""
        writer, count = Writer(chance.choices("malformed lines")), 1_000
        with self._connect() as client, client.makefile("rb") as replies:
            client.sendall(LIST + b"\n")
            expected = replies.readline()
            for _ in range(count):
                line = writer.malformed()
                line.sends()
                client.sendall(line.content + b"\n" + LIST + b"\n")
                line.judge(replies.readline()[:-1], time.time())
                if (reply := replies.readline()) != expected:
                    raise Failed(f"after {line.content[:1000]} a list was answered {reply[:1000]}")
        return f"{count:,} lines, each with a probe behind it"

    def vanish(self):
        """Connections that are closed at once, with nothing, half a request or a whole one sent."""
        count = 10_000
        for number in range(count):
            with self._connect() as client, contextlib.suppress(BrokenPipeError):
                client.send([b"\n", LIST[:30], LIST + b"\n"][number % 3])
        return f"{count:,} times"

    def floods(self):
        """Clients that cause as many events as they can, while somebody listens, delay one request no longer than another of their own."""
        app, each = self.daemon.ask("list", limit=1)["apps"][0]["id"], 40
        subscriber = self.daemon.connect()
        subscriber.ask("subscribe", events=["catalog"])
        clients, beside = [self.daemon.connect() for _ in range(100)], [self.daemon.connect() for _ in range(20)]
        before = self.daemon.ask("status")["requests"].get("impression", 0)
        flood = [Case("impression", {"apps": [app] * 100}, {"emitted": 100})] * each
        for client in clients:
            client.send(flood)
        # The status behind each tap tells how many impressions were answered before it.
        for client in beside:
            client.send([Case("tap", {"app": app}), Case("status", {})])
        answered = 0
        for client in beside:
            with client.socket.makefile("rb") as replies:
                _, status = replies.readline(), json.loads(replies.readline())
            answered = max(answered, status["result"]["requests"]["impression"] - before)
        expect(answered <= each * len(clients) / 2, f"a tap waited until {answered:,} of {each * len(clients):,} impressions were answered")
        for client in clients:
            client.check(flood)
        for client in (*clients, *beside, subscriber):
            client.close()
        return f"{each * len(clients):,} impressions, of which at most {answered:,} were answered before a tap"

    def invented(self):
        """A client that launches invented apps without end pushes out others of its kind, and no app of a catalog."""
        path, count = os.path.join(self.daemon.directory, "state/promod/reviews.json"), 3
        app = self.daemon.ask("list", limit=1)["apps"][0]["id"]
        self.daemon.ask("launch", app=app)
        with open(path, encoding="ascii") as file:
            document = json.load(file)
        record = {"firstLaunch": "2020-01-01T00:00:00Z", "requests": []}
        document["apps"].update((f"invented-{number}", record) for number in range(10_000 - len(document["apps"])))
        with open(path + ".full", "w", encoding="ascii") as file:
            json.dump(document, file)
        os.rename(path + ".full", path)
        for number in range(count):
            self.daemon.ask("launch", app=f"later-{number}")
        with open(path, encoding="ascii") as file:
            known = json.load(file)["apps"]
        compare([app in known, sum(name.startswith("later-") for name in known), len(known)], [True, count, 10_000])
        os.unlink(path)
        return f"{count:,} launches with 10,000 apps"

    def descriptor_limit(self):
        """Without descriptors, promod serves the clients it has, and logs that once; afterwards it accepts again."""
        limits = resource.prlimit(self.daemon.pid, resource.RLIMIT_NOFILE)
        used = self.daemon.sample().descriptors
        resource.prlimit(self.daemon.pid, resource.RLIMIT_NOFILE, (used + 20, limits[1]))
        try:
            clients = [self._connect() for _ in range(100)]
            clients[0].sendall(LIST + b"\n")
            read_line(clients[0])
            expect(comes(lambda: "New clients wait" in self.daemon.end_of_log), "the log does not say that clients cannot be accepted")
            time.sleep(2.5)  # It tries again each second.
        finally:
            resource.prlimit(self.daemon.pid, resource.RLIMIT_NOFILE, limits)
        for client in clients:
            client.close()
        self.daemon.ask("list", limit=1)
        compare(self.daemon.end_of_log.count("New clients wait"), 1)
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
                expect(not done.stdout, f"another user is answered {done}")
                expect(b"denied" not in done.stderr, f"another user cannot connect: {done}")
        finally:
            for path, mode in modes.items():
                os.chmod(path, mode)
        return f"{count} times"

    def _connect(self):
        """A connection without the checks of `Connection`."""
        return connected(self.daemon.socket)

    @staticmethod
    def _growth(before, peak):
        """The MB that clients which do not read take."""
        expect(peak <= before + DEAF_MB, f"RSS is {peak - before:.1f} MB more while clients do not read")
        return peak - before


ATTACKS = {
    "malformed lines": Hostile.malformed_lines, "connect and vanish": Hostile.vanish, "descriptor limit": Hostile.descriptor_limit,
    "stalled subscribers": Hostile.stalled_subscribers, "another user": Hostile.another_user, "floods of events": Hostile.floods,
    "invented ids": Hostile.invented, "descriptors in messages": Hostile.descriptors_in_messages,
}
LARGE_ATTACKS = {"never reading": Hostile.never_reading, "leaving early": Hostile.leaving_early}
