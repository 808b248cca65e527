"""What a refresh costs on the wire."""
import gzip
from dataclasses import dataclass

from . import publisher
from .meter import Meter, Traffic

ROUNDS = 3
MONTH, MILLION = 30, 1_000_000


@dataclass
class Cost:
    """The median of some refreshes of one kind."""

    name: str
    traffic: Traffic


def measure(fleet):
    """The costs of a 304, and of a 200 with five and with five hundred apps."""
    costs = []
    with Meter(fleet.net) as meter:
        for name, body in ("5 apps", publisher.sample()), ("500 apps", publisher.portfolio(500)):
            updates, confirmations = [], []
            for number in range(ROUNDS):
                fleet.origin.publish(body + b"\n" * (number + 1))
                fleet.expire()
                # Now the cache has it, as for all daemons but one.
                fleet.cache.get()
                updates.append(meter.measure(lambda: fleet.refresh("updated", 1)))
                confirmations.append(meter.measure(lambda: fleet.refresh("unchanged", 1)))
            if not costs:
                costs.append(Cost("304", _median(confirmations)))
            costs.append(Cost(f"200, {name} ({len(body):,} bytes, gzip {len(gzip.compress(body, 1)):,})", _median(updates)))
    return costs


def table(costs, certificates):
    """The costs as text, with what they would be if every refresh of a day were of their kind."""
    lines = [
        "Bytes of a refresh on the wire: IP packets (IPv4, MTU 1500) with their headers, from the first SYN to the last ACK,",
        f"with TLS 1.3 and {certificates:,} bytes of certificates, without the lookup of the name; medians of {ROUNDS}",
        f"{'':46}{'up':>8}{'down':>9}{'total':>9}{'packets':>9}{'a day':>10}{'a month':>10}{'a day, a million':>18}"]
    for cost in costs:
        traffic, total = cost.traffic, cost.traffic.total
        lines.append(
            f"{cost.name:46}{traffic.up:8,}{traffic.down:9,}{total:9,}{traffic.packets:9}"
            f"{_readable(total):>10}{_readable(total * MONTH):>10}{_readable(total * MILLION):>18}")
    return "\n".join(lines)


def _readable(size):
    for unit in "bytes", "kB", "MB", "GB":
        if size < 1000:
            break
        size /= 1000
    return f"{size:.{1 if size < 100 else 0}f} {unit}"


def _median(samples):
    return sorted(samples, key=lambda traffic: traffic.total)[len(samples) // 2]
