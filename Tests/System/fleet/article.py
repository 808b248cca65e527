"""What the article for operators says about fleets."""
import re

from support.claims import expect
from .cache import EXAMPLE, ROOT
from .costs import MILLION, MONTH

NAME = "ForOperators.md"
NEARLY = 0.05  # How much a figure may differ, which has two digits.
# How many packets an ACK answers depends on how fast they are read.
NEARLY_UP = 0.15
UNITS = {"kB": 1e3, "MB": 1e6, "GB": 1e9}


def check(report, costs):
    """Compares the article with the example and with the measurement."""
    with open(f"{ROOT}/Sources/PromoDaemon/PromoDaemon.docc/{NAME}", encoding="utf-8") as file:
        text = file.read()
    report.check(NAME, "the lines for nginx are those of the example", _lines, text)
    report.check(NAME, "the bytes of a refresh are those that were measured", _figures, text, costs)


def _lines(text):
    with open(EXAMPLE, encoding="utf-8") as file:
        example = [line.strip("# \n") for line in file]
    lines = re.findall("^    (proxy_.*;|curl .*no-cache.*)$", text, re.MULTILINE)
    expect(lines and set(lines) <= set(example), f"{[line for line in lines if line not in example]} of {len(lines)} lines differ")


def _figures(text, costs):
    rows = re.findall(r"^\| (304|200):.*?\| (.*) \| (.*) \| (.*) \|$", text, re.MULTILINE)
    expect(len(rows) == len(costs), f"there are {len(rows)} rows, not {len(costs)}")
    for (_, *said), cost in zip(rows, costs):
        _compare(said[0], cost.traffic.down)
        _compare(said[1], cost.traffic.up, NEARLY_UP)
        _compare(said[2], cost.traffic.total * MILLION)
    month, = re.findall(r" (\d+ kB)", next(line for line in text.splitlines() if "month" in line))
    _compare(month, costs[0].traffic.total * MONTH)


def _compare(figure, measured, nearly=NEARLY):
    number, unit = figure.split()
    expect(abs(float(number) * UNITS[unit] / measured - 1) <= nearly, f"{figure} is said, and {measured:,} bytes were measured")
