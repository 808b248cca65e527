"""Requests with the expected replies, and the load generator."""
import contextlib
import itertools
import json
import subprocess
from dataclasses import dataclass

from support.claims import Failed


@dataclass
class Pair:
    """A request and the expected reply."""

    request: bytes
    reply: bytes

    @property
    def script(self):
        return b"%d %d\n%s%s" % (len(self.request), len(self.reply), self.request, self.reply)


def list_pairs(daemon, count=997):
    """`list` requests with various ids, hosts and languages, and what each is answered alone."""
    with contextlib.closing(daemon.connect()) as connection:
        hosts = [None, "stranger", *(app["id"] for app in connection.ask("list", limit=12)["apps"])]
        cases = list(itertools.product(hosts, [None, "en", "ko", "ja"]))
        pairs = []
        for number, (host, language) in zip(range(count), itertools.cycle(cases)):
            # Ids are numbers and strings. The parity changes with each cycle, so that every host and language gets both.
            id = number if (number + number // len(cases)) % 2 else f"request-{number}"
            params = {name: value for name, value in (("host", host), ("language", language)) if value}
            request = {"jsonrpc": "2.0", "id": id, "method": "list", "params": params}
            line = json.dumps(request, separators=(",", ":")).encode() + b"\n"
            connection.socket.sendall(line)
            pairs.append(Pair(line, connection.read_lines()[0] + b"\n"))
    if not all(json.loads(pair.reply)["result"]["generation"] for pair in pairs):
        raise Failed("a list has no catalog")
    return pairs


class Load:
    """The compiled load generator."""

    def __init__(self, bench):
        self.bench = bench
        self.program = bench.compiled("load.c")

    def script(self, name, pairs):
        """Writes pairs to a file, and returns its path."""
        return self.bench.file(f"{name}.script", b"".join(pair.script for pair in pairs))

    def run(self, server, script, connections, depth, *period):
        """Runs it for the bench's seconds. Raises if a reply is wrong."""
        numbers = map(str, (connections, depth, self.bench.seconds, *period))
        result = subprocess.run([self.program, server.socket, script, *numbers], capture_output=True, text=True)
        if result.returncode != 0:
            raise Failed(result.stderr.strip())
        return json.loads(result.stdout)
