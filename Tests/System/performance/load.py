"""Requests with the expected replies, and the load generator."""
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


def list_pairs(daemon, content, source, count=997):
    """`list` requests with various ids, hosts and languages. The replies come from promod, and a model checks them."""
    connection = daemon.connect()
    hosts = [None, "stranger", *itertools.islice(content.apps, 12)]
    cases = list(itertools.product(hosts, [None, "en", "ko", "ja"]))
    pairs = []
    for number, (host, language) in zip(range(count), itertools.cycle(cases)):
        # Ids are numbers and strings. The parity changes with each cycle, so that every host and language gets both.
        id = number if (number + number // len(cases)) % 2 else f"request-{number}"
        params = {name: value for name, value in (("host", host), ("language", language)) if value}
        request = {"jsonrpc": "2.0", "id": id, "method": "list", "params": params}
        line = json.dumps(request, separators=(",", ":")).encode() + b"\n"
        connection.socket.sendall(line)
        reply = connection.read_lines()[0] + b"\n"
        _judge(json.loads(reply), id, content, host, language, source)
        pairs.append(Pair(line, reply))
    connection.close()
    return pairs


def _judge(reply, id, content, host, language, source):
    result = reply.get("result", {})
    times = {name: result[name] for name in ("fetchedAt", "expiresAt") if name in result}
    freshness = {"state": "loaded", "source": source, **times}
    expected = content.listing(host, language, None, freshness)
    if source == "sample":
        expected["generation"] = result.get("generation")  # The model's bytes are not those of the file.
    if reply != {"jsonrpc": "2.0", "id": id, "result": expected}:
        raise Failed(f"list {host} {language} was answered {json.dumps(reply)[:2000]}")


class Load:
    """The compiled load generator."""

    def __init__(self, bench):
        self.bench = bench
        self.program = bench.compiled("load.c")

    def script(self, name, pairs):
        """Writes pairs to a file, and returns its path."""
        return self.bench.file(f"{name}.script", b"".join(pair.script for pair in pairs))

    def run(self, server, script, connections, depth):
        """Runs it for the bench's seconds. Raises if a reply is wrong."""
        result = subprocess.run(
            [self.program, server.socket, script, str(connections), str(depth), str(self.bench.seconds)], capture_output=True, text=True)
        if result.returncode != 0:
            raise Failed(result.stderr.strip())
        figures = json.loads(result.stdout)
        self.bench.replies += figures["asked"]
        return figures
