"""What a refresh costs on the wire."""
import gzip
from dataclasses import dataclass

import publisher
from meter import Meter, Traffic

ROUNDS = 3
MONTH, MILLION = 30, 1_000_000


@dataclass
class Cost:
    """The median of some refreshes of one kind."""

    name: str
    traffic: Traffic


class Costs:
    """The measured costs, and the table of them."""

    def __init__(self, rows, chain):
        self.rows, self.chain = rows, chain

    def __str__(self):
        lines = [
            f"Bytes of one refresh: all IP packets (IPv4, MTU 1500) with their headers, TCP from SYN to FIN, TLS 1.3 with certificates of"
            f" {self.chain:,} bytes, without the name lookup; medians of {ROUNDS}",
            f"{'':46}{'up':>8}{'down':>9}{'total':>9}{'packets':>9}{'a day':>10}{'a month':>10}{'a million a day':>17}"]
        for row in self.rows:
            total = row.traffic.total
            lines.append(
                f"{row.name:46}{row.traffic.up:8,}{row.traffic.down:9,}{total:9,}{row.traffic.packets:9}"
                f"{readable(total):>10}{readable(total * MONTH):>10}{readable(total * MILLION):>17}")
        return "\n".join(lines)


def readable(size):
    """A number of bytes with two or three digits and its decimal unit."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            break
        size /= 1000
    return f"{size:.{1 if size < 100 else 0}f} {unit}"


def measure(fleet):
    """The costs of a 304, and of a 200 with five and with five hundred apps."""
    rows = []
    with Meter(fleet.net) as meter:
        for name, body in ("5 apps", publisher.sample()), ("500 apps", publisher.portfolio(500)):
            updates, confirmations = [], []
            for number in range(ROUNDS):
                fleet.origin.publish(body + b"\n" * (number + 1))
                fleet.expire()
                # The cache has it now, so that only what it sends to the daemon counts.
                fleet.cache.get()
                updates.append(meter.measure(lambda: fleet.refresh("updated", 1)))
                confirmations.append(meter.measure(lambda: fleet.refresh("unchanged", 1)))
            if not rows:
                rows.append(Cost("304", _median(confirmations)))
            rows.append(Cost(f"200, {name} ({len(body):,} bytes, gzip {len(gzip.compress(body, 1)):,})", _median(updates)))
    return Costs(rows, fleet.cache.chain.length)


def _median(samples):
    return sorted(samples, key=lambda traffic: traffic.total)[len(samples) // 2]
