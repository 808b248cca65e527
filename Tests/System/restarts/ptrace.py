"""Follows the system calls of all threads of a process, or of a process that it starts, by ptrace(2)."""
import ctypes
import os
import re
import signal
import subprocess
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
        self._info = ctypes.create_string_buffer(96)

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
        number, event = os.WSTOPSIG(status), status >> 16
        begins = number == signal.SIGTRAP | 0x80 and self._begins(thread)
        if begins and kills:
            self.kill()
            return True
        is_signal = number not in (signal.SIGTRAP | 0x80, signal.SIGTRAP) and event != EVENT_STOP
        _ptrace(SYSCALL, thread, 0, number if is_signal else 0)
        return begins

    def _begins(self, thread):
        _ptrace(GET_SYSCALL_INFO, thread, len(self._info), ctypes.addressof(self._info))
        return self._info.raw[0] == ENTRY


class ChildTracer:
    """Lets a process run, and stops each thread of a process that it starts at each system call."""

    def __init__(self, pid):
        self.pid = pid
        self.threads = set()
        self._info = ctypes.create_string_buffer(96)
        for thread in map(int, os.listdir(f"/proc/{pid}/task")):
            _ptrace(SEIZE, thread, 0, TRACESYSGOOD | TRACEVFORK | TRACECLONE)
            self.threads.add(thread)

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
        for thread in self.threads:
            _ptrace(INTERRUPT, thread)
        while self.threads:
            try:
                thread, status = os.waitpid(-1, ALL_THREADS)
            except ChildProcessError:
                return
            if not os.WIFSTOPPED(status):
                self.threads.discard(thread)
            elif not self._is_parents(thread):
                self.threads.add(thread)
                _ptrace(DETACH, thread)
                self.threads.discard(thread)
            else:
                number, event = os.WSTOPSIG(status), status >> 16
                _ptrace(DETACH, thread, 0, 0 if event or number & 0x7F == signal.SIGTRAP else number)
                self.threads.discard(thread)

    def _is_parents(self, thread):
        return os.path.exists(f"/proc/{self.pid}/task/{thread}")

    def _stops(self, thread, status):
        """Goes on after a stop, unless it is the beginning of a system call of the child: then returns true."""
        if not os.WIFSTOPPED(status):
            self.threads.discard(thread)
            return False
        self.threads.add(thread)
        number, event = os.WSTOPSIG(status), status >> 16
        is_signal = number not in (signal.SIGTRAP | 0x80, signal.SIGTRAP) and event != EVENT_STOP
        if self._is_parents(thread):
            _ptrace(CONTINUE, thread, 0, number if is_signal else 0)
            return False
        if number == signal.SIGTRAP | 0x80:
            _ptrace(GET_SYSCALL_INFO, thread, len(self._info), ctypes.addressof(self._info))
            if self._info.raw[0] == ENTRY:
                return True
        _ptrace(SYSCALL, thread, 0, number if is_signal else 0)
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


def _ptrace(request, thread, address=0, data=0):
    # A thread that has just been killed cannot be asked for anything; its end is reported later.
    if _libc.ptrace(request, thread, address, data) < 0 and ctypes.get_errno() != 3:
        raise OSError(ctypes.get_errno(), f"ptrace {request:#x}: {os.strerror(ctypes.get_errno())}")
