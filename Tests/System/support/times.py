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
