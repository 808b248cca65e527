"""What is linked with the programs, compared with packaging/debian/copyright, and packaging/releasing/sbom."""
import glob
import json
import os
import shutil
import subprocess
import tempfile

from support.check import ROOT, Check
from support.claims import problem
from .programs import PACKAGE, output


def _sbom(root, file):
    """What packaging/releasing/sbom of a tree writes, and what it says if it fails."""
    run = subprocess.run([f"{root}/packaging/releasing/sbom", file], text=True, capture_output=True)
    return ("", run.stderr) if run.returncode else (open(file).read(), "")


def _listed(_):
    with tempfile.TemporaryDirectory() as directory:
        first, error = _sbom(ROOT, f"{directory}/first")
        if error:
            return "", [error]
        second, _ = _sbom(ROOT, f"{directory}/second")
    listed = json.loads(first)["packages"]
    unknown = [each["name"] for each in listed if not each.get("versionInfo")]
    return f"{len(listed)} packages", [
        *problem(first != second, "two calls do not write the same"),
        *problem(unknown, f"these have no version: {', '.join(unknown)}"),
        *problem(not {"libswiftCore.a", "swift-log", "libsodium.a", "libcurl.so.4"} <= {each["name"] for each in listed},
                 "libraries are missing that are certainly linked")]


def _other(change):
    """What sbom says of a copyright that is changed."""
    with tempfile.TemporaryDirectory() as directory:
        for name in ".build", "Sources":
            os.symlink(f"{ROOT}/{name}", f"{directory}/{name}")
        shutil.copytree(f"{ROOT}/packaging/debian", f"{directory}/packaging/debian")
        shutil.copy(f"{ROOT}/packaging/Package.resolved", f"{directory}/packaging/")
        os.mkdir(f"{directory}/packaging/releasing")
        shutil.copy(f"{ROOT}/packaging/releasing/sbom", f"{directory}/packaging/releasing/")
        path = f"{directory}/packaging/debian/copyright"
        text = change(open(path).read())
        with open(path, "w") as file:
            file.write(text)
        return _sbom(directory, f"{directory}/sbom")[1]


def _new(_):
    problems = []
    for taken, put, complaint in (
        ("swift-packages/swift-log/*", "swift-packages/swift-logger/*", "promod has swift-log inside or loads it, but"),
        ("libsodium.a", "libcalcium.a", "promod has libsodium.a inside or loads it, but"),
        (" libdispatch.a", " libdispatch.a libnothing.a", "names libnothing.a, but nothing is linked with that")):
        seen = _other(lambda text: text.replace(taken, put))
        problems += problem(complaint not in seen, f"with {put.strip()}, sbom says: {seen}")
    return "", problems


def _built_with(_):
    """The packages with libraries that every program has inside, as the machine has them."""
    named = output("dpkg-deb", "--field", PACKAGE, "Static-Built-Using").strip()
    problems = []
    for file in "libstdc++.a", "crti.o":
        path = os.path.realpath(output("clang", f"-print-file-name={file}").strip())
        owner = output("dpkg-query", "--search", path).split(":")[0]
        source = output("dpkg-query", "--show", "--showformat=${source:Package} (= ${source:Version})\n", owner).split("\n")[0]
        problems += problem(source not in named.split(", "), f"Static-Built-Using is {named}, without {source} of {file}")
    return named, problems


def _notices(_):
    problems, shipped = [], output("dpkg-deb", "--contents", PACKAGE)
    for path in glob.glob(f"{ROOT}/.build/checkouts/*/NOTICE*"):
        name = f"NOTICE.{path.split('/')[-2]}"
        ours = f"{ROOT}/packaging/releasing/{name}"
        problems += problem(not os.path.exists(ours) or open(ours).read() != open(path).read(), f"{ours} is not {path}")
        problems += problem(f"/usr/share/doc/promod/{name}" not in shipped, f"{name} is not in the package")
    return "", problems


CHECKS = [
    Check("listed", "packaging/releasing/sbom lists every linked library with its version and licence, twice the same", _listed),
    Check("new", "a library that packaging/debian/copyright does not name, or names in vain, makes packaging/releasing/sbom fail", _new),
    Check("built-with", "the package names the Debian sources of what is linked statically, so that their updates are noticed", _built_with),
    Check("notices", "the package has the NOTICE of each Swift package that has one", _notices),
]
