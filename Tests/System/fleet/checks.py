"""What the cache must do for the daemons and for the origin. Each check leaves the cache with a catalog and the origin well."""
import gzip
import time

from support.catalog import small
from support.claims import expect
from .machines import FORGOTTEN, VALID

SLOW = 6  # seconds; nginx would let the others through after five by default
PATIENT = 3  # seconds; the delay of an origin that is asked while the others are served
AT_ONCE = 2  # seconds for what needs no waiting, on a busy machine
MANAGER = 10  # seconds after which nginx has removed what nobody asked for
DAY = 86_400
ERRORS = (
    "500 Internal Server Error", "502 Bad Gateway", "503 Service Unavailable", "504 Gateway Timeout", "429 Too Many Requests")
SECRETS = {"Authorization": "Basic c2VjcmV0OnNlY3JldA==", "Cookie": "secret=1", "User_Agent": "secret"}


class Editions:
    """Catalogs, each another one."""

    def __init__(self):
        self.version = 0

    def next(self):
        self.version += 1
        return small(self.version)


EDITIONS = Editions()


def publish(fleet):
    """Publishes another catalog, and returns it."""
    edition = EDITIONS.next()
    fleet.origin.publish(edition.bytes)
    return edition


def settle(fleet):
    """Publishes another catalog, which the cache and one daemon then have."""
    edition = publish(fleet)
    fleet.expire()
    fleet.refresh("updated", 1)
    fleet.origin.new_requests()
    return edition


def cold(fleet):
    """All daemons start at once, and the cache is empty."""
    edition = publish(fleet)
    fleet.origin.delay = SLOW
    listings = fleet.start()
    fleet.asked(1)
    expect({listing["generation"] for listing in listings} == {edition.generation}, "not every daemon has the catalog")
    responses = fleet.cache.new_responses(len(fleet.daemons))
    expect({response["status"] for response in responses} == {"200"}, f"the responses are {responses}")


def compressed(fleet):
    """The entry that was stored for promod serves everybody."""
    served = settle(fleet).bytes
    for accepted, encoding, tag in ("gzip", "gzip", 'W/"'), ("identity", None, '"'), ("br", None, '"'):
        # As if the client were another cache, too.
        response = fleet.cache.get(Accept_Encoding=accepted, Via="1.1 cdn.test")
        body = gzip.decompress(response.body) if encoding else response.body
        expect(body == served, f"the body for {accepted} is another one")
        expect(response.headers["Content-Encoding"] == encoding, f"the encoding for {accepted} is {response.headers['Content-Encoding']}")
        expect(response.headers["ETag"].startswith(tag), f"the ETag for {accepted} is {response.headers['ETag']}")
        expect(response.headers["Last-Modified"] == fleet.origin.date, f"the date is {response.headers['Last-Modified']}")
        expect(response.headers["Vary"] == "Accept-Encoding", f"Vary is {response.headers['Vary']}")
    fleet.asked(0)


def not_modified(fleet):
    """The conditional requests of all daemons are answered by the cache."""
    settle(fleet)
    fleet.refresh()
    for response in fleet.refresh("unchanged"):
        expect((response["cache"], response["status"]) == ("HIT", "304"), f"a response is {response}")
        expect(response["if_none_match"].startswith('W/"') and response["if_modified_since"], f"the request is {response}")
        expect(response["agent"].startswith("promod/"), f"the request is {response}")
    fleet.asked(0)


def date_alone(fleet):
    """An origin without ETags has conditional requests too."""
    fleet.origin.has_tag = False
    settle(fleet)
    response, = fleet.refresh("unchanged", 1)
    expect((response["status"], response["if_none_match"]) == ("304", ""), f"the response is {response}")
    fleet.asked(0)
    fleet.expire()
    fleet.refresh("unchanged", 1)
    request, = fleet.asked(1)
    expect("if-modified-since: " in request, f"the cache asks {request}")


def revalidated(fleet):
    """An expired entry is confirmed by the origin, and then valid as long again."""
    settle(fleet)
    for _ in range(2):
        fleet.expire()
        fleet.refresh("unchanged", 1)
        request, = fleet.asked(1)
        expect("if-none-match: \"" in request, f"the cache asks {request}")
        fleet.refresh("unchanged", 1)
        fleet.asked(0)


