"""Many apps at once, whose promod is killed, the last one, and one without a parent."""
import os
import signal
import subprocess
import time

from support.claims import Failed, expect
from support.wire import comes
from .machine import check

APPS = 10
STAYS = 15  # seconds that promod stays after the last app


def subscribers(machine):
    """How many apps follow the list, at a promod that may just start."""
    try:
        return machine.ask("status")["socket"]["subscribers"]
    except (OSError, Failed):
        return 0


def is_alone(machine):
    """Whether one promod runs. Until it is another program, a child looks like it."""
    return comes(lambda: machine.promods() == [machine.promod()])


def crowd(machine):
    """Ten start at once, one is killed, and then promod is."""
    apps = [machine.library("own", machine.origin.url) for _ in range(APPS)]
    for app in apps:
        expect(machine.shown(app) == machine.content.promoted("finebill"), "an app of ten has another list")
    expect(comes(lambda: subscribers(machine) == APPS), f"{subscribers(machine)} of {APPS} apps follow the list")
    expect(is_alone(machine), f"{machine.promods()} run")
    apps[0].kill()
    expect(comes(lambda: subscribers(machine) == APPS - 1), "an app that was killed is still counted")
    machine.kill_promod()
    expect(comes(lambda: subscribers(machine) == APPS - 1), f"after promod was killed, {subscribers(machine)} of {APPS - 1} apps follow the list")
    expect(is_alone(machine), f"after promod was killed, {machine.promods()} run")
    expect(all(app.poll() is None for app in apps[1:]), "an app has ended with its promod")


def orphaned(machine):
    """The app has lost its parent, so that the first process of the system has it, and so is the daemon's."""
    # It waits for the end of its parent, whose number is $$.
    app = f'(while kill -0 $$ 2>/dev/null; do :; done; "$@"; echo $? >"{machine.directory}/code") >/dev/null 2>&1 &'
    machine.run("sh", "-c", app, "sh", machine.binary, "--background", stdin=subprocess.DEVNULL, start_new_session=True)
    code = f"{machine.directory}/code"
    expect(comes(lambda: os.path.exists(code) and open(code, encoding="ascii").read()) == "0\n", "--background fails, or does not end")
    pid = machine.promod()
    os.kill(pid, signal.SIGTERM)
    expect(comes(lambda: not os.path.exists(f"/proc/{pid}")), "promod stays as a zombie")


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


CHECKS = [
    check("stays", f"promod ends {STAYS} s after the last app that it was started for", stays),
    check("crowd", f"{APPS} apps that start at once share a promod, and go on when one of them, or promod, is killed", crowd),
    check("orphan", "an app without a parent has its promod, which leaves no zombie", orphaned),
]
