"""To whom a proxy's user and password are told, and to whom they are not."""
import base64
import contextlib
import json
import re
import tempfile

from support import cases
from support.check import Check
from support.claims import problem
from support.scripted import ScriptedOrigin
from support.trial import read_log
from .failures import CHALLENGE, USER, answer
from .fetchers import Curl, Promod
from .tunnels import ScriptedProxy

SECRET = cases.SECRET
ESCAPED = f"%{ord(SECRET[0]):x}{SECRET[1:]}"
LOGIN = f"{USER}:{ESCAPED}"
# Every form in which they could appear.
TRACES = [USER, SECRET, ESCAPED, base64.b64encode(f"{USER}:{SECRET}".encode()).decode()]
# User and password as written, and as sent.
LOGINS = {
    LOGIN: f"{USER}:{SECRET}", "ana:p%40ss%3Aw%2Ford%25": "ana:p@ss:w/ord%", "ana%40home:%C3%B6": "ana@home:ö", "ana": "ana:",
    "ana:": "ana:"}


def traces(text):
    """The forms of user and password in a text."""
    return [trace for trace in TRACES if trace in text]


def told(written, sent):
    """A check body: the proxy is told user and password, the origin its own, and neither the other's."""
    def body(binary, kind=Promod):
        with contextlib.ExitStack() as stack:
            proxy = stack.enter_context(ScriptedProxy())
            fetcher = stack.enter_context(kind(binary, {"https_proxy": proxy.url.replace("//", f"//{written}@")}))
            origin = ScriptedOrigin(stack.enter_context(tempfile.TemporaryDirectory()))
            origin.script = cases.answer(body=cases.GOOD.bytes)
            origin.open()
            stack.callback(origin.close)
            fetcher.configure(catalog__ca_file=origin.certificate)
            code, message = fetcher.fetch(f"https://writer:penpal@127.0.0.1:{origin.port}/catalog.json")
        heads = {"the proxy": proxy.requests, "the origin": origin.requests}
        right = {"the proxy": {"proxy-authorization": sent}, "the origin": {"authorization": "writer:penpal"}}
        # A new address is fetched at once, and again at the refresh.
        found = {name: [told for head in requests if (told := _credentials(head)) != right[name]] for name, requests in heads.items()}
        return repr(sent), [
            *problem(code, f"the fetch fails as {code}: {message}"),
            *(text for name in found for text in problem(not heads[name], f"{name} was not asked")),
            *(text for name in found for text in problem(found[name], f"{name} was told {found[name]}, not {right[name]}")),
        ]
    return body


def _credentials(head):
    """The credentials in a request, by the name of the header."""
    lines = re.findall(r"^((?:proxy-)?authorization): basic (\S+)\r$", head.decode("latin-1"), re.IGNORECASE | re.MULTILINE)
    return {name.lower(): base64.b64decode(value).decode() for name, value in lines}


@contextlib.contextmanager
def configured(binary, source, proxy, login=""):
    """A promod that has this proxy from that source, and keeps a log of everything."""
    url = proxy.url.replace("//", f"//{login}@" if login else "//")
    key = source == "file"
    variables = {} if key or source.startswith("--") else {source: url}
    arguments = [source, url] if source.startswith("--") else []
    with Promod(binary, variables, arguments, log__level="trace", **({"catalog__proxy": url} if key else {})) as promod:
        yield promod


def garbage(visit):
    """A script that answers a request with what is no HTTP; if it did not read it, a reset could overtake that."""
    visit.read_head()
    visit.send(b"garbage\r\n\r\n")


def hidden(source):
    """A check body: whatever happens, nothing shows user or password."""
    def body(binary):
        with ScriptedProxy() as proxy, configured(binary, source, proxy, LOGIN) as promod:
            texts = {}

            def look(state):
                for arguments in ["status"], ["status", "--json"], ["refresh"], ["list"], ["doctor"], ["doctor", "--json"]:
                    texts[f"promoctl {' '.join(arguments)}, {state}"] = _words(promod.run("promoctl", *arguments))
                texts[f"status, {state}"] = json.dumps(promod.ask("status"))

            outcomes = [promod.fetch("https://catalog.test/catalog.json")]
            look("while it works")
            for state, script in {
                "after 407": answer("407 Proxy Authentication Required", CHALLENGE), "after 403": answer("403 Forbidden"),
                "after garbage": garbage,
            }.items():
                proxy.script = script
                outcomes.append(promod.fetch("https://catalog.test/catalog.json"))
                look(state)
            proxy.close()
            outcomes.append(promod.fetch("https://catalog.test/catalog.json"))
            look("while it is away")
            printed = _words(promod.run("promod", "--print-configuration", *promod.arguments))
            texts["the configuration that is printed"] = printed
            texts["the log"] = read_log(promod)
        is_key = source not in ("https_proxy", "HTTPS_PROXY")
        return f"{len(texts)} texts", [
            *(text for place, words in texts.items() for text in problem(traces(words), f"{place} shows {traces(words)}: {words}")),
            *problem([code for code, _ in outcomes] != ["", *["proxy"] * 4], f"the refreshes end as {outcomes}"),
            *problem(is_key and proxy.url not in printed, f"the configuration that is printed does not show {proxy.url}: {printed}"),
        ]
    return body


def _words(done):
    return done.stdout + done.stderr


SOURCES = ["https_proxy", "HTTPS_PROXY", "file", "PROMOD_CATALOG_PROXY", "--catalog-proxy"]
LOGIN_CHECKS = [
    (f"login-{number}", f"{written!r} is told to the proxy alone, as {sent!r}", told(written, sent))
    for number, (written, sent) in enumerate(LOGINS.items(), 1)]
CHECKS = [
    *(Check(f"hidden-{source.strip('-')}", f"nothing shows the user and the password of the proxy ({source})", hidden(source))
      for source in SOURCES),
    *(Check(*row) for row in LOGIN_CHECKS),
]
CURL_CHECKS = [Check(name, claim, lambda binary, body=body: body(binary, Curl)) for name, claim, body in LOGIN_CHECKS]
