"""What a suite is made of."""
import contextlib
import os
from dataclasses import dataclass
from typing import Callable

from .claims import Failed

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
DEBUG = f"{os.environ.get('PROMOD_SCRATCH', f'{ROOT}/.build')}/debug"  # the directory of the debug build


class LeftOut(Exception):
    """A check cannot be performed on this machine; the text is the reason."""


@dataclass
class Check:
    """A check: its name, what it asserts, and a function of the daemon's path that returns its figures and its problems."""

    name: str
    claim: str
    run: Callable
    alone: bool = False  # Whether other checks would disturb it.


def staged(make, name, claim, body):
    """A check with a stage of its own, which is made from the daemon's path: a context manager that has a daemon and problems."""
    def run(binary):
        with make(binary) as stage:
            try:
                return body(stage) or "", stage.problems
            except Failed as error:
                return "", [*stage.problems, f"{error}; {stage.daemon.end_of_log}"]
    return Check(name, claim, run)


@dataclass
class Suite:
    """The checks of a folder, either independent ones or a sequence on one promod, and what they need. Each gets the arguments."""

    doc: str
    # Returns the checks; some run at the same time.
    checks: Callable = None
    # Performs checks one after another with the methods of a Report, on what the ground is. To list them there is no ground.
    sequence: Callable = None
    # Patterns of the names of those that run in a hurry; all if there is none.
    fast: tuple = ()
    # Why this machine cannot run it; empty if it can.
    obstacle: Callable = lambda: ""
    # What all checks share, as a context manager.
    ground: Callable = lambda arguments: contextlib.nullcontext()
    # Options of its own, each with the keywords of `add_argument`.
    options: dict = None
    is_random: bool = False  # Whether it makes random choices, from a seed.
