"""The table's ratios as a picture: an SVG for light and dark pages that fetches nothing."""
import math
import statistics
from xml.sax.saxutils import escape

from figures import RATIO, number

WIDTH, LINE, MARGIN = 880, 24, 24
MIDDLE, HALF = 520, 130  # Where a ratio of 1 is, and how long the longest bar can be.
VALUE = MIDDLE + HALF + 24

STYLE = """
    text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328; }
    .title { font-size: 16px; font-weight: 600; }
    .muted { fill: #59636e; font-size: 12px; }
    .value { font-weight: 600; font-variant-numeric: tabular-nums; }
    .page { fill: #ffffff; } .axis { stroke: #d1d9e0; } .spread { stroke: #1f2328; }
    .better { fill: #54aeff; } .worse { fill: #f0883e; } .previous { opacity: 0.4; }
    @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3; }
        .muted { fill: #9198a1; }
        .page { fill: #0d1117; } .axis { stroke: #3d444d; } .spread { stroke: #e6edf3; }
        .better { fill: #1f6feb; } .worse { fill: #bd561d; }
    }
"""


def picture(figures, about):
    """A bar for each figure with a goal and a peer, and a line of text for each with a goal and none."""
    figures = [figure for figure in figures if figure.goal is not None]
    compared = [figure for figure in figures if figure.peer and min(figure.ratios("promod")) > 0]
    alone = [figure for figure in figures if figure not in compared]
    spans = [abs(math.log2(ratio)) for figure in compared for server in _servers(figure) for ratio in figure.ratios(server)]
    scale = HALF / min(max([1, *spans]), 4)

    drawn, y = [], MARGIN + 14
    drawn.append(_text(MARGIN, y, "promod beside its peers", "title"))
    y += 22
    drawn.append(_text(MARGIN, y, "Ratios to the peer; a bar to the right is better than the peer, and one step is a factor of two.", "muted"))
    y += 14
    top = y
    bars = []
    for figure in compared:
        y += LINE
        bars += _compared(figure, y, scale)
    for step in range(-int(HALF / scale), int(HALF / scale) + 1):
        x = MIDDLE + step * scale
        drawn.append(f'<line class="axis" x1="{x:.1f}" x2="{x:.1f}" y1="{top + 4}" y2="{y + 10}" stroke-width="{1 if step else 2}"/>')
    drawn += bars
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


def _servers(figure):
    return [server for server in ("promod", "previous") if figure.ratios(server)]


def _compared(figure, y, scale):
    """The name, a bar with its spread for each promod, and the ratio."""
    yield _text(MARGIN, y, f"{figure.name} over {figure.peer}")
    # The lower half of the line is that of the previous one, if there is one.
    servers = _servers(figure)
    for server, place in zip(servers, [(y - 12, 10), (y, 5)] if len(servers) > 1 else [(y - 11, 14)]):
        ratios = figure.ratios(server)
        if not ratios or min(ratios) <= 0:
            continue
        least, median, most = (
            max(-HALF, min(HALF, (-1 if figure.less_is_better else 1) * math.log2(ratio) * scale))
            for ratio in (min(ratios), statistics.median(ratios), max(ratios)))
        style = ("better" if median >= 0 else "worse") + (" previous" if server == "previous" else "")
        top, height = place
        yield (f'<rect class="{style}" x="{MIDDLE + min(0, median):.1f}" y="{top}" width="{max(1, abs(median)):.1f}" '
               f'height="{height}" rx="2"/>')
        if server == "promod":
            middle = top + height / 2
            yield (f'<line class="spread" x1="{MIDDLE + least:.1f}" x2="{MIDDLE + most:.1f}" y1="{middle}" y2="{middle}" '
                   f'stroke-width="1"/>')
    yield _value(figure, figure.ratios("promod"), y)


def _value(figure, values, y):
    unit = f" {figure.unit}" if figure.unit not in ("", RATIO) and not figure.peer else ""
    least, median, most = (number(value) for value in (min(values), statistics.median(values), max(values)))
    spread = f' <tspan class="muted">({least}–{most})</tspan>' if least != most else ""
    return f'<text class="value" x="{VALUE}" y="{y}">{median}{escape(unit)}{spread}</text>'


def _text(x, y, text, style=""):
    return f'<text x="{x}" y="{y}"{f" class={chr(34)}{style}{chr(34)}" if style else ""}>{escape(text)}</text>'
