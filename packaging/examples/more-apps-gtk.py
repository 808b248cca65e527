#!/usr/bin/python3
"""Shows the apps that HOST may promote in a window that keeps up to date: python3 more-apps-gtk.py [HOST]"""
import sys
import threading

import gi

gi.require_version("Adw", "1")
from gi.repository import Adw, Gdk, Gio, GLib, Gtk

from promo import Promo, PromoError


def plain(text):
    """Text from a catalog for a label: on one line, without control characters but joiners, and with markup as text."""
    return GLib.markup_escape_text("".join(c for c in " ".join(text.split()) if c.isprintable() or c in "\u200c\u200d"))


class Window(Adw.ApplicationWindow):
    """The list, what is wrong with it, and a thread that waits for promod."""

    def __init__(self, promo, **properties):
        super().__init__(title="More Apps", default_width=420, default_height=480, **properties)
        self.promo, self.apps, self.rows = promo, [], []
        self.group = Adw.PreferencesGroup()
        self.note = Gtk.Label(wrap=True, visible=False, margin_top=12, margin_start=12, margin_end=12)
        self.note.add_css_class("dim-label")
        page = Adw.PreferencesPage(vexpand=True)
        page.add(self.group)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for part in Adw.HeaderBar(), self.note, page:
            box.append(part)
        self.toasts = Adw.ToastOverlay(child=box)
        self.set_content(self.toasts)
        threading.Thread(target=self.follow, daemon=True).start()

    def follow(self):
        """Runs on the thread, where waiting does no harm. Only the main loop touches widgets."""
        for event in self.promo.follow("catalog", "icons"):
            try:
                if event["event"] == "away":
                    raise PromoError(f"{event['text']} Trying again.")
                listing = self.promo.list(icons=True)
                GLib.idle_add(self.show_list, listing, {app["id"]: self.picture(app) for app in listing["apps"]})
            except PromoError as error:  # The next subscription comes by itself.
                GLib.idle_add(self.tell, str(error))

    def picture(self, app):
        try:
            return Gdk.Texture.new_from_bytes(GLib.Bytes.new(self.promo.icon(app) or b""))
        except GLib.Error:  # There is none yet, or GTK cannot read its format.
            return None

    def tell(self, text):
        """Shows a sentence above the list, which stays as it is."""
        self.note.set_label(text)
        self.note.set_visible(bool(text))

    def show_list(self, listing, pictures):
        apps, is_sample = listing["apps"], listing["source"] == "sample"
        self.tell("There are no apps to show." if not apps else "These apps are made up." if is_sample else "")
        if apps == self.apps:  # With their iconPath, so a new picture is a change.
            return
        for row in self.rows:
            self.group.remove(row)
        self.apps, self.rows = apps, [self.row(app, pictures[app["id"]]) for app in apps]
        for row in self.rows:
            self.group.add(row)

    def row(self, app, picture):
        row = Adw.ActionRow(activatable=True, title_lines=1, subtitle_lines=2)
        row.set_title(plain(app["name"]))
        row.set_subtitle(plain(app["tagline"]))
        picture = {"paintable": picture} if picture else {"icon_name": "application-x-executable"}
        row.add_prefix(Gtk.Image(pixel_size=40, **picture))
        row.connect("activated", lambda _: threading.Thread(target=self.tap, args=[app], daemon=True).start())
        return row

    def tap(self, app):
        try:
            result = self.promo.tap(app["id"])
        except PromoError:  # Without promod, the row itself says where the app is.
            result = app
        GLib.idle_add(self.open, result["storeURL"], result.get("message"))

    def open(self, url, message):
        try:
            if not message:
                Gio.AppInfo.launch_default_for_uri(url, self.get_display().get_app_launch_context())
        except GLib.Error:
            message = url
        if message:
            self.toasts.add_toast(Adw.Toast(title=plain(message)))


app = Adw.Application(application_id="com.example.MoreApps")
app.connect("activate", lambda app: Window(Promo((sys.argv[1:] or [None])[0]), application=app).present())
app.run()
