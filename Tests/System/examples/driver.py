"""Runs a program with a window and its arguments, and writes each text that its labels show as soon as it changes.

It does what the lines of its input say: "tap TEXT" taps the row with this text, and "look" writes how many pictures there are and
how wide the window is.
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


def texts(*roots):
    labels = [each for root in roots for each in widgets(root) if isinstance(each, Gtk.Label)]
    return [label.get_text() for label in labels if label.get_text()]


def watch():
    now = texts(*Gtk.Window.get_toplevels())
    if now != shown:
        print("\n".join(now), flush=True)
        shown[:] = now
    return True


def obey(descriptor, _):
    lines = os.read(descriptor, 65536).decode().splitlines()
    for line in lines:
        word, _, text = line.partition(" ")
        window = Gtk.Window.get_toplevels()[0]
        if word == "tap":
            next(row for row in everything() if isinstance(row, Gtk.ListBoxRow) and text in texts(row)).activate()
        elif word == "look":
            count = sum(isinstance(widget, Gtk.Image) and widget.get_paintable() is not None for widget in everything())
            print(f"pictures {count}, width {window.get_width()}", flush=True)
    return bool(lines)  # At its end, the input would be readable for ever.


GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, 0, GLib.IOCondition.IN, obey)
GLib.timeout_add(50, watch)
del sys.argv[0]
sys.path.insert(0, os.path.dirname(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")
