"""Cases that once took unbounded memory: replies that nobody reads, large catalogs, impolite and silent origins."""
from support import catalog
from support.claims import expect, problem
from support.origin import SilentOrigin
from support.wire import Case, exchange
from .kind import MEMORY_MB

# A list is longer than its catalog.
LARGE = 4_800_000


class Extremes:
    """Checks that each take one thing to an extreme, and return their figures and their problems."""

    def __init__(self, daemon, origin, publications):
        self.daemon, self.origin, self.publications = daemon, origin, publications

    def large_generations(self, count):
        """New generations of a large catalog take no more memory than the first one."""
        sizes = []
        for version in range(count):
            self.publications.serve(catalog.large(4_000_000, version))
            # What the last one took is given back a moment after the reply.
            sizes.append(self.daemon.settled(lambda sample: not sizes or sample.dirty <= 1.5 * sizes[0]).dirty)
        figures = (
            f"{count} generations of 4 MB: dirty {sizes[0]:.1f} MB after the first, {max(sizes):.1f} MB at most, "
            f"{sizes[-1]:.1f} MB at last")
        return figures, problem(max(sizes) > 1.5 * sizes[0], "private memory is over 1.5 times that after the first")

    def unread_replies(self, count):
        """Clients that request a large list and do not read it take little memory, and none after they are gone."""
        self.publications.serve(catalog.large(LARGE))
        connection = self.daemon.connect()
        size = self._length_of_list(connection)
        idle = self.daemon.sample()
        asked = connection.ask("status")["requests"]["list"]
        clients = [self.daemon.connect() for _ in range(count)]
        for client in clients:
            client.send([Case("list", {})])
        peak, others = idle.dirty, 0
        while connection.ask("status")["requests"]["list"] - asked < count + others:
            connection.ask("list", limit=3)
            others += 1
            expect(others < 10_000, "the clients get no replies")
            peak = max(peak, self.daemon.sample().dirty)
        exchange([connection], [Case("impression", {"apps": ["app-0"]}, {"emitted": 1})] * 100)
        held = self.daemon.sample().dirty
        for client in clients:
            client.close()
        after = self.daemon.settled(lambda sample: sample.dirty <= idle.dirty + MEMORY_MB)
        connection.close()
        peak = max(peak, held)
        figures = (
            f"{count} clients that do not read {size / 1e6:.1f} MB each: dirty {idle.dirty:.1f} MB idle, {peak:.1f} MB at most, "
            f"{after.dirty:.1f} MB afterwards; {others + 100} other requests answered meanwhile")
        return figures, [
            *problem(peak > idle.dirty + 16, "private memory is more than 16 MB above idle"),
            *problem(after.dirty > idle.dirty + MEMORY_MB, "memory is not released after the clients are gone"),
        ]

    def impolite_origin(self, count):
        """An origin that closes without close_notify leaks nothing in the daemon."""
        self.publications.serve(catalog.small())
        self.origin.says_goodbye = False
        sizes = []
        for number in range(count):
            self.publications.refresh()
            if number >= count // 10:
                sizes.append(self.daemon.sample().dirty)
        self.origin.says_goodbye = True
        base = sizes[0]
        figures = (
            f"{count} refreshes without close_notify: dirty {base:.1f} MB after {count // 10}, {max(sizes):.1f} MB at most, "
            f"{sizes[-1]:.1f} MB at last")
        return figures, problem(max(sizes) > base + MEMORY_MB, "memory grows with the refreshes")

    def silent_origins(self, count):
        """Reloads between two addresses that accept and never answer leak no descriptors."""
        origins = [SilentOrigin(), SilentOrigin()]
        connection = self.daemon.connect()
        began = self.daemon.sample().descriptors
        most = began
        for number in range(count):
            self.daemon.configure(catalog__url=origins[number % 2].url)
            connection.ask("reload")
            most = max(most, self.daemon.sample().descriptors)
        self.daemon.configure(catalog__url=self.origin.url)
        connection.ask("reload")
        connection.close()
        for origin in origins:
            origin.close()
        figures = f"{count} reloads between two silent addresses: {began} descriptors at the beginning, {most} at most"
        # Four connections at most, each with an event loop of three descriptors, and as many loops that are about to end.
        return figures, problem(most > began + 4 * 4 + 4 * 3, "cancelled fetches keep their descriptors")

    @staticmethod
    def _length_of_list(connection):
        connection.send([Case("list", {})])
        connection.last_id += 1
        return sum(len(line) for line in connection.read_lines())
