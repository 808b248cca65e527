"""promoctl setup in a shell that has a proxy, for a service that has none."""
import contextlib
import os
import stat
import tomllib

from support.check import Check
from .failures import CHALLENGE, answer
from .fetchers import Promod
from .ground import Everywhere
from .packaged import Tinyproxy
from .privacy import LOGIN, SECRET, USER, traces
from .tunnels import ScriptedProxy

URL = "https://catalog.test/catalog.json"
DATA_ERROR = 65  # The exit code for what a later try does not change.
MINE = "# mine\n[review]\nmin-completions = 5\n"


class Service(Promod):
    """A promod without a proxy, and a shell beside it."""

    def __init__(self, binary, text=None):
        super().__init__(binary)
        self.file = f"{self.directory}/config/promod/config.toml"
        os.unlink(self.file)
        if text is not None:
            self.write(text)

    def write(self, text, mode=0o600):
        """Writes the configuration."""
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.file, mode)

    @property
    def text(self):
        """The configuration as it is, empty if there is none."""
        with contextlib.suppress(FileNotFoundError), open(self.file, encoding="utf-8") as file:
            return file.read()
        return ""

    @property
    def written(self):
        """The configuration's table for the catalog."""
        return tomllib.loads(self.text).get("catalog", {})

    @property
    def mode(self):
        return stat.S_IMODE(os.stat(self.file).st_mode)

    def set_up(self, *arguments, url=URL, **shell):
        """Runs promoctl setup with these variables, and returns its exit code and what it says."""
        done = self.run("promoctl", "setup", *(arguments or [url, "--ca-file", Everywhere.it.certificate]), **shell)
        return done.returncode, done.stdout + done.stderr


def check(name, claim, text=None):
    """Turns a generator of problems with a service and a proxy into a check."""
    def decorate(body):
        def run(binary):
            with ScriptedProxy() as proxy, Service(binary, text) as service:
                return "", [found for found in body(service, proxy) if found]
        return Check(name, claim, run)
    return decorate


def unless(condition, text):
    return None if condition else text


def written_proxy(service, proxy, code, says, login=""):
    """Problems if the service does not use the proxy after a setup."""
    url = proxy.url.replace("//", f"//{login}@" if login else "//")
    asked = len(proxy.asked)
    service.refresh()
    status = service.proxy
    return [
        unless(code == 0, f"it ends with {code}: {says}"),
        unless(asked, "the catalog was not fetched by the proxy"),
        unless(service.written == {"url": URL, "ca-file": Everywhere.it.certificate, "proxy": url}, f"it writes {service.text}"),
        unless(proxy.url in says, f"it does not say that it wrote {proxy.url}: {says}"),
        unless(not traces(says), f"it shows {traces(says)}: {says}"),
        unless(len(proxy.asked) > asked, "the service does not use the proxy"),
        unless(status == {"url": proxy.url, "source": "proxy"}, f"status says {status}"),
    ]


@check("setup", "setup fetches by https_proxy, writes it beside the URL, and says so, and the service uses it")
def by_variable(service, proxy):
    return written_proxy(service, proxy, *service.set_up(https_proxy=proxy.url))


@check("setup-HTTPS_PROXY", "setup does the same with HTTPS_PROXY")
def by_other_variable(service, proxy):
    return written_proxy(service, proxy, *service.set_up(HTTPS_PROXY=proxy.url))


@check("setup-without-scheme", "setup writes the scheme that a variable leaves out")
def without_scheme(service, proxy):
    return written_proxy(service, proxy, *service.set_up(https_proxy=proxy.url.removeprefix("http://")))


@check("setup-keeps-file", "setup leaves everything else in the file as it is", MINE)
def keeping(service, proxy):
    problems = written_proxy(service, proxy, *service.set_up(https_proxy=proxy.url))
    return [*problems, unless(service.text.startswith(MINE) or service.text.endswith(MINE), f"the file is now {service.text}")]


@check("setup-again", "after --remove, setup by another proxy writes that one")
def again(service, proxy):
    service.set_up(https_proxy=proxy.url)
    # Until then the proxy in the file beats the variables.
    service.set_up("--remove")
    with ScriptedProxy() as other:
        return written_proxy(service, other, *service.set_up(https_proxy=other.url))


@check("setup-password", "a password is written to a file that is private, and not shown")
def with_password(service, proxy):
    problems = written_proxy(service, proxy, *service.set_up(https_proxy=proxy.url.replace("//", f"//{LOGIN}@")), LOGIN)
    return [*problems, unless(service.text and service.mode == 0o600, "the file is not private")]


@check("setup-password-public", "a file that others may read becomes private before it holds a password", MINE)
def with_password_in_public(service, proxy):
    service.write(MINE, 0o644)
    problems = written_proxy(service, proxy, *service.set_up(https_proxy=proxy.url.replace("//", f"//{LOGIN}@")), LOGIN)
    return [*problems, unless(service.mode == 0o600, f"the file's mode is {service.mode:o}")]


