"""Which proxy is used, and for which addresses."""
import contextlib
from dataclasses import dataclass
from typing import Callable

from support.check import Check
from support.claims import problem
from .fetchers import Curl, Promod
from .tunnels import ScriptedProxy

# The proxy that is right, and one that is wrong.
RIGHT, WRONG = "http://127.0.0.1:{right}", "http://127.0.0.1:{wrong}"
HOST = "catalog.test"


@dataclass
class Route:
    """What is fetched by the proxy and what without one, in each of some environments."""

    name: str
    claim: str
    environments: list
    proxied: tuple = ()
    direct: tuple = ()
    hops: tuple = ()  # Pairs of a place that redirects and the hosts for which the proxy is asked.
    settings: tuple = ()
    arguments: tuple = ()
    port: int = 0  # The right proxy's, if it must be a certain one.
    is_curls: bool = True  # Whether curl does the same.
    asks_curl: bool = False  # Whether curl decides what is right, since its versions differ.

    @property
    def rows(self):
        """Each place, and the hosts for which the proxy is asked."""
        return [*((place, [place]) for place in self.proxied), *((place, []) for place in self.direct), *self.hops]

    def run(self, binary, kind: Callable = Promod):
        """Fetches everything in every environment."""
        problems = []
        for environment in self.environments:
            with contextlib.ExitStack() as stack:
                right, wrong = (stack.enter_context(ScriptedProxy(port)) for port in (self.port, 0))
                ports = {"right": right.port, "wrong": wrong.port}
                filled = [{name: value.format(**ports) for name, value in dict(values).items()} for values in (environment, self.settings)]
                more = {} if kind is Curl else {"arguments": [text.format(**ports) for text in self.arguments], **filled[1]}
                fetcher = stack.enter_context(kind(binary, filled[0], **more))
                rows = [(place, self._curls_way(filled[0], right, place)) for place, _ in self.rows] if self.asks_curl else self.rows
                found = [text for row in rows for text in self._row_problems(fetcher, right, wrong, *row)]
                problems += [f"{filled[0]}: {text}" for text in found]
        count = len(self.rows) * len(self.environments)
        return f"{count} {'fetch' if count == 1 else 'fetches'}", problems

    def _curls_way(self, environment, right, place):
        """The hosts for which curl asks the proxy."""
        right.requests.clear()
        with Curl("", environment) as curl:
            curl.fetch(f"https://{place}/catalog.json")
        return [asked.removeprefix("connect ") for asked in right.asked]

    def _row_problems(self, fetcher, right, wrong, place, hosts):
        """Fetches one address."""
        right.requests.clear()
        code, message = fetcher.fetch(f"https://{place}/catalog.json")
        asked = [f"connect {with_port(host)}" for host in hosts]
        way = "not by the proxy" if not right.asked else f"by {right.asked}"
        return [
            *problem(code, f"{place} fails as {code}: {message}"),
            # What the reload began may have ended before the refresh, which then fetches again.
            *problem(right.asked not in (asked, asked * 2), f"{place} is fetched {way}"),
            *problem(wrong.connections, f"{place} is fetched by the wrong proxy"),
        ]

    @property
    def check(self):
        """The check with promod."""
        return Check(self.name, self.claim, self.run)

    @property
    def curl_check(self):
        """The check with curl."""
        return Check(self.name, self.claim, lambda binary: self.run(binary, Curl))


def with_port(place):
    """The host and the port of a place."""
    host = place.split("/")[0].lower()
    return host if host.rpartition("]")[2].rpartition(":")[1] else f"{host}:443"


def exempt(name, claim, *values, direct=(), proxied=(), hops=()):
    """A value of no_proxy, or several that mean the same."""
    environments = [{"https_proxy": RIGHT, "no_proxy": value} for value in values]
    return Route(f"no-proxy-{name}", claim, environments, proxied, direct, hops)


def compared(name, what, *values, places=()):
    """Values of no_proxy that versions of curl read differently."""
    route = exempt(name, f"promod goes the way that curl goes: {what}", *values, hops=tuple((place, ()) for place in places))
    route.is_curls, route.asks_curl = False, True
    return route


