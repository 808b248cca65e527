"""Times in the protocol's form, and what was true when."""
import calendar
import time

from support.claims import Failed, expect

DAY = 86_400
YEAR = 365 * DAY
TOLERANCE = 300  # How far ahead of the clock promod believes a time.


def seconds(text):
    """The seconds since 1970 of a time in the protocol's form."""
    expect(isinstance(text, str), f"{text!r} is not a time")
    try:
        return calendar.timegm(time.strptime(text, "%Y-%m-%dT%H:%M:%SZ"))
    except ValueError as error:
        raise Failed(f"{text!r} is not a time") from error


def seconds_or_never(text):
    """The same, or a moment before all others if there is no time."""
    return seconds(text) if text else float("-inf")


def written(moment):
    """A time in the protocol's form, from whole seconds since 1970."""
    return None if moment is None else time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))


class Timeline:
    """Values that were in force for a time. At a change both the old and the new one are possible until the change is confirmed."""

    def __init__(self):
        self._spans = []

    def begin(self, value, now):
        """The value is possible from now on."""
        self._spans.append([now, float("inf"), value])

    def end(self, now, value=None):
        """Values other than the latest, or only the given one, are impossible from now on."""
        for span in self._spans[:-1] if value is None else self._spans:
            if value is None or span[2] == value:
                span[1] = min(span[1], now)
        # A value that ended long ago explains no reply any more.
        self._spans = [span for span in self._spans if span[1] > now - 300]

    def possible(self, sent, came):
        """The values that were possible at some moment of an interval."""
        return [value for begin, end, value in self._spans if begin <= came and end >= sent]
