"""Reads a text in the format of OpenMetrics, or with the argument "prometheus" in Prometheus' own, with Prometheus' own parser, and prints what is in it as JSON."""
import json
import sys

from prometheus_client import parser
from prometheus_client.openmetrics import parser as openmetrics

read = (parser if sys.argv[1:] == ["prometheus"] else openmetrics).text_string_to_metric_families

try:
    found = [
        {"name": family.name, "type": family.type, "unit": family.unit, "help": family.documentation,
         "samples": [[sample.name, sample.labels, sample.value] for sample in family.samples]}
        for family in read(sys.stdin.read())]
except ValueError as error:
    sys.exit(f"{error}")
print(json.dumps(found))
