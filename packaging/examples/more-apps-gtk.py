"""Shows the apps that HOST may promote in a window, and keeps it up to date: python3 more-apps-gtk.py HOST"""
import contextlib, gettext, gi, json, os, random, socket, sys, threading
gi.require_version("Adw", "1")
from gi.repository import Adw, Gdk, Gio, GLib, Gtk, Pango

HOST = sys.argv[1] if len(sys.argv) > 1 else sys.exit(__doc__)
PATH = os.environ.get("PROMOD_SOCKET") or GLib.get_user_runtime_dir() + "/promod/promod.sock"
LANGUAGE, _ = GLib.get_language_names()[0], gettext.gettext  # for LANGUAGE, LC_ALL, LC_MESSAGES or LANG; for your texts

def replies(method, **members):
    """Waits for promod, and yields the result of a request or its error, and after "subscribe" None for each event."""
    with contextlib.suppress(OSError, ValueError), socket.socket(socket.AF_UNIX) as promod:
        promod.settimeout(None if method in ("subscribe", "refresh") else 5)
        promod.connect(PATH)
        promod.sendall(json.dumps({"method": method, **members}).encode() + b"\n")
        yield from (reply.get("result") or reply.get("error") for reply in map(json.loads, promod.makefile()))

def ask(then, method, **members):
    """Waits on a thread, and hands the result, or an empty one if there is no promod, to a function of the window."""
    threading.Thread(target=lambda: GLib.idle_add(then, next(replies(method, **members), {})), daemon=True).start()

def follow():  # on a thread, because it waits for events
    while True:
        for event in replies("subscribe", events=["catalog", "icons"]):
            if listing := next(replies("list", host=HOST, language=LANGUAGE, icons=True), None):
                GLib.idle_add(show, listing)
        GLib.idle_add(show, None)
        retried.acquire(timeout=random.uniform(0.1, 5))

def show(listing):  # None if there is no promod
    global shown
    is_away, shown = listing is None, listing or shown
    (title, advice), apps, fetched = reason(shown), shown.get("apps", []), shown.get("fetchedAt")
    while not is_away and (row := rows.get_row_at_index(0)):
        rows.remove(row)
    for app in [] if is_away else apps:
        rows.append(make_row(app))
    date = fetched and GLib.DateTime.new_from_iso8601(fetched).to_local().format("%x")
    age.set_title(_("This list is from {} and may be out of date.").format(date) if date else _(
        "This list came with the app. There is no newer one yet."))
    banner.set_reveal_child(bool(apps) and (is_away or shown["state"] == "expired"))
    status.set_properties(title=title, description=advice, child=make_retry("pill") if advice else None)
    pages.set_visible_child(view if apps else status)

def reason(reply):  # why there are no apps, and what helps
    if reply.get("emptyBecause") in ("rule", "launched"):
        return _("There are no other apps to show."), ""
    if (reply.get("error") or {}).get("code") in ("dns", "connect"):
        return _("You're offline."), _("Connect to the internet to see more apps.")
    return _("Something went wrong, and apps can't be shown right now."), _("Please try again.")

def make_row(app):
    row = Adw.ActionRow(use_markup=False, title_lines=1, subtitle_lines=2, activatable=True)
    row.set_properties(title=app["name"], subtitle=f"{app['category']}\n{app['tagline']}")
    row.update_property([Gtk.AccessibleProperty.DESCRIPTION], [f"{app['category']}, {app['tagline']}"])
    tile = Gtk.Overlay(overflow=Gtk.Overflow.HIDDEN, valign=Gtk.Align.CENTER, css_classes=["card"])
    try:
        picture = Gdk.Texture.new_from_filename(app["iconPath"] or "")
    except GLib.Error:  # There is no picture yet, so here is its placeholder.
        pixels = GLib.Bytes.new(bytes.fromhex(app["placeholder"]["color"][1:]) * 48 * 48)
        picture = Gdk.MemoryTexture.new(48, 48, Gdk.MemoryFormat.R8G8B8, pixels, 3 * 48)
        initials = f'<span color="white" weight="bold">{GLib.markup_escape_text(app["placeholder"]["initials"])}</span>'
        tile.add_overlay(Gtk.Label(label=initials, use_markup=True, accessible_role=Gtk.AccessibleRole.PRESENTATION))
    tile.set_child(Gtk.Image(paintable=picture, pixel_size=48))
    row.add_prefix(tile)
    row.add_suffix(Gtk.Image(icon_name="adw-external-link-symbolic"))
    members = {"host": HOST, "app": app["id"], "language": LANGUAGE}
    row.connect("activated", lambda row: ask(lambda tap: go({**app, **tap}), "tap", **members))
    return row

