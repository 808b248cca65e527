"""What only a window does."""
import contextlib
import os
import re

from support import pictures
from support.claims import expect
from support.network import is_online
from support.shop import check
from support.wire import comes
from .lives import LONG, sleeps
from .programs import GTK, GTK_ALONE

OPENER = """#!/bin/sh
echo "$1" >>{directory}/opened
"""
ENTRY = """[Desktop Entry]
Type=Application
Name=Opener
Exec={directory}/opener %u
MimeType=x-scheme-handler/https;
"""


def _make_browser(shop):
    """Makes a program the one that opens https addresses, which writes them to a file."""
    places = {"opener": OPENER, "data/applications/opener.desktop": ENTRY,
              "config/mimeapps.list": "[Default Applications]\nx-scheme-handler/https=opener.desktop\n"}
    for path, text in places.items():
        os.makedirs(os.path.dirname(f"{shop.directory}/{path}"), exist_ok=True)
        with open(f"{shop.directory}/{path}", "w", encoding="utf-8") as file:
            file.write(text.format(directory=shop.directory))
    os.chmod(f"{shop.directory}/opener", 0o755)


def tap(shop):
    """A row is tapped, with promod and without."""
    _make_browser(shop)
    two = "https://example.com/two?a=1&b=2"
    shop.publish([shop.app(0, "One"), shop.app(1, "Two", storeURLs={"linux": two})])
    shop.start()
    with GTK.run(shop) as program:
        program.expect("Two")
        program.write("tap Two")
        if is_online():
            expect(comes(lambda: _opened(shop) == [two]), f"a tap opens {_opened(shop)}, not {two}; {program.output}")
        else:
            program.expect("needs an internet connection")
        shop.expect_equal(shop.daemon.ask("status")["requests"]["tap"], 1, "the number of taps that promod knows")
        shop.daemon.process.kill()
        shop.daemon.process.wait()
        program.expect("Trying again")
        program.write("tap One")
        one = "https://apps.apple.com/app/id6000000000"
        expect(comes(lambda: one in _opened(shop)), f"without promod, a tap opens {_opened(shop)}, not {one}")


def look(shop):
    """Pictures that come later than the list, and texts that are longer than the window is wide."""
    shop.publish([
        shop.app(0, "Pictured", pictures.png()), shop.app(1, LONG, pictures.png(colour=(40, 160, 80)), tagline={"en": LONG}),
        shop.app(2, "Without a picture")])
    shop.start()
    with GTK.run(shop) as program:
        program.expect("Without a picture")

        def has_both():
            program.write("look")
            return "pictures 2" in program.output
        expect(comes(has_both), f"the pictures do not come: {program.output[-300:]}")
        width = int(re.findall(r"width (\d+)", program.output)[-1])
        shop.expect(400 < width < 500, f"the window is {width} pixels wide")
        return f"{width} pixels wide"


def _opened(shop):
    with contextlib.suppress(FileNotFoundError), open(f"{shop.directory}/opened", encoding="utf-8") as file:
        return file.read().splitlines()
    return []


CHECKS = [
    check("gtk-tap", "a tap in the window opens the app's page, with promod, which knows of it then, and without", tap),
    check("gtk-idle", "the window sleeps while nothing happens", lambda shop: sleeps(GTK_ALONE, shop)),
    check("gtk-look", "the window shows the apps' pictures as they come, and no text makes it wider", look),
]
