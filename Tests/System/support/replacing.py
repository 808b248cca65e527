"""What becomes of a file that a program writes."""
import os
import threading

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
