"""Holds catalogs and icon addresses against the catalog's JSON Schema.

Usage: schema-verdicts.py SCHEMA

Reads {"catalogs": [text], "urls": [text]} and writes the same with a verdict for each text, true if it satisfies the schema, and
"schemaError", a text if the schema itself is not valid.
"""
import json
import pathlib
import sys

try:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError
except ImportError as error:
    sys.exit(f"The catalog's schema cannot be tried: {error}. Install it: apt-get install python3-jsonschema (4.10 or later)")


def schema_error(schema):
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return error.message
    return None


schema = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
whole = Draft202012Validator(schema)
icon = Draft202012Validator({"$defs": schema["$defs"], "$ref": "#/$defs/iconURL"})
given = json.load(sys.stdin)
json.dump(
    {
        "schemaError": schema_error(schema),
        "catalogs": [whole.is_valid(json.loads(text.removeprefix("\ufeff"))) for text in given["catalogs"]],
        "urls": [icon.is_valid(address) for address in given["urls"]],
    },
    sys.stdout,
)
