"""A promod with a catalog from an origin, for clients that ask without end."""
import contextlib

from support import catalog
from support.claims import expect
from support.stage import Stage


@contextlib.contextmanager
def served(binary):
    """The promod, its origin, and the catalog of the origin."""
    with Stage(binary) as stage:
        daemon, content = stage.daemon, catalog.small()
        stage.origin.body = content.bytes
        # An address that the configuration changes to has its certificate, too.
        daemon.configure(
            catalog__url=stage.origin.url, network__ca_file=stage.origin.certificate, refresh__timeout="10s", retry__base="100ms",
            retry__cap="100ms")
        daemon.start()
        daemon.hear()
        expect(daemon.ask("list", wait=True)["state"] == "fresh", "the first fetch fails")
        try:
            yield daemon, stage.origin, content
        finally:
            if not daemon.is_alive:
                print(f"promod has ended with {daemon.exit_code}. The end of its log:\n{daemon.end_of_log}", flush=True)
