"""What holds for the READMEs beside their examples."""
import os
import re
import unicodedata

from support.check import ROOT, Check
from support.claims import problem
from . import reading
from .scenes import README

LINES, COLUMNS = 200, 120


def _short(_):
    problems = []
    for name in README:
        lines = _text(name).splitlines()
        wide = [number for number, line in enumerate(lines, 1) if _width(line) > COLUMNS]
        problems += problem(len(lines) > LINES, f"{name} has {len(lines)} lines") + problem(wide, f"in {name} these lines are too long: {wide}")
    return "", problems


def _alike(_):
    english, korean = (reading.documents()[name] for name in README)
    return "", problem(english != korean, f"{[one.command for one, other in zip(english, korean) if one != other]} differ")


def _linked(_):
    targets = {(name, target) for name in README for target in re.findall(r"(?:\]\(|^\[[^\]]+\]: )([^):#\s]+)[)\s]", _text(name), re.MULTILINE)}
    missing = [f"{name} links to {target}, which does not exist" for name, target in sorted(targets) if not os.path.exists(f"{ROOT}/{target}")]
    return f"{len(targets)} links", missing


def _text(name):
    with open(f"{ROOT}/{name}", encoding="utf-8") as file:
        return file.read()


def _width(line):
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)


CHECKS = [
    Check("readmes-short", f"the READMEs have at most {LINES} lines of at most {COLUMNS} columns", _short),
    Check("readmes-alike", "both READMEs have the same examples", _alike),
    Check("readmes-linked", "the files to which the READMEs link exist", _linked),
]
