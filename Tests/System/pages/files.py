"""The files that the two programs write."""
import os

from support import pictures, replacing
from support.shop import check

COMMANDS = ("promoctl", "page", "--output"), ("promod", "validate", "catalog.json", "--page")
APPS = 4


def one_step(shop):
    """Large pages in two languages, one after the other, while others read them."""
    shop.publish([shop.app(number, f"App {number}", pictures.noise(100_000)) for number in range(APPS)])
    shop.start()
    path, wholes, figures = f"{shop.directory}/page.html", set(), []
    for program, *arguments in COMMANDS:
        def write(language, command=(program, *arguments)):
            shop.expect_run(*command, path, "--language", language)
        for language in "en", "ja":
            write(language)
            with open(path, "rb") as file:
                wholes.add(file.read())
        figures.append(replacing.expect_one_step(
            shop, path, [lambda: write("en"), lambda: write("ja")], wholes.__contains__))
    shop.expect(len(wholes) == 2, f"the two programs write {len(wholes)} different pages in two languages")
    shop.expect(all(whole.endswith(b"</html>\n") for whole in wholes), "the pages have no end")
    beside = [name for name in os.listdir(shop.directory) if name.startswith(".")]
    shop.expect(not beside, f"beside the page there is {beside}")
    return f"{max(map(len, wholes)) >> 10} KiB, {', '.join(figures)}"


def modes(shop):
    """The file is for other programs, such as web servers."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    for command in COMMANDS:
        replacing.expect_modes(shop, f"{shop.directory}/page.html", *command)


def refusals(shop):
    """Places that cannot be written."""
    shop.publish([shop.app(0, "One", pictures.png())])
    shop.start()
    for command in COMMANDS:
        figures = replacing.expect_refusals(shop, *command)
        os.rename(f"{shop.directory}/places", f"{shop.directory}/places-of-{command[0]}")
    with open("/dev/full", "wb") as full:
        done = shop.launch([f"{os.path.dirname(shop.daemon.binary)}/promoctl", "page"], stdout=full)
    shop.expect(done.returncode == 74 and done.stderr, f"to a full disk promoctl page ends with {done.returncode}: {done.stderr}")
    return figures


def kept(shop):
    """No promod, an unknown catalog, a host that is none, a catalog that breaks rules, and one that only has warnings."""
    path = f"{shop.directory}/page.html"
    with open(path, "w", encoding="ascii") as file:
        file.write("old")
    shop.publish([shop.app(0, "One")])
    shop.publish([shop.app(0, "")], path="/broken.json")
    shop.publish([shop.app(0, "One", pictures.png(), storeURLs={"linux": "javascript:alert(1)"})], path="/odd.json")
    page, validate = ("promoctl", "page", "--output", path), ("promod", "validate", "--page", path)
    _expect_end(shop, path, 69, *page)
    shop.start()
    _expect_end(shop, path, 65, *page, "--catalog", "nope")
    _expect_end(shop, path, 65, *page, "--host", "No Host")
    _expect_end(shop, path, 64, *page, "--limit", "0")
    _expect_end(shop, path, 65, *validate, "broken.json")
    _expect_end(shop, path, 66, *validate, "none.json")
    _expect_end(shop, path, 69, *validate, "https://127.0.0.1:1/")
    done = shop.run(*validate, "--strict", "odd.json")
    shop.expect(done.returncode == 1, f"promod validate --strict ends with {done.returncode}: {done.stdout}{done.stderr}")
    with open(path, "rb") as file:
        shop.expect(file.read().endswith(b"</html>\n"), "with warnings no page is written")


def _expect_end(shop, path, code, *command):
    done = shop.run(*command)
    says = done.stdout + done.stderr
    shop.expect(done.returncode == code and says, f"{' '.join(command)} ends with {done.returncode}, not {code}: {says}")
    with open(path, "rb") as file:
        shop.expect(file.read() == b"old", f"{' '.join(command)} has changed the page")


def busy_host(shop):
    """A host that answers 503 to each picture, without and with a Retry-After."""
    shop.publish([shop.app(number, f"App {number}", b"picture %d" % number) for number in range(4)])
    for delay, tried in ("", 2), ("Retry-After: 60\r\n", 1):
        asked = []

        def refuse(request, delay=delay, asked=asked):
            asked.append(request)
            return f"503 Busy\r\n{delay}Content-Length: 0\r\n".encode(), b""

        shop.origin.reply_to = refuse
        said = shop.expect_run("promod", "validate", "--page", f"{shop.directory}/page.html", "catalog.json")
        skipped = said.count("was not tried, because its host failed before")
        shop.expect((len(asked), skipped) == (tried, 4 - tried), f"{len(asked)} are asked for, {skipped} skipped: {said}")


def left_over(shop):
    """A killed run's temporary file."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    for command in COMMANDS:
        shop.problems += replacing.left_over_problems(shop, *command)


def special_files(shop):
    """A pipe and a link stay what they are."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    shop.problems += replacing.special_file_problems(shop, *COMMANDS[0])
    shop.problems += replacing.link_problems(shop, *COMMANDS[0])


CHECKS = [
    check("one-step", "--output and --page replace a file in one step, so that nobody reads half a page", one_step),
    check("modes", "other users may read a new file as far as umask allows, and a file keeps its mode", modes),
    check("refusals", "a place that cannot be written ends with 74 and a message, and nothing is left behind", refusals),
    check("kept", "a command that fails leaves the old page, and one with mere warnings writes a page", kept),
    check("busy-host", "a host that answers 503 is asked for two pictures, and with a Retry-After for one", busy_host),
    check("left-over", "the temporary file of a killed run does not keep later ones from writing", left_over),
    check("special-files", "--output writes to a pipe or a device, such as /dev/stdout, and follows a link", special_files),
]
