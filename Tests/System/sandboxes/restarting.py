"""Clients in sandboxes that were there before promod started, or started again."""
import os
import stat
import subprocess
import tempfile

from support.trial import restart
from support.wire import PATIENCE, comes
from .sandbox import PROMOCTL
from .stage import check, copied


def restarted(stage, box):
    """promod is stopped and started as systemd does; meanwhile nobody can reach it."""
    restart(stage.daemon, lambda: stage.expect_cut_off(box, "while promod is stopped", "ENOENT"))


def killed(stage, box):
    """promod is killed, and leaves its socket."""
    stage.daemon.process.kill()
    stage.daemon.process.wait()
    stage.expect_cut_off(box, "after promod was killed")
    stage.daemon.start()


def upgraded(stage, box):
    """promod's program is replaced as dpkg does, then promod is started again."""
    before = _program(stage.daemon)
    os.rename(copied(stage.daemon.binary, f"{stage.daemon.binary}.dpkg-new"), stage.daemon.binary)
    stage.expect_service(box, "between the replacement and the restart")
    restart(stage.daemon)
    stage.expect(_program(stage.daemon) != before, "the same program runs as before")


def goes_on(end, is_copied=False):
    """A check body: clients in one and the same sandbox go on when promod has ended and started again."""
    def body(stage):
        with tempfile.TemporaryDirectory(prefix="promod-test-") as directory:
            if is_copied:
                stage.daemon.binary = copied(stage.daemon.binary, f"{directory}/promod")
            stage.start()
            with stage.sandbox() as box, stage.following(box) as follower:
                stage.tap("before")
                stage.expect_taps(follower, "before")
                epoch, number = stage.daemon.ask("status")["epoch"], os.stat(stage.socket).st_ino
                end(stage, box)
                # The follower may not have subscribed again yet.
                stage.tap("after")
                stage.expect(stage.daemon.ask("status")["epoch"] != epoch, "promod was not started again")
                stage.expect_taps(follower, "before", "after")
                stage.expect("promod is back after a restart" in follower.notes, f"promoctl events says {follower.notes!r}")
                stage.expect_service(box, "after the start")
                stage.tap("later")
                stage.expect_taps(follower, "before", "after", "later")
                return f"the socket's inode was {number} and is {os.stat(stage.socket).st_ino}"
    return body


def file_alone(stage):
    """Two sandboxes, one with the socket's directory, one with its file."""
    with stage.sandbox() as whole, stage.sandbox(source=stage.socket) as alone:
        for box in whole, alone:
            stage.expect_service(box, "before the restart")
        restart(stage.daemon)
        stage.expect_service(whole, "with the directory, after the restart")
        stage.expect_cut_off(alone, "with the file alone, after the restart")
        with stage.sandbox(source=stage.socket) as later:
            stage.expect_service(later, "in a sandbox that was made after the restart")
        return "as documented: with the file alone it is cut off by a restart, with the directory it goes on"


def there_first(stage):
    """A sandbox and a promoctl wait that are older than the first promod, with a directory that another program made."""
    os.makedirs(stage.place)
    os.chmod(stage.place, 0o755)
    with stage.sandbox() as box, \
            box.start(PROMOCTL, "wait", "--timeout", f"{PATIENCE}s", stdout=subprocess.DEVNULL) as waiting:
        stage.expect_cut_off(box, "before promod is started", "ENOENT")
        stage.start()
        stage.expect(waiting.wait(PATIENCE) == 0, f"promoctl wait ends with {waiting.returncode}")
        stage.expect_service(box, "when promod has been started")
        mode = stat.S_IMODE(os.stat(stage.place).st_mode)
        stage.expect(mode == 0o700, f"the directory has the mode {mode:o}")
        with stage.following(box, "catalog") as follower:
            box.promoctl_json("clear", "--yes")
            stage.expect(comes(lambda: follower.events), "no event of the catalog comes after a clear")


def directory_later(stage):
    """A sandbox that is older than the socket's directory, and one that is younger."""
    os.makedirs(stage.runtime)
    with stage.sandbox(bind="--ro-bind-try") as before:
        # Only what answers has been made.
        stage.expect(not before.get("files", stage.place), "the directory is there before promod")
        stage.start()
        stage.expect_cut_off(before, "in a sandbox that is older than the directory", "ENOENT")
        with stage.sandbox() as after:
            stage.expect_service(after, "in a sandbox that is younger than the directory")
    return "as documented: the app has to be started again"


def _program(daemon):
    """The file that the process executes."""
    status = os.stat(f"/proc/{daemon.pid}/exe")
    return status.st_dev, status.st_ino


CHECKS = [
    check("restart", "clients in a sandbox with the socket's directory go on after a restart", goes_on(restarted), starts=False),
    check("crash", "clients in a sandbox with the socket's directory go on after a crash", goes_on(killed), starts=False),
    check("upgrade", "clients in a sandbox with the socket's directory go on after an upgrade", goes_on(upgraded, is_copied=True),
          starts=False),
    check("socket-file-alone-breaks",
          "a sandbox with the socket's file instead of its directory is cut off by a restart, because promod replaces the file",
          file_alone),
    check("sandbox-first", "a sandbox that was made before promod started finds it", there_first, starts=False),
    check("sandbox-before-directory",
          "a sandbox that was made before there was a directory of the socket never finds promod, and the next one does",
          directory_later, starts=False),
]
