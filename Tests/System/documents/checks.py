"""Performs the examples of a document."""
import json
import os
import re
import time
from fnmatch import fnmatchcase

from support.check import ROOT, Check
from support.claims import Failed
from support.times import written
from . import reading
from .home import ACME, Home
from .normal import differs
from .scenes import BEFORE, FOLLOWED, LEFT_OUT, QUESTIONS, SCENES, STARTS, Scene

URL = "https://example.com/catalog.json"
HELP = "promoctl", "promod"


def of_documents():
    """A check for each document, and for the help of each program."""
    yield from (Check(path.rpartition("/")[2], f"the examples of {path} do what it shows", _document(path, examples), alone=True)
                for path, examples in reading.documents().items())
    yield from (Check(f"{name}-help", f"the examples of {name}'s help do something", _help(name), alone=True) for name in HELP)


def _document(path, examples):
    return lambda binary: _performed(binary, [(path, examples)])


def _help(name):
    def run(binary):
        found = reading.help_of(f"{os.path.dirname(binary)}/{name}")
        return _performed(binary, [(path, [example]) for path, examples in found.items() for example in examples])
    return run


def _performed(binary, documents):
    """The figures and the problems of the examples of some documents, each in a home of its own."""
    ran = compared = left_out = 0
    problems = []
    for name, examples in documents:
        scene = SCENES.get(name, Scene())
        with Home(binary, scene.catalog) as home:
            _set_up(home, scene)
            for example in examples:
                if _reason(example):
                    left_out += 1
                    problems += _missing_programs(example)
                    continue
                ran += 1
                compared += bool(example.output.strip())
                problem = _perform(home, name, example)
                problems += [f"{example.command}\n{problem}"] if problem else []
    return f"{ran} examples, {compared} of them compared, {left_out} left out", problems


def _set_up(home, scene):
    """Brings a home into the state that a document supposes."""
    if scene.has_package:
        home.write(os.path.relpath(home.package, home.directory), ACME)
    if scene.launched:
        launch = {"firstLaunch": written(time.time() - scene.launched), "requests": []}
        home.write("home/you/.local/state/promod/reviews.json", json.dumps({"format": 4, "apps": {"bookary": launch}}))
    if scene.is_set_up:
        home.write("home/you/.config/promod/catalogs.d/default.toml", f'url = "{URL}"\n')
        home.start()
        for catalog in ["default", "acme"] if scene.has_package else ["default"]:
            home.ask("list", wait=True, catalog=catalog)


def _perform(home, name, example):
    """What is wrong with what an example prints; empty if nothing is."""
    if before := BEFORE.get((name, example.command)):
        before(home)
    command = example.command
    if follow := FOLLOWED.get(example.command):
        if not follow.other:
            home.stop_daemon()
        try:
            code, output = 0, home.follow(command, follow)
        except Failed as error:
            return str(error)
    elif command == STARTS:
        home.start()
        return ""
    else:
        code, output = home.run(command)
    if example.output.strip():
        return differs(example.output, output, not name.endswith(".md"))
    is_answer = not code or code == 1 and fnmatchcase(example.command, QUESTIONS)
    return "" if is_answer else f"it exits with {code} and prints\n{output}"


def _reason(example):
    """Why an example is left out; None if it is not."""
    return next((reason for pattern, reason in LEFT_OUT.items() if fnmatchcase(example.command, pattern)), None)


def _missing_programs(example):
    """A problem if an example names a program of the repository that is not there."""
    found = re.match(r"(?:packaging|Tests)/\S+", example.command)
    is_there = not found or os.access(f"{ROOT}/{found[0]}", os.X_OK)
    return [] if is_there else [f"{example.command}: there is no program {found[0]}"]
