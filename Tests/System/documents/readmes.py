"""What holds for the READMEs beside their examples."""
import os
import re

from support.check import ROOT, Check
from support.claims import problem
from support.files import read
from . import reading
from .scenes import README


def _alike(_):
    english, korean = (reading.documents()[name] for name in README)
    return "", problem(english != korean, f"{[one.command for one, other in zip(english, korean) if one != other]} differ")


def _linked(_):
    targets = {(name, target) for name in README for target in re.findall(r"(?:\]\(|^\[[^\]]+\]: )([^):#\s]+)[)\s]", _text(name), re.MULTILINE)}
    missing = [f"{name} links to {target}, which does not exist" for name, target in sorted(targets) if not os.path.exists(f"{ROOT}/{target}")]
    return f"{len(targets)} links", missing


def _text(name):
    return read(f"{ROOT}/{name}")


CHECKS = [
    Check("readmes-alike", "both READMEs have the same examples", _alike),
    Check("readmes-linked", "the files to which the READMEs link exist", _linked),
]
