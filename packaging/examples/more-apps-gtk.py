"""Shows the apps that HOST may promote in a window, and keeps it up to date: python3 more-apps-gtk.py HOST"""
import contextlib, gi, json, os, random, socket, sys, threading, time
gi.require_version("Adw", "1")
from gi.repository import Adw, Gdk, GLib, Gtk

HOST = sys.argv[1] if len(sys.argv) > 1 else sys.exit(__doc__)
PATH = os.environ.get("PROMOD_SOCKET") or GLib.get_user_runtime_dir() + "/promod/promod.sock"

def ask(method, **members):
    """Yields the result of a request, or its error, which has a message; after "subscribe" also None for each event."""
    with contextlib.suppress(OSError, ValueError), socket.socket(socket.AF_UNIX) as promod:
        promod.settimeout(None if method == "subscribe" else 5)
        promod.connect(PATH)
        promod.sendall(json.dumps({"method": method, **members}).encode() + b"\n")
        yield from (reply.get("result") or reply.get("error") for reply in map(json.loads, promod.makefile()))

def follow():  # Runs on a thread, because it waits.
    while True:
        for _ in ask("subscribe", events=["catalog", "icons"]):
            if listing := next(ask("list", host=HOST, language=GLib.get_language_names()[0], icons=True), None):
                GLib.idle_add(show, listing)
        GLib.idle_add(group.set_description, "This list may be out of date.")
        time.sleep(random.uniform(0.1, 5))

def show(listing):
    apps, is_old = listing.get("apps", []), listing.get("state") == "expired"
    text = "" if apps else listing.get("message", "There are no other apps to show.")
    group.set_description("This list may be out of date." if is_old else text)
    group.set_header_suffix(retry if is_old or listing.get("canRetry") else None)
    while rows.get_first_child():
        rows.remove(rows.get_first_child())
    for app in apps:
        row = Adw.ActionRow(use_markup=False, title_lines=1, subtitle_lines=2, activatable=True)
        row.set_properties(title=app["name"], subtitle=f"{app['category']}\n{app['tagline']}")
        row.add_prefix(Gtk.Image(file=app["iconPath"], pixel_size=40))
        row.connect("activated", tap, app)
        rows.append(row)
        if app["id"] not in seen and next(ask("impression", host=HOST, apps=[app["id"]]), None):
            seen.add(app["id"])

def tap(_, app):
    result = next(ask("tap", host=HOST, app=app["id"], language=GLib.get_language_names()[0]), app)  # else the list's
    if "message" in result:
        return group.set_description(result["message"])
    Gtk.show_uri(window, result["storeURL"], Gdk.CURRENT_TIME)

Adw.init()
seen, rows = set(), Gtk.ListBox(css_classes=["boxed-list"], valign=Gtk.Align.START)
retry = Gtk.Button(label="Try Again", valign=Gtk.Align.CENTER)
retry.connect("clicked", lambda _: next(ask("refresh", host=HOST, wait=False), None))
group = Adw.PreferencesGroup(margin_start=12, margin_end=12, margin_top=12, margin_bottom=12)
group.add(Gtk.ScrolledWindow(child=rows, vexpand=True))
window = Gtk.Window(title="More Apps", child=group, default_width=420, default_height=480, visible=True)
next(ask("launch", app=HOST), None)
review = next(ask("review-request", app=HOST, completed=3), {})
if review.get("granted"):
    group.add(Gtk.LinkButton(uri=review["reviewURL"], label="Do you like this app? Write a review."))
threading.Thread(target=follow, daemon=True).start()
while window.get_visible():
    GLib.MainContext.default().iteration()
