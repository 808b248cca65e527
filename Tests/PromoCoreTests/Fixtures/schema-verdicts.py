"""Holds catalogs and icon addresses against the catalog's JSON Schema, all in one process.

Usage: schema-verdicts.py SCHEMA URLS CATALOG...

Writes {"schemaError": text or null, "catalogs": {path: verdict}, "urls": {text: verdict}}, a verdict being true where
the schema is satisfied. URLS is a JSON object of arrays of addresses.
"""
import json
import pathlib
import sys

try:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError
except ImportError as error:
    sys.exit(f"The catalog's schema cannot be tried: {error}. Install it: apt-get install python3-jsonschema (4.10 or later)")


def read(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8-sig"))


def schema_error(schema):
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return error.message
    return None


schema = read(sys.argv[1])
whole = Draft202012Validator(schema)
icon = Draft202012Validator({"$defs": schema["$defs"], "$ref": "#/$defs/iconURL"})
addresses = [address for group in read(sys.argv[2]).values() for address in group]
json.dump(
    {
        "schemaError": schema_error(schema),
        "catalogs": {path: whole.is_valid(read(path)) for path in sys.argv[3:]},
        "urls": {address: icon.is_valid(address) for address in addresses},
    },
    sys.stdout,
)
