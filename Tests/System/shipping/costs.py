"""What an app costs that brings promod: after it has ended, and when it starts."""
import statistics
import time

from support.claims import expect
from support.wire import comes
from .machine import check

STAYS = 15  # seconds that promod stays after the last app
STARTS, LIMIT = 20, 0.1  # how many starts have a median, and by how much more it may be without promod, in seconds
LAUNCHES = 6  # or as much as so many starts of the program take, on a machine that is busy
ROUNDS = 5  # on a machine that is busy


def stays(machine):
    """An app that showed its list and followed the events."""
    app = machine.library("own", machine.origin.url)
    expect(machine.shown(app) == machine.content.promoted("finebill"), "the app has another list")
    app.kill()
    app.communicate()
    began = time.monotonic()
    expect(comes(lambda: not machine.promods()), "promod stays after its last app")
    took = time.monotonic() - began
    expect(took > STAYS - 1, f"promod ends {took:.1f} s after its last app")
    return f"promod ended {took:.1f} s after the app"


def start(machine):
    """A kept list, from the start of the app until it has it."""
    def timed():
        began = time.monotonic()
        app = machine.library("own", machine.origin.url)
        expect(machine.shown(app) == machine.content.promoted("finebill"), "the app has another list")
        took = time.monotonic() - began
        app.kill()
        app.communicate()
        return took
    timed()
    for _ in range(ROUNDS):
        found = []
        for _ in range(STARTS):
            running = timed()
            machine.kill_promod()
            began = time.monotonic()
            machine.run(machine.binary, "--version")
            found.append((time.monotonic() - began, running, timed()))
        launch, with_promod, without = map(statistics.median, zip(*found))
        limit = max(LIMIT, LAUNCHES * launch)
        if without - with_promod <= limit:
            break
    figures = f"{with_promod * 1e3:.0f} ms with promod, {without * 1e3:.0f} ms without, and {launch * 1e3:.0f} ms for --version"
    expect(without - with_promod <= limit, f"in each of {ROUNDS} rounds it takes too long, in the last {figures}")
    return figures


CHECKS = [
    check("stays", f"promod ends {STAYS} s after the last app that it was started for", stays),
    check("start", f"a kept list takes at most {LIMIT * 1e3:.0f} ms more without a running promod than with one, median of {STARTS}", start,
          alone=True),
]
