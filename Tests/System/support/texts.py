"""The texts of a catalog as promod serves them."""
import re

_BREAKS = re.compile("\r\n|[\t-\r\x85\u2028\u2029]")
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def plain(text):
    """A text without control characters, in which those that are white space are blanks."""
    return _CONTROLS.sub("", _BREAKS.sub(" ", text))
