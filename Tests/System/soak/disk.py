"""The file system of promod's cache and state, which can be full or read-only."""
import contextlib
import ctypes
import os
import subprocess
import time

FAULTS = ["full", "read-only"]


class Disk:
    """A small file system in memory if the test may mount one, else a plain directory, which has no faults."""

    SIZE = "16m"
    # CLONE_NEWNS in sched.h: a mount namespace of its own, so that nothing stays mounted, however the test ends.
    NEW_NAMESPACE = 0x00020000

    def __init__(self, directory):
        self.path, self._aside = f"{directory}/disk", f"{directory}/aside"
        for path in self.path, self._aside:
            os.mkdir(path, 0o700)
        self.can_fail = ctypes.CDLL(None).unshare(self.NEW_NAMESPACE) == 0
        if self.can_fail:
            _run("mount", "--make-rprivate", "/")
            _run("mount", "-t", "tmpfs", "-o", f"size={self.SIZE},mode=700", "tmpfs", self.path)

    @contextlib.contextmanager
    def failing(self, fault):
        """Fails in this way until the end of the block."""
        if fault == "full":
            fill = f"{self.path}/fill"
            # Twice, because a file that is just being replaced leaves room again; when that is done, nothing tells.
            self._fill(fill)
            time.sleep(0.2)
            self._fill(fill)
            yield
            os.unlink(fill)
        else:
            # A read-only mount over itself, because what is open for writing would keep the file system from becoming read-only.
            # It is made elsewhere, where nobody opens anything before it is read-only.
            _run("mount", "--bind", self.path, self._aside)
            _run("mount", "-o", "remount,bind,ro", self._aside)
            _run("mount", "--move", self._aside, self.path)
            yield
            _run("umount", "--lazy", self.path)

    def close(self):
        if self.can_fail:
            _run("umount", "--lazy", "--recursive", self.path)

    @staticmethod
    def _fill(path):
        with open(path, "ab", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(1 << 16))


def _run(*command):
    subprocess.run(command, check=True)
