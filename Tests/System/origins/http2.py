"""An origin that offers HTTP/2."""
import shutil
import tempfile

from support.catalog import many
from support.check import Check, LeftOut
from support.claims import problem
from support.daemon import Daemon
from support.nginx import Nginx
from support.programs import missing
from support.scratch import Scratch
from support.wire import comes

LOG = "log_format spoken '$server_protocol $status $sent_http_content_encoding'; access_log {} spoken;"


class OfferingNginx(Nginx):
    """nginx with HTTP/2 and gzip, which notes what was spoken."""

    def _configuration(self, key):
        more = f"{LOG.format(self.bench.file('access.log'))} default_type application/json; gzip on; gzip_types application/json;"
        return super()._configuration(key).replace(" ssl;", " ssl http2;").replace("access_log off;", more)


def noted(scratch):
    """The lines of nginx's log."""
    with open(scratch.file("access.log"), encoding="ascii") as log:
        return log.read().splitlines()


def spoken(binary):
    """A check body: a catalog comes over HTTP/2, compressed, and is confirmed so."""
    if reason := missing("nginx"):
        raise LeftOut(reason)
    scratch = Scratch(tempfile.mkdtemp())
    origin, daemon, catalog = OfferingNginx(scratch), Daemon(binary), many(10_000)
    try:
        origin.publish(catalog.bytes)
        origin.start()
        daemon.configure(catalog__url=origin.url, catalog__ca_file=origin.certificate)
        daemon.start()
        generation = daemon.ask("list", wait=True, limit=1)["generation"]
        outcome = daemon.refresh()["outcome"]
        # nginx notes a response after it has sent it.
        comes(lambda: len(noted(scratch)) > 1)
        lines = noted(scratch)
        return ", ".join(lines), [
            *problem(generation != catalog.generation, f"the list is of {generation}"),
            *problem(outcome != "unchanged", f"the second refresh ends with {outcome}"),
            *problem(lines != ["HTTP/2.0 200 gzip", "HTTP/2.0 304 -"], f"nginx has noted {lines}")]
    finally:
        daemon.stop()
        origin.stop()
        shutil.rmtree(scratch.directory)


CHECKS = [Check("http2", "with an origin that offers HTTP/2, a large catalog comes over it, compressed, and is confirmed", spoken)]
