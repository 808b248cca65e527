"""Prints runs of code points with the columns that each takes: first, last, columns.

The rule is the usual one for terminals, from Unicode's own tables: marks, formats and the vowels and finals of Hangul take
no column, what is wide or full-width takes two, everything else one. Only what this Unicode has assigned is printed."""

import sys
import unicodedata


def columns(code):
    character = chr(code)
    if unicodedata.category(character) in ("Mn", "Me", "Cf", "Cc"):
        return 0
    if 0x1160 <= code <= 0x11FF or 0xD7B0 <= code <= 0xD7FF:
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


run = None
for code in range(0x110000):
    if unicodedata.category(chr(code)) in ("Cn", "Cs"):
        continue
    if run and run[1:] == [code - 1, columns(code)]:
        run[1] = code
        continue
    if run:
        print(*run)
    run = [code, code, columns(code)]
print(*run)
