"""Checks one promod against the specifications that it follows, clause by clause.

JSON-RPC 2.0 and its examples, RFC 8259, OpenRPC, and a generator of clients from PyPI, which is installed into a temporary directory,
or left out without PyPI. Each check is printed with the clause that it holds.
"""
import contextlib

from support.catalog import small
from support.check import Suite
from support.claims import expect
from support.programs import missing
from support.stage import Stage
from . import generated_clients, json_rpc, json_texts, open_rpc, sample
from .subject import Subject


def _sequence(report, arguments, subject):
    json_rpc.check(report, subject)
    json_texts.check(report, subject)
    open_rpc.check(report, subject)
    generated_clients.check(report, subject)
    report.check("promod-protocol(7)", "the icons of the sample come without a network", sample.icons, arguments.daemon)


@contextlib.contextmanager
def _subject(arguments):
    with Stage(arguments.daemon) as stage:
        stage.origin.body = small().bytes
        stage.configure()
        stage.daemon.start()
        state = stage.daemon.ask("list", wait=True)["state"]
        # It is needed only once.
        stage.origin.close()
        expect(state == "fresh", f"the first fetch fails: the state is {state}")
        yield Subject(stage.daemon)


SUITE = Suite(
    __doc__, sequence=_sequence, ground=_subject, obstacle=lambda: missing("openssl"))
