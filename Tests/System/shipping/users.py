"""Users who are not alone, who have no session, or whose disk is full or forbidden. What is right, from the design:

- each user has a promod of their own, at a socket that no other user can connect to;
- without a runtime directory there is no promod, and the developer hears what to set; nothing is made in the system's place;
- a disk that takes nothing keeps no app from its list;
- in the directories of another user nothing is written;
- a program with more rights than its user starts nothing.
"""
import contextlib
import os
import shutil
import subprocess
import sys

from support.check import LeftOut
from support.claims import expect
from support.wire import PATIENCE
from .machine import PROBE, check, write_app

ALICE, BOB = 61_234, 61_235


class Person:
    """A user with a home and a runtime directory."""

    def __init__(self, machine, uid):
        if os.getuid() != 0:
            raise LeftOut("only root becomes another user")
        self.machine, self.uid = machine, uid
        self.home, self.runtime = (f"{machine.directory}/{kind}-{uid}" for kind in ("home", "run"))
        self.environment = {**machine.environment, "HOME": self.home, "XDG_RUNTIME_DIR": self.runtime}
        self.become = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--"]
        os.chmod(machine.directory, 0o755)
        os.chmod(machine.origin.certificate, 0o644)
        for directory in self.home, self.runtime:
            os.mkdir(directory, 0o700)
        machine.configure(f"{self.home}/.config")
        self.own(self.home, self.runtime)

    def own(self, *directories):
        """Makes what is in directories the user's."""
        for directory in directories:
            for place, _, names in os.walk(directory):
                for path in place, *(f"{place}/{name}" for name in names):
                    os.chown(path, self.uid, self.uid)

    @property
    def socket(self):
        return f"{self.runtime}/promod/promod.sock"

    def app(self, name="app.py"):
        """The path of an app, which every user can run."""
        path = f"{self.machine.directory}/{name}"
        write_app(path, self.machine.binary)
        return path

    def run(self, *command, mounting="", ends=False, **variables):
        """The exit code and the output of a command of the user, after commands of root in a namespace of mounts; perhaps also one of
        processes, in which its promod ends with it."""
        script = f"{mounting or ':'}\nexec \"$@\""
        namespaces = ["unshare", "--mount", *(["--pid", "--fork", "--kill-child"] if ends else [])]
        done = subprocess.run(
            [*namespaces, "sh", "-euc", script, "sh", *self.become, *command], env={**self.environment, **variables},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=PATIENCE)
        return done.returncode, done.stdout + done.stderr

    def files(self):
        """What the user has, but for the configuration."""
        return sorted(f"{place}/{name}" for top in (self.home, self.runtime) for place, _, names in os.walk(top)
                      for name in names if name != "config.toml")

    def end(self):
        """Ends the user's promod."""
        with contextlib.suppress(OSError):
            self.machine.kill_promod(self.socket)


def two(machine):
    """Both have their lists at the same time."""
    persons = Person(machine, ALICE), Person(machine, BOB)
    shown = f"{len(machine.content.apps) - 1}\n"
    for person in persons:
        answer = person.run(sys.executable, person.app(), machine.origin.url)
        expect(answer == (0, shown), f"the app of {person.uid} says {answer}")
    alice, bob = persons
    expect(machine.promod(alice.socket) != machine.promod(bob.socket), "they share a promod")
    code, says = bob.run(sys.executable, "-c", "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])", alice.socket)
    expect(code == 1 and "PermissionError" in says, f"the other user's connection ends with {code}: {says}")
    # With all of her environment, as after su: her directories are closed to him.
    before = alice.files()
    code, says = bob.run(machine.binary, "--background", HOME=alice.home, XDG_RUNTIME_DIR=alice.runtime)
    expect(code == 71 and f"belongs to the user {ALICE}" in says and "XDG_RUNTIME_DIR" in says, f"with her environment it ends with {code}: {says}")
    expect(alice.files() == before, f"he leaves {alice.files()} in her home, which had {before}")
    for person in persons:
        person.end()


