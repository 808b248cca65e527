"""Many machines, each with a promod, and the cache and the origin that they share."""
import contextlib
from concurrent.futures import ThreadPoolExecutor

from support.claims import Failed, expect
from support.daemon import Daemon
from support.network import FAR, Network
from .authority import Authority
from .cache import Cache
from .publisher import Publisher

VALID = 300  # seconds that a catalog is valid in the cache
FORGOTTEN = 11  # seconds after which an error has expired
MOMENT = 2  # seconds after which the origin may be asked again, though the catalog is valid


class Fleet:
    """The daemons at one end of the cable, the cache and the origin at the other."""

    def __init__(self, binary, count):
        self.binary, self.count = binary, count

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self.net = stack.enter_context(Network())
            self.daemons = [Daemon(self.binary) for _ in range(self.count)]
            for daemon in self.daemons:
                stack.callback(daemon.stop)
                daemon.launcher = self.net.launcher
            directory = self.daemons[0].directory
            self.authority = Authority(directory)
            self.origin = Publisher(directory, self.authority, self.net)
            stack.callback(self.origin.close)
            self.net.hosts(origin=[FAR[4]], apps=[FAR[4]])
            self.net.connect(4)
            self.cache = Cache(self.net, directory, self.authority, self.origin)
            stack.callback(self.cache.stop)
            self.cache.start()
            self.pool = stack.enter_context(ThreadPoolExecutor(self.count))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *failure):
        self._stack.close()

    def start(self):
        """Starts all daemons at once, without a catalog, and returns when each has one or has failed."""
        def start(daemon):
            daemon.configure(catalog__url=self.cache.url, catalog__ca_file=self.authority.certificate, retry__base="1h")
            daemon.start()
            return daemon.ask("list", wait=True)
        return list(self.pool.map(start, self.daemons))

    def expire(self):
        """Lets the time pass for which the cache does not ask the origin."""
        self.cache.pass_time(VALID + 1)

    def forget(self):
        """Lets the time pass for which the cache does not ask an origin again that has failed."""
        self.cache.pass_time(FORGOTTEN)

    def refresh(self, outcome=None, count=None):
        """Refreshes so many daemons at once, each of which must come to this outcome if one is given; returns what the cache sent."""
        results = list(self.pool.map(Daemon.refresh, self.daemons[:count]))
        if wrong := [result for result in results if outcome not in (None, result["outcome"])]:
            raise Failed(f"a refresh is answered {wrong[0]}, not {outcome}; the cache has logged {self.cache.logged} and {self.cache.end_of_log}")
        return self.cache.new_responses(len(results))

    def generations(self):
        """The generations that the daemons serve."""
        return {daemon.ask("list")["generation"] for daemon in self.daemons}

    def asked(self, count):
        """Checks how often the origin was asked since the last call, and returns the heads of the requests."""
        requests = self.origin.new_requests()
        expect(len(requests) == count, f"the origin was asked {len(requests)} times, not {count}")
        return requests
