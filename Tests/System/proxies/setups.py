"""promoctl setup with a proxy, for a service that has none."""
import os
import stat
import tomllib

from support.check import Check
from support.claims import problem
from .fetchers import Promod
from .ground import Everywhere
from .privacy import LOGIN, traces
from .tunnels import ScriptedProxy

URL = "https://catalog.test/catalog.json"


def written_by(binary, *arguments, **shell):
    """What promoctl setup writes for a promod with these variables of the shell, how it ends, and whether the file is private."""
    with Promod(binary) as service:
        done = service.run("promoctl", "setup", URL, "--ca-file", Everywhere.it.certificate, *arguments, **shell)
        path = f"{service.directory}/config/promod/catalogs.d/default.toml"
        with open(path, "rb") as file:
            written = tomllib.load(file)
        return written, done, stat.S_IMODE(os.stat(path).st_mode) == 0o600


def given(binary):
    with ScriptedProxy() as proxy:
        url = proxy.url.replace("//", f"//{LOGIN}@")
        written, done, is_private = written_by(binary, "--proxy", url)
    says = done.stdout + done.stderr
    return "", [
        *problem(done.returncode, f"it ends with {done.returncode}: {says}"), *problem(not proxy.asked, "the service does not use the proxy"),
        *problem(written != {"url": URL, "ca-file": Everywhere.it.certificate, "proxy": url}, f"it writes {written}"),
        *problem(not is_private, "the file is not private"), *problem(traces(says), f"it shows {traces(says)}: {says}"),
    ]


def of_shell(binary):
    with ScriptedProxy() as proxy:
        written, done, _ = written_by(binary, https_proxy=proxy.url)
    return "", [
        *problem(done.returncode, f"it ends with {done.returncode}: {done.stderr}"), *problem(proxy.connections, "the proxy is used"),
        *problem("proxy" in written, f"it writes {written}"),
    ]


CHECKS = [
    Check("setup", "setup --proxy writes the proxy, with its password, into a private file, does not show it, and the service uses it", given),
    Check("setup-variable", "a proxy of the shell's variables is neither used nor written, because the service does not see it", of_shell),
]