def make_retry(style):
    button = Gtk.Button(label=_("Try Again"), halign=Gtk.Align.CENTER, valign=Gtk.Align.CENTER, css_classes=[style])
    button.connect("clicked", lambda button: (retried.release(), ask(refreshed, "refresh", host=HOST)))
    return button

def refreshed(result):
    if result.get("outcome") not in ("updated", "unchanged", "started"):
        say(" ".join(reason(result)))

def go(tap):  # to the page in the store, which is the list's while there is no promod
    def opened(source, result):
        try:
            Gio.AppInfo.launch_default_for_uri_finish(result)
        except GLib.Error:
            say(_("The page couldn't be opened. Open this address in your browser:") + "\n" + tap["storeURL"])
    offline = tap.get("presentation") == "offline"
    say(tap["message"]) if offline else Gio.AppInfo.launch_default_for_uri_async(tap["storeURL"], None, None, opened)

def say(text):
    label = Gtk.Label(label=text, wrap=True, wrap_mode=Pango.WrapMode.WORD_CHAR, selectable=True)
    toasts.add_toast(Adw.Toast(custom_title=label, timeout=10))

def offer(review):
    if review.get("granted"):
        toast = Adw.Toast(title=_("Do you like this app?"), button_label=_("Review It"), timeout=0)
        toast.connect("button-clicked", lambda toast: go({"storeURL": review["reviewURL"]}))
        toasts.add_toast(toast)

def see(clock):  # after a frame: the rows whose middle is in view
    boxes = [rows.get_row_at_index(place).compute_bounds(view)[1] for place in range(len(shown.get("apps", [])))]
    new = [app["id"] for app, box in zip(shown.get("apps", []), boxes) if 0 < box.get_center().y < view.get_height()]
    if new := [app for app in new if app not in seen]:
        seen.update(new)
        ask(lambda result: None, "impression", host=HOST, apps=new)

def start(application):
    window = Adw.ApplicationWindow(application=application, content=content, title=_("More Apps"))
    window.set_default_size(420, 520)
    window.present()
    window.get_frame_clock().connect("after-paint", see)
    threading.Thread(target=follow, daemon=True).start()
    ask(lambda result: None, "launch", app=HOST)
    ask(offer, "review-request", app=HOST, completed=3)  # Your app counts what went well for the person.

Adw.init()
shown, seen, retried = {}, set(), threading.Semaphore(0)
rows = Gtk.ListBox(css_classes=["boxed-list"], valign=Gtk.Align.START, selection_mode=Gtk.SelectionMode.NONE)
clamp = Adw.Clamp(child=rows, maximum_size=600, margin_top=12, margin_bottom=24, margin_start=12, margin_end=12)
view = Gtk.ScrolledWindow(hscrollbar_policy=Gtk.PolicyType.NEVER, vexpand=True, child=clamp)
status, pages = Adw.StatusPage(icon_name="view-app-grid-symbolic", css_classes=["compact"]), Gtk.Stack()
for page in Gtk.Spinner(spinning=True, width_request=32, halign=Gtk.Align.CENTER), view, status:
    pages.add_child(page)
age, toasts, content = Adw.ActionRow(), Adw.ToastOverlay(child=pages), Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
age.add_suffix(make_retry("flat"))
banner = Gtk.Revealer(child=age)  # Debian 12 has no Adw.Banner.
for widget in Adw.HeaderBar(), banner, toasts:
    content.append(widget)
application = Adw.Application(application_id="org.example.MoreApps", flags=Gio.ApplicationFlags.NON_UNIQUE)
application.connect("activate", start)
sys.exit(application.run())
