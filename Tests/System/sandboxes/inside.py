"""Runs in a sandbox: calls the functions below as the test asks, and answers with the result or the name of the error.

A call is a line of JSON, and so is its answer.
"""
import ctypes
import errno
import fcntl
import json
import os
import socket
import struct
import subprocess
import sys

PATIENCE = 30  # seconds
CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000
MS_REMOUNT, MS_BIND = 32, 4096


# What a client does

def run(*command):
    """Runs a program, and returns its exit code, its output and its errors."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False)
    return done.returncode, done.stdout, done.stderr


def ask(path, text):
    """Sends text to a Unix socket, shuts the write side down, and returns what comes until the end of the connection."""
    with _connected(path) as connection:
        connection.sendall(text.encode())
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b"")).decode()


def peer(path):
    """The uid of the process that listens on a Unix socket, as the kernel reports it here."""
    with _connected(path) as connection:
        return struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[1]


def user():
    return os.getuid()


# What it sees

def files(path):
    """All files and directories in a directory, by their paths in it."""
    found = [os.path.join(place, name) for place, directories, names in os.walk(path) for name in [*directories, *names]]
    return sorted(os.path.relpath(name, path) for name in found)


def interfaces():
    return [name for _, name in socket.if_nameindex()]


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


# What it attempts

def remove(path):
    os.unlink(path)


def rename(path, other):
    os.rename(path, other)


def write(path):
    with open(path, "a", encoding="ascii") as file:
        file.write("x")


def listen(path):
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)


def change_mode(path):
    os.chmod(path, 0o666)


def lock(path):
    """Locks a file, until the sandbox ends."""
    fcntl.flock(os.open(path, os.O_RDONLY), fcntl.LOCK_EX)


def remount(path):
    """Makes a mount writable, from a user namespace of its own with all capabilities."""
    child = os.fork()
    if child == 0:
        os._exit(_remount(path))
    if number := os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        raise OSError(number, path)


def signal(pid):
    os.kill(pid, 0)


def reach(address, port):
    socket.create_connection((address, port), PATIENCE).close()


def _connected(path):
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(PATIENCE)
    connection.connect(path)
    return connection


def _remount(path):
    """The number of the error."""
    system = ctypes.CDLL(None, use_errno=True)
    # If the sandbox allows no other namespaces, the remount fails for want of capabilities.
    system.unshare(CLONE_NEWUSER | CLONE_NEWNS)
    return ctypes.get_errno() if system.mount(None, path.encode(), None, MS_REMOUNT | MS_BIND, None) != 0 else 0


def serve():
    """Answers until the test closes its end."""
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        try:
            answer = {"result": globals()[name](*arguments), "error": None}
        except OSError as failure:
            answer = {"result": None, "error": errno.errorcode[failure.errno]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve()
