"""Clients in sandboxes: those that were there before promod, those that have other numbers for users, and what none of them can do."""
import os
import stat
import subprocess

from support.check import LeftOut
from support.trial import restart
from support.wire import comes
from .sandbox import PROMOCTL
from .stage import check, hosts

NOBODY = 65_534  # what the kernel shows for a user without a number in a namespace
INSIDE = 0, 1234, NOBODY


def restarted(stage):
    """promod is stopped and started as systemd does; meanwhile nobody can reach it."""
    with stage.sandbox() as box:
        box(f"{PROMOCTL} events tap --json >/tmp/events 2>/tmp/notes &")
        comes(lambda: stage.daemon.ask("status")["socket"]["subscribers"] == 1)
        stage.daemon.ask("tap", app="app-1", host="before")
        stage.expect(comes(lambda: hosts(box("cat /tmp/events")) == ["before"]), f"promoctl events shows {box('cat /tmp/events')}")
        restart(stage.daemon, lambda: stage.expect_cut_off(box, "while promod is stopped"))
        # It may not have subscribed again yet.
        stage.daemon.ask("tap", app="app-1", host="after")
        found = comes(lambda: len(taps := hosts(box("cat /tmp/events"))) > 1 and taps)
        stage.expect(found == ["before", "after"], f"promoctl events shows the taps of {found}")
        stage.expect("promod is back after a restart" in box("cat /tmp/notes"), f"promoctl events says {box('cat /tmp/notes')}")
        stage.expect_service(box, "after the start")


def there_first(stage):
    """A sandbox and a promoctl wait that are older than the first promod, with a directory that another program made."""
    os.makedirs(stage.place)
    os.chmod(stage.place, 0o755)
    with stage.sandbox() as box:
        box(f"({PROMOCTL} wait --timeout 60s; echo $? >/tmp/waited) >/dev/null 2>&1 &")
        stage.expect_cut_off(box, "before promod is started")
        stage.start()
        stage.expect(comes(lambda: box("cat /tmp/waited 2>/dev/null")) == "0", "promoctl wait fails")
        stage.expect_service(box, "when promod has been started")
        mode = stat.S_IMODE(os.stat(stage.place).st_mode)
        stage.expect(mode == 0o700, f"the directory has the mode {mode:o}")


def socket_stays(stage):
    """Whatever would let it answer in promod's place, or keep others out."""
    path = stage.socket
    before = _snapshot(stage)
    with stage.sandbox() as box:
        for attempt, expected in {
            f"rm {path}": "Read-only", f"mv {path} {path}.old": "Read-only", f"chmod 666 {path}": "Read-only",
            f"timeout 5 nc.openbsd -lU {stage.place}/other.sock": "Read-only", f"rm {path}.lock": "Read-only", f"echo >>{path}.lock": "Read-only",
            # A lock needs no right to write: whoever held it would keep promod from starting.
            f"flock -n {path}.lock true": "Permission denied",
        }.items():
            says = box(f"({attempt}) 2>&1")
            stage.expect(box.code and expected in says, f"{attempt} says {says}, not {expected}")
        stage.expect(_snapshot(stage) == before, f"inodes and modes were {before} and are {_snapshot(stage)}")
        stage.expect_service(box, "after all attempts")


def renumbered(stage):
    """The kernel translates the numbers, also if promod has a user namespace, as its unit demands."""
    launcher = ["unshare", "--user", "--map-current-user", "--"]
    if subprocess.run([*launcher, "true"], capture_output=True, check=False).returncode != 0:
        raise LeftOut("unshare cannot map the current user here")
    for way in [], launcher:
        if way:
            stage.daemon.launcher = way
            restart(stage.daemon)
        for uid in INSIDE:
            with stage.sandbox("--uid", str(uid), "--gid", str(uid)) as box:
                stage.expect(box("id -u") == str(uid), f"the uid in the sandbox is {box('id -u')}, not {uid}")
                stage.expect_service(box, f"with the uid {uid}, and promod {' '.join(way)}")


def _snapshot(stage):
    """The inodes and the modes of the socket, its lock and their directory."""
    found = [os.stat(path) for path in (stage.place, stage.socket, f"{stage.socket}.lock")]
    return [(status.st_ino, stat.filemode(status.st_mode)) for status in found]


CHECKS = [
    check("restart", "clients in a sandbox with the socket's directory go on after a restart", restarted),
    check("sandbox-first", "a sandbox that was made before promod started finds it", there_first, starts=False),
    check("socket-stays", "a client with the directory read-only can neither replace, remove nor lock anything in it", socket_stays),
    check("private-users", "a client with another uid inside is served, because the kernel reports the one outside, also by a promod "
          "in a user namespace of its own", renumbered),
]
