"""What promod does if the proxy fails, and if the origin behind a proxy does."""
import time
from dataclasses import replace

from support.cases import CASES, CHUNKED, DEADLINE, LATE, SECRET, Case, chunked, forever, head, slowly, with_certificate
from support.check import Check
from support.claims import problem
from support.trial import Trial
from .packaged import Tinyproxy
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


class TunnelTrial(Trial):
    """One promod whose origin follows the script, while the proxy is well."""

    def run(self):
        with Tinyproxy() as proxy:
            self.daemon.variables["https_proxy"] = proxy.url
            figures, problems = super().run()
            return figures, [*problems, *problem(not proxy.tunnels, "the proxy is not used")]


class LateTrial(Trial):
    """The same behind a proxy that takes its time."""

    def run(self):
        with ScriptedProxy() as proxy:
            proxy.script = self.late
            self.daemon.variables["https_proxy"] = proxy.url
            figures, problems = super().run()
        return figures, [*problems, *problem(not proxy.connections, "the proxy is not used")]

    @staticmethod
    def late(visit):
        time.sleep(1.5)
        visit.origin.tunnel(visit)


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
    proxy_case("silent", at_once("hold"), **CONNECT_LIMIT),
    proxy_case("silent-after-request", sends(b"", then="hold"), **CONNECT_LIMIT),
    proxy_case("silent-in-head", sends(b"HTTP/1.1 200 OK\r\nX-", then="hold"), **CONNECT_LIMIT),
    proxy_case("silent-until-timeout", sends(b"", then="hold"), **DEADLINE),
    proxy_case("byte-a-second", on_plain(slowly(b"", ESTABLISHED * 9)), **DEADLINE),
    proxy_case("closed-at-once", at_once("close")),
    proxy_case("closed-after-request", sends(b"")),
    proxy_case("closed-in-head", sends(b"HTTP/1.1 200 OK\r\nX-")),
    proxy_case("reset", at_once("reset")),
    proxy_case("reset-after-request", sends(b"", then="reset")),
    proxy_case("407", answer("407 Proxy Authentication Required", CHALLENGE, body=b"<html>Who are you?</html>")),
    proxy_case("407-without-challenge", answer("407 Proxy Authentication Required")),
    proxy_case("407-with-much-text", answer("407 Proxy Authentication Required", CHALLENGE, body=bytes(5_000_000)), peak=48),
    proxy_case("401", answer("401 Unauthorized", 'WWW-Authenticate: Basic realm="origin"'), REFUSES),
    proxy_case("403", answer("403 Forbidden", body=b"<html>Blocked</html>"), REFUSES),
    proxy_case("403-without-reason", sends(b"HTTP/1.1 403\r\n\r\n"), REFUSES),
    proxy_case("403-of-HTTP-1.0", sends(b"HTTP/1.0 403 Forbidden\r\n\r\n<html>Blocked</html>"), REFUSES),
    proxy_case("404", answer("404 Not Found"), REFUSES),
    proxy_case("302", answer("302 Found", "Location: https://portal.example/"), REFUSES),
    proxy_case("500", answer("500 Unable to connect"), REFUSES),
    proxy_case("502", answer("502 Bad Gateway"), REFUSES),
    proxy_case("503", answer("503 Service Unavailable"), REFUSES),
    proxy_case("503-with-retry-after", answer("503 Service Unavailable", "Retry-After: 3600"), REFUSES),
    proxy_case("reason-for-a-terminal", answer("403 \x1b[31mred\x07" + "x" * 10_000)),
    proxy_case("garbage", sends(b"\x00\xff\r\n\r\n" * 1000)),
    proxy_case("garbage-before-request", lambda visit: (visit.send(b"SSH-2.0-OpenSSH_9.2p1\r\n"), visit.hold()), **CONNECT_LIMIT),
    proxy_case("garbage-and-silence", sends(b"220 mail.example ESMTP\r\n", then="hold"), **CONNECT_LIMIT),
    proxy_case("json", sends(b'{"error": "not a proxy"}\n')),
    # A TLS alert: the handshake failed.
    proxy_case("tls", sends(b"\x15\x03\x03\x00\x02\x02\x28")),
    proxy_case("header-lines-forever", on_plain(forever(b"HTTP/1.1 200 OK\r\n", b"X-Padding: y\r\n" * 1000))),
    proxy_case("header-line-forever", on_plain(forever(b"HTTP/1.1 200 OK\r\nX-Padding: ", b"y" * 10_000))),
    proxy_case("body-forever", on_plain(forever(head("403 Forbidden", CHUNKED), chunked(bytes(1 << 20)))), peak=48),
]

TUNNELS = [
    Case("intercepted", established(with_certificate(is_trusted=False)), "untrusted", "not trusted"),
    Case("tunnel-without-tls", established(lambda visit: (visit.socket.recv(65536), visit.send(head("302 Found", length=0)))), "tls",
         "does not speak TLS"),
]

# The origin's own failures; after each the next good catalog is accepted.
BEHIND = [
    "silence-after-handshake", "byte-a-second-in-body", "expired-certificate", "self-signed-certificate", "wrong-name-certificate",
    "portal-without-tls", "truncated", "empty", "over-the-limit", "gzip-broken", "portal-page", "broken-app", "not-found",
    "redirect-to-http", "redirect-loop", "redirect-five-times", "redirect-across-hosts"]
LATE_CASE = Case("deadline-of-all", slowly(head(length=1000), bytes(1000)), "timeout", **DEADLINE)


def _check(kind, case, claim):
    return Check(case.name, claim, lambda binary: kind(case, binary).run(), case.known)


CHECKS = [
    *(_check(ProxyTrial, case, f"{case.claim}, and the message names the proxy")
      for case in sorted(PROXIES, key=lambda case: -case.takes[0])),
    *(_check(TunnelTrial, replace(case, name=f"behind-{case.name}"), f"behind a proxy, {case.claim}")
      for case in CASES if case.name in BEHIND),
    *(_check(ProxyTrial, case, f"TLS is between promod and the origin: {case.claim}") for case in TUNNELS),
    _check(LateTrial, LATE_CASE, f"refresh.timeout includes the proxy: {LATE_CASE.claim}"),
]
