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
from .fetchers import Promod
from .tunnels import ScriptedProxy

URL = "https://catalog.test/catalog.json"
SECRET = cases.SECRET
ESCAPED = f"%{ord(SECRET[0]):x}{SECRET[1:]}"
LOGIN = f"{USER}:{ESCAPED}"
UNKNOWN = f"quic://{LOGIN}@127.0.0.1:1080"
# Every form in which they could appear.
TRACES = [USER, SECRET, ESCAPED, base64.b64encode(f"{USER}:{SECRET}".encode()).decode()]


def traces(text):
    """The forms of user and password in a text."""
    return [trace for trace in TRACES if trace in text]


def told(binary):
    """A check body: the proxy is told user and password, the origin its own, and neither the other's."""
    with contextlib.ExitStack() as stack:
        proxy = stack.enter_context(ScriptedProxy())
        login = "ana:p%40ss%3Aw%2Ford%25@"
        promod = stack.enter_context(Promod(binary, {"https_proxy": proxy.url.replace("//", f"//{login}")}))
        origin = ScriptedOrigin(stack.enter_context(tempfile.TemporaryDirectory()))
        origin.script = cases.answer(body=cases.GOOD.bytes)
        origin.open()
        stack.callback(origin.close)
        promod.configure(catalog__ca_file=origin.certificate)
        code, message = promod.fetch(f"https://writer:penpal@127.0.0.1:{origin.port}/catalog.json")
    # A new address is fetched at once, and again at the refresh.
    found = [[_credentials(head) for head in server.requests][:1] for server in (proxy, origin)]
    return "", [
        *problem(code, f"the fetch fails as {code}: {message}"),
        *problem(found != [[{"proxy-authorization": "ana:p@ss:w/ord%"}], [{"authorization": "writer:penpal"}]], f"they were told {found}"),
    ]


def _credentials(head):
    """The credentials in a request, by the name of the header."""
    lines = re.findall(r"^((?:proxy-)?authorization): basic (\S+)\r$", head.decode("latin-1"), re.IGNORECASE | re.MULTILINE)
    return {name.lower(): base64.b64decode(value).decode() for name, value in lines}


def configured(binary, source, proxy, login=""):
    """A promod that has this proxy from its file or a variable, and keeps a log of everything."""
    url = proxy.url.replace("//", f"//{login}@" if login else "//")
    more = {"catalog__proxy": url} if source == "file" else {}
    return Promod(binary, {} if more else {source: url}, log__level="trace", **more)


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

            outcomes = [promod.fetch(URL)]
            look("while it works")
            for state, script in {
                "after 407": answer("407 Proxy Authentication Required", CHALLENGE), "after 403": answer("403 Forbidden"),
                "after garbage": garbage,
            }.items():
                proxy.script = script
                outcomes.append(promod.fetch(URL))
                look(state)
            proxy.close()
            outcomes.append(promod.fetch(URL))
            look("while it is away")
            printed = _words(promod.run("promod", "--print-configuration"))
            texts["the configuration that is printed"] = printed
            texts["the log"] = read_log(promod)
        return f"{len(texts)} texts", [
            *(text for place, words in texts.items() for text in problem(traces(words), f"{place} shows {traces(words)}: {words}")),
            *problem([code for code, _ in outcomes] != ["", *["proxy"] * 4], f"the refreshes end as {outcomes}"),
            *problem(source == "file" and proxy.url not in printed, f"the configuration that is printed does not show {proxy.url}: {printed}"),
        ]
    return body


def _words(done):
    return done.stdout + done.stderr


def broken_file(binary):
    """A check body: with a malformed key in its file the catalog is listed from its cache, and nobody is asked."""
    with ScriptedProxy() as proxy, configured(binary, "file", proxy) as promod:
        promod.fetch(URL)
        before = promod.ask("list")
        promod.configure(catalog__proxy=UNKNOWN)
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


def malformed_variable(binary):
    """A check body: the fetch fails, but promod runs, and the message names the variable."""
    problems, message = [], ""
    for value in f"http://{LOGIN}@:3128", f"{LOGIN}@:3128", UNKNOWN:
        with Promod(binary, {"HTTPS_PROXY": value}) as promod:
            code, message = promod.fetch(URL)
            shown = traces(message + read_log(promod))
        problems += [
            *problem(code != "proxy" or "HTTPS_PROXY" not in message, f"{value} fails as {code!r}: {message}"),
            *problem(shown, f"{value}: {shown} is shown"),
        ]
    return message, problems


CHECKS = [
    *(Check(f"hidden-{source}", f"nothing shows the user and the password of the proxy ({source})", hidden(source))
      for source in ("https_proxy", "file")),
    Check("login", "user and password are told to the proxy alone, decoded", told),
    Check("key-malformed", "a malformed proxy in its file keeps the catalog's list, and stops its fetches", broken_file),
    Check("variable-malformed", "a malformed variable fails the fetch only, and the message names it", malformed_variable),
]
