"""The sample, of which promod-protocol(7) says that its icons come without a network."""
import os

from support.claims import expect
from support.daemon import Daemon
from support.pictures import SIGNATURE
from support.wire import comes


def icons(binary):
    daemon = Daemon(binary)
    try:
        daemon.start()
        paths = comes(lambda: None not in (found := [app["iconPath"] for app in daemon.ask("list", icons=True)["apps"]]) and found)
        expect(paths, "there are no files of icons")
        for path in paths:
            with open(path, "rb") as file:
                expect(file.read(8) == SIGNATURE, f"{path} is no PNG")
            expect(os.path.getsize(path) < 1024, f"{path} has {os.path.getsize(path)} bytes")
        expect(daemon.ask("icon", app="bookary")["mediaType"] == "image/png", "the icon is not sent")
    finally:
        daemon.stop()
