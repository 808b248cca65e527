"""The examples for a terminal."""
import functools
import subprocess

from support.check import ROOT
from support.shop import check
from .programs import EXAMPLES, HOST, PYTHON, Events, Example, answering, opening

JARGON = "errno", "Errno", "ECONN", "Traceback", "Error", "undefined", "null", "nc:", "jq:"
GONE = "promod does not answer.", "promod is not running."
ODD = "Zwei & 둘 \\n \"$HOME\" %s"
BROKEN = b'{"jsonrpc":"2.0","id":null,"result":{"apps":[{"na'


def _compiled(directory):
    program = f"{directory}/more-apps"
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-O2", "-o", program, f"{EXAMPLES}/more-apps.c", "-ljansson"], check=True)
    return [program]


def _built():
    """The program in Swift, in which GLib's loop serves the main actor."""
    place = f"{ROOT}/.build/examples"
    subprocess.run(["swift", "build", "--package-path", f"{EXAMPLES}/more-apps-glib", "--scratch-path", place, "--quiet"], check=True)
    return [f"{place}/debug/more-apps-glib"]


BASH = Example("bash", ("jq", "nc.openbsd"), lambda _: ["bash", f"{EXAMPLES}/more-apps.sh"])
FOLLOW = Example("follow", ("jq", "nc.openbsd"), lambda _: ["bash", f"{EXAMPLES}/more-apps-follow.sh"])
GLIB = Example("glib", ("swift", "libglib2.0-dev"), lambda _: _built())
OTHERS = (
    Example("python", (), lambda _: [PYTHON, f"{EXAMPLES}/more-apps.py"]),
    Example("node", ("node",), lambda _: ["node", f"{EXAMPLES}/more-apps.mjs"]),
    Example("c", ("cc", "libjansson-dev"), _compiled))


def lists(example, shop):
    """Two apps, one of them with what a shell and printf would take for more than text."""
    shop.publish([shop.app(0, "One"), shop.app(1, ODD, category="책", tagline={"en": "عربي"}), shop.app(2, "Not here")],
                 rules={HOST: ["app-0", "app-1"]})
    shop.start()
    events = Events(shop, "impression")
    done = example.call(shop)
    rows = done.stdout.splitlines()
    shop.expect(done.returncode == 0 and len(rows) == 2, f"it ends with {done}")
    for row, texts in zip(rows, (("One", "Books", "A quiet little app"), (ODD, "책", "عربي"))):
        shop.expect(all(text in row for text in texts), f"it lists {row!r}")
    for app in "app-0", "app-1":
        events.expect("impression", app)


def taps(example, shop):
    """An app of the list, and none."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    events = Events(shop, "tap")
    done = example.call(shop, "app-0")
    shop.expect(opening("https://apps.apple.com/app/id6000000000") in done.stdout, f"it says {done}")
    events.expect("tap", "app-0")
    refused = example.call(shop, "nosuch")
    shop.expect(refused.returncode == 1 and "No app in the catalog has the id" in refused.stderr, f"of another app it says {refused}")


def away(example, shop):
    """Without promod, with what never answers, and with a promod that ends within a line."""
    answers = [example.call(shop)]
    for reply in b"", BROKEN:
        with answering(shop, reply) as path:
            answers.append(example.call(shop, path=path))
    for done in answers:
        shop.expect(done.returncode and any(text in done.stderr for text in GONE), f"it ends with {done}")
        shop.expect(not any(word in done.stderr for word in JARGON), f"it is no sentence: {done}")


def follows(shop):
    """The list changes, is tapped, and comes back after promod was killed."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    events = Events(shop, "impression", "tap")
    with FOLLOW.run(shop) as program:
        program.expect("app-0: One (Books), A quiet little app")
        events.expect("impression", "app-0")
        shop.publish([shop.app(1, "Two")])
        shop.daemon.refresh()
        program.expect("app-1: Two")
        events.expect("impression", "app-1")
        program.write("app-1")
        program.expect(opening("https://apps.apple.com/app/id6000000001"))
        events.expect("tap", "app-1")
        program.write("nosuch")
        program.expect("No app in the catalog has the id")
        shop.daemon.process.kill()
        shop.daemon.process.wait()
        program.expect("promod is not running. The list comes back when it is.")
        program.write("app-1")
        program.expect("promod does not answer.")
        shop.publish([shop.app(0, "Three")])
        shop.start()
        shop.daemon.refresh()
        program.expect("app-0: Three")
        shop.expect(not any(word in program.output for word in JARGON), f"it does not speak in sentences: {program.output!r}")


def lives(shop):
    """It is there before promod, which changes its apps, is killed, and starts again."""
    shop.publish([shop.app(0, "One"), shop.app(1, "Two")])
    with GLIB.run(shop) as program:
        program.expect("promod cannot be reached")
        shop.start()
        program.expect("Two")
        program.write("1")
        program.expect(opening("id6000000000"))
        shop.daemon.process.kill()
        shop.daemon.process.wait()
        shop.publish([shop.app(0, "Three")])
        shop.start()
        shop.daemon.refresh()
        program.expect("Three")


def _checks(body, name, claim, examples):
    return [check(f"{each.name}-{name}", f"{each.name} {claim}", functools.partial(body, each)) for each in examples]


CHECKS = [
    *_checks(lists, "list", "lists the apps with category and tagline, and reports that they were seen", (BASH, *OTHERS)),
    *_checks(taps, "tap", "taps an app, says where its page is, and in a sentence that there is no such app", OTHERS),
    *_checks(away, "away", "says in a sentence that promod does not answer, and fails", (BASH, *OTHERS)),
    check("follow-list", "the list in bash comes again after each change, is tapped, and outlives promod", follows),
    check("glib-life", "in Swift under GLib's loop, the list comes, is tapped, changes, and outlives promod", lives),
]
