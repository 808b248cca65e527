"""Requests that make the daemon publish: launches, grants, reloads, and refreshes that fail or succeed."""
import contextlib
import itertools
import json
import os
import time

from support import catalog
from support.claims import compare, expect
from support.wire import ANYTHING, PATIENCE, PRESENT, Case, comes, exchange
from .kind import Kind


class Publications:
    """Causes publications while bystanders receive events."""

    # The maximum number of requests per app in the review history.
    REQUESTS = 366
    GRANTED = {"app-0": "https://apps.apple.com/app/id6000000000?action=write-review", "elsewhere": None}

    def __init__(self, daemon, origin, bystanders, queries):
        self.daemon, self.origin, self.bystanders, self.queries = daemon, origin, bystanders, queries
        self.connection = daemon.connect()
        self.versions = itertools.count(1)

    def close(self):
        self.connection.close()

    def asking(self, cases):
        """Several clients cause them; subscribers get no event."""
        supply = itertools.cycle(cases)

        def perform(number):
            exchange(self.queries.connections, list(itertools.islice(supply, number)))
            self.bystanders.after_round([])

        return perform

    def launching(self):
        return contextlib.nullcontext(self.asking(self._launches()))

    def reloading(self):
        return contextlib.nullcontext(self.asking([Case("reload", {}, {"reloaded": True})]))

    def _reload(self, **settings):
        self.daemon.configure(**settings)
        self.daemon.ask("reload")

    # Reviews

    def _launches(self):
        return [
            Case("launch", {"app": app}, {"app": app, "firstLaunch": launch["at"], "recorded": False})
            for app, launch in self.queries.launches.items()
        ]

    @contextlib.contextmanager
    def granting(self):
        """Grants reviews of apps whose history is full."""
        self._reload(
            review__min_days_since_first_launch=0, review__min_days_since_last_request=0, review__max_per_year=0)
        for app in self.GRANTED:
            self.daemon.ask("launch", app=app)
        cases = [
            Case("review-request", {"app": app, "completed": 3}, {
                "app": app, "granted": True, "reasons": [], "eligibleAt": PRESENT, "reviewURL": page})
            for app, page in self.GRANTED.items()
        ]
        # Each grant rewrites the whole history, so it is filled first, to make all grants take the same time.
        exchange([self.connection], cases * self.REQUESTS)
        yield self.asking(cases)
        with open(f"{self.daemon.directory}/state/promod/reviews.json", encoding="utf-8") as file:
            kept = {app: len(record["requests"]) for app, record in json.load(file)["apps"].items()}
        expect(all(kept[app] == self.REQUESTS for app in self.GRANTED), f"the requests on disk are {kept}")

    # Refreshes

    @contextlib.contextmanager
    def without_certificate(self):
        """Refreshes fail before they ask the origin, and most of them are within a second of such a failure."""
        certificate = self.origin.certificate
        os.rename(certificate, certificate + ".away")
        self.daemon.refresh()
        yield self.asking([Case("refresh", {}, self._result("failed", "configuration"))])
        os.rename(certificate + ".away", certificate)
        # The first result may be that of a planned attempt before.
        expect(comes(lambda: self.daemon.refresh()["error"] is None), "the certificate is there again, and every refresh fails")

    def unchanged(self):
        """The origin answers 304."""
        return contextlib.nullcontext(self._refreshing(self._result("unchanged")))

    @contextlib.contextmanager
    def updating(self):
        """Each refresh fetches a new generation, and subscribers get an event for each."""
        yield self._update
        self.serve(self.queries.content)

    @contextlib.contextmanager
    def refused(self):
        """The origin refuses connections."""
        self.origin.close()
        yield self._refreshing(self._result("failed", "connect"))
        self.origin.open()
        self.refresh()

    def _result(self, outcome, code=None):
        retry, error = (ANYTHING, {"code": code, "message": ANYTHING}) if code else (None, None)
        return {"outcome": outcome, "generation": self.queries.content.generation, "retryAt": retry, "error": error}

    def _refreshing(self, result):
        def perform(number):
            for _ in range(number):
                compare(self.daemon.refresh(), result)
            self.bystanders.after_round([])

        return perform

    def _update(self, number):
        events = []
        for _ in range(number):
            content = catalog.small(next(self.versions))
            self.origin.body = content.bytes
            compare(self.daemon.refresh(), {**self._result("updated"), "generation": content.generation})
            events.append(("catalog", "loaded", content.generation))
        self.bystanders.after_round(events)

    def refresh(self):
        """Refreshes, and checks that it succeeds."""
        result = self.daemon.refresh()
        expect(result["error"] is None, f"a refresh was answered {result}")
        return result

    def serve(self, content):
        """Makes the daemon serve that catalog."""
        self.origin.body = content.bytes
        expect(self.refresh()["generation"] == content.generation, "the new catalog is not served")
        self.bystanders.all.events()

    # An expired catalog

    @contextlib.contextmanager
    def expired(self):
        """Lists of an expired catalog, each with a launch behind it."""
        self._reload(refresh__interval="1s")
        self.refresh()
        self.origin.close()
        first = self._expired_list()
        # Its event is published by another thread than the one that replies, and may come after the reply.
        expired = ("catalog", "cached", self.queries.content.generation)
        end = time.monotonic() + PATIENCE
        while expired not in self.bystanders.all.events():
            expect(time.monotonic() < end, "no event says that the catalog expired")
        freshness = {name: first[name] for name in ("state", "source", "fetchedAt", "expiresAt")}
        # The first `list` of an expired catalog after a publication makes the daemon publish; the launch after it is answered later.
        pairs = zip(self.queries.lists(freshness), itertools.cycle(self._launches()))
        supply = itertools.cycle([case for pair in pairs for case in pair])

        def perform(number):
            exchange([self.connection], list(itertools.islice(supply, 2 * number)))
            self.bystanders.after_round([])

        yield perform
        self.origin.open()
        self._reload(refresh__interval="24h")
        self.refresh()
        self.bystanders.all.events()

    def _expired_list(self):
        end = time.monotonic() + PATIENCE
        while (result := self.connection.ask("list"))["state"] != "cached":
            expect(time.monotonic() < end, "the catalog does not expire")
            time.sleep(0.05)
        return result


def kinds(publications, count):
    """All kinds; those without a TLS handshake run `count` times. To list them there are no publications."""
    kept = len(Publications.GRANTED) * Publications.REQUESTS
    # Each takes a second.
    rare = max(count // 400, 10)
    return [
        Kind("launch", count, lambda: publications.launching()),
        Kind("reload", count, lambda: publications.reloading()),
        Kind("grant", count, lambda: publications.granting(), note=f", {kept} of them kept"),
        Kind("refresh, no ca-file", count, lambda: publications.without_certificate()),
        Kind("refresh, 304", rare, lambda: publications.unchanged(), per_round=5),
        Kind("refresh, 200", rare, lambda: publications.updating(), per_round=5),
        Kind("refresh, refused", rare, lambda: publications.refused(), per_round=5),
        Kind("list, expired", count, lambda: publications.expired(), note=", each with a launch behind it"),
    ]