def private(fleet):
    """Nothing of a client reaches the origin or another client."""
    publish(fleet)
    fleet.origin.extra = "Set-Cookie: secret=1\r\n"
    fleet.expire()
    response = fleet.cache.get("?secret=1", **SECRETS)
    expect("secret" not in str(response.headers), f"the response is {response.headers}")
    request, = fleet.asked(1)
    expect("secret" not in request and "promod" not in request, f"the cache asks {request}")
    expect("secret" not in fleet.origin.requests[-1].decode(), "the query reaches the origin")
    for response in fleet.cache.get("?secret=2", **SECRETS), fleet.cache.get():
        expect((response.status, response.body) == (200, fleet.origin.body), f"the response is {response.status}")
    expect(fleet.cache.get(method="POST").status == 403, "a POST is not refused")
    fleet.asked(0)


def stubborn(fleet):
    """The origin's headers do not keep the catalog out of the cache."""
    fleet.origin.extra = "Cache-Control: private, no-store, max-age=0\r\nExpires: 0\r\nX-Accel-Expires: 0\r\nVary: *\r\nSet-Cookie: a=b\r\n"
    settle(fleet)
    fleet.refresh("unchanged", 1)
    fleet.asked(0)


def hidden(fleet, break_origin, repair_origin):
    """A daemon that asks while the origin fails, and one without a catalog, are answered from the cache."""
    edition = settle(fleet)
    break_origin()
    fleet.expire()
    fleet.refresh("unchanged", 1)
    fleet.daemons[0].ask("clear")
    expect(fleet.daemons[0].ask("list", wait=True)["generation"] == edition.generation, "a cleared daemon gets no catalog")
    fleet.cache.new_responses(1)
    repair_origin()
    edition = publish(fleet)
    fleet.refresh("updated", 1)
    expect(fleet.daemons[0].ask("list")["generation"] == edition.generation, "the next catalog is not served")


def failing(fleet, status):
    """An error of the origin."""
    def fail():
        fleet.origin.status = status
    hidden(fleet, fail, fleet.origin.recover)


def down(fleet):
    """An origin that refuses connections."""
    hidden(fleet, fleet.origin.close, fleet.origin.recover)


def broken(fleet):
    """An origin whose head is not HTTP."""
    def answer(visit):
        visit.read_request()
        visit.send(b"HTTP/1.1 200 OK\r\nrub\0bish\r\n\r\n")

    def fail():
        fleet.origin.script = answer
    hidden(fleet, fail, fleet.origin.recover)


def impostor(fleet):
    """An origin with a certificate that no authority signed."""
    def replace():
        fleet.origin.context = fleet.origin.certified(names=f"DNS:{fleet.origin.name}", is_trusted=False)
        publish(fleet)
    hidden(fleet, replace, fleet.origin.recover)


def silent(fleet, reads_request):
    """The cache stops waiting for the origin before the deadline of promod, which is after 30 seconds."""
    def script(visit):
        if reads_request:
            visit.read_request()
        visit.hold()
    settle(fleet)
    fleet.origin.script = script
    fleet.expire()
    began = time.monotonic()
    fleet.refresh("unchanged", 1)
    took = time.monotonic() - began
    expect(took < 15, f"a refresh took {took:.0f} s")


def cut_off(fleet):
    """Half a catalog is not stored."""
    settle(fleet)
    edition = publish(fleet)
    fleet.expire()
    fleet.origin.is_cut_off = True
    fleet.refresh("failed", 1)
    fleet.origin.is_cut_off = False
    fleet.refresh("updated", 1)
    expect(fleet.daemons[0].ask("list")["generation"] == edition.generation, "the whole catalog is not served")


def updating(fleet):
    """While one daemon waits for the origin, the others get what the cache has."""
    settle(fleet)
    fleet.refresh()
    fleet.origin.delay = PATIENT
    fleet.expire()

    def timed(daemon):
        began = time.monotonic()
        expect(daemon.ask("refresh")["outcome"] == "unchanged", "a refresh failed")
        return time.monotonic() - began
    first, *others = sorted(fleet.pool.map(timed, fleet.daemons), reverse=True)
    fleet.cache.new_responses(len(fleet.daemons))
    fleet.asked(1)
    expect(first >= PATIENT, f"the longest refresh took {first:.1f} s")
    expect(others[0] < AT_ONCE, f"another took {others[0]:.1f} s")


