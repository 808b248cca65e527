"""What the cache must do for the daemons and for the origin. Each check leaves the cache with a catalog and the origin well."""
import email.utils
import gzip
import time

from support.catalog import small
from support.claims import expect
from support.daemon import GAP
from .machines import MOMENT, VALID

SLOW = 6  # seconds; nginx would let the others through after five by default
PATIENT = 3  # seconds; the delay of an origin that is asked while the others are served
AT_ONCE = 2  # seconds for what needs no waiting, on a busy machine
MANAGER = 10  # seconds after which nginx has removed what nobody asked for
DAY = 86_400
# The errors that proxy_cache_use_stale knows, and some of the others.
ERRORS = (
    "500 Internal Server Error", "502 Bad Gateway", "503 Service Unavailable", "504 Gateway Timeout", "429 Too Many Requests",
    "404 Not Found", "403 Forbidden")
OTHER_ERRORS = "410 Gone", "401 Unauthorized", "451 Unavailable For Legal Reasons", "521 Web Server Is Down"
REDIRECT = b"HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"
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
    # The second refresh of each daemon within a minute is unconditional, once in ten minutes.
    for _ in range(2):
        responses += fleet.refresh("unchanged")
    expect(sorted(response["status"] for response in responses) == ["200"] * 2 * fleet.count + ["304"] * fleet.count, f"{responses}")


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


def refuses(status):
    """Makes an origin answer with an error."""
    def fail(origin):
        origin.status = status
    return fail


def sends(answer):
    """Makes an origin send these bytes."""
    def script(visit):
        visit.read_request()
        time.sleep(visit.origin.delay)
        visit.send(answer)

    def fail(origin):
        origin.script = script
    return fail


def is_down(origin):
    """Makes an origin refuse connections."""
    origin.close()


def is_another(origin):
    """Gives an origin another catalog and a certificate that no authority signed."""
    origin.context = origin.certified(names=f"DNS:{origin.name}", is_trusted=False)
    origin.publish(EDITIONS.next().bytes)


def start_over(fleet, edition):
    """A daemon without a catalog gets this one."""
    time.sleep(GAP)
    fleet.daemons[0].ask("clear")
    # The fetch that follows the clear, or one that a pause after a failure would delay.
    fleet.daemons[0].ask("refresh")
    expect(fleet.daemons[0].ask("list")["generation"] == edition.generation, "a cleared daemon does not get the last good catalog")
    fleet.cache.new_responses(1)


def hidden(fleet, fail):
    """A daemon that asks while the origin fails, or later while it is down, and one without a catalog are answered from the cache."""
    edition = settle(fleet)
    fail(fleet.origin)
    fleet.expire()
    for end in fleet.origin.close, fleet.origin.recover:
        fleet.refresh("unchanged", 1)
        start_over(fleet, edition)
        end()
        fleet.forget()
    asked = len(fleet.origin.new_requests())
    expect(asked <= 1, f"the origin was asked {asked} times while it failed")
    edition = publish(fleet)
    fleet.refresh("updated", 1)
    expect(fleet.daemons[0].ask("list")["generation"] == edition.generation, "the next catalog is not served")


def strange(fleet, answer):
    """An answer with which nginx cannot do anything else is passed on, but does not replace the catalog."""
    edition = settle(fleet)
    sends(answer)(fleet.origin)
    fleet.expire()
    fleet.refresh("failed", 1)
    fleet.asked(1)
    fleet.origin.close()
    fleet.forget()
    start_over(fleet, edition)


def troubled(fleet):
    """The daemons do not add to the trouble of an origin."""
    settle(fleet)
    fleet.refresh()
    fleet.origin.status = "404 Not Found"
    # Servers send this with errors too.
    fleet.origin.extra = "Cache-Control: max-age=86400\r\n"
    fleet.expire()
    for _ in range(2):
        fleet.refresh("unchanged")
        fleet.refresh("unchanged")
        fleet.asked(1)
        fleet.forget()
    fleet.origin.recover()
    publish(fleet)
    fleet.refresh("updated", 1)


def empty(fleet, fail, status):
    """All daemons ask an origin that fails, and the cache has nothing."""
    fleet.forget()
    fleet.cache.empty()
    # The lock of nginx lets a second request through if the first is answered just then.
    fleet.origin.delay = 1
    fail(fleet.origin)
    for response in [*fleet.refresh("failed"), *fleet.refresh("failed")]:
        expect(response["status"] == status, f"a response is {response}")
    asked = len(fleet.origin.new_requests())
    expect(asked <= 1, f"the origin was asked {asked} times")
    fleet.origin.recover()
    fleet.origin.delay = 1
    publish(fleet)
    fleet.forget()
    fleet.refresh("updated")
    fleet.asked(1)


def insistent(fleet):
    """Many requests with no-cache become one, whose answer is stored."""
    settle(fleet)
    edition = publish(fleet)
    fleet.cache.pass_time(MOMENT)
    fleet.origin.delay = 1
    fleet.cache.get_at_once(fleet.pool, fleet.count, Cache_Control="no-cache")
    fleet.asked(1)
    fleet.origin.delay = 0
    expect(fleet.cache.get().body == edition.bytes, "the new catalog is not served")
    began = time.monotonic()
    for value in ["no-cache", "max-age=0, No-Cache"] * fleet.count:
        expect(fleet.cache.get(Cache_Control=value).body == edition.bytes, f"the catalog for {value} is another one")
    asked, seconds = len(fleet.origin.new_requests()), time.monotonic() - began
    expect(asked <= seconds + 1, f"the origin was asked {asked} times in {seconds:.1f} s")


