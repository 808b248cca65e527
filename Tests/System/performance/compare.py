"""Measures promod against Redis and others in alternating rounds, and prints a table of medians and ratios.

A ratio is the median of the ratios of the rounds; minimum and maximum are in parentheses. Absolute figures depend on the machine.
No time makes this fail, but every reply is compared with the expected one, and a wrong one ends the run.
"""
import argparse
import datetime
import json
import os
import platform
import signal
import subprocess
import sys

from support.claims import Failed
from . import drawing
from .allocations import allocations
from .bench import Bench
from .figures import number as shown, table
from .memory import after_refresh, idle_clients, large_catalog, wake_ups
from .promods import ROOT
from .servers import version
from .throughput import large_list, launching, lists, neighbours, publishing
from .times import promoctl_list, refresh_unchanged, refresh_updated, start

# Each row with the Debian packages that it needs.
ROWS = {
    "list-1": (lists(1, 1, (1.0, 1.0, None)), ["redis-server"]),
    "list-16": (lists(16, 1, (1.1, 1.0, 0.7)), ["redis-server"]),
    "list-64x16": (lists(64, 16, (1.2, 1.0, None)), ["redis-server"]),
    "list-1000": (lists(1000, 1, (1.1, 1.0, None)), ["redis-server"]),
    "neighbours": (neighbours, ["redis-server", "watchman", "mpv"]),
    "large-list": (large_list, ["redis-server", "nginx-light", "openssl"]),
    "publishing": (publishing, ["nginx-light", "openssl"]),
    "launching": (launching, ["nginx-light", "openssl"]),
    "large-catalog": (large_catalog, ["nginx-light", "openssl"]),
    "clients": (idle_clients, ["redis-server"]),
    "idle": (after_refresh, ["nginx-light", "openssl"]),
    "wake-ups": (wake_ups, ["redis-server"]),
    "start": (start, ["redis-server"]),
    "refresh-304": (refresh_unchanged, ["nginx-light", "openssl", "curl"]),
    "refresh-200": (refresh_updated, ["nginx-light", "openssl", "curl"]),
    "promoctl": (promoctl_list, ["redis-server", "redis-tools", "jq"]),
    "allocations": (allocations, []),
}
OPTIONAL = {"watchman", "mpv"}  # Left out if Debian does not have them.


def main():
    """Runs the selected rows, and returns the exit code."""
    arguments = _arguments()
    rows = arguments.only or [row for row in ROWS if row != "neighbours" or not arguments.check]
    for number in signal.SIGINT, signal.SIGTERM:
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    _prepare(rows)
    promods = {"promod": arguments.daemon, **({"previous": arguments.previous} if arguments.previous else {})}
    bench = Bench(promods, 1 if arguments.check else arguments.rounds, 0.3 if arguments.check else arguments.seconds, arguments.check)
    figures = {}
    try:
        for row in rows:
            bench.row = row
            figures[row] = list(ROWS[row][0](bench))
    except (Failed, OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"\ncompare: {bench.row}: {error or type(error).__name__}")
    finally:
        bench.close()
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    every = [figure for row in figures.values() for figure in row]
    if arguments.check:
        print(f"{len(rows)} rows, {bench.replies:,} replies, all of them as expected")
    else:
        print(table(every, list(promods)))
    _report(arguments, figures, list(promods))
    return _check_allocations(figures.get("allocations", []), arguments.allocations)


def _arguments():
    default = f"{ROOT}/.build/release/promod"
    parser = argparse.ArgumentParser(
        prog="compare", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, epilog=f"rows: {', '.join(ROWS)}")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds of each row (5)")
    parser.add_argument("--seconds", type=float, default=3, metavar="S", help="seconds of each load (3)")
    parser.add_argument("--only", type=_rows, metavar="ROW[,ROW]", help="only these rows")
    parser.add_argument("--daemon", default=default, metavar="PATH", help="the promod to measure (.build/release/promod)")
    parser.add_argument("--previous", metavar="PATH", help="another promod, to measure in the same rounds")
    parser.add_argument("--allocations", type=float, metavar="MAX", help="fail if a list takes more than MAX allocations")
    parser.add_argument("--check", action="store_true", help="only check the replies, in a short round without a table")
    parser.add_argument("--svg", metavar="FILE", help="draw the ratios as SVG")
    parser.add_argument("--json", metavar="FILE", help="write all samples as JSON")
    arguments = parser.parse_args()
    if arguments.rounds < 1 or arguments.seconds <= 0:
        parser.error("--rounds and --seconds are greater than 0")
    if arguments.allocations is not None and arguments.only and "allocations" not in arguments.only:
        parser.error("--allocations needs the row allocations")
    if arguments.daemon == default and not os.path.exists(default):
        _run("build")
    for path in filter(None, [arguments.daemon, arguments.previous]):
        if not os.access(path, os.X_OK):
            parser.error(f"{path} is not a program")
    arguments.daemon = os.path.abspath(arguments.daemon)
    arguments.previous = arguments.previous and os.path.abspath(arguments.previous)
    return arguments


def _rows(text):
    rows = text.split(",")
    for row in rows:
        if row not in ROWS:
            raise argparse.ArgumentTypeError(f"there is no row {row}; the rows are {', '.join(ROWS)}")
    return rows


def _prepare(rows):
    """Installs the packages that the rows need."""
    packages = {"gcc", "libc6-dev"}.union(*(ROWS[row][1] for row in rows))
    _run("prepare", *sorted(packages - OPTIONAL))
    for package in sorted(packages & OPTIONAL):
        if subprocess.run([f"{ROOT}/packaging/prepare", package], stdout=sys.stderr).returncode != 0:
            print(f"compare: {package} is not available, and is left out", file=sys.stderr)


def _run(script, *words):
    """Runs a script of packaging, which reports its own errors."""
    if code := subprocess.run([f"{ROOT}/packaging/{script}", *words], stdout=sys.stderr).returncode:
        sys.exit(code)


def _report(arguments, figures, promods):
    about = {
        "commit": _git("describe", "--always", "--dirty", "--abbrev=10"),
        "date": datetime.date.today().isoformat(),
        "machine": f"{_processor()}, {os.cpu_count()} cores, Linux {platform.release()}",
        "redis": version(["redis-server", "--version"]),
        "rounds": arguments.rounds, "seconds": arguments.seconds,
    }
    if arguments.json:
        rows = {row: [figure.json(promods) for figure in measured] for row, measured in figures.items()}
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({**about, "rows": rows}, file, indent=1, ensure_ascii=False)
            file.write("\n")
    if arguments.svg:
        with open(arguments.svg, "w", encoding="utf-8") as file:
            file.write(drawing.picture([figure for row in figures.values() for figure in row], about))


def _git(*words):
    return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True).stdout.strip()


def _processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return models[0] if models else platform.machine()


def _check_allocations(figures, most):
    """The exit code. The number of allocations does not depend on the machine, so it may fail."""
    wrong = [figure for figure in figures if most is not None and max(figure.samples["promod"]) > most]
    for figure in wrong:
        print(f"compare: {figure.name}: {shown(max(figure.samples['promod']))}, more than {shown(most)}")
    return 1 if wrong else 0
