"""The directory of a run."""


class Scratch:
    """Files by their names in a directory."""

    def __init__(self, directory):
        self.directory = directory

    def file(self, name, content=None):
        """The path of a file in the directory, written if there is content."""
        path = f"{self.directory}/{name}"
        if content is not None:
            with open(path, "wb") as file:
                file.write(content)
        return path