def rare(fleet):
    """The first daemon that asks after the validity gets the new catalog, not the old one and a promise."""
    settle(fleet)
    fleet.cache.pass_time(DAY)
    edition = publish(fleet)
    fleet.refresh("updated", 1)
    expect(fleet.daemons[0].ask("list")["generation"] == edition.generation, "the old catalog is served")


def kept(fleet):
    """What nobody asks for is still there when the origin is down after a day."""
    settle(fleet)
    fleet.cache.pass_time(DAY)
    # Time in which nginx must not do something.
    time.sleep(MANAGER + 1)
    fleet.origin.close()
    fleet.refresh("unchanged", 1)


def missing(fleet):
    """A catalog that was removed by mistake is back as soon as the origin has it again."""
    served = settle(fleet)
    fleet.origin.status = "404 Not Found"
    # Servers send this with errors too.
    fleet.origin.extra = "Cache-Control: max-age=86400\r\n"
    fleet.expire()
    for response in [*fleet.refresh("failed", 1), *fleet.refresh("failed")]:
        expect(response["status"] == "404", f"a response is {response}")
    fleet.asked(1)
    fleet.origin.recover()
    fleet.cache.pass_time(FORGOTTEN)
    expect(fleet.daemons[0].ask("list")["generation"] == served.generation, "the last good catalog is not served")
    fleet.refresh("unchanged", 1)


def published(fleet):
    """A new catalog reaches all, but not before the cache's validity ends."""
    old = settle(fleet)
    fleet.refresh()
    edition = publish(fleet)
    fleet.cache.pass_time(VALID - 30)
    fleet.refresh("unchanged")
    expect(fleet.generations() == {old.generation}, "a new catalog is served within the cache's validity")
    fleet.expire()
    fleet.refresh("updated", 1)
    fleet.refresh()
    fleet.asked(1)
    expect(fleet.generations() == {edition.generation}, "not every daemon has the new catalog")


def run(report, fleet):
    """All checks, the cold start first."""
    for directive, claim, body, *arguments in (
        ("proxy_cache_lock", "daemons that start at once with an empty cache cost one request to a slow origin", cold),
        ("gzip", "one stored catalog is served as gzip with a weak ETag, and plain with a strong one, with Vary", compressed),
        ("proxy_cache_valid", "each conditional request is answered 304 without the origin", not_modified),
        ("proxy_cache_valid", "Last-Modified alone is enough for conditional requests, of the daemons and of the cache", date_alone),
        ("proxy_cache_valid", "a new catalog reaches every daemon at its next refresh after five minutes", published),
        ("proxy_cache_valid", "a 404 is passed on, and asked for again after ten seconds, whatever max-age it has", missing),
        ("proxy_cache_revalidate", "an expired catalog is confirmed by one conditional request, and valid again", revalidated),
        ("proxy_cache_use_stale", "while one daemon waits for a slow origin, the others are answered at once", updating),
        ("proxy_cache_use_stale", "a daemon that is alone after a day gets the new catalog, not the expired one", rare),
        *(("proxy_cache_use_stale", f"an origin that answers {status} is hidden", failing, status)
          for status in ERRORS),
        ("proxy_cache_use_stale", "an origin that refuses connections is hidden", down),
        ("proxy_cache_use_stale", "an origin that sends a broken head is hidden", broken),
        ("proxy_ssl_verify", "an origin with another certificate is hidden", impostor),
        ("proxy_connect_timeout", "an origin that does not shake hands is hidden before the daemon's own deadline", silent, False),
        ("proxy_read_timeout", "an origin that does not answer is hidden before the daemon's own deadline", silent, True),
        ("proxy_cache_path", "the catalog is kept for a day in which nobody asks for it", kept),
        ("proxy_cache", "a catalog that breaks off is not stored", cut_off),
        ("proxy_pass_request_headers", "no query, password, cookie or User-Agent reaches the origin, no cookie comes back", private),
        ("proxy_ignore_headers", "no-store, Vary: * and Set-Cookie do not keep the catalog out of the cache", stubborn),
    ):
        report.check(directive, claim, _alone, body, fleet, *arguments)


def _alone(body, fleet, *arguments):
    """A check, whatever the one before it has left."""
    fleet.origin.recover()
    fleet.origin.new_requests()
    fleet.cache.skip_responses()
    body(fleet, *arguments)
