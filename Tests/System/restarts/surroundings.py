"""What comes late or is missing around promod: a home that is mounted after the start, a kernel that grants no watches."""
import os
import subprocess

from support.check import Check, LeftOut
from support.claims import expect
from support.daemon import Daemon
from support.wire import comes

NAMESPACE = ["unshare", "--user", "--map-root-user", "--mount"]
CATALOG = 'url = "https://127.0.0.1:1/catalog.json"\n'


def _start(binary, script='exec "$@"'):
    """A promod that was started by a shell in namespaces of its own."""
    if subprocess.run([*NAMESPACE, "true"], capture_output=True, check=False).returncode != 0:
        raise LeftOut("unshare makes no namespace here")
    daemon = Daemon(binary)
    os.makedirs(f"{daemon.directory}/config")
    daemon.launcher = [*NAMESPACE, "sh", "-euc", script, "sh"]
    daemon.start()
    return daemon


def _write(path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(CATALOG)


def mounted_late(binary):
    """The configuration is that of the mounted directory."""
    daemon = _start(binary)
    try:
        place = f"{daemon.directory}/config"
        _write(f"{daemon.directory}/late/promod/catalogs.d/acme.toml")
        expect(daemon.catalog["name"] == "default", "another catalog is first")
        enter = ["nsenter", "--target", str(daemon.pid), "--user", "--mount", "--preserve-credentials"]
        subprocess.run([*enter, "mount", "--bind", f"{daemon.directory}/late", place], check=True)
        found = comes(lambda: "acme" in [catalog["name"] for catalog in daemon.ask("status")["catalogs"]])
        return "", [] if found else ["the catalog that was mounted is not kept"]
    finally:
        daemon.stop()


def no_watches(binary):
    """A file that nothing reports is found by a refresh."""
    daemon = _start(binary, 'echo 0 >/proc/sys/user/max_inotify_instances; exec "$@"')
    try:
        expect("watches" in daemon.problems, f"status has {daemon.problems}")
        _write(f"{daemon.directory}/config/promod/catalogs.d/acme.toml")
        reply = daemon.ask("refresh", catalog="acme")
        return "", [] if reply["error"]["code"] == "connect" else [f"a refresh of the new catalog is answered {reply}"]
    finally:
        daemon.stop()


CHECKS = [
    Check("mounted-late", "a home that is mounted after the start is read within seconds, without a reload", mounted_late),
    Check("no-watches", "without watches, status says so, and a refresh finds a new catalog", no_watches),
]
