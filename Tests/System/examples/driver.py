"""Runs a program with a window and its arguments, and writes the texts that its labels show when they change, and the pages that it opens.

A line of its input is the text of a row or a button to tap, or "end" to scroll there. After an empty line it writes the pictures, and the width of the window.
No page of a host "nowhere" opens.
"""
import os
import runpy
import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, Gtk

shown = []


def widgets(widget):
    """All that are visible in a widget."""
    if widget.get_mapped():
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
        if line == "end":
            for view in everything():
                if isinstance(view, Gtk.ScrolledWindow):
                    view.get_vadjustment().set_value(view.get_vadjustment().get_upper())
        if not line:
            tiles = [widget for widget in everything() if isinstance(widget, Gtk.Overlay)]
            pictures = [tile for tile in tiles if not texts(widgets(tile))]
            print(f"{len(pictures)} pictures, {Gtk.Window.get_toplevels()[0].get_width()} pixels", flush=True)
    return bool(lines)  # At its end, the input would be readable for ever.


def launch(address, _, __, launched):
    print(f"opens {address}", flush=True)
    launched(None, address)


def finish(address):
    if "//nowhere/" in address:
        raise GLib.Error("There is no program for it.")


GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, 0, GLib.IOCondition.IN, obey)
GLib.timeout_add(50, watch)
Gio.AppInfo.launch_default_for_uri_async = launch
Gio.AppInfo.launch_default_for_uri_finish = finish
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