VARIABLES = [
    Route("none", "without a variable and a key, everything is fetched directly", [{}], direct=(HOST, "[fd00::1]")),
    Route("https_proxy", "https_proxy is used, for every host", [{"https_proxy": RIGHT}],
          proxied=(HOST, f"{HOST}:8443", "[fd00::1]", "[fd00::1]:8443", "10.1.2.3", "127.0.0.1", "localhost")),
    Route("HTTPS_PROXY", "HTTPS_PROXY is used if https_proxy is not set or empty",
          [{"HTTPS_PROXY": RIGHT}, {"HTTPS_PROXY": RIGHT, "https_proxy": ""}], proxied=(HOST,)),
    Route("both-cases", "https_proxy is used rather than HTTPS_PROXY", [{"https_proxy": RIGHT, "HTTPS_PROXY": WRONG}], proxied=(HOST,)),
    Route("empty", "variables that are empty count as not set", [{"https_proxy": "", "HTTPS_PROXY": ""}], direct=(HOST,)),
    Route("http_proxy", "http_proxy is not used", [{name: WRONG} for name in ("http_proxy", "HTTP_PROXY")], direct=(HOST,)),
    Route("all_proxy", "all_proxy is used if there is no https_proxy", [{"all_proxy": RIGHT, "ALL_PROXY": WRONG}], proxied=(HOST,)),
    Route("ALL_PROXY", "ALL_PROXY is used if there is no other", [{"ALL_PROXY": RIGHT}], proxied=(HOST,)),
    Route("https_proxy-first", "https_proxy is used rather than all_proxy",
          [{"https_proxy": RIGHT, "all_proxy": WRONG}, {"https_proxy": RIGHT, "ALL_PROXY": WRONG}], proxied=(HOST,)),
    Route("without-scheme", "a variable may leave out the scheme", [{"https_proxy": "127.0.0.1:{right}"}], proxied=(HOST,)),
    Route("with-slash", "an address may end with a slash", [{"https_proxy": f"{RIGHT}/"}], proxied=(HOST,)),
    Route("by-name", "a proxy may have a name",
          [{"https_proxy": "http://proxy.test:{right}"}, {"https_proxy": "proxy.test:{right}"}], proxied=(HOST,)),
    Route("by-ipv6", "a proxy may have an IPv6 address", [{"https_proxy": "http://[::1]:{right}"}], proxied=(HOST,)),
    Route("no_proxy-both-cases", "no_proxy is used rather than NO_PROXY",
          [{"https_proxy": RIGHT, "no_proxy": HOST, "NO_PROXY": "other.test"}], direct=(HOST,), proxied=("other.test",)),
    Route("NO_PROXY", "NO_PROXY is used if no_proxy is not set or empty",
          [{"https_proxy": RIGHT, "NO_PROXY": HOST}, {"https_proxy": RIGHT, "NO_PROXY": HOST, "no_proxy": ""}], direct=(HOST,),
          proxied=("other.test",)),
    Route("no_proxy-for-HTTPS_PROXY", "no_proxy and NO_PROXY hold for HTTPS_PROXY too",
          [{"HTTPS_PROXY": RIGHT, name: HOST} for name in ("no_proxy", "NO_PROXY")], direct=(HOST,), proxied=("other.test",)),
]

INSTEAD = {"https_proxy": WRONG, "HTTPS_PROXY": WRONG, "no_proxy": "*", "NO_PROXY": "*"}
KEYS = [
    Route("key-in-file", "catalog.proxy in the file beats the variables, and then no_proxy does not matter", [{}, INSTEAD], proxied=(HOST,),
          settings={"catalog__proxy": RIGHT}, is_curls=False),
    Route("key-in-environment", "PROMOD_CATALOG_PROXY beats the variables, and then no_proxy does not matter",
          [{"PROMOD_CATALOG_PROXY": RIGHT}, {"PROMOD_CATALOG_PROXY": RIGHT, **INSTEAD}], proxied=(HOST,), is_curls=False),
    Route("key-on-command-line", "--catalog-proxy beats the variables, and then no_proxy does not matter", [{}, INSTEAD], proxied=(HOST,),
          arguments=("--catalog-proxy", RIGHT), is_curls=False),
    Route("key-order", "the command line beats the environment, and the environment the file", [{"PROMOD_CATALOG_PROXY": WRONG}],
          proxied=(HOST,), settings={"catalog__proxy": WRONG}, arguments=("--catalog-proxy", RIGHT), is_curls=False),
    Route("key-default-port", "without a port in the key, it is 80", [{}], proxied=(HOST,),
          settings={"catalog__proxy": "http://proxy.test"}, port=80, is_curls=False),
    Route("key-direct-in-file", "catalog.proxy = \"direct\" uses none whatever the variables say",
          [{"https_proxy": WRONG}, {"HTTPS_PROXY": WRONG}], direct=(HOST,), settings={"catalog__proxy": "direct"}, is_curls=False),
    Route("key-direct-in-environment", "PROMOD_CATALOG_PROXY=direct uses none whatever the variables say",
          [{"https_proxy": WRONG, "PROMOD_CATALOG_PROXY": "direct"}], direct=(HOST,), settings={"catalog__proxy": WRONG}, is_curls=False),
    Route("key-direct-on-command-line", "--catalog-proxy direct uses none whatever the variables say",
          [{"https_proxy": WRONG, "PROMOD_CATALOG_PROXY": WRONG}], direct=(HOST,), arguments=("--catalog-proxy", "direct"), is_curls=False),
]

