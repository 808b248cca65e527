"""A model of the daemon, written from its documentation and without its code: which replies are right, and when.

Clients, the origin and the configuration change at the same time, so a reply is judged by the interval from the sending of its request
to its arrival. What may be in force at some moment of the interval is possible; what nothing possible explains is wrong.
"""
import bisect
import hashlib
import json
import threading
import time

from support.claims import compare, expect
from support.clock import LAG
from support.texts import plain
from support.times import TOLERANCE, seconds, written

CAP = 0.5  # seconds; retry.cap
START = 30  # seconds within which begins what is due at a start
GAP = 1  # seconds in which a refresh has the outcome of the one before
LATEST = START + 1  # seconds; the longest wait, as the pauses for which the origin asks are a second long
LATE = 10  # seconds, on a busy machine
SETTLED = 2  # seconds after which promod has heard that the clock was set
# Why an attempt is planned, and for how many seconds later at most.
LONGEST = {"startup": START, "retry": CAP, "retry-after": LATEST}
MEMBERS = ("id", "name", "appStoreID", "iconURL")


def language_of(tag):
    """The language for a BCP 47 tag or a POSIX locale; None for "*"."""
    if tag == "*":
        return None
    primary = (tag or "C").replace("_", "-").replace(".", "-").replace("@", "-").split("-")[0].lower()
    return primary if primary in ("ko", "ja") else "en"


class Content:
    """A published catalog, and the rules for selection and languages."""

    def __init__(self, version, document, text):
        self.version = version
        self.apps = {app["id"]: app for app in document["apps"]}
        self.rules = document.get("promoRules") or {}
        self.bytes = text.encode()
        self.generation = hashlib.sha256(self.bytes).hexdigest()[:16]

    @classmethod
    def of(cls, version, document, **style):
        return cls(version, document, json.dumps(document, **style))

    def listing(self, host=None, language=None, limit=None):
        """The members of a `list` that follow from the catalog."""
        allowed = set(self.rules.get(host, self.apps)) - {host}
        rows = [self._row(app, language) for name, app in self.apps.items() if name in allowed]
        return {
            **({} if rows else {"emptyBecause": "rule"}),
            "hostKnown": host is None or host in self.apps or host in self.rules,
            "language": language_of(language), "apps": rows[:limit],
        }

    def _row(self, app, language):
        texts = {code: plain(app["tagline"].get(code)) for code in ("en", "ko", "ja") if app["tagline"].get(code)}
        tagline = texts if language == "*" else texts.get(language_of(language), texts["en"])
        category, translations = app["category"], {}
        if isinstance(category, dict):
            if language == "*":
                translations = {code: plain(category[code]) for code in ("ko", "ja") if category.get(code)}
            category = category.get(language_of(language)) or category["en"]
        return {
            **{name: plain(app[name]) for name in MEMBERS}, "category": plain(category), "tagline": tagline,
            **({"categories": translations} if translations else {}),
            "storeURL": store_url(app["appStoreID"])}


def store_url(number):
    return f"https://apps.apple.com/app/id{number}"


def review_url(number):
    return f"{store_url(number)}?action=write-review"


class Floor:
    """The greatest value that any client has seen, as a function of time: later replies cannot go back, unless it was lowered."""

    def __init__(self):
        self._times, self._values = [], []

    def saw(self, value, now):
        if not self._values or value > self._values[-1]:
            self._times.append(now)
            self._values.append(value)
            if len(self._times) > 20_000:
                del self._times[:10_000], self._values[:10_000]

    def lower(self):
        self._times, self._values = [], []

    def before(self, moment):
        """The greatest value that had been seen before a moment."""
        index = bisect.bisect_left(self._times, moment)
        return self._values[index - 1] if index else 0


