"""The examples for a terminal."""
import functools
import subprocess

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


BASH = Example("bash", ("jq", "nc.openbsd"), lambda _: ["bash", f"{EXAMPLES}/more-apps.sh"])
FOLLOW = Example("follow", ("jq", "nc.openbsd"), lambda _: ["bash", f"{EXAMPLES}/more-apps-follow.sh"])
OTHERS = (
    Example("python", (), lambda _: [PYTHON, f"{EXAMPLES}/more-apps.py"]),
    Example("node", ("node",), lambda _: ["node", f"{EXAMPLES}/more-apps.mjs"]),
    Example("c", ("cc", "libjansson-dev"), _compiled))


def lists(example, shop):
    """Two apps, one of them with what a shell and printf would take for more than text."""
    shop.publish([shop.app(0, "One"), shop.app(1, ODD, category="책", tagline={"en": "عربي"}), shop.app(2, "Not here")],
                 rules={HOST: ["app-0", "app-1"]})
    shop.start()
    done = example.call(shop)
    rows = done.stdout.splitlines()
    shop.expect(done.returncode == 0 and len(rows) == 2, f"it ends with {done}")
    for row, texts in zip(rows, (("One", "Books", "A quiet little app"), (ODD, "책", "عربي"))):
        shop.expect(all(text in row for text in texts), f"it lists {row!r}")
    Events(shop, "impression").expect("app-0", "app-1")


def taps(example, shop):
    """An app of the list, and none."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    done = example.call(shop, "app-0")
    shop.expect(opening("https://apps.apple.com/app/id6000000000") in done.stdout, f"it says {done}")
    Events(shop, "tap").expect("app-0")
    refused = example.call(shop, "nosuch")
    shop.expect(refused.returncode == 1 and "has the id" in refused.stderr, f"of another app it says {refused}")


def away(example, shop):
    """Without promod, with what never answers, and with a promod that ends within a line."""
    answers = [example.call(shop)]
    for reply in b"", BROKEN:
        with answering(shop, reply) as path:
            answers.append(example.call(shop, path=path))
    for done in answers:
        shop.expect(done.returncode and any(text in done.stderr for text in GONE), f"it ends with {done}")
        shop.expect(not any(word in done.stderr for word in JARGON), f"it is no sentence: {done}")


def lives(example, gone, taps_and_answer, shop):
    """It is there before promod, which changes its apps, is killed, and starts again; an app is tapped with promod, and another without."""
    first, second, answer = taps_and_answer
    shop.publish([shop.app(0, "One"), shop.app(1, "Two")])
    with example.run(shop) as program:
        program.expect(gone)
        shop.start()
        program.expect("Two")
        program.write(first)
        program.expect(opening("https://apps.apple.com/app/id6000000000"))
        Events(shop, "tap").expect("app-0")
        shop.publish([shop.app(3, "Three")])
        shop.daemon.refresh()
        program.expect("Three")
        Events(shop, "impression").expect("app-0", "app-1", "app-3")
        shop.daemon.process.kill()
        shop.daemon.process.wait()
        program.write(second)
        program.expect(answer)
        shop.publish([shop.app(4, "Four")])
        shop.start()
        shop.daemon.refresh()
        program.expect("Four")
        shop.expect(not any(word in program.output for word in JARGON), f"it does not speak in sentences: {program.output!r}")


def _checks(body, name, claim, examples):
    return [check(f"{each.name}-{name}", f"{each.name} {claim}", functools.partial(body, each)) for each in examples]


CHECKS = [
    *_checks(lists, "list", "lists the apps with category and tagline, and reports that they were seen", (BASH, *OTHERS)),
    *_checks(taps, "tap", "taps an app, says where its page is, and in a sentence that there is no such app", OTHERS),
    *_checks(away, "away", "says in a sentence that promod does not answer, and fails", (BASH, *OTHERS)),
    check("follow-life", "the list in bash changes, is tapped, and outlives promod",
          functools.partial(lives, FOLLOW, GONE[1], ("app-0", "app-3", GONE[0]))),
]
