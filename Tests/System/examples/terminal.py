"""The examples for a terminal."""
import functools
import os
import shutil
import subprocess

from support.shop import check
from .programs import EXAMPLES, HOST, PYTHON, Events, Example, answering, opening

JARGON = "errno", "Errno", "ECONN", "Traceback", "Error", "undefined", "null", "nc:", "jq:"
GONE = "Apps cannot be shown right now."
ODD = "Zwei & 둘 \\n \"$HOME\" %s"
BROKEN = b'{"jsonrpc":"2.0","id":null,"result":{"apps":[{"na'


def _compiled(directory):
    program = f"{directory}/more-apps"
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-O2", "-o", program, f"{EXAMPLES}/more-apps.c", "-ljansson"], check=True)
    return [program]


BASH = Example("bash", ("jq", "nc.openbsd"), lambda _: ["bash", f"{EXAMPLES}/more-apps.sh"])
TOOLS = {"socat": "socat", "ncat": "ncat", "nc": "nc.openbsd"}  # of which a script finds only one, by its name


def _with(tool):
    """A command that runs a script with one of the tools, or without any."""
    def command(directory):
        tools = f"{directory}/tools-{tool}"
        os.makedirs(tools, exist_ok=True)
        for name, program in {tool: TOOLS.get(tool), **{name: name for name in ("bash", "head", "jq", "sleep", "timeout")}}.items():
            if program and not os.path.exists(f"{tools}/{name}"):
                os.symlink(shutil.which(program), f"{tools}/{name}")
        return ["env", f"PATH={tools}", "bash"]
    return command


LISTS = [Example(f"bash-{tool}", ("jq", program), lambda path, tool=tool: [*_with(tool)(path), f"{EXAMPLES}/more-apps.sh"])
         for tool, program in TOOLS.items()]
FOLLOWS = [Example(f"follow-{tool}", ("jq", program), lambda path, tool=tool: [*_with(tool)(path), f"{EXAMPLES}/more-apps-follow.sh"])
           for tool, program in TOOLS.items()]
ALONE = [Example("bash", ("jq",), lambda path: [*_with("none")(path), f"{EXAMPLES}/more-apps.sh"]),
         Example("follow", ("jq",), lambda path: [*_with("none")(path), f"{EXAMPLES}/more-apps-follow.sh"])]
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
        shop.expect(done.returncode and GONE in done.stderr, f"it ends with {done}")
        shop.expect(not any(word in done.stderr for word in JARGON), f"it is no sentence: {done}")


def locales(example, shop):
    """The variables by their rank, of which an empty one counts as none."""
    shop.publish([shop.app(0, "One", tagline={"en": "English", "ko": "한국어", "ja": "日本語"})])
    shop.start()
    for words, variables in (("한국어", {"LC_ALL": "", "LC_MESSAGES": "ko_KR.UTF-8", "LANG": "ja_JP.UTF-8"}),
                             ("日本語", {"LC_ALL": "ja_JP.UTF-8", "LC_MESSAGES": "ko_KR.UTF-8"}), ("日本語", {"LANG": "ja"})):
        done = example.call(shop, **{"LC_ALL": "", "LC_MESSAGES": "", **variables})
        shop.expect(words in done.stdout, f"with {variables} it lists {done}")


def refused(example, shop):
    """A host that is no id."""
    shop.publish([shop.app(0, "One")])
    shop.start()
    done = example.call(shop, host="No ID")
    shop.expect((done.returncode, done.stdout) == (1, "") and "host" in done.stderr, f"it ends with {done}")


def tools(shop):
    """A PATH without any of them."""
    shop.start()
    for example in ALONE:
        done = example.call(shop)
        shop.expect((done.returncode, done.stderr) == (1, "This needs socat, ncat or nc.\n"), f"it ends with {done}")


def lives(example, gone, taps_and_answer, shop):
    """It is there before promod, which changes its apps, is killed, and starts again; an app is tapped with promod, and another without."""
    first, second, answer = taps_and_answer
    shop.publish([shop.app(0, "One"), shop.app(1, "Two")])
    with example.run(shop) as program:
        program.expect(gone)
        shop.start()
        program.expect("Two")
        absences = program.output.count(gone)
        program.write(first)
        program.expect(opening("https://apps.apple.com/app/id6000000000"))
        Events(shop, "tap").expect("app-0")
        # It reports them after it has shown them, and promod refuses those of a list that is gone.
        seen = Events(shop, "impression")
        seen.expect("app-0", "app-1")
        shop.publish([shop.app(3, "Three")])
        shop.daemon.refresh()
        program.expect("Three")
        seen.expect("app-3")
        shop.expect_equal(program.output.count(gone), absences, f"while promod is running, the number of {gone!r}")
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
    *_checks(lists, "list", "lists the apps with category and tagline, and reports that they were seen", (*LISTS, *OTHERS)),
    *_checks(locales, "locale", "asks in the language of LC_ALL, LC_MESSAGES or LANG", (BASH, *OTHERS)),
    *_checks(refused, "refused", "says an error on standard error, and fails", (BASH, *OTHERS)),
    *_checks(taps, "tap", "taps an app, says where its page is, and in a sentence that there is no such app", OTHERS),
    *_checks(away, "away", "says in a sentence that apps cannot be shown, and fails", (*LISTS, *OTHERS)),
    check("bash-without-tools", "the scripts say what they need", tools),
    *(check(f"{each.name}-life", "the list in bash changes, is tapped, and outlives promod",
            functools.partial(lives, each, f"{GONE} The list", ("app-0", "app-3", GONE))) for each in FOLLOWS),
]
