"""promoctl setup with a proxy, for a service that has none."""
import os
import stat
import tomllib

from support.check import Check
from .fetchers import Promod
from .ground import Everywhere
from .privacy import LOGIN, traces
from .tunnels import ScriptedProxy

URL = "https://catalog.test/catalog.json"


class Service(Promod):
    """A promod without a proxy, and the file that setup writes."""

    @property
    def file(self):
        return f"{self.directory}/config/promod/catalogs.d/default.toml"

    def set_up(self, *arguments, **shell):
        """Runs promoctl setup with these variables, and returns its exit code and what it says."""
        done = self.run("promoctl", "setup", *arguments, **shell)
        return done.returncode, done.stdout + done.stderr


def check(name, claim):
    """Turns a generator of problems with a service and a proxy into a check."""
    def decorate(body):
        def run(binary):
            with ScriptedProxy() as proxy, Service(binary) as service:
                return "", [found for found in body(service, proxy) if found]
        return Check(name, claim, run)
    return decorate


def unless(condition, text):
    return None if condition else text


@check("setup", "setup --proxy writes the proxy, with its password, into a private file, does not show it, and the service uses it")
def given(service, proxy):
    code, says = service.set_up(URL, "--ca-file", Everywhere.it.certificate, "--proxy", proxy.url.replace("//", f"//{LOGIN}@"))
    with open(service.file, "rb") as file:
        written = tomllib.load(file)
    return [
        unless(code == 0, f"it ends with {code}: {says}"), unless(proxy.asked, "the service does not use the proxy"),
        unless(written == {"url": URL, "ca-file": Everywhere.it.certificate, "proxy": proxy.url.replace("//", f"//{LOGIN}@")}, f"it writes {written}"),
        unless(stat.S_IMODE(os.stat(service.file).st_mode) == 0o600, "the file is not private"),
        unless(not traces(says), f"it shows {traces(says)}: {says}"),
    ]


@check("setup-variable", "a proxy of the shell's variables is neither used nor written, because the service does not see it")
def of_shell(service, proxy):
    code, says = service.set_up(URL, "--ca-file", Everywhere.it.certificate, https_proxy=proxy.url)
    with open(service.file, "rb") as file:
        written = tomllib.load(file)
    return [
        unless(code == 0, f"it ends with {code}: {says}"), unless(not proxy.connections, "the proxy is used"),
        unless("proxy" not in written, f"it writes {written}"),
    ]


CHECKS = [given, of_shell]