def unanswered(fleet):
    """A request with no-cache cannot do harm when the origin fails."""
    edition = settle(fleet)
    for fail, status in (refuses("404 Not Found"), 404), (sends(REDIRECT), 502), (is_down, 502):
        fail(fleet.origin)
        fleet.forget()
        response = fleet.cache.get(Cache_Control="no-cache")
        expect(response.status == status, f"the response with no-cache is {response.status}, not {status}")
        expect(fleet.cache.get().body == edition.bytes, f"after a {status} the catalog is not served")
    fleet.expire()
    start_over(fleet, edition)


def dated(fleet):
    """The Date of a response does not become later with the response."""
    def date(status=200, **headers):
        response = fleet.cache.get(**headers)
        expect(response.status == status, f"the response is {response.status}, not {status}")
        return email.utils.parsedate_to_datetime(response.headers["Date"])
    settle(fleet)
    first = date()
    fleet.cache.pass_time(VALID // 2)
    expect(date() == first == date(304, If_Modified_Since=fleet.origin.date), "a stored catalog has another Date than when it came")
    fleet.expire()
    second = date()
    expect((second - first).total_seconds() > VALID, f"the Date is {first}, and {second} after the origin was asked again")
    fleet.origin.close()
    fleet.expire()
    expect(date() == second, "in an outage the Date is another one")


def purged(fleet):
    """A publisher does not have to wait for the cache, nor to risk the last catalog."""
    settle(fleet)
    fleet.refresh()
    edition = publish(fleet)
    fleet.cache.pass_time(MOMENT)
    code = fleet.cache.ask_origin()
    expect(code == 0, f"the command exits with {code}")
    fleet.asked(1)
    fleet.refresh("updated")
    fleet.asked(0)
    expect(fleet.generations() == {edition.generation}, "not every daemon has the new catalog")
    fleet.origin.close()
    fleet.cache.pass_time(MOMENT)
    code = fleet.cache.ask_origin()
    expect(code == 22, f"in an outage the command exits with {code}")
    start_over(fleet, edition)


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
    time.sleep(GAP)

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
        ("proxy_cache_valid", "an origin in trouble is asked once in ten seconds, whatever max-age its errors have", troubled),
        *(("proxy_intercept_errors", f"without a catalog, {claim}, and the origin is asked once", empty, fail, status)
          for claim, fail, status in (
              ("a 404 is passed on", refuses("404 Not Found"), "404"),
              ("a 503 is passed on", refuses("503 Service Unavailable"), "503"),
              ("a 410 becomes a 502", refuses("410 Gone"), "502"),
              ("a 304 becomes a 502", refuses("304 Not Modified"), "502"),
              ("an empty redirect becomes a 502", sends(REDIRECT), "502"),
              ("an origin that is down becomes a 502", is_down, "502"))),
        *(("proxy_no_cache", f"{claim} fails a refresh, and does not replace the catalog", strange, answer) for claim, answer in (
            ("an empty 200", b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n"),
            ("a page with the status 200",
             b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 6\r\n\r\nSorry\n"))),
        *(("proxy_cache_valid", f"{claim} fails a refresh, and does not replace the catalog", strange, answer) for claim, answer in (
            ("an answer with the status 999", b"HTTP/1.1 999 Odd\r\nContent-Length: 6\r\n\r\nSorry\n"),
            ("an answer with the status 204", b"HTTP/1.1 204 No Content\r\n\r\n"),
            ("an answer without a status", b"HTTP/1.1 OK\r\n\r\nSorry\n"))),
        ("proxy_cache_bypass", "requests with no-cache reach the origin once a second, and what it answers is stored", insistent),
        ("proxy_cache_bypass", "with no-cache an origin's failure is seen, but does not replace the catalog", unanswered),
        ("proxy_cache_bypass", "the publisher's command brings every daemon the new catalog, and in an outage takes none away", purged),
        ("proxy_pass_header", "the Date of a response says when the origin was asked, also in an outage", dated),
        ("proxy_cache_revalidate", "an expired catalog is confirmed by one conditional request, and valid again", revalidated),
        ("proxy_cache_use_stale", "while one daemon waits for a slow origin, the others are answered at once", updating),
        ("proxy_cache_use_stale", "a daemon that is alone after a day gets the new catalog, not the expired one", rare),
        *(("proxy_cache_use_stale", f"an origin that answers {status}, and then is down, is hidden", hidden, refuses(status))
          for status in ERRORS),
        *(("error_page", f"an origin that answers {status}, and then is down, is hidden", hidden, refuses(status))
          for status in OTHER_ERRORS),
        ("error_page", "an origin that sends an empty redirect, and then is down, is hidden", hidden, sends(REDIRECT)),
        ("proxy_cache_use_stale", "an origin that refuses connections is hidden", hidden, is_down),
        ("proxy_cache_use_stale", "an origin that sends nothing, and then is down, is hidden", hidden, sends(b"")),
        ("proxy_cache_use_stale", "an origin that sends a broken head, and then is down, is hidden", hidden,
         sends(b"HTTP/1.1 200 OK\r\nrub\0bish\r\n\r\n")),
        ("proxy_ssl_verify", "an origin with another certificate, and that then is down, is hidden", hidden, is_another),
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
