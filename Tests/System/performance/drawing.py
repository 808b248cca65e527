"""Draws the ratios as an SVG, for light and dark pages, without external resources."""
import math
import statistics
from xml.sax.saxutils import escape

from .figures import number

WIDTH, LINE, MARGIN = 920, 24, 24
MIDDLE, HALF = 570, 120  # The position of ratio 1, and the maximum length of a bar.
STEPS = 2  # Factors of two from there to either end; a bar for more is cut there, and marked.
VALUE = MIDDLE + HALF + 24

STYLE = """
    text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328; }
    .title { font-size: 16px; font-weight: 600; }
    .muted { fill: #59636e; font-size: 12px; font-weight: 400; }
    .middle { text-anchor: middle; }
    .value { font-weight: 600; font-variant-numeric: tabular-nums; }
    .page { fill: #ffffff; } .axis { stroke: #d1d9e0; } .spread { stroke: #1f2328; }
    .better { fill: #54aeff; } .worse { fill: #f0883e; } .cut { stroke: #ffffff; stroke-width: 3; fill: none; }
    @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3; }
        .muted { fill: #9198a1; }
        .page { fill: #0d1117; } .axis { stroke: #3d444d; } .spread { stroke: #e6edf3; }
        .better { fill: #1f6feb; } .worse { fill: #bd561d; } .cut { stroke: #0d1117; }
    }
"""


def picture(figures, about):
    """Draws figures that have a goal: with bars if they have a peer, else as text."""
    figures = [figure for figure in figures if figure.goal is not None]
    compared = [figure for figure in figures if figure.peer and min(figure.ratios("promod")) > 0]
    alone = [figure for figure in figures if figure not in compared]

    drawn, y = [], MARGIN + 14
    drawn.append(_text(MARGIN, y, "promod beside its peers", "title"))
    y += 22
    drawn.append(_text(MARGIN, y, "Ratio of promod to the peer. Bars to the right: promod is better.", "muted"))
    y += 26
    scale = [("¼", -2), ("½", -1), ("1", 0), ("2", 1), ("4", 2)]
    drawn += [_text(_place(step), y, f"{label}×" if step else label, "muted middle") for label, step in scale]
    height = 8 + LINE * len(compared)
    drawn += [
        f'<line class="axis" x1="{_place(step)}" x2="{_place(step)}" y1="{y + 8}" y2="{y + height + 6}" stroke-width="{1 if step else 2}"/>'
        for _, step in scale]
    y += 2
    for figure in compared:
        y += LINE
        drawn += _compared(figure, y)
    y += 14 if alone else 0
    for figure in alone:
        y += LINE
        drawn += [_text(MARGIN, y, figure.name), _value(figure, figure.samples["promod"], y)]
    y += LINE + 12
    footer = f"promod {about['commit']}, Redis {about['redis']}, medians of {about['rounds']} alternating rounds, {about['date']}"
    drawn.append(_text(MARGIN, y, footer, "muted"))
    y += 18
    drawn.append(_text(MARGIN, y, about["machine"], "muted"))
    height = y + MARGIN
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">',
        "<title>promod beside its peers</title>", f"<style>{STYLE}</style>",
        f'<rect class="page" width="{WIDTH}" height="{height}" rx="6"/>', *drawn, "</svg>", ""])


def _place(step):
    """The position of a number of factors of two."""
    return MIDDLE + max(-STEPS, min(STEPS, step)) / STEPS * HALF


def _better(figure, ratio):
    """The number of factors of two by which promod is better; negative if it is worse."""
    return -math.log2(ratio) if figure.less_is_better else math.log2(ratio)


def _compared(figure, y):
    """The name, a bar with its spread, and the ratio."""
    yield _text(MARGIN, y, f"{figure.name}, compared with {'Redis' if figure.peer == 'redis' else figure.peer}")
    ratios = figure.ratios("promod")
    least, median, most = (_place(_better(figure, ratio)) for ratio in (min(ratios), statistics.median(ratios), max(ratios)))
    left, length = min(MIDDLE, median), max(1, abs(median - MIDDLE))
    style = "better" if median >= MIDDLE else "worse"
    yield f'<rect class="{style}" x="{left:.1f}" y="{y - 11}" width="{length:.1f}" height="13" rx="2"/>'
    if abs(_better(figure, statistics.median(ratios))) > STEPS:
        yield _cut(median - math.copysign(14, median - MIDDLE), y)
    yield f'<line class="spread" x1="{least:.1f}" x2="{most:.1f}" y1="{y - 4.5}" y2="{y - 4.5}"/>'
    yield _value(figure, ratios, y)


def _cut(x, y):
    """The mark of a bar that goes on: two slanted gaps."""
    return f'<path class="cut" d="M{x - 6:.1f} {y + 4} l5 -17 M{x + 2:.1f} {y + 4} l5 -17"/>'


def _value(figure, values, y):
    unit = f" {figure.unit}" if figure.unit and not figure.peer else ""
    least, median, most = (number(value) for value in (min(values), statistics.median(values), max(values)))
    spread = f' <tspan class="muted">({escape(least)}–{escape(most)})</tspan>' if least != most else ""
    return f'<text class="value" x="{VALUE}" y="{y}">{escape(median)}{escape(unit)}{spread}</text>'


def _text(x, y, text, style=""):
    return f'<text x="{x}" y="{y}"{f" class={chr(34)}{style}{chr(34)}" if style else ""}>{escape(text)}</text>'