def cron(machine):
    """With the directory of a login somewhere else it is used all the same; without one it is not made."""
    person = Person(machine, ALICE)
    login = f"mount -t tmpfs tmpfs /run; mkdir -p /run/user; mkdir -m 700 /run/user/{ALICE}; chown {ALICE} /run/user/{ALICE}"
    shown = f"{len(machine.content.apps) - 1}\n"
    answer = person.run(sys.executable, person.app(), machine.origin.url, mounting=login, ends=True, XDG_RUNTIME_DIR="")
    expect(answer == (0, shown), f"beside a login the app says {answer}")
    before = person.files()
    code, says = person.run(machine.binary, "--background", "--app=app-7", f"--catalog-url={machine.origin.url}",
                            mounting="mount -t tmpfs tmpfs /run", XDG_RUNTIME_DIR="")
    expect(code == 71 and "XDG_RUNTIME_DIR" in says, f"without one it ends with {code}: {says}")
    expect(person.files() == before, f"it leaves {person.files()}")


def full(machine):
    """An app that was there before, and one that is new, on a home without room for a byte."""
    person = Person(machine, ALICE)
    path = f"{person.home}/.local/share/promod/catalogs.d"
    small = (f"mount -t tmpfs -o size=64k,mode=700,uid={ALICE} tmpfs {person.home}; mkdir -p {path} {person.home}/.config/promod; "
             f"cp {machine.directory}/.config/promod/config.toml {person.home}/.config/promod; "
             f"echo 'url = \"{machine.origin.url}\"' >{path}/app-app-7.toml; chown -R {ALICE} {person.home}; "
             f"dd if=/dev/zero of={person.home}/filler bs=1k status=none 2>/dev/null || :")
    # What the promod of the namespace says cannot be asked from outside.
    script = f'''
import json, socket, subprocess
new = ["{machine.binary}", "--background", "--app=notes", "--catalog-url=https://localhost:1/new.json"]
added = subprocess.run(new, capture_output=True, text=True)
print(added.returncode, added.stderr.strip())
connection = socket.socket(socket.AF_UNIX)
connection.connect("{person.socket}")
connection.sendall(b'{{"method":"list","host":"app-7","wait":true}}\\n{{"method":"status"}}\\n')
lines = connection.makefile()
print(len(json.loads(lines.readline())["result"]["apps"]))
print(*sorted({{problem["code"] for problem in json.loads(lines.readline())["result"]["problems"]}}))
'''
    code, says = person.run(sys.executable, "-c", script, mounting=small)
    added, listed, problems = (says.splitlines() + [""] * 3)[:3]
    expect(code == 0 and added.startswith("0 promod: the catalog of notes is not kept") and "No space left" in added, f"a new app hears {says}")
    expect(listed == str(len(machine.content.apps) - 1), f"the list has {listed} apps: {says}")
    expect("storage" in problems.split(), f"the status has {problems}")
    person.end()


def secure(machine):
    """A copy of an app that belongs to another user and has the set-user-ID bit."""
    person = Person(machine, ALICE)
    program = f"{machine.directory}/app/bin/notes"
    os.makedirs(f"{machine.directory}/app/bin")
    os.makedirs(f"{machine.directory}/app/libexec")
    shutil.copy(PROBE, program)
    shutil.copy(machine.binary, f"{machine.directory}/app/libexec/promod")
    for mode, starts in (0o4755, False), (0o755, True):
        os.chown(program, BOB, BOB)
        os.chmod(program, mode)
        if not starts and os.statvfs(program).f_flag & os.ST_NOSUID:
            raise LeftOut("the temporary directory ignores set-user-ID bits")
        app = subprocess.Popen([*person.become, program, "own", machine.origin.url], env={**person.environment, "PROMOD_PROGRAM": machine.binary},
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        machine.programs.append(app)
        list_line, error = app.stdout.readline(), app.stdout.readline()
        app.kill()
        expect((len(list_line.split()) > 1) == starts, f"with the mode {mode:o} it shows {list_line!r}, {error!r}")
        expect(starts or "cannot be reached" in error, f"with the mode {mode:o} it says {error!r}")
        expect(os.path.exists(person.socket) == starts, f"with the mode {mode:o} promod is {'not ' if starts else ''}started")
    person.end()


CHECKS = [
    check("users", "two users have a promod each, closed to the other; with the environment of the other one nothing is started or written", two),
    check("cron", "without XDG_RUNTIME_DIR the directory of a login is used; without one nothing is started or written, and the reason is named",
          cron),
    check("full-disk", "on a full disk an app has its list, and a new one is served and hears why its catalog is not kept", full),
    check("secure", "a program with more rights than its user starts no promod", secure),
]
