"""The C that is compiled into the programs, for 64-bit ARM."""
import glob
import os
import subprocess

from support.check import ROOT, Check, LeftOut
from support.claims import problem

HEADERS = "/usr/aarch64-linux-gnu/include"


def _compiles(_):
    if not os.path.isdir(HEADERS):
        raise LeftOut("the Debian package libc6-dev-arm64-cross is not installed")
    sources = glob.glob(f"{ROOT}/Sources/*/*.c")
    problems = []
    for source in sources:
        # The headers of the libraries are this machine's, behind those of the C library for arm64.
        run = subprocess.run(
            ["clang", "--target=aarch64-linux-gnu", "-nostdlibinc", "-isystem", HEADERS, "-idirafter", "/usr/include",
             *(option for path in glob.glob("/usr/include/*-linux-gnu") for option in ("-idirafter", path)),
             "-Wall", "-Werror", "-Os", *(f"-I{path}" for path in glob.glob(f"{ROOT}/Sources/C*/include")), "-c", source, "-o", "/dev/null"],
            text=True, capture_output=True)
        problems += problem(run.returncode, run.stderr[:2000])
    return f"{len(sources)} files", problems + problem(not sources, "there are no files")


CHECKS = [Check("arm64", "the C compiles for arm64 without warnings", _compiles)]
