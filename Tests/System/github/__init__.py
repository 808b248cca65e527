"""Checks what GitHub reads: workflows and issue forms.

Needs the Debian packages python3-jsonschema, python3-venv, python3-yaml and shellcheck. From PyPI come the schemas and zizmor, a
linter; without PyPI the checks that use them are left out.
"""
import contextlib
import functools
import glob
import json
import os
import subprocess
import tempfile
from importlib.util import find_spec

from support import packages
from support.check import ROOT, Check, LeftOut, Suite
from support.programs import missing

WORKFLOWS = ".github/workflows"
FORMS = ".github/ISSUE_TEMPLATE"
# A file of each kind, and the schema that it has.
SCHEMAS = {f"{WORKFLOWS}/*.yml": "github-workflows", f"{FORMS}/[!c]*.yml": "github-issue-forms", f"{FORMS}/config.yml": "github-issue-config"}


def obstacle():
    """Why this machine cannot run it."""
    absent = [f"python3-{name}" for name in ("jsonschema", "yaml") if not find_spec(name)]
    return f"the Debian packages {' and '.join(absent)} are not installed" if absent else missing("shellcheck")


def _documents(pattern):
    """The files of a pattern, each with its document."""
    import yaml
    for path in sorted(glob.glob(f"{ROOT}/{pattern}")):
        with open(path, encoding="utf-8") as file:
            document = yaml.safe_load(file)
        # YAML 1.1, but not GitHub, takes the word "on" for true.
        yield os.path.relpath(path, ROOT), {"on" if name is True else name: value for name, value in document.items()}


def _steps():
    for path, document in _documents(f"{WORKFLOWS}/*.yml"):
        for job in document["jobs"].values():
            for step in job.get("steps", ()):
                yield f"{path}, {step.get('name')}", step


def _scripts(_):
    problems = []
    for place, step in _steps():
        if "run" not in step:
            continue
        # The shell of GitHub's steps.
        checked = subprocess.run(
            ["shellcheck", "--shell", "bash", "--exclude", "SC2016", "-"], input="set -e\n" + step["run"], capture_output=True, text=True, check=False)
        problems += [f"{place}: {checked.stdout}"] if checked.returncode else []
    return "", problems


@functools.cache
def _environment():
    directory = _directory.enter_context(tempfile.TemporaryDirectory(prefix="promod-test-"))
    if reason := packages.obstacle(directory, "github/linters.txt"):
        raise LeftOut(reason)
    return directory


def _schemas(_):
    import jsonschema
    [vendor] = glob.glob(f"{_environment()}/lib/*/site-packages/check_jsonschema/builtin_schemas/vendor")
    problems, count = [], 0
    for pattern, name in SCHEMAS.items():
        with open(f"{vendor}/{name}.json", encoding="utf-8") as file:
            validator = jsonschema.Draft7Validator(json.load(file))
        for path, document in _documents(pattern):
            count += 1
            problems += [f"{path}, {error.json_path}: {error.message}" for error in validator.iter_errors(document)]
    return f"{count} files", problems


def _linted(_):
    ran = subprocess.run(
        [f"{_environment()}/bin/zizmor", "--offline", "--no-progress", "--color", "never", "--min-severity", "medium", f"{ROOT}/{WORKFLOWS}"],
        capture_output=True, text=True, check=False)
    return "", [ran.stdout or ran.stderr] if ran.returncode else []


_directory = contextlib.ExitStack()


@contextlib.contextmanager
def _ground(_):
    with _directory:
        yield


CHECKS = [
    Check("scripts", "the scripts of steps have no warnings", _scripts),
    Check("schemas", "workflows and forms are valid by GitHub's schemas", _schemas, alone=True),
    Check("linted", "zizmor finds no right, action or expression that should not be in the workflows", _linted, alone=True),
]
SUITE = Suite(__doc__, lambda _: CHECKS, obstacle=obstacle, ground=_ground)
