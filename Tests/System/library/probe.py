"""The program that calls the library."""
from support.check import DEBUG
from support.running import running

PROGRAM = f"{DEBUG}/LibraryProbe"


def probe(shop, *words, **more):
    """The program, running with promod's socket. What it writes goes to a file of its own."""
    variables = {"PROMOD_SOCKET": shop.daemon.socket, "LLVM_PROFILE_FILE": "/dev/null"}
    return running(shop, "-".join(words), [PROGRAM, *words], variables, **more)
