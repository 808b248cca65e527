"""The rpm, compared with the Debian package."""
import os
import re
import subprocess
import tempfile

from support.check import ROOT, Check, LeftOut
from support.claims import problem
from support.programs import missing
from .programs import PACKAGE, VERSION, output

# Where the two differ.
DEBIAN = r"/usr/share/lintian/"
RPM = r"/usr/share/licenses/|/usr/lib/systemd/user-preset/90-promod.preset$"
NEEDED = ("libcurl.so.4()(64bit)", "libsystemd.so.0()(64bit)", "libz.so.1()(64bit)", "ca-certificates")


def _files(tree, without):
    return {
        path.replace("/site-functions/", "/vendor-completions/"): content for directory, _, names in os.walk(tree) for name in names
        if not re.match(without, path := f"{directory}/{name}".removeprefix(tree)) and (content := _content(f"{tree}{path}"))}


def _content(path):
    return os.readlink(path) if os.path.islink(path) else (os.stat(path).st_mode & 0o777, open(path, "rb").read())


def _installs(_):
    if reason := missing("rpmbuild"):
        raise LeftOut(reason)
    file = output(f"{ROOT}/packaging/releasing/build-rpm").split()[-1]
    rpm = f"{ROOT}/{file}"
    with tempfile.TemporaryDirectory() as directory:
        output("dpkg-deb", "--extract", PACKAGE, f"{directory}/deb")
        os.mkdir(f"{directory}/root")
        at_root = ("rpm", "--root", f"{directory}/root", "--dbpath", "/database")
        output(*at_root, "--install", "--nodeps", "--noscripts", rpm)
        installed = output(*at_root, "--query", "promod").strip()
        ours, theirs = _files(f"{directory}/root", RPM + "|/database/"), _files(f"{directory}/deb", DEBIAN)
        preset = open(f"{directory}/root/usr/lib/systemd/user-preset/90-promod.preset").read()
        output(*at_root, "--erase", "--noscripts", "promod")
        left = _files(f"{directory}/root", "/database/")
    requires = output("rpm", "--query", "--requires", "--package", rpm).split("\n")
    scripts = output("rpm", "--query", "--scripts", "--package", rpm)
    differing = sorted(path for path in ours.keys() | theirs.keys() if ours.get(path) != theirs.get(path))
    return file, [
        *problem(not installed.startswith(f"promod-{VERSION}-1."), f"rpm has installed {installed}"),
        *problem(differing, f"these files are not those of the Debian package: {', '.join(differing)}"),
        *problem(left, f"an erasure leaves {', '.join(left)}"),
        *problem(preset.split() != ["enable", "promod.service", "enable", "promod.socket"], f"the preset is {preset}"),
        *(f"it does not require {name}" for name in NEEDED if name not in requires),
        *problem(not any("GLIBC_ABI_DT_RELR" in each for each in requires), "it does not require a C library that unpacks relocations"),
        *(f"no script calls {verb}" for verb in ("install-user-units", "remove-user-units", "mark-restart-user-units")
          if f"{verb} promod.service promod.socket" not in scripts),
        *problem(subprocess.run(["sh", "-n"], input=re.sub(r"(?m)^\w+ scriptlet .*$", "", scripts), text=True).returncode,
                 "a script is not valid")]


CHECKS = [Check("rpm", "the rpm installs the files of the Debian package, requires libraries by their names, and enables the units", _installs)]
