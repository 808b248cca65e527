"""Which proxy is used, and for which addresses. What the variables mean beyond that is libcurl's."""
from dataclasses import dataclass

from support.check import Check
from support.claims import problem
from .fetchers import Promod
from .tunnels import ScriptedProxy

# The proxy that is right, and one that is wrong.
RIGHT, WRONG = "http://127.0.0.1:{right}", "http://127.0.0.1:{wrong}"
HOST = "catalog.test"
INSTEAD = {"https_proxy": WRONG, "HTTPS_PROXY": WRONG, "no_proxy": "*", "NO_PROXY": "*"}


@dataclass
class Route:
    """The places that are fetched in an environment, and the hosts for which the right proxy is asked then."""

    name: str
    claim: str
    environment: dict
    rows: dict
    settings: tuple = ()
    arguments: tuple = ()

    def run(self, binary):
        with ScriptedProxy() as right, ScriptedProxy() as wrong:
            ports, problems = {"right": right.port, "wrong": wrong.port}, []
            variables, settings = ({name: value.format(**ports) for name, value in dict(values).items()}
                                   for values in (self.environment, self.settings))
            with Promod(binary, variables, [text.format(**ports) for text in self.arguments], **settings) as promod:
                for place, hosts in self.rows.items():
                    right.requests.clear()
                    code, message = promod.fetch(f"https://{place}/catalog.json")
                    asked = [f"connect {host}" for host in hosts]
                    problems += [
                        *problem(code, f"{place} fails as {code}: {message}"),
                        # What the reload began may have ended before the refresh, which then fetches again.
                        *problem(right.asked not in (asked, asked * 2), f"for {place} the proxy is asked {right.asked}"),
                        *problem(wrong.connections, f"{place} is fetched by the wrong proxy"),
                    ]
        return "", problems


USED, DIRECT = {HOST: [f"{HOST}:443"]}, {HOST: []}
ROUTES = [
    Route("https_proxy", "https_proxy is used rather than the others, for every host",
          {"https_proxy": RIGHT, "HTTPS_PROXY": WRONG, "all_proxy": WRONG, "http_proxy": WRONG},
          {**USED, "[fd00::1]:8443": ["[fd00::1]:8443"], "localhost": ["localhost:443"]}),
    Route("HTTPS_PROXY", "HTTPS_PROXY is used if https_proxy is empty, and may leave out the scheme",
          {"HTTPS_PROXY": "127.0.0.1:{right}", "https_proxy": ""}, USED),
    Route("ALL_PROXY", "ALL_PROXY is used if there is no other", {"ALL_PROXY": RIGHT}, USED),
    Route("no-proxy", "no_proxy exempts names with their subdomains and networks, also at a hop of a redirect",
          {"https_proxy": RIGHT, "no_proxy": "other.test, 10.0.0.0/8", "NO_PROXY": HOST},
          {"other.test": [], "10.1.2.3": [], **USED, f"{HOST}/to/other.test/to/third.test": [f"{HOST}:443", "third.test:443"]}),
    Route("NO_PROXY", "NO_PROXY is used if no_proxy is empty", {"https_proxy": RIGHT, "NO_PROXY": HOST, "no_proxy": ""},
          {f"www.{HOST}": [], "other.test": ["other.test:443"]}),
    Route("key-in-file", "a catalog's proxy beats the variables, and then no_proxy does not matter, at no hop", INSTEAD,
          {f"{HOST}/to/other.test": [f"{HOST}:443", "other.test:443"]}, settings={"catalog__proxy": RIGHT}),
    Route("key-of-all", "network.proxy beats the variables", INSTEAD, USED, settings={"network__proxy": RIGHT}),
    Route("key-order", "the command line beats the file, and the variables", {"https_proxy": WRONG},
          USED, settings={"network__proxy": WRONG}, arguments=("--set", f"network.proxy={RIGHT}")),
    Route("key-direct", "direct uses none whatever the variables say", {"https_proxy": WRONG}, DIRECT,
          settings={"catalog__proxy": "direct", "network__proxy": WRONG}),
]
CHECKS = [Check(route.name, route.claim, route.run) for route in ROUTES]
