"""What comes late, goes or is missing around promod: a home that is mounted after the start, a directory that cannot be read, a kernel
that grants no watches."""
import contextlib
import functools
import os
import subprocess

from support.check import Check, LeftOut
from support.claims import expect, problem
from support.daemon import Daemon
from support.files import write
from support.trial import read_log
from support.wire import PATIENCE, comes

NAMESPACE = ["unshare", "--user", "--map-root-user", "--mount"]


@contextlib.contextmanager
def _started(binary, *launcher):
    """A promod that was started in namespaces of its own."""
    if subprocess.run([*launcher, "true"], capture_output=True, check=False).returncode != 0:
        raise LeftOut("unshare makes no namespace here")
    daemon = Daemon(binary)
    try:
        _write(f"{daemon.directory}/config/promod/catalogs.d/zed.toml")
        daemon.launcher = launcher
        daemon.start()
        yield daemon
    finally:
        daemon.stop()


def _names(daemon):
    return [catalog["name"] for catalog in daemon.ask("status")["catalogs"]]


def _write(path):
    write(path, f'url = "https://127.0.0.1:1/{os.path.basename(path)}.json"\n')


def mounted_late(binary):
    """The configuration is that of the mounted directory."""
    with _started(binary, *NAMESPACE) as daemon:
        _write(f"{daemon.directory}/late/promod/catalogs.d/acme.toml")
        expect(daemon.catalog["name"] == "default", "another catalog is first")
        _mount(daemon, f"{daemon.directory}/config")
        found = comes(lambda: "acme" in _names(daemon))
        return "", problem(not found, "the catalog that was mounted is not kept")


def mounted_over(binary):
    """What is in the cache that is mounted is served by the promod that the manager starts."""
    with _started(binary, *NAMESPACE) as daemon:
        cache = f"{daemon.directory}/cache/promod"
        for place in cache, f"{daemon.directory}/late":
            os.makedirs(place, exist_ok=True)
        daemon.ask("reload")
        _mount(daemon, cache)
        # A moment is no loss.
        subprocess.run([*_inside(daemon), "umount", cache], check=True)
        daemon.ask("reload")
        _mount(daemon, cache)
        code = daemon.process.wait(PATIENCE)
        return f"promod ends with {code}", problem(code != 75, f"promod ends with {code}: {daemon.end_of_log}")


def mounted_over_by_hand(binary):
    """Without a manager nobody would start it again."""
    daemon = Daemon(binary)
    daemon.launcher = [*NAMESPACE, "env", "-u", "NOTIFY_SOCKET"]
    try:
        state = f"{daemon.directory}/state/promod"
        for place in state, f"{daemon.directory}/late":
            os.makedirs(place)
        daemon.launch()
        comes(lambda: os.path.exists(daemon.socket))
        daemon.ask("launch", app="finebill")
        _mount(daemon, state)
        is_read = comes(lambda: "was read again" in read_log(daemon))
        return "", problem(not is_read, f"nothing is read again: {daemon.end_of_log}")
    finally:
        daemon.stop()


def _inside(daemon):
    return ["nsenter", "--target", str(daemon.pid), "--user", "--mount", "--preserve-credentials"]


def _mount(daemon, place):
    subprocess.run([*_inside(daemon), "mount", "--bind", f"{daemon.directory}/late", place], check=True)


def no_watches(binary, limit):
    """A file that nothing reports is found by a refresh."""
    with _started(binary, *NAMESPACE, "sh", "-euc", f'echo 0 >/proc/sys/user/max_inotify_{limit}; exec "$@"', "sh") as daemon:
        expect("watches" in daemon.problems, f"status has {daemon.problems}")
        _write(f"{daemon.directory}/config/promod/catalogs.d/acme.toml")
        reply = daemon.ask("refresh", catalog="acme")
        return "", problem(reply["error"]["code"] != "connect", f"a refresh of the new catalog is answered {reply}")


def _unreadable(daemon):
    """The problems besides those of the origin, which does not answer."""
    return [problem["text"] for problem in daemon.ask("status")["problems"] if problem["code"] != "connect"]


def unreadable(binary):
    """An administrator forbids each directory for a while, and allows it again."""
    # Root keeps its number, but not its rights.
    launcher = ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--"] if os.getuid() == 0 else ["env"]
    with _started(binary, *launcher) as daemon:
        config, problems = f"{daemon.directory}/config", []
        for number, place in enumerate([config, f"{config}/promod", f"{config}/promod/catalogs.d"]):
            os.chmod(place, 0)
            said = comes(lambda: _unreadable(daemon))
            kept = _names(daemon)
            os.chmod(place, 0o700)
            gone = comes(lambda: not _unreadable(daemon))
            _write(f"{config}/promod/catalogs.d/later-{number}.toml")
            found = comes(lambda: f"later-{number}" in _names(daemon))
            problems += [
                *problem(len(said) != 1, f"{place}: status says {said}"),
                *problem("zed" not in kept, f"{place}: the catalogs are {kept}"),
                *problem(not gone, f"{place}: its repair is not noticed"),
                *problem(not found, f"{place}: a file that came later is not found"),
            ]
        return "", problems


CHECKS = [
    Check("mounted-late", "a home that is mounted after the start is read within seconds, without a reload", mounted_late),
    Check("mounted-over", "a service whose cache is another one for two seconds ends with 75", mounted_over),
    Check("mounted-over-by-hand", "without a service manager, a directory that is mounted makes promod read as at a reload",
          mounted_over_by_hand),
    *(Check(f"no-inotify-{limit}", "without watches, status says so, and a refresh finds a new catalog",
            functools.partial(no_watches, limit=limit)) for limit in ("instances", "watches")),
    Check("unreadable-for-a-while", "a directory of configuration that cannot be read takes nothing away, and its repair is noticed", unreadable),
]
