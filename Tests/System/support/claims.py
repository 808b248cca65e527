"""How a check says that something is wrong."""


class Failed(Exception):
    """What was expected did not happen, or what is not allowed did."""


def expect(condition, message):
    """Raises Failed with the message unless the condition holds."""
    if not condition:
        raise Failed(message)


def problem(is_wrong, text):
    """A list with the problem if the condition holds, else an empty one."""
    return [text] if is_wrong else []


def compare(actual, expected):
    """Raises Failed, with the first difference, unless the two are equal."""
    if actual == expected:
        return
    if isinstance(actual, dict) and isinstance(expected, dict):
        names = [name for name in {**expected, **actual} if actual.get(name, ...) != expected.get(name, ...)]
        shown = ", ".join(f"{name} is {actual.get(name, 'absent')!r}, not {expected.get(name, 'absent')!r}" for name in names)
        raise Failed(shown[:3000])
    raise Failed(f"it is {actual!r}, not {expected!r}"[:3000])