@check("setup-mode", "a file without a password keeps its mode", MINE)
def keeping_mode(service, proxy):
    service.write(MINE, 0o644)
    problems = written_proxy(service, proxy, *service.set_up(https_proxy=proxy.url))
    return [*problems, unless(service.mode == 0o644, f"the file's mode is {service.mode:o}")]


@check("setup-tinyproxy", "the service uses a password for tinyproxy that setup wrote")
def by_tinyproxy(service, _):
    with Tinyproxy(USER.replace("-", ""), SECRET) as tinyproxy:
        login = f"{USER.replace('-', '')}:{SECRET}"
        code, says = service.set_up(https_proxy=tinyproxy.url.replace("//", f"//{login}@"))
        before = tinyproxy.tunnels
        result = service.refresh()
        after = tinyproxy.tunnels
    return [
        unless(code == 0, f"it ends with {code}: {says}"), unless(result["error"] is None, f"a refresh is answered {result}"),
        unless(0 < before < after, f"tinyproxy was used {before} times by setup, and {after - before} times by the service"),
    ]


def unwritten(service, proxy, code, says):
    """Problems if a setup used the proxy, or wrote it."""
    return [
        unless(code == 0, f"it ends with {code}: {says}"), unless(not proxy.connections, "the proxy is used"),
        unless("proxy" not in service.written and URL == service.written.get("url"), f"it writes {service.text}"),
        unless(proxy.url not in says, f"it names the proxy: {says}"),
    ]


@check("setup-without-proxy", "without a variable setup writes no proxy")
def without(service, proxy):
    return [*unwritten(service, proxy, *service.set_up()), unless(service.proxy is None, f"status says {service.proxy}")]


@check("setup-no_proxy", "setup writes no proxy if no_proxy covers the URL's host")
def covered(service, proxy):
    return unwritten(service, proxy, *service.set_up(https_proxy=proxy.url, no_proxy="catalog.test"))


@check("setup-no_proxy-of-others", "setup writes the proxy if no_proxy covers other hosts only")
def uncovered(service, proxy):
    return written_proxy(service, proxy, *service.set_up(https_proxy=proxy.url, no_proxy="other.test,10.0.0.0/8"))


@check("setup-direct", "setup uses none if the file says \"direct\", which stays", '[catalog]\nproxy = "direct"\n')
def direct(service, proxy):
    code, says = service.set_up(https_proxy=proxy.url)
    return [
        unless(code == 0, f"it ends with {code}: {says}"), unless(not proxy.connections, "the proxy is used"),
        unless(service.written.get("proxy") == "direct", f"it writes {service.text}"),
    ]


@check("setup-remove", "setup --remove takes the proxy away again, and leaves everything else as it was", MINE)
def remove(service, proxy):
    problems = written_proxy(service, proxy, *service.set_up(https_proxy=proxy.url))
    code, says = service.set_up("--remove")
    return [
        *problems, unless(code == 0, f"--remove ends with {code}: {says}"), unless(service.text == MINE, f"the file is now {service.text}"),
        unless(service.proxy is None, f"status says {service.proxy}"),
    ]


def unchanged(service, code, says, *words):
    """Problems if a setup that must fail changes something, or does not say why."""
    return [
        unless(code != 0, f"it ends with 0: {says}"), unless(service.text == MINE, f"the file is now {service.text}"),
        *(unless(word in says, f"it does not say {word!r}: {says}") for word in words),
        unless(not traces(says), f"it shows {traces(says)}: {says}"),
    ]


@check("setup-refused", "a proxy that refuses changes nothing, and is named", MINE)
def refused(service, proxy):
    proxy.script = answer("407 Proxy Authentication Required", CHALLENGE)
    code, says = service.set_up(https_proxy=proxy.url.replace("//", f"//{LOGIN}@"))
    return [unless(code == DATA_ERROR, f"it ends with {code}"), *unchanged(service, code, says, proxy.url.removeprefix("http://"))]


@check("setup-away", "a proxy that is not there changes nothing, and is named", MINE)
def away(service, proxy):
    proxy.close()
    return unchanged(service, *service.set_up(https_proxy=proxy.url.replace("//", f"//{LOGIN}@")), proxy.url.removeprefix("http://"))


@check("setup-malformed", "a malformed variable changes nothing, and is named", MINE)
def malformed(service, _):
    code, says = service.set_up(https_proxy=f"ftp://{LOGIN}@127.0.0.1:1080")
    return [unless(code == DATA_ERROR, f"it ends with {code}"), *unchanged(service, code, says, "https_proxy")]


CHECKS = [
    by_variable, by_other_variable, without_scheme, keeping, again, with_password, with_password_in_public, keeping_mode, by_tinyproxy,
    without, covered, uncovered, direct, remove, refused, away, malformed]
