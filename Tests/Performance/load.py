"""Requests with the replies that are right, and the generator that asks them."""
import itertools
import json
import subprocess
from dataclasses import dataclass

from catalog import LANGUAGES
from wire import Failed


@dataclass
class Pair:
    """A request and its reply, of which that many bytes have to be the same and the others as many; None for all."""

    request: bytes
    reply: bytes
    checked: int = None

    @property
    def script(self):
        checked = len(self.reply) if self.checked is None else self.checked
        return b"%d %d %d\n%s%s" % (len(self.request), len(self.reply), checked, self.request, self.reply)


def list_pairs(daemon, content, source, count=997, limit=None, checked=None):
    """Lists with ids, hosts and languages that vary. A model judges promod's replies, which are then what is expected."""
    connection = daemon.connect()
    hosts = [None, "stranger", *itertools.islice(content.apps, 12)]
    cases = list(itertools.product(hosts, [None, "en", "ko", "ja"]))
    pairs = []
    for number, (host, language) in zip(range(count), itertools.cycle(cases)):
        # Numbers and strings in turn; the cycle of hosts and languages has an even length.
        id = number if (number + number // len(cases)) % 2 else f"request-{number}"
        params = {name: value for name, value in (("host", host), ("language", language), ("limit", limit)) if value}
        request = {"jsonrpc": "2.0", "id": id, "method": "list", "params": params}
        line = json.dumps(request, separators=(",", ":")).encode() + b"\n"
        connection.socket.sendall(line)
        reply = connection.read_lines()[0] + b"\n"
        _judge(json.loads(reply), id, content, host, language, limit, source)
        # Everything up to the end of the id, if the rest is of another generation each time.
        pairs.append(Pair(line, reply, checked and reply.index(json.dumps(id).encode()) + len(json.dumps(id))))
    connection.close()
    return pairs


def _judge(reply, id, content, host, language, limit, source):
    result = reply.get("result", {})
    freshness = {"state": "loaded", "source": source, "fetchedAt": result.get("fetchedAt"), "expiresAt": result.get("expiresAt")}
    expected = content.listing(host, language, limit, freshness)
    if source == "sample":
        expected["generation"] = result.get("generation")  # The model's bytes are not those of the file.
    if reply != {"jsonrpc": "2.0", "id": id, "result": expected} or language not in LANGUAGES:
        raise Failed(f"list {host} {language} {limit} was answered {json.dumps(reply)[:2000]}")


class Load:
    """The generator, and scripts for it."""

    def __init__(self, bench):
        self.bench = bench
        self.program = bench.compiled("load.c")

    def script(self, name, pairs):
        """The path of a file with these pairs."""
        return self.bench.file(f"{name}.script", b"".join(pair.script for pair in pairs))

    def run(self, server, script, connections, depth, until=None):
        """Asks for the bench's seconds, or that number of requests. Every reply is right, or this raises."""
        until = str(until) if until else f"{self.bench.seconds}s"
        result = subprocess.run(
            [self.program, server.socket, script, str(connections), str(depth), until], capture_output=True, text=True)
        if result.returncode != 0:
            raise Failed(result.stderr.strip())
        figures = json.loads(result.stdout)
        self.bench.replies += figures["asked"]
        return figures
