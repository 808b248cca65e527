"""Reads a text with figures by Prometheus' own parser, and prints what is in it as JSON."""
import json
import sys

from prometheus_client.parser import text_string_to_metric_families as read

try:
    found = [
        {"name": family.name, "type": family.type, "help": family.documentation,
         "samples": [[sample.name, sample.labels, sample.value] for sample in family.samples]}
        for family in read(sys.stdin.read())]
except ValueError as error:
    sys.exit(f"{error}")
print(json.dumps(found))
