"""Runs one kind of operation many times, and checks the daemon's memory and speed."""
import statistics
import time
from dataclasses import dataclass

from support.daemon import Sample

TENTHS = 10
MEMORY_MB = 4  # Growth that may be chance.
SLOWER = 2
# Load from other processes stretches the elapsed time, but hardly the daemon's processor time.
SLOWER_BESIDE_OTHERS = 10
REPEATS = 3


@dataclass
class Tenth:
    """The figures of a tenth of the operations."""

    seconds: float
    typical_round: float
    processor: float
    sample: Sample


class Kind:
    """A kind of operation, how many to do, and a context manager of a function that does some of them and checks the replies."""

    def __init__(self, name, count, prepared, per_round=100, note=""):
        self.name, self.count, self.prepared, self.note = name, count, prepared, note
        self.per_round = min(per_round, count // TENTHS)

    def run(self, daemon):
        """Runs it, and returns its line of figures and its problems."""
        with self.prepared() as perform:
            tenths = [self._tenth(daemon, perform) for _ in range(TENTHS)]
            # Other load on the machine passes; a daemon that has become slow stays slow.
            while _is_slower(tenths) and len(tenths) < TENTHS + REPEATS:
                tenths.append(self._tenth(daemon, perform))
        return self._figures(tenths), list(_problems(tenths))

    def _tenth(self, daemon, perform):
        began, times = daemon.processor_time, []
        for _ in range(self.count // TENTHS // self.per_round):
            start = time.monotonic()
            perform(self.per_round)
            times.append(time.monotonic() - start)
        return Tenth(sum(times), statistics.median(times), daemon.processor_time - began, daemon.sample())

    def _figures(self, tenths):
        seconds = sum(tenth.seconds for tenth in tenths)
        count = self.count * len(tenths) // TENTHS
        clock, processor = _slower(tenths)
        first, samples = tenths[0].sample, [tenth.sample for tenth in tenths]
        return (
            f"{count:>7,} in {seconds:5.1f} s, last tenth over first {clock:.2f} (processor {processor:.2f}), "
            f"RSS {first.rss:.1f} MB, dirty {first.dirty:.1f} {_growth(tenths):+.1f} MB, "
            f"{max(sample.descriptors for sample in samples)} descriptors, {max(sample.threads for sample in samples)} threads"
            f"{self.note}")


def _slower(tenths):
    """How much slower the last tenth is than the first, in elapsed time and in the daemon's processor time."""
    first, last = tenths[0], tenths[-1]
    return last.typical_round / first.typical_round, last.processor / first.processor


def _is_slower(tenths):
    clock, processor = _slower(tenths)
    return clock > SLOWER and processor > SLOWER or clock > SLOWER_BESIDE_OTHERS


def _growth(tenths):
    """The growth of private memory after the first tenth; resident memory has code in it, which comes and goes with each fetch."""
    first, *others = (tenth.sample for tenth in tenths)
    return max(other.dirty for other in others) - first.dirty


def _problems(tenths):
    if _growth(tenths) > MEMORY_MB:
        yield "memory grows after the first tenth: " + ", ".join(f"{tenth.sample.dirty:.1f}" for tenth in tenths) + " MB"
    if _is_slower(tenths):
        yield "the last tenth is slower than the first"
