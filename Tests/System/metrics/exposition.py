"""The figures that promoctl prints, as Prometheus' own parser reads them."""
import getpass
import json
import os
import re
import subprocess
from dataclasses import dataclass

from support.claims import Failed
from support.wire import PATIENCE

# Debian's own, for which Debian has the parser.
PYTHON = "/usr/bin/python3"
PARSER = f"{os.path.dirname(os.path.abspath(__file__))}/families.py"
# The file that --textfile writes.
FILE = f"promod-{getpass.getuser()}.prom"


def obstacle():
    """Why the parser cannot run here; empty if it can."""
    if not os.access(PYTHON, os.X_OK):
        return f"there is no {PYTHON}"
    done = subprocess.run([PYTHON, PARSER], input="", capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return ""
    return f"{PYTHON} has no parser (Debian package python3-prometheus-client): {done.stderr.splitlines()[-1]}"


@dataclass
class Family:
    """A family of figures."""

    name: str
    type: str
    help: str
    samples: list


class Exposition:
    """A text with figures."""

    def __init__(self, text):
        self.text = text
        done = subprocess.run(
            [PYTHON, PARSER], input=text, capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False)
        if done.returncode != 0:
            raise Failed(f"Prometheus' parser refuses the figures: {done.stderr.strip()[-500:]}; {text[:2000]}")
        self.families = [Family(**family) for family in json.loads(done.stdout)]
        for _, labels, _ in (sample for family in self.families for sample in family.samples):
            if labels.pop("user", None) != getpass.getuser():
                raise Failed(f"a figure has not the user as its label: {text[:2000]}")
        self.samples = {
            (name, frozenset(labels.items())): value for family in self.families for name, labels, value in family.samples}

    @classmethod
    def of(cls, shop):
        """The figures that promoctl prints now."""
        return cls(shop.expect_run("promoctl", "metrics"))

    def value(self, name, **labels):
        """The value of a sample; None if there is none."""
        return self.samples.get((name, frozenset(labels.items())))

    @property
    def counters(self):
        """The values of all counters."""
        names = {family.name for family in self.families if family.type == "counter"}
        return {key: value for key, value in self.samples.items() if key[0].removesuffix("_total") in names}

    def flaws(self):
        """What the parser lets pass, and Prometheus' guidelines do not."""
        found = []
        described = {(word, name) for word, name in re.findall(r"^# (TYPE|HELP) (\S+) .", self.text, re.MULTILINE)}
        for family in self.families:
            suffix = "_total" if family.type == "counter" else ""
            found += [f"{family.name} has no {word}" for word in ("TYPE", "HELP") if (word, family.name + suffix) not in described]
            found += [f"{family.name} is {family.type}"] if family.type == "unknown" else []
            found += [f"{family.name} has the help {family.help!r}"] if not re.fullmatch(r"[A-Z].+\.", family.help) else []
            found += [f"{family.name} has the prefix of another program"] if not family.name.startswith("promod_") else []
            names = {name for name, _, _ in family.samples}
            found += [f"{family.name} has the samples {names}"] if names - {family.name + suffix} else []
            found += [f"{family.name} ends with _total"] if family.name.endswith("_total") else []
        found += ["a family comes twice"] if len({family.name for family in self.families}) != len(self.families) else []
        found += [] if self.text.endswith("\n") and "\n\n" not in self.text else ["the last line does not end, or there is an empty one"]
        return found
