"""OpenRPC 1.3.2 over rpc.discover, object by object.

The meta-schema is neither on PyPI nor in Debian, so the objects that promod writes are described here, from the specification. What a
JSON Schema can say is in SHAPES; the rest is in functions.
"""
from support.check import LeftOut
from support.claims import compare, expect

THE = "OpenRPC 1.3.2"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
TEXT = {"type": "string"}
ANY = {}


def shape(required, /, **optional):
    """The JSON Schema of an object of the specification, which may have extensions but no other members."""
    return {
        "type": "object", "required": list(required), "properties": {**required, **optional}, "patternProperties": {"^x-": ANY},
        "additionalProperties": False,
    }


REFERENCE = {"type": "object", "required": ["$ref"], "properties": {"$ref": TEXT}, "additionalProperties": False}
LICENSE = shape({"name": TEXT}, url=TEXT)
CONTACT = shape({}, name=TEXT, url=TEXT, email=TEXT)
INFO = shape({"title": TEXT, "version": TEXT}, description=TEXT, termsOfService=TEXT, contact=CONTACT, license=LICENSE)
DESCRIPTOR = shape(
    {"name": {"type": "string", "minLength": 1}, "schema": {"type": ["object", "boolean"]}}, summary=TEXT, description=TEXT,
    required={"type": "boolean"}, deprecated={"type": "boolean"})
ERROR = shape({"code": {"type": "integer"}, "message": TEXT}, data=ANY)
METHOD = shape(
    {"name": {"type": "string", "minLength": 1}, "params": {"type": "array", "items": {"anyOf": [DESCRIPTOR, REFERENCE]}},
     "result": {"anyOf": [DESCRIPTOR, REFERENCE]}},
    summary=TEXT, description=TEXT, deprecated={"type": "boolean"}, paramStructure={"enum": ["by-name", "by-position", "either"]},
    errors={"type": "array", "items": {"anyOf": [ERROR, REFERENCE]}})

COMPONENTS = shape(
    {}, **{name: {"type": "object"} for name in ("contentDescriptors", "schemas", "examples", "links", "examplePairings", "tags")},
    errors={"type": "object", "additionalProperties": ERROR})
DOCUMENT = shape(
    {"openrpc": {"const": "1.3.2"}, "info": ANY, "methods": {"type": "array", "minItems": 1}}, components=ANY,
    servers={"type": "array"}, externalDocs=ANY, **{"$schema": TEXT})

# Clause, claim, the shape, and the parts of the document that must have it.
SHAPES = [
    ("OpenRPC Object", "it has openrpc, info and methods, and names the version", DOCUMENT, lambda document: [document]),
    ("Info Object", "it has a title and a version", INFO, lambda document: [document["info"]]),
    ("Method Object", "it has a name, params and a result", METHOD, lambda document: document["methods"]),
    ("Content Descriptor Object", "each parameter and each result has a name and a schema", DESCRIPTOR,
     lambda document: [part for method in document["methods"] for part in [*method["params"], method["result"]]]),
    ("Components Object", "it has only the members that are defined", COMPONENTS, lambda document: [document["components"]]),
    ("Error Object", "it has an integer code and a message", ERROR, lambda document: document["components"]["errors"].values()),
    ("Schema Object", "each schema is one of JSON Schema's draft 7", {"$ref": DRAFT_7},
     lambda document: [*document["components"]["schemas"].values(), *(event["params"] for event in document["x-events"]),
                       *(part["schema"] for method in document["methods"] for part in [*method["params"], method["result"]])]),
]


# What calls that work on the catalog of the test have for the parameters that a method requires, and what else some have.
VALUES = {"app": "app-1", "apps": ["app-1"], "completed": 0}
MORE = {"list": {"language": "*", "icons": True}}


def calls(document):
    """The parameters of a call of each method, but of the one that forgets the catalog."""
    return {
        method["name"]: {**{one["name"]: VALUES[one["name"]] for one in method["params"] if one.get("required")}, **MORE.get(method["name"], {})}
        for method in document["methods"] if method["name"] != "clear"}


def check(report, subject):
    """Runs all checks."""
    def each(name, claim, body, *arguments):
        report.check(f"{THE}, {name}", claim, lambda: body(*arguments, subject.daemon.ask("rpc.discover")))

    for clause, claim, schema, parts in SHAPES:
        each(clause, claim, shaped, schema, parts)
    each("Method Object", "results have the schemas that the document gives", results, subject)
    each("Reference Object", "each reference leads to a part of the document, and one to each schema inside another", references)
    each("Specification Extensions", "events have the schemas that x-events gives, and no other kinds are sent", events, subject)


def shaped(schema, parts, document):
    try:
        from jsonschema import Draft7Validator
    except ImportError as error:
        raise LeftOut("the Debian package python3-jsonschema is not installed") from error
    for part in parts(document):
        for problem in Draft7Validator(schema).iter_errors(part):
            raise problem


def resolved(document, part):
    """The part itself, or what it refers to."""
    if "$ref" not in part:
        return part
    found = document
    for step in part["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return found


def results(subject, document):
    called = calls(document)
    for method in document["methods"]:
        if method["name"] in called:
            result = subject.daemon.ask(method["name"], **called[method["name"]])
            shaped(within(document, method["result"]["schema"]), lambda result: [result], result)


def within(document, schema):
    """The schema with those to which it refers."""
    return {**schema, "components": document["components"]}


def events(subject, document):
    """Those that a tap and an impression cause; the lines of the others are in Swift's EventLineTests."""
    schemas = {event["name"]: within(document, event["params"]) for event in document["x-events"]}
    subscription = document["components"]["schemas"]["EventKind"]["enum"]
    compare([*schemas], [*subscription, "lagged"])
    for line in subject.events():
        shaped(schemas[line["event"]], lambda line: [line], line)


def references(document):
    used = {part["$ref"] for part in every_object(document) if "$ref" in part}
    for reference in used:
        expect(reference.startswith("#/"), f"{reference} leads out of the document")
        resolved(document, {"$ref": reference})
    # The parameters of a method, an error and an event are for generators of clients.
    compare(sorted(used), sorted(f"#/components/schemas/{name}" for name in document["components"]["schemas"]
                                 if not name.endswith("Parameters") and name not in ("RequestError", "Event")))


def every_object(value):
    """All objects in a value."""
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from every_object(part)
