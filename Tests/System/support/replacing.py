"""What becomes of a file that a program writes."""
import os
import stat
import threading

from .claims import problem
from .wire import PATIENCE

WRITES = 8


class Reader:
    """Reads a file again and again, until the end of the block."""

    def __init__(self, path):
        self.path = path
        self.contents, self.count, self.is_over = set(), 0, False

    def __enter__(self):
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *failure):
        self.is_over = True
        self.thread.join(PATIENCE)

    def _read(self):
        while not self.is_over:
            with open(self.path, "rb") as file:
                self.contents.add(file.read())
            self.count += 1


def expect_one_step(shop, path, writes, is_whole):
    """Each of these functions, which write the file, replaces it: readers have the old contents or the new ones."""
    writes[-1]()
    with Reader(path) as reader:
        for number in range(WRITES):
            with open(path, "rb") as old:
                before = old.read()
                writes[number % len(writes)]()
                old.seek(0)
                shop.expect(os.fstat(old.fileno()).st_nlink == 0, f"{path} is written over, not replaced")
                shop.expect(old.read() == before, f"whoever has opened {path} reads something else")
    parts = [content for content in reader.contents if not is_whole(content)]
    shop.expect(not parts, f"of {reader.count} readers some find only {sorted(map(len, parts))[:5]} bytes")
    shop.expect(len(reader.contents) > 1, f"{reader.count} readers found the same")
    return f"{WRITES} writes, {reader.count} readers"


def expect_modes(shop, path, program, *arguments):
    """Others may read a new file as far as umask allows, and one that is replaced keeps its mode."""
    for umask, mode in (0o022, 0o644), (0o077, 0o600):
        for before in None, 0o640:
            shop.expect_run(program, *arguments, path, umask=umask)
            found = stat.S_IMODE(os.stat(path).st_mode)
            expected = before or mode
            shop.expect(found == expected, f"with the umask {umask:03o} {path} gets the mode {found:03o}, not {expected:03o}")
            os.chmod(path, 0o640)
        os.remove(path)


def expect_refusals(shop, program, *arguments):
    """Places that cannot be written are refused with a message, and nothing is left there."""
    place = f"{shop.directory}/places"
    os.mkdir(place)
    os.mkdir(f"{place}/directory")
    with open(f"{place}/file", "w", encoding="ascii") as file:
        file.write("old")
    refusals = {
        "nowhere/file": None, "directory": None, "directory/": None, "file/file": None, "x" * 300: None,
        # The disk is full after some bytes.
        "file": 10, "directory/new": 10}
    if os.getuid() != 0:
        os.mkdir(f"{place}/locked", mode=0o500)
        refusals["locked/file"] = None
    before = _tree(place)
    for name, limit in refusals.items():
        done = shop.run(program, *arguments, f"{place}/{name}", limit=limit)
        what = f"{program} {' '.join(arguments)} {name[:20]}"
        shop.expect(done.returncode == 74, f"{what} ends with {done.returncode}: {done.stderr}")
        lines = done.stderr.splitlines()
        right = len(lines) == 1 and lines[0].startswith(f"{program}: {place}/{name} cannot be written: ")
        shop.expect(right, f"{what} says {done.stderr!r}")
        after = _tree(place)
        shop.expect(after == before, f"{what} leaves {set(after) ^ set(before) or 'other contents'} behind")
    return f"{len(refusals)} places"


def left_over_problems(shop, program, *arguments):
    """A run that was killed has left its temporary file, and the next one has the same process id, as in containers."""
    script = 'touch "$1/.promod-output.$$"; exec "$2" "${@:3}" "$1/file"'
    path = f"{os.path.dirname(shop.daemon.binary)}/{program}"
    done = shop.launch(["bash", "-c", script, "bash", shop.directory, path, *arguments])
    return problem(done.returncode != 0, f"{program} {' '.join(arguments)} ends with {done.returncode}: {done.stderr}")


def special_file_problems(shop, program, *arguments):
    """A pipe, which stands for a device such as /dev/stdout."""
    path = f"{shop.directory}/pipe"
    os.mkfifo(path)
    # Whoever replaces the pipe never opens it, so nobody must wait for that.
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        shop.run(program, *arguments, path)
        content = os.read(reader, 1 << 20)
    finally:
        os.close(reader)
    return [
        *problem(not stat.S_ISFIFO(os.stat(path).st_mode), f"{program} {' '.join(arguments)} has replaced a pipe with a file"),
        *problem(not content, f"{program} {' '.join(arguments)} wrote nothing into a pipe"),
    ]


def link_problems(shop, program, *arguments):
    """A link to a file in another directory."""
    target, link = f"{shop.directory}/elsewhere/file", f"{shop.directory}/link"
    os.mkdir(os.path.dirname(target))
    with open(target, "w", encoding="ascii") as file:
        file.write("old")
    os.symlink("elsewhere/file", link)
    shop.expect_run(program, *arguments, link)
    with open(target, "rb") as file:
        content = file.read()
    what = f"{program} {' '.join(arguments)}"
    return [
        *problem(not os.path.islink(link), f"{what} has replaced a link"),
        *problem(content == b"old", f"{what} has not written what the link leads to"),
        *problem(os.listdir(os.path.dirname(target)) != ["file"], f"{what} leaves {os.listdir(os.path.dirname(target))}"),
    ]


def _tree(directory):
    """The files below a directory, and their contents."""
    found = {}
    for place, _, names in os.walk(directory):
        found[place] = None
        for name in names:
            with open(f"{place}/{name}", "rb") as file:
                found[f"{place}/{name}"] = file.read()
    return found
