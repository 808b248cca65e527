"""Sandboxes in which the user has another number, and sandboxes of another user."""
import functools
import os
import socket
import struct
import subprocess
import tempfile

from support.cases import GOOD
from support.check import LeftOut
from support.wire import PATIENCE
from .stage import check, copied

NOBODY = 65_534  # what the kernel shows for a user without a number in a namespace
INSIDE = 0, 1234, NOBODY
OTHER = 61_234  # a user who needs no name
REQUEST = '{"method":"list"}\n'


def renumbered(stage):
    """The kernel translates the numbers, in both directions."""
    reported = {}
    for uid in INSIDE:
        with stage.sandbox("--uid", str(uid), "--gid", str(uid)) as box:
            stage.expect(box.get("user") == uid, f"the uid in the sandbox is {box.get('user')}, not {uid}")
            stage.expect_service(box, f"with the uid {uid}")
            stage.expect(box.get("peer", stage.socket) == uid, f"to the uid {uid}, promod's is {box.get('peer', stage.socket)}")
            reported[uid] = _reported(stage, box)
    stage.expect(set(reported.values()) == {os.getuid()}, f"the kernel reports {reported}, not {os.getuid()}")
    return f"outside, {', '.join(map(str, INSIDE))} are {', '.join(str(reported[uid]) for uid in INSIDE)}"


def default_path(stage):
    """Without a variable, promoctl derives the path from its own uid."""
    place = "/run/user/1234/promod"
    with stage.sandbox("--uid", "1234", "--gid", "1234", target=place, XDG_RUNTIME_DIR="") as box:
        stage.expect_service(box, f"at {place}", f"{place}/promod.sock")


def private_users(stage):
    """promod has a user namespace, as its unit demands, and the client has another one."""
    launcher = ["unshare", "--user", "--map-current-user", "--"]
    if subprocess.run([*launcher, "true"], capture_output=True, check=False).returncode != 0:
        raise LeftOut("unshare cannot map the current user here")
    stage.daemon.launcher = launcher
    stage.start()
    stage.expect(os.readlink(f"/proc/{stage.daemon.pid}/ns/user") != os.readlink("/proc/self/ns/user"), "promod has no namespace")
    for uid in INSIDE:
        with stage.sandbox("--uid", str(uid), "--gid", str(uid)) as box:
            stage.expect_service(box, f"with the uid {uid}")


def other_user(stage):
    """promod belongs to another user, who has opened all modes."""
    if reason := _obstacle():
        raise LeftOut(reason)
    with tempfile.TemporaryDirectory(prefix="promod-test-") as directory:
        _give_away(stage, directory)
        stage.daemon.start()
        for arguments in ["wait"], ["list", "--json"]:
            own = [*_as_other(), stage.promoctl_binary, *arguments]
            listing = subprocess.run(own, env=stage.daemon.environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
        stage.expect(GOOD.generation in listing.stdout, f"its owner gets {listing.stdout}{listing.stderr}")
        os.chmod(stage.place, 0o755)
        with stage.sandbox() as box:
            stage.expect_cut_off(box, "with the socket's own mode", "EACCES")
        os.chmod(stage.socket, 0o666)
        for uid in os.getuid(), OTHER, NOBODY:
            with stage.sandbox("--uid", str(uid), "--gid", str(uid)) as box:
                answer, error = box.call("ask", stage.socket, REQUEST)
                right = not answer and error in (None, "ECONNRESET", "EPIPE")
                stage.expect(right, f"with the uid {uid} a client is answered {answer or error}")
                code, output, says = box.promoctl("list")
                # A user without a number in the namespace is shown as nobody, so as nobody promoctl takes it for its own.
                right = code == 69 and not output and (uid == NOBODY or "belongs to the user with the id" in says)
                stage.expect(right, f"with the uid {uid} promoctl list ends with {code}: {output}{says}")


def _reported(stage, box):
    """The uid of a client in the sandbox, as the kernel reports it to a program outside."""
    path = f"{stage.place}/listener"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        box.get("peer", path)
        connection, _ = listener.accept()
        with connection:
            os.unlink(path)
            return struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[1]


@functools.cache
def _obstacle():
    """Why no program can run as another user; empty if one can."""
    done = subprocess.run([*_as_other(), "true"], capture_output=True, text=True, check=False)
    return f"no program can run as another user here: {done.stderr.strip()}" if done.returncode else ""


def _as_other():
    return ["setpriv", f"--reuid={OTHER}", f"--regid={OTHER}", "--clear-groups", "--"]


def _give_away(stage, directory):
    """Lets promod be started as the other user, in its directory, from a copy of the program that the user can read."""
    daemon = stage.daemon
    os.chmod(directory, 0o755)
    daemon.binary = copied(daemon.binary, f"{directory}/promod")
    stage.promoctl_binary = copied(stage.promoctl_binary, f"{directory}/promoctl")
    daemon.launcher = _as_other()
    daemon.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    daemon.manager.bind(f"{daemon.directory}/notify")
    os.makedirs(stage.runtime)
    for place, _, names in os.walk(daemon.directory):
        for path in place, *(f"{place}/{name}" for name in names):
            os.chown(path, OTHER, OTHER)
    os.chmod(daemon.directory, 0o755)


CHECKS = [
    check("other-numbers", "a client whose uid is another one inside is served, because the kernel reports the one outside",
          renumbered),
    check("other-number-default-path", "without any variable such a client looks in /run/user of the uid inside", default_path),
    check("private-users", "such a client is served by a promod in a user namespace of its own, too", private_users,
          starts=False),
    check("other-user", "the promod of another user serves no sandbox, whatever the modes and the uid inside", other_user,
          starts=False),
]
