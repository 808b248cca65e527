"""What a hostile origin does, and what has to come of it."""
import email.utils
import gzip
import json
import time
from dataclasses import dataclass, field
from typing import Callable, Optional

from . import catalog

GOOD, NEW = catalog.small(0), catalog.small(1)
LIMIT = 5 * 1024 * 1024
# Seconds: refresh.timeout in the cases that do not reach it, and how long these may take, even on a busy machine.
UNHURRIED, PROMPT = 30, 20
TIMEOUT = 3  # seconds; refresh.timeout in the cases that reach it
LATE = 3  # seconds that a deadline may be exceeded by on a busy machine
SECRET = "hunter2"
DAY = 86_400

# When the next attempt may be, in seconds: after the first failure, a success, and a Retry-After.
AFTER_FAILURE = (30, 60)
AFTER_SUCCESS = (DAY * 9 // 10, DAY)


@dataclass
class Case:
    """One way to fail. Without a code, the refresh succeeds."""

    name: str
    script: Optional[Callable]
    code: str = ""
    says: str = ""  # A regular expression for the message, beside the address.
    takes: tuple = (0, PROMPT)
    peak: float = 32  # MB of resident memory
    connections: int = 1
    settings: dict = field(default_factory=dict)
    url: str = ""  # The address, if it is not the origin's.
    served: catalog.Catalog = NEW  # What the next good answer is.
    recovers: bool = True  # Whether there is an origin that becomes well.
    pause: int = 0  # The seconds for which the origin asks.
    verify: Callable = lambda origin: []  # Returns more problems.
    moved: str = ""  # Where status says that the catalog has moved.

    def __post_init__(self):
        self.next = (self.pause, self.pause + min(self.pause / 10, 30)) if self.pause else AFTER_FAILURE if self.code else AFTER_SUCCESS

    @property
    def claim(self):
        outcome = f"fails as {self.code}" if self.code else "is updated"
        low, high = (f"{seconds:,} s" for seconds in self.next)
        return f"{outcome} in {self.takes[0]} to {self.takes[1]} s, the next attempt is after {low} to {high}"


def padded(size):
    """The new catalog with so many bytes."""
    content = catalog.small(1)
    content.bytes = content.bytes.ljust(size)
    return content


def head(status="200 OK", *lines, length=None):
    """The head of a response that is its connection's last."""
    lines = lines if length is None else [*lines, f"Content-Length: {length}"]
    return "".join(f"{line}\r\n" for line in [f"HTTP/1.1 {status}", *lines, "Connection: close", ""]).encode("latin-1")


def answer(status="200 OK", *lines, body=b""):
    """A script that sends a whole response."""
    def script(visit):
        visit.read_request()
        visit.send(head(status, *lines, length=len(body)) + body)
        visit.say_goodbye()
    return script


def sends(*pieces, then="say_goodbye"):
    """A script that reads a request and sends bytes, which need not be a response."""
    def script(visit):
        visit.read_request()
        for piece in pieces:
            visit.send(piece)
        getattr(visit, then)()
    return script


def with_certificate(**description):
    """A script that answers, but with another certificate."""
    def script(visit):
        visit.read_request(visit.origin.certified(**description))
        visit.send(head(length=0))
    return script


def with_chain(**description):
    """A script that answers, with a certificate below an intermediate one."""
    def script(visit):
        visit.read_request(visit.origin.chained(**description))
        visit.send(head(length=len(NEW.bytes)) + NEW.bytes)
        visit.say_goodbye()
    return script


def without_tls(visit):
    """A script that speaks HTTP where TLS is expected, as captive portals do."""
    visit.socket.recv(65536)
    visit.send(head("302 Found", "Location: http://portal.example/", length=0))


def slowly(fast, *slow, pause):
    """A script that sends some bytes at once, and others after pauses."""
    def script(visit):
        visit.read_request()
        visit.send(fast)
        for piece in slow:
            time.sleep(pause)
            visit.send(piece)
        visit.say_goodbye()
    return script


def forever(begin, piece):
    """A script that never stops sending."""
    def script(visit):
        visit.read_request()
        visit.send(begin)
        visit.send_forever(piece)
    return script


def chain(hops, *lines, location="/hop", status="302 Found", last=None, end=None):
    """A script that answers after that many redirects, of which the last may have another status."""
    def script(visit):
        visit.read_request()
        if visit.origin.connections <= hops:
            place = location.format(port=visit.origin.port)
            is_last = visit.origin.connections == hops
            visit.send(head(last if last and is_last else status, f"Location: {place}", *lines, length=0))
        else:
            visit.send(end or head(length=len(NEW.bytes)) + NEW.bytes)
        visit.say_goodbye()
    return script


def goes_to(path):
    """A check that the request after a redirect was for a path; escapes may be in either case."""
    return lambda origin: [] if origin.requests[-1].lower().startswith(b"get %s" % path.lower()) else [f"the request is {origin.requests[-1]}"]


def retry_after(status, value, ahead=0, *fields):
    """A script that asks for a pause; the value may be a function of the time of an origin whose clock is ahead."""
    def script(visit):
        now = time.time() + ahead
        date = [f"Date: {email.utils.formatdate(now, usegmt=True)}"] if ahead else []
        answer(status, f"Retry-After: {value(now) if callable(value) else value}", *date, *fields)(visit)
    return script


def in_two_minutes(now):
    """A date."""
    return email.utils.formatdate(now + 120, usegmt=True)


def zeros(size):
    """A gzip member of zeros."""
    return gzip.compress(bytes(size), 9)


def bomb(members):
    """A body that grows a thousandfold, and its head."""
    body = zeros(1_000_000) * members
    return head("200 OK", "Content-Encoding: gzip", length=len(body)) + body


def packed(body, name="gzip"):
    return answer("200 OK", f"Content-Encoding: {name}", body=body)


def no_credentials(origin):
    """Credentials are sent to no other place than the configured one."""
    last = origin.requests[-1]
    return ["credentials were sent to the target of a redirect"] if b"authorization" in last.lower() else []


def same_credentials(origin):
    """Credentials are sent with each request to the configured place."""
    sent = [b"authorization: basic" in request.lower() for request in origin.requests[-2:]]
    return [] if all(sent) else [f"credentials were sent: {sent}"]


LARGEST = padded(LIMIT)
CUT = "transfer closed with|unexpected eof"
CHUNKED = "Transfer-Encoding: chunked"
HALF = len(GOOD.bytes) // 2
AT_DEADLINE = (TIMEOUT - 0.1, TIMEOUT + LATE)
DEADLINE = {"takes": AT_DEADLINE, "settings": {"refresh__timeout": f"{TIMEOUT}s"}}
SHORTEST = {"refresh__timeout": "1s"}
PORTAL = b"<html><title>Welcome</title><body>Sign in to the Wi-Fi</body></html>"
BROKEN_APP = json.dumps({"apps": [{"id": "Bad ID", "name": ""}]}).encode()

NETWORK = [
    # A silent name server is given a second.
    Case("name-not-found", None, "dns", "name .*no-such-host.invalid", connections=0, recovers=False,
         url="https://no-such-host.invalid/catalog.json"),
    Case("refused", None, "connect", "Connection refused", connections=0),
    Case("silence-by-default", lambda visit: visit.hold(), "timeout", "took too long", takes=(9.9, 10 + LATE),
         settings={"refresh__timeout": "30s"}),
    Case("silence-after-request", sends(then="hold"), "timeout", "sent nothing within refresh.timeout", **DEADLINE),
    Case("silence-in-head", sends(b"HTTP/1.1 200 OK\r\nContent", then="hold"), "timeout", **DEADLINE),
    Case("silence-in-body", sends(head(length=len(GOOD.bytes)), GOOD.bytes[:HALF], then="hold"), "timeout", **DEADLINE),
    Case("reset-in-body", sends(head(length=len(GOOD.bytes)), GOOD.bytes[:HALF], then="reset"), "connect"),
    Case("slow-line", slowly(head(length=len(NEW.bytes)), *(NEW.bytes[at:at + 200] for at in range(0, len(NEW.bytes), 200)), pause=0.5),
         takes=(2, 20), settings=SHORTEST),
    Case("too-slow-line", slowly(head(length=LIMIT), *([b" "] * 60), pause=0.5), "timeout", takes=(19.9, 20 + LATE), settings=SHORTEST),
]

TLS = [
    Case("expired-certificate", with_certificate(days=-1), "certificate-time", "expired"),
    Case("self-signed-certificate", with_certificate(is_trusted=False), "untrusted", "not trusted"),
    Case("wrong-name-certificate", with_certificate(names="DNS:elsewhere.example"), "certificate", "subject name"),
    Case("intermediate", with_chain()),
    Case("intermediate-missing", with_chain(sends=False), "untrusted", "not trusted: unable to get local issuer certificate"),
    Case("root-unknown", with_chain(is_trusted=False), "untrusted", "not trusted: (self.signed certificate in certificate chain|unable to get local issuer certificate)"),
    Case("portal-without-tls", without_tls, "tls", "handshake"),
]

BODIES = [
    Case("empty", answer(), "json"),
    Case("truncated", sends(head(length=len(GOOD.bytes)), GOOD.bytes[:HALF]), "connect", CUT),
    Case("truncated-without-goodbye", sends(head(length=len(GOOD.bytes)), GOOD.bytes[:HALF], then="close"), "connect", CUT),
    Case("truncated-chunks", sends(head("200 OK", CHUNKED), b"800\r\n" + GOOD.bytes[:HALF]), "connect", CUT),
    Case("truncated-without-length", sends(head(), GOOD.bytes[:HALF], then="close"), "json"),
    Case("whole-without-length", sends(head(), NEW.bytes, then="close")),
    Case("broken-chunks", sends(head("200 OK", CHUNKED), b"zz\r\n" + NEW.bytes), "connect"),
    Case("over-the-limit", answer(body=b" " * (LIMIT + 1)), "too-large", f"larger than {LIMIT} bytes", peak=48),
    Case("over-the-limit-forever", forever(head(), bytes(1 << 20)), "too-large", peak=48),
    Case("at-the-limit", answer(body=LARGEST.bytes), served=LARGEST, peak=48),
    Case("gzip-bomb", sends(bomb(50)), "too-large", peak=48),
    Case("gzip-bomb-of-members", sends(bomb(3000)), "too-large", peak=48),
    Case("gzip-at-the-limit", packed(gzip.compress(LARGEST.bytes)), served=LARGEST, peak=48),
    Case("gzip-broken", packed(gzip.compress(NEW.bytes)[:-8] + bytes(8)), "encoding"),
    Case("gzip-cut", packed(gzip.compress(NEW.bytes)[:-9]), "encoding", "ends too early"),
    Case("gzip-with-rubbish-after", packed(gzip.compress(NEW.bytes) + b"rubbish"), "encoding"),
    Case("gzip-with-zeros-after", packed(gzip.compress(NEW.bytes) + bytes(1000))),
    Case("gzip-of-several-members", packed(gzip.compress(NEW.bytes[:HALF]) + gzip.compress(NEW.bytes[HALF:]))),
    Case("gzip-not-at-all", packed(NEW.bytes), "encoding"),
    Case("gzip-in-upper-case", packed(gzip.compress(NEW.bytes), "GZIP")),
    Case("encoding-unasked", packed(b"\x0b\x02", "br"), "json", "encoding br"),
    *(Case(f"encoding-{name}", packed(NEW.bytes, name)) for name in ("none", "UTF-8", "aws-chunked")),
    Case("encoding-aws-chunked-of-gzip", packed(gzip.compress(NEW.bytes), "gzip,aws-chunked")),
    Case("encoding-none-of-a-page", packed(PORTAL, "none"), "json", "encoding none"),
    Case("portal-page", answer("200 OK", "Content-Type: text/html", body=PORTAL), "json"),
    Case("broken-app", answer(body=BROKEN_APP), "schema"),
]

HEADS = [
    Case("head-of-1-mb", sends(head("200 OK", f"X-Padding: {'x' * 1_000_000}", length=0)), "connect"),
    Case("header-line-forever", forever(b"HTTP/1.1 200 OK\r\nX-Padding: ", b"y" * 10_000), "connect"),
    Case("continues-forever", forever(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000), "connect", "Too large response headers"),
    Case("not-http", sends(b"SSH-2.0-OpenSSH_9.2\r\n"), "http-status", "not HTTP"),
    Case("http-0.9", sends(NEW.bytes), "http-status", "not HTTP"),
    Case("http-1.0", sends(head(length=len(NEW.bytes)).replace(b"HTTP/1.1", b"HTTP/1.0"), NEW.bytes)),
]

STATUSES = [
    Case("not-found", answer("404 Not Found", body=PORTAL), "not-found", "404"),
    Case("not-found-in-bad-gzip", answer("404 Not Found", "Content-Encoding: gzip", body=PORTAL), "not-found", "404"),
    Case("not-found-and-silence", sends(head("404 Not Found", length=100), then="hold"), "not-found", "404"),
    Case("unavailable", answer("503 Service Unavailable"), "unavailable", "503"),
    Case("retry-after-seconds", retry_after("503 Service Unavailable", "120"), "unavailable", pause=120),
    Case("retry-after-date", retry_after("503 Service Unavailable", in_two_minutes), "unavailable", pause=120),
    Case("retry-after-old-date", retry_after("503 Service Unavailable", lambda now: time.strftime("%A, %d-%b-%y %H:%M:%S GMT", time.gmtime(now + 120))),
         "unavailable", pause=120),
    Case("retry-after-wrong-clock", retry_after("503 Service Unavailable", in_two_minutes, -86400, "Age: 60"), "unavailable", pause=60),
    Case("retry-after-nonsense", retry_after("503 Service Unavailable", "soon"), "unavailable"),
    Case("retry-after-on-a-hop", chain(1, "Retry-After: 3600", end=head("503 Service Unavailable", length=0)), "unavailable", connections=2),
]

REDIRECTS = [
    Case("redirect-to-http", chain(9, location="http://127.0.0.1:{port}/catalog.json"), "redirect", "http.* not supported"),
    Case("redirect-to-file", chain(9, location="file:///etc/passwd"), "redirect", "file.* not supported"),
    Case("redirect-to-script", chain(9, location="javascript:alert(1)"), "redirect"),
    Case("redirect-loop", chain(99), "redirect", "Maximum .5. redirects", connections=6),
    Case("redirect-five-times", chain(5), connections=6),
    Case("redirect-across-hosts", chain(1, location="https://localhost:{port}/catalog.json"), connections=2, verify=no_credentials,
         url=f"https://me:{SECRET}@127.0.0.1:{{port}}/catalog.json"),
    Case("redirect-on-the-same-host", chain(1), connections=2, verify=same_credentials,
         url=f"https://me:{SECRET}@127.0.0.1:{{port}}/catalog.json"),
    Case("redirect-with-secret", chain(9, location=f"http://me:{SECRET}@127.0.0.1:{{port}}/?token={SECRET}"), "redirect"),
    Case("redirect-with-space", chain(1, location="https://127.0.0.1:{port}/a b\xe4?c d"), connections=2, verify=goes_to(b"/a%20b%e4?c")),
    Case("redirect-with-umlaut", chain(1, location="/\xc3\xa9.json"), connections=2, verify=goes_to(b"/%c3%a9.json HTTP")),
    Case("redirect-to-name", chain(1, location="other.json"), connections=2, verify=goes_to(b"/other.json HTTP")),
    Case("redirect-for-good", chain(1, location="/new.json?a", status="308 Permanent Redirect"), connections=2,
         moved="https://127.0.0.1:{port}/new.json"),
    Case("redirect-for-good-and-not", chain(2, status="301 Moved Permanently", last="302 Found"), connections=3),
    Case("redirect-nowhere", answer("301 Moved Permanently"), "redirect", "301 Moved Permanently"),
]

CASES = [*NETWORK, *TLS, *BODIES, *HEADS, *STATUSES, *REDIRECTS]
