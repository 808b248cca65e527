"""Reads a text in the format of OpenMetrics with Prometheus' own parser, and prints what is in it as JSON."""
import json
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families

try:
    found = [
        {"name": family.name, "type": family.type, "unit": family.unit, "help": family.documentation,
         "samples": [[sample.name, sample.labels, sample.value] for sample in family.samples]}
        for family in text_string_to_metric_families(sys.stdin.read())]
except ValueError as error:
    sys.exit(f"{error}")
print(json.dumps(found))
