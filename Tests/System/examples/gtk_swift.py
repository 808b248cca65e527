"""The window in Swift. Each app has a picture of one colour, and the X server's screen is a file in which the colours are found."""
import subprocess

from support import pictures
from support.check import ROOT, LeftOut
from support.claims import expect
from support.programs import missing
from support.running import running
from support.shop import check
from support.wire import comes

BUILT = f"{ROOT}/.build/examples"
BUILD = ["swift", "build", "--package-path", f"{ROOT}/packaging/examples/more-apps-gtk-swift", "--scratch-path", BUILT, "--quiet"]
XVFB = ["Xvfb", "-displayfd", "1", "-screen", "0", "600x600x24", "-nolisten", "tcp", "-fbdir"]
GTK = {"GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none", "GTK_THEME": "Default", "GSETTINGS_BACKEND": "memory",
       "DBUS_SESSION_BUS_ADDRESS": "disabled:"}
RED, GREEN, BLUE, BAR = (200, 40, 40), (40, 160, 80), (40, 80, 200), (246, 245, 244)
SECOND_ROW, TRY_AGAIN = ("200", "96"), ("390", "455")


def life(shop):
    """promod has no list, then two in turn. It is killed, and started again with another one."""
    if reason := missing("swift", "libgtk-4-dev", "Xvfb", "xdotool"):
        raise LeftOut(reason)
    done = subprocess.run(BUILD, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    expect(done.returncode == 0, f"it does not build: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    shop.start()
    with subprocess.Popen([*XVFB, shop.directory], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        display = {"DISPLAY": f":{server.stdout.readline().decode().strip()}"}
        # In this PATH there is no xdg-open, so the bar shows the address that a click would open.
        variables = {**GTK, **display, "PROMOD_SOCKET": shop.daemon.socket, "PATH": shop.directory}
        try:
            with running(shop, "gtk-swift", [f"{BUILT}/debug/more-apps-gtk-swift", "host"], variables):
                _live(shop, lambda place: subprocess.run(["xdotool", "mousemove", *place, "click", "1"], env=display, check=True))
        finally:
            server.terminate()


def _live(shop, click):
    def shown():
        with open(f"{shop.directory}/Xvfb_screen0", "rb") as file:
            screen = file.read()
        return [colour for colour in (RED, GREEN, BLUE, BAR) if bytes([*reversed(colour), 255]) in screen]

    def expect_shown(*colours):
        expect(comes(lambda: shown() == [*colours]), f"the screen shows {shown()}, not {colours}")

    def publish(*colours):
        shop.publish([shop.app(number, "App", pictures.png(colour=colour)) for number, colour in enumerate(colours)])
        shop.daemon.refresh()
        expect_shown(*colours)

    def asks(method):
        return shop.daemon.ask("status")["requests"].get(method)
    expect_shown(BAR)
    expect(comes(lambda: click(TRY_AGAIN) and asks("refresh")), "the button does not ask for a refresh")
    publish(RED, GREEN)
    click(SECOND_ROW)
    expect_shown(RED, GREEN, BAR)
    for method in "launch", "review-request", "impression", "tap":
        shop.expect(comes(lambda: asks(method)), f"it sends no {method}")
    publish(RED)
    shop.daemon.process.kill()
    shop.daemon.process.wait()
    expect_shown(RED, BAR)
    shop.start()
    publish(BLUE)


CHECKS = [check("swift-window", "the window in Swift tries again, follows promod, is clicked, and outlives promod", life)]
