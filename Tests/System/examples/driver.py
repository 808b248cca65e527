"""Runs a program with a window and its arguments, and writes the texts that its labels show when they change, and the pages that it opens.

A line of its input is the text of a row or a button to tap. After an empty line it writes the pictures, and the width of the window.
"""
import os
import runpy
import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Gtk

shown = []


def widgets(widget):
    """All that are visible in a widget."""
    if widget.get_visible():
        yield widget
        child = widget.get_first_child()
        while child:
            yield from widgets(child)
            child = child.get_next_sibling()


def everything():
    return [widget for window in Gtk.Window.get_toplevels() for widget in widgets(window)]


def texts(found):
    return [widget.get_text() for widget in found if isinstance(widget, Gtk.Label) and widget.get_text()]


def watch():
    if (now := texts(everything())) != shown:
        print("[", *now, "]", sep="\n", flush=True)
        shown[:] = now
    return True


def obey(descriptor, _):
    lines = os.read(descriptor, 65536).decode().splitlines()
    for line in lines:
        for widget in everything():
            if isinstance(widget, (Gtk.ListBoxRow, Gtk.Button)) and line in texts(widgets(widget)):
                widget.emit("clicked") if isinstance(widget, Gtk.Button) else widget.activate()
        if not line:
            pictures = [widget for widget in everything() if isinstance(widget, Gtk.Image) and widget.get_paintable()]
            print(f"{len(pictures)} pictures, {Gtk.Window.get_toplevels()[0].get_width()} pixels", flush=True)
    return bool(lines)  # At its end, the input would be readable for ever.


GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, 0, GLib.IOCondition.IN, obey)
GLib.timeout_add(50, watch)
Gtk.show_uri = lambda _, address, __: print(f"opens {address}", flush=True)
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
