"""Files of text."""
import os


def read(path):
    """The text of a file; whatever is not UTF-8 in it is replaced."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def write(path, text):
    """Writes a file, and makes its directory if there is none."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
