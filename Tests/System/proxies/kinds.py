"""Proxies that are spoken to over TLS."""
from support.check import Check
from support.claims import problem
from .failures import USER
from .fetchers import Promod
from .ground import Everywhere
from .privacy import SECRET, URL, traces
from .tunnels import ScriptedProxy


def over_tls(visit):
    """A script of an HTTP proxy behind TLS."""
    visit.encrypt(Everywhere.it.context)
    visit.origin.tunnel(visit)


def over_untrusted_tls(visit):
    """The same with a certificate that nobody trusts."""
    visit.encrypt(Everywhere.it.certified(is_trusted=False))
    visit.origin.tunnel(visit)


def fetched(script, asked, code):
    """A check body: the catalog comes by this proxy, or not, and nothing shows a password."""
    def body(binary):
        with ScriptedProxy() as proxy, Promod(binary, catalog__proxy=f"https://{USER}:{SECRET}@127.0.0.1:{proxy.port}") as promod:
            proxy.script = script
            found, message = promod.fetch(URL)
        return message, [
            *problem(found != code, f"it fails as {found}: {message}"),
            *problem(set(proxy.asked) != asked, f"the proxy is asked {proxy.asked}"),
            *problem(traces(message), f"it says {message}"),
        ]
    return body


ROWS = [
    ("https-proxy", "a proxy may be spoken to over TLS", over_tls, {"connect catalog.test:443"}, ""),
    ("https-proxy-untrusted", "a proxy whose certificate is not trusted is told nothing", over_untrusted_tls, set(), "proxy"),
]
CHECKS = [Check(name, claim, fetched(*row)) for name, claim, *row in ROWS]
