"""What promod and promoctl say about a proxy, and about values that are none."""
import itertools

from support.check import Check
from support.claims import problem
from support.trial import read_log
from .fetchers import Promod
from .privacy import LOGIN, configured, traces
from .tunnels import ScriptedProxy

URL = "https://catalog.test/catalog.json"
UNKNOWN = [f"{scheme}://{LOGIN}@127.0.0.1:1080" for scheme in ("ftp", "quic", "httpss")]
MALFORMED = [
    "http://", f"http://{LOGIN}@", f"http://{LOGIN}@:3128", f"http://{LOGIN}@127.0.0.1:x", "http://127.0.0.1:0", "http://127.0.0.1:65536",
    "http://127.0.0.1:-1", "http://pro xy:3128", "http://[::1:3128", "http://[nonsense]:3128", "://127.0.0.1:3128", f"{LOGIN}@:3128"]


def refused_key(values, says):
    """A check body: the key does not take these values, wherever they are, and the message names the place."""
    def body(binary):
        problems = []
        for value in values:
            promod = Promod(binary)
            promod.settings = {"catalog__proxy": value}
            promod.configure()
            # A file of a catalog is broken alone.
            done = promod.run("promod", "--print-configuration")
            is_told = all(text in done.stdout for text in ("default.toml:1: proxy takes the address of a proxy", says))
            problems += problem(done.returncode or not is_told, f"{value} ends with {done.returncode}: {done.stdout}")
            problems += problem(traces(done.stdout), f"{traces(done.stdout)} is shown: {done.stdout}")
            promod.settings = {"network__proxy": value}
            promod.configure()
            elsewhere = {"XDG_CONFIG_HOME": f"{promod.directory}/none"}
            ends = {
                ("config.toml:1", "network.proxy"): promod.run("promod", "--print-configuration"),
                ("PROMOD_CATALOG_PROXY", "proxy takes"):
                    promod.run("promod", "--print-configuration", **elsewhere, PROMOD_CATALOG_PROXY=value),
                ("command line", "--catalog-proxy takes"):
                    promod.run("promod", "--print-configuration", f"--catalog-proxy={value}", **elsewhere),
            }
            promod.stop()
            for place, done in ends.items():
                is_refused = done.returncode == 78 and all(text in done.stderr for text in (*place, says))
                # A promod without the key refuses it, too.
                problems += problem(not is_refused or "not a key" in done.stderr, f"{value} ends with {done.returncode}: {done.stderr}")
                problems += problem(traces(done.stderr), f"{traces(done.stderr)} is shown: {done.stderr}")
        return f"{len(values)} values in 4 places", problems
    return body


def broken_file(binary):
    """A check body: with a malformed key in its file the catalog is listed from its cache, and nobody is asked."""
    with ScriptedProxy() as proxy, configured(binary, "file", proxy) as promod:
        promod.fetch(URL)
        before = promod.ask("list")
        promod.configure(catalog__proxy=UNKNOWN[1])
        promod.ask("reload")
        proxy.requests.clear()
        done = promod.run("promoctl", "refresh")
        error = " ".join(entry["text"] for entry in promod.ask("status")["problems"] if entry["code"] == "catalog-file")
        return "", [
            *problem(done.returncode == 0 or "the address of a proxy" not in done.stderr, f"it ends with {done.returncode}: {done.stderr}"),
            *problem("the address of a proxy" not in error, f"status says {error!r}"),
            *problem(traces(done.stderr + error), f"{traces(done.stderr + error)} is shown: {done.stderr}{error}"),
            *problem(len(before["apps"]) == 0 or promod.ask("list")["apps"] != before["apps"], f"the list was {before}"),
            *problem(proxy.asked, f"then the proxy is asked {proxy.asked}"),
        ]


def refused_variable(values):
    """A check body: the fetch fails, but promod runs, and the message names the variable."""
    def body(binary):
        problems, message = [], ""
        for variable, value in itertools.product(("https_proxy", "HTTPS_PROXY"), values):
            with Promod(binary, {variable: value}) as promod:
                code, message = promod.fetch(URL)
                error = promod.catalog["lastError"]
                shown_traces = traces(message + read_log(promod))
            problems += [
                *problem(code != "proxy" or variable not in message, f"{variable}={value} fails as {code!r}: {message}"),
                *problem(error != code, f"{variable}={value}: status has another error: {error}"),
                *problem(shown_traces, f"{variable}={value}: {shown_traces} is shown"),
            ]
        return f"{2 * len(values)} values; {message}", problems
    return body


CHECKS = [
    Check("key-malformed", "a malformed proxy is a configuration error, and breaks a catalog's file", refused_key([*MALFORMED, "127.0.0.1:3128"], "")),
    Check("key-of-no-kind", "an unknown kind of proxy is refused with those that are known", refused_key(UNKNOWN, "socks5h://")),
    Check("key-malformed-in-reload", "a malformed proxy in its file keeps the catalog's list, and stops its fetches", broken_file),
    Check("variable-malformed", "a malformed variable fails the fetch only, and the message names it", refused_variable(MALFORMED)),
    Check("variable-of-no-kind", "a variable with an unknown kind of proxy fails the fetch only, and the message names it",
          refused_variable(UNKNOWN)),
]
