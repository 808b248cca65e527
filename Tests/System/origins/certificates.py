"""An origin whose certificate the system trusts."""
import os
import shutil
import subprocess
import tempfile

from support.catalog import small
from support.check import Check, LeftOut
from support.claims import problem
from support.programs import missing
from support.stage import Stage

CERTIFICATES = "/etc/ssl/certs"
NAMESPACE = ["unshare", "--map-root-user", "--mount"]


def trusted(binary):
    """A check body: the directory of the system counts, alone and beside a file with another certificate."""
    if reason := missing("unshare") or not os.path.isdir(CERTIFICATES) and f"{CERTIFICATES} is missing":
        raise LeftOut(reason)
    if subprocess.run([*NAMESPACE, "mount", "--bind", "/tmp", CERTIFICATES], capture_output=True, check=False).returncode != 0:
        raise LeftOut("this process cannot have a mount namespace of its own")
    states, certificates = {}, tempfile.mkdtemp()
    other = f"{certificates}/other.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=Other",
         "-keyout", f"{certificates}/key", "-out", other], check=True, capture_output=True)
    for name in "alone", "beside":
        with Stage(binary) as stage:
            digest = subprocess.run(["openssl", "x509", "-hash", "-noout", "-in", stage.origin.certificate], check=True, capture_output=True, text=True)
            shutil.copy(stage.origin.certificate, f"{certificates}/{digest.stdout.strip()}.0")
            stage.origin.body = small(0).bytes
            stage.daemon.launcher = [*NAMESPACE, "sh", "-c", f'mount --bind {certificates} {CERTIFICATES} && exec "$@"', "sh"]
            stage.daemon.configure(catalog__url=stage.origin.url, **({"catalog__ca_file": other} if name == "beside" else {}))
            stage.daemon.start()
            states[name] = stage.daemon.ask("list", wait=True)["state"]
    shutil.rmtree(certificates)
    return f"{states}", problem(set(states.values()) != {"fresh"}, f"the lists are {states}")


CHECKS = [Check("system-certificates", "an origin that the system trusts is trusted, also if catalog.ca-file names another certificate", trusted)]
