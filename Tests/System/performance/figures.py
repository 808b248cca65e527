"""The figures of a run, as a table."""
import statistics
from dataclasses import dataclass


@dataclass
class Figure:
    """One measured quantity: the values of each server in each round, and the peer for the ratio."""

    name: str
    unit: str
    samples: dict
    peer: str = None
    less_is_better: bool = True
    goal: float = None

    def ratios(self, server):
        """The ratio to the peer in each round, because samples of the same round are the most comparable."""
        if self.peer is None:
            return []
        return [mine / theirs for mine, theirs in zip(self.samples.get(server, []), self.samples[self.peer]) if theirs]


def table(figures, promods):
    """A Markdown table, padded for terminals."""
    rows = [["", *promods, "peer", *(f"{name} over peer" for name in promods), "goal"]]
    for figure in figures:
        rows.append([
            f"{figure.name}, {figure.unit}" if figure.unit else figure.name,
            *(_spread(figure.samples.get(name)) for name in promods),
            f"{figure.peer} {_spread(figure.samples[figure.peer])}" if figure.peer else "",
            *(_spread(figure.ratios(name)) for name in promods),
            f"{'at most' if figure.less_is_better else 'at least'} {number(figure.goal)}" if figure.goal is not None else "",
        ])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    rows.insert(1, ["-" * width for width in widths])
    return "\n".join("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows)


def number(value):
    """A number with three significant digits and without exponent."""
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    if abs(value) < 0.0005:
        return "<0.001"
    return f"{value:.3g}"


def _spread(values):
    """The median, with minimum and maximum if they differ."""
    if not values:
        return ""
    median, least, most = (number(value) for value in (statistics.median(values), min(values), max(values)))
    return median if least == most else f"{median} ({least}–{most})"
