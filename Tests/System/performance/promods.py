"""The promods under comparison, with an origin or with the sample."""
import json
import os
import subprocess

from support import catalog
from support.claims import Failed
from support.daemon import Daemon

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SAMPLE = f"{ROOT}/Sources/PromoCore/Catalog/sample.json"


def promod(path, origin=None):
    """A promod, not yet started."""
    daemon = Daemon(path)
    # A previous one may serve the sample unasked, and refuse to be asked.
    daemon.is_sample = "--sample" in subprocess.run([path, "--help"], capture_output=True, text=True, check=True).stdout
    if origin:
        daemon.configure(catalog__url=origin.url, catalog__ca_file=origin.certificate)
    return daemon


def promods(bench, origin=None):
    """A promod for each program, by name, not yet started."""
    return {name: promod(path, origin) for name, path in bench.promods.items()}


def for_each_promod(bench, measure):
    """A measurement for each program, by name; it gets the path."""
    return {name: lambda path=path: measure(path) for name, path in bench.promods.items()}


def refreshed(daemon, content):
    """Refreshes, and checks that the daemon serves this catalog."""
    result = daemon.refresh()
    if result["error"] or result["generation"] != content.generation:
        raise Failed(f"a refresh was answered {result}")


def sample_content():
    """The catalog that ships with promod."""
    with open(SAMPLE, encoding="utf-8") as file:
        document = json.load(file)
    return catalog.Catalog(document["apps"], document["promoRules"])
