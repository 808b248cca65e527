"""Writes the name and description of each row of the windows, as a screen reader is told them, when they change, to the end of its input."""
import select
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib


def rows(widget):
    """The rows in a widget of another program, which may go meanwhile."""
    try:
        if widget.get_role() == Atspi.Role.LIST_ITEM:
            # Where libadwaita describes a row by its subtitle, that has a line break.
            yield f"{widget.get_name()}: {widget.get_description()}".replace("\n", ", ")
        for index in range(widget.get_child_count()):
            yield from rows(widget.get_child_at_index(index))
    except (GLib.Error, AttributeError):
        return


shown = []
while not select.select([sys.stdin], [], [], 0.1)[0]:
    Atspi.get_desktop(0).clear_cache()
    if (now := list(rows(Atspi.get_desktop(0)))) != shown:
        print(*now, sep="\n", flush=True)
        shown[:] = now
