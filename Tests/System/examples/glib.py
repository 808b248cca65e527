"""The program in Swift, in which GLib's loop serves the main actor. The library reconnects by itself, and says nothing of that."""
import subprocess

from support.check import ROOT
from support.claims import expect
from support.network import is_online
from support.shop import check
from .lives import sleeps
from .programs import EXAMPLES, Example

SOURCE = f"{EXAMPLES}/more-apps-glib"
BUILT = f"{ROOT}/.build/examples"


def _built(_):
    command = ["swift", "build", "--package-path", SOURCE, "--scratch-path", BUILT, "--quiet"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    expect(done.returncode == 0, f"it does not build: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return [f"{BUILT}/debug/more-apps-glib"]


GLIB = Example("glib", ("swift", "libglib2.0-dev"), _built)


def life(shop):
    """It is there before promod, follows it, taps, and goes on when promod was killed and started again."""
    shop.publish([shop.app(0, "One"), shop.app(1, "Two")])
    with GLIB.run(shop) as program:
        program.expect("promod cannot be reached")
        shop.expect(shop.daemon.socket in program.output, "it does not say where promod should be")
        shop.start()
        program.expect("Two")
        shop.publish([shop.app(0, "Three")])
        shop.daemon.refresh()
        program.expect("Three")
        program.write("1")
        program.expect("id6000000000" if is_online() else "needs an internet connection")
        shop.daemon.process.kill()
        shop.daemon.process.wait()
        shop.publish([shop.app(0, "Four")])
        shop.start()
        shop.daemon.refresh()
        program.expect("Four")


CHECKS = [
    check("glib-life", "in Swift under GLib's loop, the list comes, changes, is tapped, and outlives promod", life),
    check("glib-idle", "the program in Swift sleeps while nothing happens", lambda shop: sleeps(GLIB, shop)),
]