class Catalogs:
    """What the daemon may serve: no generation that is older than one seen before, and none that was not published yet."""

    def __init__(self, clock, settings, faults, disk):
        self.clock, self.settings, self.faults, self.disk = clock, settings, faults, disk
        self.lock = threading.Lock()
        self.contents = {}
        self.published_at = {}
        self.version, self.fetched = Floor(), Floor()
        # When the clock was set before the first of the values in `fetched`.
        self.fetched_since = 0
        self.clears = []

    # What the test does

    def publishes(self, content):
        """The origin serves this catalog in a moment."""
        with self.lock:
            self.contents[content.generation] = content
            self.published_at[content.version] = time.time()

    def clears_now(self):
        """A `clear` is being sent, or a daemon without a cache starts. Returns it, for `cleared`."""
        clear = {"sent": time.time(), "came": float("inf"), "served again": float("inf")}
        with self.lock:
            self.clears = [other for other in self.clears if other["served again"] > clear["sent"] - 300] + [clear]
        return clear

    def cleared(self, clear):
        """It was answered, or its daemon has ended."""
        clear["came"] = time.time()

    def starts_with(self, generation):
        """A daemon starts with this catalog on disk; None for none."""
        if generation is None:
            return self.cleared(self.clears_now())
        version, now = self.contents[generation].version, time.time()
        if self.disk.may_fail(now, now):
            self.version.lower()
            self.fetched.lower()
        expect(version >= self.version.before(now), f"catalog {self.version.before(now)} was served, but {version} is on disk")
        self.version.saw(version, now)

    # What may be served

    def may_be_empty(self, sent, came):
        with self.lock:
            return any(clear["sent"] <= came and clear["served again"] > sent for clear in self.clears)

    def possible(self, sent, came):
        """The catalogs that may be served at some moment of an interval."""
        least = self.version.before(sent)
        with self.lock:
            return [
                content for content in self.contents.values()
                if content.version >= least and self.published_at[content.version] <= came]

    def generation(self, generation, sent, came):
        """The catalog of a reply's generation; None if it is null."""
        if generation is None:
            expect(self.may_be_empty(sent, came), "the generation is null, but a catalog must be served")
            return None
        content = self.contents.get(generation)
        expect(content, f"generation {generation} was never published")
        least = self.version.before(sent)
        expect(content.version >= least, f"catalog {content.version} is older than {least}, which was served before")
        with self.lock:
            self.version.saw(content.version, came)
        return content

    def freshness(self, result, sent, came):
        """Checks a reply's state, source, generation and times, and returns the catalog; None if nothing is served."""
        content = self.generation(result["generation"], sent, came)
        names = ("state", "source", "fetchedAt", "expiresAt")
        state, source, fetched, expires = (result[name] for name in names)
        if content is None:
            expect(state in ("loading", "empty") and source == "none", "without a generation, the state is loading or empty")
            expect(fetched is None and expires is None, "nothing was fetched, but there are times")
            return None
        expect(source == "origin", f"the source is {source}")
        published, earliest, latest = self.published_at[content.version], *self.clock.range(sent, came)
        if fetched is None:
            expect(state == "cached" and expires is None, "fetchedAt is null, but the catalog is not an expired one")
            expect(self.clock.range(published, came)[1] > earliest + TOLERANCE, "fetchedAt is null, but the clock was not set back")
            return self._seen(content, sent, came)
        fetched, expires = seconds(fetched), seconds(expires)
        expect(fetched <= latest + TOLERANCE, "fetchedAt is in the future")
        expect(self.clock.may_show(fetched, published, came), "the clock never showed fetchedAt since the catalog was published")
        # Of a catalog that was published after the clock was set, the times are comparable.
        is_set = self.clock.set_at() + LAG
        if is_comparable := is_set < published:
            with self.lock:
                if self.fetched_since != is_set:
                    self.fetched.lower()
                    self.fetched_since = is_set
                least = self.fetched.before(sent)
            expect(fetched >= least, f"fetchedAt has gone back from {written(least)}")
        possible = [s["interval"] for s in self.settings.possible(sent, came)]
        expect(expires - fetched in possible, f"expiresAt is {expires - fetched} s after fetchedAt; possible are {possible}")
        # The times are shown in whole seconds, rounded down.
        expect(state in ("loaded", "cached"), f"the state is {state}, with a generation")
        expect(state != "loaded" or earliest < expires + 1, "it is loaded after its expiry")
        expect(state != "cached" or latest >= expires, "it is cached before its expiry")
        with self.lock:
            if is_comparable and self.fetched_since == is_set:
                self.fetched.saw(fetched, came)
        return self._seen(content, sent, came)

    def _seen(self, content, sent, came):
        """Notes that a catalog was served."""
        with self.lock:
            for clear in self.clears:
                if clear["came"] <= sent:
                    clear["served again"] = min(clear["served again"], came)
        return content

    # Replies

    def check_list(self, params, result, sent, came):
        content = self.freshness(result, sent, came)
        params = {name: value for name, value in params.items() if name != "wait"}
        if content is None:
            rest = {"hostKnown": None, "language": language_of(params.get("language")), "apps": []}
            expect(result["canRetry"] in (True, False), "canRetry is neither true nor false")
            expect(not (result["state"] == "loading" and result["canRetry"]), "canRetry is true while a fetch is under way")
            expect(result["retryAt"] is None or seconds(result["retryAt"]), "retryAt is no time")
            rest.update({name: result[name] for name in ("canRetry", "retryAt", "error") if name in result})
            expect("error" not in result or set(result["error"]) == {"code", "message"}, "the error has other members")
        else:
            rest = {**content.listing(**params), "canRetry": False, "retryAt": None}
        freshness = {name: result[name] for name in ("state", "source", "generation", "fetchedAt", "expiresAt")}
        compare(result, {**freshness, **rest})

    def check_tap(self, app, language, online, result, sent, came):
        """A tap on an app of a possible catalog."""
        number = result["appStoreID"]
        expected = {"app": app, "appStoreID": number, "presentation": "store" if online else "offline", "storeURL": store_url(number)}
        if not online:
            expect(isinstance(result.get("message"), str) and result["message"], "there is no message")
            korean = any("가" <= letter <= "힣" for letter in result["message"])
            expect(korean == (language_of(language) == "ko"), "the message is in another language")
            expected["message"] = result["message"]
        compare(result, expected)
        current = [content for content in self.possible(sent, came) if app in content.apps]
        expect(
            any(content.apps[app]["appStoreID"] == number for content in current),
            f"{app} is answered from a catalog that is not served")

    def may_be_known(self, apps, sent, came):
        """Whether a catalog with all these apps may be served, or have been served."""
        newest = [content for content in list(self.contents.values()) if self.published_at[content.version] <= came]
        return all(any(app in content.apps for content in newest) for app in apps)

    def may_be_unknown(self, apps, sent, came):
        """Whether a catalog without one of these apps may be served."""
        return any(not all(app in content.apps for app in apps) for content in self.possible(sent, came))

    def check_unknown(self, apps, reason, sent, came):
        """An error instead of a `tap` or an `impression`."""
        if reason == "no-catalog":
            expect(self.may_be_empty(sent, came), "there must be a catalog")
        else:
            expect(reason == "unknown-app", f"the reason is {reason}")
            expect(self.may_be_unknown(apps, sent, came), "every possible catalog has the app")

    def check_refresh(self, wait, result, sent, came):
        content = self.generation(result["generation"], sent, came)
        outcome, error, retry = result["outcome"], result["error"], result["retryAt"]
        compare(result, {"outcome": outcome, "generation": result["generation"], "error": error, "retryAt": retry})
        if outcome == "started":
            expect(not wait and error is None and retry is None, "it was started, but waits")
            return
        # It may join a fetch that began before it, or have the outcome of the last one, which began up to a second before it.
        began = sent - max(s["timeout"] for s in self.settings.possible(sent, came)) - GAP - 1
        codes = self.faults.possible(began, came)
        if outcome == "failed":
            allowed = {"unavailable" if code == "retry-after" else code for code in codes}
            expect(error["code"] in allowed, f"it failed with {error['code']}; possible are {allowed}")
            expect(error["message"], "the failure has no message")
            self._check_plan(retry, LATEST, sent, came)
        else:
            expect(outcome in ("updated", "unchanged"), f"the outcome is {outcome}")
            is_stored = error is None or error["code"] == "storage" and self.disk.may_fail(began, came)
            expect(content and is_stored and retry is None, "a success has an error, or no generation")
            expect("" in codes, "it succeeded while the origin failed")

    def _is_settling(self, sent):
        """Whether promod may not have heard yet that the clock was set."""
        return sent < self.clock.set_at() + SETTLED

    def _check_plan(self, planned, latest, sent, came):
        """An attempt is planned for at most so many seconds after now. What is due may be about to begin."""
        earliest, last = self.clock.range(sent - LAG, came)
        if not self._is_settling(sent):
            expect(earliest - LATE <= seconds(planned) <= last + latest + 1, f"the next attempt is planned for {planned}, and it is {written(int(last))}")

    def check_status(self, result, run, online, sent, came):
        """The members of a `status` that the model knows."""
        standing = result["catalogs"][0]
        content = self.freshness(standing, sent, came)
        compare({name: result[name] for name in ("protocol", "pid", "online")}, {"protocol": 1, "pid": run.pid, "online": online})
        expect(standing["apps"] == (len(content.apps) if content else 0), f"{standing['apps']} apps are in the catalog")
        # Another catalog that could not be written waits for its next fetch.
        found = {problem["code"] for problem in result["problems"] if problem.get("catalog", "default") == "default"}
        unwritten = found & {"storage", "disk-full", "directory", "reviews"}
        expect(not unwritten or self.disk.may_fail(sent, came), f"the disk is well, but there are {unwritten}")
        expect("limit" not in found, "connections were refused")
        expect(self.clock.may_show(seconds(result["startedAt"]), run.began, came), "startedAt is not when it started")
        self._check_plan_of(standing, sent, came)
        clients = result["socket"]
        expect(clients["connections"] > clients["subscribers"] >= 0, f"socket is {clients}")

    def _check_plan_of(self, standing, sent, came):
        """The plan of a catalog is one that the rules allow."""
        fetched, reason, planned = (standing[name] for name in ("fetchedAt", "nextReason", "nextAt"))
        expect(standing["url"] == self.settings.possible(sent, came)[-1]["url"], f"the url is {standing['url']}")
        is_idle = not standing["refreshing"] and reason in (*LONGEST, "expiry") and planned is not None
        expect(is_idle or standing["refreshing"] and (reason, planned) == ("none", None), f"{reason} at {planned} does not agree with {standing}")
        has_failed = standing["failures"] > 0
        expect(has_failed == (standing["lastError"] is not None), f"{standing['failures']} failures do not agree with {standing['lastError']}")
        expect(not has_failed or standing["lastOutcome"] == "failed", f"after a failure the last outcome is {standing['lastOutcome']}")
        expect(reason != "expiry" or not has_failed and standing["generation"], "an expiry is planned after a failure, or without a catalog")
        expect(reason != "retry" or has_failed, "a retry is planned without a failure")
        if reason == "expiry" and not self._is_settling(sent):
            expect(fetched, "an expiry is planned of a catalog whose time is not believed")
            waits = [seconds(planned) - seconds(fetched) - s["interval"] for s in self.settings.possible(sent, came)]
            expect(any(-0.1 * s["interval"] - 1 <= wait <= 1 for wait, s in zip(waits, self.settings.possible(sent, came))),
                   f"the next attempt is planned for {planned}, after a fetch at {fetched}")
        elif reason in LONGEST:
            self._check_plan(planned, LONGEST[reason], sent, came)
        if reason == "retry-after":
            expect("retry-after" in self.faults.possible(sent - 60, came), "no origin asked for a pause")
