"""Checks what GitHub reads: workflows and issue forms.

Needs the Debian packages python3-jsonschema, python3-venv, python3-yaml and shellcheck. From PyPI come the schemas and zizmor, a
linter; without PyPI the checks that use them are left out.
"""
import contextlib
import functools
import glob
import json
import os
import re
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
# What a bug cannot be understood without, and what its form has to say.
REQUIRED = {"happened", "expected", "version", "system", "doctor"}
WORDS = ("promoctl doctor --json", "promoctl --version", "Paste no passwords", "without user, password and query", "security/policy")


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


def _jobs():
    for path, document in _documents(f"{WORKFLOWS}/*.yml"):
        for name, job in document["jobs"].items():
            yield f"{path}, {name}", job


def _steps():
    for place, job in _jobs():
        for step in job.get("steps", ()):
            yield f"{place}, {step.get('name')}", step


def _rights(_):
    workflows = list(_documents(f"{WORKFLOWS}/*.yml"))
    problems = [f"{path} grants rights to all jobs" for path, document in workflows if document.get("permissions") != {}]
    problems += [f"{path} may run twice at once" for path, document in workflows if "concurrency" not in document]
    problems += [f"{place} may run for ever" for place, job in _jobs() if "uses" not in job and "timeout-minutes" not in job]
    problems += [f"{place} writes {right}" for place, job in _jobs() for right, level in job.get("permissions", {}).items()
                 if level == "write" and (right, place) != ("contents", f"{WORKFLOWS}/release.yml, release")]
    return "", problems


def _pinned(_):
    uses = [(place, each["uses"]) for place, each in (*_jobs(), *_steps()) if "uses" in each]
    return f"{len(uses)} used", [f"{place} uses {name}" for place, name in uses if not re.fullmatch(r"\./.*|[^@]+@[0-9a-f]{40}", name)]


def _scripts(_):
    problems = []
    for place, step in _steps():
        if "run" not in step:
            continue
        # The shell of GitHub's steps. Words of an expression would be put in before the shell reads its text.
        if "${{" in step["run"]:
            problems.append(f"{place} has an expression in its script")
        checked = subprocess.run(
            ["shellcheck", "--shell", "bash", "--exclude", "SC2016", "-"], input="set -e\n" + step["run"], capture_output=True, text=True, check=False)
        problems += [f"{place}: {checked.stdout}"] if checked.returncode else []
    return "", problems


def _forms(_):
    problems, texts = [], {}
    for path, form in _documents(f"{FORMS}/[!c]*.yml"):
        fields = [field for field in form["body"] if field["type"] != "markdown"]
        ids = [field["id"] for field in fields]
        problems += [f"{path} has an id twice"] if len(set(ids)) < len(ids) else []
        texts[path] = json.dumps(form, ensure_ascii=False)
        if path == f"{FORMS}/bug.yml":
            required = {field["id"] for field in fields if field.get("validations", {}).get("required")}
            problems += [f"{path} does not require {', '.join(sorted(REQUIRED - required))}"] if not REQUIRED <= required else []
            problems += [f"{path} does not say {words!r}" for words in WORDS if words not in texts[path]]
    return f"{len(texts)} forms", problems


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
    Check("rights", "a workflow has no rights, no second run beside it, and an end; only a release may write", _rights),
    Check("pinned", "an action of others is pinned by the digest of a commit", _pinned),
    Check("scripts", "the scripts of steps have no warnings and no expressions", _scripts),
    Check("forms", "a report of a bug has what doctor and --version print, and nothing secret", _forms),
    Check("schemas", "workflows and forms are valid by GitHub's schemas", _schemas, alone=True),
    Check("linted", "zizmor finds nothing in the workflows", _linted, alone=True),
]
SUITE = Suite(__doc__, lambda _: CHECKS, obstacle=obstacle, ground=_ground, longest=300)
