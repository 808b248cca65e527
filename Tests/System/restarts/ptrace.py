"""Follows the system calls of all threads of a process by ptrace(2)."""
import ctypes
import os
import signal
import subprocess

SEIZE, INTERRUPT, SYSCALL, GET_SYSCALL_INFO = 0x4206, 0x4207, 24, 0x420E
TRACESYSGOOD, TRACECLONE, EXITKILL = 1, 1 << 3, 1 << 20
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
