"""Namespaces of this process's own, without root: other texts in files of the system, and a network of its own."""
import ctypes
import os
import subprocess
import tempfile

from support.files import write

CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWNET = 0x00020000, 0x10000000, 0x40000000


def enter():
    """Moves this process, which has no other threads yet, into user, mount and network namespaces of its own."""
    user, group = os.getuid(), os.getgid()
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    for name, text in ("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1"):
        write(f"/proc/self/{name}", text)
    run("mount", "--make-rprivate", "/")
    # Nothing that a killed process leaves here outlives this one.
    run("mount", "-t", "tmpfs", "tmpfs", "/dev/shm")
    replace("/etc/resolv.conf", "nameserver 127.0.0.1\n")
    run("ip", "link", "set", "lo", "up")


def obstacle(move):
    """Why this process cannot be moved into namespaces of its own by a function; empty if it was."""
    try:
        move()
    except (OSError, subprocess.CalledProcessError) as error:
        return f"this process cannot have namespaces of its own: {error}"
    return ""


def replace(path, text):
    """Lets a file have another text for this process and its children."""
    with tempfile.NamedTemporaryFile("w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        run("mount", "--bind", file.name, path)


def run(*command):
    subprocess.run(command, check=True, capture_output=True)
