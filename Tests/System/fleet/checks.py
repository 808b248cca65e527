"""What the cache must do for the daemons and for the origin."""
import gzip

from support.claims import expect
from support.wire import comes
from .fleet import COUNT, FORGOTTEN, MOMENT, VALID

SECRETS = {"Authorization": "Basic c2VjcmV0OnNlY3JldA==", "Cookie": "secret=1", "User_Agent": "secret"}


def cold(fleet):
    """All daemons start at once, and the cache is empty."""
    edition = fleet.publish()
    fleet.origin.delay = 1
    expect({listing["generation"] for listing in fleet.start()} == {edition.generation}, "not every daemon has the catalog")
    fleet.expect_asked(1)


def confirmed(fleet):
    """The cache confirms the catalog to every daemon, and the origin to the cache, until there is another one."""
    fleet.settle()
    fleet.refresh()
    # The second refresh of a daemon within a minute is unconditional, once in ten minutes.
    for _ in range(4):
        before = fleet.statuses()
        fleet.refresh("unchanged")
        expect(comes(lambda: len(fleet.statuses()) >= len(before) + COUNT), "the cache logs no responses")
        if (found := fleet.statuses()[len(before):]) == ["304"] * COUNT:
            break
    expect(set(found) == {"304"}, f"the cache answers {found}")
    edition = fleet.publish()
    fleet.refresh("unchanged")
    fleet.expect_asked(0)
    fleet.pass_time(VALID)
    # Others get the old one while the first waits for the origin.
    fleet.refresh("updated", 1)
    fleet.refresh()
    request, = fleet.asked()
    expect("if-none-match: \"" in request, f"the cache asks {request}")
    expect({daemon.ask("list")["generation"] for daemon in fleet.daemons} == {edition.generation}, "not every daemon has the new catalog")


def compressed(fleet):
    """The entry that was stored for promod serves everybody."""
    served = fleet.settle().bytes
    for accepted, encoding, tag in ("gzip", "gzip", 'W/"'), ("identity", None, '"'), ("br", None, '"'):
        response = fleet.get(Accept_Encoding=accepted, Via="1.1 cdn.test")
        expect((gzip.decompress(response.content) if encoding else response.content) == served, f"the body for {accepted} is another one")
        head = response.headers
        expect(head["Content-Encoding"] == encoding and head["ETag"].startswith(tag) and head["Vary"] == "Accept-Encoding", f"{head}")
    fleet.expect_asked(0)


def private(fleet):
    """Nothing of a client reaches the origin or another client, and no header of the origin keeps the catalog out of the cache."""
    fleet.publish()
    fleet.origin.extra = "Cache-Control: private, no-store, max-age=0\r\nX-Accel-Expires: 0\r\nVary: *\r\nSet-Cookie: secret=1\r\n"
    fleet.pass_time(VALID)
    response = fleet.get("?secret=1", **SECRETS)
    expect("secret" not in str(response.headers), f"the response is {response.headers}")
    request, = fleet.asked()
    expect("secret" not in request and "promod" not in request, f"the cache asks {request}")
    for response in fleet.get("?secret=2", **SECRETS), fleet.get():
        expect((response.status, response.content) == (200, fleet.origin.body), f"the response is {response.status}")
    expect(fleet.get(method="POST").status == 403, "a POST is not refused")
    fleet.expect_asked(0)


def answers(status):
    """Makes an origin answer with an error, which it calls valid for a day."""
    def fail(origin):
        origin.status, origin.extra = status, "Cache-Control: max-age=86400\r\n"
    return fail


def sends(content):
    """Makes an origin send these bytes."""
    def script(visit):
        visit.read_request()
        visit.send(content)

    def fail(origin):
        origin.script = script
    return fail


def is_another(origin):
    """Gives an origin a certificate that no authority signed."""
    origin.context = origin.certified(is_trusted=False)


def hidden(fleet, fail):
    """A daemon that asks, and one without a catalog, are answered from the cache, and the origin is not asked more than once."""
    edition = fleet.settle()
    fail(fleet.origin)
    fleet.pass_time(VALID)
    fleet.refresh("unchanged", 1)
    fleet.start_over(edition)
    expect(len(fleet.asked()) <= 1, "the origin was asked more than once while it failed")
    fleet.origin.recover()
    fleet.pass_time(FORGOTTEN)
    edition = fleet.publish()
    fleet.refresh("updated", 1)


def strange(fleet, content):
    """What is no catalog is passed on, but does not replace the catalog."""
    edition = fleet.settle()
    sends(content)(fleet.origin)
    fleet.pass_time(VALID)
    fleet.refresh("failed", 1)
    fleet.origin.close()
    fleet.pass_time(FORGOTTEN)
    fleet.start_over(edition)


def purged(fleet):
    """A publisher does not have to wait for the cache, nor to risk the last catalog."""
    fleet.settle()
    fleet.pass_time(MOMENT)
    edition = fleet.publish()
    expect(fleet.ask_origin() == 0, "the command fails")
    fleet.expect_asked(1)
    expect(fleet.get().content == edition.bytes, "the new catalog is not served")
    fleet.origin.close()
    fleet.pass_time(MOMENT)
    code = fleet.ask_origin()
    expect(code == 22, f"in an outage the command ends with {code}")
    fleet.start_over(edition)


REDIRECT = b"HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"
EMPTY, PAGE = (
    f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
    for kind, body in (("application/json", ""), ("text/html; charset=utf-8", "Sorry\n")))


def run(report, _, fleet):
    """All checks, the cold start first."""
    checks = [
        ("cold", "daemons that start at once with an empty cache cost a slow origin one request", cold),
        ("confirmed", "the cache confirms a catalog without the origin, and a new one reaches every daemon after five minutes", confirmed),
        ("compressed", "one stored catalog is served as gzip with a weak ETag, and plain with a strong one, with Vary", compressed),
        ("private", "nothing of a client reaches the origin, no cookie comes back, and no header of the origin prevents the cache", private),
        *((f"hidden-{name}", "an origin that fails so is hidden, and asked once", hidden, fail) for name, fail in (
            ("404", answers("404 Not Found")), ("500", answers("500 Internal Server Error")), ("410", answers("410 Gone")),
            ("redirect", sends(REDIRECT)), ("nothing", sends(b"")), ("certificate", is_another), ("down", lambda origin: origin.close()))),
        *((f"strange-{name}", "a 200 that is no catalog fails a refresh, and does not replace the catalog", strange, content)
          for name, content in (("empty", EMPTY), ("page", PAGE))),
        ("purged", "the publisher's command brings the new catalog, and in an outage takes none away", purged)]
    for name, claim, body, *arguments in checks:
        report.check(name, claim, _alone, body, fleet, *arguments)


def _alone(body, fleet, *arguments):
    """A check, whatever the one before it has left."""
    if fleet:
        fleet.origin.recover()
        fleet.asked()
    body(fleet, *arguments)
