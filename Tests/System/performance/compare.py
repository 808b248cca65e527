"""Measures promod against Redis and others in alternating rounds, and prints a table of medians and ratios.

A ratio is the median of the ratios of the rounds; minimum and maximum are in parentheses. Absolute figures depend on the machine.
Every reply is compared with the one that the same request gets alone, and another one ends the run. Only the row `allocations`, whose
number does not depend on the machine, can fail.
"""
import argparse
import os
import signal
import subprocess
import sys

from support.check import ROOT
from support.claims import Failed
from .bench import Bench
from .figures import number as shown, table
from .lists import allocations, idle_clients, large_list, lists
from .times import promoctl_list, refreshes, start
from .waits import WAITS

ROWS = {
    "list-1": lists(1, 1, 1.0),
    "list-16": lists(16, 1, 1.1),
    "list-64x16": lists(64, 16, 1.2),
    "list-1000": lists(1000, 1, 1.1),
    "large-list": large_list,
    "clients": idle_clients,
    "start": start,
    "refresh-304": lambda bench: refreshes(bench, "304", "unchanged"),
    "refresh-200": lambda bench: refreshes(bench, "200", "updated"),
    "promoctl": promoctl_list,
    **WAITS,
    "allocations": allocations,
}


def main():
    """Runs the selected rows, and returns the exit code."""
    arguments = _arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    promods = {"promod": arguments.daemon, **({"previous": arguments.previous} if arguments.previous else {})}
    bench = Bench(promods, arguments.rounds, arguments.seconds)
    figures = []
    try:
        for row in arguments.only:
            bench.row = row
            figures += ROWS[row](bench)
    except (Failed, OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"compare: {bench.row}: {error or type(error).__name__}")
    finally:
        bench.close()
    print(table(figures, list(promods)))
    return _check_allocations(figures, arguments.allocations)


def _arguments():
    parser = argparse.ArgumentParser(
        prog="compare", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, epilog=f"rows: {', '.join(ROWS)}")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds of each row (5)")
    parser.add_argument("--seconds", type=float, default=3, metavar="S", help="seconds of each load (3)")
    parser.add_argument("--only", nargs="+", choices=ROWS, default=list(ROWS), metavar="ROW", help="only these rows")
    parser.add_argument(
        "--daemon", type=os.path.abspath, default=f"{ROOT}/.build/release/promod", metavar="PATH",
        help="the promod to measure (.build/release/promod)")
    parser.add_argument("--previous", type=os.path.abspath, metavar="PATH", help="another promod, to measure in the same rounds")
    parser.add_argument("--allocations", type=float, metavar="MAX", help="fail if a list takes more than MAX allocations")
    return parser.parse_args()


def _check_allocations(figures, most):
    """The exit code. The number of allocations does not depend on the machine, so it may fail."""
    counted = [figure for figure in figures if figure.name.startswith("allocations")]
    wrong = [figure for figure in counted if most is not None and max(figure.samples["promod"]) > most]
    for figure in wrong:
        print(f"compare: {figure.name}: {shown(max(figure.samples['promod']))}, more than {shown(most)}")
    return 1 if wrong else 0
