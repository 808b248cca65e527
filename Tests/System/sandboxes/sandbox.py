"""Sandboxes with a shell that stays, and those that bubblewrap makes."""
import os
import re
import subprocess

from support.claims import Failed

HOME, PROMOCTL = "/home/guest", "/opt/promoctl"


def _base():
    """The start of a command line, with the system's programs and nothing else."""
    command = ["bwrap", "--unshare-all", "--unshare-user", "--cap-drop", "ALL", "--die-with-parent", "--new-session"]
    command += ["--ro-bind", "/usr", "/usr"]
    for name in "bin", "sbin", "lib", "lib64":
        if os.path.islink(f"/{name}"):
            command += ["--symlink", os.readlink(f"/{name}"), f"/{name}"]
        elif os.path.isdir(f"/{name}"):
            command += ["--ro-bind", f"/{name}", f"/{name}"]
    return [*command, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", HOME]


BASE = _base()


def obstacle():
    """Why no sandbox can be made here; empty if one can."""
    done = subprocess.run([*BASE, "--", "true"], capture_output=True, text=True, check=False)
    return f"bubblewrap cannot make a sandbox here: {done.stderr.strip()}" if done.returncode else ""


def command(promoctl, place, options):
    """The command line of a sandbox with this promoctl and this directory."""
    # The directories of its libraries that are not the system's, as a debug build has.
    linked = subprocess.run(["ldd", promoctl], capture_output=True, text=True, check=False).stdout
    libraries = sorted({os.path.dirname(path) for path in re.findall(r"=> (/\S+)", linked)})
    binds = [part for path in libraries if not path.startswith(("/lib", "/usr/")) for part in ("--ro-bind", path, path)]
    return [*BASE, *binds, "--ro-bind", promoctl, PROMOCTL, "--ro-bind", place, place, *options, "--"]


class Shell:
    """A shell from the beginning to the end of a block, which is in a sandbox if it is started by such a command."""

    def __init__(self, *start, environment):
        self.start, self.environment = start, environment

    def __enter__(self):
        self.process = subprocess.Popen(
            [*self.start, "sh"], env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self("true")
        return self

    def __exit__(self, *failure):
        self.process.kill()
        self.process.communicate()

    def __call__(self, line):
        """What a line prints, with its errors; `code` is its exit code then."""
        self.process.stdin.write(f"{line}\nprintf '\\nEND %s\\n' $?\n")
        self.process.stdin.flush()
        lines = []
        while not (found := re.fullmatch(r"END (\d+)\n", answer := self.process.stdout.readline())):
            if not answer:
                raise Failed(f"the sandbox ends: {lines}")
            lines.append(answer)
        self.code = int(found[1])
        return "".join(lines).strip()
