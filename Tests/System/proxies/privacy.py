"""That nothing shows a proxy's user and password."""
import base64
import os

from support.cases import SECRET
from support.check import Check
from support.claims import problem
from support.trial import read_log
from .failures import CHALLENGE, USER, answer, sends
from .fetchers import Promod
from .ground import Everywhere
from .tunnels import ScriptedProxy

URL = "https://catalog.test/catalog.json"
ESCAPED = f"%{ord(SECRET[0]):x}{SECRET[1:]}"
# Every form in which they could appear.
TRACES = [USER, SECRET, ESCAPED, base64.b64encode(f"{USER}:{SECRET}".encode()).decode()]
STATES = {"after 407": answer("407 Proxy Authentication Required", CHALLENGE), "after garbage": sends(b"garbage\r\n\r\n")}


def traces(text):
    """The forms of user and password in a text."""
    return [trace for trace in TRACES if trace in text]


def hidden(source):
    """A check body: whatever happens, nothing shows user or password, and only the user can read the file into which they are written."""
    def body(binary):
        with ScriptedProxy() as proxy:
            url = proxy.url.replace("//", f"//{USER}:{ESCAPED}@")
            variables, settings = ({}, {"catalog__proxy": url}) if source == "file" else ({source: url}, {})
            with Promod(binary, variables, log__level="trace", **settings) as promod:
                return watched(promod, proxy, url)
    return body


def watched(promod, proxy, url):
    """How many texts a promod shows with a proxy that works, fails and goes away, and what is wrong with them."""
    texts, outcomes = {}, []

    def show(state, program, *arguments):
        done = promod.run(program, *arguments)
        texts[f"{program} {arguments[0]} {state}"] = done.stdout + done.stderr
        return done

    def look(state):
        outcomes.append(promod.fetch(URL)[0])
        for arguments in ["status", "--json"], ["status"], ["refresh"], ["list"], ["doctor", "--json"], ["doctor"]:
            show(f"{arguments[1:]} {state}", "promoctl", *arguments)

    setup = show("", "promoctl", "setup", URL, "--ca-file", Everywhere.it.certificate, "--proxy", url)
    with open(f"{promod.directory}/config/promod/catalogs.d/default.toml", encoding="utf-8") as file:
        is_private = url in file.read() and os.fstat(file.fileno()).st_mode & 0o077 == 0
    look("while it works")
    for state, script in STATES.items():
        proxy.script = script
        look(state)
    proxy.close()
    look("while it is away")
    show("", "promod", "--print-configuration")
    texts["the log"] = read_log(promod)
    return f"{len(texts)} texts", [
        *(text for place, words in texts.items() for text in problem(traces(words), f"{place} shows {traces(words)}: {words}")),
        *problem(TRACES[-1].encode() not in proxy.requests[0], f"the proxy is asked {proxy.requests[0]}, without the user and the password"),
        *problem(setup.returncode or not is_private, f"setup ends with {setup.returncode}, the file is private: {is_private}"),
        *problem(outcomes != ["", *["proxy"] * 3], f"the refreshes end as {outcomes}"),
    ]


CHECKS = [
    Check(f"hidden-{source}", f"nothing shows the user and the password of the proxy ({source}), which setup writes into a private file", hidden(source))
    for source in ("https_proxy", "file")]
