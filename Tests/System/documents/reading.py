"""The shell examples of the documents."""
import glob
import json
import os
import re
import subprocess
import textwrap
from dataclasses import dataclass

from support.check import ROOT
from support.files import read

FILES = ["README*.md", ".github/CONTRIBUTING.md", "packaging/examples/README.md", "Sources/*/*.docc/*.md", "packaging/man/*.[1-8]"]
# The words with which a block of commands begins, if it has no prompts.
PROGRAMS = {
    ".build/release/", "apt", "bwrap", "cat", "cp", "curl", "dpkg", "echo", "flatpak", "git", "jq", "journalctl", "loginctl", "ls", "make", "man",
    "mkdir", "nc", "openssl", "packaging/", "printf", "promoctl", "promod", "python3", "rm", "sed", "sh", "sudo", "swift", "systemctl", "tail",
    "Tests/"}
# One of them, or a variable that is set.
BEGINNING = re.compile(rf"(?:{'|'.join(map(re.escape, sorted(PROGRAMS)))})(?:(?<=/)\S|(?<!/)[ ]|$)|(?:export )?[A-Za-z_]+=[^ ]")
ROFF = {r"\-": "-", r"\(aq": "'", r"\(dq": '"', r"\(ti": "~", r"\(ha": "^", r"\&": "", r"\e": "\\"}


@dataclass
class Example:
    """A command, and what the document shows of its output."""

    command: str
    output: str = ""


def documents():
    """The examples of each document that has some, by its path, or by the command that prints it."""
    found = {}
    for path in sorted(path for pattern in FILES for path in glob.glob(f"{ROOT}/{pattern}")):
        blocks = (_markdown if path.endswith(".md") else _manual)(read(path))
        found[os.path.relpath(path, ROOT)] = [example for block, output in blocks for example in _examples(block, output)]
    return {name: examples for name, examples in found.items() if examples}


def help_of(program):
    """The examples of the help of a program's commands, by the command that prints the help."""
    dump = json.loads(subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True).stdout)
    found = {}

    def collect(command, path):
        path = [*path, command["commandName"]]
        if lines := re.findall(r"^Example: (.*)", command.get("discussion", ""), re.MULTILINE):
            found[" ".join([*path, "--help"])] = [Example(line) for line in lines]
        for inner in command.get("subcommands", []):
            collect(inner, path)
    collect(dump["command"], [])
    return found


def _markdown(text):
    """The blocks that are indented by four spaces after an empty line, or between fences without a language, each with the text in
    the fence that follows."""
    form = r"(?:^```(?:sh|console)?\n(.*?)\n```$|^```.*?^```$|\n\n((?: {4,}\S[^\n]*\n|\n(?= {4}))+))(?:\n+```text\n(.*?)^```$)?"
    for fenced, indented, output in re.findall(form, text, re.DOTALL | re.MULTILINE):
        yield fenced or textwrap.dedent(indented), output


def _manual(text):
    """The displays of a page in mdoc, and adjacent lines that are displayed."""
    for display, lines in re.findall(r"^\.Bd -literal.*?\n(.*?)\n\.Ed$|((?:^\.D[l1] [^\n]*\n)+)", text, re.DOTALL | re.MULTILINE):
        block = display or re.sub(r"^\.D[l1] ", "", lines, flags=re.MULTILINE)
        yield re.sub("|".join(map(re.escape, ROFF)), lambda found: ROFF[found[0]], block), ""


def _examples(block, output):
    """The commands of a block, each with the lines below it that are not commands; the last one with what is shown beside the block."""
    lines = block.splitlines()
    has_prompts = any(line.startswith("$ ") for line in lines)
    if not has_prompts and not BEGINNING.match(block):
        return []
    examples = []
    while lines:
        line = lines.pop(0)
        if has_prompts and not line.startswith("$ "):
            if examples:
                examples[-1].output += f"{line}\n"
            continue
        command = line.removeprefix("$ ")
        while lines and not _is_complete(command):
            command += f"\n{lines.pop(0)}"
        if command:
            examples.append(Example(command))
    if examples:
        examples[-1].output += output
    return examples


def _is_complete(command):
    """Whether a shell would not read on."""
    return not command.endswith("\\") and subprocess.run(["bash", "-n", "-c", command], capture_output=True, check=False).returncode == 0
