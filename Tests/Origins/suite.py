"""Runs the checks of a suite, some at the same time, and prints a line for each."""
import argparse
import collections
import concurrent.futures
import os
import signal
import sys
import time
import traceback
from dataclasses import dataclass, replace
from typing import Callable

from model import Wrong
from wire import Failed

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LONGEST = 1800  # seconds, a multiple of what a busy machine takes; after that something must be hanging that no other limit ends
AT_ONCE = 4
LONGEST_PROBLEM = 2000  # characters
ALL_LEFT_OUT = 77  # the exit code, as in automake


class LeftOut(Exception):
    """A check cannot be performed on this machine; the text is the reason."""


@dataclass
class Check:
    """A check: its name, what it asserts, and a function of the daemon's path that returns its figures and its problems."""

    name: str
    claim: str
    run: Callable
    known: str = ""  # Why it is known to fail.
    alone: bool = False  # Whether other checks would disturb it.


def main(doc, checks):
    """Runs the checks that the command line selects, and returns the exit code."""
    arguments = _arguments(doc, checks)
    if arguments.list:
        for check in checks:
            print(f"{check.name:26} {check.claim}{f' (known to fail: {check.known})' if check.known else ''}")
        return 0
    signal.signal(signal.SIGALRM, _give_up)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.alarm(LONGEST)
    began = time.monotonic()
    chosen = [check for check in checks if not arguments.only or check.name in arguments.only]
    report = Report()
    pool = concurrent.futures.ThreadPoolExecutor(AT_ONCE)
    try:
        together = [pool.submit(_perform, check, arguments.daemon) for check in chosen if not check.alone]
        for future in concurrent.futures.as_completed(together):
            report.add(*future.result())
    finally:
        pool.shutdown(cancel_futures=True)
    for check in chosen:
        if check.alone:
            report.add(*_perform(check, arguments.daemon))
    return report.end(time.monotonic() - began)


class Report:
    """Prints the outcome of each check, and counts them."""

    def __init__(self):
        self.failed, self.known, self.passed = [], [], []
        # The number of checks that were left out for each reason.
        self.left_out = collections.Counter()

    def add(self, check, outcome):
        """Prints the outcome of a check: its figures and its problems, or why it was left out."""
        if isinstance(outcome, LeftOut):
            self.left_out[str(outcome)] += 1
            return
        figures, problems = " ".join(outcome[0].split()), outcome[1]
        if check.known and not problems:
            problems = [f"it passes, but is listed as known to fail: {check.known}"]
        elif check.known:
            self.known.append(check.name)
            print(f"known   {check.name:26} {figures}; {check.known}", flush=True)
            return
        (self.failed if problems else self.passed).append(check.name)
        print(f"{'FAILED' if problems else 'ok':7} {check.name:26} {figures}", flush=True)
        if problems:
            print(f"        should be: {check.claim}", flush=True)
        for text in problems:
            print("        " + text[:LONGEST_PROBLEM].replace("\n", "\n        "), flush=True)

    def end(self, seconds):
        """Prints the sum, and returns the exit code."""
        if self.failed:
            print(f"failed: {','.join(self.failed)}")
        name = os.path.basename(sys.argv[0])
        for reason, count in self.left_out.items():
            print(f"{name}: left out {count} {'check' if count == 1 else 'checks'}, because {reason}")
        if self.left_out and not self.failed + self.known + self.passed:
            return ALL_LEFT_OUT
        known = f", {len(self.known)} known to fail" if self.known else ""
        print(f"{name}: {len(self.passed)} passed, {len(self.failed)} failed{known}, in {seconds:.0f} s")
        return 1 if self.failed else 0


def problem(is_wrong, text):
    """A list with the problem if the condition holds, else an empty one."""
    return [text] if is_wrong else []


def _perform(check, binary):
    try:
        return check, check.run(binary)
    except LeftOut as reason:
        return check, reason
    except (Failed, Wrong) as error:
        return check, ("", [str(error)])
    except Exception:  # Whatever it is, the other checks go on, and no defect of promod explains it.
        return replace(check, known=""), ("", [traceback.format_exc()])


def _give_up(*_):
    """Ends the test, and what hangs in it: a check ends when its promod does."""
    print("not done within half an hour; what is still running is killed", flush=True)
    for thread in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{thread}/children", encoding="ascii") as file:
            for child in file.read().split():
                os.kill(int(child), signal.SIGKILL)
    sys.exit(1)


def _arguments(doc, checks):
    names = [check.name for check in checks]
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="NAME,…", type=lambda text: text.split(","), help="run only these checks")
    parser.add_argument("--list", action="store_true", help="list the checks, and what each asserts")
    parser.add_argument("--daemon", metavar="PATH", default=f"{ROOT}/.build/release/promod", help="the promod to test")
    arguments = parser.parse_args()
    if not arguments.list and not os.access(arguments.daemon, os.X_OK):
        parser.error(f"there is no promod {arguments.daemon}; packaging/build builds it, and --daemon names another")
    if unknown := set(arguments.only or []) - set(names):
        parser.error(f"there is no check {', '.join(sorted(unknown))}; --list lists them")
    return arguments
