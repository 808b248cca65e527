"""What an example prints, without what differs from one machine and one day to another."""
import os
import re

FORMS = [
    (r"/home/[a-z]+|~(?=/)", "HOME"),
    (r"/run/user/\d+", "RUN"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME"),
    (r"\d{1,2} [A-Z][a-z]{2} \d\d:\d\d(:\d\d)?", "TIME"),
    (r"(a moment|\d+ (second|minute|hour|day)s?)( ago)?\b", "AGE"),
    (r"\b[0-9a-f]{12,16}\b", "GENERATION"),
    (r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{43}=", "KEY"),
    (r'"fileID":\s*"\d+:\d+"', '"fileID":"NUMBER"'),
    (r"(localhost|127\.0\.0\.1):\d+", r"\1:PORT"),
]
# The members of a status that count or measure what has happened.
COUNTS = re.compile(
    r'"(pid|seq|since|attempts|connections|subscribers|list|icon|tap|impression|launch|review-[a-z]+|'
    r'refresh|clear|subscribe|status|reload|rpc\.discover)":-?\d+')
MOST = 300  # characters of a line to show before what differs
ELISION = re.compile(r"…|\.\.\.")


def differs(shown, printed, is_wrapped):
    """What tells the text that a document shows from the one that was printed, both in their normal form; empty if nothing does."""
    shown, printed = _normal(shown, is_wrapped), _normal(printed, is_wrapped)
    if re.fullmatch(".*".join(map(re.escape, ELISION.split(shown))), printed, re.DOTALL):
        return ""
    # What differs is after their common beginning.
    at = max(0, len(os.path.commonprefix([shown, printed])) - MOST) if len(shown) > 2 * MOST else 0
    return f"the document shows\n{shown[at:]}\nand it prints\n{printed[at:]}"


def _normal(text, is_wrapped):
    for pattern, form in FORMS:
        text = re.sub(pattern, form, text)
    text = COUNTS.sub(r'"\1":COUNT', text)
    # A manual breaks the lines of JSON.
    if is_wrapped:
        return "".join(text.split())
    return "\n".join(" ".join(line.split()) for line in text.splitlines() if line.strip())
