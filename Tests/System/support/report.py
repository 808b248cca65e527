"""Prints the outcome of each check of a suite, and counts them."""
import collections
import shlex
import traceback
from fnmatch import fnmatchcase

from support.check import LeftOut
from support.claims import Failed

LONGEST_PROBLEM = 2000  # characters
ALL_LEFT_OUT = 77  # the exit code, as in automake


class Report:
    """The outcomes of those checks of a suite that are chosen, or the list of all of them."""

    def __init__(self, suite, patterns=(), lists=False, again=()):
        self.suite, self.patterns, self.lists = suite, patterns, lists
        # The words of the command that runs the suite again.
        self.again = again
        self.failed, self.passed = [], []
        # The checks that were left out for each reason.
        self.left_out = collections.defaultdict(list)
        self.unmatched = set(patterns)

    def chooses(self, name):
        """Whether a check is to be performed."""
        matching = {pattern for pattern in self.patterns if fnmatchcase(name, pattern)}
        self.unmatched -= matching
        return not self.lists and (bool(matching) or not self.patterns)

    def check(self, name, claim, body, *arguments):
        """Performs a check that returns its figures and its problems, or nothing, and raises an error if its claim does not hold.

        Returns whether the ones after it can be performed, which is not so if it was ended by an error.
        """
        if self.lists:
            print(f"{name:26} {claim}")
        if not self.chooses(name):
            return True
        try:
            figures, problems = body(*arguments) or (claim, [])
        except LeftOut as reason:
            self.left_out[str(reason)].append(name)
            return True
        except Exception as error:  # Whatever it is, it is one check that has failed.
            text = str(error) if isinstance(error, Failed) and str(error) else traceback.format_exc()
            self.add(name, claim, "", [text])
            return False
        self.add(name, claim, figures, problems)
        return True

    def add(self, name, claim, figures, problems):
        """Prints the outcome of a check."""
        figures = " ".join(figures.split())
        (self.failed if problems else self.passed).append(name)
        print(f"{'FAILED' if problems else 'ok':7} {name:26} {figures}", flush=True)
        if problems and claim:
            print(f"        should be: {claim}", flush=True)
        for text in problems:
            print("        " + text[:LONGEST_PROBLEM].replace("\n", "\n        "), flush=True)

    def end(self, seconds):
        """Prints the sum, and returns the exit code."""
        if self.failed:
            names = [word for name in dict.fromkeys(self.failed) for word in ("--only", name)]
            print(f"To run {'it' if len(names) == 2 else 'them'} again: {shlex.join([*self.again, *names])}")
        for pattern in sorted(self.unmatched):
            self.failed.append(pattern)
            print(f"FAILED  {pattern}\n        there is no such check; --list lists them")
        for reason, names in self.left_out.items():
            print(f"{self.suite}: skipped {names[0] if len(names) == 1 else f'{len(names)} checks'}: {reason}")
        counts = [f"{len(self.passed)} passed", f"{len(self.failed)} failed"]
        counts += [f"{sum(map(len, self.left_out.values()))} skipped"] if self.left_out else []
        print(f"{self.suite}: {', '.join(counts)}, in {seconds:.0f} s")
        if self.failed:
            return 1
        return 0 if self.passed else ALL_LEFT_OUT
