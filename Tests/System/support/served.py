"""A promod with a catalog from an origin, for clients that ask without end."""
import contextlib

from support import catalog
from support.claims import expect
from support.daemon import Daemon
from support.origin import Origin
from support.times import DAY, seconds, written


@contextlib.contextmanager
def served(binary):
    """The promod, its origin, and the catalog of the origin."""
    daemon, content = Daemon(binary), catalog.small()
    origin = Origin(daemon.directory)
    try:
        origin.body = content.bytes
        origin.open()
        daemon.configure(
            catalog__url=origin.url, network__ca_file=origin.certificate, refresh__timeout="10s", retry__base="100ms",
            retry__cap="100ms")
        daemon.start()
        daemon.hear()
        expect(daemon.ask("list", wait=True)["state"] == "fresh", "the first fetch fails")
        yield daemon, origin, content
    except Exception:
        if (code := daemon.exit_code) is not None:
            print(f"promod has ended with {code}. The end of its log:\n{daemon.end_of_log}", flush=True)
        raise
    finally:
        daemon.stop()
        origin.close()


def launches(daemon):
    """Records the launches that later queries ask about."""
    recorded = {}
    for number in range(50):
        at = daemon.ask("launch", app=f"app-{number}")["firstLaunch"]
        recorded[f"app-{number}"] = {"at": at, "week_later": written(seconds(at) + 7 * DAY)}
    return recorded
