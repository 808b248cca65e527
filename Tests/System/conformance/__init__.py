"""Checks one promod against the specifications that it follows, clause by clause.

JSON-RPC 2.0 and its examples, RFC 8259, OpenRPC, and a generator of clients from PyPI, which is installed into a temporary directory,
or left out without PyPI. Each check is printed with the clause that it holds.
"""
import contextlib

from support.catalog import small
from support.check import Suite
from support.claims import Failed
from support.daemon import Daemon
from support.origin import Origin
from support.programs import missing
from . import generated_clients, json_rpc, json_texts, open_rpc, sample
from .subject import Subject


def _sequence(report, arguments, subject):
    json_rpc.check(report, subject)
    json_texts.check(report, subject)
    open_rpc.check(report, subject)
    generated_clients.check(report, subject)
    sample.check(report, arguments.daemon)


@contextlib.contextmanager
def _subject(arguments):
    daemon = Daemon(arguments.daemon)
    try:
        yield _serve(daemon)
    finally:
        daemon.stop()


def _serve(daemon):
    """Starts the daemon with a catalog from an origin, which it needs only once."""
    origin = Origin(daemon.directory)
    origin.body = small().bytes
    origin.open()
    daemon.configure(catalog__url=origin.url, catalog__ca_file=origin.certificate)
    daemon.start()
    state = daemon.ask("list", wait=True)["state"]
    origin.close()
    if state != "fresh":
        raise Failed(f"the first fetch fails: the state is {state}")
    return Subject(daemon)


SUITE = Suite(
    __doc__, sequence=_sequence, ground=_subject, obstacle=lambda: missing("openssl"))
