"""The requests that are answered at once, with the replies that a model expects."""
import contextlib
import itertools
import socket

from support import catalog
from support.claims import expect
from support.network import is_online
from support.wire import ANYTHING, Case, exchange
from .kind import Kind

UNKNOWN_APP = (-32001, "unknown-app")


class Queries:
    """Sends requests over several connections while bystanders receive events."""

    CONNECTIONS = 4

    def __init__(self, daemon, bystanders, content, launches):
        self.daemon, self.bystanders, self.content, self.launches = daemon, bystanders, content, launches
        self.connections = [daemon.connect() for _ in range(self.CONNECTIONS)]
        times = {name: daemon.catalog[name] for name in ("fetchedAt", "expiresAt")}
        self.freshness = {"state": "loaded", "source": "origin", **times}

    def close(self):
        for connection in self.connections:
            connection.close()

    def asking(self, cases):
        """Sends these requests again and again."""
        supply = itertools.cycle(cases)

        def perform(number):
            chosen = list(itertools.islice(supply, number))
            exchange(self.connections, chosen)
            self.bystanders.after_round([event for case in chosen for event in _events(case)])

        return contextlib.nullcontext(perform)

    def lists(self, freshness):
        """Every host, language and limit."""
        hosts = [None, "stranger", "outside", *self.content.apps]
        cases = []
        for host, language, limit in itertools.product(hosts, catalog.LANGUAGES, [None, 1, 3, 100]):
            params = {"host": host, "language": language, "limit": limit}
            params = {name: value for name, value in params.items() if value is not None}
            cases.append(Case("list", params, self.content.listing(host, language, limit, freshness)))
        return cases

    def taps(self):
        """Each app in each language, and an unknown one."""
        cases = [Case("tap", {"app": "ghost"}, error=UNKNOWN_APP)]
        where = {"presentation": "store"} if is_online() else {"presentation": "offline", "message": ANYTHING}
        for (name, app), language in itertools.product(self.content.apps.items(), ["en", "ko", "ja"]):
            result = {"app": name, "appStoreID": app["appStoreID"], **where, "storeURL": catalog.store_url(app)}
            cases.append(Case("tap", {"app": name, "host": "finebill", "language": language}, result))
        return cases

    def impressions(self):
        """One to three apps, and two of which one is unknown."""
        apps = list(self.content.apps)
        cases = [Case("impression", {"apps": [apps[0], "ghost"], "host": "finebill"}, error=UNKNOWN_APP)]
        for number, first in itertools.product([1, 2, 3], range(len(apps) - 2)):
            shown = apps[first : first + number]
            cases.append(Case("impression", {"apps": shown, "host": f"host-{first}"}, {"emitted": number}))
        return cases

    def status(self):
        """The `status` while nothing happens but queries."""
        status = self.daemon.ask("status")
        expect(status["pid"] == self.daemon.pid and status["online"] == is_online(), f"status says {status}")
        [served] = status["catalogs"]
        expect(served["apps"] == len(self.content.apps) and served["generation"] == self.content.generation, f"status says {status}")
        return Case("status", {}, {**status, "socket": ANYTHING, "requests": ANYTHING})

    def eligibilities(self):
        """Apps that were launched today, and one that never was, by the default policy."""
        cases = []
        for completed, (app, launch) in itertools.product(range(6), self.launches.items()):
            result = {"app": app, "eligible": False, "reasons": ["too-soon-after-first-launch"], "eligibleAt": launch["week_later"]}
            if completed < 3:
                result["reasons"] = ["too-few-completions", "too-soon-after-first-launch"]
                result["completionsNeeded"] = 3
            cases.append(Case("review-eligible", {"app": app, "completed": completed}, result))
        never = {"app": "never", "eligible": False, "reasons": ["never-launched"], "eligibleAt": None, "advice": ANYTHING}
        return cases + [Case("review-eligible", {"app": "never", "completed": 3}, never)]

    def discovery(self):
        """The description of the protocol, which is always the same."""
        return Case("rpc.discover", {}, self.daemon.ask("rpc.discover"))

    def subscribe(self, number):
        """Subscribes on a new connection, shuts its write side down, and reads to its end."""
        for _ in range(number):
            connection = self.daemon.connect()
            subscription = connection.ask("subscribe", events=["tap"])
            expect(subscription["since"] == self.bystanders.all.seq, f"subscribe was answered {subscription}")
            connection.socket.shutdown(socket.SHUT_WR)
            expect(connection.read_lines() == [], "an unexpected event came")
            connection.close()
        self.bystanders.after_round([])


def _events(case):
    if "error" in case.answer:
        return []
    apps = case.params["apps"] if case.method == "impression" else [case.params["app"]] if case.method == "tap" else []
    return [(case.method, app, case.params.get("host")) for app in apps]


def kinds(queries, count):
    """All kinds; the cheap ones run `count` times. To list them there are no queries."""
    def kind(name, count, cases, per_round=400):
        return Kind(name, count, lambda: queries.asking(cases()), per_round)
    return [
        kind("list", count, lambda: queries.lists(queries.freshness)),
        kind("tap", count, lambda: queries.taps()),
        kind("impression", count, lambda: queries.impressions(), per_round=200),
        kind("status", count, lambda: [queries.status()]),
        kind("review-eligible", count, lambda: queries.eligibilities()),
        kind("rpc.discover", count // 50, lambda: [queries.discovery()], per_round=20),
        Kind("subscribe, and away", count // 20, lambda: contextlib.nullcontext(queries.subscribe), per_round=50),
    ]