NO_PROXY = [
    exempt("all", "* covers everything", "*", direct=(HOST, f"{HOST}:8443", "10.1.2.3", "[fd00::1]", "localhost")),
    exempt("name", "a name covers itself and its subdomains, with or without a leading dot", HOST, f".{HOST}",
           direct=(HOST, f"www.{HOST}", f"a.b.{HOST}", f"{HOST}:8443"),
           proxied=(f"not{HOST}", f"{HOST}.other.test", "other.test", "198.51.100.7")),
    exempt("subdomain", "a name does not cover the domain above it", f"www.{HOST}", f".www.{HOST}", direct=(f"www.{HOST}",),
           proxied=(HOST, f"a.b.{HOST}")),
    exempt("top", "a name may be the last label", "test", ".test", direct=(HOST, "other.test"), proxied=("localhost", "10.1.2.3")),
    exempt("case", "case does not matter", "CATALOG.Test", ".Catalog.TEST", direct=(HOST, "CATALOG.TEST", "Www.Catalog.Test")),
    exempt("dot-in-value", "a trailing dot in an entry is ignored", f"{HOST}.", f".{HOST}.", direct=(HOST, f"www.{HOST}"),
           proxied=(f"not{HOST}",)),
    exempt("dot-in-url", "a trailing dot in the URL's host is ignored", HOST, f"{HOST}.", f".{HOST}", direct=(f"{HOST}.", f"www.{HOST}.")),
    exempt("commas", "commas separate entries, with or without spaces", f"third.test,{HOST},other.test", f"third.test, {HOST} , other.test",
           f",,third.test,,{HOST},other.test,", direct=(HOST, "other.test", "third.test"), proxied=(f"not{HOST}",)),
    exempt("spaces", "spaces separate entries", f"third.test {HOST} other.test", f"  third.test   {HOST} other.test ",
           direct=(HOST, "other.test", "third.test"), proxied=(f"not{HOST}",)),
    compared("port", "names with ports", f"{HOST}:8443", f".{HOST}:8443", f"{HOST}:443",
             places=(HOST, f"{HOST}:8443", f"www.{HOST}:8443", "other.test:8443")),
    exempt("ipv4", "an IPv4 address covers that address, not a name for it", "198.51.100.7", direct=("198.51.100.7", "198.51.100.7:8443"),
           proxied=("198.51.100.70", HOST, "10.1.2.3")),
    compared("address-port", "addresses with ports", "198.51.100.7:8443", "[::1]:8443",
             places=("198.51.100.7:8443", "198.51.100.7", "[::1]:8443", "[::1]")),
    exempt("ipv4-part", "the end of an address is no domain", "2.3", ".2.3", "3", "10.1", proxied=("10.1.2.3",)),
    compared("ipv6", "addresses of IPv6", "fd00::1", "[fd00::1]", "FD00:0:0:0:0:0:0:1", "::1", "[::1]",
             places=("[fd00::1]", "[fd00::1]:8443", "[fd00::2]", "[::1]", "localhost", HOST)),
    exempt("cidr-8", "a network covers the addresses within it, not a name for one", "10.0.0.0/8", direct=("10.1.2.3", "10.1.2.3:8443"),
           proxied=("11.1.2.3", "ten.test", "[fd00::1]")),
    exempt("cidr-23", "a network may end within a byte", "10.1.2.0/23", direct=("10.1.2.3", "10.1.3.255"), proxied=("10.1.4.0",)),
    exempt("cidr-32", "a network may be one address", "10.1.2.3/32", direct=("10.1.2.3",), proxied=("10.1.3.255", "ten.test")),
    compared("cidr-0", "networks of everything", "0.0.0.0/0", "::/0", places=("10.1.2.3", "[fd00::1]", HOST)),
    compared("cidr-ipv6", "networks of IPv6", "fd00::/8", "fd00::1/128", places=("[fd00::1]", "[fd00::2]:8443", "[2001:db8::1]", HOST)),
    compared("cidr-broken", "networks that are none",
             *(f"10.0.0.0/{length},third.test" for length in ("33", "-1", "x", "999999999999999999999", "")), "10.0.0/8,third.test",
             places=("third.test", "10.1.2.3", HOST)),
    compared("not-understood", "what means nothing",
             *(f"{entry},third.test" for entry in (
                 "cat*", f"https://{HOST}", f"{HOST}/catalog.json", f"{HOST}:x", ".", "..", ":443", "/", "[::1", "[]", "%", "@",
                 "카탈로그")),
             places=("third.test", HOST, "10.1.2.3")),
    exempt("empty", "an empty value covers nothing", "", " ", ",", proxied=(HOST,)),
]

HOPS = [
    exempt("hops", "each hop of a redirect is judged alone", "other.test",
           hops=((f"{HOST}/to/other.test/to/third.test", [HOST, "third.test"]), ("other.test/to/third.test/to/other.test", ["third.test"]),
                 ("third.test/to/other.test", ["third.test"]))),
    Route("key-hops", "with a key, every hop goes by the proxy", [{"no_proxy": "*"}],
          hops=((f"{HOST}/to/other.test/to/third.test", [HOST, "other.test", "third.test"]),), settings={"catalog__proxy": RIGHT}, is_curls=False),
]

ROUTES = [*VARIABLES, *KEYS, *NO_PROXY, *HOPS]
CHECKS = [route.check for route in ROUTES]
CURL_CHECKS = [route.curl_check for route in ROUTES if route.is_curls]
