"""An X server for programs with windows."""
import contextlib
import os
import subprocess


@contextlib.contextmanager
def display():
    """An X server without a screen; the variables with which programs draw on it, without a graphics card."""
    reads, writes = os.pipe()
    command = ["Xvfb", "-displayfd", str(writes), "-screen", "0", "800x700x24", "-nolisten", "tcp"]
    with subprocess.Popen(
            command, pass_fds=[writes], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server, open(reads, encoding="ascii") as number:
        os.close(writes)
        try:
            yield {"DISPLAY": f":{number.readline().strip()}", "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none",
                   "GSETTINGS_BACKEND": "memory", "DBUS_SESSION_BUS_ADDRESS": "disabled:", "XDG_DATA_DIRS": "/usr/share"}
        finally:
            server.terminate()
