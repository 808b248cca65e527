"""tinyproxy, which demands a user and a password, in front of an origin."""
import subprocess
import tempfile

from support.check import Check
from support.claims import problem
from support.wire import comes
from .fetchers import Promod

PORT = 3000  # The network is this process's own, so it is free.
CONFIGURATION = """Port {port}
Listen 127.0.0.1
LogFile "{directory}/log"
LogLevel Info
BasicAuth ana hunter2
"""


def fetches(binary):
    """A check body: one fetch with the password, percent-encoded, and one without."""
    with tempfile.TemporaryDirectory(prefix="promod-test-", dir="/tmp") as directory:
        with open(f"{directory}/configuration", "w", encoding="ascii") as file:
            file.write(CONFIGURATION.format(port=PORT, directory=directory))
        outcomes = []
        with subprocess.Popen(["tinyproxy", "-d", "-c", file.name], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as proxy:
            try:
                listening = ["bash", "-c", f"</dev/tcp/127.0.0.1/{PORT}"]
                comes(lambda: subprocess.run(listening, capture_output=True, check=False).returncode == 0)
                for login in "%61na:%68unter2@", "":
                    with Promod(binary, {"https_proxy": f"http://{login}127.0.0.1:{PORT}"}) as promod:
                        outcomes.append(promod.fetch("https://catalog.test/catalog.json"))
            finally:
                proxy.kill()
        with open(f"{directory}/log", encoding="utf-8", errors="replace") as log:
            tunnels = log.read().count("Established connection to host")
    (found, _), (code, message) = outcomes
    return message, [
        *problem(found or not tunnels, f"with the password the code is {found!r}, and there are {tunnels} tunnels"),
        *problem(code != "proxy" or "407" not in message or f"127.0.0.1:{PORT}" not in message, f"without it, it fails as {code}: {message}"),
    ]


CHECKS = [Check("tinyproxy", "tinyproxy leads to the origin if it is told the password, percent-decoded, and its 407 is a failure", fetches)]
