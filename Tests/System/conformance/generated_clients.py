"""A generator of clients from PyPI, datamodel-codegen, and what it makes of rpc.discover."""
import functools
import json
import subprocess
import tempfile

from support import packages
from support.check import LeftOut
from support.claims import compare, expect
from support.daemon import Daemon
from . import open_rpc
from .subject import Subject

# Reads pairs of a type and a value, and prints each value as the type writes it.
DATAMODEL_CODEGEN = """
import json, sys, models
for name, value in json.load(sys.stdin):
    print(getattr(models, name).model_validate_json(json.dumps(value)).model_dump_json(by_alias=True, exclude_unset=True))
"""

# Lines that are answered with errors.
WRONG = b"""?
{"jsonrpc":"2.0"}
{"method":"?"}
{"method":"tap"}
{"method":"tap","app":"nowhere"}
{"method":"list","catalog":"nowhere"}
"""
# Calls that have other results than the first of their method, of a promod whose origin is away, or which has no catalog.
OTHERS = [
    ("list", {}), ("list", {"language": "ko", "limit": 1}), ("list", {"host": "outside", "language": "*"}), ("list", {"host": "app-1"}),
    ("list", {"host": "nowhere", "unlaunched": True}), ("icon", {"app": "app-2"}), ("tap", {"app": "app-2", "host": "app-1", "language": "ja"}),
    ("impression", {"apps": ["app-1", "app-2"]}), ("review-eligible", {"app": "app-2", "completed": 9}), ("refresh", {"wait": True}),
    ("refresh", {}), ("list", {"icons": True}), ("status", {})]
# A line that is answered with the events of all calls before.
RETAINED = b'{"method":"subscribe","since":0}\n'
# What a client may not rely on: optional members, and keys of maps.
LATER = {"iconPath", "categories", "ko", "ja", "status", "rpc.discover", "redirectedTo", "completionsNeeded"}
# Members with words to which a newer promod may add.
WORDS = {"code", "reason", "nextReason", "lastError", "emptyBecause", "language", "event"}
LISTS = {"reasons", "subscribed"}


def check(report, subject):
    """Lets the generator make types in Python."""
    with tempfile.TemporaryDirectory(prefix="promod-test-") as directory:
        report.check(
            "OpenRPC 1.3.2, datamodel-codegen", "its types read parameters, results, errors and events, also of an older and a newer promod",
            generated, directory, subject)


def generated(directory, subject):
    """The generator is installed beside a file with the document."""
    if reason := packages.obstacle(f"{directory}/environment", "conformance/generators.txt"):
        raise LeftOut(reason)
    document = subject.daemon.ask("rpc.discover")
    with open(f"{directory}/openrpc.json", "w", encoding="utf-8") as file:
        json.dump(document, file)
    types(functools.partial(run, directory), subject, document)


def run(directory, program, *arguments, content=""):
    """The output of a program of the environment."""
    done = subprocess.run(
        [f"{directory}/environment/bin/{program}", *arguments], cwd=directory, input=content, capture_output=True, text=True, check=False,
        timeout=120)
    expect(done.returncode == 0, f"{program} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def types(call, subject, document):
    """The components stand where an OpenAPI document has them."""
    call("datamodel-codegen", "--input", "openrpc.json", "--input-file-type", "openapi", "--output", "models.py", "--output-model-type",
         "pydantic_v2.BaseModel", "--use-subclass-enum", "--formatters", "builtin")
    results = {method["name"]: method["result"]["schema"]["$ref"].split("/")[-1] for method in document["methods"]}
    calls = [(name, params) for name, params in open_rpc.calls(document).items() if name != "rpc.discover"]
    replies = [(results[name], subject.daemon.ask(name, **params)) for name, params in calls]
    replies += others(subject, results)
    replies += [("RequestError", reply["error"]) for reply in subject.replies(WRONG)]
    replies += [("Event", line["params"]) for line in subject.replies(RETAINED)[1:]]
    sent = [(results[name].replace("Result", "Parameters"), params) for name, params in calls]
    kinds = [(event["event"].title().replace("-", "") + "Event", event) for name, event in replies if name == "Event"]
    expect({kind for kind, _ in kinds} >= {"CatalogEvent", "ImpressionEvent", "TapEvent"}, f"the events are {kinds}")
    for values in [*replies, *sent, *kinds], [(name, older(value)) for name, value in replies]:
        read = call("python", "-c", DATAMODEL_CODEGEN, content=json.dumps(values))
        compare([json.loads(line) for line in read.strip().split("\n")], [value for _, value in values])
    call("python", "-c", DATAMODEL_CODEGEN, content=json.dumps([(name, newer(value)) for name, value in replies]))


def others(subject, results):
    """The types and values of the other results, and of errors in their place."""
    empty = Daemon(subject.daemon.binary)
    empty.is_sample = False
    try:
        empty.start()
        lines = "".join(json.dumps({"method": name, **params}) + "\n" for name, params in OTHERS).encode()
        answers = [*subject.replies(lines), *Subject(empty).replies(lines)]
    finally:
        empty.stop()
    return [(results[name], answer["result"]) if "result" in answer else ("RequestError", answer["error"])
            for (name, _), answer in zip(OTHERS * 2, answers, strict=True)]


def older(value):
    """The value as it is from a promod that knows fewer methods and languages, and no optional member."""
    if isinstance(value, list):
        return [older(part) for part in value]
    return {key: older(part) for key, part in value.items() if key not in LATER} if isinstance(value, dict) else value


def newer(value):
    """The value as it is from a promod that knows more of all that may be added: each object has one more member, and words are new."""
    if isinstance(value, list):
        return [newer(part) for part in value]
    if not isinstance(value, dict):
        return value
    members = {key: "later" if key in WORDS and isinstance(part, str) else ["later"] if key in LISTS else newer(part)
               for key, part in value.items()}
    return {**members, "later": next(iter(members.values()), 1)}
