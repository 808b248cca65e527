"""Follows the system calls of all threads of a process, or of a process that it starts, by ptrace(2)."""
import contextlib
import ctypes
import os
import re
import signal
import subprocess
import threading
import time

SEIZE, INTERRUPT, SYSCALL, CONTINUE, DETACH, GET_SYSCALL_INFO = 0x4206, 0x4207, 24, 7, 17, 0x420E
TRACESYSGOOD, TRACEVFORK, TRACECLONE, EXITKILL = 1, 1 << 2, 1 << 3, 1 << 20
ENTRY = 1  # PTRACE_SYSCALL_INFO_ENTRY
EVENT_STOP = 128
ALL_THREADS = 0x40000000  # __WALL

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_libc.ptrace.restype = ctypes.c_long


class Tracer:
    """Stops each thread of a process at each system call. All calls must come from one thread, which has no other children."""

    def __init__(self, pid):
        self.pid = pid
        self.is_gone = False
        for thread in map(int, os.listdir(f"/proc/{pid}/task")):
            _ptrace(SEIZE, thread, 0, TRACESYSGOOD | TRACECLONE | EXITKILL)
            _ptrace(INTERRUPT, thread)

    def run(self, limit, is_over):
        """Lets the process run until the condition holds, or kills it at the system call of that number, before the kernel performs it.

        Returns how many calls were begun.
        """
        calls = 0
        while not self.is_gone and not is_over():
            calls += self._step(calls + 1 == limit)
        return calls

    def kill(self):
        """Kills the process, and returns when it is gone."""
        os.kill(self.pid, signal.SIGKILL)
        while not self.is_gone:
            self._step(False)

    def _step(self, kills):
        """Waits for a stop, and goes on after it, or kills if it is the beginning of a system call: then returns true."""
        try:
            thread, status = os.waitpid(-1, ALL_THREADS)
        except ChildProcessError:
            self.is_gone = True
            return False
        if not os.WIFSTOPPED(status):
            self.is_gone = thread == self.pid
            return False
        begins = _begins(thread, status)
        if begins and kills:
            self.kill()
            return True
        _ptrace(SYSCALL, thread, 0, _signal(status))
        return begins


class ChildTracer:
    """Lets a process run, and stops each thread of a process that it starts at each system call."""

    def __init__(self, pid):
        self.pid = pid
        self.threads = set()
        # One that is not followed yet may start another meanwhile.
        while missing := self._tasks() - self._attached():
            for thread in missing:
                _ptrace(SEIZE, thread, 0, TRACESYSGOOD | TRACEVFORK | TRACECLONE)

    def run(self, limit, is_over):
        """Goes on until the condition holds, and kills the child at its system call of that number; whether it had so many."""
        calls, is_killed = 0, False
        while not is_over():
            thread, status = os.waitpid(-1, ALL_THREADS | os.WNOHANG)
            if thread == 0:
                time.sleep(0.0002)
            elif self._stops(thread, status):
                calls += 1
                if calls == limit:
                    os.kill(self.child(thread), signal.SIGKILL)
                    is_killed = True
                else:
                    _ptrace(SYSCALL, thread)
        return is_killed

    @staticmethod
    def child(thread):
        """The process of a thread."""
        with open(f"/proc/{thread}/status", encoding="ascii") as file:
            return int(re.search(r"^Tgid:\s*(\d+)", file.read(), re.MULTILINE)[1])

    def release(self):
        """Leaves everything to itself."""
        # A thread that has just begun is followed before it has stopped for the first time.
        while waiting := self.threads | self._attached():
            thread, status = os.waitpid(-1, ALL_THREADS | os.WNOHANG)
            if thread == 0:
                for each in waiting:
                    _ptrace(INTERRUPT, each)
                time.sleep(0.0002)
            elif os.WIFSTOPPED(status):
                _ptrace(DETACH, thread, 0, _signal(status))
            self.threads.discard(thread)

    def _tasks(self):
        return set(map(int, os.listdir(f"/proc/{self.pid}/task")))

    def _attached(self):
        """The threads of the process that are followed."""
        found = set()
        for thread in self._tasks():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                with open(f"/proc/{self.pid}/task/{thread}/status", encoding="ascii") as file:
                    if re.search(rf"^TracerPid:\s*{threading.get_native_id()}$", file.read(), re.MULTILINE):
                        found.add(thread)
        return found

    def _is_parents(self, thread):
        return os.path.exists(f"/proc/{self.pid}/task/{thread}")

    def _stops(self, thread, status):
        """Goes on after a stop, unless it is the beginning of a system call of the child: then returns true."""
        if not os.WIFSTOPPED(status):
            self.threads.discard(thread)
            return False
        self.threads.add(thread)
        if self._is_parents(thread):
            _ptrace(CONTINUE, thread, 0, _signal(status))
            return False
        if _begins(thread, status):
            return True
        _ptrace(SYSCALL, thread, 0, _signal(status))
        return False


def is_possible():
    """Whether this process may follow the system calls of another one."""
    sleeper = subprocess.Popen(["sleep", "60"])
    try:
        Tracer(sleeper.pid).run(1, lambda: False)
        return True
    except OSError:
        return False
    finally:
        sleeper.kill()
        sleeper.wait()


def _begins(thread, status):
    """Whether a thread has stopped at the beginning of a system call."""
    if os.WSTOPSIG(status) != signal.SIGTRAP | 0x80:
        return False
    info = ctypes.create_string_buffer(96)
    _ptrace(GET_SYSCALL_INFO, thread, len(info), ctypes.addressof(info))
    return info.raw[0] == ENTRY


def _signal(status):
    """The signal that a thread has stopped for, and gets when it goes on; 0 for none."""
    number, event = os.WSTOPSIG(status), status >> 16
    return 0 if number in (signal.SIGTRAP | 0x80, signal.SIGTRAP) or event == EVENT_STOP else number


def _ptrace(request, thread, address=0, data=0):
    # A thread that has just been killed cannot be asked for anything; its end is reported later.
    if _libc.ptrace(request, thread, address, data) < 0 and ctypes.get_errno() != 3:
        raise OSError(ctypes.get_errno(), f"ptrace {request:#x}: {os.strerror(ctypes.get_errno())}")
