"""How the programs of the package are linked."""
import glob
import os
import re
import subprocess
import tempfile

from support.check import ROOT, Check
from support.claims import problem


def output(*command, **options):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


VERSION = output(f"{ROOT}/packaging/releasing/version", "--number").strip()
PACKAGE = f"{ROOT}/.build-deb/promod_{VERSION}_{output('dpkg', '--print-architecture').strip()}.deb"


def _programs(_):
    problems = []
    version = output("dpkg-deb", "--field", PACKAGE, "Version").strip()
    with tempfile.TemporaryDirectory() as directory:
        output("dpkg-deb", "--extract", PACKAGE, directory)
        programs = glob.glob(f"{directory}/usr/bin/*")
        for path in programs:
            problems += [f"{os.path.basename(path)} {each}" for each in _weaknesses(path)]
            shown = output(path, "--version").split()[1]
            problems += problem(shown != version, f"the package is {version}, but its {os.path.basename(path)} is {shown}")
    return f"{len(programs)} programs", problems + problem(len(programs) != 2, "there are not two programs")


def _weaknesses(path):
    segments, dynamic = output("readelf", "-lW", path), output("readelf", "-dW", path)
    number = lambda text: int(text, 16)
    start, size = map(number, re.search(r"GNU_RELRO +\S+ (\S+) \S+ \S+ (\S+)", segments).groups())
    page = number(re.findall(r"LOAD .* (0x\w+)\n", segments)[-1])
    table = re.search(r" \.got\.plt +\w+ +(\w+) \w+ (\w+)", output("readelf", "-SW", path))
    end = sum(map(number, table.groups())) if table else 0
    calls = output("readelf", "--dyn-syms", "-W", path)
    return [
        # Both of promod's own C: Swift has neither, and no other library in the programs copies memory so.
        *(f"does not call {name}" for name in ("__memcpy_chk", "__stack_chk_fail") if f" {name}@" not in calls),
        *problem(not re.search(r"GNU_STACK .* RW ", segments), "has an executable stack"),
        *(f"is not bound at its start, without {flag.strip()}" for flag in ("BIND_NOW", " NOW") if flag not in dynamic),
        *problem(end > (start + size) // page * page, "leaves the addresses of its functions writable"),
        *problem("PATH" in dynamic, "looks for libraries in a directory of its own")]


CHECKS = [
    Check("programs", "each has the package's version, no executable stack and no library path, C with checks of lengths and of the stack, "
          "and is bound, with read-only addresses, from its start", _programs),
]
