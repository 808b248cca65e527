"""What promod does if the proxy fails, and if it is not the origin that answers behind it."""
from support.cases import DEADLINE, LATE, SECRET, Case, forever, head, with_certificate
from support.check import Check
from support.claims import problem
from support.trial import Trial
from .tunnels import ScriptedProxy

USER = "ana-of-the-proxy"
CONNECT_LIMIT = {"takes": (9.9, 10 + LATE), "settings": {"refresh__timeout": "30s"}}
ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"
CHALLENGE = 'Proxy-Authenticate: Basic realm="proxy"'


class ProxyTrial(Trial):
    """One promod whose proxy follows the script, while the origin is well."""

    def __init__(self, case, binary):
        super().__init__(case, binary)
        self.subject = self.proxy = ScriptedProxy()
        # A proxy that intercepts has a certificate of its own.
        self.proxy.certified = self.origin.certified
        self.address = case.settings.get("catalog__proxy", self.proxy.url)
        self.daemon.variables["https_proxy"] = f"http://{USER}:{SECRET}@127.0.0.1:{self.proxy.port}"

    def run(self):
        with self.proxy:
            return super().run()

    def _outcome_problems(self, result, error, status, listing):
        place = self.address.removeprefix("http://")
        return [
            *super()._outcome_problems(result, error, status, listing),
            *problem(self.case.code == "proxy" and place not in error["message"], f"the message does not name {place}"),
            *problem(USER in f"{error}{status}{self.daemon.end_of_log}", "the user is shown"),
            *problem(self.origin.connections, "the origin was asked without the proxy"),
        ]


def answer(status, *lines, body=b""):
    """A script that answers CONNECT with a whole response."""
    return sends(head(status, *lines, length=len(body)) + body)


def sends(data, then="close"):
    """A script that reads the request, and sends bytes, which need not be a response."""
    def script(visit):
        visit.read_head()
        visit.send(data)
        getattr(visit, then)()
    return script


def at_once(then):
    """A script that does not wait for the request."""
    return lambda visit: getattr(visit, then)()


def on_plain(script):
    """A script of an origin, without TLS."""
    def plain(visit):
        visit.read_request = visit.read_head
        script(visit)
    return plain


def established(script):
    """A script of an origin behind a tunnel that is established, but leads elsewhere."""
    def whole(visit):
        visit.read_head()
        visit.send(ESTABLISHED)
        script(visit)
    return whole


def proxy_case(name, script, says="", **more):
    return Case(name, script, "proxy", says, **more)


def nowhere(name, address, **more):
    """A proxy at an address that is none."""
    settings = {"catalog__proxy": address, **more.pop("settings", {})}
    return proxy_case(name, at_once("close"), recovers=False, connections=0, settings=settings, **more)


REFUSES = "refuses to connect to"

PROXIES = [
    # A silent name server is given a second.
    nowhere("name-not-found", "http://no-such-proxy.invalid:3128", takes=(0, 6), settings={"refresh__timeout": "10s"}),
    nowhere("lost", "http://192.0.2.1:3128", **CONNECT_LIMIT),
    proxy_case("refused", None, connections=0),
    proxy_case("silent-after-request", sends(b"", then="hold"), **CONNECT_LIMIT),
    proxy_case("silent-until-timeout", sends(b"", then="hold"), **DEADLINE),
    proxy_case("closed-in-head", sends(b"HTTP/1.1 200 OK\r\nX-")),
    proxy_case("reset", at_once("reset")),
    proxy_case("407", answer("407 Proxy Authentication Required", CHALLENGE, body=bytes(5_000_000)), peak=48),
    proxy_case("403", answer("403 Forbidden", body=b"<html>Blocked</html>"), REFUSES),
    proxy_case("503-with-retry-after", answer("503 Service Unavailable", "Retry-After: 3600"), REFUSES),
    proxy_case("reason-for-a-terminal", answer("403 \x1b[31mred\x07" + "x" * 10_000)),
    proxy_case("garbage", sends(b"\x00\xff\r\n\r\n" * 1000)),
    # A TLS alert: the handshake failed.
    proxy_case("tls", sends(b"\x15\x03\x03\x00\x02\x02\x28")),
    proxy_case("header-lines-forever", on_plain(forever(b"HTTP/1.1 200 OK\r\n", b"X-Padding: y\r\n" * 1000))),
]

TUNNELS = [
    Case("intercepted", established(with_certificate(is_trusted=False)), "untrusted", "not trusted"),
    Case("tunnel-without-tls", established(lambda visit: (visit.socket.recv(65536), visit.send(head("302 Found", length=0)))), "tls",
         "does not speak TLS"),
]


def _check(case, claim):
    return Check(case.name, claim, lambda binary: ProxyTrial(case, binary).run())


CHECKS = [
    *(_check(case, f"{case.claim}, and the message names the proxy") for case in sorted(PROXIES, key=lambda case: -case.takes[0])),
    *(_check(case, f"TLS is between promod and the origin: {case.claim}") for case in TUNNELS),
]
