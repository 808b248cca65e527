"""What promod does if the proxy fails, and if it is not the origin that answers behind it."""
from support.cases import LATE, SECRET, Case, head
from support.claims import problem
from support.trial import Trial
from .tunnels import ScriptedProxy

USER = "ana-of-the-proxy"
CHALLENGE = 'Proxy-Authenticate: Basic realm="proxy"'


class ProxyTrial(Trial):
    """One promod whose proxy follows the script, while the origin is well."""

    def __init__(self, case, binary):
        super().__init__(case, binary)
        self.subject = self.proxy = ScriptedProxy()
        # A proxy that intercepts has a certificate of its own.
        self.proxy.certified = self.origin.certified
        self.daemon.variables["https_proxy"] = f"http://{USER}:{SECRET}@127.0.0.1:{self.proxy.port}"

    def __enter__(self):
        self.proxy.open()
        return super().__enter__()

    def __exit__(self, *failure):
        super().__exit__(*failure)
        self.proxy.close()

    def _outcome_problems(self, result, error, status, listing):
        place = self.proxy.url.removeprefix("http://")
        return [
            *super()._outcome_problems(result, error, status, listing),
            *problem(self.case.code == "proxy" and place not in error["message"], f"the message does not name {place}"),
            *problem(self.case.code == "proxy" and "https_proxy" not in error["message"], "the message does not name the variable"),
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


def intercepts(visit):
    """A script that establishes a tunnel, but leads to an origin with another certificate."""
    visit.read_head()
    visit.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
    visit.encrypt(visit.origin.certified(is_trusted=False))


CASES = [
    Case("silent", sends(b"", then="hold"), "proxy", takes=(9.9, 10 + LATE), settings={"refresh__timeout": "30s"}),
    Case("refused", None, "proxy", connections=0),
    Case("407", answer("407 Proxy Authentication Required", CHALLENGE, body=bytes(5_000_000)), "proxy", peak=48),
    Case("503-with-retry-after", answer("503 Service Unavailable", "Retry-After: 3600"), "proxy", "response 503"),
    Case("garbage", sends(b"\x00\xff\r\n\r\n" * 1000), "proxy"),
    Case("intercepted", intercepts, "untrusted", "not trusted"),
]
CHECKS = [ProxyTrial.check(case.name, f"{case.claim}, and the message names the proxy if it is to blame", case) for case in CASES]
