"""The files that the command writes."""
import os

from support import pictures, replacing
from support.shop import check

COMMAND = "promoctl", "page", "--output"
APPS = 4


def one_step(shop):
    """Large pages in two languages, one after the other, while others read them."""
    shop.publish([shop.app(number, f"App {number}", pictures.noise(100_000)) for number in range(APPS)])
    shop.start()
    path, wholes = f"{shop.directory}/page.html", set()

    def write(language):
        shop.expect_run(*COMMAND, path, "--language", language)

    for language in "en", "ja":
        write(language)
        with open(path, "rb") as file:
            wholes.add(file.read())
    figures = replacing.expect_one_step(shop, path, [lambda: write("en"), lambda: write("ja")], wholes.__contains__)
    shop.expect(len(wholes) == 2, f"there are {len(wholes)} different pages in two languages")
    shop.expect(all(whole.endswith(b"</html>\n") for whole in wholes), "the pages have no end")
    beside = [name for name in os.listdir(shop.directory) if name.startswith(".")]
    shop.expect(not beside, f"beside the page there is {beside}")
    return f"{max(map(len, wholes)) >> 10} KiB, {figures}"


def modes(shop):
    """The file is for other programs, such as web servers."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    replacing.expect_modes(shop, f"{shop.directory}/page.html", *COMMAND)


def refusals(shop):
    """Places that cannot be written."""
    shop.publish([shop.app(0, "One", pictures.png())])
    shop.start()
    figures = replacing.expect_refusals(shop, *COMMAND)
    with open("/dev/full", "wb") as full:
        done = shop.launch([f"{os.path.dirname(shop.daemon.binary)}/promoctl", "page"], stdout=full)
    shop.expect(done.returncode == 74 and done.stderr, f"to a full disk promoctl page ends with {done.returncode}: {done.stderr}")
    return figures


def kept(shop):
    """No promod, an unknown catalog, and a host that is none."""
    path = f"{shop.directory}/page.html"
    with open(path, "w", encoding="ascii") as file:
        file.write("old")
    shop.publish([shop.app(0, "One")])
    page = *COMMAND, path
    _expect_end(shop, path, 69, *page)
    shop.start()
    _expect_end(shop, path, 65, *page, "--catalog", "nope")
    _expect_end(shop, path, 65, *page, "--host", "No Host")
    _expect_end(shop, path, 64, *page, "--limit", "0")


def _expect_end(shop, path, code, *command):
    done = shop.run(*command)
    says = done.stdout + done.stderr
    shop.expect(done.returncode == code and says, f"{' '.join(command)} ends with {done.returncode}, not {code}: {says}")
    with open(path, "rb") as file:
        shop.expect(file.read() == b"old", f"{' '.join(command)} has changed the page")


def left_over(shop):
    """A killed run's temporary file."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    shop.problems += replacing.left_over_problems(shop, *COMMAND)


def special_files(shop):
    """A pipe and a link stay what they are."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    shop.problems += replacing.special_file_problems(shop, *COMMAND)
    shop.problems += replacing.link_problems(shop, *COMMAND)


CHECKS = [
    check("one-step", "--output replaces a file in one step, so that nobody reads half a page", one_step),
    check("modes", "other users may read a new file as far as umask allows, and a file keeps its mode", modes),
    check("refusals", "a place that cannot be written ends with 74 and a message, and nothing is left behind", refusals),
    check("kept", "a command that fails leaves the old page", kept),
    check("left-over", "the temporary file of a killed run does not keep later ones from writing", left_over),
    check("special-files", "--output writes to a pipe or a device, such as /dev/stdout, and follows a link", special_files),
]
